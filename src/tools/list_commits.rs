//! `list_commits`: the commits of a branch, a file or a pull request.

use crate::bitbucket::commits::Range;
use crate::bitbucket::listing::Ask;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
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
    args: &[
        Arg::optional("id", Kind::PullRequest, "Of this pull request"),
        Arg::optional(
            "until",
            Kind::Ref,
            "Branch, tag or commit; default the default branch",
        ),
        Arg::optional("since", Kind::Ref, "Leaves this and all before it out"),
        Arg::optional("path", Kind::Path, "Only what changes this file or folder"),
        Arg::START,
        Arg::LIMIT,
    ],
    example: r#"{"project":"ACME","repo":"rocket","until":"main","limit":10}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let start = input.start();
    let ask = Ask::first(input.limit()).from(start);
    let range = Range {
        until: input.text("until"),
        since: input.text("since"),
        path: input.text("path"),
    };
    let listing = match input.pull_request() {
        Some(id) => {
            let problems: Vec<String> = ["until", "since", "path"]
                .into_iter()
                .filter(|name| input.text(name).is_some())
                .map(|name| format!("`{name}` does not go with `id`: leave one of them out"))
                .collect();
            if !problems.is_empty() {
                return Err(ToolError::Arguments(problems));
            }
            (call.step)("listing the commits of the pull request");
            call.bitbucket
                .commits_of_pull_request(&id, ask, call.cancel)?
        }
        None => {
            (call.step)("listing the commits");
            call.bitbucket
                .commits(shapes::repository(call)?, &range, ask, call.cancel)?
        }
    };
    Ok(Answer::list(
        "commits",
        &listing,
        start,
        shapes::listed_commit,
    ))
}

fn result() -> Value {
    shapes::list_schema("commits", shapes::listed_commit_schema())
}
