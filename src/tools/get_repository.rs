//! `get_repository`: one repository, and how to get it.

use crate::beside::beside;
use crate::bitbucket::error::ApiError;
use crate::domain::reference::Reference;
use crate::domain::repository::Repository;
use crate::tool::answer::Answer;
use crate::tool::args::Target;
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};
use std::thread::scope;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "get_repository",
    title: "Get repository",
    group: Group::Repositories,
    description: "One repository: name, description, default branch, clone links, whether it is archived, what it is a \
                  fork of.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: &[],
    example: r#"{"project":"ACME","repo":"rocket"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let id = shapes::repository(call)?;
    (call.step)("reading the repository");
    let (one, default_branch) = scope(|threads| {
        let default_branch = beside(threads, || call.bitbucket.default_branch(id, call.cancel));
        let one = call.bitbucket.repository(id, call.cancel);
        let default_branch = default_branch.get();
        (one, default_branch)
    });
    Ok(Answer::one(value(call, &one?, default_branch)))
}

fn value(
    call: &Call,
    one: &Repository,
    default_branch: Result<Option<Reference>, ApiError>,
) -> Value {
    let id = &one.id;
    let page = call.bitbucket.base().repository_page(&id.project, &id.slug);
    let clone: serde_json::Map<String, Value> = one
        .clone_links
        .iter()
        .map(|(protocol, address)| (protocol.clone(), json!(address)))
        .collect();
    // A part that cannot be read says so in its place.
    let (branch, unread) = match default_branch {
        Ok(branch) => (branch.map(|branch| branch.display_id), None),
        Err(error) => (None, Some(json!({"unread": error.to_string()}))),
    };
    json!({
        "repository": id.to_string(),
        "name": one.name,
        "project": Some(&one.project_name).filter(|name| !name.is_empty()),
        "description": Some(&one.description).filter(|text| !text.is_empty()),
        "defaultBranch": branch.map(Value::from).or(unread),
        "archived": one.is_archived,
        "public": Some(true).filter(|_| one.is_public),
        "origin": one.fork_of.as_ref().map(ToString::to_string),
        "clone": Some(clone).filter(|links| !links.is_empty()),
        "url": call.bitbucket.base().page_or(one.page.as_ref(), page),
    })
}

fn result() -> Value {
    let text = json!({"type": "string"});
    shapes::object(json!({
        "repository": text, "name": text, "project": text, "description": text,
        "defaultBranch": {"anyOf": [text, shapes::object(json!({"unread": text}))]},
        "archived": {"type": "boolean"}, "public": {"type": "boolean"}, "origin": text,
        "clone": {"type": "object", "additionalProperties": text}, "url": text, "cut": text,
    }))
}
