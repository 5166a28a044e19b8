//! `list_tags`: the tags of a repository.

use crate::bitbucket::listing::Ask;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::Value;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "list_tags",
    title: "List tags",
    group: Group::Repositories,
    description: "Tags of a repository, each with the commit it points at; \
                  hash is the tag itself, of an annotated one.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::optional("filter", Kind::Text { max_chars: 512 }, "Part of the name"),
        Arg::START,
        Arg::LIMIT,
    ],
    example: r#"{"project":"ACME","repo":"rocket","filter":"release"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let repository = shapes::repository(call)?;
    let start = call.input.start();
    let ask = Ask::first(call.input.limit()).from(start);
    (call.step)("listing the tags");
    let listing = call
        .bitbucket
        .tags(repository, call.input.text("filter"), ask, call.cancel)?;
    Ok(Answer::list("tags", &listing, start, shapes::reference))
}

fn result() -> Value {
    shapes::list_schema("tags", shapes::reference_schema())
}
