//! What happened to a pull request.
//!
//! Never loses an entry because its word is new: it keeps who, when and the word. Start reading at [`Activity`].

use crate::domain::comment::Thread;
use crate::domain::person::Person;
use crate::domain::time::Time;
use std::collections::HashSet;

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Activity {
    /// Its number; absent where Bitbucket does not say.
    pub id: Option<u64>,
    /// When.
    pub at: Option<Time>,
    /// Who.
    pub by: Option<Person>,
    /// What.
    pub action: Action,
    /// Its place among the entries that were read with it, from 0.
    pub place: u64,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// It was opened.
    Opened,
    /// It was opened again.
    Reopened,
    /// It was declined.
    Declined,
    /// It was deleted.
    Deleted,
    /// It was merged; the commit is absent for a merge that was pushed.
    Merged {
        /// What the merge made.
        commit: Option<String>,
    },
    /// Somebody approved it.
    Approved,
    /// Somebody took an approval, or a request for changes, back.
    Unapproved,
    /// Somebody asked for changes.
    RequestedChanges,
    /// Somebody wrote a comment.
    Commented(Box<Thread>),
    /// Somebody answered a comment that is not at hand.
    Replied(Box<Thread>),
    /// Somebody deleted a comment.
    DeletedComment,
    /// Reviewers, or another part of it, were changed.
    Updated {
        /// Reviewers that were added.
        added: Vec<Person>,
        /// Reviewers that were removed.
        removed: Vec<Person>,
        /// What it became, if that is told: a draft, or no draft any more.
        is_draft: Option<bool>,
    },
    /// Commits came or went. Counts are Bitbucket's totals.
    Rescoped {
        /// How many came.
        added: u64,
        /// How many went.
        removed: u64,
        /// Those that came, as far as Bitbucket lists them.
        added_commits: Vec<CommitLine>,
        /// Those that went, as far as Bitbucket lists them.
        removed_commits: Vec<CommitLine>,
    },
    /// It will be merged once nothing stands in the way.
    AutoMergeRequested,
    /// It will not.
    AutoMergeCancelled,
    /// Somebody wrote into a review that is not published yet.
    ReviewCommented,
    /// Somebody published a review.
    ReviewFinished,
    /// Somebody threw a review away.
    ReviewDiscarded,
    /// A word that bb does not know, or an entry that it does not understand.
    Other(String),
}

/// A commit as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitLine {
    /// 40 hex digits.
    pub id: String,
    /// The short form.
    pub display_id: String,
    /// The first line of its message.
    pub subject: String,
    /// Who wrote it, with or without an account.
    pub author: Option<Person>,
    /// When it was written.
    pub authored: Option<Time>,
}

impl Activity {
    /// The thread that it is about.
    pub fn thread(&self) -> Option<&Thread> {
        match &self.action {
            Action::Commented(thread) | Action::Replied(thread) => Some(thread),
            _ => None,
        }
    }
}

/// Keeps of each thread one entry: the newest of those that tell it whole. A reply that also comes as an entry of
/// its own is left to its thread. Entries are newest first, and stay so.
pub fn fold(entries: Vec<Activity>) -> Vec<Activity> {
    let nested: HashSet<u64> = entries
        .iter()
        .filter_map(Activity::thread)
        .flat_map(|thread| thread.root.all().into_iter().skip(1).map(|one| one.id))
        .collect();
    let mut seen = HashSet::new();
    entries
        .into_iter()
        .filter(|entry| match entry.thread() {
            // 0 stands for a number that Bitbucket did not tell.
            Some(thread) if thread.root.id > 0 => {
                !nested.contains(&thread.root.id) && seen.insert(thread.root.id)
            }
            _ => true,
        })
        .collect()
}
