//! `update_pull_request`: another title, description, target or reviewers; a draft made ready, or the reverse.

use crate::bitbucket::error::{ApiError, Fault};
use crate::domain::pull_request::PullRequest;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Input, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::source;
use crate::tool::{Asks, Call, Effect, Group, Question, Tool, ToolError};
use crate::tools::{asking, writing};
use crate::words;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "update_pull_request",
    title: "Update pull request",
    group: Group::PullRequests,
    description: "Changes what is named of an open pull request and keeps the rest, reviewers included. Asks the \
                  person first when draft is given.",
    effect: Effect::Writes {
        asks: Asks::When(sets_draft, question),
        is_destructive: true,
        is_idempotent: true,
    },
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[
        Arg::optional("title", source::TITLE, "").prose(),
        Arg::optional(
            "description",
            writing::TEXT,
            "The whole, Markdown; \"\" clears it",
        )
        .prose(),
        Arg::optional("target_branch", Kind::Ref, ""),
        Arg::optional("add_reviewers", Kind::People, "User names"),
        Arg::optional("remove_reviewers", Kind::People, "User names"),
        Arg::optional("draft", Kind::Flag, "false makes it ready for review"),
    ],
    example: r#"{"project":"ACME","repo":"rocket","id":42,"title":"Light the engine","add_reviewers":["idris.vale"]}"#,
    result,
    run,
};

fn sets_draft(input: &Input) -> bool {
    input.flag("draft").is_some()
}

fn question(call: &Call) -> Result<Question, ToolError> {
    let one = writing::open_to_write(call, "update")?;
    let rest = match call.input.flag("draft") {
        Some(true) => " back to a draft",
        _ => " ready for review",
    };
    let effect = format!("{rest}{}", also(call.input));
    Ok(asking::question("Turn", &one, &effect))
}

/// What the same call changes besides, in words of a question; what somebody wrote freely comes last.
fn also(input: &Input) -> String {
    let mut changes = Vec::new();
    if let Some(text) = input.given("description") {
        changes.push(format!(
            "replace its description by {}",
            words::counted(text.chars().count() as u64, "character")
        ));
    }
    if let Some(branch) = input.text("target_branch") {
        changes.push(format!("have it merged into {}", asking::name(branch)));
    }
    for (name, verb) in [("add_reviewers", "add"), ("remove_reviewers", "remove")] {
        match input.people(name).as_slice() {
            [] => {}
            names => changes.push(format!("{verb} {} as reviewers", asking::people(names))),
        }
    }
    if let Some(title) = input.text("title") {
        changes.push(format!("call it {}", asking::quoted(title)));
    }
    changes
        .iter()
        .map(|change| format!(", and {change}"))
        .collect()
}

fn run(call: &Call) -> Result<Answer, ToolError> {
    check(call.input)?;
    (call.step)("reading the pull request");
    let seen = writing::open_to_write(call, "update")?;
    (call.step)("updating the pull request");
    let updated = match write(call, &seen)? {
        Ok(updated) => updated,
        Err(error) if is_stale(&error) && call.shown.is_none() => again(call, &seen, error)?,
        Err(error) => {
            let target = call.input.text("target_branch").map(writing::branch_id);
            let target = target.unwrap_or_else(|| seen.target.id.clone());
            return Err(writing::told_at(error, &[("target_branch", &target)]));
        }
    };
    let mut notes = Vec::new();
    if call
        .input
        .flag("draft")
        .is_some_and(|wanted| wanted != updated.is_draft)
    {
        notes.push("this Bitbucket has no drafts (they came with 8.18), so that stayed".to_owned());
    }
    Ok(writing::pull_request(call, &updated, &notes))
}

fn check(input: &Input) -> Result<(), ToolError> {
    let names = [
        "title",
        "description",
        "target_branch",
        "add_reviewers",
        "remove_reviewers",
    ];
    let mut problems = Vec::new();
    let is_given =
        |name: &&'static str| input.given(name).is_some() || !input.people(name).is_empty();
    if !names.iter().any(is_given) && !sets_draft(input) {
        problems.push(format!(
            "nothing to change is given: it must be one of {}, draft at least",
            names.join(", ")
        ));
    }
    for name in ["title", "target_branch"] {
        if input.given(name).is_some_and(|text| text.trim().is_empty()) {
            problems.push(format!(
                "`{name}` is blank: leave it out to keep what there is"
            ));
        }
    }
    let removed = input.people("remove_reviewers");
    for name in input.people("add_reviewers") {
        if removed.iter().any(|other| other.eq_ignore_ascii_case(name)) {
            problems.push(format!(
                "`add_reviewers` and `remove_reviewers` both name {name}: name them in one"
            ));
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(ToolError::Arguments(problems)),
    }
}

/// Sends what is named, and all else as it was read.
fn write(call: &Call, seen: &PullRequest) -> Result<Result<PullRequest, ApiError>, ToolError> {
    let input = call.input;
    writing::version(seen)?;
    let mut wanted = seen.clone();
    if let Some(title) = input.text("title") {
        title.trim().clone_into(&mut wanted.title);
    }
    if let Some(description) = input.given("description") {
        description.clone_into(&mut wanted.description);
    }
    if let Some(target) = input.text("target_branch") {
        wanted.target.id = writing::branch_id(target);
    }
    let reviewers = reviewers(input, seen)?;
    let names: Vec<&str> = reviewers.iter().map(String::as_str).collect();
    let draft = input.flag("draft").or(Some(true).filter(|_| seen.is_draft));
    Ok(call
        .bitbucket
        .update_pull_request(&wanted, &names, draft, call.cancel))
}

fn reviewers(input: &Input, seen: &PullRequest) -> Result<Vec<String>, ToolError> {
    let mut names: Vec<String> = seen
        .reviewers
        .iter()
        .map(|reviewer| reviewer.person.name.clone())
        .filter(|name| !name.is_empty())
        .collect();
    let mut problems = Vec::new();
    for removed in input.people("remove_reviewers") {
        let before = names.len();
        names.retain(|name| !name.eq_ignore_ascii_case(removed));
        if names.len() == before {
            problems.push(format!(
                "`remove_reviewers` names {}, who is no reviewer of {}: they are {}",
                crate::clean::line(removed, 80),
                seen.id,
                match names.is_empty() {
                    true => "nobody".to_owned(),
                    false => {
                        let names: Vec<&str> = names.iter().map(String::as_str).collect();
                        asking::people(&names)
                    }
                }
            ));
        }
    }
    for added in input.people("add_reviewers") {
        if !names.iter().any(|name| name.eq_ignore_ascii_case(added)) {
            names.push(added.to_owned());
        }
    }
    match problems.is_empty() {
        true => Ok(names),
        false => Err(ToolError::Arguments(problems)),
    }
}

fn is_stale(error: &ApiError) -> bool {
    let is_out_of_date = error
        .said()
        .is_some_and(|said| said.has_exception("PullRequestOutOfDateException"));
    error.fault() == Fault::Conflict && is_out_of_date
}

/// Bitbucket refused, so nothing was written. If the version moved for something that a person would not mind, such
/// as a push or another reviewer, what was asked still holds, and is sent once more over what is there now.
fn again(call: &Call, seen: &PullRequest, error: ApiError) -> Result<PullRequest, ToolError> {
    let now = call.bitbucket.pull_request(&seen.id, call.cancel)?;
    let mut moved = Vec::new();
    for (name, is_other) in [
        ("title", now.title != seen.title),
        ("description", now.description != seen.description),
        ("target branch", now.target.id != seen.target.id),
        ("draft", now.is_draft != seen.is_draft),
        ("state", now.state != seen.state),
    ] {
        if is_other {
            moved.push(name);
        }
    }
    if moved.is_empty() {
        return write(call, &now)?.map_err(writing::told);
    }
    let phrase = format!(
        "{error}; somebody changed its {} meanwhile ({} now), so nothing was changed: read it again with \
         get_pull_request, then call again if it still holds",
        moved.join(", "),
        now.version
            .map_or("another version".to_owned(), |version| format!(
                "version {version}"
            )),
    );
    Err(writing::refused(None, phrase))
}

fn result() -> Value {
    writing::pull_request_schema(json!({}))
}
