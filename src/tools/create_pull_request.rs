//! `create_pull_request`: a new pull request, as the person asked for it.

use crate::bitbucket::writes::pull_requests::NewPullRequest;
use crate::domain::repository::RepositoryId;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::source;
use crate::tool::{Asks, Call, Effect, Group, Tool, ToolError};
use crate::tools::{shapes, writing};
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "create_pull_request",
    title: "Create pull request",
    group: Group::PullRequests,
    description: "Creates a pull request, at once, into the repository that project and repo name. Only whom you name \
                  is asked to review it; search_users finds names.",
    effect: Effect::Writes {
        asks: Asks::Never,
        is_destructive: false,
        is_idempotent: false,
    },
    target: Target::Repository,
    reach: source::REACH,
    args: &[
        Arg::required("title", source::TITLE, "").prose(),
        Arg::required("source_branch", Kind::Ref, ""),
        Arg::optional("target_branch", Kind::Ref, "Default: the repository's own"),
        Arg::optional("description", source::DESCRIPTION, "Markdown").prose(),
        Arg::optional("reviewers", Kind::People, "User names"),
        Arg::optional("draft", Kind::Flag, ""),
        Arg::optional(
            source::PROJECT,
            Kind::Text { max_chars: 128 },
            "Where the source branch is, if in a fork",
        ),
        Arg::optional(source::REPO, Kind::Text { max_chars: 2048 }, "The same"),
    ],
    example: r#"{"project":"ACME","repo":"rocket","title":"Light the engine","source_branch":"feature/igniter","reviewers":["idris.vale"]}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let at = shapes::repository(call)?;
    let title = input.text("title").unwrap_or_default().trim();
    if title.is_empty() {
        return Err(blank("title"));
    }
    let branch = input
        .text("source_branch")
        .ok_or_else(|| blank("source_branch"))?;
    let source_repository = source::repository(input, at, call.bitbucket.base())?;
    let target = match input.text("target_branch") {
        Some(name) => writing::branch_id(name),
        None => default_branch(call, at)?,
    };
    let is_draft = input.flag("draft") == Some(true);
    (call.step)("creating the pull request");
    let new = NewPullRequest {
        title,
        description: input.text("description"),
        source_repository: &source_repository,
        source: &writing::branch_id(branch),
        repository: at,
        target: &target,
        reviewers: &input.people("reviewers"),
        is_draft,
    };
    let made = call
        .bitbucket
        .create_pull_request(&new, call.cancel)
        .map_err(|error| {
            let ends = [("source_branch", new.source), ("target_branch", new.target)];
            writing::told_at(error, &ends)
        })?;
    let mut notes = Vec::new();
    if is_draft && !made.is_draft {
        notes.push(
            "this Bitbucket has no drafts (they came with 8.18), so it is open for review"
                .to_owned(),
        );
    }
    Ok(writing::pull_request(call, &made, &notes))
}

fn blank(name: &str) -> ToolError {
    ToolError::Arguments(vec![format!("`{name}` is blank: it must say something")])
}

fn default_branch(call: &Call, at: &RepositoryId) -> Result<String, ToolError> {
    let found = call.bitbucket.default_branch(at, call.cancel)?;
    found.map(|branch| branch.id).ok_or_else(|| {
        ToolError::Arguments(vec![format!(
            "`target_branch` is missing, and {at} has no default branch to take instead: is it empty?"
        )])
    })
}

fn result() -> Value {
    writing::pull_request_schema(json!({}))
}
