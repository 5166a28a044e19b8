//! What others do to the pull request on screen, a button each, so that a person sees the view stay current.
//!
//! Never moves by itself. Start at [`make`]; [`MOVES`] is the table.

use serde_json::{Value, json};
use standin::{StandIn, Step};

use crate::child::Child;

/// Name, the words on its button, and what it does.
pub const MOVES: &[(&str, &str, Does)] = &[
    ("approve", "Tomas approves", approve),
    ("needs_work", "Tomas requests changes", needs_work),
    ("build_runs", "Lint starts", build_runs),
    ("build_passes", "Lint passes", build_passes),
    ("build_fails", "Lint fails", build_fails),
    ("comment", "Idris comments", comment),
    ("push", "Wren pushes", push),
    ("retitle", "Wren changes the title", retitle),
    ("merge", "Mira merges", merge),
    ("decline", "Mira declines", decline),
];

type Does = fn(&PullRequest) -> Value;

/// The pull request that is moved, as it is now.
pub struct PullRequest {
    repository: String,
    id: Value,
    title: String,
    source: String,
    branch: String,
    commit: String,
}

/// Makes one move on the pull request that `on` names as `show`'s arguments do.
///
/// # Errors
/// A move that is not there, or one that does not fit: nothing is done then.
pub fn make(standin: &StandIn, bb: &Child, name: &str, on: &Value) -> Result<(), String> {
    let (.., does) = MOVES
        .iter()
        .find(|(known, ..)| *known == name)
        .ok_or_else(|| format!("`{name}` is no move"))?;
    let step = does(&read(bb, on)?);
    let step: Step = serde_json::from_value(step).map_err(|error| error.to_string())?;
    standin.try_step(step)
}

/// Reads it through bb's own tool for the model.
fn read(bb: &Child, on: &Value) -> Result<PullRequest, String> {
    let arguments = json!({"project": on["project"], "repo": on["repo"], "id": on["id"]});
    let params = json!({"name": "get_pull_request", "arguments": arguments});
    let answer = bb.ask("tools/call", &params)?.answer;
    let said = answer["result"]["content"][0]["text"].as_str();
    let said = said.unwrap_or_default();
    let one: Value = serde_json::from_str(said).map_err(|_| format!("cannot move it: {said}"))?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if one["state"] != "OPEN" {
        let state = text(&one["state"]).to_lowercase();
        return Err(format!("it is {state}: nothing moves in it any more"));
    }
    let repository = text(&one["repository"]);
    let from = &one["fromRef"];
    Ok(PullRequest {
        id: one["id"].clone(),
        title: text(&one["title"]),
        source: from["repository"]
            .as_str()
            .unwrap_or(&repository)
            .to_owned(),
        branch: format!("refs/heads/{}", text(&from["displayId"])),
        commit: text(&from["latestCommit"]),
        repository,
    })
}

fn approve(one: &PullRequest) -> Value {
    review(one, "APPROVED")
}

fn needs_work(one: &PullRequest) -> Value {
    review(one, "NEEDS_WORK")
}

fn review(one: &PullRequest, status: &str) -> Value {
    json!({"step": "review", "repository": one.repository, "id": one.id, "user": "tomas.lindqvist", "status": status})
}

fn build_runs(one: &PullRequest) -> Value {
    build(one, "INPROGRESS", "Reading every file once")
}

fn build_passes(one: &PullRequest) -> Value {
    build(one, "SUCCESSFUL", "Nothing to mend")
}

fn build_fails(one: &PullRequest) -> Value {
    build(one, "FAILED", "2 findings")
}

/// The key is that of the build which runs in pull request 42.
fn build(one: &PullRequest, state: &str, description: &str) -> Value {
    json!({"step": "build", "repository": one.source, "commit": one.commit, "fields": {
        "key": "lint-77", "parent": "ci/lint", "name": "CI » lint", "state": state, "description": description,
        "url": "https://ci.example.com/lint/77", "ref": one.branch,
    }})
}

fn comment(one: &PullRequest) -> Value {
    json!({"step": "comment", "repository": one.repository, "id": one.id, "user": "idris.vale",
        "text": "Tried it on the bench: **lights every time**."})
}

fn push(one: &PullRequest) -> Value {
    json!({"step": "push", "repository": one.source, "branch": one.branch, "user": "wren.okafor",
        "message": "Say what the bench showed", "files": [["docs/bench.md", "# Bench\n\nLit at once.\n"]]})
}

fn retitle(one: &PullRequest) -> Value {
    let title = one.title.trim_end_matches(", and measure it");
    let title = match title.len() == one.title.len() {
        true => format!("{title}, and measure it"),
        false => title.to_owned(),
    };
    json!({"step": "retitle", "repository": one.repository, "id": one.id, "user": "wren.okafor", "title": title})
}

fn merge(one: &PullRequest) -> Value {
    json!({"step": "merge", "repository": one.repository, "id": one.id, "user": "mira.solano"})
}

fn decline(one: &PullRequest) -> Value {
    json!({"step": "decline", "repository": one.repository, "id": one.id, "user": "mira.solano"})
}
