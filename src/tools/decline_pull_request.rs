//! `decline_pull_request`: closes one without merging it.

use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Target};
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Question, Tool, ToolError};
use crate::tools::{asking, writing};
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "decline_pull_request",
    title: "Decline pull request",
    group: Group::PullRequests,
    description: "Declines a pull request: closes it unmerged. Asks the person first. reopen_pull_request undoes it.",
    effect: Effect::Writes {
        asks: Asks::Always(question),
        is_destructive: true,
        is_idempotent: false,
    },
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[Arg::optional("comment", writing::TEXT, "Why, Markdown").prose()],
    example: r#"{"project":"ACME","repo":"rocket","id":42,"comment":"Done in another way."}"#,
    result,
    run,
};

fn question(call: &Call) -> Result<Question, ToolError> {
    let one = writing::open_to_write(call, "decline")?;
    let effect = asking::with_text("a comment", call.input.text("comment"));
    Ok(asking::question("Decline", &one, &effect))
}

fn run(call: &Call) -> Result<Answer, ToolError> {
    (call.step)("reading the pull request");
    let one = writing::open_to_write(call, "decline")?;
    (call.step)("declining the pull request");
    let declined = call
        .bitbucket
        .decline(
            &one.id,
            writing::version(&one)?,
            call.input.text("comment"),
            call.cancel,
        )
        .map_err(writing::told)?;
    Ok(writing::pull_request(call, &declined, &[]))
}

fn result() -> Value {
    writing::pull_request_schema(json!({}))
}
