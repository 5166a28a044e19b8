//! `list_pr_activity`: what happened to a pull request, as its overview tells it.

use crate::bitbucket::listing::Ask;
use crate::domain::activity::{Action, Activity, CommitLine};
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::{shapes, threads};
use crate::words;
use serde_json::{Value, json};

/// Bitbucket itself lists a few of the commits that came with a push.
const MAX_COMMITS: usize = 5;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "list_pr_activity",
    title: "List pull request activity",
    group: Group::PullRequests,
    description: "What happened to a pull request, newest first, in Bitbucket's words: reviews, pushes, changes of \
                  reviewers, comments with their replies. For comments alone call list_pr_comments.",
    effect: Effect::Reads,
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[Arg::START, Arg::LIMIT],
    example: r#"{"project":"ACME","repo":"rocket","id":42}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let Some(id) = input.pull_request() else {
        return Err(ToolError::Arguments(vec!["`id` is missing".to_owned()]));
    };
    (call.step)("reading the activity");
    let ask = Ask::first(input.limit()).from(input.start());
    let listing = call.bitbucket.activities(&id, ask, None, call.cancel)?;
    Ok(Answer::list_in_full(
        "activity",
        &listing,
        input.start(),
        entry,
    ))
}

fn entry(one: &Activity) -> Value {
    let commits = |list: &[CommitLine]| {
        let mut lines: Vec<String> = list
            .iter()
            .take(MAX_COMMITS)
            .map(|commit| format!("{} {}", commit.display_id, commit.subject))
            .collect();
        if let more @ 1.. = list.len().saturating_sub(MAX_COMMITS) {
            lines.push(format!("and {more} more"));
        }
        Some(lines).filter(|lines| !lines.is_empty())
    };
    let mut value = json!({
        "id": one.id,
        "createdDate": shapes::time(one.at),
        "user": one.by.as_ref().map(shapes::person),
        "action": Some(words::action(&one.action)).filter(|word| !word.is_empty()),
        "what": words::activity(one),
    });
    match &one.action {
        Action::Commented(thread) | Action::Replied(thread) => {
            value["comment"] = threads::thread(thread);
        }
        Action::Rescoped {
            added_commits,
            removed_commits,
            ..
        } => {
            value["addedCommits"] = json!(commits(added_commits));
            value["removedCommits"] = json!(commits(removed_commits));
        }
        Action::Merged { commit } => value["commit"] = json!(commit),
        _ => {}
    }
    value
}

fn result() -> Value {
    let text = json!({"type": "string"});
    let texts = json!({"type": "array", "items": text});
    shapes::list_schema(
        "activity",
        shapes::object(json!({
            "id": {"type": "integer"}, "createdDate": text, "user": text, "action": text, "what": text,
            "comment": threads::schema(), "addedCommits": texts, "removedCommits": texts, "commit": text,
            "cut": {"type": "boolean"},
        })),
    )
}
