//! Comments as they travel: a thread is its first comment and its replies in the order of reading.
//!
//! Never places one: the lines name the threads that stand on them. Start reading at [`thread`].

use super::shapes::{CommentFact, ThreadFact};
use crate::domain::comment::{Comment, Thread};
use crate::domain::diff::Side;
use crate::markdown;
use crate::show::fit::Room;
use crate::show::shapes::{People, name};

/// The most characters of one comment's text; the rest is in Bitbucket.
const MAX_COMMENT_CHARS: usize = 4_000;
/// Replies that stand deeper are drawn at this depth.
const MAX_DEPTH: u64 = 6;

/// A thread, as many of its comments as fit into `room`; nothing where not even the first does.
pub(super) fn thread(thread: &Thread, people: &mut People, room: &mut Room) -> Option<ThreadFact> {
    let root = &thread.root;
    let is_resolved = thread.is_resolved();
    let anchor = thread.anchor.as_ref();
    let mut fact = ThreadFact {
        comments: Vec::new(),
        left_out: 0,
        side: anchor
            .filter(|anchor| anchor.side == Side::Old)
            .map(|anchor| anchor.side.word()),
        first_line: anchor.and_then(|anchor| anchor.first_line.filter(|_| anchor.line.is_some())),
        resolved: is_resolved,
        resolver: root
            .resolver
            .as_ref()
            .filter(|_| is_resolved)
            .map(|resolver| people.somebody(resolver)),
        resolved_at: root
            .resolved
            .filter(|_| is_resolved)
            .map(|time| time.to_string()),
    };
    if !room.takes(&fact) {
        return None;
    }
    let mut open = vec![(root, 0)];
    while let Some((one, depth)) = open.pop() {
        let said = comment(one, depth, people);
        if fact.left_out > 0 || !room.takes(&said) {
            fact.left_out += 1;
        } else {
            fact.comments.push(said);
        }
        let below = (depth + 1).min(MAX_DEPTH);
        open.extend(one.replies.iter().rev().map(|reply| (reply, below)));
    }
    (!fact.comments.is_empty()).then_some(fact)
}

fn comment(one: &Comment, depth: u64, people: &mut People) -> CommentFact {
    let end = one.text.char_indices().nth(MAX_COMMENT_CHARS);
    let end = end.map_or(one.text.len(), |(at, _)| at);
    let tree = markdown::tree(&one.text[..end]);
    CommentFact {
        id: one.id,
        version: one.version,
        depth,
        author: one.author.as_ref().map(|author| people.somebody(author)),
        at: one.created.map(|time| time.to_string()),
        edited: one.is_edited(),
        cut: end < one.text.len() || tree.cut.is_some(),
        text: tree.nodes,
        task: one.task.as_ref().map(|task| name(task.word())),
        pending: one.is_pending,
    }
}
