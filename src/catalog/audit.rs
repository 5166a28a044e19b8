//! The record of what was done: one JSON line for each call, appended before its answer leaves.
//!
//! Never holds what somebody wrote, a query, a header or a secret: text is kept as its length and digest. Never
//! decides whether a call may run: it only says whether it could be recorded. Start reading at [`Audit::open`]; one
//! call's lines are written through its [`Entry`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::http::RequestLog;
use crate::catalog::confirm::Confirmation;
use crate::clean;
use crate::digest::Digest;
use crate::domain::time::Time;
use crate::tool::Tool;
use crate::tool::args::Arg;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

mod limit;

/// What a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A tool that writes is about to run; another line tells how that ended.
    Started,
    /// The person is being asked; the client calls again with the answer.
    Asked,
    /// It ran.
    Done,
    /// It ran, or would have, and there is no answer.
    Failed,
    /// Scope, exposure, or a proof of the person's agreement that does not hold: it did not run.
    Refused,
    /// The person said no: it did not run.
    Declined,
    /// Nobody waits for it any more, or nobody answered.
    Cancelled,
}

/// What becomes of a call that cannot be recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// It does not run, or its answer is held back, and no later call runs.
    #[default]
    Deny,
    /// The operator is told.
    Warn,
}

/// The file, if calls are recorded.
pub struct Audit {
    trail: Option<Mutex<Trail>>,
    on_failure: OnFailure,
    /// Why an earlier call could not be recorded, where that forbids every later one.
    broken: OnceLock<String>,
}

struct Trail {
    file: Box<dyn Write + Send>,
    /// Where it is, and which file that was: somebody may move it away, as log rotation does.
    place: Option<(PathBuf, FileId)>,
    /// The last line has no end.
    is_torn: bool,
    /// The system lets no file become larger, in bytes.
    most_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    tool: &'a str,
    /// The team's tool that it was called through.
    #[serde(skip_serializing_if = "Option::is_none")]
    manifest: Option<&'a Value>,
    arguments: &'a Value,
    outcome: Outcome,
    confirmation: Confirmation,
    user: Option<String>,
    host: String,
    duration_ms: u64,
    requests: Vec<Value>,
}

impl Audit {
    /// Records nothing.
    pub fn off() -> Self {
        Self {
            trail: None,
            on_failure: OnFailure::Warn,
            broken: OnceLock::new(),
        }
    }

    /// Appends to a file, which is made for its owner alone if it is not there.
    ///
    /// # Errors
    /// A phrase: it cannot be opened, is no file, or others may read it.
    pub fn open(path: &Path, on_failure: OnFailure) -> Result<Self, String> {
        let (trail, _) = Trail::open(path).map_err(|why| refused(path, &why))?;
        Ok(Self::to(trail, on_failure))
    }

    fn to(trail: Trail, on_failure: OnFailure) -> Self {
        Self {
            trail: Some(Mutex::new(trail)),
            on_failure,
            broken: OnceLock::new(),
        }
    }

    /// What becomes of a call that cannot be recorded.
    pub fn on_failure(&self) -> OnFailure {
        self.on_failure
    }

    /// Why no call may run any more; `None` if calls may.
    pub fn broken(&self) -> Option<&str> {
        self.broken.get().map(String::as_str)
    }

    /// Forbids every later call, for this reason; the first one stays.
    pub fn forbid(&self, why: &str) {
        self.broken.get_or_init(|| why.to_owned());
    }

    fn append(&self, line: &Line) -> Result<(), String> {
        let Some(trail) = &self.trail else {
            return Ok(());
        };
        let mut bytes = serde_json::to_vec(line).map_err(|error| error.to_string())?;
        bytes.push(b'\n');
        trail
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .append(&bytes)
    }
}

/// Says whether [`Audit::open`] would take a file, and makes none.
///
/// # Errors
/// As [`Audit::open`] words it.
pub fn look(path: &Path) -> Result<(), String> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    match path.try_exists() {
        Ok(false) if folder.is_none_or(Path::is_dir) => Ok(()),
        _ => match opened(path, &appending()) {
            Ok(_) => Ok(()),
            Err(why) => Err(refused(path, &why)),
        },
    }
}

fn refused(path: &Path, why: &str) -> String {
    format!(
        "cannot append to the audit file `{}` (--audit-file, BB_AUDIT_FILE): {why}",
        path.display()
    )
}

fn appending() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.append(true).read(true);
    options
}

/// Opens a file that is its owner's alone.
fn opened(path: &Path, options: &OpenOptions) -> Result<File, String> {
    // Looked at before it is opened: opening a pipe waits for whoever reads it.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err("it is no regular file".to_owned());
    }
    let file = options.open(path).map_err(|error| error.to_string())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let found = file.metadata().map_err(|error| error.to_string())?;
        let mode = found.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(format!(
                "others than its owner may use it (its mode is {mode:o}): chmod 600 it first"
            ));
        }
    }
    Ok(file)
}

/// A crash may have left the last line without its end.
fn is_torn(mut file: &File) -> bool {
    let mut last = [b'\n'];
    let is_read = file.seek(SeekFrom::End(-1)).is_ok() && file.read_exact(&mut last).is_ok();
    is_read && last != [b'\n']
}

/// Which file an open one is, however it is called by now; always the same where the system does not tell.
type FileId = (u64, u64);

#[cfg(unix)]
fn file_id(found: &std::fs::Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn file_id(_: &std::fs::Metadata) -> FileId {
    (0, 0)
}

impl Trail {
    /// With the bytes that are in the file.
    fn open(path: &Path) -> Result<(Self, u64), String> {
        let mut options = appending();
        options.create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = opened(path, &options)?;
        let found = file.metadata().map_err(|error| error.to_string())?;
        let trail = Self {
            is_torn: is_torn(&file),
            place: Some((path.to_owned(), file_id(&found))),
            file: Box::new(file),
            most_bytes: limit::of_a_file(),
        };
        Ok((trail, found.len()))
    }

    /// Begins a new file where the one that is open was moved or removed: nobody would find the lines in it.
    /// Gives the bytes that are in the file.
    fn follow(&mut self) -> Result<u64, String> {
        let Some((path, id)) = &self.place else {
            return Ok(0);
        };
        match std::fs::metadata(path) {
            Ok(found) if file_id(&found) == *id => Ok(found.len()),
            _ => {
                let (trail, held) = Self::open(path)?;
                *self = trail;
                Ok(held)
            }
        }
    }

    /// One write, so that lines of several processes do not mix.
    fn append(&mut self, line: &[u8]) -> Result<(), String> {
        let held = self.follow()?;
        let mended: Vec<u8>;
        let line = match self.is_torn {
            true => {
                mended = [b"\n", line].concat();
                &mended
            }
            false => line,
        };
        if let Some(most) = self.most_bytes {
            let room = most.saturating_sub(held);
            if u64::try_from(line.len()).is_ok_and(|needed| needed > room) {
                return Err(told(&ErrorKind::FileTooLarge.into()));
            }
        }
        loop {
            return match self.file.write(line) {
                Ok(written) if written == line.len() => {
                    self.is_torn = false;
                    Ok(())
                }
                Ok(written) => {
                    self.is_torn |= written > 0;
                    Err(format!(
                        "only {written} of {} bytes could be written",
                        line.len()
                    ))
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Err(told(&error)),
            };
        }
    }
}

fn told(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull => "no room is left".to_owned(),
        ErrorKind::FileTooLarge => "the file may not grow any more".to_owned(),
        _ => error.to_string(),
    }
}

/// The lines of one call. A call that ends without its last line, by a fault of bb's own, is recorded as failed.
pub struct Entry<'a> {
    audit: &'a Audit,
    bitbucket: &'a Bitbucket,
    tool: String,
    began: Instant,
    is_open: bool,
    /// What the call asks of Bitbucket.
    pub sent: RequestLog,
    /// The team's tool that it is called through: `{app, tool}`.
    pub manifest: Option<Value>,
    /// What is recorded of the arguments.
    pub arguments: Value,
    /// What came of asking the person.
    pub confirmation: Confirmation,
}

impl<'a> Entry<'a> {
    /// Begins the record of a call, without a line yet.
    pub fn new(audit: &'a Audit, bitbucket: &'a Bitbucket, sent: RequestLog, tool: &str) -> Self {
        Self {
            audit,
            bitbucket,
            sent,
            tool: clean::line(tool, 128),
            manifest: None,
            began: Instant::now(),
            is_open: true,
            arguments: json!({}),
            confirmation: Confirmation::None,
        }
    }

    /// Appends a line after which another comes.
    ///
    /// # Errors
    /// Why it is not there.
    pub fn note(&self, outcome: Outcome) -> Result<(), String> {
        if self.audit.trail.is_none() {
            return Ok(());
        }
        let requests = self.sent.sent();
        let requests = requests.iter().map(|sent| {
            let path = self.bitbucket.http().hide(&sent.path);
            json!({"method": sent.method.as_str(), "path": path, "status": sent.status})
        });
        let mut arguments = self.arguments.clone();
        each_text(&mut arguments, &|text| self.bitbucket.http().hide(text));
        self.audit.append(&Line {
            time: now(),
            tool: &self.tool,
            manifest: self.manifest.as_ref(),
            arguments: &arguments,
            outcome,
            confirmation: self.confirmation,
            user: self.bitbucket.http().user(),
            host: self.bitbucket.base().to_string(),
            duration_ms: u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
            requests: requests.collect(),
        })
    }

    /// Appends the last line.
    ///
    /// # Errors
    /// Why it is not there.
    pub fn close(mut self, outcome: Outcome) -> Result<(), String> {
        self.is_open = false;
        self.note(outcome)
    }

    /// Leaves no more lines.
    pub fn forget(mut self) {
        self.is_open = false;
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        if self.is_open {
            if let (Err(why), OnFailure::Deny) = (self.note(Outcome::Failed), self.audit.on_failure)
            {
                self.audit.forbid(&why);
            }
        }
    }
}

/// RFC 3339 in UTC, to the millisecond.
fn now() -> String {
    let ms = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or_default();
    let second = Time(ms).to_string();
    format!(
        "{}.{:03}Z",
        second.trim_end_matches('Z'),
        ms.rem_euclid(1000)
    )
}

/// What is kept of the arguments of a tool.
pub fn kept(tool: &Tool, arguments: &Map<String, Value>) -> Value {
    kept_of(&[tool.target.args(), tool.args], arguments)
}

/// What is kept of arguments: what the tables know and call no prose, as it is; anything else as its length in
/// characters and its digest.
pub fn kept_of(tables: &[&[Arg]], arguments: &Map<String, Value>) -> Value {
    let is_plain = |name: &str, value: &Value| {
        let arg = tables
            .iter()
            .copied()
            .flatten()
            .find(|arg| arg.name == name);
        arg.is_some_and(|arg| !arg.is_prose && arg.accepts_as_it_is(value))
    };
    let kept = arguments.iter().map(|(name, value)| {
        let value = match is_plain(name, value) {
            true => {
                let mut value = value.clone();
                each_text(&mut value, &without_extras);
                value
            }
            false => digested(value),
        };
        (clean::line(name, 128), value)
    });
    Value::Object(kept.collect())
}

/// What is kept of arguments to a tool that is not there: nothing tells which of them are prose.
pub fn all_digested(arguments: &Map<String, Value>) -> Value {
    let kept = arguments
        .iter()
        .map(|(name, value)| (clean::line(name, 128), digested(value)));
    Value::Object(kept.collect())
}

/// An address without what may be a secret in it: a user before its host, a query, a fragment.
fn without_extras(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let (host, path) = rest[..end].split_at(rest[..end].find('/').unwrap_or(end));
    let host = host.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

fn each_text(value: &mut Value, change: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(members) => members
            .iter_mut()
            .for_each(|member| each_text(member, change)),
        Value::Object(members) => members
            .values_mut()
            .for_each(|member| each_text(member, change)),
        _ => {}
    }
}

fn digested(value: &Value) -> Value {
    let text = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => return value.clone(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    json!({"length": text.chars().count(), "sha256": Digest::of(text.as_bytes()).to_string()})
}

#[cfg(test)]
mod tests;
