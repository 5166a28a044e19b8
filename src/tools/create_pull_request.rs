//! `create_pull_request`: a new pull request, as the person asked for it.

use crate::bitbucket::address::{Given, project_key};
use crate::bitbucket::writes::pull_requests::NewPullRequest;
use crate::domain::repository::RepositoryId;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
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
    reach: Reach::TargetAnd {
        project: "source_project",
        repo: "source_repo",
    },
    args: &[
        Arg::required("title", Kind::Text { max_chars: 255 }, "").prose(),
        Arg::required("source_branch", Kind::Ref, ""),
        Arg::optional("target_branch", Kind::Ref, "Default: the repository's own"),
        Arg::optional("description", writing::TEXT, "Markdown").prose(),
        Arg::optional("reviewers", Kind::People, "User names"),
        Arg::optional("draft", Kind::Flag, ""),
        Arg::optional(
            "source_project",
            Kind::Text { max_chars: 128 },
            "Where the source branch is, if in a fork",
        ),
        Arg::optional("source_repo", Kind::Text { max_chars: 2048 }, "The same"),
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
    let source = input
        .text("source_branch")
        .ok_or_else(|| blank("source_branch"))?;
    let source_repository = source_repository(call, at)?;
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
        source: &writing::branch_id(source),
        repository: at,
        target: &target,
        reviewers: &input.people("reviewers"),
        is_draft,
    };
    let made = call
        .bitbucket
        .create_pull_request(&new, call.cancel)
        .map_err(writing::told)?;
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

/// Where the source branch is: here, or in a fork that `source_repo`, `source_project` or both name.
fn source_repository(call: &Call, at: &RepositoryId) -> Result<RepositoryId, ToolError> {
    let wrong = |name: &str, why: String| ToolError::Arguments(vec![format!("`{name}`: {why}")]);
    let project = match call.input.text("source_project") {
        None => None,
        Some(key) => Some(project_key(key.trim()).map_err(|why| wrong("source_project", why))?),
    };
    let mut found = RepositoryId {
        project: project.clone().unwrap_or_else(|| at.project.clone()),
        slug: at.slug.clone(),
    };
    match call.input.text("source_repo").map(str::trim) {
        None => {}
        Some(repo) if repo.contains('/') => {
            let given = Given::read(repo, call.bitbucket.base())
                .map_err(|why| wrong("source_repo", why))?;
            let (Some(key), Some(slug)) = (given.project, given.repo) else {
                let why = "it names no repository".to_owned();
                return Err(wrong("source_repo", why));
            };
            if project.is_some_and(|project| !project.eq_ignore_ascii_case(&key)) {
                let why = "it names another project than `source_project`: give one of them";
                return Err(wrong("source_repo", why.to_owned()));
            }
            found = RepositoryId { project: key, slug };
        }
        Some(slug) => slug.clone_into(&mut found.slug),
    }
    Ok(found)
}

fn result() -> Value {
    writing::pull_request_schema(json!({}))
}
