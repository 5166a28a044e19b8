//! `add_pr_comment`: a comment, a reply or a task, on a pull request, a file or lines of it.

use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::writes::comments::{NewComment, Place, Spot, Written};
use crate::bitbucket::writes::lines::{ChangedFile, Found, Lines, Side};
use crate::clean;
use crate::domain::repository::PullRequestId;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Input, Kind, Target};
use crate::tool::outcome::Outcome;
use crate::tool::reach::Reach;
use crate::tool::{Asks, Call, Effect, Group, Tool, ToolError};
use crate::tools::{shapes, writing};
use crate::words;
use serde_json::{Value, json};

/// The most files that are named of those that a pull request changes.
const MAX_NAMED: usize = 20;

/// No file has more lines than Bitbucket counts.
const LINE: Kind = Kind::Whole {
    min: 1,
    max: 2_147_483_647,
};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "add_pr_comment",
    title: "Comment on pull request",
    group: Group::PullRequests,
    description: "Adds a comment to a pull request: on it as a whole, on a file (path), on a line (path, line) or \
                  several, or as a reply (parent_id). task makes it a task, which may hold up the merge.",
    effect: Effect::Writes {
        asks: Asks::Never,
        is_destructive: false,
        is_idempotent: false,
    },
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[
        Arg::required("text", writing::TEXT, "Markdown").prose(),
        Arg::optional("parent_id", LINE, "The comment to reply to"),
        Arg::optional("path", Kind::Path, "A changed file"),
        Arg::optional("line", LINE, "As the diff numbers it on that side"),
        Arg::optional("start_line", LINE, "The first of several, line the last"),
        Arg::optional(
            "side",
            Kind::OneOf(&["old", "new"]),
            "Default new; old for a removed line",
        ),
        Arg::optional("task", Kind::Flag, ""),
    ],
    example: r#"{"project":"ACME","repo":"rocket","id":42,"text":"Why 600 kPa?","path":"engine/pump.rs","line":37}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let id = writing::target(call)?;
    check(input)?;
    let place = match input.text("path") {
        Some(path) => Some(place(call, &id, path)?),
        None => None,
    };
    (call.step)("writing the comment");
    let new = NewComment {
        text: input.text("text").unwrap_or_default(),
        parent: input.whole("parent_id"),
        is_task: input.flag("task") == Some(true),
        place,
    };
    let written = call
        .bitbucket
        .add_comment(&id, &new, call.cancel)
        .map_err(|error| told(error, &id, new.parent))?;
    let mut note = None;
    if written.is_outdated {
        note = Some("Bitbucket found no place for it in the diff, so it is shown as outdated");
    }
    Ok(answer(call, &id, &written, new.parent, note))
}

fn check(input: &Input) -> Result<(), ToolError> {
    let mut problems = Vec::new();
    if input.text("text").is_none() {
        problems.push("`text` is blank: it must say something".to_owned());
    }
    let (path, line) = (input.text("path"), input.whole("line"));
    for (name, needs, is_there) in [
        ("line", "path", path.is_some()),
        ("start_line", "line", line.is_some()),
        ("side", "line", line.is_some()),
    ] {
        let is_given = input.whole(name).is_some() || input.text(name).is_some();
        if is_given && !is_there {
            problems.push(format!("`{name}` is given without `{needs}`: give both"));
        }
    }
    if let (Some(first), Some(last)) = (input.whole("start_line"), line) {
        if first > last {
            problems.push(format!(
                "`start_line` is {first}, below which `line` {last} must not lie: it is the first of the lines"
            ));
        }
    }
    if input.whole("parent_id").is_some() && path.is_some() {
        problems.push(
            "`parent_id` and `path` are both given: a reply stands where its thread does, so leave out path"
                .to_owned(),
        );
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(ToolError::Arguments(problems)),
    }
}

/// Where a comment on `path` stands, by the pull request's own diff of it.
fn place(call: &Call, id: &PullRequestId, path: &str) -> Result<Place, ToolError> {
    let input = call.input;
    (call.step)("looking for the place in the diff");
    let file = match call.bitbucket.changed_file(id, path, call.cancel)? {
        Found::Changed(file) => file,
        // Then Bitbucket decides.
        Found::Unknown => ChangedFile {
            path: path.to_owned(),
            source_path: None,
            is_deleted: false,
        },
        Found::Unchanged(changed) => {
            let named = &changed[..changed.len().min(MAX_NAMED)];
            return Err(problem(format!(
                "`path` is \"{}\", which {id} does not change: it changes {}{}",
                clean::line(path, 200),
                match changed.is_empty() {
                    true => "nothing".to_owned(),
                    false => clean::line(&named.join(", "), 1_000),
                },
                match changed.len() - named.len() {
                    0 => String::new(),
                    more => format!(" and {more} more: get_pr_diff names them all"),
                },
            )));
        }
    };
    let mut place = Place {
        path: file.path.clone(),
        source_path: file.source_path.clone(),
        line: None,
        first: None,
    };
    let Some(line) = input.whole("line") else {
        return Ok(place);
    };
    let first = input.whole("start_line").filter(|first| *first != line);
    if first.is_some() {
        check_version(call)?;
    }
    let lines = call.bitbucket.lines_of(id, &file, call.cancel)?;
    let side = side(input, &file)?;
    if lines.is_binary {
        return Err(problem(format!(
            "`line` is given, and \"{}\" is binary: leave it out to comment on the file",
            clean::line(&file.path, 200)
        )));
    }
    let spot = |name: &str, line: u64| spot(&lines, side, &file, name, line);
    place.line = Some(spot("line", line)?);
    place.first = first.map(|first| spot("start_line", first)).transpose()?;
    Ok(place)
}

fn side(input: &Input, file: &ChangedFile) -> Result<Side, ToolError> {
    match (input.text("side"), file.is_deleted) {
        (Some("new"), true) => Err(problem(format!(
            "`side` is \"new\", and \"{}\" is deleted: its lines are on the side \"old\"",
            clean::line(&file.path, 200)
        ))),
        (Some("old"), _) | (None, true) => Ok(Side::Old),
        _ => Ok(Side::New),
    }
}

fn spot(
    lines: &Lines,
    side: Side,
    file: &ChangedFile,
    name: &str,
    line: u64,
) -> Result<Spot, ToolError> {
    let kind = lines.kind(side, line).ok_or_else(|| {
        problem(format!(
            "`{name}` is {line}, and Bitbucket cuts the diff of \"{}\" after {} of that side, before it: \
             comment on an earlier line or on the file",
            clean::line(&file.path, 200),
            words::counted(lines.shown(side) as u64, "line")
        ))
    })?;
    Ok(Spot { line, side, kind })
}

/// Older Bitbucket drops what says where several lines begin, and the comment would stand on the last alone.
fn check_version(call: &Call) -> Result<(), ToolError> {
    let version = call.bitbucket.greet(call.cancel)?.version;
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().ok());
    let (Some(Some(major)), minor) = (numbers.next(), numbers.next().flatten()) else {
        return Ok(());
    };
    if (major, minor.unwrap_or(0)) >= (9, 3) {
        return Ok(());
    }
    Err(problem(format!(
        "`start_line` is given, and this Bitbucket is {}: comments on several lines came with 9.3, so leave it out",
        clean::line(&version, 40)
    )))
}

fn problem(phrase: String) -> ToolError {
    ToolError::Arguments(vec![phrase])
}

/// A parent that is not there is likely another pull request's.
fn told(error: ApiError, id: &PullRequestId, parent: Option<u64>) -> ToolError {
    match (error.fault(), parent) {
        (Fault::NotFound, Some(parent)) => writing::refused(
            Some("parent_id"),
            format!("{error} (is comment {parent} one of {id}? list_pr_comments has its comments)"),
        ),
        _ => writing::told(error),
    }
}

/// A comment as it is now.
pub(super) fn answer(
    call: &Call,
    id: &PullRequestId,
    written: &Written,
    parent: Option<u64>,
    note: Option<&str>,
) -> Answer {
    let url = comment_page(call, id, written.id);
    let task_state = Some(&written.state).filter(|state| written.is_task && !state.is_empty());
    Answer::one(json!({
        "id": written.id,
        "version": written.version,
        "pull_request": id.number,
        "repository": id.repository.to_string(),
        "text": written.text,
        "severity": Some("BLOCKER").filter(|_| written.is_task),
        "state": task_state,
        "threadResolved": written.is_thread_resolved.filter(|_| !written.is_task),
        "parent": parent,
        "path": written.path,
        "line": written.line,
        "url": url,
        "note": note,
    }))
    .with_outcome(Outcome {
        is_done: true,
        id: Some(written.id),
        url: Some(url),
        version: written.version,
        errors: Vec::new(),
    })
}

/// Source: the address behind "Copy link" of a comment on Bitbucket's page.
pub(super) fn comment_page(call: &Call, id: &PullRequestId, comment: u64) -> String {
    let page = call.bitbucket.page_of(id);
    format!("{page}/overview?commentId={comment}")
}

/// The schema of what [`answer`] gives.
pub(super) fn result() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    shapes::object(json!({
        "id": number, "version": number, "pull_request": number, "repository": text, "text": text,
        "severity": text, "state": text, "threadResolved": {"type": "boolean"}, "parent": number,
        "path": text, "line": number, "url": text, "note": text, "cut": text,
    }))
}
