//! What the arguments of a list ask of Bitbucket: the same for the tool that answers it and the view that shows it.
//!
//! Never prints and never draws. Start reading at [`pull_requests`]; [`commits`] and [`builds_of`] are its siblings.

use crate::bitbucket::Bitbucket;
use crate::bitbucket::commits::Range;
use crate::bitbucket::listing::{Ask, Listing};
use crate::bitbucket::pull_requests::Wanted;
use crate::cancel::Cancel;
use crate::domain::commit::Commit;
use crate::domain::pull_request::PullRequest;
use crate::domain::repository::{PullRequestId, RepositoryId};
use crate::tool::ToolError;
use crate::tool::args::{Arg, Input, Kind};

const BRANCH_CHARS: usize = 512;

/// What a list of pull requests takes beside a repository.
pub const PULL_REQUESTS_ARGS: &[Arg] = &[
    Arg::optional(
        "state",
        Kind::OneOf(&["OPEN", "MERGED", "DECLINED", "ALL"]),
        "Default OPEN",
    ),
    Arg::optional(
        "role",
        Kind::OneOf(&["author", "reviewer", "participant"]),
        "The person's own part in it",
    ),
    Arg::optional(
        "source_branch",
        Kind::Text {
            max_chars: BRANCH_CHARS,
        },
        "",
    ),
    Arg::optional(
        "target_branch",
        Kind::Text {
            max_chars: BRANCH_CHARS,
        },
        "",
    ),
    Arg::optional(
        "text",
        Kind::Text { max_chars: 256 },
        "Part of title or description",
    ),
    Arg::optional("order", Kind::OneOf(&["NEWEST", "OLDEST"]), ""),
    Arg::START,
    Arg::LIMIT,
];

/// What a list of commits takes beside a repository.
pub const COMMITS_ARGS: &[Arg] = &[
    Arg::optional("id", Kind::PullRequest, "Of this pull request"),
    Arg::optional(
        "until",
        Kind::Ref,
        "Branch, tag or commit; default the default branch",
    ),
    Arg::optional("since", Kind::Ref, "Leaves this and all before it out"),
    Arg::optional("path", Kind::Path, "Only what changes this file or folder"),
    Arg::START,
    Arg::LIMIT,
];

/// What a list of builds takes beside a repository.
pub const BUILDS_ARGS: &[Arg] = &[
    Arg::optional("id", Kind::PullRequest, "A pull request's"),
    Arg::optional("commit_id", Kind::Commit, "A commit's: its 40 hex digits"),
    Arg::START,
    Arg::LIMIT,
];

/// Who asks, and how.
pub struct Asking<'a> {
    /// The way to Bitbucket.
    pub bitbucket: &'a Bitbucket,
    /// The arguments.
    pub input: &'a Input,
    /// Raised when nobody waits for the answer any more.
    pub cancel: &'a Cancel,
    /// Says what is being done now, for a person who waits.
    pub step: &'a (dyn Fn(&str) + Sync),
}

impl Asking<'_> {
    /// The part of a list that the arguments name.
    fn part(&self) -> Ask {
        Ask::first(self.input.limit()).from(self.input.start())
    }
}

/// Reads pull requests: of a repository, or without one the person's own.
///
/// # Errors
/// Arguments that do not go together, and whatever keeps the list from being read.
pub fn pull_requests(asking: &Asking) -> Result<Listing<PullRequest>, ToolError> {
    let input = asking.input;
    let (source, target) = (
        full_name(input.text("source_branch")),
        full_name(input.text("target_branch")),
    );
    let wanted = Wanted {
        state: input.text("state").unwrap_or("OPEN"),
        order: input.text("order"),
        text: input.text("text"),
        role: None,
        source: source.as_deref(),
        target: target.as_deref(),
    };
    let role = input.text("role").map(str::to_ascii_uppercase);
    match input.repository() {
        Some(repository) => of_repository(asking, repository, &wanted, role.as_deref()),
        None => own(asking, &wanted, role.as_deref()),
    }
}

fn of_repository(
    asking: &Asking,
    repository: &RepositoryId,
    wanted: &Wanted,
    role: Option<&str>,
) -> Result<Listing<PullRequest>, ToolError> {
    let (bitbucket, cancel) = (asking.bitbucket, asking.cancel);
    (asking.step)("listing the pull requests");
    let Some(role) = role else {
        return Ok(bitbucket.pull_requests(repository, wanted, asking.part(), cancel)?);
    };
    let Some(me) = bitbucket.me(cancel)? else {
        let problem =
            "`role` needs somebody who is signed in: bb has no credentials, or ones without a user";
        return Err(ToolError::Arguments(vec![problem.to_owned()]));
    };
    let wanted = Wanted {
        role: Some((&me, role)),
        ..*wanted
    };
    Ok(bitbucket.pull_requests(repository, &wanted, asking.part(), cancel)?)
}

fn own(
    asking: &Asking,
    wanted: &Wanted,
    role: Option<&str>,
) -> Result<Listing<PullRequest>, ToolError> {
    let needing_a_repository: Vec<String> = ["source_branch", "target_branch", "text"]
        .into_iter()
        .filter(|name| asking.input.text(name).is_some())
        .map(|name| format!("`{name}` needs a repository: give `project` and `repo` beside it"))
        .collect();
    if !needing_a_repository.is_empty() {
        return Err(ToolError::Arguments(needing_a_repository));
    }
    (asking.step)("listing your pull requests");
    let (bitbucket, cancel) = (asking.bitbucket, asking.cancel);
    Ok(bitbucket.own_pull_requests(wanted, role, asking.part(), cancel)?)
}

/// Bitbucket wants the full name here; a short one matches nothing.
fn full_name(branch: Option<&str>) -> Option<String> {
    branch.map(|name| match name.starts_with("refs/") {
        true => name.to_owned(),
        false => format!("refs/heads/{name}"),
    })
}

/// Reads commits: of a pull request, or of a repository.
///
/// # Errors
/// Arguments that do not go together, and whatever keeps the list from being read.
pub fn commits(asking: &Asking, repository: &RepositoryId) -> Result<Listing<Commit>, ToolError> {
    let (input, bitbucket, cancel) = (asking.input, asking.bitbucket, asking.cancel);
    let Some(id) = input.pull_request() else {
        (asking.step)("listing the commits");
        let range = Range {
            until: input.text("until"),
            since: input.text("since"),
            path: input.text("path"),
        };
        return Ok(bitbucket.commits(repository, &range, asking.part(), cancel)?);
    };
    let problems: Vec<String> = ["until", "since", "path"]
        .into_iter()
        .filter(|name| input.text(name).is_some())
        .map(|name| format!("`{name}` does not go with `id`: leave one of them out"))
        .collect();
    if !problems.is_empty() {
        return Err(ToolError::Arguments(problems));
    }
    (asking.step)("listing the commits of the pull request");
    Ok(bitbucket.commits_of_pull_request(&id, asking.part(), cancel)?)
}

/// Whose builds are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildsAsked {
    /// Those that a pull request's page lists.
    PullRequest(PullRequestId),
    /// A commit's, by its 40 hex digits.
    Commit(String),
}

/// Whose builds the arguments ask for.
///
/// # Errors
/// Both, neither, one that is not whole, or one that is not of the repository beside it.
pub fn builds_of(asking: &Asking) -> Result<BuildsAsked, ToolError> {
    let input = asking.input;
    let refused = |problem: &str| Err(ToolError::Arguments(vec![problem.to_owned()]));
    match (input.text("commit_id"), input.whole("id")) {
        // Bitbucket lists a commit's builds for the whole server; of a repository that was named, or is the scope, it
        // must be a commit first.
        (Some(commit), None) => match input.repository() {
            Some(repository) => {
                let (bitbucket, cancel) = (asking.bitbucket, asking.cancel);
                let found = bitbucket.commit(repository, commit.trim(), cancel)?;
                Ok(BuildsAsked::Commit(whole(&found.id)?))
            }
            None => Ok(BuildsAsked::Commit(whole(commit.trim())?)),
        },
        (None, Some(_)) => match input.pull_request() {
            Some(id) => Ok(BuildsAsked::PullRequest(id)),
            None => refused("`id` needs `project` and `repo` beside it, or give its address"),
        },
        (Some(_), Some(_)) => refused("`commit_id` and `id` are both given: give one of them"),
        (None, None) => {
            refused("give `id` for the builds of a pull request, or `commit_id` for a commit's")
        }
    }
}

/// A commit's id, if it is whole: Bitbucket finds the builds of no other.
fn whole(commit: &str) -> Result<String, ToolError> {
    if commit.len() != 40 || !commit.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(ToolError::Arguments(vec![
            "`commit_id` must be a whole commit id of 40 hex digits: get_commit tells it of a short one, \
             resolve_ref of a branch or tag"
                .to_owned(),
        ]));
    }
    Ok(commit.to_owned())
}
