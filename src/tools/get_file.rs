//! `get_file`: the text of a file, a window at a time; anything else described.

use crate::bitbucket::files::At;
use crate::domain::file::{Contents, Node, Window};
use crate::tool::answer::{Answer, MAX_TEXT_CHARS};
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use crate::words;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "get_file",
    title: "Get file",
    group: Group::Repositories,
    description: "Text of a file, each line with its number and a tab before it; of anything else type and size. A \
                  file that goes on says so: pass next_start_line as start_line.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::required("path", Kind::Path, ""),
        Arg::optional(
            "at",
            Kind::Ref,
            "Branch, tag or commit; default the default branch",
        ),
        Arg::optional(
            "start_line",
            Kind::Whole {
                min: 1,
                max: 2_147_483_647,
            },
            "From 1",
        ),
        Arg::optional(
            "limit",
            Kind::Whole { min: 1, max: 2_000 },
            "Lines, default 500",
        ),
    ],
    example: r#"{"project":"ACME","repo":"rocket","path":"engine/pump.rs","start_line":1}"#,
    result,
    run,
};

/// How many lines are read unless a call asks for another number.
const DEFAULT_LINES: u64 = 500;

/// The most characters of one line: what is longer was made by a program, for one.
const MAX_LINE_CHARS: usize = 2_000;

/// What stands beside the lines takes no more than this.
const FRAME_CHARS: usize = 6_000;

fn run(call: &Call) -> Result<Answer, ToolError> {
    let path = call.input.text("path").unwrap_or_default();
    let file = At {
        repository: shapes::repository(call)?,
        path,
        at: call.input.text("at"),
    };
    let first = call.input.whole("start_line").unwrap_or(1);
    let limit = call.input.whole("limit").unwrap_or(DEFAULT_LINES);
    (call.step)("reading the file");
    let contents = call
        .bitbucket
        .contents(file, first.saturating_sub(1), limit, call.cancel)?;
    Ok(Answer::one(match contents {
        Contents::Text(window) => text(path, first, &window),
        Contents::Binary(size_bytes) => json!({
            "path": path, "type": "FILE", "binary": true, "size": size_bytes,
        }),
        Contents::Other(Node::Directory) => json!({
            "path": path, "type": "DIRECTORY", "note": "a folder: call list_files with that path",
        }),
        Contents::Other(Node::Submodule) => json!({
            "path": path, "type": "SUBMODULE", "note": "a commit of another repository stands here, no file",
        }),
        Contents::Other(node) => json!({"path": path, "type": node.word()}),
    }))
}

fn text(path: &str, first: u64, window: &Window) -> Value {
    let mut left = MAX_TEXT_CHARS - FRAME_CHARS;
    let mut lines = Vec::new();
    let mut long_lines = Vec::new();
    let has_returns = window.lines.iter().any(|line| line.ends_with('\r'));
    for (number, line) in (window.start + 1..).zip(&window.lines) {
        let (line, is_cut) = shown(line);
        let line = json!(format!("{number}\t{line}"));
        let Some(rest) = left.checked_sub(line.to_string().chars().count() + 1) else {
            break;
        };
        left = rest;
        lines.push(line);
        if is_cut {
            long_lines.push(number);
        }
    }
    let is_cut = lines.len() < window.lines.len();
    let next = window.start + 1 + lines.len() as u64;
    let has_more = is_cut || window.has_more;
    let mut value = json!({
        "path": path,
        "shown": lines.len(),
        "more": has_more,
        "next_start_line": Some(next).filter(|_| has_more),
        "line_ends": Some("CRLF").filter(|_| has_returns),
        "cut": cut(is_cut, next, &long_lines),
        "note": match (lines.is_empty(), first) {
            (true, 1) => Some("the file is empty".to_owned()),
            (true, _) => Some(format!("the file ends before line {first}")),
            _ => None,
        },
    });
    value["lines"] = Value::Array(lines);
    value
}

/// A line that keeps to its line and to its length, and whether it was cut.
fn shown(line: &str) -> (String, bool) {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let line = line.replace(['\r', '\n'], "<line end>");
    let cleaned = crate::clean::text(&line, MAX_LINE_CHARS);
    let is_cut = cleaned.ends_with('…') && cleaned.chars().count() == MAX_LINE_CHARS && {
        line.chars().count() > MAX_LINE_CHARS || !line.ends_with('…')
    };
    (cleaned, is_cut)
}

fn cut(is_cut: bool, next: u64, long_lines: &[u64]) -> Option<String> {
    let mut said = Vec::new();
    if is_cut {
        said.push(format!(
            "the answer was cut at {MAX_TEXT_CHARS} characters; go on with start_line {next}"
        ));
    }
    if let Some(first) = long_lines.first() {
        let others = match long_lines.len() {
            1 => String::new(),
            n => format!(" and {}", words::counted(n as u64 - 1, "more line")),
        };
        said.push(format!(
            "line {first}{others}: cut at {MAX_LINE_CHARS} characters, the rest is in the repository alone"
        ));
    }
    Some(said.join("; ")).filter(|said| !said.is_empty())
}

fn result() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    shapes::object(json!({
        "path": text, "lines": {"type": "array", "items": text}, "shown": number,
        "more": {"type": "boolean"}, "next_start_line": number, "line_ends": text, "cut": text, "note": text,
        "type": text, "binary": {"type": "boolean"}, "size": number,
    }))
}
