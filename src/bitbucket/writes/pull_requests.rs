//! Pull requests: created, changed, declined, opened again.
//!
//! Never leaves out of a change what would be lost with it. Start reading at
//! [`Bitbucket::create_pull_request`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::pull_requests::{Wire, path};
use crate::cancel::Cancel;
use crate::domain::pull_request::PullRequest;
use crate::domain::repository::{PullRequestId, RepositoryId};
use serde::Serialize;

/// A pull request that is not there yet.
#[derive(Clone, Debug)]
pub struct NewPullRequest<'a> {
    /// One line.
    pub title: &'a str,
    /// Markdown.
    pub description: Option<&'a str>,
    /// Where the source branch is.
    pub source_repository: &'a RepositoryId,
    /// The full name of a branch or tag there.
    pub source: &'a str,
    /// Where it would be merged.
    pub repository: &'a RepositoryId,
    /// The full name of a branch there.
    pub target: &'a str,
    /// Whom to ask, by name.
    pub reviewers: &'a [&'a str],
    /// Whether it is a draft; Bitbucket before 8.18 has none and ignores it.
    pub is_draft: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreateBody<'a> {
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<bool>,
    from_ref: RefBody<'a>,
    to_ref: RefBody<'a>,
    reviewers: Vec<ReviewerBody<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UpdateBody<'a> {
    version: i64,
    title: &'a str,
    /// Empty clears it. Whether a server keeps or clears what is left out is not known, so it never is.
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<bool>,
    to_ref: RefBody<'a>,
    reviewers: Vec<ReviewerBody<'a>>,
}

#[derive(Serialize)]
struct RefBody<'a> {
    id: &'a str,
    repository: RepositoryBody<'a>,
}

#[derive(Serialize)]
struct RepositoryBody<'a> {
    slug: &'a str,
    project: ProjectBody<'a>,
}

#[derive(Serialize)]
struct ProjectBody<'a> {
    key: &'a str,
}

#[derive(Serialize)]
struct ReviewerBody<'a> {
    user: UserBody<'a>,
}

#[derive(Serialize)]
struct UserBody<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct VersionBody<'a> {
    version: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'a str>,
}

impl Bitbucket {
    /// Creates a pull request. Default reviewers are not added: Bitbucket leaves that to its form.
    ///
    /// # Errors
    /// A conflict if one is open for the same branches, nothing is to be merged, a reviewer cannot be one, or the
    /// repository is archived.
    ///
    /// Source: `POST …/pull-requests`, on the target repository
    pub fn create_pull_request(
        &self,
        new: &NewPullRequest,
        cancel: &Cancel,
    ) -> Result<PullRequest, ApiError> {
        let at = new.repository;
        let body = CreateBody {
            title: new.title,
            description: new.description,
            draft: Some(true).filter(|_| new.is_draft),
            from_ref: reference(new.source, new.source_repository),
            to_ref: reference(new.target, at),
            reviewers: reviewers(new.reviewers),
        };
        let request = Request::post(
            format!("create a pull request in {at}"),
            Path::repository(&at.project, &at.slug).segment("pull-requests"),
        );
        let look_at = self
            .base()
            .pull_requests_page(&at.project, &at.slug, "OPEN");
        let wire: Wire = self.write(request.json(&body), "id", look_at, cancel)?;
        let made = self.pull_request_of(wire, None);
        Ok(match made.id.repository.project.is_empty() {
            true => PullRequest {
                id: PullRequestId {
                    repository: at.clone(),
                    number: made.id.number,
                },
                ..made
            },
            false => made,
        })
    }

    /// Writes title, description, target, reviewers and, where `draft` says so, whether it is one: all as in
    /// `wanted`, over the version there. What is left out of such a write is lost, so nothing is.
    ///
    /// # Errors
    /// A conflict if the version moved on, a reviewer cannot be one, or it is not open.
    ///
    /// Source: `PUT …/pull-requests/{id}`
    pub fn update_pull_request(
        &self,
        wanted: &PullRequest,
        reviewer_names: &[&str],
        draft: Option<bool>,
        cancel: &Cancel,
    ) -> Result<PullRequest, ApiError> {
        let id = &wanted.id;
        let body = UpdateBody {
            version: wanted.version.unwrap_or(-1),
            title: &wanted.title,
            description: &wanted.description,
            draft,
            to_ref: reference(&wanted.target.id, &id.repository),
            reviewers: reviewers(reviewer_names),
        };
        let request = Request::put(format!("update {id}"), path(id)).json(&body);
        let wire: Wire = self.write(request, "id", self.page_of(id), cancel)?;
        Ok(self.pull_request_of(wire, Some(id)))
    }

    /// Declines a pull request, with a comment that says why if there is one.
    ///
    /// # Errors
    /// A conflict if the version moved on or it is not open.
    ///
    /// Source: `POST …/pull-requests/{id}/decline`
    pub fn decline(
        &self,
        id: &PullRequestId,
        version: i64,
        comment: Option<&str>,
        cancel: &Cancel,
    ) -> Result<PullRequest, ApiError> {
        let what = format!("decline {id}");
        self.turn(
            id,
            what,
            "decline",
            VersionBody { version, comment },
            cancel,
        )
    }

    /// Opens a declined pull request again. Bitbucket takes no comment with that.
    ///
    /// # Errors
    /// A conflict if the version moved on, it is not declined, or another is open for the same branches.
    ///
    /// Source: `POST …/pull-requests/{id}/reopen`
    pub fn reopen(
        &self,
        id: &PullRequestId,
        version: i64,
        cancel: &Cancel,
    ) -> Result<PullRequest, ApiError> {
        let body = VersionBody {
            version,
            comment: None,
        };
        self.turn(id, format!("reopen {id}"), "reopen", body, cancel)
    }

    fn turn(
        &self,
        id: &PullRequestId,
        what: String,
        verb: &str,
        body: VersionBody,
        cancel: &Cancel,
    ) -> Result<PullRequest, ApiError> {
        // Old servers read the version of the query, newer ones that of the body.
        let path = path(id).segment(verb).query("version", body.version);
        let request = Request::post(what, path).json(&body);
        let wire: Wire = self.write(request, "id", self.page_of(id), cancel)?;
        Ok(self.pull_request_of(wire, Some(id)))
    }
}

fn reference<'a>(id: &'a str, at: &'a RepositoryId) -> RefBody<'a> {
    RefBody {
        id,
        repository: RepositoryBody {
            slug: &at.slug,
            project: ProjectBody { key: &at.project },
        },
    }
}

fn reviewers<'a>(names: &[&'a str]) -> Vec<ReviewerBody<'a>> {
    names
        .iter()
        .map(|name| ReviewerBody {
            user: UserBody { name },
        })
        .collect()
}
