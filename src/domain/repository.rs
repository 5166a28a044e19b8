//! Where things are: projects, repositories, and the ids of what they hold.

use std::fmt;

/// A repository's place: its project's key, `~user` for a personal one, and its slug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryId {
    /// The key, in the case that Bitbucket or the caller gave.
    pub project: String,
    /// The slug.
    pub slug: String,
}

impl RepositoryId {
    /// Whether both are one repository. Keys and slugs are compared without regard to case.
    pub fn is(&self, other: &Self) -> bool {
        self.project.eq_ignore_ascii_case(&other.project)
            && self.slug.eq_ignore_ascii_case(&other.slug)
    }
}

/// `ACME/rocket`
impl fmt::Display for RepositoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.project, self.slug)
    }
}

/// A pull request's place: the target repository, and its number there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullRequestId {
    /// The repository that the pull request would change.
    pub repository: RepositoryId,
    /// From 1.
    pub number: u64,
}

/// `pull request 42 of ACME/rocket`
impl fmt::Display for PullRequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pull request {} of {}", self.number, self.repository)
    }
}

/// A repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// Where it is.
    pub id: RepositoryId,
    /// Its number, by which some of Bitbucket's questions name it; 0 where it does not say.
    pub number: u64,
    /// What it shares with its forks and with what it was forked from; `None` where Bitbucket does not say.
    pub hierarchy: Option<String>,
    /// What a page calls it.
    pub name: String,
    /// What a page calls its project.
    pub project_name: String,
    /// One line; empty if there is none.
    pub description: String,
    /// Whether nothing in it can change any more.
    pub is_archived: bool,
    /// Whether anybody may read it.
    pub is_public: bool,
    /// What it was forked from, where this user may see that.
    pub fork_of: Option<RepositoryId>,
    /// Where git finds it: the name of a protocol, such as `http` or `ssh`, and the address. In Bitbucket's order.
    pub clone_links: Vec<(String, String)>,
    /// Its page, as Bitbucket gives it.
    pub page: Option<String>,
}
