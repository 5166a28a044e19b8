//! `search_users`: who could be asked to look at something.

use crate::bitbucket::listing::Ask;
use crate::tool::answer::{Answer, Paging};
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "search_users",
    title: "Search users",
    group: Group::Repositories,
    description: "People by a part of their name, display name or address, for reviewers; with repo, only those who may \
                  read it. Services and people who left are not among them.",
    effect: Effect::Reads,
    target: Target::MaybeRepository,
    reach: Reach::Target,
    args: &[
        Arg::required("text", Kind::Text { max_chars: 256 }, ""),
        Arg::LIMIT,
    ],
    example: r#"{"text":"wren"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let text = call.input.text("text").unwrap_or_default();
    (call.step)("searching the people");
    let ask = Ask::first(call.input.limit());
    let listing = call
        .bitbucket
        .people(text, call.input.repository(), ask, call.cancel)?;
    // There is no argument to go on with: whoever is not among so many is found by more of the name.
    Ok(Answer::list(
        "users",
        &listing,
        Paging::Limit,
        shapes::person,
    ))
}

fn result() -> Value {
    shapes::list_schema("users", json!({"type": "string"}))
}
