//! What the form asks Bitbucket: first which branches it is of, then what they differ in, side by side.
//!
//! Never fails but for the repositories and the branches themselves: a part that cannot be read is an error in its
//! place. Start reading at [`read`].

use crate::beside::beside;
use crate::bitbucket::compare::Pair;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::listing::{Ask, Listing};
use crate::bitbucket::people::Greeting;
use crate::domain::commit::Commit;
use crate::domain::diff::Changes;
use crate::domain::person::Person;
use crate::domain::pull_request::PullRequest;
use crate::domain::repository::{Repository, RepositoryId};
use crate::show::Reading;
use crate::tool::ToolError;
use crate::tool::source::{self, branch_id};
use std::thread::scope;

/// Bitbucket's own bound on a page of commits; a branch that has more is said to have at least so many.
const MAX_COMMITS: usize = 100;

/// Drafted reviewers that are looked up, a request each; the rest stand there by the names that the model gave.
const MAX_LOOKED_UP: usize = 8;

/// Everything that one form is made of.
pub(super) struct Read {
    pub(super) target_repository: Repository,
    pub(super) source_repository: RepositoryId,
    /// Whether both ends are of one family of forks; `None` where Bitbucket does not tell.
    pub(super) is_related: Option<bool>,
    /// Who would create it.
    pub(super) me: Option<String>,
    /// Full names.
    pub(super) source: String,
    pub(super) target: String,
    pub(super) greeting: Result<Greeting, ApiError>,
    pub(super) commits: Result<Listing<Commit>, ApiError>,
    pub(super) changes: Result<Changes, ApiError>,
    /// Whether the source has all that the target has, so that both merge for sure.
    pub(super) is_ahead: Result<bool, ApiError>,
    pub(super) open: Result<Option<PullRequest>, ApiError>,
    pub(super) reviewers: Result<Vec<Reviewer>, ApiError>,
}

/// Somebody who would be asked.
pub(super) struct Reviewer {
    pub(super) person: Person,
    /// Whether the name was looked up and nobody has it who may read the repository.
    pub(super) is_unknown: bool,
}

/// Reads what the form of a pair of branches is made of.
pub(super) fn read(reading: &Reading) -> Result<Read, ToolError> {
    let (bitbucket, cancel, input) = (reading.bitbucket, reading.cancel, reading.input);
    let missing = |name: &str| ToolError::Arguments(vec![format!("`{name}` is missing")]);
    let at = input.repository().ok_or_else(|| missing("repo"))?;
    let source_repository = source::repository(input, at, bitbucket.base())?;
    let source = input.text("source_branch");
    let source = branch_id(source.ok_or_else(|| missing("source_branch"))?);
    let is_fork = !source_repository.is(at);

    let (greeting, target_repository, fork, target) = scope(|threads| {
        let greeting = beside(threads, || bitbucket.greet(cancel));
        let fork = beside(threads, || match is_fork {
            true => bitbucket.repository(&source_repository, cancel).map(Some),
            false => Ok(None),
        });
        let target = beside(threads, || match input.text("target_branch") {
            Some(name) => Ok(Some(branch_id(name))),
            None => bitbucket
                .default_branch(at, cancel)
                .map(|branch| branch.map(|branch| branch.id)),
        });
        let repository = bitbucket.repository(at, cancel);
        (greeting.get(), repository, fork.get(), target.get())
    });
    let target_repository = target_repository?;
    let source_there = fork?.unwrap_or_else(|| target_repository.clone());
    let numbers = (source_there.number, target_repository.number);
    let families = (source_there.hierarchy, &target_repository.hierarchy);
    let is_related = match families {
        (Some(one), Some(other)) => Some(one == *other),
        _ => None,
    };
    let target = target?.ok_or_else(|| {
        ToolError::Arguments(vec![format!(
            "`target_branch` is missing, and {at} has no default branch to take instead: is it empty?"
        )])
    })?;

    let pair = Pair {
        source_repository: &source_repository,
        source: &source,
        repository: at,
        target: &target,
    };
    let me = greeting.as_ref().ok().and_then(|one| one.user.clone());
    let (commits, changes, is_ahead, open, reviewers) = scope(|threads| {
        let changes = beside(threads, || bitbucket.changes_of_pair(&pair, cancel));
        let lacks = beside(threads, || {
            let ask = Ask::first(1).pages_of(1).at_most(1);
            bitbucket.commits_of_pair(&pair.turned(), ask, cancel)
        });
        let open = beside(threads, || bitbucket.open_of_pair(&pair, cancel));
        let reviewers = beside(threads, || match input.values().contains_key("reviewers") {
            true => Ok(drafted(reading, at)),
            false => default(reading, &pair, numbers, me.as_deref()),
        });
        let ask = Ask::first(MAX_COMMITS).at_most(1);
        (
            bitbucket.commits_of_pair(&pair, ask, cancel),
            changes.get(),
            lacks.get().map(|lacks| lacks.values.is_empty()),
            open.get(),
            reviewers.get(),
        )
    });
    Ok(Read {
        target_repository,
        source,
        target,
        greeting,
        commits,
        changes,
        is_ahead,
        open,
        reviewers,
        source_repository,
        is_related,
        me,
    })
}

/// Whom Bitbucket's own form would fill in; whoever creates a pull request cannot review it.
pub(super) fn default(
    reading: &Reading,
    pair: &Pair,
    numbers: (u64, u64),
    me: Option<&str>,
) -> Result<Vec<Reviewer>, ApiError> {
    let people = reading
        .bitbucket
        .default_reviewers(pair, numbers, reading.cancel)?;
    let is_other = |person: &Person| me.is_none_or(|me| !person.name.eq_ignore_ascii_case(me));
    let known = |person| Reviewer {
        person,
        is_unknown: false,
    };
    Ok(people.into_iter().filter(is_other).map(known).collect())
}

/// Whom the model named, with what a page calls them.
fn drafted(reading: &Reading, at: &RepositoryId) -> Vec<Reviewer> {
    let names = reading.input.people("reviewers");
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    scope(|threads| {
        let one = |(place, name): (usize, &str)| {
            let name = name.to_owned();
            beside(threads, move || {
                let found = match place < MAX_LOOKED_UP {
                    true => bitbucket
                        .people(&name, Some(at), Ask::first(25).at_most(1), cancel)
                        .ok(),
                    false => None,
                };
                let is_it = |person: &Person| person.name.eq_ignore_ascii_case(&name);
                let was_found = found.is_some();
                let person = found.and_then(|found| found.values.into_iter().find(is_it));
                Reviewer {
                    is_unknown: was_found && person.is_none(),
                    person: person.unwrap_or_else(|| Person {
                        display_name: String::new(),
                        slug: Some(name.clone()),
                        avatar_url: None,
                        name,
                    }),
                }
            })
        };
        let asked: Vec<_> = names.into_iter().enumerate().map(one).collect();
        asked.into_iter().map(|asked| asked.get()).collect()
    })
}
