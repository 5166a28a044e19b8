//! What a diff asks Bitbucket: what it is of, which files changed, and their lines, side by side where that can be.
//!
//! Never asks for more than one file alone. Start reading at [`read`].

use super::asked::Asked;
use crate::bitbucket::diffs::DiffAsk;
use crate::bitbucket::error::{ApiError, Fault, Why};
use crate::bitbucket::listing::Listing;
use crate::domain::commit::Commit;
use crate::domain::count::Count;
use crate::domain::diff::{Change, ChangeKind, Changes, Content, Diff, FileDiff, Node};
use crate::domain::pull_request::PullRequest;
use crate::show::shapes::sentence;
use crate::show::{AskedBy, Reading};
use crate::tool::ToolError;
use crate::words;
use std::thread::{ScopedJoinHandle, scope};

/// Everything that one diff is made of.
pub(super) struct Read {
    pub(super) head: Head,
    /// All that are named, in Bitbucket's order, those with their lines whose lines came.
    pub(super) files: Vec<FileDiff>,
    pub(super) count: Count,
    /// The place of the file asked for.
    pub(super) first: usize,
    pub(super) from_commit: String,
    pub(super) to_commit: String,
    /// Whether Bitbucket cut the diff at its own limit.
    pub(super) is_cut: bool,
    /// What could not be read, a sentence each.
    pub(super) notes: Vec<String>,
}

/// What it is the diff of.
pub(super) enum Head {
    PullRequest(Result<Box<PullRequest>, ApiError>),
    Commit(Result<Box<Commit>, ApiError>),
    Refs,
}

/// Reads a diff.
pub(super) fn read(reading: &Reading, asked: &Asked) -> Result<Read, ToolError> {
    let input = reading.input;
    let path = input.text("path").map(|path| path.trim_matches('/'));
    let path = path.filter(|path| !path.is_empty());
    let (head, read) = scope(|threads| {
        let head = threads.spawn(|| head(reading, asked));
        let read = match path {
            Some(path) => at_path(reading, asked, path),
            None => whole(reading, asked),
        };
        (joined(head), read)
    });
    Ok(Read { head, ..read? })
}

fn head(reading: &Reading, asked: &Asked) -> Head {
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    match asked {
        Asked::PullRequest(id) => {
            Head::PullRequest(bitbucket.pull_request(id, cancel).map(Box::new))
        }
        Asked::Commit { repository, commit } => {
            Head::Commit(bitbucket.commit(repository, commit, cancel).map(Box::new))
        }
        Asked::Refs { .. } => Head::Refs,
    }
}

fn ask<'a>(reading: &Reading) -> DiffAsk<'a> {
    DiffAsk {
        context_lines: reading.input.whole("context_lines"),
        ignores_whitespace: reading.input.text("whitespace") == Some("ignore"),
        with_comments: true,
        ..DiffAsk::default()
    }
}

/// The list of files and the lines of all of them; alone the lines of the one asked for, where they were cut off.
fn whole(reading: &Reading, asked: &Asked) -> Result<Read, ToolError> {
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    let (changes, diff) = scope(|threads| {
        let changes = threads.spawn(|| bitbucket.changes(asked.of(), cancel));
        let diff = bitbucket.diff(asked.of(), ask(reading), cancel);
        (joined(changes), diff)
    });
    let mut notes = Vec::new();
    let mut diff = match diff {
        Ok(diff) => diff,
        Err(error) if is_too_much(&error) && changes.is_ok() => {
            notes.push(sentence(&error));
            Diff {
                is_truncated: true,
                ..Diff::default()
            }
        }
        Err(error) => return Err(error.into()),
    };
    let count = match changes {
        Ok(changes) => {
            diff.join(&changes);
            if diff.to_commit.is_empty() {
                diff.from_commit = changes.from_commit;
                diff.to_commit = changes.to_commit;
            }
            changes.count
        }
        Err(error) => {
            notes.push(sentence(&error));
            count_of(&diff)
        }
    };
    let start = reading.input.whole("start_file").unwrap_or(0);
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    // A view that is read again may have fewer files than when it was opened.
    if start >= diff.files.len().max(1) && reading.asked_by == AskedBy::Model {
        return Err(ToolError::Arguments(vec![format!(
            "`start_file`: {} has {}, counted from 0, so there is none from {start} on",
            asked.of(),
            words::of_count(count, "changed file")
        )]));
    }
    let mut read = Read {
        head: Head::Refs,
        first: start.min(diff.files.len().saturating_sub(1)),
        files: diff.files,
        count,
        from_commit: diff.from_commit,
        to_commit: diff.to_commit,
        is_cut: diff.is_truncated,
        notes,
    };
    alone(reading, asked, &mut read, true)?;
    Ok(read)
}

/// What a diff alone says of how many files there are.
fn count_of(diff: &Diff) -> Count {
    let paths: Vec<&str> = diff
        .files
        .iter()
        .map(|file| file.change.path.as_str())
        .collect();
    match diff.is_truncated {
        true => Listing::cut(paths).count(),
        false => Listing::whole(paths).count(),
    }
}

/// The list of files, and the lines of the one at `path`: of a folder, of the first file in it.
fn at_path(reading: &Reading, asked: &Asked, path: &str) -> Result<Read, ToolError> {
    let mut notes = Vec::new();
    let changes = match reading.bitbucket.changes(asked.of(), reading.cancel) {
        Ok(changes) => changes,
        Err(error) if error.fault() == Fault::NotFound => return Err(error.into()),
        Err(error) => {
            notes.push(sentence(&error));
            Changes {
                from_commit: String::new(),
                to_commit: String::new(),
                files: vec![alone_at(path)],
                count: Listing::cut(vec![path]).count(),
            }
        }
    };
    let is_listed = notes.is_empty();
    let Some(first) = place_of(path, &changes.files) else {
        return Err(ToolError::Arguments(vec![format!(
            "`path`: {} changes no file `{}`. Without `path`, the first of them is shown",
            asked.of(),
            crate::clean::code(path, 200),
        )]));
    };
    let mut read = Read {
        head: Head::Refs,
        files: changes
            .files
            .into_iter()
            .map(FileDiff::not_carried)
            .collect(),
        count: changes.count,
        first,
        from_commit: changes.from_commit,
        to_commit: changes.to_commit,
        is_cut: false,
        notes,
    };
    alone(reading, asked, &mut read, is_listed)?;
    Ok(read)
}

fn place_of(path: &str, files: &[Change]) -> Option<usize> {
    let is_below = |change: &Change| {
        let rest = change.path.strip_prefix(path);
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let was_here = |change: &Change| change.source_path.as_deref() == Some(path);
    let place = |is_it: &dyn Fn(&Change) -> bool| files.iter().position(is_it);
    place(&|change| change.path == path)
        .or_else(|| place(&was_here))
        .or_else(|| place(&is_below))
}

/// Asks for the lines of the first file, where they did not come with the others. Without a list they are all there is.
fn alone(
    reading: &Reading,
    asked: &Asked,
    read: &mut Read,
    is_listed: bool,
) -> Result<(), ToolError> {
    let Some(file) = read.files.get_mut(read.first) else {
        return Ok(());
    };
    let is_cut = matches!(file.content, Content::NotCarried) || !file.is_whole();
    if !is_cut || file.change.node == Node::Directory {
        return Ok(());
    }
    let change = file.change.clone();
    let ask = DiffAsk {
        path: Some(&change.path),
        source_path: change.source_path.as_deref(),
        ..ask(reading)
    };
    match reading.bitbucket.diff(asked.of(), ask, reading.cancel) {
        Ok(diff) => {
            if read.to_commit.is_empty() {
                read.from_commit.clone_from(&diff.from_commit);
                read.to_commit.clone_from(&diff.to_commit);
            }
            file.adopt(diff);
        }
        // The other files are there all the same.
        Err(error) if is_listed && is_for_this_file(&error) => read.notes.push(sentence(&error)),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn is_too_much(error: &ApiError) -> bool {
    matches!(error.why(), Why::TooLarge { .. } | Why::TimedOut(_))
}

fn is_for_this_file(error: &ApiError) -> bool {
    is_too_much(error) || matches!(error.fault(), Fault::NotFound | Fault::NotUnderstood)
}

fn alone_at(path: &str) -> Change {
    Change {
        kind: ChangeKind::Modified,
        path: path.to_owned(),
        source_path: None,
        node: Node::File,
        executable: None,
        is_conflicting: false,
        comments: None,
        outdated_comments: None,
    }
}

/// A helper that panicked costs this call its answer, as the call's own panic would.
fn joined<T>(thread: ScopedJoinHandle<T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
