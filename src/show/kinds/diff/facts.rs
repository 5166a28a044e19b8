//! What the page draws of a diff, as JSON: `view/kinds/diff.js` documents it.
//!
//! Never more than fits a result, in the order of contract 4.3: the head, the file asked for, the names of the rest,
//! then the other files in page order, each whole or not at all. Start reading at [`of`].

use super::asked::Asked;
use super::names::{Folders, unnamed};
use super::read::{Head, Read};
use super::shapes::{ContentFact, DiffFacts, FileFact, HeadFacts, ThreadFact};
use super::{lines, threads};
use crate::domain::diff::{Content, FileDiff};
use crate::domain::pull_request::Branch;
use crate::show::Reading;
use crate::show::fit::{Room, short};
use crate::show::shapes::{People, counted, fits, name, repository};
use std::collections::{BTreeMap, BTreeSet};

/// The most characters of JSON of files and comments. The head, colors and pictures have the rest.
const MAX_FILES_CHARS: usize = 112_000;
/// The shares that parts of that may take at most: 1,200 lines come whole, and leave the comments on them and the names
/// of the other files their place.
const FIRST_SHARES: Shares = Shares {
    lines: 75_000,
    both: 90_000,
};
const NAMES_SHARE: usize = 40_000;
const MAX_TITLE_CHARS: usize = 500;

/// What Bitbucket gives around a change unless it is asked for another number.
const DEFAULT_CONTEXT_LINES: u64 = 10;

/// What a file may take at most: its lines, and those together with the comments on it.
#[derive(Clone, Copy)]
struct Shares {
    lines: usize,
    both: usize,
}

/// The facts of what was read.
pub(super) fn of(read: &Read, asked: &Asked, reading: &Reading, people: &mut People) -> DiffFacts {
    let input = reading.input;
    let head = head(read, asked, people);
    let mut room = Room::new(MAX_FILES_CHARS);
    let first = read.files.get(read.first);
    let first_content = first.map(|file| content(file, &mut room, FIRST_SHARES, people));
    let mut folders = Folders::default();
    let mut named: Vec<Option<FileFact>> = names(read, &mut folders, &mut room);
    if let (Some(Some(fact)), Some(content)) = (named.get_mut(read.first), first_content) {
        fact.content = content;
    }
    for (at, (file, fact)) in read.files.iter().zip(&mut named).enumerate() {
        if let Some(fact) = fact.as_mut().filter(|_| at != read.first) {
            fact.content = whole(file, &mut room, people);
        }
    }
    let next = named.iter().skip(read.first).position(Option::is_none);
    let next = next.map(|at| at + read.first);
    let next = next.or_else(|| named.iter().position(Option::is_none));
    let left = read.files.iter().zip(&named);
    let unnamed = unnamed(
        left.filter(|(_, fact)| fact.is_none())
            .map(|(file, _)| file),
    );
    let before = named.iter().take(read.first);
    DiffFacts {
        of: match asked {
            Asked::PullRequest(_) => "pull_request",
            Asked::Refs { .. } => "refs",
            Asked::Commit { .. } => "commit",
        },
        address: Some(asked.page(reading.bitbucket)).filter(|address| fits(address)),
        repository: repository(asked.repository()),
        head,
        from_commit: name(&read.from_commit),
        to_commit: name(&read.to_commit),
        count: counted(read.count),
        context_lines: input
            .whole("context_lines")
            .unwrap_or(DEFAULT_CONTEXT_LINES),
        ignores_whitespace: input.text("whitespace") == Some("ignore"),
        cut: read.is_cut,
        notes: read.notes.iter().take(4).cloned().collect(),
        first: before.filter(|fact| fact.is_some()).count(),
        folders: folders.names,
        files: named.into_iter().flatten().collect(),
        unnamed,
        next,
    }
}

fn head(read: &Read, asked: &Asked, people: &mut People) -> HeadFacts {
    let branch = |branch: &Branch| Some(name(&branch.display_id));
    match (&read.head, asked) {
        (Head::PullRequest(Ok(one)), _) => HeadFacts {
            id: Some(one.id.number),
            title: Some(short(&one.title, MAX_TITLE_CHARS)),
            state: Some(name(one.state.word())),
            draft: one.is_draft,
            source: branch(&one.source),
            target: branch(&one.target),
            author: one.author.as_ref().map(|author| people.somebody(author)),
            ..HeadFacts::default()
        },
        (_, Asked::PullRequest(id)) => HeadFacts {
            id: Some(id.number),
            ..HeadFacts::default()
        },
        (_, Asked::Refs { from, to, .. }) => HeadFacts {
            source: Some(name(from)),
            target: Some(name(to)),
            ..HeadFacts::default()
        },
        (Head::Commit(Ok(one)), _) => HeadFacts {
            commit: Some(name(&one.id)),
            title: Some(short(one.subject(), MAX_TITLE_CHARS)),
            author: one.author.as_ref().map(|author| people.somebody(author)),
            at: one.authored.map(|time| time.to_string()),
            ..HeadFacts::default()
        },
        (_, Asked::Commit { commit, .. }) => HeadFacts {
            commit: Some(name(commit)),
            ..HeadFacts::default()
        },
    }
}

/// The names that fit: the file asked for and those that follow it first, then those before it.
fn names(read: &Read, folders: &mut Folders, room: &mut Room) -> Vec<Option<FileFact>> {
    let share = room.left().min(NAMES_SHARE);
    let mut part = Room::new(share);
    let mut named: Vec<Option<FileFact>> = Vec::new();
    named.resize_with(read.files.len(), || None);
    let order = (read.first..read.files.len()).chain(0..read.first);
    for at in order {
        match folders.file(&read.files[at], &mut part) {
            Some(fact) => named[at] = Some(fact),
            // What follows would fit in part only, which nobody could go on from.
            None => break,
        }
    }
    room.give(share - part.left());
    named
}

/// A file with its lines and comments, or without: what would be part of it is asked for alone.
fn whole(file: &FileDiff, room: &mut Room, people: &mut People) -> ContentFact {
    let mut trial = Room::new(room.left());
    let all = room.left();
    let shares = Shares {
        lines: all,
        both: all,
    };
    let found = content(file, &mut trial, shares, people);
    let threads = found.threads.len() + found.file_threads.len();
    if found.left_out > 0 || threads < file.comments.len() + file.file_comments.len() {
        return ContentFact::default();
    }
    room.give(all - trial.left());
    found
}

/// What there is of a file, its lines first; the threads that nothing names and that do not fit are counted.
fn content(file: &FileDiff, room: &mut Room, shares: Shares, people: &mut People) -> ContentFact {
    let before = room.left();
    let why = |why| ContentFact {
        why: Some(why),
        ..ContentFact::default()
    };
    let mut fact = match file.content {
        Content::Binary => why("binary"),
        Content::NoLines => why("same"),
        Content::NotUnderstood => why("strange"),
        Content::NotCarried => return ContentFact::default(),
        Content::Hunks(_) => {
            let share = room.left().min(shares.lines);
            let mut part = Room::new(share);
            let (hunks, left_out) = lines::hunks(file, &mut part);
            room.give(share - part.left());
            ContentFact {
                hunks: Some(hunks),
                left_out,
                ends: file.is_same_text(),
                cut: !file.is_whole(),
                ..ContentFact::default()
            }
        }
    };
    let share = room.left().min(shares.both - (before - room.left()));
    let mut part = Room::new(share);
    let mut kept = |one: &_| -> Option<ThreadFact> { threads::thread(one, people, &mut part) };
    fact.file_threads = file.file_comments.iter().filter_map(&mut kept).collect();
    let on_lines = file.comments.iter();
    fact.threads = on_lines
        .filter_map(|one| Some((one.root.id, kept(one)?)))
        .collect::<BTreeMap<_, _>>();
    // A line that is carried names the threads on it, so that those are counted there.
    let hunks = fact.hunks.iter().flatten();
    let named: BTreeSet<u64> = hunks
        .flat_map(|hunk| &hunk.lines)
        .flat_map(|line| line.on.iter().copied())
        .collect();
    let is_told = |id: &u64| fact.threads.contains_key(id) || named.contains(id);
    let untold = file.comments.iter().filter(|one| !is_told(&one.root.id));
    fact.more_threads = file.file_comments.len() - fact.file_threads.len() + untold.count();
    room.give(share - part.left());
    fact
}
