//! Commits: of a repository, of a pull request, between two refs; and the files that they change.

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire::{FilePath, Moment, User};
use crate::cancel::Cancel;
use crate::domain::commit::{Change, Commit};
use crate::domain::repository::{PullRequestId, RepositoryId};
use serde::Deserialize;

/// The most changes asked for: what Bitbucket has beyond its own cap of 1,000 cannot be reached at all.
const MAX_CHANGES: u64 = 1_000;

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
    parents: Option<Vec<Parent>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Parent {
    id: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireChange {
    path: FilePath,
    src_path: Option<FilePath>,
    #[serde(rename = "type")]
    kind: Option<String>,
    node_type: Option<String>,
    percent_unchanged: Option<i64>,
    executable: Option<bool>,
    src_executable: Option<bool>,
}

/// Changes look like a list of pages and are not: there is one.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireChanges {
    values: Option<Vec<WireChange>>,
    limit: Option<u64>,
    is_last_page: Option<bool>,
    next_page_start: Option<u64>,
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
        let path = compare(repository, "commits", from, to);
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
        let mut commit = self
            .http
            .get(request, cancel)?
            .json::<Wire>()?
            .into_domain();
        if commit.id.is_empty() {
            commit.id = id.to_owned();
        }
        Ok(commit)
    }

    /// Reads the files that one commit changed, against the first of those that it follows.
    ///
    /// # Errors
    /// As [`Self::commit`].
    ///
    /// Source: `GET …/commits/{id}/changes`
    pub fn changes_of_commit(
        &self,
        repository: &RepositoryId,
        id: &str,
        cancel: &Cancel,
    ) -> Result<Listing<Change>, ApiError> {
        let path = path(repository)
            .segment("commits")
            .segment(id)
            .segment("changes");
        self.changes(format!("list the changes of commit {id}"), path, cancel)
    }

    /// Reads the files that changed on the way to `from` from where it left `to`.
    ///
    /// # Errors
    /// As [`Self::commits_between`].
    ///
    /// Source: `GET …/compare/changes?from&to`
    pub fn changes_between(
        &self,
        repository: &RepositoryId,
        from: &str,
        to: &str,
        cancel: &Cancel,
    ) -> Result<Listing<Change>, ApiError> {
        let path = compare(repository, "changes", from, to);
        let what = format!("list the files that `{from}` changed against `{to}` in {repository}");
        self.changes(what, path, cancel)
    }

    fn commit_list(
        &self,
        request: &Request,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Commit>, ApiError> {
        let listing: Listing<Wire> = listing::read(&self.http, request, ask, cancel)?;
        Ok(listing.map(Wire::into_domain))
    }

    fn changes(
        &self,
        what: String,
        path: Path,
        cancel: &Cancel,
    ) -> Result<Listing<Change>, ApiError> {
        let request = Request::get(what, path.query("limit", MAX_CHANGES));
        let page: WireChanges = self.http.get(request, cancel)?.json()?;
        let is_full = page.is_full();
        let values = page.values.unwrap_or_default();
        let changes = values.into_iter().map(WireChange::into_domain).collect();
        Ok(Listing::single(changes, !is_full))
    }
}

fn path(repository: &RepositoryId) -> Path {
    Path::repository(&repository.project, &repository.slug)
}

/// "In `from`, not in `to`": the names are the reverse of a git range.
fn compare(repository: &RepositoryId, what: &str, from: &str, to: &str) -> Path {
    path(repository)
        .segment("compare")
        .segment(what)
        .query("from", from)
        .query("to", to)
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
                .filter_map(|parent| parent.id)
                .collect(),
        }
    }
}

impl WireChanges {
    /// Whether there may be more: Bitbucket says so, or gives exactly as many as it ever does.
    fn is_full(&self) -> bool {
        let values = self.values.as_ref().map_or(0, Vec::len) as u64;
        let cap = self.limit.unwrap_or(MAX_CHANGES);
        self.is_last_page == Some(false) || self.next_page_start.is_some() || values >= cap.max(1)
    }
}

impl WireChange {
    fn into_domain(self) -> Change {
        let source = self.src_path.map(|path| path.0);
        let has_moved = matches!(self.kind.as_deref(), Some("MOVE" | "COPY"));
        let is_gone = self.kind.as_deref() == Some("DELETE");
        let was_executable = self.src_executable.unwrap_or(false);
        let percent = self.percent_unchanged.filter(|_| has_moved);
        Change {
            source: source.filter(|source| !source.is_empty() && *source != self.path.0),
            path: self.path.0,
            kind: self.kind.unwrap_or_else(|| "UNKNOWN".to_owned()),
            node: self.node_type.unwrap_or_default(),
            percent_unchanged: percent.and_then(|percent| u8::try_from(percent).ok()),
            executable: self
                .executable
                .filter(|now| *now != was_executable && !is_gone),
        }
    }
}

#[cfg(test)]
mod tests;
