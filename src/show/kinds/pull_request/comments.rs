//! A thread of comments as the page draws it: where it stands, the lines around that, what was written, in order.
//!
//! Never places a thread by its anchor's number where the excerpt marks its line, and never takes more than one
//! thread's share. Start reading at [`thread`].

use super::facts::text_within;
use super::shapes::Description;
use crate::domain::comment::{Comment, TaskState, Thread};
use crate::domain::diff::{FileDiff, Line, LineKind};
use crate::show::fit::{Room, short};
use crate::show::shapes::{People, Somebody, is_false};
use serde::Serialize;

/// The most characters of JSON that one comment's text, and all comments of one thread, may take.
const TEXT_SHARE: usize = 8_000;
const THREAD_SHARE: usize = 20_000;
/// How many lines of the diff stand before the one that a thread is on, and after it.
const LINES_BEFORE: usize = 3;
const LINES_AFTER: usize = 1;
/// The most characters of one such line, and of a path.
const MAX_LINE_CHARS: usize = 160;
const MAX_PATH_CHARS: usize = 1_000;

/// `Thread`
#[derive(Serialize)]
pub(super) struct ThreadFact {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The line that it stands on, and the side whose number that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    outdated: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<LineFact>,
    #[serde(skip_serializing_if = "is_false")]
    resolved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved_by: Option<Somebody>,
    /// How many comments it has; not there where all are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// Each before its replies.
    comments: Vec<CommentFact>,
}

/// `["+", old number, new number, text, whether the thread stands on it]`
#[derive(Serialize)]
struct LineFact(&'static str, Option<u64>, Option<u64>, String, bool);

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
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Description>,
    /// How it stands as a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pending: bool,
    /// Whether this person may resolve it, or open it again.
    #[serde(skip_serializing_if = "is_false")]
    resolvable: bool,
}

/// A thread, with as many of its comments as its share holds; its open tasks are there before other replies.
pub(super) fn thread(thread: &Thread, people: &mut People) -> ThreadFact {
    let spot = thread.spot();
    let resolved = thread.is_resolved();
    let mut all = Vec::new();
    in_order(&thread.root, 0, &mut all);
    let mut room = Room::new(THREAD_SHARE);
    let facts: Vec<CommentFact> = all
        .iter()
        .map(|(comment, depth)| fact(comment, *depth, people))
        .collect();
    let mut kept = vec![false; facts.len()];
    let is_open = |fact: &CommentFact| {
        let task = fact.task.as_deref();
        fact.depth == 0 || task.is_some_and(|task| task != TaskState::Resolved.word())
    };
    room.choose(&facts, &mut kept, is_open);
    room.choose(&facts, &mut kept, |_| true);
    let comments = crate::show::fit::chosen(facts, &kept);
    ThreadFact {
        path: thread
            .anchor
            .as_ref()
            .map(|anchor| short(&anchor.path, MAX_PATH_CHARS)),
        line: spot.map(|(_, line)| line),
        side: spot.map(|(side, _)| side.word()),
        outdated: thread.anchor.as_ref().is_some_and(|at| at.is_outdated),
        lines: excerpt(thread),
        resolved,
        resolved_by: match (&thread.root.resolver, resolved) {
            (Some(by), true) => Some(people.somebody(by)),
            _ => None,
        },
        count: (comments.len() < all.len()).then_some(all.len()),
        comments,
    }
}

/// Each comment before its replies, with how deep it stands.
fn in_order<'a>(root: &'a Comment, depth: usize, found: &mut Vec<(&'a Comment, usize)>) {
    let mut open = vec![(root, depth)];
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
        text: text_within(&comment.text, TEXT_SHARE),
        task: comment.task.as_ref().map(|task| short(task.word(), 40)),
        pending: comment.is_pending,
        resolvable: is_known && comment.may.transition,
    }
}

/// The line that the thread stands on, as the excerpt marks it, and its neighbors.
fn excerpt(thread: &Thread) -> Vec<LineFact> {
    let lines: Vec<&Line> = thread.excerpt.iter().flat_map(FileDiff::lines).collect();
    let is_marked = |line: &&Line| line.comment_ids.contains(&thread.root.id);
    let spot = thread.spot();
    let at = lines.iter().position(is_marked).or_else(|| {
        lines
            .iter()
            .position(|line| spot.is_some() && line.spot() == spot)
    });
    let Some(at) = at else {
        return Vec::new();
    };
    let shown = at.saturating_sub(LINES_BEFORE)..(at + LINES_AFTER + 1).min(lines.len());
    shown
        .map(|place| {
            let line = lines[place];
            let sign = match line.kind {
                LineKind::Added => "+",
                LineKind::Removed => "-",
                LineKind::Context => " ",
            };
            let text = short(line.text.trim_end_matches('\r'), MAX_LINE_CHARS);
            LineFact(sign, line.source, line.destination, text, place == at)
        })
        .collect()
}

fn is_first(depth: &usize) -> bool {
    *depth == 0
}
