//! Where a comment may stand: the files that a pull request changes, and what kind of line a number names.
//!
//! Never guesses: a line that the diff was cut before is said to be unknown. Never reads changes or diffs in a way of
//! its own: `bitbucket/diffs.rs` does. Start reading at [`Bitbucket::changed_file`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::diffs::{DiffAsk, DiffOf};
use crate::bitbucket::error::ApiError;
use crate::cancel::Cancel;
use crate::domain::diff::{Change, ChangeKind, Changes, Content, Diff, Line};
use crate::domain::repository::PullRequestId;

pub use crate::domain::diff::{LineKind, Side};

/// Lines around each change that a comment may stand on: Bitbucket's page shows as many.
const CONTEXT_LINES: u64 = 10;

/// What a pull request does to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Where it is; where it was, for one that is gone.
    pub path: String,
    /// Where it was, if that is another path.
    pub source_path: Option<String>,
    /// Whether it is gone.
    pub is_deleted: bool,
}

/// What there is of a path among the changes of a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is changed.
    Changed(ChangedFile),
    /// It is not; the paths that are.
    Unchanged(Vec<String>),
    /// Bitbucket names no more than its limit, and it is not among those.
    Unknown,
}

/// The lines of one file's diff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Whether it is no text.
    pub is_binary: bool,
    /// Whether Bitbucket cut it.
    pub is_cut: bool,
    lines: Vec<Line>,
}

impl Bitbucket {
    /// Looks for a path among the files that a pull request changes, by where a file is or where it was.
    ///
    /// # Errors
    /// Whatever keeps the changes from being read.
    ///
    /// Source: as [`Bitbucket::changes`].
    pub fn changed_file(
        &self,
        id: &PullRequestId,
        wanted: &str,
        cancel: &Cancel,
    ) -> Result<Found, ApiError> {
        let changes = self.changes_counting(DiffOf::PullRequest(id), false, cancel)?;
        Ok(find(changes, wanted))
    }

    /// Reads which lines one file's diff has.
    ///
    /// # Errors
    /// Whatever keeps the diff from being read.
    ///
    /// Source: as [`Bitbucket::diff`].
    pub fn lines_of(
        &self,
        id: &PullRequestId,
        file: &ChangedFile,
        cancel: &Cancel,
    ) -> Result<Lines, ApiError> {
        let ask = DiffAsk {
            path: Some(&file.path),
            source_path: file.source_path.as_deref(),
            context_lines: Some(CONTEXT_LINES),
            ..DiffAsk::default()
        };
        let diff = self.diff(DiffOf::PullRequest(id), ask, cancel)?;
        Ok(Lines::of(diff))
    }
}

fn find(changes: Changes, wanted: &str) -> Found {
    let is_whole = changes.count.is_exact();
    let by_path = |change: &Change| change.path == wanted;
    let by_source = |change: &Change| change.source_path.as_deref() == Some(wanted);
    let mut files = changes.files;
    let at = files.iter().position(by_path);
    match at.or_else(|| files.iter().position(by_source)) {
        Some(at) => {
            let change = files.swap_remove(at);
            Found::Changed(ChangedFile {
                is_deleted: change.kind == ChangeKind::Deleted,
                path: change.path,
                source_path: change.source_path,
            })
        }
        None if is_whole => Found::Unchanged(files.into_iter().map(|one| one.path).collect()),
        None => Found::Unknown,
    }
}

impl Lines {
    fn of(diff: Diff) -> Self {
        let mut found = Self {
            is_cut: diff.is_truncated,
            ..Self::default()
        };
        for file in diff.files {
            found.is_binary |= file.content == Content::Binary;
            found.is_cut |= !file.is_whole();
            if let Content::Hunks(hunks) = file.content {
                found
                    .lines
                    .extend(hunks.into_iter().flat_map(|hunk| hunk.lines));
            }
        }
        found
    }

    /// What kind of line a number names on a side; `None` if the diff was cut and may hold it further down. A line
    /// that a whole diff does not show is one that did not change.
    pub fn kind(&self, side: Side, number: u64) -> Option<LineKind> {
        let is_it = |line: &&Line| of_side(line, side) == Some(number);
        match self.lines.iter().find(is_it) {
            Some(line) => Some(line.kind),
            None if !self.is_cut => Some(LineKind::Context),
            None => None,
        }
    }

    /// How many lines of a side the diff shows.
    pub fn shown(&self, side: Side) -> usize {
        let is_there = |line: &&Line| of_side(line, side).is_some();
        self.lines.iter().filter(is_there).count()
    }
}

fn of_side(line: &Line, side: Side) -> Option<u64> {
    match side {
        Side::Old => line.source,
        Side::New => line.destination,
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, LineKind, Lines, Side, find};
    use crate::bitbucket::diffs::{changes_of_json, diff_of_json};
    use serde_json::json;

    fn of(value: &serde_json::Value) -> Lines {
        Lines::of(diff_of_json(&value.to_string()))
    }

    #[test]
    fn a_line_is_found_by_the_number_of_its_own_side() {
        let lines = of(&json!({"diffs": [{"hunks": [{"segments": [
            {"type": "CONTEXT", "lines": [{"source": 4, "destination": 6}]},
            {"type": "REMOVED", "lines": [{"source": 5, "destination": 7}]},
            {"type": "ADDED", "lines": [{"source": 5, "destination": 7}, {"source": 5, "destination": 8}]},
            {"type": "CONTEXT", "lines": [{"source": 6, "destination": 9}]},
        ]}]}]}));
        for (side, number, kind) in [
            (Side::Old, 4, LineKind::Context),
            (Side::Old, 5, LineKind::Removed),
            (Side::New, 7, LineKind::Added),
            (Side::New, 8, LineKind::Added),
            (Side::New, 9, LineKind::Context),
            (Side::Old, 6, LineKind::Context),
            (Side::New, 300, LineKind::Context),
        ] {
            assert_eq!(lines.kind(side, number), Some(kind), "{side:?} {number}");
        }
        assert_eq!((lines.shown(Side::Old), lines.shown(Side::New)), (3, 4));
    }

    #[test]
    fn a_line_that_the_diff_was_cut_before_is_unknown_on_whatever_level_it_was_cut() {
        for cut in [
            json!({"truncated": true, "diffs": []}),
            json!({"diffs": [{"truncated": true}]}),
            json!({"diffs": [{"hunks": [{"truncated": true}]}]}),
            json!({"diffs": [{"hunks": [{"segments": [{"type": "ADDED", "truncated": true}]}]}]}),
            // As is one of a file that is not understood.
            json!({"diffs": [{"hunks": 7}]}),
        ] {
            assert_eq!(of(&cut).kind(Side::New, 9), None, "{cut}");
        }
        let whole = of(&json!({"diffs": []}));
        assert_eq!(whole.kind(Side::New, 9), Some(LineKind::Context));
    }

    #[test]
    fn a_file_is_found_by_where_it_is_and_by_where_it_was() {
        let changes = json!({"isLastPage": true, "values": [
            {"path": {"toString": "b.rs"}, "srcPath": {"toString": "a.rs"}, "type": "MOVE"},
            {"path": "c.rs", "type": "DELETE"},
        ]});
        let found = |wanted| find(changes_of_json(&changes.to_string()), wanted);
        for wanted in ["a.rs", "b.rs"] {
            let Found::Changed(file) = found(wanted) else {
                panic!("{wanted} is changed");
            };
            assert_eq!(file.path, "b.rs");
            assert_eq!(file.source_path.as_deref(), Some("a.rs"));
        }
        assert!(matches!(found("c.rs"), Found::Changed(file) if file.is_deleted));
        assert_eq!(
            found("d.rs"),
            Found::Unchanged(vec!["b.rs".to_owned(), "c.rs".to_owned()])
        );
    }
}
