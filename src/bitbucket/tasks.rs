//! Tasks: comments with a box to tick.

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::pull_requests::AVATAR_PX;
use crate::bitbucket::wire::User;
use crate::cancel::Cancel;
use crate::domain::repository::PullRequestId;
use crate::domain::task::Task;
use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Wire {
    id: Option<u64>,
    text: Option<String>,
    author: Option<User>,
}

impl Bitbucket {
    /// Lists the open tasks of a pull request, in Bitbucket's order.
    ///
    /// # Errors
    /// Whatever keeps the list from being read.
    ///
    /// Source: `GET …/pull-requests/{id}/blocker-comments?states=OPEN`
    pub fn open_tasks(
        &self,
        id: &PullRequestId,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Task>, ApiError> {
        let path = Path::pull_request(&id.repository.project, &id.repository.slug, id.number)
            .segment("blocker-comments")
            .query("states", "OPEN")
            .query("avatarSize", AVATAR_PX);
        let request = Request::get(format!("list the open tasks of {id}"), path);
        let listing: Listing<Wire> = listing::read(&self.http, &request, ask, cancel)?;
        Ok(listing.map(|wire| Task {
            id: wire.id.unwrap_or(0),
            text: wire.text.unwrap_or_default(),
            author: wire.author.map(Into::into),
        }))
    }
}
