//! A comment, the thread below it, and where the thread stands.
//!
//! Never placed by its anchor where a diff marks its line: an anchor counts lines on the side that it was written
//! on. Start reading at [`Thread`].

use crate::domain::diff::{FileDiff, Line, LineKind, Side};
use crate::domain::person::Person;
use crate::domain::time::Time;

/// A comment that answers no other, with its replies, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread {
    /// The first comment.
    pub root: Comment,
    /// What it was written on; `None` for one on the pull request as a whole.
    pub anchor: Option<Anchor>,
    /// The lines around it, as they were when it was written.
    pub excerpt: Option<FileDiff>,
}

/// One comment.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// Its number, unique in Bitbucket.
    pub id: u64,
    /// Grows with each edit.
    pub version: Option<i64>,
    /// Markdown.
    pub text: String,
    /// Who wrote it.
    pub author: Option<Person>,
    /// When it was written.
    pub created: Option<Time>,
    /// When it last changed.
    pub updated: Option<Time>,
    /// How it stands as a task, if it is one.
    pub task: Option<TaskState>,
    /// Whether only its author sees it yet.
    pub is_pending: bool,
    /// Whether its thread was resolved; of use on a thread's first comment. `None` where Bitbucket is older than that.
    pub is_thread_resolved: Option<bool>,
    /// Who resolved the task or the thread.
    pub resolver: Option<Person>,
    /// When.
    pub resolved: Option<Time>,
    /// What this person may do to it.
    pub may: Permitted,
    /// In order of writing.
    pub replies: Vec<Comment>,
}

/// What whoever asked may do to a comment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permitted {
    /// Change its text.
    pub edit: bool,
    /// Make it a task or no task, resolve it or open it again.
    pub transition: bool,
    /// Delete it.
    pub delete: bool,
}

/// How a task stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// To be done.
    Open,
    /// Done.
    Resolved,
    /// A word that bb does not know.
    Other(String),
}

impl TaskState {
    /// Reads Bitbucket's word.
    pub fn read(word: &str) -> Self {
        match word {
            "OPEN" | "PENDING" | "" => Self::Open,
            "RESOLVED" => Self::Resolved,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Bitbucket's word.
    pub fn word(&self) -> &str {
        match self {
            Self::Open => "OPEN",
            Self::Resolved => "RESOLVED",
            Self::Other(word) => word,
        }
    }
}

/// What a thread was written on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The file.
    pub path: String,
    /// Where the file was before, if that is another path.
    pub source_path: Option<String>,
    /// A line's number on [`Self::side`], from 1; `None` for a thread on the file as a whole.
    pub line: Option<u64>,
    /// The side that [`Self::line`] counts on.
    pub side: Side,
    /// The first of several lines, on the same side.
    pub first_line: Option<u64>,
    /// Whether its line left the diff.
    pub is_outdated: bool,
    /// The commit that it was written on, if that is not the whole pull request.
    pub commit: Option<String>,
}

impl Anchor {
    /// The side that a line counts on, of what Bitbucket tells: `FROM` or `TO`, and of old anchors the kind alone.
    pub fn side_of(file_type: Option<&str>, kind: Option<LineKind>) -> Side {
        match (file_type, kind) {
            (Some("FROM"), _) => Side::Old,
            (Some("TO"), _) => Side::New,
            (_, Some(LineKind::Removed)) => Side::Old,
            _ => Side::New,
        }
    }
}

impl Comment {
    /// This comment and all below it, each before its replies.
    pub fn all(&self) -> Vec<&Comment> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(one) = open.pop() {
            found.push(one);
            open.extend(one.replies.iter().rev());
        }
        found
    }

    /// Whether its text was changed after it was written.
    pub fn is_edited(&self) -> bool {
        self.version.is_some_and(|version| version > 0) && self.updated > self.created
    }
}

impl Thread {
    /// Where it stands: the line of its excerpt that is marked with its number, else the one that its anchor counts to
    /// there; a line that both sides have is told by its number on the new one. Without an excerpt, what the anchor
    /// says, on the side that it counts on.
    pub fn spot(&self) -> Option<(Side, u64)> {
        let lines = || self.excerpt.iter().flat_map(FileDiff::lines);
        if let Some(marked) = lines().find(|line| line.comment_ids.contains(&self.root.id)) {
            return marked.spot();
        }
        let anchor = self.anchor.as_ref()?;
        let wanted = anchor.line?;
        let counted = lines().find(|line| match anchor.side {
            Side::Old => line.source == Some(wanted),
            Side::New => line.destination == Some(wanted),
        });
        match counted {
            Some(line) => line.spot(),
            None => Some((anchor.side, wanted)),
        }
    }

    /// The first of several lines, on the side that [`Self::spot`] tells; `None` where there is one line, and where
    /// that side does not have the first, or nothing tells its number there.
    pub fn first_line(&self) -> Option<u64> {
        let anchor = self.anchor.as_ref()?;
        let (first, (side, last)) = (anchor.first_line?, self.spot()?);
        let on = |line: &Line, side: Side| match side {
            Side::Old => line.source,
            Side::New => line.destination,
        };
        let turned = match side == anchor.side {
            true => Some(first),
            false => self
                .excerpt
                .iter()
                .flat_map(FileDiff::lines)
                .find(|line| on(line, anchor.side) == Some(first))
                .and_then(|line| on(line, side)),
        };
        turned.filter(|first| *first <= last)
    }

    /// Whether nobody needs to look at it any more: it was resolved, or its task was, and no task below is open.
    pub fn is_resolved(&self) -> bool {
        let is_settled = match &self.root.task {
            Some(state) => *state == TaskState::Resolved,
            None => self.root.is_thread_resolved == Some(true),
        };
        let is_open = |one: &Comment| {
            one.task
                .as_ref()
                .is_some_and(|task| *task != TaskState::Resolved)
        };
        is_settled && !self.root.all().into_iter().any(is_open)
    }
}
