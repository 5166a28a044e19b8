//! `bb ai mcp manifest …`: what each command answers.
//!
//! Never reads flags and never prints. Start reading at [`check`].

use crate::clean;
use crate::digest::Digest;
use crate::exit::{Answer, Exit};
use crate::manifests::approvals::{self, Standing, Store};
use crate::manifests::findings::{Code, Finding};
use crate::manifests::manifest::{self, Manifest};
use crate::manifests::names;
use crate::manifests::review::{self, Review, shown};
use crate::manifests::table::Table;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// Shows a text to a person at a terminal and gives what they typed; `None` where nobody is there.
pub type Ask<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Every finding of some files. Exit 2 unless all are sound.
pub fn check(files: &[String], table: &Table, as_json: bool) -> Answer {
    let mut is_sound = true;
    let mut entries = Vec::new();
    let (mut text, mut problems, mut notes) = (String::new(), Vec::new(), Vec::new());
    for file in files {
        let name = clean::line(file, 300);
        let bytes = match approvals::read(Path::new(file)) {
            Ok(bytes) => bytes,
            Err(why) => {
                is_sound = false;
                if as_json {
                    let code = Code::Unreadable.name();
                    let finding =
                        json!({"place": "", "code": code, "message": clean::line(&why, 300)});
                    entries.push(
                        json!({"file": file, "ok": false, "findings": [finding], "warnings": []}),
                    );
                }
                problems.push(format!("cannot read the manifest `{name}`: {why}"));
                continue;
            }
        };
        let (manifest, findings) = manifest::check(&bytes, table);
        // A hundred thousand pieces that the process's end gives back at once.
        std::mem::forget(manifest);
        is_sound &= findings.problems.is_empty();
        if as_json {
            let entry = |finding: &Finding| json!({"place": finding.place, "code": finding.code.name(), "message": finding.message});
            let entries_of = |list: &[Finding]| list.iter().map(entry).collect::<Vec<Value>>();
            entries.push(json!({
                "file": file,
                "ok": findings.problems.is_empty(),
                "sha256": Digest::of(&bytes).to_string(),
                "findings": entries_of(&findings.problems),
                "warnings": entries_of(&findings.warnings),
            }));
            continue;
        }
        if findings.problems.is_empty() {
            let _ = writeln!(text, "{name}: sound, SHA-256 {}", Digest::of(&bytes));
        }
        problems.extend(
            findings
                .problems
                .iter()
                .map(|finding| format!("{name}: {finding}")),
        );
        notes.extend(
            findings
                .warnings
                .iter()
                .map(|finding| format!("{name}: warning: {finding}")),
        );
    }
    if as_json {
        text = format!("{:#}\n", Value::Array(entries));
    }
    Answer {
        text,
        notes,
        problems,
        exit: if is_sound { Exit::Done } else { Exit::Usage },
    }
}

/// A manifest with all that a review of it needs.
struct Opened {
    bytes: Vec<u8>,
    manifest: Manifest,
    digest: Digest,
    source: String,
    standing: Standing,
    installed: Option<Manifest>,
}

impl Opened {
    fn review(&self) -> Review<'_> {
        Review {
            manifest: &self.manifest,
            digest: self.digest,
            source: &self.source,
            standing: &self.standing,
            installed: self.installed.as_ref(),
        }
    }
}

fn open(file: &str, table: &Table, store: &Store) -> Result<Opened, Answer> {
    let name = clean::line(file, 300);
    let bytes = approvals::read(Path::new(file)).map_err(|why| {
        let phrase = format!("cannot read the manifest `{name}`: {why}");
        Answer::problems(Exit::NotFound, [phrase])
    })?;
    let (manifest, findings) = manifest::check(&bytes, table);
    let Some(manifest) = manifest else {
        let problems = findings
            .problems
            .iter()
            .map(|finding| format!("{name}: {finding}"));
        return Err(Answer::problems(Exit::Usage, problems));
    };
    let digest = Digest::of(&bytes);
    let (standing, installed) = store
        .standing(&manifest, digest, table)
        .map_err(|why| Answer::problems(Exit::Unexpected, [why]))?;
    // Where a person may look for it later, from any folder.
    let source = std::path::absolute(file)
        .map_or_else(|_| file.to_owned(), |path| path.display().to_string());
    Ok(Opened {
        bytes,
        manifest,
        digest,
        source,
        standing,
        installed,
    })
}

/// What the source of a manifest is asked for: none, all pages, or one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// No page.
    None,
    /// Each page.
    All,
    /// The page of this view.
    Of(String),
}

/// What a person must know of a file, or of an approved manifest, before it runs.
pub fn review(what: &str, source: &Source, as_json: bool, table: &Table, store: &Store) -> Answer {
    let approval = match store.find(what) {
        Ok(approval) => approval.filter(|_| !Path::new(what).exists()),
        Err(why) => return Answer::problems(Exit::Unexpected, [why]),
    };
    let opened = match approval {
        // What is written as an id, and names no file, was meant as one.
        None if names::is_app_id(what) && !Path::new(what).exists() => {
            Err(Answer::problems(Exit::NotFound, [unknown(what)]))
        }
        None => open(what, table, store),
        Some(approval) => match store.state(&approval, table) {
            approvals::State::Approved(manifest) | approvals::State::Disabled(manifest) => {
                Ok(Opened {
                    bytes: Vec::new(),
                    digest: Digest::parse(&approval.sha256).unwrap_or_else(|| Digest::of(b"")),
                    source: approval.source.clone(),
                    standing: Standing::Unchanged,
                    installed: None,
                    manifest: *manifest,
                })
            }
            state => Err(Answer::problems(
                Exit::Conflict,
                [format!(
                    "the approved manifest {what} cannot be shown: {}",
                    state.why().unwrap_or_default()
                )],
            )),
        },
    };
    let opened = match opened {
        Ok(opened) => opened,
        Err(answer) => return answer,
    };
    let view = match source {
        Source::None if as_json => return Answer::text(format!("{:#}\n", opened.review().json())),
        Source::None => return Answer::text(opened.review().text()),
        Source::All => None,
        Source::Of(view) => Some(view.as_str()),
    };
    match review::source(&opened.manifest, view) {
        Some(text) => Answer::text(text),
        None => {
            let known: Vec<&str> = opened
                .manifest
                .views
                .iter()
                .map(|view| view.name.as_str())
                .collect();
            let view = shown(view.unwrap_or_default());
            let why = format!(
                "the manifest has no view {view}; its views are: {}",
                known.join(", ")
            );
            Answer::problems(Exit::NotFound, [why])
        }
    }
}

/// Lets a file in, once a person has typed its id or somebody gives the digest of what they reviewed.
pub fn approve(file: &str, sha256: Option<&str>, table: &Table, store: &Store, ask: Ask) -> Answer {
    let opened = match open(file, table, store) {
        Ok(opened) => opened,
        Err(answer) => return answer,
    };
    let id = &opened.manifest.app.id;
    let conflict = |why: String| Answer::problems(Exit::Conflict, [why]);
    // Before all else: another file than the one that was reviewed must not read as approved.
    if let Some(given) = sha256 {
        if !given.eq_ignore_ascii_case(&opened.digest.to_string()) {
            return conflict(format!(
                "cannot approve {id}: the file's SHA-256 is {}, not the one that --sha256 gives; review this file",
                opened.digest
            ));
        }
    }
    match &opened.standing {
        Standing::Barred(why) => return conflict(format!("cannot approve {id}: {why}")),
        Standing::Unchanged => {
            return Answer::text(format!(
                "{id} is approved already: these very bytes{}\n",
                off(id, store)
            ));
        }
        Standing::New | Standing::Damaged(_) | Standing::Update { .. } => {}
    }
    match sha256 {
        Some(_) => {}
        None => {
            let question = format!(
                "{}\nType {id} to approve exactly this: ",
                opened.review().text()
            );
            match ask(&question) {
                None => {
                    return Answer::problems(
                        Exit::Usage,
                        [format!(
                            "cannot approve {id}: nobody is at a terminal; give --sha256 with the digest of what was \
                             reviewed"
                        )],
                    );
                }
                Some(typed) if typed.trim() == id => {}
                Some(_) => {
                    return conflict(format!("{id} was not approved: another word was typed"));
                }
            }
        }
    }
    match store.add(&opened.manifest, &opened.bytes, &opened.source) {
        Ok(()) => {
            let (version, off) = (&opened.manifest.app.version, off(id, store));
            let next = match off.as_str() {
                "" => format!(". To serve it: bb ai mcp serve --manifest {id}"),
                _ => off,
            };
            Answer::text(format!("{id} {version} is approved{next}\n"))
        }
        Err(why) => Answer::problems(Exit::Unexpected, [why]),
    }
}

/// What to say of a manifest that is switched off; nothing of one that is not.
fn off(id: &str, store: &Store) -> String {
    match store.find(id) {
        Ok(Some(approval)) if !approval.enabled => {
            format!(", and switched off. To switch it on: bb ai mcp manifest enable {id}")
        }
        _ => String::new(),
    }
}

/// What is approved, and how each is today.
pub fn list(as_json: bool, table: &Table, store: &Store) -> Answer {
    let approvals = match store.list() {
        Ok(approvals) => approvals,
        Err(why) => return Answer::problems(Exit::Unexpected, [why]),
    };
    let mut answer = Answer::text("");
    let mut entries = Vec::new();
    for approval in &approvals {
        let state = store.state(approval, table);
        let short: String = approval.sha256.chars().take(12).collect();
        if as_json {
            entries.push(json!({
                "id": approval.id, "name": approval.name, "version": approval.version, "state": state.name(),
                "why": state.why(), "sha256": approval.sha256, "source": approval.source, "time": approval.time,
            }));
            continue;
        }
        let (id, version) = (
            clean::line(&approval.id, 40),
            clean::line(&approval.version, 64),
        );
        let _ = writeln!(
            answer.text,
            "{id:<20} {version:<12} {:<9} {short:<12} {} from {}",
            state.name(),
            shown(&approval.name),
            shown(&approval.source)
        );
        if let (Some(why), false) = (state.why(), matches!(state, approvals::State::Disabled(_))) {
            answer.notes.push(format!("{id} is not served: {why}"));
        }
    }
    if as_json {
        answer.text = format!("{:#}\n", Value::Array(entries));
    }
    answer
}

/// Switches an approved manifest on or off.
pub fn switch(id: &str, enabled: bool, store: &Store) -> Answer {
    let done = match enabled {
        true => "switched on",
        false => "switched off; it stays approved",
    };
    told(id, done, store.switch(id, enabled))
}

/// Takes an approved manifest away.
pub fn remove(id: &str, store: &Store) -> Answer {
    told(
        id,
        "removed, with its tools, views and approval",
        store.remove(id),
    )
}

fn told(id: &str, done: &str, found: Result<bool, String>) -> Answer {
    let id = clean::line(id, 64);
    match found {
        Ok(true) => Answer::text(format!("{id} is {done}\n")),
        Ok(false) => Answer::problems(Exit::NotFound, [unknown(&id)]),
        Err(why) => Answer::problems(Exit::Unexpected, [why]),
    }
}

/// A phrase about an id that nothing is approved under.
pub fn unknown(id: &str) -> String {
    format!(
        "no manifest `{}` is approved; `bb ai mcp manifest list` shows what is",
        clean::line(id, 64)
    )
}
