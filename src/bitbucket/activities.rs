//! What happened to a pull request, its comments among it.
//!
//! Never drops an entry for that its word is unknown: who and when is told of it all the same. Start reading at
//! [`Bitbucket::activities`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::comments::{WireAnchor, WireComment};
use crate::bitbucket::diffs::WireFile;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire::{Each, Moment, User, Whole, picked};
use crate::cancel::Cancel;
use crate::domain::activity::{Action, Activity, CommitLine, fold};
use crate::domain::person::Person;
use crate::domain::repository::PullRequestId;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Wire {
    id: Whole,
    created_date: Moment,
    user: Option<User>,
    action: Option<String>,
    comment_action: Option<String>,
    comment: Option<WireComment>,
    comment_anchor: Option<WireAnchor>,
    diff: Option<WireFile>,
    added_reviewers: Option<Vec<User>>,
    removed_reviewers: Option<Vec<User>>,
    draft: Option<bool>,
    added: Option<Moved>,
    removed: Option<Moved>,
    commit: Option<WireCommit>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Moved {
    commits: Option<Vec<WireCommit>>,
    total: Whole,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireCommit {
    id: Option<String>,
    display_id: Option<String>,
    message: Option<String>,
    author: Option<User>,
    author_timestamp: Moment,
}

impl Bitbucket {
    /// Reads the activity of a pull request, newest first. Each thread is there once, with all that came of its
    /// replies; so a page may hold fewer entries than it was asked for. `avatar_px` is the size of pictures of
    /// people; none without it.
    ///
    /// # Errors
    /// Whatever keeps a page from being read.
    ///
    /// Source: `GET /rest/api/latest/projects/{key}/repos/{slug}/pull-requests/{id}/activities`
    pub fn activities(
        &self,
        id: &PullRequestId,
        ask: Ask,
        avatar_px: Option<u32>,
        cancel: &Cancel,
    ) -> Result<Listing<Activity>, ApiError> {
        let path = Path::pull_request(&id.repository.project, &id.repository.slug, id.number)
            .segment("activities")
            .query_if("avatarSize", avatar_px);
        let request = Request::get(format!("list the activity of {id}"), path);
        let listing: Listing<Each<Wire>> = listing::read(&self.http, &request, ask, cancel)?;
        Ok(listing.regroup(into_domain))
    }
}

fn into_domain(entries: Vec<Each<Wire>>) -> Vec<Activity> {
    fold(
        entries
            .into_iter()
            .zip(0..)
            .map(|(each, place)| match each {
                Each::Understood(wire) => wire.into_domain(place),
                Each::Strange(members) => strange(&members, place),
            })
            .collect(),
    )
}

impl Wire {
    fn into_domain(self, place: u64) -> Activity {
        let people = |list: Option<Vec<User>>| -> Vec<Person> {
            list.unwrap_or_default()
                .into_iter()
                .map(Into::into)
                .collect()
        };
        let word = self.action.unwrap_or_default();
        let action = match word.as_str() {
            "OPENED" => Action::Opened,
            "REOPENED" => Action::Reopened,
            "DECLINED" => Action::Declined,
            "DELETED" => Action::Deleted,
            "APPROVED" => Action::Approved,
            "UNAPPROVED" => Action::Unapproved,
            "REVIEWED" => Action::RequestedChanges,
            "MERGED" => Action::Merged {
                commit: self.commit.and_then(|commit| commit.id),
            },
            "COMMENTED" => match (self.comment_action.as_deref(), self.comment) {
                (Some("DELETED"), _) | (_, None) => Action::DeletedComment,
                (action, Some(comment)) => {
                    let thread = comment.into_thread(self.comment_anchor, self.diff);
                    match action {
                        Some("REPLIED") => Action::Replied(Box::new(thread)),
                        _ => Action::Commented(Box::new(thread)),
                    }
                }
            },
            "UPDATED" => Action::Updated {
                added: people(self.added_reviewers),
                removed: people(self.removed_reviewers),
                is_draft: self.draft,
            },
            "RESCOPED" => {
                let (added, added_commits) = self.added.unwrap_or_default().into_domain();
                let (removed, removed_commits) = self.removed.unwrap_or_default().into_domain();
                Action::Rescoped {
                    added,
                    removed,
                    added_commits,
                    removed_commits,
                }
            }
            "AUTO_MERGE_REQUESTED" => Action::AutoMergeRequested,
            "AUTO_MERGE_CANCELLED" => Action::AutoMergeCancelled,
            "REVIEW_COMMENTED" => Action::ReviewCommented,
            "REVIEW_FINISHED" => Action::ReviewFinished,
            "REVIEW_DISCARDED" => Action::ReviewDiscarded,
            _ => Action::Other(word),
        };
        Activity {
            id: self.id.0,
            at: self.created_date.0,
            by: self.user.map(Into::into),
            action,
            place,
        }
    }
}

impl Moved {
    /// Bitbucket's total, and the commits that it lists: fewer, or none.
    fn into_domain(self) -> (u64, Vec<CommitLine>) {
        let commits: Vec<CommitLine> = self
            .commits
            .unwrap_or_default()
            .into_iter()
            .map(WireCommit::into_domain)
            .collect();
        (self.total.0.unwrap_or(commits.len() as u64), commits)
    }
}

impl WireCommit {
    fn into_domain(self) -> CommitLine {
        let id = self.id.unwrap_or_default();
        let message = self.message.unwrap_or_default();
        CommitLine {
            display_id: self
                .display_id
                .unwrap_or_else(|| id.chars().take(11).collect()),
            subject: message.lines().next().unwrap_or_default().to_owned(),
            author: self.author.map(Into::into),
            authored: self.author_timestamp.0,
            id,
        }
    }
}

/// An entry that holds something else than what is known: who, when and its word, as far as those are there.
fn strange(members: &Map<String, Value>, place: u64) -> Activity {
    Activity {
        id: picked::<Whole>(members, "id").and_then(|id| id.0),
        at: picked::<Moment>(members, "createdDate").and_then(|at| at.0),
        by: picked::<User>(members, "user").map(Into::into),
        action: Action::Other(picked(members, "action").unwrap_or_default()),
        place,
    }
}

/// Reads a page of activity as Bitbucket writes it, for tests of what is made of one.
#[cfg(test)]
pub(crate) fn activity_of_json(json: &str) -> Vec<Activity> {
    #[derive(Deserialize)]
    struct Page {
        values: Vec<Each<Wire>>,
    }
    let page: Page = serde_json::from_str(json).expect("a page");
    into_domain(page.values)
}

#[cfg(test)]
mod tests;
