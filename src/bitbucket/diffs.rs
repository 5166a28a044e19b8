//! Diffs, and which files changed: of a pull request, of a commit, between two refs.
//!
//! Bitbucket cuts a diff at its own limit of lines (`page.max.diff.lines`) and says so on any of five levels;
//! each is kept. Never takes a list that is full for the whole. Start reading at [`Bitbucket::diff`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::comments::WireComment;
use crate::bitbucket::compare::Pair;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Listing};
use crate::bitbucket::wire::{Each, FilePath, Whole, picked};
use crate::cancel::Cancel;
use crate::domain::comment::Thread;
use crate::domain::diff::{
    Change, ChangeKind, Changes, Content, Diff, FileDiff, Hunk, Line, LineKind, Node, Span,
};
use crate::domain::repository::{PullRequestId, RepositoryId};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fmt;

/// `page.max.changes` as it comes; a larger one would be clamped to it.
const MAX_CHANGES: u64 = 1000;

/// What a diff is of.
#[derive(Clone, Copy, Debug)]
pub enum DiffOf<'a> {
    /// A pull request: its source against the commit that both ends share.
    PullRequest(&'a PullRequestId),
    /// A commit against its first parent.
    Commit {
        /// Where.
        repository: &'a RepositoryId,
        /// Which.
        commit: &'a str,
    },
    /// What one ref has and another lacks.
    Refs {
        /// Where.
        repository: &'a RepositoryId,
        /// The one that has it.
        from: &'a str,
        /// The one that lacks it.
        to: &'a str,
    },
    /// What a branch would bring to another, which may be in another repository.
    Pair(&'a Pair<'a>),
}

impl fmt::Display for DiffOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PullRequest(id) => id.fmt(f),
            Self::Commit { repository, commit } => write!(f, "commit {commit} of {repository}"),
            Self::Refs {
                repository,
                from,
                to,
            } => {
                write!(f, "`{from}` against `{to}` in {repository}")
            }
            Self::Pair(pair) => pair.fmt(f),
        }
    }
}

impl DiffOf<'_> {
    fn path(&self, what: &str, file: &str) -> Path {
        let within =
            |repository: &RepositoryId| Path::repository(&repository.project, &repository.slug);
        match self {
            Self::PullRequest(id) => {
                Path::pull_request(&id.repository.project, &id.repository.slug, id.number)
                    .segment(what)
                    .file(file)
            }
            Self::Commit { repository, commit } => within(repository)
                .segment("commits")
                .segment(commit)
                .segment(what)
                .file(file),
            Self::Refs {
                repository,
                from,
                to,
            } => within(repository)
                .segment("compare")
                .segment(what)
                .file(file)
                .query("from", from)
                .query("to", to),
            Self::Pair(pair) => pair.path(what).file(file),
        }
    }
}

/// How a diff is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiffAsk<'a> {
    /// Of this file alone.
    pub path: Option<&'a str>,
    /// Where that file was before: without it, one that moved reads as new.
    pub source_path: Option<&'a str>,
    /// Unchanged lines around each change; Bitbucket's default is 10.
    pub context_lines: Option<u64>,
    /// Whether lines that differ in blanks alone are taken for unchanged.
    pub ignores_whitespace: bool,
    /// Whether the threads on its lines are wanted; Bitbucket then widens hunks so that each has its line.
    pub with_comments: bool,
    /// The size of pictures of people in pixels; none without it.
    pub avatar_px: Option<u32>,
}

impl Bitbucket {
    /// Reads a diff, at most 16 MiB of it.
    ///
    /// # Errors
    /// Whatever keeps it from being read; [`crate::bitbucket::error::Why::TooLarge`] over the cap.
    ///
    /// Source: `GET …/pull-requests/{id}/diff/{path}`, `GET …/commits/{commit}/diff/{path}`,
    /// `GET …/compare/diff/{path}`
    pub fn diff(&self, of: DiffOf, ask: DiffAsk, cancel: &Cancel) -> Result<Diff, ApiError> {
        let mut path = of
            .path("diff", ask.path.unwrap_or_default())
            .query_if("contextLines", ask.context_lines)
            .query_if("srcPath", ask.source_path)
            .query_if(
                "whitespace",
                Some("ignore-all").filter(|_| ask.ignores_whitespace),
            )
            .query_if("avatarSize", ask.avatar_px);
        if !matches!(of, DiffOf::Refs { .. } | DiffOf::Pair(_)) {
            path = path.query("withComments", ask.with_comments);
        }
        let what = match ask.path {
            Some(file) => format!("read the diff of `{file}` in {of}"),
            None => format!("read the diff of {of}"),
        };
        let wire: WireDiff = self
            .http
            .get(Request::get(what, path).diff(), cancel)?
            .json()?;
        Ok(wire.into_domain())
    }

    /// Reads which files changed, without their lines: as many as Bitbucket's limit lets through.
    ///
    /// # Errors
    /// Whatever keeps the list from being read.
    ///
    /// Source: `GET …/pull-requests/{id}/changes`, `GET …/commits/{commit}/changes`, `GET …/compare/changes`
    pub fn changes(&self, of: DiffOf, cancel: &Cancel) -> Result<Changes, ApiError> {
        self.changes_counting(of, true, cancel)
    }

    /// [`Self::changes`], each with the counts of its comments where those are wanted: they cost Bitbucket more.
    pub(super) fn changes_counting(
        &self,
        of: DiffOf,
        with_comments: bool,
        cancel: &Cancel,
    ) -> Result<Changes, ApiError> {
        let mut path = of.path("changes", "").query("limit", MAX_CHANGES);
        if !matches!(of, DiffOf::Refs { .. } | DiffOf::Pair(_)) {
            path = path.query("withComments", with_comments);
        }
        let request = Request::get(format!("list the changed files of {of}"), path).diff();
        let answer = self.http.get(request, cancel)?;
        let ends: Ends = answer.json()?;
        Ok(ends.into_domain(listing::read_single(&answer, MAX_CHANGES)?))
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Ends {
    from_hash: Option<String>,
    to_hash: Option<String>,
}

impl Ends {
    fn into_domain(self, listing: Listing<Each<WireChange>>) -> Changes {
        Changes {
            from_commit: self.from_hash.unwrap_or_default(),
            to_commit: self.to_hash.unwrap_or_default(),
            count: listing.count(),
            files: listing.values.into_iter().map(change).collect(),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireChange {
    path: Option<FilePath>,
    src_path: Option<FilePath>,
    #[serde(rename = "type")]
    kind: Option<String>,
    node_type: Option<String>,
    executable: Option<bool>,
    src_executable: Option<bool>,
    conflict: Option<serde::de::IgnoredAny>,
    properties: Option<ChangeProperties>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct ChangeProperties {
    active_comments: Whole,
    orphaned_comments: Whole,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireDiff {
    from_hash: Option<String>,
    to_hash: Option<String>,
    truncated: Option<bool>,
    diffs: Vec<Each<WireFile>>,
}

/// One file of a diff, and the excerpt that a comment carries.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct WireFile {
    source: Option<FilePath>,
    destination: Option<FilePath>,
    binary: Option<bool>,
    truncated: Option<bool>,
    hunks: Option<Vec<WireHunk>>,
    line_comments: Option<Vec<WireComment>>,
    file_comments: Option<Vec<WireComment>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireHunk {
    context: Option<String>,
    source_line: Whole,
    source_span: Whole,
    destination_line: Whole,
    destination_span: Whole,
    segments: Option<Vec<WireSegment>>,
    truncated: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireSegment {
    #[serde(rename = "type")]
    kind: Option<String>,
    lines: Option<Vec<WireLine>>,
    truncated: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireLine {
    source: Whole,
    destination: Whole,
    line: Option<String>,
    truncated: Option<bool>,
    comment_ids: Option<Vec<Whole>>,
}

impl WireDiff {
    pub(super) fn into_domain(self) -> Diff {
        Diff {
            from_commit: self.from_hash.unwrap_or_default(),
            to_commit: self.to_hash.unwrap_or_default(),
            is_truncated: self.truncated.unwrap_or(false),
            files: self
                .diffs
                .into_iter()
                .map(|file| match file {
                    Each::Understood(file) => file.into_domain(),
                    Each::Strange(file) => strange_file(file),
                })
                .collect(),
        }
    }
}

impl WireFile {
    pub(super) fn into_domain(self) -> FileDiff {
        let change = change_of(
            self.source.and_then(FilePath::text),
            self.destination.and_then(FilePath::text),
        );
        let hunks: Vec<Hunk> = self
            .hunks
            .unwrap_or_default()
            .into_iter()
            .map(WireHunk::into_domain)
            .collect();
        let content = match (self.binary.unwrap_or(false), hunks.is_empty()) {
            (true, _) => Content::Binary,
            (false, true) => Content::NoLines,
            (false, false) => Content::Hunks(hunks),
        };
        let comments = |list: Option<Vec<WireComment>>| -> Vec<Thread> {
            list.unwrap_or_default()
                .into_iter()
                .map(|root| root.into_thread(None, None))
                .collect()
        };
        FileDiff {
            change,
            content,
            is_truncated: self.truncated.unwrap_or(false),
            comments: comments(self.line_comments),
            file_comments: comments(self.file_comments),
        }
    }
}

impl WireHunk {
    fn into_domain(self) -> Hunk {
        let mut is_truncated = self.truncated.unwrap_or(false);
        let mut lines = Vec::new();
        for segment in self.segments.unwrap_or_default() {
            is_truncated |= segment.truncated.unwrap_or(false);
            let kind = line_kind(segment.kind.as_deref()).unwrap_or(LineKind::Context);
            let segment = segment.lines.unwrap_or_default();
            lines.extend(segment.into_iter().map(|line| line.into_domain(kind)));
        }
        let span = |line: Whole, span: Whole| {
            let lines = span.0.unwrap_or(0);
            Span {
                line: line.0.unwrap_or(0),
                lines,
            }
        };
        Hunk {
            context: self.context.unwrap_or_default(),
            source: span(self.source_line, self.source_span),
            destination: span(self.destination_line, self.destination_span),
            lines,
            is_truncated,
        }
    }
}

impl WireLine {
    fn into_domain(self, kind: LineKind) -> Line {
        // On the side that lacks the line, Bitbucket writes the number of the last one before it.
        Line {
            kind,
            source: self.source.line().filter(|_| kind != LineKind::Added),
            destination: self
                .destination
                .line()
                .filter(|_| kind != LineKind::Removed),
            text: self.line.unwrap_or_default(),
            comment_ids: self
                .comment_ids
                .unwrap_or_default()
                .into_iter()
                .filter_map(|id| id.0)
                .collect(),
            is_truncated: self.truncated.unwrap_or(false),
        }
    }
}

/// Where a line exists, by Bitbucket's word.
pub(super) fn line_kind(word: Option<&str>) -> Option<LineKind> {
    match word {
        Some("ADDED") => Some(LineKind::Added),
        Some("REMOVED") => Some(LineKind::Removed),
        Some("CONTEXT") => Some(LineKind::Context),
        _ => None,
    }
}

/// What happened to a file, as far as its two paths tell.
fn change_of(source: Option<String>, destination: Option<String>) -> Change {
    let (kind, path, source_path) = match (source, destination) {
        (None, Some(path)) => (ChangeKind::Added, path, None),
        (Some(path), None) => (ChangeKind::Deleted, path, None),
        (Some(from), Some(path)) if from != path => {
            (ChangeKind::moved(&path, Some(&from)), path, Some(from))
        }
        (_, path) => (ChangeKind::Modified, path.unwrap_or_default(), None),
    };
    Change {
        kind,
        path,
        source_path,
        node: Node::File,
        executable: None,
        is_conflicting: false,
        comments: None,
        outdated_comments: None,
    }
}

fn change(wire: Each<WireChange>) -> Change {
    let wire = match wire {
        Each::Understood(wire) => wire,
        Each::Strange(members) => WireChange {
            path: picked(&members, "path"),
            src_path: picked(&members, "srcPath"),
            kind: picked(&members, "type"),
            ..WireChange::default()
        },
    };
    let path = wire.path.and_then(FilePath::text).unwrap_or_default();
    let source_path = wire
        .src_path
        .and_then(FilePath::text)
        .filter(|from| *from != path);
    let properties = wire.properties.unwrap_or_default();
    Change {
        kind: ChangeKind::read(
            wire.kind.as_deref().unwrap_or("UNKNOWN"),
            &path,
            source_path.as_deref(),
        ),
        path,
        source_path,
        node: match wire.node_type.as_deref() {
            Some("SUBMODULE") => Node::Submodule,
            Some("DIRECTORY") => Node::Directory,
            _ => Node::File,
        },
        executable: match (wire.src_executable, wire.executable) {
            (Some(before), Some(now)) if before != now => Some((before, now)),
            _ => None,
        },
        is_conflicting: wire.conflict.is_some(),
        comments: properties.active_comments.0,
        outdated_comments: properties.orphaned_comments.0,
    }
}

/// A file whose diff holds something else than what is known: what it is called, at least.
fn strange_file(members: Map<String, Value>) -> FileDiff {
    let path = |name| picked::<FilePath>(&members, name).and_then(FilePath::text);
    FileDiff {
        content: Content::NotUnderstood,
        ..FileDiff::not_carried(change_of(path("source"), path("destination")))
    }
}

/// Reads a diff as Bitbucket writes it, for tests of what is made of one.
#[cfg(test)]
pub(crate) fn diff_of_json(json: &str) -> Diff {
    let wire: WireDiff = serde_json::from_str(json).expect("a diff");
    wire.into_domain()
}

/// Reads a list of changes as Bitbucket writes it.
#[cfg(test)]
pub(crate) fn changes_of_json(json: &str) -> Changes {
    let ends: Ends = serde_json::from_str(json).expect("the ends");
    ends.into_domain(listing::single(json.as_bytes(), MAX_CHANGES).expect("changes"))
}

#[cfg(test)]
mod tests;
