//! Values that several tools answer, in Bitbucket's names, and the JSON Schema of each.
//!
//! A missing part is null here; [`crate::tool::answer`] leaves nulls out.

use crate::domain::build::{BuildSummary, BuildsOf};
use crate::domain::person::Person;
use crate::domain::pull_request::{Branch, MergeCheck, PullRequest, Reviewer};
use crate::domain::repository::RepositoryId;
use crate::domain::time::Time;
use serde_json::{Value, json};

pub(super) fn person(person: &Person) -> Value {
    json!(person.to_string())
}

pub(super) fn time(time: Option<Time>) -> Value {
    json!(time.map(|time| time.to_string()))
}

/// A branch of a pull request; its repository only where that is another than the target's.
pub(super) fn branch(branch: &Branch, target: &RepositoryId, with_commit: bool) -> Value {
    let elsewhere = branch
        .repository
        .as_ref()
        .filter(|repository| !repository.is(target));
    let commit = Some(&branch.latest_commit).filter(|commit| with_commit && !commit.is_empty());
    json!({
        "displayId": branch.display_id,
        "latestCommit": commit,
        "repository": elsewhere.map(ToString::to_string),
    })
}

pub(super) fn reviewer(reviewer: &Reviewer, latest_commit: &str) -> Value {
    let is_older = reviewer
        .last_reviewed
        .as_ref()
        .is_some_and(|commit| !latest_commit.is_empty() && commit != latest_commit);
    json!({
        "user": person(&reviewer.person),
        "status": reviewer.status.word(),
        "lastReviewedCommit": reviewer.last_reviewed.as_ref().filter(|_| is_older),
    })
}

pub(super) fn merge_check(check: &MergeCheck) -> Value {
    let vetoes: Vec<Value> = check
        .vetoes
        .iter()
        .map(|veto| json!({"summaryMessage": veto.summary, "detailedMessage": veto.detail}))
        .collect();
    json!({
        "canMerge": check.can_merge,
        "conflicted": check.is_conflicted,
        "vetoes": Some(vetoes).filter(|vetoes| !vetoes.is_empty()),
    })
}

/// Builds summed up. `of` says what was counted where it is not what the pull request's page counts.
pub(super) fn builds(summary: &BuildSummary) -> Value {
    let counts = &summary.counts;
    json!({
        "successful": counts.successful,
        "failed": counts.failed,
        "inProgress": counts.in_progress,
        "cancelled": counts.cancelled,
        "unknown": counts.unknown,
        "of": match &summary.of {
            BuildsOf::PullRequest => None,
            BuildsOf::Commit(commit) => Some(format!("commit {commit}, for any branch")),
        },
        "more": Some(true).filter(|_| !summary.is_whole),
    })
}

/// A pull request as a list tells it.
pub(super) fn listed_pull_request(one: &PullRequest, with_repository: bool) -> Value {
    let mut said = serde_json::Map::new();
    for reviewer in &one.reviewers {
        let count = said
            .entry(reviewer.status.word())
            .or_insert_with(|| json!(0));
        *count = json!(count.as_u64().unwrap_or(0) + 1);
    }
    json!({
        "id": one.id.number,
        "title": one.title,
        "state": one.state.word(),
        "draft": Some(true).filter(|_| one.is_draft),
        "author": one.author.as_ref().map(person),
        "fromRef": branch(&one.source, &one.id.repository, false),
        "toRef": branch(&one.target, &one.id.repository, false),
        "repository": Some(one.id.repository.to_string()).filter(|_| with_repository),
        "updatedDate": time(one.updated),
        "reviewers": Some(said).filter(|said| !said.is_empty()),
        "commentCount": one.comments.filter(|count| *count > 0),
        "openTaskCount": one.open_tasks.filter(|count| *count > 0),
    })
}

/// An object's schema; properties may all be missing.
pub(super) fn object(properties: Value) -> Value {
    json!({"type": "object", "properties": properties})
}

pub(super) fn branch_schema() -> Value {
    object(json!({
        "displayId": {"type": "string"},
        "latestCommit": {"type": "string"},
        "repository": {"type": "string"},
    }))
}

/// The schema of a list of `entries` called `name`.
pub(super) fn list_schema(name: &str, entry: Value) -> Value {
    object(json!({
        name: {"type": "array", "items": entry},
        "shown": {"type": "integer"},
        "total": {"type": "integer"},
        "more": {"type": "boolean"},
        "at_least": {"type": "integer"},
        "next": {"type": "integer"},
        "cut": {"type": "string"},
        "note": {"type": "string"},
    }))
}
