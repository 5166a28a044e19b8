//! `get_commit`: one commit, and what it changed.

use crate::beside::beside;
use crate::bitbucket::diffs::DiffOf;
use crate::bitbucket::error::ApiError;
use crate::domain::commit::Commit;
use crate::domain::diff::Changes;
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
    name: "get_commit",
    title: "Get commit",
    group: Group::Commits,
    description: "One commit with its whole message and the files it changed (srcPath is where one was before), against \
                  its first parent.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::required("commit_id", Kind::Commit, ""),
        Arg::START,
        shapes::CHANGES_LIMIT,
    ],
    example: r#"{"project":"ACME","repo":"rocket","commit_id":"3f2504e04f8"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let repository = shapes::repository(call)?;
    let id = call.input.text("commit_id").unwrap_or_default();
    let of = DiffOf::Commit {
        repository,
        commit: id,
    };
    (call.step)("reading the commit and its changes");
    let (commit, changes) = scope(|threads| {
        let changes = beside(threads, || call.bitbucket.changes(of, call.cancel));
        let commit = call.bitbucket.commit(repository, id, call.cancel);
        let changes = changes.get();
        (commit, changes)
    });
    Ok(answer(call, repository, &commit?, changes))
}

fn answer(
    call: &Call,
    repository: &RepositoryId,
    commit: &Commit,
    changes: Result<Changes, ApiError>,
) -> Answer {
    let is_other = commit.committer != commit.author;
    let is_later = commit.committed != commit.authored;
    let mut head = json!({
        "id": commit.id,
        "author": commit.author.as_ref().map(shapes::person),
        "authorTimestamp": shapes::time(commit.authored),
        "committer": commit.committer.as_ref().filter(|_| is_other).map(shapes::person),
        "committerTimestamp": shapes::time(commit.committed.filter(|_| is_later)),
        "message": commit.message,
        "parents": commit.parents,
        "url": call.bitbucket.base().commit_page(&repository.project, &repository.slug, &commit.id),
    });
    match changes {
        Ok(all) => {
            let part = shapes::asked_part(all, call);
            let start = call.input.start();
            Answer::one_with_list(head, "changes", &part, start, shapes::change)
        }
        // A part that cannot be read says so in its place.
        Err(error) => {
            head["changes"] = json!({"unread": error.to_string()});
            Answer::one(head)
        }
    }
}

fn result() -> Value {
    let text = json!({"type": "string"});
    let mut schema = shapes::list_schema("changes", shapes::change_schema());
    let list = schema["properties"]["changes"].take();
    schema["properties"]["changes"] =
        json!({"anyOf": [list, shapes::object(json!({"unread": text}))]});
    for name in [
        "id",
        "author",
        "authorTimestamp",
        "committer",
        "committerTimestamp",
        "message",
        "url",
    ] {
        schema["properties"][name] = text.clone();
    }
    schema["properties"]["parents"] = json!({"type": "array", "items": text});
    schema
}
