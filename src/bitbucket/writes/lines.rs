//! Where a comment may stand: the files that a pull request changes, and what kind of line a number names.
//!
//! Never guesses: a line that the diff was cut before is said to be unknown. Start reading at
//! [`Bitbucket::changed_file`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::pull_requests::path;
use crate::bitbucket::writes::path_text;
use crate::cancel::Cancel;
use crate::domain::repository::PullRequestId;
use serde::Deserialize;
use serde_json::Value;

/// `page.max.changes` as it comes; a larger one would be clamped to it.
const MAX_CHANGES: u64 = 1000;

/// One side of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The file before.
    Old,
    /// The file as it would be.
    New,
}

impl Side {
    /// Bitbucket's word.
    pub fn file_type(self) -> &'static str {
        match self {
            Self::Old => "FROM",
            Self::New => "TO",
        }
    }

    /// The word that tools take and tell.
    pub fn word(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

/// Where a line exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Before and now.
    Context,
    /// Now alone.
    Added,
    /// Before alone.
    Removed,
}

impl LineKind {
    /// Bitbucket's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Context => "CONTEXT",
            Self::Added => "ADDED",
            Self::Removed => "REMOVED",
        }
    }
}

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
    /// It is not; some paths that are.
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
    /// Kind, old number, new number.
    lines: Vec<(LineKind, u64, u64)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    values: Vec<Change>,
    is_last_page: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Change {
    path: Value,
    src_path: Value,
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Diff {
    diffs: Vec<File>,
    truncated: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct File {
    hunks: Option<Vec<Hunk>>,
    binary: Option<bool>,
    truncated: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Hunk {
    segments: Option<Vec<Segment>>,
    truncated: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Segment {
    #[serde(rename = "type")]
    kind: Option<String>,
    lines: Option<Vec<Line>>,
    truncated: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    source: Option<i64>,
    destination: Option<i64>,
}

impl Bitbucket {
    /// Looks for a path among the files that a pull request changes, by where a file is or where it was.
    ///
    /// # Errors
    /// Whatever keeps the changes from being read.
    ///
    /// Source: `GET …/pull-requests/{id}/changes`
    pub fn changed_file(
        &self,
        id: &PullRequestId,
        wanted: &str,
        cancel: &Cancel,
    ) -> Result<Found, ApiError> {
        let path = path(id)
            .segment("changes")
            .query("withComments", false)
            .query("limit", MAX_CHANGES);
        let request = Request::get(format!("list the changed files of {id}"), path).diff();
        let page: Page = self.http.get(request, cancel)?.json()?;
        Ok(page.find(wanted))
    }

    /// Reads which lines one file's diff has.
    ///
    /// # Errors
    /// Whatever keeps the diff from being read.
    ///
    /// Source: `GET …/pull-requests/{id}/diff/{path}`
    pub fn lines_of(
        &self,
        id: &PullRequestId,
        file: &ChangedFile,
        cancel: &Cancel,
    ) -> Result<Lines, ApiError> {
        let path = path(id)
            .segment("diff")
            .file(&file.path)
            .query_if("srcPath", file.source_path.as_deref())
            .query("contextLines", 10)
            .query("withComments", false);
        let what = format!("read the diff of `{}` in {id}", file.path);
        let diff: Diff = self
            .http
            .get(Request::get(what, path).diff(), cancel)?
            .json()?;
        Ok(diff.into_lines())
    }
}

impl Page {
    fn find(self, wanted: &str) -> Found {
        let is_whole = self.is_last_page != Some(false) && (self.values.len() as u64) < MAX_CHANGES;
        let files: Vec<ChangedFile> = self.values.into_iter().map(Change::into_domain).collect();
        let by_path = files.iter().find(|file| file.path == wanted);
        let by_source = || {
            files
                .iter()
                .find(|file| file.source_path.as_deref() == Some(wanted))
        };
        match by_path.or_else(by_source) {
            Some(file) => Found::Changed(file.clone()),
            None if is_whole => {
                Found::Unchanged(files.into_iter().map(|file| file.path).take(20).collect())
            }
            None => Found::Unknown,
        }
    }
}

impl Change {
    fn into_domain(self) -> ChangedFile {
        let path = path_text(&self.path).unwrap_or_default();
        let is_other = |from: &String| *from != path;
        let source_path = path_text(&self.src_path).filter(is_other);
        ChangedFile {
            source_path,
            is_deleted: self.kind.as_deref() == Some("DELETE"),
            path,
        }
    }
}

impl Diff {
    fn into_lines(self) -> Lines {
        let is_true = |flag: Option<bool>| flag.unwrap_or(false);
        let mut found = Lines {
            is_cut: is_true(self.truncated),
            ..Lines::default()
        };
        for file in self.diffs {
            found.is_binary |= is_true(file.binary);
            found.is_cut |= is_true(file.truncated);
            for hunk in file.hunks.unwrap_or_default() {
                found.is_cut |= is_true(hunk.truncated);
                for segment in hunk.segments.unwrap_or_default() {
                    found.is_cut |= is_true(segment.truncated);
                    let kind = match segment.kind.as_deref() {
                        Some("ADDED") => LineKind::Added,
                        Some("REMOVED") => LineKind::Removed,
                        _ => LineKind::Context,
                    };
                    let number =
                        |of: Option<i64>| of.and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
                    let lines = segment.lines.unwrap_or_default();
                    found.lines.extend(
                        lines
                            .iter()
                            .map(|line| (kind, number(line.source), number(line.destination))),
                    );
                }
            }
        }
        found
    }
}

impl Lines {
    /// What kind of line a number names on a side; `None` if the diff was cut and may hold it further down. A line
    /// that a whole diff does not show is one that did not change.
    pub fn kind(&self, side: Side, number: u64) -> Option<LineKind> {
        let is_it = |(kind, old, new): &&(LineKind, u64, u64)| match side {
            // The other number of such a line is that of a neighbor.
            Side::Old => *kind != LineKind::Added && *old == number,
            Side::New => *kind != LineKind::Removed && *new == number,
        };
        match self.lines.iter().find(is_it) {
            Some((kind, ..)) => Some(*kind),
            None if !self.is_cut => Some(LineKind::Context),
            None => None,
        }
    }

    /// How many lines of a side the diff shows.
    pub fn shown(&self, side: Side) -> usize {
        let other = match side {
            Side::Old => LineKind::Added,
            Side::New => LineKind::Removed,
        };
        self.lines
            .iter()
            .filter(|(kind, ..)| *kind != other)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::{Diff, Found, LineKind, Page, Side};
    use serde_json::json;

    fn of(value: serde_json::Value) -> Diff {
        serde_json::from_value(value).expect("a diff")
    }

    #[test]
    fn a_line_is_found_by_the_number_of_its_own_side() {
        let diff = of(json!({"diffs": [{"hunks": [{"segments": [
            {"type": "CONTEXT", "lines": [{"source": 4, "destination": 6}]},
            {"type": "REMOVED", "lines": [{"source": 5, "destination": 7}]},
            {"type": "ADDED", "lines": [{"source": 5, "destination": 7}, {"source": 5, "destination": 8}]},
            {"type": "CONTEXT", "lines": [{"source": 6, "destination": 9}]},
        ]}]}]}));
        let lines = diff.into_lines();
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
    }

    #[test]
    fn a_line_that_the_diff_was_cut_before_is_unknown_on_whatever_level_it_was_cut() {
        for cut in [
            json!({"truncated": true, "diffs": []}),
            json!({"diffs": [{"truncated": true}]}),
            json!({"diffs": [{"hunks": [{"truncated": true}]}]}),
            json!({"diffs": [{"hunks": [{"segments": [{"type": "ADDED", "truncated": true}]}]}]}),
        ] {
            assert_eq!(
                of(cut.clone()).into_lines().kind(Side::New, 9),
                None,
                "{cut}"
            );
        }
        let whole = of(json!({"diffs": []})).into_lines();
        assert_eq!(whole.kind(Side::New, 9), Some(LineKind::Context));
    }

    #[test]
    fn a_file_is_found_by_where_it_is_and_by_where_it_was() {
        let page = || -> Page {
            serde_json::from_value(json!({"isLastPage": true, "values": [
                {"path": {"toString": "b.rs"}, "srcPath": {"toString": "a.rs"}, "type": "MOVE"},
                {"path": "c.rs", "type": "DELETE"},
            ]}))
            .expect("a page")
        };
        for wanted in ["a.rs", "b.rs"] {
            let Found::Changed(file) = page().find(wanted) else {
                panic!("{wanted} is changed");
            };
            assert_eq!(file.path, "b.rs");
            assert_eq!(file.source_path.as_deref(), Some("a.rs"));
        }
        assert!(matches!(page().find("c.rs"), Found::Changed(file) if file.is_deleted));
        assert_eq!(
            page().find("d.rs"),
            Found::Unchanged(vec!["b.rs".to_owned(), "c.rs".to_owned()])
        );
    }
}
