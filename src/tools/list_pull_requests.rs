//! `list_pull_requests`: those of a repository, or the person's own.

use crate::bitbucket::listing::{Ask, Listing};
use crate::bitbucket::pull_requests::Wanted;
use crate::domain::pull_request::PullRequest;
use crate::domain::repository::RepositoryId;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};

const BRANCH_CHARS: usize = 512;

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
    args: &[
        Arg::optional(
            "state",
            Kind::OneOf(&["OPEN", "MERGED", "DECLINED", "ALL"]),
            "Default OPEN",
        ),
        Arg::optional(
            "role",
            Kind::OneOf(&["author", "reviewer", "participant"]),
            "The person's own part in it",
        ),
        Arg::optional(
            "source_branch",
            Kind::Text {
                max_chars: BRANCH_CHARS,
            },
            "",
        ),
        Arg::optional(
            "target_branch",
            Kind::Text {
                max_chars: BRANCH_CHARS,
            },
            "",
        ),
        Arg::optional(
            "text",
            Kind::Text { max_chars: 256 },
            "Part of title or description",
        ),
        Arg::optional("order", Kind::OneOf(&["NEWEST", "OLDEST"]), ""),
        Arg::optional(
            "start",
            Kind::Whole {
                min: 0,
                max: 10_000_000,
            },
            "`next` of the answer before",
        ),
        Arg::optional("limit", Kind::Whole { min: 1, max: 100 }, "Default 25"),
    ],
    example: r#"{"project":"ACME","repo":"rocket","state":"OPEN"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let start = input.start();
    let ask = Ask::first(input.limit()).from(start);
    let (source, target) = (
        full_name(input.text("source_branch")),
        full_name(input.text("target_branch")),
    );
    let wanted = Wanted {
        state: input.text("state").unwrap_or("OPEN"),
        order: input.text("order"),
        text: input.text("text"),
        role: None,
        source: source.as_deref(),
        target: target.as_deref(),
    };
    let role = input.text("role").map(str::to_ascii_uppercase);
    let listing = match input.repository() {
        Some(repository) => of_repository(call, repository, &wanted, role.as_deref(), ask)?,
        None => own(call, &wanted, role.as_deref(), ask)?,
    };
    let is_own = input.repository().is_none();
    let entry = |one: &PullRequest| shapes::listed_pull_request(one, is_own);
    Ok(Answer::list("pull_requests", &listing, start, entry))
}

fn of_repository(
    call: &Call,
    repository: &RepositoryId,
    wanted: &Wanted,
    role: Option<&str>,
    ask: Ask,
) -> Result<Listing<PullRequest>, ToolError> {
    (call.step)("listing the pull requests");
    let Some(role) = role else {
        return Ok(call
            .bitbucket
            .pull_requests(repository, wanted, ask, call.cancel)?);
    };
    let Some(me) = call.bitbucket.me(call.cancel)? else {
        let problem =
            "`role` needs somebody who is signed in: bb has no credentials, or ones without a user";
        return Err(ToolError::Arguments(vec![problem.to_owned()]));
    };
    let wanted = Wanted {
        role: Some((&me, role)),
        ..*wanted
    };
    Ok(call
        .bitbucket
        .pull_requests(repository, &wanted, ask, call.cancel)?)
}

fn own(
    call: &Call,
    wanted: &Wanted,
    role: Option<&str>,
    ask: Ask,
) -> Result<Listing<PullRequest>, ToolError> {
    let needing_a_repository: Vec<String> = ["source_branch", "target_branch", "text"]
        .into_iter()
        .filter(|name| call.input.text(name).is_some())
        .map(|name| format!("`{name}` needs a repository: give `project` and `repo` beside it"))
        .collect();
    if !needing_a_repository.is_empty() {
        return Err(ToolError::Arguments(needing_a_repository));
    }
    (call.step)("listing your pull requests");
    Ok(call
        .bitbucket
        .own_pull_requests(wanted, role, ask, call.cancel)?)
}

/// Bitbucket wants the full name here; a short one matches nothing.
fn full_name(branch: Option<&str>) -> Option<String> {
    branch.map(|name| match name.starts_with("refs/") {
        true => name.to_owned(),
        false => format!("refs/heads/{name}"),
    })
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
