//! What a person let in: the exact bytes, their digest, when, and whether they are switched off.
//!
//! Never fetches a file anew: the bytes that were approved are kept here, and held against their digest each time they
//! are read. Nothing that a client of bb can say reaches this. Start reading at [`Store`].

use crate::digest::Digest;
use crate::domain::time::Time;
use crate::manifests::findings::Finding;
use crate::manifests::lock::Lock;
use crate::manifests::manifest::{self, Manifest};
use crate::manifests::table::Table;
use crate::manifests::uris;
use crate::manifests::versions;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The most manifests at once.
const MAX_APPROVALS: usize = 16;
/// The largest file that is read as a manifest.
pub const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// One manifest that was approved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The app's id.
    pub id: String,
    /// What its author calls it.
    pub name: String,
    /// Its version.
    pub version: String,
    /// SHA-256 of the exact bytes, in hex.
    pub sha256: String,
    /// When, as RFC 3339 in UTC.
    pub time: String,
    /// The file that was read.
    pub source: String,
    /// The release of bb that it was checked with.
    pub bb: String,
    /// Whether it may be served.
    pub enabled: bool,
}

#[derive(Default, Serialize, Deserialize)]
struct Kept {
    approvals: Vec<Approval>,
}

/// How an approved manifest is today.
#[derive(Debug)]
pub enum State {
    /// It can be served.
    Approved(Box<Manifest>),
    /// It could, and is switched off.
    Disabled(Box<Manifest>),
    /// It fails the check of today.
    Refused(Vec<Finding>),
    /// The kept copy is not what was approved, for this reason.
    Damaged(String),
}

impl State {
    /// The manifest, where it is sound.
    pub fn manifest(&self) -> Option<&Manifest> {
        match self {
            Self::Approved(manifest) | Self::Disabled(manifest) => Some(manifest),
            Self::Refused(_) | Self::Damaged(_) => None,
        }
    }

    /// In one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Approved(_) => "approved",
            Self::Disabled(_) => "disabled",
            Self::Refused(_) => "refused",
            Self::Damaged(_) => "damaged",
        }
    }

    /// Why it cannot be served.
    pub fn why(&self) -> Option<String> {
        match self {
            Self::Approved(_) => None,
            Self::Disabled(manifest) => Some(format!(
                "it is switched off; `bb ai mcp manifest enable {}` switches it on",
                manifest.app.id
            )),
            Self::Refused(findings) => {
                let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
                Some(format!(
                    "it no longer passes the check: {}",
                    findings.join("; ")
                ))
            }
            Self::Damaged(why) => Some(why.clone()),
        }
    }
}

/// How a file stands to the approval of its app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing of that id is approved.
    New,
    /// These very bytes are.
    Unchanged,
    /// These very bytes are, and the copy of them that is kept cannot be served, for this reason.
    Damaged(String),
    /// A higher version than the approved one.
    Update {
        /// The approved one.
        from: String,
    },
    /// It cannot be approved, for this reason.
    Barred(String),
}

impl Standing {
    /// In one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Unchanged => "unchanged",
            Self::Damaged(_) => "damaged",
            Self::Update { .. } => "update",
            Self::Barred(_) => "barred",
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New => f.write_str("new: nothing of this id is approved"),
            Self::Unchanged => f.write_str("unchanged: these very bytes are approved"),
            Self::Damaged(why) => write!(
                f,
                "damaged: these very bytes are approved, and {why}; approving keeps them anew"
            ),
            Self::Update { from } => write!(f, "update: version {from} is approved"),
            Self::Barred(why) => write!(f, "cannot be approved: {why}"),
        }
    }
}

/// Where approvals are kept: a folder of the person's own, outside every repository.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The store below bb's state folder.
    pub fn new(state_dir: &Path) -> Self {
        Self {
            folder: state_dir.join("manifests"),
        }
    }

    /// All approvals, in the order in which they came.
    ///
    /// # Errors
    /// A phrase: the record cannot be read, or others may write it.
    pub fn list(&self) -> Result<Vec<Approval>, String> {
        let path = self.record();
        let told = |why: &dyn fmt::Display| {
            format!(
                "cannot read the approvals in `{}` (--state-dir): {why}",
                path.display()
            )
        };
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(told(&error)),
        };
        #[cfg(unix)]
        for path in [&self.folder, &path] {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(path)
                .map_err(|error| told(&error))?
                .permissions()
                .mode();
            if mode & 0o022 != 0 {
                let why = format!(
                    "others may write `{}` (its mode is {:o})",
                    path.display(),
                    mode & 0o777
                );
                return Err(told(&why));
            }
        }
        let kept: Kept = serde_json::from_slice(&bytes).map_err(|error| told(&error))?;
        Ok(kept.approvals)
    }

    /// The approval of an id.
    ///
    /// # Errors
    /// As [`Self::list`], or a phrase that names what is approved.
    pub fn find(&self, id: &str) -> Result<Option<Approval>, String> {
        Ok(self.list()?.into_iter().find(|approval| approval.id == id))
    }

    /// How an approved manifest is today: its kept bytes, read once, held against their digest and checked.
    pub fn state(&self, approval: &Approval, table: &Table) -> State {
        let bytes = match self.bytes(approval) {
            Ok(bytes) => bytes,
            Err(why) => return State::Damaged(why),
        };
        match manifest::check(&bytes, table) {
            (Some(manifest), _) if manifest.app.id != approval.id => {
                State::Damaged("the kept copy is of another app than the approval".to_owned())
            }
            (Some(manifest), _) if approval.enabled => State::Approved(Box::new(manifest)),
            (Some(manifest), _) => State::Disabled(Box::new(manifest)),
            (None, findings) => State::Refused(findings.problems),
        }
    }

    /// The exact bytes that were approved.
    fn bytes(&self, approval: &Approval) -> Result<Vec<u8>, String> {
        let digest = Digest::parse(&approval.sha256).ok_or("the approval holds no digest")?;
        let bytes = read(&self.copy(&digest))
            .map_err(|why| format!("the kept copy cannot be read: {why}"))?;
        match Digest::of(&bytes) == digest {
            true => Ok(bytes),
            false => Err("the kept copy is not what was approved: its SHA-256 differs".to_owned()),
        }
    }

    /// How a manifest stands to what is approved.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub fn standing(
        &self,
        manifest: &Manifest,
        digest: Digest,
        table: &Table,
    ) -> Result<(Standing, Option<Manifest>), String> {
        let all = self.list()?;
        for other in all.iter().filter(|other| other.id != manifest.app.id) {
            if let Some(installed) = self.state(other, table).manifest() {
                let taken = manifest.tools.iter().find(|tool| {
                    installed
                        .tools
                        .iter()
                        .any(|had| had.name.eq_ignore_ascii_case(&tool.name))
                });
                if let Some(tool) = taken {
                    let why = format!(
                        "its tool {} has the name of one of the approved manifest {}",
                        tool.name, other.id
                    );
                    return Ok((Standing::Barred(why), None));
                }
            }
        }
        let Some(approval) = all.iter().find(|each| each.id == manifest.app.id) else {
            let standing = match all.len() >= MAX_APPROVALS {
                true => Standing::Barred(format!(
                    "{MAX_APPROVALS} manifests are approved already; remove one"
                )),
                false => Standing::New,
            };
            return Ok((standing, None));
        };
        if approval.sha256 == digest.to_string() {
            let standing = match self.bytes(approval) {
                Ok(_) => Standing::Unchanged,
                Err(why) => Standing::Damaged(why),
            };
            return Ok((standing, None));
        }
        let (had, has) = (&approval.version, &manifest.app.version);
        if !versions::is_higher(had, has) {
            let why = match had == has {
                true => format!(
                    "it differs from the approved one and has the same version, {had}; give it a higher one"
                ),
                false => format!("its version {has} is not higher than the approved {had}"),
            };
            return Ok((Standing::Barred(why), None));
        }
        let installed = match self.state(approval, table) {
            State::Approved(installed) | State::Disabled(installed) => Some(*installed),
            _ => None,
        };
        if let Some(view) = installed
            .as_ref()
            .and_then(|installed| twin(installed, manifest))
        {
            let why = format!(
                "the page of its view {view} differs from the approved one and has the same address"
            );
            return Ok((Standing::Barred(why), None));
        }
        Ok((Standing::Update { from: had.clone() }, installed))
    }

    /// Keeps a manifest's bytes and records that they are approved; an earlier version of it goes.
    ///
    /// # Errors
    /// A phrase: it cannot be written.
    pub fn add(&self, manifest: &Manifest, bytes: &[u8], source: &str) -> Result<(), String> {
        let digest = Digest::of(bytes);
        let _lock = self.lock()?;
        let mut all = self.list()?;
        self.write(&self.copy(&digest), bytes)?;
        let app = &manifest.app;
        let approval = Approval {
            id: app.id.clone(),
            name: app.name.clone(),
            version: app.version.clone(),
            sha256: digest.to_string(),
            time: now(),
            source: source.to_owned(),
            bb: env!("CARGO_PKG_VERSION").to_owned(),
            enabled: true,
        };
        match all.iter_mut().find(|each| each.id == app.id) {
            Some(place) => {
                let old = std::mem::replace(place, approval);
                // What a person switched off stays off, whatever version of it they approve.
                place.enabled = old.enabled;
                self.record_all(all)?;
                self.forget(&old, &digest.to_string());
            }
            None => {
                all.push(approval);
                self.record_all(all)?;
            }
        }
        Ok(())
    }

    /// Switches a manifest on or off.
    ///
    /// # Errors
    /// A phrase: it cannot be written. `Ok(false)`: there is none of that id.
    pub fn switch(&self, id: &str, enabled: bool) -> Result<bool, String> {
        // Nothing is made where nothing was ever approved.
        if self.find(id)?.is_none() {
            return Ok(false);
        }
        let _lock = self.lock()?;
        let mut all = self.list()?;
        let Some(approval) = all.iter_mut().find(|each| each.id == id) else {
            return Ok(false);
        };
        approval.enabled = enabled;
        self.record_all(all)?;
        Ok(true)
    }

    /// Takes a manifest away: its approval and its bytes.
    ///
    /// # Errors
    /// A phrase: it cannot be written. `Ok(false)`: there is none of that id.
    pub fn remove(&self, id: &str) -> Result<bool, String> {
        if self.find(id)?.is_none() {
            return Ok(false);
        }
        let _lock = self.lock()?;
        let mut all = self.list()?;
        let Some(at) = all.iter().position(|each| each.id == id) else {
            return Ok(false);
        };
        let old = all.remove(at);
        self.record_all(all)?;
        self.forget(&old, "");
        Ok(true)
    }

    fn lock(&self) -> Result<Lock, String> {
        self.make_folder()?;
        let path = self.folder.join("approvals.lock");
        Lock::take(&path).map_err(|why| {
            let folder = self.folder.display();
            format!("cannot change the approvals in `{folder}` (--state-dir): {why}")
        })
    }

    fn make_folder(&self) -> Result<(), String> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.folder).map_err(|error| {
            let folder = self.folder.display();
            format!("cannot make the folder `{folder}` (--state-dir) for approvals: {error}")
        })
    }

    fn record(&self) -> PathBuf {
        self.folder.join("approvals.json")
    }

    fn copy(&self, digest: &Digest) -> PathBuf {
        self.folder.join(format!("{digest}.json"))
    }

    /// A copy that no approval names does no harm, so it is no trouble if it stays.
    fn forget(&self, old: &Approval, kept: &str) {
        if let Some(digest) = Digest::parse(&old.sha256).filter(|_| old.sha256 != kept) {
            let _ = fs::remove_file(self.copy(&digest));
        }
    }

    fn record_all(&self, approvals: Vec<Approval>) -> Result<(), String> {
        let bytes =
            serde_json::to_vec_pretty(&Kept { approvals }).map_err(|error| error.to_string())?;
        self.write(&self.record(), &bytes)
    }

    /// Writes a file for its owner alone, whole or not at all.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), String> {
        let told = |error: std::io::Error| {
            format!(
                "cannot keep the approval in `{}` (--state-dir): {error}",
                path.display()
            )
        };
        let next = path.with_extension(format!("{}.new", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // What an earlier process of the same number left behind is nobody's.
        let _ = fs::remove_file(&next);
        let written = options.open(&next).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&next, path)
        });
        written.map_err(|error| {
            let _ = fs::remove_file(&next);
            told(error)
        })
    }
}

/// A view whose page differs while its address does not: eight digits can be made to match.
fn twin<'a>(installed: &Manifest, candidate: &'a Manifest) -> Option<&'a str> {
    let twin = candidate.views.iter().find(|view| {
        installed.views.iter().any(|old| {
            let is_same_place =
                uris::of("a", &old.name, &old.html) == uris::of("a", &view.name, &view.html);
            is_same_place && old.html != view.html
        })
    });
    twin.map(|view| view.name.as_str())
}

/// Reads a file that somebody calls a manifest.
///
/// # Errors
/// A phrase: it is not there, no regular file, over 4 MiB, or a link that leaves its folder.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let told = |error: std::io::Error| error.to_string();
    if fs::symlink_metadata(path).map_err(told)?.is_symlink() {
        let target = fs::canonicalize(path).map_err(told)?;
        let folder = path
            .parent()
            .filter(|folder| *folder != Path::new(""))
            .unwrap_or(Path::new("."));
        if target.parent() != Some(fs::canonicalize(folder).map_err(told)?.as_path()) {
            return Err("it is a link that leaves its folder; name the file itself".to_owned());
        }
    }
    let metadata = fs::metadata(path).map_err(told)?;
    if !metadata.is_file() {
        return Err("it is no regular file".to_owned());
    }
    let expected = usize::try_from(metadata.len().min(MAX_FILE_BYTES)).unwrap_or_default();
    let mut bytes = Vec::with_capacity(expected);
    File::open(path)
        .map_err(told)?
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(told)?;
    match bytes.len() as u64 > MAX_FILE_BYTES {
        true => Err("it is over 4 MiB".to_owned()),
        false => Ok(bytes),
    }
}

/// RFC 3339 in UTC.
fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let ms = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    Time(ms.unwrap_or_default()).to_string()
}
