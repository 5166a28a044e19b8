//! What a piece of code can be, and the table from a grammar's scopes to it.
//!
//! Never holds a color, and knows no grammar: a scope is a dotted name such as `string.quoted.double.java`. Start
//! reading at [`Class`]; what a new grammar calls its parts is a line in [`SCOPES`].

use serde::{Serialize, Serializer};
use std::sync::Arc;

/// What a piece of a line is. Each has one letter on the wire, and `.code-<letter>` in `view/styles/code.css`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Nothing with a color of its own: names, operators, blanks.
    Plain,
    /// An attribute or key: of a tag, of a mapping, of a table.
    Attribute,
    /// A comment, with its marks.
    Comment,
    /// A removed line of a diff in a file.
    Deleted,
    /// An escape or placeholder within a string.
    Escape,
    /// A function where it is declared or called.
    Function,
    /// A heading, of a document or of a section in a file of settings.
    Heading,
    /// An inserted line of a diff in a file.
    Inserted,
    /// A keyword, or an operator that is a word.
    Keyword,
    /// A constant with a name: true, null, an enumeration's member.
    Constant,
    /// An annotation, a decorator, a preprocessor's directive.
    Meta,
    /// A number.
    Number,
    /// A string, with its quotes; a regular expression.
    String,
    /// The name of a tag.
    Tag,
    /// A type where it is declared or named.
    Type,
    /// A parameter, a variable with a mark of its own (`$x`).
    Variable,
}

impl Class {
    /// The letter that stands for it on the wire.
    pub fn letter(self) -> char {
        match self {
            Self::Plain => 'p',
            Self::Attribute => 'a',
            Self::Comment => 'c',
            Self::Deleted => 'd',
            Self::Escape => 'e',
            Self::Function => 'f',
            Self::Heading => 'h',
            Self::Inserted => 'i',
            Self::Keyword => 'k',
            Self::Constant => 'l',
            Self::Meta => 'm',
            Self::Number => 'n',
            Self::String => 's',
            Self::Tag => 'g',
            Self::Type => 't',
            Self::Variable => 'v',
        }
    }

    /// Each class once.
    pub const ALL: [Self; 16] = [
        Self::Plain,
        Self::Attribute,
        Self::Comment,
        Self::Deleted,
        Self::Escape,
        Self::Function,
        Self::Heading,
        Self::Inserted,
        Self::Keyword,
        Self::Constant,
        Self::Meta,
        Self::Number,
        Self::String,
        Self::Tag,
        Self::Type,
        Self::Variable,
    ];
}

/// A stretch of one class. The length is in UTF-16 units, as the page's strings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// What it is.
    pub class: Class,
    /// How long it is, in UTF-16 units: from 1 to what a line that is colored at all may have.
    pub units: u16,
}

/// The classes of one line: runs that cover it exactly, from its first sign to its last, neighbors of different
/// classes; or no run at all, for a line that is plain throughout.
///
/// On the wire it is one text, a letter and a length each: `k3f4p4` for `fn main() {`, and `""` for a plain line.
/// Clones share the runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Option<Arc<[Run]>>);

impl Line {
    /// A line without colors.
    pub const PLAIN: Self = Self(None);

    /// The runs, in order; none for a plain line.
    pub fn runs(&self) -> &[Run] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether the line has no color.
    pub fn is_plain(&self) -> bool {
        self.0.is_none()
    }
}

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use std::fmt::Write as _;
        let mut written = String::new();
        for run in self.runs() {
            written.push(run.class.letter());
            // A string takes whatever is written to it.
            let _ = write!(written, "{}", run.units);
        }
        serializer.serialize_str(&written)
    }
}

/// Puts a line's runs together from pieces of its text, joining what belongs together.
#[derive(Default)]
pub struct Runs(Vec<Run>);

impl Runs {
    /// Adds the next piece of the text. Blanks belong to what stands before them, for nobody sees their color. A piece beyond what a run can count makes no run; lines that are colored are
    /// shorter than that.
    pub fn push(&mut self, class: Class, text: &str) {
        let Ok(units) = u16::try_from(text.encode_utf16().count()) else {
            return;
        };
        match self.0.last_mut() {
            _ if units == 0 => {}
            Some(last) if last.class == class || text.trim().is_empty() => {
                last.units = last.units.saturating_add(units)
            }
            _ => self.0.push(Run { class, units }),
        }
    }

    /// The line.
    pub fn line(self) -> Line {
        if self.0.iter().all(|run| run.class == Class::Plain) {
            return Line::PLAIN;
        }
        Line(Some(self.0.into()))
    }
}

/// What one scope of the stack says about the text below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// The text is of this class.
    Is(Class),
    /// The text is an operator: a keyword if it is a word (`and`, `typeof`, `NOT`), else plain.
    Operator,
    /// The text is the key of a mapping, should it be a string: grammars put the string on top.
    Key,
    /// Nothing: ask the scope beneath.
    Nothing,
}

/// Scopes by the longest name that begins them, dot by dot. What is not here says nothing.
///
/// Source: the scope naming conventions of Sublime Text, and what the grammars of the enterprise really write.
const SCOPES: &[(&str, Says)] = &[
    ("comment", Says::Is(Class::Comment)),
    ("constant", Says::Is(Class::Constant)),
    ("constant.character.escape", Says::Is(Class::Escape)),
    ("constant.character.entity", Says::Is(Class::Escape)),
    ("constant.numeric", Says::Is(Class::Number)),
    ("constant.other.placeholder", Says::Is(Class::Escape)),
    ("constant.other.database-name", Says::Is(Class::Plain)),
    ("constant.other.format-spec", Says::Is(Class::Escape)),
    ("constant.other.table-name", Says::Is(Class::Plain)),
    ("constant.other.color", Says::Is(Class::Number)),
    ("entity.name", Says::Is(Class::Type)),
    ("entity.name.constant", Says::Is(Class::Constant)),
    ("entity.name.function", Says::Is(Class::Function)),
    ("entity.name.key", Says::Is(Class::Attribute)),
    ("entity.name.label", Says::Is(Class::Constant)),
    ("entity.name.section", Says::Is(Class::Heading)),
    ("entity.name.tag", Says::Is(Class::Tag)),
    ("entity.name.tag.toml", Says::Is(Class::Attribute)),
    ("entity.name.tag.yaml", Says::Is(Class::Attribute)),
    ("entity.name.val", Says::Is(Class::Plain)),
    ("entity.name.variable", Says::Is(Class::Plain)),
    ("entity.section", Says::Is(Class::Heading)),
    ("entity.name.table", Says::Is(Class::Heading)),
    ("entity.other.attribute-name", Says::Is(Class::Attribute)),
    ("entity.other.inherited-class", Says::Is(Class::Type)),
    ("keyword", Says::Is(Class::Keyword)),
    ("keyword.operator", Says::Operator),
    ("keyword.name.ini", Says::Is(Class::Attribute)),
    ("keyword.other.unit", Says::Is(Class::Number)),
    ("markup.bold", Says::Is(Class::Keyword)),
    ("markup.deleted", Says::Is(Class::Deleted)),
    ("markup.heading", Says::Is(Class::Heading)),
    ("markup.inserted", Says::Is(Class::Inserted)),
    ("markup.italic", Says::Is(Class::Keyword)),
    ("markup.raw", Says::Is(Class::String)),
    ("markup.underline.link", Says::Is(Class::Variable)),
    ("meta.annotation", Says::Is(Class::Meta)),
    ("meta.annotation.parameters", Says::Is(Class::Plain)),
    ("meta.attribute.cs", Says::Is(Class::Meta)),
    ("meta.diff.header", Says::Is(Class::Heading)),
    ("meta.diff.range", Says::Is(Class::Heading)),
    ("meta.embedded", Says::Is(Class::Plain)),
    ("meta.interpolation", Says::Is(Class::Plain)),
    ("meta.mapping.key", Says::Key),
    ("meta.preprocessor", Says::Is(Class::Meta)),
    ("punctuation.section.embedded", Says::Is(Class::Meta)),
    ("punctuation.section.interpolation", Says::Is(Class::Escape)),
    ("source", Says::Is(Class::Plain)),
    ("storage", Says::Is(Class::Keyword)),
    ("storage.type.annotation", Says::Is(Class::Meta)),
    ("storage.type.string", Says::Is(Class::String)),
    ("storage.type.numeric", Says::Is(Class::Number)),
    ("string", Says::Is(Class::String)),
    ("string.unquoted", Says::Is(Class::Plain)),
    ("support.class", Says::Is(Class::Type)),
    ("support.constant", Says::Is(Class::Constant)),
    ("support.function", Says::Is(Class::Function)),
    ("support.macro", Says::Is(Class::Function)),
    ("support.type", Says::Is(Class::Type)),
    ("support.type.property-name", Says::Is(Class::Attribute)),
    ("variable.annotation", Says::Is(Class::Meta)),
    ("variable.function", Says::Is(Class::Function)),
    ("variable.language", Says::Is(Class::Keyword)),
    ("variable.language.star", Says::Is(Class::Plain)),
    ("variable.other.readwrite.shell", Says::Is(Class::Variable)),
    ("variable.parameter", Says::Is(Class::Variable)),
    ("variable.parameter.option", Says::Is(Class::Attribute)),
];

/// What a scope says, by the longest line of the table that begins it.
pub fn says(scope: &str) -> Says {
    let mut name = scope;
    loop {
        if let Some((_, says)) = SCOPES.iter().find(|(known, _)| *known == name) {
            return *says;
        }
        match name.rsplit_once('.') {
            Some((shorter, _)) => name = shorter,
            None => return Says::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Runs, SCOPES, Says, says};
    use std::collections::BTreeSet;

    #[test]
    fn the_longest_beginning_of_a_scope_tells_what_it_is() {
        for (scope, expected) in [
            ("string.quoted.double.java", Says::Is(Class::String)),
            ("constant.numeric.integer.go", Says::Is(Class::Number)),
            ("constant.character.escape.c", Says::Is(Class::Escape)),
            ("keyword.operator.assignment.ts", Says::Operator),
            // Of two words that begin alike but for a dot, one is not the other.
            ("constants", Says::Nothing),
            ("meta.function.rust", Says::Nothing),
            ("", Says::Nothing),
        ] {
            assert_eq!(says(scope), expected, "{scope}");
        }
    }

    #[test]
    fn each_scope_stands_once_and_each_class_has_its_letter() {
        let names: BTreeSet<_> = SCOPES.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), SCOPES.len());
        let letters: BTreeSet<_> = Class::ALL.iter().map(|class| class.letter()).collect();
        assert_eq!(letters.len(), Class::ALL.len());
    }

    #[test]
    fn a_line_is_written_as_letters_and_lengths_in_utf16_units() {
        let mut runs = Runs::default();
        for (class, text) in [
            (Class::Keyword, "let"),
            (Class::Plain, " "),
            (Class::Plain, "a = "),
            (Class::String, ""),
            (Class::String, "\"🚀é\""),
        ] {
            runs.push(class, text);
        }
        let line = serde_json::to_string(&runs.line()).expect("a line is JSON");
        assert_eq!(line, r#""k4p4s5""#);
    }

    #[test]
    fn a_line_that_is_plain_throughout_says_nothing() {
        let mut runs = Runs::default();
        runs.push(Class::Plain, "x = y");
        let line = runs.line();
        assert!(line.is_plain());
        assert_eq!(serde_json::to_string(&line).expect("JSON"), r#""""#);
    }
}
