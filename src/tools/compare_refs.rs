//! `compare_refs`: what one branch, tag or commit has that another has not.

use crate::bitbucket::listing::Ask;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "compare_refs",
    title: "Compare refs",
    group: Group::Commits,
    description: "What from has and to has not, such as a feature branch and main: its commits (default), or the files \
                  changed since both were one.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::required("from", Kind::Ref, "Branch, tag or commit with the changes"),
        Arg::required("to", Kind::Ref, "Branch, tag or commit without them"),
        Arg::optional(
            "what",
            Kind::OneOf(&["commits", "changes"]),
            "Default commits",
        ),
        Arg::START,
        Arg::optional(
            "limit",
            Kind::Whole { min: 1, max: 1_000 },
            "Default 25 commits, 100 changes",
        ),
    ],
    example: r#"{"project":"ACME","repo":"rocket","from":"feature/igniter","to":"main"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let repository = shapes::repository(call)?;
    let (from, to) = (
        input.text("from").unwrap_or_default(),
        input.text("to").unwrap_or_default(),
    );
    let start = input.start();
    if input.text("what") == Some("changes") {
        (call.step)("listing the changes");
        let all = call
            .bitbucket
            .changes_between(repository, from, to, call.cancel)?;
        let part = shapes::asked_part(all, call);
        return Ok(Answer::list("changes", &part, start, shapes::change));
    }
    (call.step)("listing the commits");
    let ask = Ask::first(input.limit()).from(start);
    let listing = call
        .bitbucket
        .commits_between(repository, from, to, ask, call.cancel)?;
    Ok(Answer::list(
        "commits",
        &listing,
        start,
        shapes::listed_commit,
    ))
}

fn result() -> Value {
    let mut schema = shapes::list_schema("commits", shapes::listed_commit_schema());
    schema["properties"]["changes"] = json!({"type": "array", "items": shapes::change_schema()});
    schema
}
