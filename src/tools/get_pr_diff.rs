//! `get_pr_diff`: what a pull request changes, line by line.

use crate::bitbucket::diffs::DiffOf;
use crate::tool::answer::{Answer, MAX_TEXT_CHARS};
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::diff_files::{self, Wanted};
use crate::tools::diff_text;

/// How many files' diffs are wanted unless the call says otherwise: the text's own bound is met long before.
const DEFAULT_FILES: u64 = 100;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "get_pr_diff",
    title: "Get pull request diff",
    group: Group::PullRequests,
    description: "What a pull request changes, as a unified diff: one line a file (kind, path, lines added and removed, \
                  comments), its hunks below. Give path for one file or folder. For what reviewers wrote call \
                  list_pr_comments.",
    effect: Effect::Reads,
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[
        Arg::optional("path", Kind::Path, "One file or folder"),
        Arg::optional(
            "context_lines",
            Kind::Whole { min: 0, max: 1000 },
            "Unchanged lines around a change; default 10",
        ),
        Arg::optional(
            "whitespace",
            Kind::OneOf(&["show", "ignore"]),
            "Default show",
        ),
        Arg::optional(
            "start_file",
            Kind::Whole {
                min: 0,
                max: 100_000,
            },
            "`next` of the answer before",
        ),
        Arg::optional(
            "limit",
            Kind::Whole { min: 1, max: 1000 },
            "Files; default 100",
        ),
    ],
    example: r#"{"project":"ACME","repo":"rocket","id":42}"#,
    result: diff_text::schema,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let Some(id) = input.pull_request() else {
        return Err(ToolError::Arguments(vec!["`id` is missing".to_owned()]));
    };
    let whole = |name, default| {
        let number = input.whole(name).unwrap_or(default);
        usize::try_from(number).unwrap_or(usize::MAX)
    };
    let wanted = Wanted {
        of: DiffOf::PullRequest(&id),
        path: input.text("path"),
        context_lines: input.whole("context_lines"),
        ignores_whitespace: input.text("whitespace") == Some("ignore"),
        start: whole("start_file", 0),
        limit: whole("limit", DEFAULT_FILES),
        max_chars: MAX_TEXT_CHARS,
    };
    let mut files = Vec::new();
    let said = diff_files::gather(call, &wanted, &mut files)?;
    Ok(diff_text::answer(said.shown(&wanted, &files)))
}
