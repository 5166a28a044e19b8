//! `submit_pr_review`: what the person says of somebody's pull request.

use crate::domain::pull_request::{PullRequest, ReviewStatus};
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::outcome::Outcome;
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Question, Tool, ToolError};
use crate::tools::{asking, shapes, writing};
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "submit_pr_review",
    title: "Review pull request",
    group: Group::PullRequests,
    description: "Approves a pull request, requests changes (needs_work), or takes either back (unapprove), in the \
                  person's name and of the newest source commit. Asks the person first. Publishes no pending comments.",
    effect: Effect::Writes {
        asks: Asks::Always(question),
        is_destructive: false,
        is_idempotent: true,
    },
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[Arg::required(
        "action",
        Kind::OneOf(&["approve", "needs_work", "unapprove"]),
        "",
    )],
    example: r#"{"project":"ACME","repo":"rocket","id":44,"action":"approve"}"#,
    result,
    run,
};

fn question(call: &Call) -> Result<Question, ToolError> {
    let (one, _) = reviewable(call)?;
    let at = short(&one.source.latest_commit);
    let rest = match at.is_empty() {
        true => String::new(),
        false => format!(" at commit {at}"),
    };
    Ok(match call.input.text("action") {
        Some("approve") => asking::question("Approve", &one, &rest),
        Some("needs_work") => asking::question("Request changes of", &one, &rest),
        _ => asking::question("Take back the review of", &one, &rest),
    })
}

fn run(call: &Call) -> Result<Answer, ToolError> {
    (call.step)("reading the pull request");
    let (one, me) = reviewable(call)?;
    let status = match call.input.text("action") {
        Some("approve") => ReviewStatus::Approved,
        Some("needs_work") => ReviewStatus::NeedsWork,
        _ => ReviewStatus::Unapproved,
    };
    let slug = call.bitbucket.slug_of(&me, &one, call.cancel)?;
    (call.step)("submitting the review");
    let seen = &one.source.latest_commit;
    let said = call
        .bitbucket
        .review(&one.id, &slug, &status, seen, call.cancel)
        .map_err(writing::told)?;
    let page = call.bitbucket.page_of(&one.id);
    let url = call.bitbucket.base().page_or(one.page.as_ref(), page);
    Ok(Answer::one(json!({
        "id": one.id.number,
        "version": one.version,
        "title": one.title,
        "state": one.state.word(),
        "repository": one.id.repository.to_string(),
        "user": shapes::person(&said.person),
        "status": said.status.word(),
        "lastReviewedCommit": said.last_reviewed.as_ref().unwrap_or(seen),
        "url": url,
    }))
    .with_outcome(Outcome {
        is_done: true,
        id: Some(one.id.number),
        url: Some(url.clone()),
        version: one.version,
        errors: Vec::new(),
    }))
}

/// The pull request, and who reviews it: somebody, and not its author.
fn reviewable(call: &Call) -> Result<(PullRequest, String), ToolError> {
    let one = writing::open_to_write(call, "review")?;
    let Some(me) = call.bitbucket.me(call.cancel)? else {
        let phrase = format!(
            "cannot review {}: Bitbucket takes this for nobody's request, and a review is somebody's \
             (BITBUCKET_TOKEN must be a person's token)",
            one.id
        );
        return Err(writing::refused(None, phrase));
    };
    let author = one.author.as_ref().map(|author| author.name.as_str());
    if author.is_some_and(|author| author.eq_ignore_ascii_case(&me)) {
        let phrase = format!(
            "cannot review {}: it is `{me}`'s own, and Bitbucket lets nobody review their own; nothing was changed",
            one.id
        );
        return Err(writing::refused(None, phrase));
    }
    Ok((one, me))
}

fn short(commit: &str) -> String {
    commit.chars().take(11).collect()
}

fn result() -> Value {
    let text = json!({"type": "string"});
    shapes::object(json!({
        "id": {"type": "integer"}, "version": {"type": "integer"}, "title": text, "state": text,
        "repository": text, "user": text, "status": text, "lastReviewedCommit": text, "url": text,
    }))
}
