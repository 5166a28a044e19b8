//! Comments and tasks: written, changed, resolved.
//!
//! Never reads a whole list of them: `bitbucket/comments.rs` does. Start reading at [`Bitbucket::comment`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::pull_requests::path;
use crate::bitbucket::wire::Whole;
use crate::bitbucket::writes::lines::{LineKind, Side};
use crate::bitbucket::writes::path_text;
use crate::cancel::Cancel;
use crate::domain::repository::PullRequestId;
use serde::{Deserialize, Serialize};

/// A comment that is not there yet.
#[derive(Clone, Debug, Default)]
pub struct NewComment<'a> {
    /// Markdown.
    pub text: &'a str,
    /// The comment that it answers.
    pub parent: Option<u64>,
    /// Whether it is a task.
    pub is_task: bool,
    /// Where it stands; on the pull request as a whole without it.
    pub place: Option<Place>,
}

/// A file of a pull request, or lines of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where the file is.
    pub path: String,
    /// Where it was, if that is another path.
    pub source_path: Option<String>,
    /// The line; the whole file without it.
    pub line: Option<Spot>,
    /// The first of several lines, of which [`Self::line`] is the last; on the same side.
    pub first: Option<Spot>,
}

/// A line of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// From 1, on that side.
    pub line: u64,
    /// The side.
    pub side: Side,
    /// Where the line exists.
    pub kind: LineKind,
}

/// What is changed of a comment; what is `None` stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct CommentChange<'a> {
    /// The whole text.
    pub text: Option<&'a str>,
    /// Whether a task is done.
    pub is_task_resolved: Option<bool>,
    /// Whether a thread is resolved; Bitbucket before 8.9 ignores it.
    pub is_thread_resolved: Option<bool>,
}

/// A comment as a write of it needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its number.
    pub id: u64,
    /// Grows with each change.
    pub version: Option<i64>,
    /// Markdown.
    pub text: String,
    /// Whether it is a task.
    pub is_task: bool,
    /// Bitbucket's word for how the task stands.
    pub state: String,
    /// Whether its thread is resolved; `None` where Bitbucket does not say.
    pub is_thread_resolved: Option<bool>,
    /// The file it stands on, if it stands on one.
    pub path: Option<String>,
    /// The line, if it stands on one.
    pub line: Option<u64>,
    /// Whether Bitbucket found no place for it in the diff.
    pub is_outdated: bool,
}

#[derive(Serialize)]
struct NewBody<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<ParentBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<AnchorBody<'a>>,
}

#[derive(Serialize)]
struct ParentBody {
    id: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AnchorBody<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    src_path: Option<&'a str>,
    diff_type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    multiline_marker: Option<MarkerBody<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MarkerBody<'a> {
    start_line: u64,
    start_line_type: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangeBody<'a> {
    version: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_resolved: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Wire {
    id: Whole,
    version: Whole,
    text: Option<String>,
    severity: Option<String>,
    state: Option<String>,
    thread_resolved: Option<bool>,
    anchor: Option<WireAnchor>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireAnchor {
    path: serde_json::Value,
    line: Whole,
    orphaned: Option<bool>,
}

impl Bitbucket {
    /// Reads one comment of a pull request, a reply or not.
    ///
    /// # Errors
    /// [`crate::bitbucket::error::Why::NotFound`] if this pull request has none of that number.
    ///
    /// Source: `GET …/pull-requests/{id}/comments/{comment}`
    pub fn comment(
        &self,
        id: &PullRequestId,
        comment: u64,
        cancel: &Cancel,
    ) -> Result<Written, ApiError> {
        let path = path(id).segment("comments").segment(&comment.to_string());
        let request = Request::get(format!("read comment {comment} of {id}"), path);
        let answer = self.http.get(request, cancel)?;
        let wire: Wire = answer.json()?;
        match wire.id.0 {
            Some(_) => Ok(wire.into_domain()),
            None => Err(answer.lacking("id")),
        }
    }

    /// Writes a comment.
    ///
    /// # Errors
    /// Whatever keeps it from being written: no such parent, no such line.
    ///
    /// Source: `POST …/pull-requests/{id}/comments`
    pub fn add_comment(
        &self,
        id: &PullRequestId,
        new: &NewComment,
        cancel: &Cancel,
    ) -> Result<Written, ApiError> {
        let body = NewBody {
            text: new.text,
            parent: new.parent.map(|id| ParentBody { id }),
            severity: Some("BLOCKER").filter(|_| new.is_task),
            anchor: new.place.as_ref().map(anchor),
        };
        let request =
            Request::post(format!("comment on {id}"), path(id).segment("comments")).json(&body);
        let wire: Wire = self.write(request, "id", self.page_of(id), cancel)?;
        Ok(wire.into_domain())
    }

    /// Changes a comment at the version that was seen.
    ///
    /// # Errors
    /// A conflict if the version moved on; not allowed if the text is somebody else's.
    ///
    /// Source: `PUT …/pull-requests/{id}/comments/{comment}`
    pub fn update_comment(
        &self,
        id: &PullRequestId,
        comment: u64,
        version: i64,
        change: CommentChange,
        cancel: &Cancel,
    ) -> Result<Written, ApiError> {
        let body = ChangeBody {
            version,
            text: change.text,
            state: change
                .is_task_resolved
                .map(|is_resolved| if is_resolved { "RESOLVED" } else { "OPEN" }),
            thread_resolved: change.is_thread_resolved,
        };
        let path = path(id).segment("comments").segment(&comment.to_string());
        let request = Request::put(format!("update comment {comment} of {id}"), path).json(&body);
        let wire: Wire = self.write(request, "id", self.page_of(id), cancel)?;
        Ok(wire.into_domain())
    }
}

fn anchor(place: &Place) -> AnchorBody<'_> {
    AnchorBody {
        path: &place.path,
        src_path: place.source_path.as_deref(),
        diff_type: "EFFECTIVE",
        line: place.line.map(|spot| spot.line),
        line_type: place.line.map(|spot| line_type(spot.kind)),
        file_type: place.line.map(|spot| file_type(spot.side)),
        multiline_marker: place.first.map(|spot| MarkerBody {
            start_line: spot.line,
            start_line_type: line_type(spot.kind),
        }),
    }
}

/// Bitbucket's word for a side.
fn file_type(side: Side) -> &'static str {
    match side {
        Side::Old => "FROM",
        Side::New => "TO",
    }
}

/// Bitbucket's word for where a line exists.
fn line_type(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Context => "CONTEXT",
        LineKind::Added => "ADDED",
        LineKind::Removed => "REMOVED",
    }
}

impl Wire {
    fn into_domain(self) -> Written {
        let anchor = self.anchor.unwrap_or_default();
        Written {
            id: self.id.0.unwrap_or(0),
            version: self.version.version(),
            text: self.text.unwrap_or_default(),
            is_task: self.severity.as_deref() == Some("BLOCKER"),
            state: self.state.unwrap_or_default(),
            is_thread_resolved: self.thread_resolved,
            path: path_text(&anchor.path),
            line: anchor.line.0,
            is_outdated: anchor.orphaned.unwrap_or(false),
        }
    }
}
