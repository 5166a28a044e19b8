//! What a person says of somebody's pull request.
//!
//! Never says it for anybody but whoever asks. Start reading at [`Bitbucket::review`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::Ask;
use crate::bitbucket::pull_requests::{Participant, path};
use crate::cancel::Cancel;
use crate::domain::pull_request::{PullRequest, ReviewStatus, Reviewer};
use crate::domain::repository::PullRequestId;
use serde::Serialize;

/// People whose names resemble one: more than are asked for at once.
const ALIKE: usize = 100;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_reviewed_commit: Option<&'a str>,
}

impl Bitbucket {
    /// Says what the user whose path name is `slug`, who must be the one who asks, thinks of the source commit `seen`.
    ///
    /// # Errors
    /// A conflict if the source moved on from `seen`, or the pull request is not open; [`crate::bitbucket::error::Why::BadRequest`]
    /// for its author.
    ///
    /// Source: `PUT …/pull-requests/{id}/participants/{slug}`
    pub fn review(
        &self,
        id: &PullRequestId,
        slug: &str,
        status: &ReviewStatus,
        seen: &str,
        cancel: &Cancel,
    ) -> Result<Reviewer, ApiError> {
        let body = Body {
            status: status.word(),
            last_reviewed_commit: Some(seen).filter(|commit| !commit.is_empty()),
        };
        let path = path(id).segment("participants").segment(slug);
        let request = Request::put(format!("review {id}"), path).json(&body);
        let wire: Participant = self.write(request, "status", self.page_of(id), cancel)?;
        Ok(wire.into_domain())
    }

    /// What a path calls the user of this `name`: as the pull request tells it, else as the people do. A name
    /// and a slug differ where the name has signs that no path has.
    ///
    /// # Errors
    /// Whatever keeps the people from being read.
    pub fn slug_of(
        &self,
        name: &str,
        one: &PullRequest,
        cancel: &Cancel,
    ) -> Result<String, ApiError> {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        let there = one.reviewers.iter().chain(&one.participants);
        let slug = there
            .filter(|of| is_it(&of.person.name))
            .find_map(|of| of.person.slug.clone());
        if let Some(slug) = slug {
            return Ok(slug);
        }
        let found = self.people(name, None, Ask::first(ALIKE), cancel)?;
        let slug = found
            .values
            .into_iter()
            .filter(|person| is_it(&person.name))
            .find_map(|person| person.slug);
        Ok(slug.unwrap_or_else(|| name.to_owned()))
    }
}
