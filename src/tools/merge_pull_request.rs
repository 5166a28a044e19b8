//! `merge_pull_request`: merges, and deletes the source branch if that is asked for.

use crate::bitbucket::writes::merging::Merge;
use crate::domain::pull_request::{PullRequest, State};
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::outcome::Problem;
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Question, Tool, ToolError};
use crate::tools::{asking, writing};
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "merge_pull_request",
    title: "Merge pull request",
    group: Group::PullRequests,
    description: "Merges a pull request now. Asks the person first. To merge when the checks pass, call \
                  set_auto_merge.",
    effect: Effect::Writes {
        asks: Asks::Always(question),
        is_destructive: true,
        is_idempotent: false,
    },
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[
        Arg::optional(
            "version",
            Kind::Whole {
                min: 0,
                max: 2_147_483_647,
            },
            "Refuses if it has moved on from this",
        ),
        writing::STRATEGY,
        Arg::optional(
            "message",
            writing::TEXT,
            "Of the merge commit, whole; default: Bitbucket's own",
        )
        .prose(),
        Arg::optional(
            "delete_source_branch",
            Kind::Flag,
            "Pull requests into that branch are retargeted",
        ),
    ],
    example: r#"{"project":"ACME","repo":"rocket","id":42,"version":5,"strategy":"squash"}"#,
    result,
    run,
};

fn question(call: &Call) -> Result<Question, ToolError> {
    let one = mergeable(call)?;
    let mut effect = format!(" into {}", asking::name(&one.target.display_id));
    if let Some(strategy) = call.input.text("strategy") {
        effect.push_str(&format!(" by {}", asking::name(strategy)));
    }
    effect.push_str(&asking::with_text("a message", call.input.text("message")));
    if deletes(call) {
        let branch = asking::name(&one.source.display_id);
        effect.push_str(&format!(" and delete the branch {branch}"));
    }
    Ok(asking::question("Merge", &one, &effect))
}

fn run(call: &Call) -> Result<Answer, ToolError> {
    (call.step)("reading the pull request");
    let one = mergeable(call)?;
    let how = Merge {
        version: writing::version(&one)?,
        strategy: call.input.text("strategy"),
        message: call.input.text("message"),
        waits: false,
    };
    (call.step)("merging");
    let merged = call
        .bitbucket
        .merge(&one.id, how, call.cancel)
        .map_err(writing::told)?;
    if !deletes(call) {
        return Ok(writing::pull_request(call, &merged, &[]));
    }
    if merged.state != State::Merged {
        let note = "the merge is not finished, so the source branch was not deleted".to_owned();
        return Ok(writing::pull_request(call, &merged, &[note]));
    }
    (call.step)("deleting the source branch");
    let gone = json!({"source_branch_deleted": true});
    Ok(
        match call.bitbucket.delete_source_branch(&one.id, call.cancel) {
            Ok(()) => writing::pull_request_with(call, &merged, &[], gone, Vec::new()),
            Err(error) => {
                let told = format!("it is merged, and its source branch is still there: {error}");
                let errors = vec![Problem::of("delete_source_branch", told)];
                writing::pull_request_with(call, &merged, &[], json!({}), errors)
            }
        },
    )
}

/// The pull request, if it is at the version that the call names, and may be merged in the way that it names.
fn mergeable(call: &Call) -> Result<PullRequest, ToolError> {
    let one = writing::open_to_write(call, "merge")?;
    let given = call
        .input
        .whole("version")
        .and_then(|version| i64::try_from(version).ok());
    if let (Some(given), Some(now)) = (given, one.version) {
        if given != now {
            let phrase = format!(
                "cannot merge {}: `version` is {given}, and it is at version {now} now; nothing was changed: \
                 read it again with get_pull_request, then call with the version that was read",
                one.id
            );
            return Err(writing::refused(Some("version"), phrase));
        }
    }
    let source = one.source.repository.as_ref();
    if deletes(call) && !(call.may_write_to)(source) {
        let whose = match source {
            Some(source) => format!("{source}, which is"),
            None => "a repository that Bitbucket does not name, which may be".to_owned(),
        };
        let phrase = format!(
            "cannot merge {}: `delete_source_branch` would delete a branch of {whose} out of the scope that bb was \
             started for; nothing was changed: leave it out to merge without deleting",
            one.id
        );
        return Err(writing::refused(Some("delete_source_branch"), phrase));
    }
    writing::check_strategy(call, &one)?;
    Ok(one)
}

fn deletes(call: &Call) -> bool {
    call.input.flag("delete_source_branch") == Some(true)
}

fn result() -> Value {
    writing::pull_request_schema(json!({"source_branch_deleted": {"type": "boolean"}}))
}
