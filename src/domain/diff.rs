//! A diff: which files changed, and how their lines did.
//!
//! Never says more than Bitbucket did: a line that does not exist on a side has no number there, and whatever
//! was cut knows it. Start reading at [`Diff`].

use crate::domain::comment::Thread;
use crate::domain::count::Count;

/// The diffs of several files, between two commits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// The older commit; empty where Bitbucket does not say.
    pub from_commit: String,
    /// The newer commit; empty where Bitbucket does not say.
    pub to_commit: String,
    /// In Bitbucket's order.
    pub files: Vec<FileDiff>,
    /// Whether Bitbucket cut it at its own limit: files after the last are missing, and the last may be short.
    pub is_truncated: bool,
}

/// Which files changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes {
    /// The older commit; empty where Bitbucket does not say.
    pub from_commit: String,
    /// The newer commit; empty where Bitbucket does not say.
    pub to_commit: String,
    /// In Bitbucket's order.
    pub files: Vec<Change>,
    /// How many there are: Bitbucket gives no more than its limit, 1,000 by default.
    pub count: Count,
}

/// What happened to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// Where it is now; where it was, for one that is gone.
    pub path: String,
    /// Where it was, or what it is a copy of, if that is another path.
    pub source_path: Option<String>,
    /// What it is.
    pub node: Node,
    /// Whether it may be run: before and now. Only where Bitbucket tells both and they differ.
    pub executable: Option<(bool, bool)>,
    /// Whether both ends changed it in ways that do not go together.
    pub is_conflicting: bool,
    /// Bitbucket's count of comments that stand in its diff, where it counts.
    pub comments: Option<u64>,
    /// Bitbucket's count of comments whose line left the diff, where it counts.
    pub outdated_comments: Option<u64>,
}

/// What happened to a file, by the names that Bitbucket's page uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its content or its mode is another.
    Modified,
    /// It is gone.
    Deleted,
    /// It has another name in the same folder.
    Renamed,
    /// It is in another folder.
    Moved,
    /// It is new, and like another.
    Copied,
    /// A word that bb does not know.
    Other(String),
}

impl ChangeKind {
    /// Reads Bitbucket's word; what it calls a move has two names on its page.
    pub fn read(word: &str, path: &str, source_path: Option<&str>) -> Self {
        match word {
            "ADD" => Self::Added,
            "MODIFY" => Self::Modified,
            "DELETE" => Self::Deleted,
            "COPY" => Self::Copied,
            "MOVE" => Self::moved(path, source_path),
            other => Self::Other(other.to_owned()),
        }
    }

    /// A move, by which of the two paths' parts differs.
    pub fn moved(path: &str, source_path: Option<&str>) -> Self {
        match source_path.map(folder) {
            Some(from) if from != folder(path) => Self::Moved,
            _ => Self::Renamed,
        }
    }

    /// The word on Bitbucket's page.
    pub fn word(&self) -> &str {
        match self {
            Self::Added => "Added",
            Self::Modified => "Modified",
            Self::Deleted => "Deleted",
            Self::Renamed => "Renamed",
            Self::Moved => "Moved",
            Self::Copied => "Copied",
            Self::Other(word) => word,
        }
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Node {
    /// A file, or what bb takes for one.
    #[default]
    File,
    /// A folder.
    Directory,
    /// Another repository, at one of its commits.
    Submodule,
}

/// One file's diff.
#[derive(Clone, Debug, PartialEq)]
pub struct FileDiff {
    /// What happened to it.
    pub change: Change,
    /// What there is to show.
    pub content: Content,
    /// Whether Bitbucket cut it: lines after the last are missing.
    pub is_truncated: bool,
    /// The threads on its lines: those whose ids its lines hold. Only where comments were asked for.
    pub comments: Vec<Thread>,
    /// The threads on the file as a whole. Only where comments were asked for.
    pub file_comments: Vec<Thread>,
}

/// What there is of a file's diff.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Lines; never empty.
    Hunks(Vec<Hunk>),
    /// It is no text.
    Binary,
    /// No line differs: an empty file, another name, another mode.
    NoLines,
    /// Bitbucket cut the whole diff before this file: it can be asked for alone.
    NotCarried,
    /// What Bitbucket gave is not what bb understands.
    NotUnderstood,
}

/// Neighboring lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The line that heads the part it lies in, such as a function's; empty if there is none.
    pub context: String,
    /// Its lines before.
    pub source: Span,
    /// Its lines now.
    pub destination: Span,
    /// In order.
    pub lines: Vec<Line>,
    /// Whether Bitbucket cut it: lines after the last are missing.
    pub is_truncated: bool,
}

/// Where a hunk lies on one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first line's number, from 1; 0 where the side has no lines, as a unified diff writes it.
    pub line: u64,
    /// How many lines.
    pub lines: u64,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it exists.
    pub kind: LineKind,
    /// Its number before, from 1; only where it existed.
    pub source: Option<u64>,
    /// Its number now, from 1; only where it exists.
    pub destination: Option<u64>,
    /// Without its line feed; a carriage return before that stays.
    pub text: String,
    /// The threads that stand on it, in order.
    pub comment_ids: Vec<u64>,
    /// Whether Bitbucket cut its text.
    pub is_truncated: bool,
}

/// Where a line exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Before and now.
    Context,
    /// Now alone.
    Added,
    /// Before alone.
    Removed,
}

/// One side of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The file before.
    Old,
    /// The file as it would be.
    New,
}

impl Side {
    /// The word that tools take and tell.
    pub fn word(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

impl Line {
    /// The side and the number that a comment on it is told by: those of the file as it would be, if it is there.
    pub fn spot(&self) -> Option<(Side, u64)> {
        match (self.destination, self.source) {
            (Some(line), _) => Some((Side::New, line)),
            (None, Some(line)) => Some((Side::Old, line)),
            (None, None) => None,
        }
    }
}

impl Diff {
    /// Gives each file what `changes` tells of it, in the order there, and adds the files that the diff was cut
    /// before, so that none is missing that Bitbucket names.
    pub fn join(&mut self, changes: &Changes) {
        let mut mine: Vec<Option<FileDiff>> = self.files.drain(..).map(Some).collect();
        let places: std::collections::HashMap<String, usize> = mine
            .iter()
            .enumerate()
            .filter_map(|(at, file)| Some((file.as_ref()?.change.path.clone(), at)))
            .collect();
        for change in &changes.files {
            let found = places.get(&change.path).and_then(|at| mine[*at].take());
            self.files.push(match found {
                Some(mut file) => {
                    file.change = change.clone();
                    file
                }
                // Of a diff that is whole, a file is missing because none of its lines count as changed.
                None if !self.is_truncated => FileDiff {
                    content: Content::NoLines,
                    ..FileDiff::not_carried(change.clone())
                },
                None => FileDiff::not_carried(change.clone()),
            });
        }
        // What the changes do not name is kept: they have a limit of their own.
        self.files.extend(mine.into_iter().flatten());
    }
}

impl FileDiff {
    /// A file whose diff is not there.
    pub fn not_carried(change: Change) -> Self {
        Self {
            change,
            content: Content::NotCarried,
            is_truncated: false,
            comments: Vec::new(),
            file_comments: Vec::new(),
        }
    }

    /// Takes the place of what came of this file from a `diff` that was asked for it alone. What the list of changes
    /// said of it stays.
    pub fn adopt(&mut self, diff: Diff) {
        let mut came = diff.files;
        let path = &self.change.path;
        let at = came.iter().position(|one| one.change.path == *path);
        let at = at.unwrap_or(0);
        if at >= came.len() {
            self.content = match diff.is_truncated {
                true => Content::NotCarried,
                false => Content::NoLines,
            };
            return;
        }
        let change = self.change.clone();
        *self = came.swap_remove(at);
        self.is_truncated |= diff.is_truncated;
        self.change = change;
    }

    /// Its hunks; none if it has no lines to show.
    pub fn hunks(&self) -> &[Hunk] {
        match &self.content {
            Content::Hunks(hunks) => hunks,
            _ => &[],
        }
    }

    /// Its lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.hunks().iter().flat_map(|hunk| &hunk.lines)
    }

    /// How many lines were added and removed; `None` where its lines are not there, or not all of them.
    pub fn sums(&self) -> Option<(u64, u64)> {
        if !self.is_whole() || self.hunks().is_empty() {
            return None;
        }
        let of = |kind| self.lines().filter(|line| line.kind == kind).count() as u64;
        Some((of(LineKind::Added), of(LineKind::Removed)))
    }

    /// Whether Bitbucket gave all of it; a single line that it cut does not count.
    pub fn is_whole(&self) -> bool {
        let is_there = !matches!(self.content, Content::NotCarried | Content::NotUnderstood);
        is_there && !self.is_truncated && self.hunks().iter().all(|hunk| !hunk.is_truncated)
    }

    /// How many threads stand in it: Bitbucket's count, else those that came with it.
    pub fn comment_count(&self) -> u64 {
        let came = (self.comments.len() + self.file_comments.len()) as u64;
        self.change.comments.unwrap_or(came)
    }

    /// Whether the same lines were removed and added: what differs then is their ends, or that the last has one.
    pub fn is_same_text(&self) -> bool {
        let texts = |kind| {
            self.lines()
                .filter(move |line| line.kind == kind)
                .map(|line| line.text.trim_end_matches('\r'))
        };
        self.is_whole()
            && texts(LineKind::Added).next().is_some()
            && texts(LineKind::Added).eq(texts(LineKind::Removed))
    }
}

#[cfg(test)]
mod tests {
    use super::ChangeKind;

    #[test]
    fn a_move_is_called_as_bitbuckets_page_calls_it() {
        for (from, to, word) in [
            ("a.go", "b.go", "Renamed"),
            ("x/a.go", "x/b.go", "Renamed"),
            ("x/a.go", "y/a.go", "Moved"),
            ("a.go", "x/a.go", "Moved"),
            ("x/a.go", "x/y/b.go", "Moved"),
        ] {
            assert_eq!(ChangeKind::read("MOVE", to, Some(from)).word(), word);
        }
        assert_eq!(ChangeKind::read("MOVE", "a.go", None).word(), "Renamed");
        assert_eq!(ChangeKind::read("MELT", "a.go", None).word(), "MELT");
    }
}
