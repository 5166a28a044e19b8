//! The token classes of code that stands in texts: fences of Markdown, and the lines that a thread stands on.
//!
//! Never part of the facts, as all colors: it reads them and names each piece of code by what it says, so that the
//! page finds it again. Start reading at [`colors`]; `view/paint.js` paints them.

use crate::highlight::{Highlighter, Line, Named, Source};
use crate::show::drawing::Facts;
use crate::show::fit::Room;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Instant;

/// By a piece's name (`view/paint.js` `codeKey`): by line, its classes.
pub type Colors = BTreeMap<String, Vec<Line>>;

/// A piece of code in the facts.
pub struct Piece {
    key: String,
    /// What the highlighter reads: a fence is one block, the lines of a diff are two, its old side and its new one.
    pub source: Source,
    /// By line, what it opens with in a diff; empty for a fence.
    signs: String,
}

/// Every piece of code in a kind's facts that says what language it is in.
pub fn found(facts: &Value) -> Vec<Piece> {
    let mut pieces = Vec::new();
    look(facts, &mut pieces);
    pieces
}

/// The colors of the code in a kind's facts, as far as there is time and `room`; and whether there was time for all.
pub fn colors(facts: &Facts, highlighter: &Highlighter, room: usize) -> (Colors, bool) {
    let until = Instant::now() + highlighter.deadline();
    let pieces = found(facts.value());
    let sources: Vec<Source> = pieces.iter().map(|piece| piece.source.clone()).collect();
    let made = highlighter.lines(&sources, until);
    let colors = colored(pieces, made.files, &mut Room::new(room));
    (colors, made.is_whole)
}

/// The colors of the pieces as they were made, each piece whole, as far as there is room.
pub fn colored(pieces: Vec<Piece>, made: Vec<Vec<Vec<Line>>>, room: &mut Room) -> Colors {
    let mut colors = Colors::new();
    for (piece, blocks) in pieces.into_iter().zip(made) {
        let mut lines = joined(&piece.signs, &blocks);
        while lines.last().is_some_and(Line::is_plain) {
            lines.pop();
        }
        if !lines.is_empty()
            && !colors.contains_key(&piece.key)
            && room.takes(&(&piece.key, &lines))
        {
            colors.insert(piece.key, lines);
        }
    }
    colors
}

/// The classes of the lines of a hunk, given those of its old side and of its new one: removed lines have theirs from
/// the old one, the others from the new one. `signs` has each line's sign; where it has none there is one side alone.
pub fn joined(signs: &str, blocks: &[Vec<Line>]) -> Vec<Line> {
    let mut old = blocks.first().into_iter().flatten();
    if signs.is_empty() {
        return old.cloned().collect();
    }
    let mut new = blocks.get(1).into_iter().flatten();
    let of = |sign| {
        let (old, new) = match sign {
            '-' => (old.next(), None),
            '+' => (None, new.next()),
            _ => (old.next(), new.next()),
        };
        new.or(old).cloned().unwrap_or(Line::PLAIN)
    };
    signs.chars().map(of).collect()
}

/// Facts are no deeper than what bb wrote.
fn look(value: &Value, pieces: &mut Vec<Piece>) {
    match value {
        Value::Array(items) => match fence(items) {
            Some(piece) => pieces.push(piece),
            None => items.iter().for_each(|item| look(item, pieces)),
        },
        Value::Object(members) => {
            pieces.extend(excerpt(value));
            members.values().for_each(|member| look(member, pieces));
        }
        _ => {}
    }
}

/// `["pre", {language}, ["code", {}, text]]`, as `markdown.rs` writes it.
fn fence(node: &[Value]) -> Option<Piece> {
    let [tag, attributes, code] = node else {
        return None;
    };
    let language = attributes.get("language")?.as_str()?;
    let text = code.get(2)?.as_str()?;
    (tag == "pre").then(|| Piece {
        key: key(&format!("{language}\n{text}")),
        source: Source {
            named: Named::Fence(language.to_owned()),
            blocks: vec![text.split('\n').map(str::to_owned).collect()],
        },
        signs: String::new(),
    })
}

/// `{path, lines: [[sign, old number, new number, text, …]]}`, as an entry of the activity has it.
fn excerpt(entry: &Value) -> Option<Piece> {
    let path = entry.get("path")?.as_str()?;
    let lines = entry.get("lines")?.as_array()?;
    let (mut signs, mut text) = (String::new(), path.to_owned());
    let mut sides = [Vec::new(), Vec::new()];
    for line in lines {
        let (sign, code) = (line.get(0)?.as_str()?, line.get(3)?.as_str()?);
        signs.push_str(sign);
        text.extend(["\n", sign, code]);
        for (side, other) in sides.iter_mut().zip(["+", "-"]) {
            if sign != other {
                side.push(code.to_owned());
            }
        }
    }
    Some(Piece {
        key: key(&text),
        source: Source {
            named: Named::file(path),
            blocks: sides.into(),
        },
        signs,
    })
}

/// Names a text: FNV-1a of 32 bits over its UTF-16 units, in decimal. Two texts of one name would have each other's
/// colors, and nothing else.
///
/// Source: draft-eastlake-fnv.
fn key(text: &str) -> String {
    let hash = text.encode_utf16().fold(0x811c_9dc5_u32, |hash, unit| {
        (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193)
    });
    hash.to_string()
}

#[cfg(test)]
mod tests {
    use super::{colors, key};
    use crate::highlight::{Highlighter, Templates};
    use crate::markdown;
    use crate::show::drawing::Facts;
    use serde_json::{Value, json};
    use std::time::Duration;

    fn made_of(facts: &Value, room: usize) -> Value {
        // No clock decides here: the deadline is far beyond what a few lines take.
        let highlighter = Highlighter::new(Duration::from_secs(60), Templates::Plain);
        json!(colors(&Facts::of(facts), &highlighter, room).0)
    }

    #[test]
    fn a_fence_has_colors_wherever_it_stands_and_one_without_a_language_has_none() {
        let text = "* in a list\n\n  ```rust\n  let x = 2;\n  ```\n\n```\nlet y = 3;\n```\n\n```nonsense\nlet z = 4;\n```\n";
        let facts = json!({"a": [{"replies": [{"text": {"nodes": markdown::tree(text).nodes}}]}]});
        let found = made_of(&facts, 10_000);
        let lines = &found[key("rust\nlet x = 2;\n")];
        assert!(lines[0].as_str().expect("a line").contains("n1"), "{found}");
        assert_eq!(found.as_object().map(|all| all.len()), Some(1), "{found}");
        assert_eq!(made_of(&facts, 20), json!({}), "no room");
    }

    #[test]
    fn the_lines_of_a_thread_have_the_colors_of_their_own_sides() {
        let facts = json!({"path": "src/a.rs", "lines": [
            [" ", 1, 1, "fn a() {", false], ["-", 2, null, "    let x = \"one\";", false], ["+", null, 2, "    let x = 2;", true],
        ]});
        let found = made_of(&facts, 10_000);
        let lines = &found[key("src/a.rs\n fn a() {\n-    let x = \"one\";\n+    let x = 2;")];
        assert!(lines[1].as_str().expect("a line").contains("s5"), "{found}");
        assert!(lines[2].as_str().expect("a line").contains("n1"), "{found}");
    }

    #[test]
    fn what_is_no_code_is_left_alone() {
        for facts in [
            json!({"path": "a.rs", "lines": 3}),
            json!({"path": "a.rs", "lines": [[], ["+"], ["+", 1, 2, 3]]}),
            json!({"path": 7, "lines": [["+", 1, 2, "let x = 2;"]]}),
            json!(["pre", {"language": "rust"}, "let x = 2;"]),
            json!(["code", {"language": "rust"}, ["code", {}, "let x = 2;"]]),
            json!(["pre", {}, ["code", {}, "let x = 2;"]]),
        ] {
            assert_eq!(made_of(&facts, 10_000), json!({}), "{facts}");
        }
    }

    #[test]
    fn a_name_is_what_the_page_makes_of_the_same_text() {
        // The empty text's and `a`'s are the published values.
        assert_eq!([key(""), key("a")], ["2166136261", "3826002220"]);
        assert_ne!(key("\u{1f680}"), key("\u{f680}"));
    }
}
