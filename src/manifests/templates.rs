//! `{{input.x}}` and `{{tool.x}}`: parsed once, filled with values that stay data.
//!
//! Never reads a value as a template, and never adds a key or an element that the template did not have. Start reading
//! at [`Template::read`]; [`Template::fill`] is what a call does.

use crate::manifests::findings::{Code, Findings, Place, quoted};
use crate::manifests::json::Json;

/// The deepest template.
pub const MAX_DEPTH: usize = 16;

/// The most characters that filling may write, a call, with what looking values up is worth.
pub const MAX_FILLED_CHARS: usize = 8 * 1024 * 1024;

/// How many members of an object are looked through at the price of a character that is written.
const MEMBERS_A_BYTE: usize = 16;

/// A value that may have references in it.
#[derive(Clone, Debug)]
pub enum Template {
    /// Copied as it is: no list, no object, and no text with a reference.
    Fixed(Json),
    /// One reference and nothing else: the value keeps its type.
    Whole(Reference),
    /// A text with references in it.
    Text(Vec<Piece>),
    /// A list.
    List(Vec<Template>),
    /// An object.
    Object(Vec<(String, Template)>),
}

/// A part of a text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Copied.
    Text(String),
    /// Filled.
    Reference(Reference),
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub struct Reference {
    /// What is read.
    pub source: Source,
    /// The way into it.
    pub path: Vec<String>,
}

/// What a reference reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The caller's arguments.
    Input,
    /// What the wrapped tool answered.
    Tool,
}

/// What there is to read.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The caller's arguments, defaults filled.
    pub input: &'a Json,
    /// What the wrapped tool answered; null before it ran.
    pub tool: &'a Json,
}

impl Reference {
    /// As it would be written.
    pub fn written(&self) -> String {
        let source = match self.source {
            Source::Input => "input",
            Source::Tool => "tool",
        };
        format!("{{{{{source}.{}}}}}", self.path.join("."))
    }

    fn parse(text: &str) -> Option<Self> {
        let trimmed = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let mut steps = trimmed.split('.');
        let source = match steps.next()? {
            "input" => Source::Input,
            "tool" => Source::Tool,
            _ => return None,
        };
        let path: Vec<String> = steps.map(str::to_owned).collect();
        let is_step = |step: &String| {
            let mut bytes = step.bytes();
            !step.is_empty() && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
        };
        (!path.is_empty() && path.iter().all(is_step)).then_some(Self { source, path })
    }

    /// The value, if there is one. Looking through the members of an object is paid for too.
    fn find<'a>(&self, values: Values<'a>, room: &mut Room) -> Result<Option<&'a Json>, NoRoom> {
        let mut value = match self.source {
            Source::Input => values.input,
            Source::Tool => values.tool,
        };
        for step in &self.path {
            let next = match value {
                Json::List(list) => position(step).and_then(|at| list.get(at)),
                Json::Object(members) => {
                    room.take(members.len() / MEMBERS_A_BYTE)?;
                    value.get(step)
                }
                _ => None,
            };
            match next {
                Some(next) => value = next,
                None => return Ok(None),
            }
        }
        Ok(Some(value))
    }
}

/// A step that is digits only, as a position in a list.
pub fn position(step: &str) -> Option<usize> {
    let is_digits = step.bytes().all(|digit| digit.is_ascii_digit());
    is_digits.then(|| step.parse().ok()).flatten()
}

impl Template {
    /// Reads a template; whatever is wrong with it is added to `findings`, and what is sound is kept.
    pub fn read(value: &Json, place: &Place, findings: &mut Findings) -> Self {
        Self::read_at(value, place, 0, findings)
    }

    fn read_at(value: &Json, place: &Place, depth: usize, findings: &mut Findings) -> Self {
        if depth > MAX_DEPTH {
            let why = format!("a template is at most {MAX_DEPTH} levels deep");
            findings.add(place, Code::TooDeep, why);
            return Self::Fixed(Json::Null);
        }
        match value {
            Json::Text(text) => Self::read_text(text, place, findings),
            Json::List(list) => {
                let read = list
                    .iter()
                    .enumerate()
                    .map(|(i, value)| Self::read_at(value, &place.at(i), depth + 1, findings));
                Self::List(read.collect())
            }
            Json::Object(members) => {
                let read = members.iter().map(|(name, value)| {
                    let place = place.member(name);
                    if name.contains("{{") || is_forbidden(name) {
                        let why = format!(
                            "{} cannot be the name of a member here: names are never filled",
                            quoted(name)
                        );
                        findings.add(&place, Code::BadName, why);
                    }
                    (
                        name.clone(),
                        Self::read_at(value, &place, depth + 1, findings),
                    )
                });
                Self::Object(read.collect())
            }
            other => Self::Fixed(other.clone()),
        }
    }

    fn read_text(text: &str, place: &Place, findings: &mut Findings) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text;
        let mut is_sound = true;
        while let Some((before, inside, after)) = next_braces(rest) {
            match Reference::parse(inside) {
                Some(reference) => {
                    if !before.is_empty() {
                        pieces.push(Piece::Text(before.to_owned()));
                    }
                    pieces.push(Piece::Reference(reference));
                }
                None => {
                    is_sound = false;
                    let why = format!(
                        "{} is no reference: what does is {{{{input.name}}}} and, in `result`, {{{{tool.name}}}}, with \
                         more names or positions joined by dots",
                        quoted(&format!("{{{{{inside}}}}}"))
                    );
                    findings.add(place, Code::BadReference, why);
                }
            }
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        match pieces.as_slice() {
            _ if !is_sound => Self::Fixed(Json::Text(text.to_owned())),
            [Piece::Reference(only)] => Self::Whole(only.clone()),
            pieces
                if pieces
                    .iter()
                    .any(|piece| matches!(piece, Piece::Reference(_))) =>
            {
                Self::Text(pieces.to_vec())
            }
            _ => Self::Fixed(Json::Text(text.to_owned())),
        }
    }

    /// Calls `each` with every reference, and where it stands.
    pub fn references(&self, place: &Place, each: &mut dyn FnMut(&Reference, &Place)) {
        match self {
            Self::Fixed(_) => {}
            Self::Whole(reference) => each(reference, place),
            Self::Text(pieces) => pieces.iter().for_each(|piece| {
                if let Piece::Reference(reference) = piece {
                    each(reference, place);
                }
            }),
            Self::List(list) => {
                for (i, template) in list.iter().enumerate() {
                    template.references(&place.at(i), each);
                }
            }
            Self::Object(members) => {
                for (name, template) in members {
                    template.references(&place.member(name), each);
                }
            }
        }
    }

    /// Whether nothing in it is filled.
    pub fn is_fixed(&self) -> bool {
        let mut is_fixed = true;
        self.references(&Place::TOP, &mut |_, _| is_fixed = false);
        is_fixed
    }

    /// The value of a template that is fixed.
    pub fn fixed(&self) -> Option<Json> {
        let nothing = Values {
            input: &Json::Null,
            tool: &Json::Null,
        };
        if !self.is_fixed() {
            return None;
        }
        self.fill(nothing, &mut Room::new(usize::MAX))
            .ok()
            .flatten()
    }

    /// What it becomes with these values; `None` if it is a reference to nothing.
    ///
    /// # Errors
    /// More would be written than there is room for.
    pub fn fill(&self, values: Values, room: &mut Room) -> Result<Option<Json>, NoRoom> {
        Ok(match self {
            Self::Fixed(value) => Some(value.clone()),
            Self::Whole(reference) => match reference.find(values, room)? {
                Some(value) => {
                    room.take(value.compact_bytes())?;
                    Some(value.clone())
                }
                None => None,
            },
            Self::Text(pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    let written = match piece {
                        Piece::Text(text) => text.clone(),
                        Piece::Reference(reference) => match reference.find(values, room)? {
                            None | Some(Json::Null) => String::new(),
                            Some(Json::Text(text)) => text.clone(),
                            Some(other) => other.compact(),
                        },
                    };
                    room.take(written.len())?;
                    text.push_str(&written);
                }
                Some(Json::Text(text))
            }
            Self::List(list) => {
                let mut filled = Vec::new();
                for template in list {
                    filled.extend(template.fill(values, room)?);
                }
                Some(Json::List(filled))
            }
            Self::Object(members) => {
                let mut filled = Vec::new();
                for (name, template) in members {
                    filled.extend(
                        template
                            .fill(values, room)?
                            .map(|value| (name.clone(), value)),
                    );
                }
                Some(Json::Object(filled))
            }
        })
    }
}

/// Names that a page's language treats as more than names.
pub fn is_forbidden(name: &str) -> bool {
    ["__proto__", "constructor", "prototype"].contains(&name)
}

/// The first `{{…}}` without a brace inside: what stands before it, inside and after.
fn next_braces(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find("{{")?;
        let inside = text.get(at + 2..)?;
        let end = inside.find(['{', '}'])?;
        if inside[end..].starts_with("}}") {
            return Some((&text[..at], &inside[..end], &inside[end + 2..]));
        }
        from = at + 1;
    }
}

/// How much filling may still write in one call, in bytes.
#[derive(Debug)]
pub struct Room(usize);

/// There is no room left: see [`MAX_FILLED_CHARS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

impl Room {
    /// So much.
    pub fn new(bytes: usize) -> Self {
        Self(bytes)
    }

    fn take(&mut self, bytes: usize) -> Result<(), NoRoom> {
        self.0 = self.0.checked_sub(bytes).ok_or(NoRoom)?;
        Ok(())
    }
}
