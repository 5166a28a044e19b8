//! A thread as the diff draws it, below a line that names it or at a file's head.
//!
//! Never places one: the lines name the threads that stand on them. Start reading at [`thread`].

use super::shapes::ThreadFact;
use crate::domain::comment::Thread;
use crate::domain::diff::Side;
use crate::show::comments::talk;
use crate::show::fit::Room;
use crate::show::shapes::People;

/// A thread, as many of its comments as fit into `room`; nothing where not even the first does.
pub(super) fn thread(thread: &Thread, people: &mut People, room: &mut Room) -> Option<ThreadFact> {
    let anchor = thread.anchor.as_ref();
    Some(ThreadFact {
        talk: talk(thread, people, room)?,
        side: anchor
            .filter(|anchor| anchor.side == Side::Old)
            .map(|anchor| anchor.side.word()),
        first_line: anchor.and_then(|anchor| anchor.first_line.filter(|_| anchor.line.is_some())),
    })
}
