//! Which part of a JSON answer could not be understood, in words.
//!
//! Never quotes a value of the answer or a type of ours, and hides what must not be seen of its names. serde tells a line and a column; walking
//! there again tells the names on the way. Start reading at [`explain`].

use crate::clean;
use serde_json::Error;
use serde_json::error::Category;

/// What to look at where an answer lacks what each of Bitbucket's has.
pub(super) const WHOSE: &str = " (is this Bitbucket? --host, BITBUCKET_URL)";

/// As [`explain`]; where the flaw is at the top, the JSON may be somebody else's.
pub(super) fn told(error: &Error, json: &[u8], hide: &dyn Fn(&str) -> String) -> String {
    let told = explain(error, json, hide);
    match error.is_data() && !told.contains(['.', '[']) {
        true => format!("{told}{WHOSE}"),
        false => told,
    }
}

/// Says what `error` found in `json`: "`values[3].author` has no `name`".
fn explain(error: &Error, json: &[u8], hide: &dyn Fn(&str) -> String) -> String {
    match error.classify() {
        Category::Eof => "its JSON is broken off".to_owned(),
        Category::Syntax | Category::Io => {
            format!(
                "it is no JSON at line {}, column {}",
                error.line(),
                error.column()
            )
        }
        Category::Data => data(error, json, hide),
    }
}

fn data(error: &Error, json: &[u8], hide: &dyn Fn(&str) -> String) -> String {
    let place = path_at(json, offset(json, error.line(), error.column()));
    let place = clean::line(&hide(&place), 120);
    let place = if place.is_empty() {
        "the whole".to_owned()
    } else {
        format!("`{place}`")
    };
    let message = error.to_string();
    if let Some(field) = between(&message, "missing field `", "`") {
        return format!("{place} has no `{field}`");
    }
    let kinds = ["invalid type: ", "invalid value: "];
    if let Some(rest) = kinds.iter().find_map(|kind| message.strip_prefix(kind)) {
        // The value may hold the same words; ours come last.
        let (found, wanted) = rest.rsplit_once(", expected ").unwrap_or((rest, ""));
        return format!(
            "{place} is {}, not {}",
            found_kind(found),
            wanted_kind(wanted)
        );
    }
    format!("{place} is not of the form that bb knows")
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.strip_prefix(before)?.split(after).next()
}

fn found_kind(words: &str) -> &'static str {
    match words.split([' ', '`']).next() {
        Some("string" | "character") => "a text",
        Some("integer" | "floating" | "number") => "a number of another kind",
        Some("boolean") => "true or false",
        Some("null" | "unit") => "null",
        Some("map" | "struct") => "an object",
        Some("sequence") => "a list",
        _ => "of another kind",
    }
}

fn wanted_kind(words: &str) -> &'static str {
    let is = |starts: &[&str]| starts.iter().any(|start| words.starts_with(start));
    if is(&["a string", "string", "a borrowed string"]) {
        "a text"
    } else if is(&[
        "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f32", "f64",
    ]) {
        "the number that belongs there"
    } else if is(&["a boolean"]) {
        "true or false"
    } else if is(&["a sequence", "a tuple", "an array"]) {
        "a list"
    } else if is(&["struct", "a map", "map"]) {
        "an object"
    } else {
        "what belongs there"
    }
}

/// The offset of a line and a column, both from 1, as serde counts them: the column is that of the
/// last byte read.
fn offset(json: &[u8], line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        match json[start..].iter().position(|b| *b == b'\n') {
            Some(at) => start += at + 1,
            None => break,
        }
    }
    (start + column).min(json.len())
}

enum Step {
    Key(String),
    Index(usize),
}

/// The names and indices that lead to what ends just before `end`: `values[3].author`.
fn path_at(json: &[u8], end: usize) -> String {
    let json = &json[..end];
    let mut steps: Vec<Step> = Vec::new();
    let mut at = 0;
    while at < json.len() {
        match json[at] {
            b'{' => steps.push(Step::Key(String::new())),
            b'[' => steps.push(Step::Index(0)),
            // The last byte closes what the error is about.
            b'}' | b']' if at + 1 < json.len() => {
                steps.pop();
            }
            b',' => match steps.last_mut() {
                Some(Step::Index(index)) => *index += 1,
                Some(Step::Key(key)) => key.clear(),
                None => {}
            },
            b'"' => {
                let from = at + 1;
                at = from;
                while at < json.len() && json[at] != b'"' {
                    at += if json[at] == b'\\' { 2 } else { 1 };
                }
                let text = json.get(from..at.min(json.len())).unwrap_or_default();
                let is_key = json.get(at + 1..).is_some_and(|rest| {
                    rest.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b':')
                });
                if let (true, Some(Step::Key(key))) = (is_key, steps.last_mut()) {
                    *key = String::from_utf8_lossy(text).into_owned();
                }
            }
            _ => {}
        }
        at += 1;
    }
    // An object that is missing something is itself the place, not the last of its fields.
    if json.last() == Some(&b'}') {
        steps.pop();
    }
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Key(key) if key.is_empty() => {}
            Step::Key(key) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&key);
            }
            Step::Index(index) => path.push_str(&format!("[{index}]")),
        }
    }
    path
}

#[cfg(test)]
mod tests;
