//! Pull requests: one, a list of them, and the merge check.
//!
//! Never changes one: `writes/pull_requests.rs` does. Start reading at [`Bitbucket::pull_request`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::avatars::AVATAR_PX;
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire::{Each, Links, Moment, Ref, User, Whole};
use crate::cancel::Cancel;
use crate::domain::pull_request::{MergeCheck, PullRequest, ReviewStatus, Reviewer, State, Veto};
use crate::domain::repository::{PullRequestId, RepositoryId};
use serde::Deserialize;

/// Which pull requests of a repository are wanted. Words are Bitbucket's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// `OPEN`, `MERGED`, `DECLINED` or `ALL`.
    pub state: &'a str,
    /// `NEWEST` or `OLDEST`.
    pub order: Option<&'a str>,
    /// A part of the title or description.
    pub text: Option<&'a str>,
    /// The user's name, and `AUTHOR`, `REVIEWER` or `PARTICIPANT`.
    pub role: Option<(&'a str, &'a str)>,
    /// The full name of the branch that they come from, in this repository or in a fork.
    pub source: Option<&'a str>,
    /// The full name of the branch that they would change.
    pub target: Option<&'a str>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Wire {
    id: Whole,
    version: Whole,
    title: Option<String>,
    description: Option<String>,
    state: Option<String>,
    draft: Option<bool>,
    locked: Option<bool>,
    created_date: Moment,
    updated_date: Moment,
    closed_date: Moment,
    from_ref: Option<Ref>,
    to_ref: Option<Ref>,
    author: Option<Participant>,
    reviewers: Option<Vec<Each<Participant>>>,
    participants: Option<Vec<Each<Participant>>>,
    properties: Option<Properties>,
    links: Option<Links>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Participant {
    user: Option<User>,
    status: Option<String>,
    approved: Option<bool>,
    last_reviewed_commit: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Properties {
    open_task_count: Whole,
    resolved_task_count: Whole,
    comment_count: Whole,
    merge_commit: Option<Commit>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Commit {
    id: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireMergeCheck {
    can_merge: Option<bool>,
    conflicted: Option<bool>,
    vetoes: Option<Vec<Each<WireVeto>>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireVeto {
    summary_message: Option<String>,
    detailed_message: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct TaskCounts {
    #[serde(rename = "OPEN")]
    open: Whole,
    #[serde(rename = "RESOLVED")]
    resolved: Whole,
}

impl Bitbucket {
    /// Reads one pull request.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if there is none or this user may not see it.
    ///
    /// Source: `GET /rest/api/latest/projects/{key}/repos/{slug}/pull-requests/{id}`
    pub fn pull_request(
        &self,
        id: &PullRequestId,
        cancel: &Cancel,
    ) -> Result<PullRequest, ApiError> {
        self.read_pull_request(id, path(id), cancel)
    }

    /// Reads one pull request, and where the pictures of its people are.
    ///
    /// # Errors
    /// As [`Self::pull_request`].
    pub fn pull_request_with_avatars(
        &self,
        id: &PullRequestId,
        cancel: &Cancel,
    ) -> Result<PullRequest, ApiError> {
        self.read_pull_request(id, path(id).query("avatarSize", AVATAR_PX), cancel)
    }

    /// The pull request of an answer. Of a list, it says itself where it is; of one that was asked for by its place, the
    /// answer's own spelling of that place counts. A page on another host is none of Bitbucket's.
    pub(super) fn pull_request_of(&self, wire: Wire, asked: Option<&PullRequestId>) -> PullRequest {
        let one = wire.into_domain(asked);
        PullRequest {
            page: one.page.filter(|page| self.base().has(page)),
            ..one
        }
    }

    fn read_pull_request(
        &self,
        id: &PullRequestId,
        path: Path,
        cancel: &Cancel,
    ) -> Result<PullRequest, ApiError> {
        let request = Request::get(format!("read {id}"), path);
        let answer = self.http.get(request, cancel)?;
        // A text that is odd is no empty one: this is what a change is written over.
        let wire: Wire = answer.json()?;
        match wire.id.0 {
            Some(_) => Ok(self.pull_request_of(wire, Some(id))),
            None => Err(answer.lacking("id")),
        }
    }

    /// Whether a pull request merges itself once every check passes; `false` where Bitbucket has no such thing
    /// (before 8.15) or does not tell this user.
    ///
    /// # Errors
    /// Whatever else keeps it from being known.
    ///
    /// Source: `GET …/pull-requests/{id}/auto-merge`, 404 where none was requested.
    pub fn is_auto_merge_requested(
        &self,
        id: &PullRequestId,
        cancel: &Cancel,
    ) -> Result<bool, ApiError> {
        let what = format!("read whether {id} merges itself");
        let request = Request::get(what, path(id).segment("auto-merge"));
        match self.http.get(request, cancel) {
            Ok(answer) => Ok(!answer.bytes().is_empty()),
            Err(error) => match error.fault() {
                Fault::NotFound | Fault::NotAllowed | Fault::Conflict => Ok(false),
                _ => Err(error),
            },
        }
    }

    /// Asks Bitbucket whether a pull request can be merged; `None` if it is closed. Costly: Bitbucket runs every
    /// check, and merges the two ends to see.
    ///
    /// # Errors
    /// Whatever keeps the check from being read.
    ///
    /// Source: `GET …/pull-requests/{id}/merge`
    pub fn merge_check(
        &self,
        id: &PullRequestId,
        cancel: &Cancel,
    ) -> Result<Option<MergeCheck>, ApiError> {
        let request = Request::get(
            format!("read the merge checks of {id}"),
            path(id).segment("merge"),
        );
        let wire: WireMergeCheck = match self.http.get(request, cancel) {
            Ok(answer) => {
                let wire: WireMergeCheck = answer.json()?;
                match wire.can_merge {
                    Some(_) => wire,
                    None => return Err(answer.lacking("canMerge")),
                }
            }
            Err(error) if error.fault() == Fault::Conflict => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(MergeCheck {
            can_merge: wire.can_merge.unwrap_or(false),
            is_conflicted: wire.conflicted.unwrap_or(false),
            vetoes: wire
                .vetoes
                .unwrap_or_default()
                .into_iter()
                // A veto stops the merge whatever else is known of it.
                .map(|veto| veto.salvaged().unwrap_or_default().into_domain())
                .collect(),
        }))
    }

    /// Counts a pull request's tasks: open ones, resolved ones.
    ///
    /// # Errors
    /// Whatever keeps the counts from being read.
    ///
    /// Source: `GET …/pull-requests/{id}/blocker-comments?count=true`
    pub fn task_counts(&self, id: &PullRequestId, cancel: &Cancel) -> Result<(u64, u64), ApiError> {
        let path = path(id).segment("blocker-comments").query("count", true);
        let request = Request::get(format!("count the tasks of {id}"), path);
        let counts: TaskCounts = self.http.get(request, cancel)?.json()?;
        Ok((counts.open.0.unwrap_or(0), counts.resolved.0.unwrap_or(0)))
    }

    /// Reads the pull requests that would change a repository, newest first unless asked otherwise.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if there is no such repository or this user may not see it.
    ///
    /// Source: `GET /rest/api/latest/projects/{key}/repos/{slug}/pull-requests`
    pub fn pull_requests(
        &self,
        repository: &RepositoryId,
        wanted: &Wanted,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<PullRequest>, ApiError> {
        let mut path = Path::repository(&repository.project, &repository.slug)
            .segment("pull-requests")
            .query("state", wanted.state)
            .query_if("order", wanted.order)
            .query_if("filterText", wanted.text);
        if let Some((user, role)) = wanted.role {
            path = path.query("username.1", user).query("role.1", role);
        }
        path = path.query_if("at", wanted.target);
        let request = Request::get(format!("list the pull requests of {repository}"), path);
        let listing: Listing<Wire> = match wanted.source {
            None => listing::read_each(&self.http, &request, ask, cancel)?,
            // Bitbucket finds a source in the other direction alone, and there none that lies in a fork.
            Some(source) => listing::read_kept(&self.http, &request, ask, cancel, |one: &Wire| {
                let branch = one
                    .from_ref
                    .as_ref()
                    .and_then(|branch| branch.id.as_deref());
                branch == Some(source)
            })?,
        };
        Ok(listing.map(|wire| self.pull_request_of(wire, None)))
    }

    /// Reads the pull requests of whoever asks, across repositories, in the order of the dashboard.
    ///
    /// # Errors
    /// [`Fault::NotSignedIn`] for an anonymous caller.
    ///
    /// Source: `GET /rest/api/latest/dashboard/pull-requests`
    pub fn own_pull_requests(
        &self,
        wanted: &Wanted,
        role: Option<&str>,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<PullRequest>, ApiError> {
        let state = Some(wanted.state).filter(|state| *state != "ALL");
        let path = Path::api()
            .segment("dashboard")
            .segment("pull-requests")
            .query_if("state", state)
            .query_if("role", role)
            .query_if("order", wanted.order);
        let request = Request::get("list your own pull requests", path);
        let listing: Listing<Wire> = listing::read_each(&self.http, &request, ask, cancel)?;
        Ok(listing.map(|wire| self.pull_request_of(wire, None)))
    }
}

pub(super) fn path(id: &PullRequestId) -> Path {
    Path::pull_request(&id.repository.project, &id.repository.slug, id.number)
}

impl Wire {
    fn into_domain(self, asked: Option<&PullRequestId>) -> PullRequest {
        let (source, target) = (
            self.from_ref.unwrap_or_default(),
            self.to_ref.unwrap_or_default(),
        );
        let properties = self.properties.unwrap_or_default();
        let here = target
            .repository
            .as_ref()
            .and_then(super::wire::Repository::id);
        let unknown = RepositoryId {
            project: String::new(),
            slug: String::new(),
        };
        let repository = here
            .or_else(|| asked.map(|id| id.repository.clone()))
            .unwrap_or(unknown);
        // Whoever is not understood is somebody all the same: a list that is written back must not lose one.
        let people = |list: Option<Vec<Each<Participant>>>| -> Vec<Reviewer> {
            list.unwrap_or_default()
                .into_iter()
                .map(|one| one.salvaged().unwrap_or_default().into_domain())
                .collect()
        };
        PullRequest {
            id: PullRequestId {
                repository,
                number: self.id.0.or(asked.map(|id| id.number)).unwrap_or(0),
            },
            version: self.version.version(),
            title: self.title.unwrap_or_default(),
            description: self.description.unwrap_or_default(),
            state: State::read(&self.state.unwrap_or_default()),
            is_draft: self.draft.unwrap_or(false),
            is_locked: self.locked.unwrap_or(false),
            author: self.author.and_then(|author| author.user).map(Into::into),
            reviewers: people(self.reviewers),
            participants: people(self.participants),
            source: source.into(),
            target: target.into(),
            created: self.created_date.0,
            updated: self.updated_date.0,
            closed: self.closed_date.0,
            open_tasks: properties.open_task_count.0,
            resolved_tasks: properties.resolved_task_count.0,
            comments: properties.comment_count.0,
            merge_commit: properties.merge_commit.and_then(|commit| commit.id),
            page: self.links.and_then(Links::page),
        }
    }
}

impl Participant {
    pub(super) fn into_domain(self) -> Reviewer {
        let status = match (self.status, self.approved) {
            (Some(word), _) => ReviewStatus::read(&word),
            (None, Some(true)) => ReviewStatus::Approved,
            (None, _) => ReviewStatus::Unapproved,
        };
        Reviewer {
            person: self.user.unwrap_or_default().into(),
            status,
            last_reviewed: self.last_reviewed_commit,
        }
    }
}

impl WireVeto {
    fn into_domain(self) -> Veto {
        Veto {
            summary: self.summary_message.unwrap_or_default(),
            detail: self.detailed_message.unwrap_or_default(),
        }
    }
}
