//! Reads the files of a diff: the whole at once, and one by one those that Bitbucket's own limit cut off.
//!
//! Never asks for more than 20 files alone in one call. Start reading at [`gather`].

use crate::beside::beside;
use crate::bitbucket::diffs::{DiffAsk, DiffOf};
use crate::bitbucket::error::{ApiError, Fault, Why};
use crate::domain::diff::{Change, Changes, Content, Diff, FileDiff, Node};
use crate::near;
use crate::tool::{Call, ToolError};
use crate::tools::diff_text::{self, Shown};
use std::thread::scope;

/// The most requests for one file each, so that no call uses up what a rate limit allows (60 at once by default).
const MAX_SINGLE_FILES: usize = 20;

/// Which diff is wanted, and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// What it is of.
    pub of: DiffOf<'a>,
    /// One file, or the files of one folder.
    pub path: Option<&'a str>,
    /// Unchanged lines around each change.
    pub context_lines: Option<u64>,
    /// Whether lines that differ in blanks alone are taken for unchanged.
    pub ignores_whitespace: bool,
    /// The place of the first file, from 0.
    pub start: usize,
    /// How many files.
    pub limit: usize,
    /// The most characters of text that anybody will read of it.
    pub max_chars: usize,
}

impl Wanted<'_> {
    fn ask(&self) -> DiffAsk<'static> {
        DiffAsk {
            context_lines: self.context_lines,
            ignores_whitespace: self.ignores_whitespace,
            ..DiffAsk::default()
        }
    }
}

/// Reads what is wanted, ready to be printed: every file that is named, those wanted with their diffs.
///
/// # Errors
/// What keeps the diff from being read; a path that names no changed file.
pub fn gather(call: &Call, wanted: &Wanted, files: &mut Vec<FileDiff>) -> Result<Said, ToolError> {
    let mut said = Said::default();
    let path = wanted
        .path
        .map(|path| path.trim_matches('/'))
        .filter(|path| !path.is_empty());
    match path {
        None => whole(call, wanted, files, &mut said)?,
        Some(path) => {
            (call.step)("listing the changed files");
            let changes = call.bitbucket.changes(wanted.of, call.cancel);
            at_path(path, changes, wanted, files, &mut said)?;
        }
    }
    fill(call, wanted, files, &mut said)?;
    Ok(said)
}

/// What there is to say of the files that were gathered.
#[derive(Debug, Default)]
pub struct Said {
    /// How many files there are, if that is known.
    pub total: Option<u64>,
    /// Whatever else: see [`Shown::notes`].
    pub notes: Vec<String>,
}

impl Said {
    /// What [`diff_text::answer`] takes.
    pub fn shown<'a>(self, wanted: &Wanted, files: &'a [FileDiff]) -> Shown<'a> {
        Shown {
            of: wanted.of.to_string(),
            files,
            total: self.total,
            start: wanted.start,
            limit: wanted.limit,
            notes: self.notes,
        }
    }
}

/// Asks for the list of files and for their diffs side by side.
fn whole(
    call: &Call,
    wanted: &Wanted,
    files: &mut Vec<FileDiff>,
    said: &mut Said,
) -> Result<(), ToolError> {
    (call.step)("reading the diff");
    let (bitbucket, cancel) = (call.bitbucket, call.cancel);
    let (changes, diff) = scope(|threads| {
        let changes = beside(threads, || bitbucket.changes(wanted.of, cancel));
        let diff = bitbucket.diff(wanted.of, wanted.ask(), cancel);
        let changes = changes.get();
        (changes, diff)
    });
    let mut diff = match diff {
        Ok(diff) => diff,
        Err(error) if is_too_much(&error) && changes.is_ok() => {
            said.notes
                .push(format!("{error}; files were read one by one instead"));
            Diff {
                is_truncated: true,
                ..Diff::default()
            }
        }
        Err(error) => return Err(error.into()),
    };
    if diff.is_truncated && !diff.files.is_empty() {
        said.notes.push(format!(
            "Bitbucket cut this diff at its own limit of lines, after {}",
            crate::words::counted(diff.files.len() as u64, "file")
        ));
    }
    match changes {
        Ok(changes) => {
            diff.join(&changes);
            said.total = changes.count.is_exact().then(|| changes.count.number());
            if said.total.is_none() {
                said.notes
                    .push("Bitbucket lists no more changed files than its own limit".to_owned());
            }
        }
        Err(error) => {
            if !diff.is_truncated {
                said.total = Some(diff.files.len() as u64);
            } else {
                said.notes.push(format!(
                    "{error}; so the files after those are not named here"
                ));
            }
        }
    }
    *files = diff.files;
    Ok(())
}

fn is_too_much(error: &ApiError) -> bool {
    matches!(error.why(), Why::TooLarge { .. } | Why::TimedOut(_))
}

/// Takes from the list of files what stands at `path` or below it.
fn at_path(
    path: &str,
    changes: Result<Changes, ApiError>,
    wanted: &Wanted,
    files: &mut Vec<FileDiff>,
    said: &mut Said,
) -> Result<(), ToolError> {
    let alone = || {
        FileDiff::not_carried(Change {
            kind: crate::domain::diff::ChangeKind::Modified,
            path: path.to_owned(),
            source_path: None,
            node: Node::File,
            executable: None,
            is_conflicting: false,
            comments: None,
            outdated_comments: None,
        })
    };
    let changes = match changes {
        Ok(changes) => changes,
        Err(error) if error.fault() == Fault::NotFound => return Err(error.into()),
        Err(error) => {
            said.notes.push(format!(
                "{error}; so a file that was renamed reads as new here"
            ));
            files.push(alone());
            return Ok(());
        }
    };
    let is_it = |change: &&Change| {
        let is_below = change
            .path
            .strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('/'));
        change.path == path || is_below || change.source_path.as_deref() == Some(path)
    };
    let found: Vec<&Change> = match changes.files.iter().find(|change| change.path == path) {
        Some(change) => vec![change],
        None => changes.files.iter().filter(is_it).collect(),
    };
    if found.is_empty() && changes.count.is_exact() {
        let names: Vec<String> = changes
            .files
            .iter()
            .map(|change| crate::clean::code(&change.path, 200))
            .collect();
        let hint = near::hint(path, names.iter().map(String::as_str));
        return Err(ToolError::Arguments(vec![format!(
            "`path`: {} changes no file `{}`{hint} Without `path`, all changed files are told",
            wanted.of,
            crate::clean::code(path, 200),
            hint = if hint.is_empty() { "." } else { &hint },
        )]));
    }
    if found.is_empty() {
        files.push(alone());
    } else {
        said.total = changes.count.is_exact().then_some(found.len() as u64);
        files.extend(found.into_iter().cloned().map(FileDiff::not_carried));
    }
    Ok(())
}

/// Asks alone for each file that is wanted and was cut off, as long as anybody will read it.
fn fill(
    call: &Call,
    wanted: &Wanted,
    files: &mut [FileDiff],
    said: &mut Said,
) -> Result<(), ToolError> {
    let mut asked = 0;
    let mut left = wanted.max_chars;
    for file in files.iter_mut().skip(wanted.start).take(wanted.limit) {
        let is_cut = matches!(file.content, Content::NotCarried) || !file.is_whole();
        if is_cut && file.change.node != Node::Directory {
            if asked == MAX_SINGLE_FILES {
                said.notes.push(format!(
                    "bb asks for no more than {MAX_SINGLE_FILES} files one by one in one call: \
                     go on with start_file, or with path for one file"
                ));
                break;
            }
            asked += 1;
            (call.step)(&format!(
                "reading the diff of {}",
                crate::clean::line(&file.change.path, 100)
            ));
            let change = file.change.clone();
            let ask = DiffAsk {
                path: Some(&change.path),
                source_path: change.source_path.as_deref(),
                ..wanted.ask()
            };
            match call.bitbucket.diff(wanted.of, ask, call.cancel) {
                Ok(diff) => file.adopt(diff),
                Err(error) if matches!(error.why(), Why::TimedOut(_)) => {
                    // Whatever is slow at one file is slow at the next, and somebody waits.
                    said.notes
                        .push(format!("{error}; so no more files were read"));
                    break;
                }
                Err(error) if is_for_this_file(&error) => said.notes.push(error.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
        let chars = diff_text::print(std::slice::from_ref(file), left)
            .text
            .chars()
            .count();
        match left.checked_sub(chars) {
            Some(rest) if rest > 0 => left = rest,
            _ => break,
        }
    }
    Ok(())
}

/// Whether another file may still be had.
fn is_for_this_file(error: &ApiError) -> bool {
    is_too_much(error) || matches!(error.fault(), Fault::NotFound | Fault::NotUnderstood)
}
