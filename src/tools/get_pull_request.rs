//! `get_pull_request`: one pull request, and what stands in its way.

use crate::beside::beside;
use crate::bitbucket::error::ApiError;
use crate::domain::build::BuildSummary;
use crate::domain::pull_request::{MergeCheck, PullRequest, State};
use crate::domain::repository::PullRequestId;
use crate::tool::answer::Answer;
use crate::tool::args::Target;
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};
use std::thread::scope;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "get_pull_request",
    title: "Get pull request",
    group: Group::PullRequests,
    description: "One pull request: title, description, branches, author, reviewers with their status, merge checks \
                  (can it merge, conflicts, vetoes in Bitbucket's words), counts of tasks and comments, builds summed up. \
                  Not its diff, comments or build list: other tools have those.",
    effect: Effect::Reads,
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[],
    example: r#"{"project":"ACME","repo":"rocket","id":42}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let Some(id) = call.input.pull_request() else {
        return Err(ToolError::Arguments(vec!["`id` is missing".to_owned()]));
    };
    (call.step)("reading the pull request, its merge checks and its builds");
    let (one, merge, builds) = read(call, &id);
    let one = one?;
    let builds = match builds {
        Ok(Some(summary)) => Ok(summary),
        Ok(None) if one.source.latest_commit.is_empty() => {
            Err("Bitbucket does not tell the newest commit of its source".to_owned())
        }
        Ok(None) => call
            .bitbucket
            .builds_of_commit(&one.source.latest_commit, call.cancel)
            .map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let tasks = match (one.open_tasks, one.resolved_tasks) {
        (Some(open), Some(resolved)) => Tasks {
            open: Some(open),
            resolved: Some(resolved),
            unread: None,
        },
        (open, resolved) => match call.bitbucket.task_counts(&id, call.cancel) {
            Ok((open, resolved)) => Tasks {
                open: Some(open),
                resolved: Some(resolved),
                unread: None,
            },
            Err(error) => Tasks {
                open,
                resolved,
                unread: Some(error.to_string()),
            },
        },
    };
    Ok(Answer::one(value(call, &one, merge, builds, tasks)))
}

/// The counts that Bitbucket gave, and why not all of them.
struct Tasks {
    open: Option<u64>,
    resolved: Option<u64>,
    unread: Option<String>,
}

type Parts = (
    Result<PullRequest, ApiError>,
    Result<Option<MergeCheck>, ApiError>,
    Result<Option<BuildSummary>, ApiError>,
);

/// Asks for the three parts side by side, since none needs another.
fn read(call: &Call, id: &PullRequestId) -> Parts {
    let (bitbucket, cancel) = (call.bitbucket, call.cancel);
    scope(|threads| {
        let merge = beside(threads, || bitbucket.merge_check(id, cancel));
        let builds = beside(threads, || bitbucket.builds_of_pull_request(id, cancel));
        let one = bitbucket.pull_request(id, cancel);
        let merge = merge.get();
        let builds = builds.get();
        (one, merge, builds)
    })
}

fn value(
    call: &Call,
    one: &PullRequest,
    merge: Result<Option<MergeCheck>, ApiError>,
    builds: Result<BuildSummary, String>,
    tasks: Tasks,
) -> Value {
    let at = &one.id.repository;
    let people = |list: &[crate::domain::pull_request::Reviewer]| {
        let list: Vec<Value> = list
            .iter()
            .map(|one_of| shapes::reviewer(one_of, &one.source.latest_commit))
            .collect();
        Some(list).filter(|list| !list.is_empty())
    };
    // A part that cannot be read says so in its place.
    let merge = match merge {
        Ok(check) => json!(check.as_ref().map(shapes::merge_check)),
        Err(error) if one.state == State::Open => json!({"unread": error.to_string()}),
        Err(_) => Value::Null,
    };
    let builds = match builds {
        Ok(summary) => shapes::builds(&summary),
        Err(why) => json!({"unread": why}),
    };
    let page = call
        .bitbucket
        .base()
        .pull_request_page(&at.project, &at.slug, one.id.number);
    json!({
        "id": one.id.number,
        "version": one.version,
        "title": one.title,
        "description": Some(&one.description).filter(|text| !text.is_empty()),
        "state": one.state.word(),
        "draft": Some(true).filter(|_| one.is_draft),
        "repository": at.to_string(),
        "author": one.author.as_ref().map(shapes::person),
        "fromRef": shapes::branch(&one.source, at, true),
        "toRef": shapes::branch(&one.target, at, false),
        "createdDate": shapes::time(one.created),
        "updatedDate": shapes::time(one.updated),
        "closedDate": shapes::time(one.closed),
        "reviewers": people(&one.reviewers),
        "participants": people(&one.participants),
        "merge": merge,
        "builds": builds,
        "openTaskCount": tasks.open,
        "resolvedTaskCount": tasks.resolved,
        "tasks": tasks.unread.map(|why| json!({"unread": why})),
        "commentCount": one.comments,
        "url": call.bitbucket.base().page_or(one.page.as_ref(), page),
    })
}

fn result() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let reviewers = json!({"type": "array", "items": shapes::object(json!({
        "user": text, "status": text, "lastReviewedCommit": text,
    }))});
    shapes::object(json!({
        "id": number, "version": number, "title": text, "description": text, "state": text,
        "draft": {"type": "boolean"}, "repository": text, "author": text,
        "fromRef": shapes::branch_schema(), "toRef": shapes::branch_schema(),
        "createdDate": text, "updatedDate": text, "closedDate": text,
        "reviewers": reviewers, "participants": reviewers,
        "merge": shapes::object(json!({
            "canMerge": {"type": "boolean"},
            "conflicted": {"type": "boolean"},
            "vetoes": {"type": "array", "items": shapes::object(json!({
                "summaryMessage": text, "detailedMessage": text,
            }))},
            "unread": text,
        })),
        "builds": shapes::object(json!({
            "successful": number, "failed": number, "inProgress": number, "cancelled": number,
            "unknown": number, "of": text, "more": {"type": "boolean"}, "unread": text,
        })),
        "openTaskCount": number, "resolvedTaskCount": number, "commentCount": number,
        "tasks": shapes::object(json!({"unread": text})),
        "url": text, "cut": text,
    }))
}
