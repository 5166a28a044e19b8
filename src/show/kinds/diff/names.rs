//! The names of files as they travel: a folder is written once, a file by its name in it.
//!
//! Never holds a file's lines. Start reading at [`Folders`].

use super::shapes::{ContentFact, FileFact};
use crate::domain::diff::{ChangeKind, FileDiff, Node};
use crate::show::fit::{Room, short};
use std::collections::{BTreeMap, HashMap};

/// Linux takes paths of 4,096 bytes; nobody reads one.
const MAX_PATH_CHARS: usize = 1_000;
/// Folders of files that are not named; the others are counted under the last one.
const MAX_UNNAMED_FOLDERS: usize = 60;

/// The folders that are written so far.
#[derive(Default)]
pub(super) struct Folders {
    pub(super) names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Folders {
    /// A file's name and what happened to it, if there is room for it.
    pub(super) fn file(&mut self, file: &FileDiff, room: &mut Room) -> Option<FileFact> {
        let change = &file.change;
        let path = short(&change.path, MAX_PATH_CHARS);
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let known = self.places.get(folder).copied();
        let is_moved = change.source_path.is_some();
        let fact = FileFact {
            folder: known.unwrap_or(self.names.len()),
            name: name.to_owned(),
            kind: (change.kind != ChangeKind::Modified).then(|| short(change.kind.word(), 40)),
            from: change
                .source_path
                .as_ref()
                .filter(|_| is_moved)
                .map(|from| short(from, MAX_PATH_CHARS)),
            node: match change.node {
                Node::File => None,
                Node::Directory => Some("folder"),
                Node::Submodule => Some("submodule"),
            },
            executable: change.executable,
            conflict: change.is_conflicting,
            comments: file.comment_count(),
            sums: file.sums(),
            content: ContentFact::default(),
        };
        let is_there = match known {
            Some(_) => room.takes(&fact),
            None => room.takes(&(folder, &fact)),
        };
        if !is_there {
            return None;
        }
        if known.is_none() {
            self.places.insert(folder.to_owned(), self.names.len());
            self.names.push(folder.to_owned());
        }
        Some(fact)
    }
}

/// How many files of each folder are not named.
pub(super) fn unnamed<'a>(files: impl Iterator<Item = &'a FileDiff>) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for file in files {
        let path = &file.change.path;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        *counts.entry(short(folder, 120)).or_default() += 1;
    }
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    if counts.len() > MAX_UNNAMED_FOLDERS {
        let rest: u64 = counts.drain(MAX_UNNAMED_FOLDERS..).map(|(_, n)| n).sum();
        counts.push(("…".to_owned(), rest));
    }
    counts
}
