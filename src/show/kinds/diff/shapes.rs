//! The JSON of a diff's facts, as `view/kinds/diff.js` documents it. What is the same for most files is left out.
//!
//! Never decides what they hold: [`super::facts`] does. Start reading at [`DiffFacts`].

use crate::show::comments::Talk;
use crate::show::shapes::{Counted, Repository, Somebody, is_false};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// `DiffFacts`
#[derive(Serialize)]
pub(super) struct DiffFacts {
    pub(super) of: &'static str,
    pub(super) address: Option<String>,
    pub(super) repository: Repository,
    #[serde(flatten)]
    pub(super) head: HeadFacts,
    pub(super) from_commit: String,
    pub(super) to_commit: String,
    pub(super) count: Counted,
    pub(super) context_lines: u64,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) ignores_whitespace: bool,
    /// Whether Bitbucket cut it at its own limit.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) cut: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    pub(super) folders: Vec<String>,
    pub(super) files: Vec<FileFact>,
    /// The place in `files` of the file asked for.
    pub(super) first: usize,
    /// Files that are not named, by folder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unnamed: Vec<(String, u64)>,
    /// The place in Bitbucket's order of the first file that is not named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<usize>,
}

/// What it is of; nothing of two refs but their names.
#[derive(Default, Serialize)]
pub(super) struct HeadFacts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) draft: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) author: Option<Somebody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) commit: Option<String>,
}

/// One file.
#[derive(Serialize)]
pub(super) struct FileFact {
    /// Its folder's place in `folders`.
    #[serde(rename = "in")]
    pub(super) folder: usize,
    pub(super) name: String,
    /// Bitbucket's word; left out of a modified one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
    /// Where it was, whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) node: Option<&'static str>,
    /// Whether it may be run: before and now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) executable: Option<(bool, bool)>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) conflict: bool,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) comments: u64,
    /// Lines added and removed, where all of them are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sums: Option<(u64, u64)>,
    #[serde(flatten)]
    pub(super) content: ContentFact,
}

/// What there is of a file. All left out: its lines are not carried.
#[derive(Default, Serialize)]
pub(super) struct ContentFact {
    /// `binary`, `same` (no line differs), `strange`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hunks: Option<Vec<HunkFact>>,
    /// Whether the same lines were removed and added, but for their ends.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) ends: bool,
    /// Whether Bitbucket cut it.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) cut: bool,
    /// Lines that were left out here because they do not fit.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) left_out: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) threads: BTreeMap<u64, ThreadFact>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) file_threads: Vec<ThreadFact>,
    /// Threads on the file, or on lines that are not carried, that do not fit.
    #[serde(skip_serializing_if = "crate::show::kinds::list::is_zero")]
    pub(super) more_threads: usize,
}

/// Neighboring lines.
#[derive(Serialize)]
pub(super) struct HunkFact {
    /// The numbers that its first line has, or would have, on each side.
    pub(super) at: (u64, u64),
    #[serde(rename = "in", skip_serializing_if = "String::is_empty")]
    pub(super) context: String,
    pub(super) lines: Vec<LineFact>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) cut: bool,
}

/// `"+text"`, or `["+text", {on: [ids], cut: true}]`.
pub(super) struct LineFact {
    /// `+`, `-` or a blank, then the text.
    pub(super) text: String,
    pub(super) on: Vec<u64>,
    pub(super) is_cut: bool,
}

#[derive(Serialize)]
struct LineMore<'a> {
    #[serde(skip_serializing_if = "<[u64]>::is_empty")]
    on: &'a [u64],
    #[serde(skip_serializing_if = "is_false")]
    cut: bool,
}

impl Serialize for LineFact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.on.is_empty() && !self.is_cut {
            return serializer.serialize_str(&self.text);
        }
        let mut pair = serializer.serialize_seq(Some(2))?;
        pair.serialize_element(&self.text)?;
        pair.serialize_element(&LineMore {
            on: &self.on,
            cut: self.is_cut,
        })?;
        pair.end()
    }
}

/// A thread: what was said, and where it stands beside what the lines say.
#[derive(Serialize)]
pub(super) struct ThreadFact {
    #[serde(flatten)]
    pub(super) talk: Talk,
    /// `old` where it was written on the old side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) side: Option<&'static str>,
    /// The first of several lines, on its side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_line: Option<u64>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}
