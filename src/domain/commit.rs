//! A commit.

use crate::domain::person::Person;
use crate::domain::time::Time;

/// A commit as Bitbucket tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// 40 hex digits, or 64.
    pub id: String,
    /// Who wrote it: an account where Bitbucket knows the address, else the name that git has.
    pub author: Option<Person>,
    /// When it was written.
    pub authored: Option<Time>,
    /// Who put it where it is.
    pub committer: Option<Person>,
    /// When that was.
    pub committed: Option<Time>,
    /// Subject, and body below a blank line.
    pub message: String,
    /// The commits it follows: none for a first one, several for a merge.
    pub parents: Vec<String>,
}

impl Commit {
    /// The first line of its message.
    pub fn subject(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    /// Whether its message says more than the subject.
    pub fn has_body(&self) -> bool {
        self.message
            .lines()
            .skip(1)
            .any(|line| !line.trim().is_empty())
    }
}
