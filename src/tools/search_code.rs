//! `search_code`: where a text stands in the code.

use crate::bitbucket::error::Fault;
use crate::bitbucket::listing::Ask;
use crate::domain::file::Hit;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "search_code",
    title: "Search code",
    group: Group::Repositories,
    description: "Files whose default branch holds what is searched for, with the lines around it, in a repository, a \
                  project or all. The query is Bitbucket's: words, \"a phrase\", ext:rs, path:src.",
    effect: Effect::Reads,
    target: Target::MaybeProject,
    reach: Reach::Query("query"),
    args: &[
        Arg::required("query", Kind::Text { max_chars: 250 }, ""),
        Arg::START,
        Arg::LIMIT,
    ],
    example: r#"{"project":"ACME","repo":"rocket","query":"open_valve"}"#,
    result,
    run,
};

/// The most lines told of one file: more than a page of Bitbucket's search shows.
const MAX_LINES: usize = 40;

fn run(call: &Call) -> Result<Answer, ToolError> {
    let input = call.input;
    let query = input.text("query").unwrap_or_default();
    let place = match (input.repository(), input.project()) {
        (Some(repository), _) => Some(("repo", repository.to_string())),
        (None, project) => project.map(|key| ("project", key.to_owned())),
    };
    let query = match &place {
        Some((_, place)) if !is_plain(place) => {
            let problem =
                format!("`repo` is \"{place}\": it must be a repository's slug, such as rocket");
            return Err(ToolError::Arguments(vec![problem]));
        }
        Some((what, place)) => format!("{what}:{place} {query}"),
        None => query.to_owned(),
    };
    let start = input.start();
    let ask = Ask::first(input.limit()).from(start);
    (call.step)("searching the code");
    let listing = match call.bitbucket.search_code(&query, ask, call.cancel) {
        Ok(listing) => listing,
        Err(error) if error.fault() == Fault::NotFound => {
            return Err(ToolError::Absent(format!(
                "{error} (code search needs a search server beside Bitbucket, and this one seems to have none: \
                 list_files and get_file read a repository without it)"
            )));
        }
        Err(error) => return Err(error.into()),
    };
    // A query can name places of its own; only those that were asked for are told.
    let is_asked = |hit: &Hit| match (&hit.repository, input.repository(), input.project()) {
        (Some(found), Some(asked), _) => found.is(asked),
        (Some(found), None, Some(project)) => found.project.eq_ignore_ascii_case(project),
        (None, asked, project) => asked.is_none() && project.is_none(),
        (Some(_), None, None) => true,
    };
    let listing = match place.is_some() && !listing.values.iter().all(is_asked) {
        true => listing.keep(is_asked),
        false => listing,
    };
    Ok(Answer::list("files", &listing, start, entry))
}

/// Whether a place cannot be read as more than one word of the query language.
fn is_plain(place: &str) -> bool {
    let is_plain = |sign: char| sign.is_alphanumeric() || "-._~/".contains(sign);
    place.chars().all(is_plain)
}

fn entry(hit: &Hit) -> Value {
    let lines: Vec<String> = hit
        .lines
        .iter()
        .take(MAX_LINES)
        .map(|(number, line)| format!("{number}\t{}", line.trim_end_matches(['\r', '\n'])))
        .collect();
    let left_out = hit.lines.len() - lines.len();
    json!({
        "repository": hit.repository.as_ref().map(ToString::to_string),
        "path": hit.path,
        "hitCount": hit.count,
        "lines": Some(lines).filter(|lines| !lines.is_empty()),
        "lines_left_out": Some(left_out).filter(|left_out| *left_out > 0),
    })
}

fn result() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let hit = shapes::object(json!({
        "repository": text, "path": text, "hitCount": number,
        "lines": {"type": "array", "items": text}, "lines_left_out": number,
    }));
    shapes::list_schema("files", hit)
}
