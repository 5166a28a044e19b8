//! `resolve_ref`: which commit a name stands for.

use crate::beside::beside;
use crate::bitbucket::error::{ApiError, Fault};
use crate::domain::commit::Commit;
use crate::domain::reference::Reference;
use crate::domain::repository::RepositoryId;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};
use std::thread::scope;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "resolve_ref",
    title: "Resolve ref",
    group: Group::Repositories,
    description: "What a name stands for in a repository: branch, tag or commit, and the commit it points at. Says so \
                  where a branch and a tag share the name.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: &[Arg::required(
        "ref",
        Kind::Ref,
        "Branch, tag or commit; short or in full",
    )],
    example: r#"{"project":"ACME","repo":"rocket","ref":"main"}"#,
    result,
    run,
};

/// What a name was found to be; a branch and a tag may share one, and look like a commit's id besides.
struct Found {
    branch: Option<Commit>,
    tag: Option<Reference>,
    commit: Option<Commit>,
}

fn run(call: &Call) -> Result<Answer, ToolError> {
    let repository = shapes::repository(call)?;
    let name = call.input.text("ref").unwrap_or_default();
    (call.step)("looking the name up");
    let found = find(call, repository, name)?;
    Ok(Answer::one(value(name, &found)))
}

fn find(call: &Call, repository: &RepositoryId, name: &str) -> Result<Found, ApiError> {
    let (bitbucket, cancel) = (call.bitbucket, call.cancel);
    let branch = || match name.strip_prefix("refs/tags/") {
        Some(_) => Ok(None),
        None => {
            let short = name.strip_prefix("refs/heads/").unwrap_or(name);
            let full = format!("refs/heads/{short}");
            or_none(bitbucket.commit_named(repository, &full, cancel))
        }
    };
    let tag = || match name.strip_prefix("refs/heads/") {
        Some(_) => Ok(None),
        None => {
            let short = name.strip_prefix("refs/tags/").unwrap_or(name);
            bitbucket.tag(repository, short, cancel)
        }
    };
    let is_id =
        (4..=64).contains(&name.len()) && name.bytes().all(|digit| digit.is_ascii_hexdigit());
    let commit = || match is_id {
        true => or_none(bitbucket.commit(repository, name, cancel).map(Some)),
        false => Ok(None),
    };
    let (branch, tag, commit) = scope(|threads| {
        let (tag, commit) = (beside(threads, tag), beside(threads, commit));
        let branch = branch();
        (branch, tag.get(), commit.get())
    });
    let mut found = Found {
        branch: branch?,
        tag: tag?,
        commit: commit?,
    };
    if found.branch.is_none() && found.tag.is_none() && found.commit.is_none() {
        // Whatever else Bitbucket knows by that name, such as HEAD; else it says itself that there is nothing.
        found.commit = bitbucket.commit_named(repository, name, cancel)?;
    }
    Ok(found)
}

fn or_none(read: Result<Option<Commit>, ApiError>) -> Result<Option<Commit>, ApiError> {
    match read {
        Err(error) if error.fault() == Fault::NotFound => Ok(None),
        other => other,
    }
}

fn value(name: &str, found: &Found) -> Value {
    let short = ["refs/heads/", "refs/tags/"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    let is_both = found.branch.is_some() && found.tag.is_some();
    let is_nothing = found.branch.is_none() && found.tag.is_none() && found.commit.is_none();
    let note = match (is_both, is_nothing) {
        (true, _) => Some(format!(
            "a branch and a tag are called `{short}`: say refs/heads/{short} or refs/tags/{short} where one is meant"
        )),
        (_, true) => Some("nothing has been committed to this repository yet".to_owned()),
        _ => None,
    };
    json!({
        "branch": found.branch.as_ref().map(|commit| json!({
            "id": format!("refs/heads/{short}"),
            "latestCommit": shapes::listed_commit(commit),
        })),
        "tag": found.tag.as_ref().map(|tag| json!({
            "id": format!("refs/tags/{short}"),
            "latestCommit": tag.latest_commit,
            "hash": tag.tag_object,
        })),
        "commit": found.commit.as_ref().map(shapes::listed_commit),
        "note": note,
    })
}

fn result() -> Value {
    let text = json!({"type": "string"});
    let commit = shapes::listed_commit_schema();
    shapes::object(json!({
        "branch": shapes::object(json!({"id": text, "latestCommit": commit})),
        "tag": shapes::object(json!({"id": text, "latestCommit": text, "hash": text})),
        "commit": commit, "note": text, "cut": text,
    }))
}
