//! `search_repositories`: where to look.

use crate::bitbucket::address::project_key;
use crate::bitbucket::listing::Ask;
use crate::domain::repository::Repository;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "search_repositories",
    title: "Search repositories",
    group: Group::Repositories,
    description: "Repositories that the person may read, by a part of their name, in one project or in all. \
                  Call it when project or repo is not known.",
    effect: Effect::Reads,
    target: Target::Nothing,
    reach: Reach::Project,
    args: &[
        Arg::optional("name", Kind::Text { max_chars: 256 }, "Part of the name"),
        Arg::optional("project", Kind::Text { max_chars: 128 }, "A project's key"),
        Arg::START,
        Arg::LIMIT,
    ],
    example: r#"{"name":"rocket"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let start = input.start();
    (call.step)("searching the repositories");
    let ask = Ask::first(input.limit()).from(start);
    let (bitbucket, name) = (call.bitbucket, input.text("name"));
    let listing = match input.text("project") {
        None => bitbucket.repositories(name, ask, call.cancel)?,
        Some(project) => {
            let wrong = |why| ToolError::Arguments(vec![format!("`project`: {why}")]);
            let key = project_key(project).map_err(wrong)?;
            bitbucket.repositories_of(&key, name, ask, call.cancel)?
        }
    };
    Ok(Answer::list("repositories", &listing, start, entry))
}

fn entry(repository: &Repository) -> Value {
    json!({
        "repository": repository.id.to_string(),
        "name": repository.name,
        "project": Some(&repository.project_name).filter(|name| !name.is_empty()),
        "description": Some(&repository.description).filter(|text| !text.is_empty()),
        "archived": Some(true).filter(|_| repository.is_archived),
        "public": Some(true).filter(|_| repository.is_public),
        "origin": repository.fork_of.as_ref().map(ToString::to_string),
    })
}

fn result() -> Value {
    let text = json!({"type": "string"});
    shapes::list_schema(
        "repositories",
        shapes::object(json!({
            "repository": text, "name": text, "project": text, "description": text,
            "archived": {"type": "boolean"}, "public": {"type": "boolean"}, "origin": text,
        })),
    )
}
