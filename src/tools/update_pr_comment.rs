//! `update_pr_comment`: another text; a task or a thread resolved or opened again.

use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::writes::comments::CommentChange;
use crate::domain::repository::PullRequestId;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Tool, ToolError};
use crate::tools::{add_pr_comment, writing};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "update_pr_comment",
    title: "Update comment",
    group: Group::PullRequests,
    description: "Changes the text of a comment of the person's own, or resolves or reopens a task, or the thread \
                  that a comment begins. list_pr_comments and list_pr_tasks have the ids.",
    effect: Effect::Writes {
        asks: Asks::Never,
        is_destructive: true,
        is_idempotent: true,
    },
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[
        Arg::required(
            "comment_id",
            Kind::Whole {
                min: 1,
                max: 2_147_483_647,
            },
            "",
        ),
        Arg::optional("text", writing::TEXT, "The whole, Markdown").prose(),
        Arg::optional("resolved", Kind::Flag, ""),
    ],
    example: r#"{"project":"ACME","repo":"rocket","id":42,"comment_id":405,"resolved":true}"#,
    result: add_pr_comment::result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let id = writing::target(call)?;
    let comment = input.whole("comment_id").unwrap_or_default();
    let (text, resolved) = (input.text("text"), input.flag("resolved"));
    if input.given("text").is_some() && text.is_none() {
        let problem = "`text` is blank: leave it out to keep what there is";
        return Err(ToolError::Arguments(vec![problem.to_owned()]));
    }
    if text.is_none() && resolved.is_none() {
        let problem = "nothing to change is given: it must be text, resolved or both";
        return Err(ToolError::Arguments(vec![problem.to_owned()]));
    }
    (call.step)("reading the comment");
    let seen = call
        .bitbucket
        .comment(&id, comment, call.cancel)
        .map_err(|error| told(error, &id, comment))?;
    let Some(version) = seen.version else {
        let phrase = format!(
            "cannot update comment {comment} of {id}: Bitbucket does not tell its version, without which it takes \
             no change"
        );
        return Err(writing::refused(None, phrase));
    };
    (call.step)("updating the comment");
    let change = CommentChange {
        text,
        is_task_resolved: resolved.filter(|_| seen.is_task),
        is_thread_resolved: resolved.filter(|_| !seen.is_task),
    };
    let written = call
        .bitbucket
        .update_comment(&id, comment, version, change, call.cancel)
        .map_err(writing::told)?;
    let is_ignored = change
        .is_thread_resolved
        .is_some_and(|wanted| written.is_thread_resolved.unwrap_or(!wanted) != wanted);
    let note = "Bitbucket did not change whether the thread is resolved: only a thread's first comment can be, \
                and only from 8.9 on";
    Ok(add_pr_comment::answer(
        call,
        &id,
        &written,
        None,
        Some(note).filter(|_| is_ignored),
    ))
}

/// A comment that is not there is likely another pull request's.
fn told(error: ApiError, id: &PullRequestId, comment: u64) -> ToolError {
    match error.fault() {
        Fault::NotFound => writing::refused(
            Some("comment_id"),
            format!(
                "{error} (is comment {comment} one of {id}? list_pr_comments has its comments)"
            ),
        ),
        _ => ToolError::Api(error),
    }
}
