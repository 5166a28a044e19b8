//! `create_branch`: a new branch at a commit.

use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::outcome::Outcome;
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "create_branch",
    title: "Create branch",
    group: Group::Repositories,
    description: "Creates a branch in a repository. Nothing else changes.",
    effect: Effect::Writes {
        asks: Asks::Never,
        is_destructive: false,
        is_idempotent: false,
    },
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::required("name", Kind::Ref, "The new branch's name"),
        Arg::required(
            "start_point",
            Kind::Ref,
            "Branch, tag or commit that it starts at",
        ),
    ],
    example: r#"{"project":"ACME","repo":"rocket","name":"feature/ignition","start_point":"main"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let repository = shapes::repository(call)?;
    let name = shapes::new_name(call, "refs/heads/")?;
    let from = call.input.text("start_point").unwrap_or_default();
    (call.step)("creating the branch");
    let made = call
        .bitbucket
        .create_branch(repository, name, from, call.cancel)?;
    Ok(Answer::one(json!({
        "id": format!("refs/heads/{name}"),
        "latestCommit": Some(made.latest_commit).filter(|commit| !commit.is_empty()),
    }))
    .with_outcome(Outcome {
        is_done: true,
        ..Outcome::default()
    }))
}

fn result() -> Value {
    let text = json!({"type": "string"});
    shapes::object(json!({"id": text, "latestCommit": text}))
}
