//! Repositories: finding them, and what one is like.
//!
//! Never lists what is in one, and never one that does not say where it is. Start reading at
//! [`Bitbucket::repositories`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::{BaseUrl, Path};
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire;
use crate::cancel::Cancel;
use crate::domain::reference::Reference;
use crate::domain::repository::{Repository, RepositoryId};

impl Bitbucket {
    /// Finds repositories whose name holds `name`, in all projects: all that this user may read, in Bitbucket's order.
    ///
    /// # Errors
    /// Whatever keeps the list from being read.
    ///
    /// Source: `GET /rest/api/latest/repos`
    pub fn repositories(
        &self,
        name: Option<&str>,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Repository>, ApiError> {
        let path = Path::api().segment("repos").query_if("name", name);
        let request = Request::get("search the repositories", path);
        let listing: Listing<wire::Repository> =
            listing::read_each(&self.http, &request, ask, cancel)?;
        Ok(listing.filter_map(|wire| wire.into_domain(self.base())))
    }

    /// Reads a project's repositories whose name or slug holds `name`, or all: all that this user may read, in
    /// Bitbucket's order. Names are looked at here, since the project's listing cannot be asked for some; the search
    /// across projects can, and knows projects only since 8.0.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if there is no such project or this user may not see it.
    ///
    /// Source: `GET /rest/api/latest/projects/{key}/repos`
    pub fn repositories_of(
        &self,
        project: &str,
        name: Option<&str>,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Repository>, ApiError> {
        let path = Path::api()
            .segment("projects")
            .segment(project)
            .segment("repos");
        let request = Request::get(format!("list the repositories of {project}"), path);
        let listing: Listing<wire::Repository> = match name.map(str::to_lowercase) {
            None => listing::read_each(&self.http, &request, ask, cancel)?,
            Some(part) => {
                let holds = |text: &Option<String>| {
                    text.as_ref()
                        .is_some_and(|text| text.to_lowercase().contains(&part))
                };
                let is_wanted = |one: &wire::Repository| holds(&one.name) || holds(&one.slug);
                listing::read_kept(&self.http, &request, ask, cancel, is_wanted)?
            }
        };
        Ok(listing.filter_map(|wire| wire.into_domain(self.base())))
    }

    /// Reads the repositories of the same family as `id`, its forks and what it was forked from, itself left out:
    /// all that this user may read, in Bitbucket's order.
    ///
    /// # Errors
    /// As [`Self::repository`].
    ///
    /// Source: `GET …/related`
    pub fn related_repositories(
        &self,
        id: &RepositoryId,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Repository>, ApiError> {
        let path = Path::repository(&id.project, &id.slug).segment("related");
        let request = Request::get(format!("list the forks of {id}"), path);
        let listing: Listing<wire::Repository> =
            listing::read_each(&self.http, &request, ask, cancel)?;
        Ok(listing.filter_map(|wire| wire.into_domain(self.base())))
    }

    /// Reads one repository.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if there is none or this user may not see it.
    ///
    /// Source: `GET /rest/api/latest/projects/{key}/repos/{slug}`
    pub fn repository(&self, id: &RepositoryId, cancel: &Cancel) -> Result<Repository, ApiError> {
        let request = Request::get(
            format!("read repository {id}"),
            Path::repository(&id.project, &id.slug),
        );
        let answer = self.http.get(request, cancel)?;
        let wire: wire::Repository = answer.json()?;
        if wire.slug.is_none() && wire.name.is_none() {
            return Err(answer.lacking("slug"));
        }
        let repository = wire.asked_for(id, self.base());
        self.learn_number(id, repository.number);
        Ok(repository)
    }

    /// Reads which branch is a repository's default; `None` where there is none yet.
    ///
    /// # Errors
    /// Whatever else keeps it from being read.
    ///
    /// Source: `GET …/default-branch`, which older servers answer with 404 before the first push.
    pub fn default_branch(
        &self,
        id: &RepositoryId,
        cancel: &Cancel,
    ) -> Result<Option<Reference>, ApiError> {
        let path = Path::repository(&id.project, &id.slug).segment("default-branch");
        let request = Request::get(format!("read the default branch of {id}"), path);
        let answer = match self.http.get(request, cancel) {
            Ok(answer) if answer.bytes().is_empty() => return Ok(None),
            Ok(answer) => answer,
            Err(error) if error.fault() == Fault::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        super::refs::named(&answer, true).map(Some)
    }
}

impl wire::Repository {
    /// A repository that does not say where it is cannot be named, so there is none.
    fn into_domain(self, base: &BaseUrl) -> Option<Repository> {
        let id = self.id()?;
        Some(self.asked_for(&id, base))
    }

    /// The repository at a place, which the answer's own spelling of it replaces. A page on another host is none of
    /// Bitbucket's.
    fn asked_for(self, asked: &RepositoryId, base: &BaseUrl) -> Repository {
        Repository {
            id: self.id().unwrap_or_else(|| asked.clone()),
            number: self.number.0.unwrap_or(0),
            hierarchy: self.hierarchy,
            name: self.name.unwrap_or_default(),
            project_name: self
                .project
                .and_then(|project| project.name)
                .unwrap_or_default(),
            description: self.description.unwrap_or_default(),
            is_archived: self.archived.unwrap_or(false),
            is_public: self.public.unwrap_or(false),
            fork_of: self.origin.as_ref().and_then(|origin| origin.id()),
            clone_links: self
                .links
                .as_ref()
                .map(wire::Links::clone_links)
                .unwrap_or_default(),
            page: self
                .links
                .and_then(wire::Links::page)
                .filter(|page| base.has(page)),
        }
    }
}
