//! `list_pull_requests`: those of a repository, or the person's own.

use crate::domain::pull_request::PullRequest;
use crate::tool::answer::Answer;
use crate::tool::args::Target;
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError, lists};
use crate::tools::shapes;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "list_pull_requests",
    title: "List pull requests",
    group: Group::PullRequests,
    description: "Pull requests into a repository, newest first; without repo, the person's own across repositories. \
                  One line each: for reviewers by name, merge checks or builds call get_pull_request.",
    effect: Effect::Reads,
    target: Target::MaybeRepository,
    reach: Reach::Target,
    args: lists::PULL_REQUESTS_ARGS,
    example: r#"{"project":"ACME","repo":"rocket","state":"OPEN"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let listing = lists::pull_requests(&call.asking())?;
    let is_own = call.input.repository().is_none();
    let entry = |one: &PullRequest| shapes::listed_pull_request(one, is_own);
    Ok(Answer::list(
        "pull_requests",
        &listing,
        call.input.start(),
        entry,
    ))
}

fn result() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    shapes::list_schema(
        "pull_requests",
        shapes::object(json!({
            "id": number, "title": text, "state": text, "draft": {"type": "boolean"}, "author": text,
            "fromRef": shapes::branch_schema(), "toRef": shapes::branch_schema(), "repository": text,
            "updatedDate": text, "reviewers": {"type": "object", "additionalProperties": number},
            "commentCount": number, "openTaskCount": number,
        })),
    )
}
