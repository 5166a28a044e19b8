//! `compare_refs`: what one branch, tag or commit has that another has not.

use crate::bitbucket::diffs::DiffOf;
use crate::bitbucket::listing::Ask;
use crate::tool::answer::{Answer, MAX_TEXT_CHARS};
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::diff_files::{self, Wanted};
use crate::tools::{diff_text, shapes};
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "compare_refs",
    title: "Compare refs",
    group: Group::Commits,
    description: "Compares two branches, tags or commits that need no pull request: the commits that from has and to \
                  has not (default), the files changed since both were one, or their diff.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::required("from", Kind::Ref, "Branch, tag or commit with the changes"),
        Arg::required("to", Kind::Ref, "Branch, tag or commit without them"),
        Arg::optional(
            "what",
            Kind::OneOf(&["commits", "changes", "diff"]),
            "Default commits",
        ),
        Arg::optional("path", Kind::Path, "Diff of one file or folder"),
        Arg::START,
        Arg::optional(
            "start_file",
            Kind::Whole {
                min: 0,
                max: 100_000,
            },
            "`next` of the diff before",
        ),
        Arg::optional(
            "limit",
            Kind::Whole { min: 1, max: 1_000 },
            "Default 25 commits, 100 files",
        ),
    ],
    example: r#"{"project":"ACME","repo":"rocket","from":"feature/igniter","to":"main"}"#,
    result,
    run,
};

/// How many files' diffs are wanted unless the call says otherwise: the text's own bound is met long before.
const DEFAULT_FILES: usize = 100;

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let repository = shapes::repository(call)?;
    let (from, to) = (
        input.text("from").unwrap_or_default(),
        input.text("to").unwrap_or_default(),
    );
    let of = DiffOf::Refs {
        repository,
        from,
        to,
    };
    let what = input.text("what").unwrap_or("commits");
    fitting(call, what)?;
    match what {
        "diff" => return diff(call, of),
        "changes" => {
            (call.step)("listing the changes");
            let part = shapes::asked_part(call.bitbucket.changes(of, call.cancel)?, call);
            return Ok(Answer::list(
                "changes",
                &part,
                input.start(),
                shapes::change,
            ));
        }
        _ => {}
    }
    (call.step)("listing the commits");
    let start = input.start();
    let ask = Ask::first(input.limit()).from(start);
    let listing = call
        .bitbucket
        .commits_between(repository, from, to, ask, call.cancel)?;
    Ok(Answer::list(
        "commits",
        &listing,
        start,
        shapes::listed_commit,
    ))
}

/// Refuses an argument that would not be heeded.
fn fitting(call: &Call, what: &str) -> Result<(), ToolError> {
    let is_diff = what == "diff";
    let mut problems = Vec::new();
    if !is_diff && call.input.text("path").is_some() {
        problems.push("`path` goes with `what` diff alone".to_owned());
    }
    if !is_diff && call.input.whole("start_file").is_some() {
        problems.push("`start_file` goes with `what` diff alone: give `start`".to_owned());
    }
    if is_diff && call.input.start() > 0 {
        problems.push("`start` does not go with `what` diff: give `start_file`".to_owned());
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(ToolError::Arguments(problems)),
    }
}

fn diff(call: &Call, of: DiffOf) -> Result<Answer, ToolError> {
    let whole = |name| {
        let number = call.input.whole(name)?;
        Some(usize::try_from(number).unwrap_or(usize::MAX))
    };
    let wanted = Wanted {
        of,
        path: call.input.text("path"),
        context_lines: None,
        ignores_whitespace: false,
        start: whole("start_file").unwrap_or(0),
        limit: whole("limit").unwrap_or(DEFAULT_FILES),
        max_chars: MAX_TEXT_CHARS,
    };
    let mut files = Vec::new();
    let said = diff_files::gather(call, &wanted, &mut files)?;
    Ok(diff_text::answer(said.shown(&wanted, &files)))
}

fn result() -> Value {
    let mut schema = diff_text::schema();
    let lists = shapes::list_schema("commits", shapes::listed_commit_schema());
    if let (Value::Object(all), Value::Object(lists)) =
        (&mut schema["properties"], &lists["properties"])
    {
        for (name, part) in lists {
            all.entry(name).or_insert_with(|| part.clone());
        }
    }
    // Of a list it is a sentence, of a diff whether there is one.
    schema["properties"]["cut"] = json!({"anyOf": [{"type": "string"}, {"type": "boolean"}]});
    schema["properties"]["changes"] = json!({"type": "array", "items": shapes::change_schema()});
    schema
}
