//! The token classes of the lines that travel, the file on screen first, before one deadline.
//!
//! Never part of the facts: colors that came too late are there the next time, and change no fingerprint. Start
//! reading at [`colors`].

use crate::highlight::{Highlighter, Line, Named, Source};
use crate::show::drawing::Facts;
use crate::show::fences;
use crate::show::fit::Room;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Instant;

/// By path: by hunk, by line, as `view/diff_rows.js` reads them.
pub(super) type Colors = BTreeMap<String, Vec<Vec<Line>>>;

/// One file of the facts, and its lines by hunk, each with its sign.
struct Shown<'a> {
    path: String,
    hunks: Vec<Vec<&'a str>>,
}

/// The colors of the files that the facts carry and of the code in their comments, each file's whole, as far as there
/// is time and `room`; and whether there was time for all.
pub(super) fn colors(
    facts: &Facts,
    highlighter: &Highlighter,
    room: usize,
) -> (Colors, fences::Colors, bool) {
    let until = Instant::now() + highlighter.deadline();
    let files = shown(facts.value());
    let pieces = fences::found(facts.value());
    let mut sources: Vec<Source> = files.iter().map(source).collect();
    sources.extend(pieces.iter().map(|piece| piece.source.clone()));
    let mut made = highlighter.lines(&sources, until);
    let of_pieces = made.files.split_off(files.len());
    let mut room = Room::new(room);
    let mut found = Colors::new();
    for (file, blocks) in files.into_iter().zip(made.files) {
        let lines = joined(&file, &blocks);
        let is_plain = lines.iter().all(Vec::is_empty);
        if !is_plain && room.takes(&(&file.path, &lines)) {
            found.insert(file.path, lines);
        }
    }
    let fences = fences::colored(pieces, of_pieces, &mut room);
    (found, fences, made.is_whole)
}

/// The files with lines: the one asked for first.
fn shown(facts: &Value) -> Vec<Shown<'_>> {
    let list = |value: &Value| value.as_array().map_or(&[][..], Vec::as_slice).len();
    let files = facts["files"].as_array().map_or(&[][..], Vec::as_slice);
    let first = facts["first"]
        .as_u64()
        .and_then(|at| usize::try_from(at).ok());
    let first = first.unwrap_or(0).min(files.len());
    let order = files[first..].iter().chain(&files[..first]);
    order
        .filter(|file| list(&file["hunks"]) > 0)
        .map(|file| {
            let folder = file["in"].as_u64().and_then(|at| usize::try_from(at).ok());
            let folder = folder.map_or("", |at| facts["folders"][at].as_str().unwrap_or_default());
            let name = file["name"].as_str().unwrap_or_default();
            Shown {
                path: match folder {
                    "" => name.to_owned(),
                    folder => format!("{folder}/{name}"),
                },
                hunks: file["hunks"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(lines)
                    .collect(),
            }
        })
        .collect()
}

fn lines(hunk: &Value) -> Vec<&str> {
    let lines = hunk["lines"].as_array().into_iter().flatten();
    lines
        .map(|line| line.as_str().or(line[0].as_str()).unwrap_or(" "))
        .collect()
}

/// Two blocks a hunk, its old side and its new one, so that each is read as code that makes sense.
fn source(file: &Shown) -> Source {
    let side = |hunk: &Vec<&str>, other: char| -> Vec<String> {
        let here = hunk.iter().filter(|line| !line.starts_with(other));
        here.map(|line| line[1..].to_owned()).collect()
    };
    Source {
        named: Named::file(file.path.clone()),
        blocks: file
            .hunks
            .iter()
            .flat_map(|hunk| [side(hunk, '+'), side(hunk, '-')])
            .collect(),
    }
}

/// The classes of each hunk's lines: removed ones from its old side, the others from its new one. Plain ones at its
/// end are left out.
fn joined(file: &Shown, blocks: &[Vec<Line>]) -> Vec<Vec<Line>> {
    let sides = blocks.chunks(2);
    file.hunks
        .iter()
        .zip(sides)
        .map(|(hunk, sides)| {
            let signs: String = hunk.iter().filter_map(|line| line.chars().next()).collect();
            let mut lines = fences::joined(&signs, sides);
            while lines.last().is_some_and(Line::is_plain) {
                lines.pop();
            }
            lines
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::colors;
    use crate::highlight::{Highlighter, Templates};
    use crate::show::drawing::Facts;
    use serde_json::json;
    use std::time::Duration;

    #[test]
    fn each_line_has_the_classes_of_its_own_side() {
        let facts = Facts::of(&json!({
            "first": 0,
            "folders": ["src"],
            "files": [{"in": 0, "name": "a.rs", "hunks": [{"at": [1, 1], "lines": [
                " fn a() {", "-    let x = \"one\";", ["+    let x = 2;", {"on": [7]}], " }", "+",
            ]}]}, {"in": 0, "name": "b.rs"}],
        }));
        // No clock decides here: the deadline is far beyond what a few lines take.
        let highlighter = Highlighter::new(Duration::from_secs(60), Templates::Plain);
        let found = json!(colors(&facts, &highlighter, 10_000).0);
        let lines = found["src/a.rs"][0].as_array().expect("lines");
        assert!(lines[1].as_str().expect("a text").contains("s5"), "{found}");
        assert!(lines[2].as_str().expect("a text").contains("n1"), "{found}");
        assert!(lines.len() <= 4, "{found}");
        assert!(found.get("src/b.rs").is_none());
        assert_eq!(
            json!(colors(&facts, &highlighter, 10)),
            json!([{}, {}, true])
        );
        // Code that is new to it, and no time at all.
        let facts = Facts::of(&json!({
            "first": 0,
            "folders": [],
            "files": [{"name": "b.rs", "hunks": [{"at": [1, 1], "lines": ["+fn late() {}"]}]}],
        }));
        let hasty = Highlighter::new(Duration::from_nanos(1), Templates::Plain);
        assert_eq!(
            json!(colors(&facts, &hasty, 10_000)),
            json!([{}, {}, false])
        );
    }

    #[test]
    fn nothing_is_colored_where_highlighting_is_off() {
        let facts = Facts::of(&json!({"first": 3, "folders": [], "files": [
            {"in": 9, "name": "a.rs", "hunks": [{"at": [1, 1], "lines": ["+fn a() {}"]}]},
        ]}));
        let highlighter = Highlighter::new(Duration::from_nanos(1), Templates::Plain);
        assert_eq!(json!(colors(&facts, &highlighter, 10_000).0), json!({}));
    }
}
