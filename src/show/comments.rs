//! What was said in a thread, as every view draws it: its comments in the order of reading, and how it stands.
//!
//! Never says where a thread stands: each kind does. Start reading at [`talk`].

use crate::domain::comment::{Comment, TaskState, Thread};
use crate::show::fit::{Room, chosen, short};
use crate::show::shapes::{People, Somebody, is_false};
use crate::show::text::{self, Text};
use serde::Serialize;

/// The most characters of JSON that one comment's text may take.
const TEXT_SHARE: usize = 8_000;

/// `Talk`
#[derive(Serialize)]
pub struct Talk {
    #[serde(skip_serializing_if = "is_false")]
    resolved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved_by: Option<Somebody>,
    /// How many comments there are; not there where all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// Each before its replies.
    comments: Vec<CommentFact>,
}

#[derive(Serialize)]
struct CommentFact {
    id: u64,
    /// 0 for a thread's first comment, 1 for one that answers it.
    #[serde(skip_serializing_if = "is_first")]
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Somebody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    edited: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Text>,
    /// How it stands as a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    /// Whether only its author sees it yet.
    #[serde(skip_serializing_if = "is_false")]
    pending: bool,
    /// Whether this person may resolve it, or open it again.
    #[serde(skip_serializing_if = "is_false")]
    resolvable: bool,
}

/// What was said in a thread, as much as `room` holds: its first comment, its open tasks, then the other replies.
/// `None` where not even the first fits.
pub fn talk(thread: &Thread, people: &mut People, room: &mut Room) -> Option<Talk> {
    let resolved = thread.is_resolved();
    let by = thread.root.resolver.as_ref().filter(|_| resolved);
    let mut talk = Talk {
        resolved,
        resolved_by: by.map(|by| people.somebody(by)),
        count: None,
        comments: Vec::new(),
    };
    if !room.takes(&talk) {
        return None;
    }
    let mut all = Vec::new();
    in_order(&thread.root, &mut all);
    let facts: Vec<CommentFact> = all
        .iter()
        .map(|(comment, depth)| fact(comment, *depth, people))
        .collect();
    let mut kept = vec![false; facts.len()];
    let is_open = |fact: &CommentFact| {
        let task = fact.task.as_deref();
        task.is_some_and(|task| task != TaskState::Resolved.word())
    };
    room.choose(&facts, &mut kept, |fact| fact.depth == 0);
    if kept.first() != Some(&true) {
        return None;
    }
    room.choose(&facts, &mut kept, is_open);
    room.choose(&facts, &mut kept, |_| true);
    talk.comments = chosen(facts, &kept);
    talk.count = (talk.comments.len() < all.len()).then_some(all.len());
    Some(talk)
}

/// Each comment before its replies, with how deep it stands.
fn in_order<'a>(root: &'a Comment, found: &mut Vec<(&'a Comment, usize)>) {
    let mut open = vec![(root, 0)];
    while let Some((one, depth)) = open.pop() {
        found.push((one, depth));
        open.extend(one.replies.iter().rev().map(|reply| (reply, depth + 1)));
    }
}

fn fact(comment: &Comment, depth: usize, people: &mut People) -> CommentFact {
    // Servers before 8.9 do not tell of resolved threads, and swallow what they are told of them.
    let is_known = comment.task.is_some() || (depth == 0 && comment.is_thread_resolved.is_some());
    CommentFact {
        id: comment.id,
        depth,
        by: comment.author.as_ref().map(|by| people.somebody(by)),
        at: comment.created.map(|time| time.to_string()),
        edited: comment.is_edited(),
        text: text::within(&comment.text, TEXT_SHARE),
        task: comment.task.as_ref().map(|task| short(task.word(), 40)),
        pending: comment.is_pending,
        resolvable: is_known && comment.may.transition,
    }
}

fn is_first(depth: &usize) -> bool {
    *depth == 0
}
