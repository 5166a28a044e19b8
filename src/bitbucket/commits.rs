//! Commits: one, and those of a repository, of a pull request, between two refs.
//!
//! Never reads what a commit changes: `diffs.rs` does. Start reading at [`Bitbucket::commits`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire::{Each, Moment, User};
use crate::cancel::Cancel;
use crate::domain::commit::Commit;
use crate::domain::repository::{PullRequestId, RepositoryId};
use serde::Deserialize;

/// Which commits of a repository are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range<'a> {
    /// The commit, branch or tag to go back from; the default branch if absent.
    pub until: Option<&'a str>,
    /// Where to stop: this and whatever it follows is left out.
    pub since: Option<&'a str>,
    /// Only commits that change this file, or something in this folder.
    pub path: Option<&'a str>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Wire {
    id: Option<String>,
    author: Option<User>,
    author_timestamp: Moment,
    committer: Option<User>,
    committer_timestamp: Moment,
    message: Option<String>,
    parents: Option<Vec<Each<Parent>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Parent {
    id: Option<String>,
}

impl Bitbucket {
    /// Reads commits of a repository, newest first, with Bitbucket's total.
    ///
    /// # Errors
    /// [`NotFound`](crate::bitbucket::error::Fault::NotFound) if there is no such repository, commit or ref.
    ///
    /// Source: `GET /rest/api/latest/projects/{key}/repos/{slug}/commits?withCounts=true`
    pub fn commits(
        &self,
        repository: &RepositoryId,
        range: &Range,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Commit>, ApiError> {
        let path = path(repository)
            .segment("commits")
            .query_if("until", range.until)
            .query_if("since", range.since)
            .query_if("path", range.path)
            .query("withCounts", true);
        let request = Request::get(format!("list the commits of {repository}"), path);
        self.commit_list(&request, ask, cancel)
    }

    /// Reads the commits of a pull request, newest first, with Bitbucket's total.
    ///
    /// # Errors
    /// [`NotFound`](crate::bitbucket::error::Fault::NotFound) if there is no such pull request or this user may not see it.
    ///
    /// Source: `GET …/pull-requests/{id}/commits?withCounts=true`
    pub fn commits_of_pull_request(
        &self,
        id: &PullRequestId,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Commit>, ApiError> {
        let path = Path::pull_request(&id.repository.project, &id.repository.slug, id.number)
            .segment("commits")
            .query("withCounts", true);
        let request = Request::get(format!("list the commits of {id}"), path);
        self.commit_list(&request, ask, cancel)
    }

    /// Reads the commits that `from` has and `to` has not, newest first.
    ///
    /// # Errors
    /// [`NotFound`](crate::bitbucket::error::Fault::NotFound) if there is no such repository, commit or ref.
    ///
    /// Source: `GET …/compare/commits?from&to`
    pub fn commits_between(
        &self,
        repository: &RepositoryId,
        from: &str,
        to: &str,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Commit>, ApiError> {
        // The names are the reverse of a git range.
        let path = path(repository)
            .segment("compare")
            .segment("commits")
            .query("from", from)
            .query("to", to);
        let what = format!("list the commits of `{from}` that `{to}` has not in {repository}");
        self.commit_list(&Request::get(what, path), ask, cancel)
    }

    /// Reads the commit that a branch, tag or commit id names; `None` where nothing was committed yet.
    ///
    /// # Errors
    /// [`NotFound`](crate::bitbucket::error::Fault::NotFound) if nothing has that name, or there is no such repository.
    ///
    /// Source: `GET …/commits?until={name}&limit=1`, since a name with a slash does not fit into a path.
    pub fn commit_named(
        &self,
        repository: &RepositoryId,
        name: &str,
        cancel: &Cancel,
    ) -> Result<Option<Commit>, ApiError> {
        let path = path(repository).segment("commits").query("until", name);
        let request = Request::get(format!("read what `{name}` is in {repository}"), path);
        let listing = self.commit_list(&request, Ask::first(1).at_most(1), cancel)?;
        Ok(listing.values.into_iter().next())
    }

    /// Reads one commit by its id, short or whole.
    ///
    /// # Errors
    /// [`NotFound`](crate::bitbucket::error::Fault::NotFound) if there is none in this repository.
    ///
    /// Source: `GET …/commits/{id}`
    pub fn commit(
        &self,
        repository: &RepositoryId,
        id: &str,
        cancel: &Cancel,
    ) -> Result<Commit, ApiError> {
        let request = Request::get(
            format!("read commit {id} of {repository}"),
            path(repository).segment("commits").segment(id),
        );
        let answer = self.http.get(request, cancel)?;
        let mut commit = answer.json::<Wire>()?.into_domain();
        if commit.id.is_empty() {
            if commit.parents.is_empty() && commit.message.is_empty() {
                return Err(answer.lacking("id"));
            }
            commit.id = id.to_owned();
        }
        Ok(commit)
    }

    fn commit_list(
        &self,
        request: &Request,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Commit>, ApiError> {
        list(self, request, ask, cancel)
    }
}

/// Reads the commits that a request lists.
pub(super) fn list(
    bitbucket: &Bitbucket,
    request: &Request,
    ask: Ask,
    cancel: &Cancel,
) -> Result<Listing<Commit>, ApiError> {
    let listing: Listing<Wire> = listing::read_each(&bitbucket.http, request, ask, cancel)?;
    Ok(listing.map(Wire::into_domain))
}

fn path(repository: &RepositoryId) -> Path {
    Path::repository(&repository.project, &repository.slug)
}

impl Wire {
    fn into_domain(self) -> Commit {
        Commit {
            id: self.id.unwrap_or_default(),
            author: self.author.map(Into::into),
            authored: self.author_timestamp.0,
            committer: self.committer.map(Into::into),
            committed: self.committer_timestamp.0,
            message: self.message.unwrap_or_default(),
            parents: self
                .parents
                .unwrap_or_default()
                .into_iter()
                .filter_map(|parent| parent.salvaged()?.id)
                .collect(),
        }
    }
}
