//! `list_files`: what a folder of a repository holds.

use crate::bitbucket::files::At;
use crate::bitbucket::listing::Ask;
use crate::domain::file::Entry;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "list_files",
    title: "List files",
    group: Group::Repositories,
    description: "What one folder of a repository holds, each with its type (FILE with its size in bytes, DIRECTORY, \
                  SUBMODULE). Not what lies deeper: call it again for a folder, or search_code for contents.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::optional("path", Kind::Path, "Folder; default the top"),
        Arg::optional(
            "at",
            Kind::Ref,
            "Branch, tag or commit; default the default branch",
        ),
        Arg::START,
        Arg::LIMIT,
    ],
    example: r#"{"project":"ACME","repo":"rocket","path":"engine"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let folder = At {
        repository: shapes::repository(call)?,
        path: call.input.text("path").unwrap_or_default(),
        at: call.input.text("at"),
    };
    let start = call.input.start();
    let ask = Ask::first(call.input.limit()).from(start);
    (call.step)("listing the files");
    match call.bitbucket.folder(folder, ask, call.cancel)? {
        Some(listing) => Ok(Answer::list("files", &listing, start, entry)),
        None => {
            let problem = format!("{folder} is a file: call get_file with that path");
            Err(ToolError::Arguments(vec![problem]))
        }
    }
}

fn entry(entry: &Entry) -> Value {
    json!({"path": entry.path, "type": entry.node.word(), "size": entry.size_bytes})
}

fn result() -> Value {
    let text = json!({"type": "string"});
    let entry = shapes::object(json!({"path": text, "type": text, "size": {"type": "integer"}}));
    shapes::list_schema("files", entry)
}
