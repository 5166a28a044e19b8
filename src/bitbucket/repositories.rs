//! Repositories: finding them.

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire;
use crate::cancel::Cancel;
use crate::domain::repository::Repository;

impl Bitbucket {
    /// Finds repositories whose name holds `name`, in the projects whose name holds `project`: all that this user
    /// may read, in Bitbucket's order.
    ///
    /// # Errors
    /// Whatever keeps the list from being read.
    ///
    /// Source: `GET /rest/api/latest/repos`
    pub fn repositories(
        &self,
        name: Option<&str>,
        project: Option<&str>,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Repository>, ApiError> {
        let path = Path::api()
            .segment("repos")
            .query_if("name", name)
            .query_if("projectkey", project);
        let request = Request::get("search the repositories", path);
        let listing: Listing<wire::Repository> = listing::read(&self.http, &request, ask, cancel)?;
        Ok(listing.filter_map(|wire| wire.into_domain()))
    }
}

impl wire::Repository {
    /// A repository that does not say where it is cannot be named, so there is none.
    fn into_domain(self) -> Option<Repository> {
        Some(Repository {
            id: self.id()?,
            name: self.name.unwrap_or_default(),
            project_name: self
                .project
                .and_then(|project| project.name)
                .unwrap_or_default(),
            description: self.description.unwrap_or_default(),
            is_archived: self.archived.unwrap_or(false),
            is_public: self.public.unwrap_or(false),
            fork_of: self.origin.as_ref().and_then(|origin| origin.id()),
            page: self.links.and_then(wire::Links::page),
        })
    }
}
