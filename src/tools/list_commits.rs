//! `list_commits`: the commits of a branch, a file or a pull request.

use crate::tool::answer::Answer;
use crate::tool::args::Target;
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError, lists};
use crate::tools::shapes;
use serde_json::Value;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "list_commits",
    title: "List commits",
    group: Group::Commits,
    description: "Commits, newest first: of a pull request (id), or of a repository back from until, to since, of one \
                  path. A message that goes on ends in […]: get_commit has all of it.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: lists::COMMITS_ARGS,
    example: r#"{"project":"ACME","repo":"rocket","until":"main","limit":10}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let listing = lists::commits(&call.asking(), shapes::repository(call)?)?;
    Ok(Answer::list(
        "commits",
        &listing,
        call.input.start(),
        shapes::listed_commit,
    ))
}

fn result() -> Value {
    shapes::list_schema("commits", shapes::listed_commit_schema())
}
