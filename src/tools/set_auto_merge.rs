//! `set_auto_merge`: merges a pull request when its checks pass, or no longer.

use crate::bitbucket::error::Fault;
use crate::bitbucket::writes::merging::Merge;
use crate::domain::pull_request::{PullRequest, State};
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Question, Tool, ToolError};
use crate::tools::{asking, writing};
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "set_auto_merge",
    title: "Set auto-merge",
    group: Group::PullRequests,
    description: "Has Bitbucket merge a pull request when its checks pass, at once if they do now, or cancels that. \
                  Asks the person first.",
    effect: Effect::Writes {
        asks: Asks::Always(question),
        is_destructive: true,
        is_idempotent: true,
    },
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[Arg::required("enabled", Kind::Flag, ""), writing::STRATEGY],
    example: r#"{"project":"ACME","repo":"rocket","id":55,"enabled":true}"#,
    result,
    run,
};

fn is_wanted(call: &Call) -> bool {
    call.input.flag("enabled") == Some(true)
}

fn question(call: &Call) -> Result<Question, ToolError> {
    let one = ready(call)?;
    if !is_wanted(call) {
        return Ok(asking::question("Cancel auto-merge of", &one, ""));
    }
    let mut into = asking::name(&one.target.display_id);
    if let Some(strategy) = call.input.text("strategy") {
        into.push_str(&format!(" by {}", asking::name(strategy)));
    }
    let merges_now = call
        .bitbucket
        .merge_check(&one.id, call.cancel)
        .ok()
        .flatten()
        .is_some_and(|check| check.can_merge);
    let rest = match merges_now {
        true => format!(" into {into} at once, for its checks pass now"),
        false => format!(" into {into} as soon as its checks pass"),
    };
    Ok(asking::question("Merge", &one, &rest))
}

fn run(call: &Call) -> Result<Answer, ToolError> {
    (call.step)("reading the pull request");
    let one = ready(call)?;
    match is_wanted(call) {
        true => enable(call, &one),
        false => cancel(call, &one),
    }
}

fn enable(call: &Call, one: &PullRequest) -> Result<Answer, ToolError> {
    let how = Merge {
        version: writing::version(one)?,
        strategy: call.input.text("strategy"),
        message: None,
        waits: true,
    };
    (call.step)("setting auto-merge");
    let now = call
        .bitbucket
        .merge(&one.id, how, call.cancel)
        .map_err(|error| match error.fault() {
            Fault::NotAllowed => writing::refused(
                Some("enabled"),
                format!("{error}; nothing was changed (auto-merge may be switched off here, or merging not be allowed)"),
            ),
            _ => writing::told(error),
        })?;
    let is_merged = now.state == State::Merged;
    let note = "its checks passed, so it was merged at once".to_owned();
    let notes: Vec<String> = Some(note).filter(|_| is_merged).into_iter().collect();
    let more = json!({"auto_merge": Some(true).filter(|_| !is_merged)});
    Ok(writing::pull_request_with(
        call,
        &now,
        &notes,
        more,
        Vec::new(),
    ))
}

fn cancel(call: &Call, one: &PullRequest) -> Result<Answer, ToolError> {
    (call.step)("cancelling auto-merge");
    let was_there = call
        .bitbucket
        .cancel_auto_merge(&one.id, call.cancel)
        .map_err(writing::told)?;
    let note = "nobody had asked for auto-merge, so there was nothing to cancel".to_owned();
    let notes: Vec<String> = Some(note).filter(|_| !was_there).into_iter().collect();
    Ok(writing::pull_request_with(
        call,
        one,
        &notes,
        json!({"auto_merge": false}),
        Vec::new(),
    ))
}

/// The pull request, if its repository knows auto-merge: an older Bitbucket would take the wish for an order and
/// merge at once.
fn ready(call: &Call) -> Result<PullRequest, ToolError> {
    let one = writing::open_to_write(call, "set auto-merge of")?;
    let at = &one.id.repository;
    match call.bitbucket.allows_auto_merge(at, call.cancel)? {
        Some(true) => {}
        Some(false) if !is_wanted(call) => {}
        Some(false) => {
            let phrase = format!(
                "cannot set auto-merge of {}: it is switched off in {at}, whose administrators can switch it on; \
                 nothing was changed (merge_pull_request merges once the checks pass)",
                one.id
            );
            return Err(writing::refused(Some("enabled"), phrase));
        }
        None => {
            return Err(ToolError::Absent(format!(
                "cannot set auto-merge of {}: this Bitbucket has none, it came with 8.15; nothing was changed \
                 (merge_pull_request merges once the checks pass)",
                one.id
            )));
        }
    }
    if is_wanted(call) {
        writing::check_strategy(call, &one)?;
    }
    Ok(one)
}

fn result() -> Value {
    writing::pull_request_schema(json!({"auto_merge": {"type": "boolean"}}))
}
