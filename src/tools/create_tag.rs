//! `create_tag`: a new tag at a commit.

use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::outcome::Outcome;
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Question, Tool, ToolError};
use crate::tools::{asking, shapes, writing};
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "create_tag",
    title: "Create tag",
    group: Group::Repositories,
    description: "Creates a tag in a repository: an annotated one if a message is given. Asks the person first.",
    effect: Effect::Writes {
        asks: Asks::Always(question),
        is_destructive: false,
        is_idempotent: false,
    },
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::required("name", Kind::Ref, "The new tag's name"),
        Arg::required(
            "start_point",
            Kind::Ref,
            "Branch, tag or commit that it starts at",
        ),
        Arg::optional("message", writing::TEXT, "Makes the tag an annotated one").prose(),
    ],
    example: r#"{"project":"ACME","repo":"rocket","name":"v1.6.0","start_point":"main"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let repository = shapes::repository(call)?;
    let name = shapes::new_name(call, "refs/tags/")?;
    let from = call.input.text("start_point").unwrap_or_default();
    (call.step)("creating the tag");
    let made = call.bitbucket.create_tag(
        repository,
        name,
        from,
        call.input.text("message"),
        call.cancel,
    )?;
    Ok(Answer::one(json!({
        "id": format!("refs/tags/{name}"),
        "latestCommit": Some(made.latest_commit).filter(|commit| !commit.is_empty()),
        "hash": made.tag_object,
    }))
    .with_outcome(Outcome {
        is_done: true,
        ..Outcome::default()
    }))
}

fn question(call: &Call) -> Result<Question, ToolError> {
    let repository = shapes::repository(call)?;
    let name = shapes::new_name(call, "refs/tags/")?;
    let from = call.input.text("start_point").unwrap_or_default();
    let (place, from) = (asking::place(repository), asking::name(from));
    let text = asking::with_text("a message", call.input.text("message"));
    let name = asking::name(name);
    Ok(Question {
        text: format!("Create a tag in {place} at {from}{text}: {name}?"),
        version: None,
    })
}

fn result() -> Value {
    let text = json!({"type": "string"});
    shapes::object(json!({"id": text, "latestCommit": text, "hash": text}))
}
