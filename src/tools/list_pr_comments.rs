//! `list_pr_comments`: what was written on a pull request, thread by thread.

use crate::bitbucket::listing::{Ask, Listing};
use crate::domain::activity::{Action, Activity};
use crate::domain::comment::Thread;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::{shapes, threads};
use serde_json::Value;

/// Activity carries the comments, mostly up to half a page of JSON each: so many at once stay below the cap on an
/// answer. Where they are longer, fewer are asked for at once.
const PAGE_ENTRIES: u64 = 250;
/// A thread may begin anywhere in the activity, so all of it is read, to this bound.
const MAX_ENTRIES: usize = 5_000;
/// Some servers give fewer at once, and of long entries bb asks for fewer.
const MAX_PAGES: usize = 100;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "list_pr_comments",
    title: "List pull request comments",
    group: Group::PullRequests,
    description: "Comments on a pull request as threads, newest first: path, line and side (new: the file as it would be; \
                  old: before), outdated where the line left the diff, replies nested. Tasks are comments with `task`.",
    effect: Effect::Reads,
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[
        Arg::optional("path", Kind::Path, "One file or folder"),
        Arg::optional(
            "state",
            Kind::OneOf(&["open", "resolved", "all"]),
            "Default all",
        ),
        Arg::START,
        Arg::LIMIT,
    ],
    example: r#"{"project":"ACME","repo":"rocket","id":42,"state":"open"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let Some(id) = input.pull_request() else {
        return Err(ToolError::Arguments(vec!["`id` is missing".to_owned()]));
    };
    (call.step)("reading the comments");
    let ask = Ask::first(MAX_ENTRIES)
        .pages_of(PAGE_ENTRIES)
        .at_most(MAX_PAGES);
    let activity = call.bitbucket.activities(&id, ask, None, call.cancel)?;
    let listing = wanted(activity, input.text("path"), input.text("state"));
    let listing = listing.part(input.start(), input.limit());
    Ok(Answer::list_in_full(
        "threads",
        &listing,
        input.start(),
        threads::thread,
    ))
}

fn wanted(activity: Listing<Activity>, path: Option<&str>, state: Option<&str>) -> Listing<Thread> {
    let is_there = |thread: &Thread| {
        let Some(path) = path else {
            return true;
        };
        let is_at = |of: &str| {
            of.strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        thread.anchor.as_ref().is_some_and(|anchor| {
            is_at(&anchor.path) || anchor.source_path.as_deref().is_some_and(is_at)
        })
    };
    let stands = |thread: &Thread| match state {
        Some("open") => !thread.is_resolved(),
        Some("resolved") => thread.is_resolved(),
        _ => true,
    };
    activity.regroup(|entries| {
        entries
            .into_iter()
            .filter_map(|entry| match entry.action {
                Action::Commented(thread) | Action::Replied(thread) => Some(*thread),
                _ => None,
            })
            .filter(|thread| is_there(thread) && stands(thread))
            .collect()
    })
}

fn result() -> Value {
    shapes::list_schema("threads", threads::schema())
}
