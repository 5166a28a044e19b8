//! A pull request: what it would change, who looks at it, and what stands in its way.

use crate::domain::person::Person;
use crate::domain::repository::{PullRequestId, RepositoryId};
use crate::domain::time::Time;

/// A pull request as one read of it tells.
#[derive(Clone, Debug, PartialEq)]
pub struct PullRequest {
    /// Where it is.
    pub id: PullRequestId,
    /// Grows with title, description, reviewers, target and state; not with comments.
    pub version: Option<i64>,
    /// One line.
    pub title: String,
    /// Markdown; empty if there is none.
    pub description: String,
    /// How it stands.
    pub state: State,
    /// Not to be merged yet (since Bitbucket 8.18).
    pub is_draft: bool,
    /// Being merged just now.
    pub is_locked: bool,
    /// Who opened it.
    pub author: Option<Person>,
    /// Who was asked to look at it, in Bitbucket's order.
    pub reviewers: Vec<Reviewer>,
    /// Who took part without being asked.
    pub participants: Vec<Reviewer>,
    /// What would be merged.
    pub source: Branch,
    /// Into what.
    pub target: Branch,
    /// When it was opened.
    pub created: Option<Time>,
    /// When it last changed; a comment does not count.
    pub updated: Option<Time>,
    /// When it was merged or declined.
    pub closed: Option<Time>,
    /// Bitbucket's own counts; absent where it does not give them.
    pub open_tasks: Option<u64>,
    /// See [`Self::open_tasks`].
    pub resolved_tasks: Option<u64>,
    /// See [`Self::open_tasks`].
    pub comments: Option<u64>,
    /// What it was merged as; absent of one that was merged outside of Bitbucket.
    pub merge_commit: Option<String>,
    /// Its page, as Bitbucket gives it.
    pub page: Option<String>,
}

/// One end of a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The full name, such as `refs/heads/main`.
    pub id: String,
    /// The short name, such as `main`.
    pub display_id: String,
    /// The commit it points at, 40 hex digits. Empty where Bitbucket does not say.
    pub latest_commit: String,
    /// Where it is; absent when the token may not see that.
    pub repository: Option<RepositoryId>,
}

/// How a pull request stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It can still change.
    Open,
    /// It was merged.
    Merged,
    /// It was declined.
    Declined,
    /// A word that bb does not know.
    Other(String),
}

impl State {
    /// Reads Bitbucket's word.
    pub fn read(word: &str) -> Self {
        match word {
            "OPEN" => Self::Open,
            "MERGED" => Self::Merged,
            "DECLINED" => Self::Declined,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Bitbucket's word.
    pub fn word(&self) -> &str {
        match self {
            Self::Open => "OPEN",
            Self::Merged => "MERGED",
            Self::Declined => "DECLINED",
            Self::Other(word) => word,
        }
    }
}

/// Somebody who looks at a pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewer {
    /// Who.
    pub person: Person,
    /// What they say.
    pub status: ReviewStatus,
    /// The source commit that they last looked at.
    pub last_reviewed: Option<String>,
}

/// What a reviewer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewStatus {
    /// Nothing yet.
    Unapproved,
    /// "Requested changes" since Bitbucket 8.10, "Needs work" before.
    NeedsWork,
    /// Approved.
    Approved,
    /// A word that bb does not know.
    Other(String),
}

impl ReviewStatus {
    /// Reads Bitbucket's word.
    pub fn read(word: &str) -> Self {
        match word {
            "UNAPPROVED" => Self::Unapproved,
            "NEEDS_WORK" => Self::NeedsWork,
            "APPROVED" => Self::Approved,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Bitbucket's word.
    pub fn word(&self) -> &str {
        match self {
            Self::Unapproved => "UNAPPROVED",
            Self::NeedsWork => "NEEDS_WORK",
            Self::Approved => "APPROVED",
            Self::Other(word) => word,
        }
    }
}

/// What Bitbucket's merge check says: an open pull request has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeCheck {
    /// Whether the person of the token could merge it now.
    pub can_merge: bool,
    /// Whether the two ends conflict; that is no veto.
    pub is_conflicted: bool,
    /// What stands in the way, in Bitbucket's words.
    pub vetoes: Vec<Veto>,
}

/// One reason not to merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Veto {
    /// Short.
    pub summary: String,
    /// In full.
    pub detail: String,
}
