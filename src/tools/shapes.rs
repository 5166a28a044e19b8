//! Values that several tools answer, in Bitbucket's names, and the JSON Schema of each.
//!
//! A missing part is null here; [`crate::tool::answer`] leaves nulls out.

use crate::bitbucket::listing::Listing;
use crate::clean;
use crate::domain::build::{BuildSummary, BuildsOf};
use crate::domain::commit::Commit;
use crate::domain::diff::{Change, Changes, Node};
use crate::domain::person::Person;
use crate::domain::pull_request::{Branch, MergeCheck, PullRequest, Reviewer};
use crate::domain::reference::Reference;
use crate::domain::repository::RepositoryId;
use crate::domain::time::Time;
use crate::tool::args::{Arg, Kind};
use crate::tool::{Call, ToolError};
use serde_json::{Value, json};

/// How many changed files are told unless a call asks for another number.
const DEFAULT_CHANGES: u64 = 100;

/// How many changed files are wanted.
pub(super) const CHANGES_LIMIT: Arg = Arg::optional(
    "limit",
    Kind::Whole { min: 1, max: 1_000 },
    "Changed files, default 100",
);

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

/// A commit as a list tells it: a body is left to `get_commit`, and ` […]` stands for it.
pub(super) fn listed_commit(commit: &Commit) -> Value {
    let more = if commit.has_body() { " […]" } else { "" };
    let is_merge = commit.parents.len() > 1;
    json!({
        "id": commit.id,
        "author": commit.author.as_ref().map(person),
        "authorTimestamp": time(commit.authored),
        "message": format!("{}{more}", commit.subject()),
        "parents": Some(&commit.parents).filter(|_| is_merge),
    })
}

pub(super) fn listed_commit_schema() -> Value {
    let text = json!({"type": "string"});
    object(json!({
        "id": text, "author": text, "authorTimestamp": text, "message": text,
        "parents": {"type": "array", "items": text},
    }))
}

/// One file that changed.
pub(super) fn change(change: &Change) -> Value {
    json!({
        "path": change.path,
        "type": change.kind.word(),
        "srcPath": change.source_path,
        "nodeType": match change.node {
            Node::File => None,
            Node::Directory => Some("DIRECTORY"),
            Node::Submodule => Some("SUBMODULE"),
        },
        "executable": change.executable.map(|(_, is_now)| is_now),
    })
}

pub(super) fn change_schema() -> Value {
    let text = json!({"type": "string"});
    object(json!({
        "path": text, "type": text, "srcPath": text, "nodeType": text, "executable": {"type": "boolean"},
    }))
}

/// The part of all changes that a call asks for.
pub(super) fn asked_part(all: Changes, call: &Call) -> Listing<Change> {
    let limit = call.input.whole("limit").unwrap_or(DEFAULT_CHANGES);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    Listing::at_once(all.files, all.count).part(call.input.start(), limit)
}

/// A branch or tag.
pub(super) fn reference(one: &Reference) -> Value {
    json!({
        "displayId": one.display_id,
        "latestCommit": Some(&one.latest_commit).filter(|commit| !commit.is_empty()),
        "isDefault": Some(true).filter(|_| one.is_default),
        "hash": one.tag_object,
    })
}

pub(super) fn reference_schema() -> Value {
    let text = json!({"type": "string"});
    object(json!({
        "displayId": text, "latestCommit": text, "isDefault": {"type": "boolean"}, "hash": text,
    }))
}

/// The repository that a call names: always, for a tool whose target is one.
pub(super) fn repository<'a>(call: &'a Call) -> Result<&'a RepositoryId, ToolError> {
    let missing = || ToolError::Arguments(vec!["`repo` is missing".to_owned()]);
    call.input.repository().ok_or_else(missing)
}

/// The short name of something new below `prefix`; one that belongs elsewhere is refused.
pub(super) fn new_name<'a>(call: &'a Call, prefix: &str) -> Result<&'a str, ToolError> {
    let name = call.input.text("name").unwrap_or_default();
    let short = name.strip_prefix(prefix).unwrap_or(name);
    if short.is_empty() || short.starts_with("refs/") {
        let problem =
            format!("`name` is \"{name}\": it must be a short name, or one below {prefix}");
        return Err(ToolError::Arguments(vec![problem]));
    }
    // What git takes is Bitbucket's to say. It would take this too, and whoever reads the name would see another.
    if clean::code(short, usize::MAX) != short {
        let problem = format!(
            "`name` is \"{}\": it must have no hidden or reordering characters",
            clean::line(name, 200)
        );
        return Err(ToolError::Arguments(vec![problem]));
    }
    Ok(short)
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
