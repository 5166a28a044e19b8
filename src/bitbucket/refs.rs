//! Branches and tags: listing, looking up, creating.
//!
//! Never moves or deletes one. Start reading at [`Bitbucket::branches`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::{Answer, Request};
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::cancel::Cancel;
use crate::domain::reference::Reference;
use crate::domain::repository::RepositoryId;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Wire {
    id: Option<String>,
    display_id: Option<String>,
    latest_commit: Option<String>,
    is_default: Option<bool>,
    hash: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct New<'a> {
    name: &'a str,
    start_point: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

impl Bitbucket {
    /// Reads the branches whose name holds `filter`, or all, in Bitbucket's order; one of exactly that name first
    /// where Bitbucket can do that.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if there is no such repository or this user may not see it.
    ///
    /// Source: `GET /rest/api/latest/projects/{key}/repos/{slug}/branches`
    pub fn branches(
        &self,
        repository: &RepositoryId,
        filter: Option<&str>,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Reference>, ApiError> {
        let path = path(repository, "branches")
            .query_if("filterText", filter)
            .query_if("boostMatches", filter.map(|_| true));
        let request = Request::get(format!("list the branches of {repository}"), path);
        let listing: Listing<Wire> = listing::read_each(&self.http, &request, ask, cancel)?;
        Ok(listing.map(|wire| wire.into_domain(false)))
    }

    /// Reads the tags whose name holds `filter`, or all, in Bitbucket's order.
    ///
    /// # Errors
    /// As [`Self::branches`].
    ///
    /// Source: `GET …/tags`
    pub fn tags(
        &self,
        repository: &RepositoryId,
        filter: Option<&str>,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Reference>, ApiError> {
        let path = path(repository, "tags").query_if("filterText", filter);
        let request = Request::get(format!("list the tags of {repository}"), path);
        let listing: Listing<Wire> = listing::read_each(&self.http, &request, ask, cancel)?;
        Ok(listing.map(|wire| wire.into_domain(false)))
    }

    /// Reads one tag by its short name; `None` if there is none.
    ///
    /// # Errors
    /// Whatever else keeps it from being read.
    ///
    /// Source: `GET …/tags/{name}`
    pub fn tag(
        &self,
        repository: &RepositoryId,
        name: &str,
        cancel: &Cancel,
    ) -> Result<Option<Reference>, ApiError> {
        let request = Request::get(
            format!("read tag `{name}` of {repository}"),
            path(repository, "tags").file(name),
        );
        match self.http.get(request, cancel) {
            Ok(answer) => named(&answer, false).map(Some),
            Err(error) if error.fault() == Fault::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates a branch `name` at a branch, tag or commit.
    ///
    /// # Errors
    /// [`Fault::Conflict`] if there is one of that name, [`Fault::NotFound`] if there is no such start.
    ///
    /// Source: `POST …/branches`
    pub fn create_branch(
        &self,
        repository: &RepositoryId,
        name: &str,
        start_point: &str,
        cancel: &Cancel,
    ) -> Result<Reference, ApiError> {
        let body = New {
            name,
            start_point,
            message: None,
        };
        let page = self
            .base()
            .branches_page(&repository.project, &repository.slug);
        let request = Request::post(
            format!("create branch `{name}` in {repository}"),
            path(repository, "branches"),
        );
        self.create(request.json(&body), page, cancel)
    }

    /// Creates a tag `name` at a branch, tag or commit: an annotated one if there is a `message`.
    ///
    /// # Errors
    /// As [`Self::create_branch`].
    ///
    /// Source: `POST …/tags`
    pub fn create_tag(
        &self,
        repository: &RepositoryId,
        name: &str,
        start_point: &str,
        message: Option<&str>,
        cancel: &Cancel,
    ) -> Result<Reference, ApiError> {
        let body = New {
            name,
            start_point,
            message,
        };
        let page = self
            .base()
            .repository_page(&repository.project, &repository.slug);
        let request = Request::post(
            format!("create tag `{name}` in {repository}"),
            path(repository, "tags"),
        );
        let look_at = format!("the tags of {page}");
        self.create(request.json(&body), look_at, cancel)
    }

    fn create(
        &self,
        request: Request,
        look_at: String,
        cancel: &Cancel,
    ) -> Result<Reference, ApiError> {
        let answer = self.http.send(request.look_at(look_at.clone()), cancel)?;
        // It was done: an answer that says nothing of it is no reason to say otherwise.
        match answer.bytes() {
            [] => Ok(Wire::default().into_domain(false)),
            _ => named(&answer, false).map_err(|error| error.unsettled(Some(look_at))),
        }
    }
}

/// The one branch or tag that an answer tells.
pub(super) fn named(answer: &Answer, is_default: bool) -> Result<Reference, ApiError> {
    let wire: Wire = answer.json()?;
    match wire.id.as_deref().or(wire.display_id.as_deref()) {
        None | Some("") => Err(answer.lacking("id")),
        Some(_) => Ok(wire.into_domain(is_default)),
    }
}

fn path(repository: &RepositoryId, what: &str) -> Path {
    Path::repository(&repository.project, &repository.slug).segment(what)
}

impl Wire {
    fn into_domain(self, is_default: bool) -> Reference {
        let id = self.id.unwrap_or_default();
        let short = ["refs/heads/", "refs/tags/"]
            .iter()
            .find_map(|prefix| id.strip_prefix(prefix));
        Reference {
            display_id: self
                .display_id
                .unwrap_or_else(|| short.unwrap_or(&id).to_owned()),
            latest_commit: self.latest_commit.unwrap_or_default(),
            is_default: self.is_default.unwrap_or(is_default),
            tag_object: self.hash,
            id,
        }
    }
}
