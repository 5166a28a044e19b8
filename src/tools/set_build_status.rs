//! `set_build_status`: what a build of a commit came to.

use crate::bitbucket::writes::builds::NewBuild;
use crate::clean;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::outcome::Outcome;
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Question, Tool, ToolError};
use crate::tools::{asking, shapes, writing};
use serde_json::{Value, json};

/// Bitbucket's bound of most of a build's texts.
const SHORT: Kind = Kind::Text { max_chars: 255 };

/// Bitbucket's bound of its link.
const MAX_URL_CHARS: usize = 450;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "set_build_status",
    title: "Set build status",
    group: Group::Builds,
    description: "Posts what a build of a commit came to; the same key replaces what it said before. Asks the person \
                  first.",
    effect: Effect::Writes {
        asks: Asks::Always(question),
        is_destructive: true,
        is_idempotent: true,
    },
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::required("commit_id", Kind::Commit, ""),
        Arg::required("key", SHORT, ""),
        Arg::required(
            "state",
            Kind::OneOf(&["SUCCESSFUL", "FAILED", "INPROGRESS", "CANCELLED", "UNKNOWN"]),
            "",
        ),
        Arg::required(
            "url",
            Kind::Text {
                max_chars: MAX_URL_CHARS,
            },
            "The build's page",
        ),
        Arg::optional("name", SHORT, "Default: the key"),
        Arg::optional("description", SHORT, "").prose(),
        Arg::optional("parent", SHORT, "The key that a required build is named by"),
        Arg::optional("ref", Kind::Ref, "The branch that it was for"),
    ],
    example: r#"{"project":"ACME","repo":"rocket","commit_id":"8d51122def5632836d1cb1026e879069e10a1e13","key":"ENGINE","state":"SUCCESSFUL","url":"https://ci.example.com/7"}"#,
    result,
    run,
};

fn question(call: &Call) -> Result<Question, ToolError> {
    let at = shapes::repository(call)?;
    let build = build(call)?;
    let commit = call.input.text("commit_id").unwrap_or_default();
    // A required build is told by its parent, whatever the build is called: that decides a merge.
    let parent = build
        .parent
        .map(|parent| format!(", parent {}", asking::quoted(parent)))
        .unwrap_or_default();
    let branch = call
        .input
        .text("ref")
        .map(|name| format!(", for {}", asking::name(name)))
        .unwrap_or_default();
    Ok(Question {
        text: format!(
            "Set a build of commit {commit} of {} to {}{branch}, with a link to {}: key {}{parent}, name {}?",
            asking::place(at),
            build.state,
            clean::line(build.url, MAX_URL_CHARS),
            asking::quoted(build.key),
            asking::quoted(build.name),
        ),
        version: None,
    })
}

fn run(call: &Call) -> Result<Answer, ToolError> {
    let at = shapes::repository(call)?;
    let reference = call.input.text("ref").map(writing::branch_id);
    let build = NewBuild {
        reference: reference.as_deref(),
        ..build(call)?
    };
    let given = call.input.text("commit_id").unwrap_or_default();
    (call.step)("reading the commit");
    let commit = call.bitbucket.commit(at, given, call.cancel)?.id;
    let commit = match commit.is_empty() {
        true => given.to_owned(),
        false => commit,
    };
    (call.step)("posting the build");
    call.bitbucket
        .set_build(at, &commit, &build, call.cancel)
        .map_err(writing::told)?;
    let page = call
        .bitbucket
        .base()
        .commit_page(&at.project, &at.slug, &commit);
    Ok(Answer::one(json!({
        "commit": commit,
        "repository": at.to_string(),
        "key": build.key,
        "state": build.state,
        "name": build.name,
        "description": build.description,
        "parent": build.parent,
        "ref": build.reference,
        "url": build.url,
        "commit_url": page,
    }))
    .with_outcome(Outcome {
        is_done: true,
        url: Some(page),
        ..Outcome::default()
    }))
}

/// What is posted, its branch aside.
fn build<'a>(call: &'a Call) -> Result<NewBuild<'a>, ToolError> {
    let text = |name: &str| call.input.text(name);
    let mut problems = Vec::new();
    for name in ["key", "url"] {
        if text(name).is_none() {
            problems.push(format!("`{name}` is blank: it must say something"));
        }
    }
    let url = text("url").unwrap_or_default();
    let scheme = url
        .split_once("://")
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    if !url.is_empty() && !matches!(scheme.as_deref(), Some("http" | "https")) {
        problems.push(format!(
            "`url` is \"{}\": it must be an http or https address",
            clean::line(url, 60)
        ));
    }
    if !problems.is_empty() {
        return Err(ToolError::Arguments(problems));
    }
    let key = text("key").unwrap_or_default();
    Ok(NewBuild {
        key,
        state: text("state").unwrap_or_default(),
        url,
        name: text("name").unwrap_or(key),
        description: text("description"),
        parent: text("parent"),
        reference: None,
    })
}

fn result() -> Value {
    let text = json!({"type": "string"});
    shapes::object(json!({
        "commit": text, "repository": text, "key": text, "state": text, "name": text,
        "description": text, "parent": text, "ref": text, "url": text, "commit_url": text,
    }))
}
