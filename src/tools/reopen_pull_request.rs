//! `reopen_pull_request`: opens a declined one again.

use crate::bitbucket::writes::comments::NewComment;
use crate::domain::pull_request::{PullRequest, State};
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Target};
use crate::tool::outcome::Problem;
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Question, Tool, ToolError};
use crate::tools::{asking, writing};
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "reopen_pull_request",
    title: "Reopen pull request",
    group: Group::PullRequests,
    description: "Opens a declined pull request again. Asks the person first.",
    effect: Effect::Writes {
        asks: Asks::Always(question),
        is_destructive: false,
        is_idempotent: false,
    },
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[Arg::optional(
        "comment",
        writing::TEXT,
        "Added as a comment of its own once it is open",
    )
    .prose()],
    example: r#"{"project":"ACME","repo":"rocket","id":39}"#,
    result,
    run,
};

fn question(call: &Call) -> Result<Question, ToolError> {
    let one = declined(call)?;
    let effect = asking::with_text("a comment", call.input.text("comment"));
    Ok(asking::question("Reopen", &one, &effect))
}

fn run(call: &Call) -> Result<Answer, ToolError> {
    (call.step)("reading the pull request");
    let one = declined(call)?;
    (call.step)("reopening the pull request");
    let reopened = call
        .bitbucket
        .reopen(&one.id, writing::version(&one)?, call.cancel)
        .map_err(writing::told)?;
    let Some(text) = call.input.text("comment") else {
        return Ok(writing::pull_request(call, &reopened, &[]));
    };
    (call.step)("writing the comment");
    let comment = NewComment {
        text,
        ..NewComment::default()
    };
    Ok(
        match call.bitbucket.add_comment(&one.id, &comment, call.cancel) {
            Ok(written) => {
                let more = json!({"comment_id": written.id});
                writing::pull_request_with(call, &reopened, &[], more, Vec::new())
            }
            Err(error) => {
                let told = format!("it is open again, and the comment is missing: {error}");
                let errors = vec![Problem::of("comment", told)];
                writing::pull_request_with(call, &reopened, &[], json!({}), errors)
            }
        },
    )
}

fn declined(call: &Call) -> Result<PullRequest, ToolError> {
    let one = writing::as_shown(call, "reopen")?;
    match &one.state {
        State::Open | State::Merged => Err(writing::refused(
            None,
            format!(
                "cannot reopen {}: it is {}, and only a declined pull request can be; nothing was changed",
                one.id,
                one.state.word()
            ),
        )),
        State::Declined | State::Other(_) => Ok(one),
    }
}

fn result() -> Value {
    writing::pull_request_schema(json!({"comment_id": {"type": "integer"}}))
}
