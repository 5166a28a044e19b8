//! `list_pr_tasks`: what somebody wants done before a pull request is merged.

use crate::bitbucket::listing::Ask;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::{shapes, threads};
use serde_json::Value;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "list_pr_tasks",
    title: "List pull request tasks",
    group: Group::PullRequests,
    description: "Tasks of a pull request (comments that somebody wants done before it is merged): text, who asked, \
                  `task` OPEN or RESOLVED, where it stands, replies.",
    effect: Effect::Reads,
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[
        Arg::optional(
            "state",
            Kind::OneOf(&["open", "resolved", "all"]),
            "Default all",
        ),
        Arg::START,
        Arg::LIMIT,
    ],
    example: r#"{"project":"ACME","repo":"rocket","id":42,"state":"open"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let Some(id) = input.pull_request() else {
        return Err(ToolError::Arguments(vec!["`id` is missing".to_owned()]));
    };
    (call.step)("listing the tasks");
    let ask = Ask::first(input.limit()).from(input.start());
    let state = match input.text("state") {
        Some("open") => Some("OPEN"),
        Some("resolved") => Some("RESOLVED"),
        _ => None,
    };
    let listing = call.bitbucket.tasks(&id, state, ask, None, call.cancel)?;
    Ok(Answer::list_in_full(
        "tasks",
        &listing,
        input.start(),
        threads::thread,
    ))
}

fn result() -> Value {
    shapes::list_schema("tasks", threads::schema())
}
