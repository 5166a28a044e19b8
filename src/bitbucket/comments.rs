//! Comments and tasks, as threads.
//!
//! Never writes one: `writes/comments.rs` does. Start reading at [`Bitbucket::tasks`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::diffs::line_kind;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire::{Each, FilePath, Moment, User, Whole, picked};
use crate::cancel::Cancel;
use crate::domain::comment::{Anchor, Comment, Permitted, TaskState, Thread};
use crate::domain::repository::PullRequestId;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct WireComment {
    id: Whole,
    version: Whole,
    text: Option<String>,
    author: Option<User>,
    created_date: Moment,
    updated_date: Moment,
    severity: Option<String>,
    state: Option<String>,
    resolver: Option<User>,
    resolved_date: Moment,
    thread_resolved: Option<bool>,
    thread_resolver: Option<User>,
    thread_resolved_date: Moment,
    permitted_operations: Option<WirePermitted>,
    anchor: Option<WireAnchor>,
    comments: Option<Vec<WireComment>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WirePermitted {
    editable: Option<bool>,
    transitionable: Option<bool>,
    deletable: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct WireAnchor {
    path: Option<FilePath>,
    src_path: Option<FilePath>,
    line: Whole,
    line_type: Option<String>,
    file_type: Option<String>,
    diff_type: Option<String>,
    to_hash: Option<String>,
    orphaned: Option<bool>,
    multiline_marker: Option<Multiline>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Multiline {
    start_line: Whole,
}

impl Bitbucket {
    /// Reads the tasks of a pull request with their replies, in Bitbucket's order. `state` is Bitbucket's word,
    /// `OPEN` or `RESOLVED`; without it all are read. `avatar_px` is the size of pictures of people; none without it.
    ///
    /// # Errors
    /// Whatever keeps the list from being read.
    ///
    /// Source: `GET …/pull-requests/{id}/blocker-comments`
    pub fn tasks(
        &self,
        id: &PullRequestId,
        state: Option<&str>,
        ask: Ask,
        avatar_px: Option<u32>,
        cancel: &Cancel,
    ) -> Result<Listing<Thread>, ApiError> {
        let path = Path::pull_request(&id.repository.project, &id.repository.slug, id.number)
            .segment("blocker-comments")
            .query_if("states", state)
            .query_if("avatarSize", avatar_px);
        let request = Request::get(format!("list the tasks of {id}"), path);
        let listing: Listing<Each<WireComment>> = listing::read(&self.http, &request, ask, cancel)?;
        Ok(listing.map(|each| {
            let wire = match each {
                Each::Understood(wire) => wire,
                Each::Strange(members) => WireComment::picked(&members),
            };
            wire.into_thread(None, None)
        }))
    }
}

impl WireComment {
    /// What can be told of a comment that holds something else than what is known.
    fn picked(members: &Map<String, Value>) -> Self {
        Self {
            id: picked(members, "id").unwrap_or_default(),
            text: picked(members, "text"),
            author: picked(members, "author"),
            created_date: picked(members, "createdDate").unwrap_or_default(),
            severity: picked(members, "severity"),
            state: picked(members, "state"),
            ..Self::default()
        }
    }

    fn into_domain(self) -> Comment {
        self.split().0
    }

    /// As a thread; an anchor or excerpt that came beside the comment goes before its own.
    pub(super) fn into_thread(
        self,
        anchor: Option<WireAnchor>,
        excerpt: Option<super::diffs::WireFile>,
    ) -> Thread {
        let (root, own) = self.split();
        Thread {
            root,
            anchor: anchor.or(own).and_then(WireAnchor::into_domain),
            excerpt: excerpt.map(super::diffs::WireFile::into_domain),
        }
    }

    fn split(self) -> (Comment, Option<WireAnchor>) {
        let state = self.state.unwrap_or_default();
        let may = self.permitted_operations.unwrap_or_default();
        let is_task = self.severity.as_deref() == Some("BLOCKER");
        let comment = Comment {
            id: self.id.0.unwrap_or(0),
            version: self.version.version(),
            text: self.text.unwrap_or_default(),
            author: self.author.map(Into::into),
            created: self.created_date.0,
            updated: self.updated_date.0,
            task: is_task.then(|| TaskState::read(&state)),
            is_pending: state == "PENDING",
            is_thread_resolved: self.thread_resolved,
            resolver: self.resolver.or(self.thread_resolver).map(Into::into),
            resolved: self.resolved_date.0.or(self.thread_resolved_date.0),
            may: Permitted {
                edit: may.editable.unwrap_or(false),
                transition: may.transitionable.unwrap_or(false),
                delete: may.deletable.unwrap_or(false),
            },
            replies: self
                .comments
                .unwrap_or_default()
                .into_iter()
                .map(Self::into_domain)
                .collect(),
        };
        (comment, self.anchor)
    }
}

impl WireAnchor {
    /// `None` for an anchor that names no file: then it anchors nothing.
    fn into_domain(self) -> Option<Anchor> {
        let path = self.path.and_then(FilePath::text)?;
        let source_path = self
            .src_path
            .and_then(FilePath::text)
            .filter(|from| *from != path);
        let is_whole = matches!(self.diff_type.as_deref(), None | Some("EFFECTIVE"));
        Some(Anchor {
            path,
            source_path,
            line: self.line.line(),
            side: Anchor::side_of(
                self.file_type.as_deref(),
                line_kind(self.line_type.as_deref()),
            ),
            first_line: self.multiline_marker.and_then(|of| of.start_line.line()),
            is_outdated: self.orphaned.unwrap_or(false),
            commit: self.to_hash.filter(|_| !is_whole),
        })
    }
}
