//! Hunks as they travel: the numbers of the first line, then each line as a text that opens with its sign.
//!
//! Never gives a line a number that Bitbucket did not: where its numbers skip, a new hunk begins. Start reading at
//! [`hunks`].

use super::shapes::{HunkFact, LineFact};
use crate::domain::diff::{FileDiff, Hunk, Line, LineKind};
use crate::show::fit::{Room, short};

/// A line of code that is longer is cut: minified files have lines of megabytes.
const MAX_LINE_CHARS: usize = 2_000;
/// What heads a hunk is a hint where it lies.
const MAX_CONTEXT_CHARS: usize = 160;

/// The hunks of a file, as many lines as `room` has place for, and how many were left out.
pub(super) fn hunks(file: &FileDiff, room: &mut Room) -> (Vec<HunkFact>, u64) {
    let mut found: Vec<HunkFact> = Vec::new();
    let mut left_out = 0;
    for hunk in file.hunks() {
        if left_out > 0 {
            left_out += hunk.lines.len() as u64;
            continue;
        }
        let mut open = begun(hunk, (hunk.source.line, hunk.destination.line));
        if !room.takes(&open) {
            left_out += hunk.lines.len() as u64;
            continue;
        }
        let mut due = open.at;
        for (at, line) in hunk.lines.iter().enumerate() {
            let here = (
                line.source.unwrap_or(due.0),
                line.destination.unwrap_or(due.1),
            );
            if here != due && !open.lines.is_empty() {
                found.push(std::mem::replace(&mut open, begun(hunk, here)));
                open.context.clear();
            } else if here != due {
                open.at = here;
            }
            let fact = of_line(line);
            if !room.takes(&fact) {
                left_out += (hunk.lines.len() - at) as u64;
                break;
            }
            open.lines.push(fact);
            due = (
                here.0 + u64::from(line.kind != LineKind::Added),
                here.1 + u64::from(line.kind != LineKind::Removed),
            );
        }
        if !open.lines.is_empty() {
            open.cut = hunk.is_truncated && left_out == 0;
            found.push(open);
        }
    }
    (found, left_out)
}

fn begun(hunk: &Hunk, at: (u64, u64)) -> HunkFact {
    HunkFact {
        at,
        context: short(&hunk.context, MAX_CONTEXT_CHARS),
        lines: Vec::new(),
        cut: false,
    }
}

fn of_line(line: &Line) -> LineFact {
    let sign = match line.kind {
        LineKind::Context => ' ',
        LineKind::Added => '+',
        LineKind::Removed => '-',
    };
    let is_long = line.text.chars().nth(MAX_LINE_CHARS).is_some();
    let end = match is_long {
        true => line.text.char_indices().nth(MAX_LINE_CHARS),
        false => None,
    };
    let end = end.map_or(line.text.len(), |(at, _)| at);
    LineFact {
        text: format!("{sign}{}", &line.text[..end]),
        on: line.comment_ids.clone(),
        is_cut: line.is_truncated || is_long,
    }
}
