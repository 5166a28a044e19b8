//! What happened to a pull request, as its overview tells it: newest first, each thread once.
//!
//! Never counts commits that it lists: Bitbucket's totals are in an entry's words. Start reading at [`facts`].

use super::comments::{ThreadFact, thread};
use crate::bitbucket::listing::Listing;
use crate::domain::activity::{Action, Activity, CommitLine};
use crate::show::fit::{Room, short};
use crate::show::shapes::{Counted, People, Somebody, counted, is_false, name};
use crate::words;
use serde::Serialize;

/// Commits that one entry names; its words have the totals.
const MAX_COMMITS: usize = 5;
/// The most characters of what somebody did, and of a commit's first line.
const MAX_WORDS_CHARS: usize = 600;
const MAX_SUBJECT_CHARS: usize = 160;

/// `Activity`
#[derive(Serialize)]
pub(super) struct ActivityFacts {
    count: Counted,
    /// Where this part of it begins, in Bitbucket's own count.
    #[serde(skip_serializing_if = "is_start")]
    start: u64,
    /// Where older entries begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<u64>,
    listed: Vec<EntryFact>,
}

#[derive(Serialize)]
struct EntryFact {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Somebody>,
    /// Bitbucket's own word.
    action: String,
    /// What somebody did, as it follows their name.
    words: String,
    /// What a merge made.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    commits: Vec<CommitFact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<ThreadFact>,
}

#[derive(Serialize)]
struct CommitFact {
    id: String,
    subject: String,
    #[serde(skip_serializing_if = "is_false")]
    removed: bool,
}

/// The newest entries that fit. What does not is where `next` begins: entries that Bitbucket filtered out are in its
/// count and not in ours, so that may repeat some and never leaves one out.
pub(super) fn facts(
    listing: &Listing<Activity>,
    start: u64,
    people: &mut People,
    room: &mut Room,
) -> ActivityFacts {
    let mut next = listing.next;
    let mut listed = Vec::new();
    for one in &listing.values {
        let fact = entry(one, people);
        if !room.takes(&fact) {
            // One that fits nowhere must not be asked for again and again.
            let after = u64::from(listed.is_empty());
            next = Some(start + one.place + after);
            break;
        }
        listed.push(fact);
    }
    ActivityFacts {
        count: counted(listing.count()),
        start,
        next,
        listed,
    }
}

fn entry(one: &Activity, people: &mut People) -> EntryFact {
    let mut fact = EntryFact {
        id: one.id,
        at: one.at.map(|time| time.to_string()),
        by: one.by.as_ref().map(|by| people.somebody(by)),
        action: name(words::action(&one.action)),
        words: short(&words::activity_on_page(one), MAX_WORDS_CHARS),
        commit: None,
        commits: Vec::new(),
        thread: None,
    };
    match &one.action {
        Action::Commented(all) | Action::Replied(all) => fact.thread = thread(all, people),
        Action::Merged { commit } => fact.commit = commit.as_deref().map(name),
        Action::Rescoped {
            added_commits,
            removed_commits,
            ..
        } => {
            let added = added_commits.iter().map(|one| commit(one, false));
            let removed = removed_commits.iter().map(|one| commit(one, true));
            fact.commits = added.chain(removed).take(MAX_COMMITS).collect();
        }
        _ => {}
    }
    fact
}

fn commit(one: &CommitLine, removed: bool) -> CommitFact {
    CommitFact {
        id: name(&one.display_id),
        subject: short(&one.subject, MAX_SUBJECT_CHARS),
        removed,
    }
}

fn is_start(start: &u64) -> bool {
    *start == 0
}
