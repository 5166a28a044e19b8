//! What a branch would bring to another, in a fork too, before there is a pull request of the two.
//!
//! Never guesses whether they merge: Bitbucket says that of a pull request alone. Start reading at [`Pair`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::commits;
use crate::bitbucket::diffs::DiffOf;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::pull_requests::Wire;
use crate::cancel::Cancel;
use crate::domain::commit::Commit;
use crate::domain::diff::Changes;
use crate::domain::pull_request::PullRequest;
use crate::domain::repository::RepositoryId;
use std::fmt;

/// More open pull requests of one branch than anybody has.
const MAX_OPEN: usize = 100;

/// A source and a target. Branches by their full names.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// Where the source branch is.
    pub source_repository: &'a RepositoryId,
    /// The branch that has it.
    pub source: &'a str,
    /// Where the target branch is.
    pub repository: &'a RepositoryId,
    /// The branch that lacks it.
    pub target: &'a str,
}

/// `refs/heads/x of ACME/rocket against refs/heads/main`
impl fmt::Display for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (source, target) = (self.source, self.target);
        write!(f, "`{source}` of {}", self.source_repository)?;
        match self.is_fork() {
            true => write!(f, " against `{target}` of {}", self.repository),
            false => write!(f, " against `{target}`"),
        }
    }
}

impl Pair<'_> {
    /// Whether the source is in another repository than the target.
    pub fn is_fork(&self) -> bool {
        !self.source_repository.is(self.repository)
    }

    /// The same the other way round: what the source lacks.
    #[must_use]
    pub fn turned(self) -> Self {
        Self {
            source_repository: self.repository,
            source: self.target,
            repository: self.source_repository,
            target: self.source,
        }
    }

    pub(super) fn path(&self, what: &str) -> Path {
        let path = Path::repository(&self.repository.project, &self.repository.slug)
            .segment("compare")
            .segment(what)
            .query("from", self.source)
            .query("to", self.target);
        path.query_if(
            "fromRepo",
            self.is_fork().then(|| self.source_repository.to_string()),
        )
    }
}

impl Bitbucket {
    /// Reads the commits that the source has and the target has not, newest first.
    ///
    /// # Errors
    /// [`NotFound`](crate::bitbucket::error::Fault::NotFound) if there is no such repository or branch.
    ///
    /// Source: `GET …/compare/commits?from&to&fromRepo`
    pub fn commits_of_pair(
        &self,
        pair: &Pair,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Commit>, ApiError> {
        let what = format!("list the commits of {pair}");
        commits::list(self, &Request::get(what, pair.path("commits")), ask, cancel)
    }

    /// Reads which files the source changes since both were one.
    ///
    /// # Errors
    /// As [`Self::commits_of_pair`].
    ///
    /// Source: `GET …/compare/changes?from&to&fromRepo`
    pub fn changes_of_pair(&self, pair: &Pair, cancel: &Cancel) -> Result<Changes, ApiError> {
        self.changes(DiffOf::Pair(pair), cancel)
    }

    /// Finds the pull request that is open from the source to the target: Bitbucket allows one.
    ///
    /// # Errors
    /// Whatever keeps the list from being read.
    ///
    /// Source: `GET …/pull-requests?direction=OUTGOING&at`, on the source's repository
    pub fn open_of_pair(
        &self,
        pair: &Pair,
        cancel: &Cancel,
    ) -> Result<Option<PullRequest>, ApiError> {
        let at = pair.source_repository;
        let path = Path::repository(&at.project, &at.slug)
            .segment("pull-requests")
            .query("state", "OPEN")
            .query("direction", "OUTGOING")
            .query("at", pair.source);
        let what = format!("look for an open pull request of {pair}");
        let ask = Ask::first(MAX_OPEN);
        let listing: Listing<Wire> =
            listing::read_each(self.http(), &Request::get(what, path), ask, cancel)?;
        let mut all = listing
            .values
            .into_iter()
            .map(|wire| self.pull_request_of(wire, None));
        let is_it = |one: &PullRequest| {
            one.id.repository.is(pair.repository) && one.target.id == pair.target
        };
        Ok(all.find(is_it))
    }
}
