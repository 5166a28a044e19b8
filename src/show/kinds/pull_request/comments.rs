//! A thread as the overview draws it: where it stands, the lines around that, what was said.
//!
//! Never places a thread by its anchor's number where the excerpt marks its line, and never takes more than one
//! thread's share. Start reading at [`thread`].

use crate::domain::comment::Thread;
use crate::domain::diff::{FileDiff, Line, LineKind};
use crate::show::comments::{Talk, talk};
use crate::show::fit::{Room, short};
use crate::show::shapes::{People, is_false};
use serde::Serialize;

/// The most characters of JSON that all comments of one thread may take.
const THREAD_SHARE: usize = 20_000;
/// How many lines of the diff stand before the one that a thread is on, and after it.
const LINES_BEFORE: usize = 3;
const LINES_AFTER: usize = 1;
/// The most characters of one such line, and of a path.
const MAX_LINE_CHARS: usize = 160;
const MAX_PATH_CHARS: usize = 1_000;

/// `PlacedThread`
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
    #[serde(flatten)]
    talk: Talk,
}

/// `["+", old number, new number, text, whether the thread stands on it]`
#[derive(Serialize)]
struct LineFact(&'static str, Option<u64>, Option<u64>, String, bool);

/// A thread, with as many of its comments as its share holds.
pub(super) fn thread(thread: &Thread, people: &mut People) -> Option<ThreadFact> {
    let spot = thread.spot();
    let anchor = thread.anchor.as_ref();
    Some(ThreadFact {
        path: anchor.map(|anchor| short(&anchor.path, MAX_PATH_CHARS)),
        line: spot.map(|(_, line)| line),
        side: spot.map(|(side, _)| side.word()),
        outdated: anchor.is_some_and(|at| at.is_outdated),
        lines: excerpt(thread),
        talk: talk(thread, people, &mut Room::new(THREAD_SHARE))?,
    })
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
