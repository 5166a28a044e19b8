//! Which builds a target branch wants before a pull request is merged, decided as Bitbucket's merge check decides it.
//!
//! Says [`Required::CannotTell`] wherever the check might say otherwise. Start reading at [`decide`].

use crate::domain::build::{Build, BuildState};
use crate::domain::ref_matcher::{Branches, RefMatcher};
use std::collections::BTreeSet;

/// One rule of a repository: what must have been built for which branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The keys that a build reports under as its parent.
    pub keys: Vec<String>,
    /// The target branches that it is about.
    pub target: RefMatcher,
    /// The source branches that it lets through.
    pub exempt: Option<RefMatcher>,
    /// Whether it holds for pull requests; some hold for a merge queue alone (since Bitbucket 10).
    pub is_for_pull_requests: bool,
}

/// What is wanted of one pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Required {
    /// bb does not know what Bitbucket's check would say.
    CannotTell,
    /// Each key once, in the order of the alphabet.
    Known(Vec<RequiredBuild>),
}

/// One key that must have a successful build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequiredBuild {
    /// The key.
    pub key: String,
    /// Whether there is one.
    pub is_met: bool,
    /// How the build that decides stands: successful where it is met, else the worst; `None` where there is none.
    pub state: Option<BuildState>,
}

impl Condition {
    /// Whether it holds for a pull request between two branches; `None` where bb cannot tell. What is sure on one
    /// side decides, whatever the other side may be.
    pub fn holds(&self, source: &str, target: &str, branches: &Branches) -> Option<bool> {
        if !self.is_for_pull_requests {
            return Some(false);
        }
        let is_about = self.target.matches(target, branches);
        let is_exempt = match &self.exempt {
            Some(matcher) => matcher.matches(source, branches),
            None => Some(false),
        };
        match (is_about, is_exempt) {
            (Some(false), _) | (_, Some(true)) => Some(false),
            (Some(true), Some(false)) => Some(true),
            _ => None,
        }
    }

    /// Every matcher that it asks, when it holds for pull requests.
    pub fn matchers(&self) -> impl Iterator<Item = &RefMatcher> {
        [Some(&self.target), self.exempt.as_ref()]
            .into_iter()
            .flatten()
            .filter(|_| self.is_for_pull_requests)
    }
}

/// Decides what is wanted of a pull request from `source` into `target`, both full names, and what of it there is
/// among the `builds` of its newest commit.
pub fn decide(
    conditions: &[Condition],
    source: &str,
    target: &str,
    branches: &Branches,
    builds: &[Build],
) -> Required {
    let mut keys = BTreeSet::new();
    for condition in conditions {
        match condition.holds(source, target, branches) {
            None => return Required::CannotTell,
            Some(true) => keys.extend(condition.keys.iter()),
            Some(false) => {}
        }
    }
    let decided = keys.into_iter().map(|key| {
        let states = builds
            .iter()
            .filter(|build| counts(build, key, source))
            .map(|build| &build.state);
        let is_met = states.clone().any(|state| *state == BuildState::Successful);
        let state = match is_met {
            true => Some(BuildState::Successful),
            // The states stand in the order of how bad they are.
            false => states.min().cloned(),
        };
        RequiredBuild {
            key: key.clone(),
            is_met,
            state,
        }
    });
    Required::Known(decided.collect())
}

/// A build counts under the exact key that it reports, and only if it was made for the source branch or for none.
fn counts(build: &Build, key: &str, source: &str) -> bool {
    build.parent.as_deref() == Some(key)
        && build.reference.as_deref().is_none_or(|name| name == source)
}

#[cfg(test)]
mod tests;
