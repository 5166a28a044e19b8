//! What changes something: pull requests, their comments, reviews and merges, builds.
//!
//! Never reads a version by itself and never sends anything twice: a caller says what it saw, and a conflict comes
//! back as Bitbucket tells it. Start reading at [`Bitbucket::create_pull_request`].

pub mod builds;
pub mod comments;
pub mod lines;
pub mod merging;
pub mod pull_requests;
pub mod reviews;

use crate::bitbucket::Bitbucket;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::cancel::Cancel;
use crate::domain::repository::PullRequestId;
use serde::de::DeserializeOwned;
use serde_json::Value;

impl Bitbucket {
    /// Where a person sees a pull request.
    pub fn page_of(&self, id: &PullRequestId) -> String {
        let at = &id.repository;
        self.base()
            .pull_request_page(&at.project, &at.slug, id.number)
    }

    /// Sends a write and reads what it gave. Bitbucket said yes by then, so an answer that cannot be understood is
    /// told as a write that may have happened.
    fn write<T: DeserializeOwned>(
        &self,
        request: Request,
        look_at: String,
        cancel: &Cancel,
    ) -> Result<T, ApiError> {
        let answer = self.http.send(request.look_at(look_at.clone()), cancel)?;
        answer
            .json()
            .map_err(|error| error.unsettled(Some(look_at)))
    }

    /// The same of a write whose answer may be empty: it was done, and nothing more is said of it.
    pub(super) fn write_perhaps_told<T: DeserializeOwned>(
        &self,
        request: Request,
        look_at: String,
        cancel: &Cancel,
    ) -> Result<Option<T>, ApiError> {
        let answer = self.http.send(request.look_at(look_at.clone()), cancel)?;
        match answer.bytes() {
            [] => Ok(None),
            _ => answer
                .json()
                .map(Some)
                .map_err(|error| error.unsettled(Some(look_at))),
        }
    }

    /// Sends a write whose answer says nothing.
    fn write_only(
        &self,
        request: Request,
        look_at: String,
        cancel: &Cancel,
    ) -> Result<(), ApiError> {
        self.http.send(request.look_at(look_at), cancel).map(drop)
    }
}

/// A file's path, which Bitbucket writes as an object in one place and as text in another.
fn path_text(path: &Value) -> Option<String> {
    let text = path.as_str().or_else(|| path.get("toString")?.as_str());
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}
