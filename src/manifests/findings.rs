//! What can be wrong with a manifest: a code, a place and words for each, all of them gathered.
//!
//! Never stops at the first. Start reading at [`Findings`]; the rules themselves stand where each part is read.

use crate::clean;
use std::fmt;

/// Every sort of finding. The code is what a script may hold on to; the words may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is told by its code")]
pub enum Code {
    Unreadable,
    NotJson,
    RepeatedName,
    TooLarge,
    TooMany,
    TooLong,
    TooDeep,
    WrongType,
    Missing,
    Blank,
    UnknownField,
    Unsupported,
    BadName,
    Reserved,
    Duplicate,
    NotAPage,
    BadDomain,
    ReservedHost,
    BadAddress,
    UnknownView,
    UnknownTool,
    NotWrappable,
    UnknownArgument,
    MissingArgument,
    UncertainArgument,
    Unfit,
    CodeArgument,
    BadReference,
    LessCautious,
    BadSchema,
    // Warnings, which refuse nothing.
    QuotedText,
    ShiftingList,
    LiveView,
    ViewWithoutResult,
    UnshownView,
    Wildcard,
    AppOnlySends,
    ReachedByClient,
}

impl Code {
    /// All of them.
    pub const ALL: &'static [(Self, &'static str)] = &[
        (Self::Unreadable, "not-readable"),
        (Self::NotJson, "not-json"),
        (Self::RepeatedName, "repeated-name"),
        (Self::TooLarge, "too-large"),
        (Self::TooMany, "too-many"),
        (Self::TooLong, "too-long"),
        (Self::TooDeep, "too-deep"),
        (Self::WrongType, "wrong-type"),
        (Self::Missing, "missing"),
        (Self::Blank, "blank"),
        (Self::UnknownField, "unknown-field"),
        (Self::Unsupported, "unsupported"),
        (Self::BadName, "bad-name"),
        (Self::Reserved, "reserved-name"),
        (Self::Duplicate, "duplicate"),
        (Self::NotAPage, "not-a-page"),
        (Self::BadDomain, "bad-domain"),
        (Self::ReservedHost, "reserved-host"),
        (Self::BadAddress, "bad-address"),
        (Self::UnknownView, "unknown-view"),
        (Self::UnknownTool, "unknown-tool"),
        (Self::NotWrappable, "not-wrappable"),
        (Self::UnknownArgument, "unknown-argument"),
        (Self::MissingArgument, "missing-argument"),
        (Self::UncertainArgument, "uncertain-argument"),
        (Self::Unfit, "unfit"),
        (Self::CodeArgument, "code-argument"),
        (Self::BadReference, "bad-reference"),
        (Self::LessCautious, "less-cautious"),
        (Self::BadSchema, "bad-schema"),
        (Self::QuotedText, "quoted-text"),
        (Self::ShiftingList, "shifting-list"),
        (Self::LiveView, "live-view"),
        (Self::ViewWithoutResult, "view-without-result"),
        (Self::UnshownView, "unshown-view"),
        (Self::Wildcard, "wildcard"),
        (Self::AppOnlySends, "app-only-sends"),
        (Self::ReachedByClient, "reached-by-client"),
    ];

    /// As it is printed.
    pub fn name(self) -> &'static str {
        let row = Self::ALL.iter().find(|(code, _)| *code == self);
        row.map_or("unknown", |(_, name)| name)
    }
}

/// Where something stands in a document: a step, and the place that it is taken from.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    above: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Top,
    Member(&'a str),
    At(usize),
}

impl<'a> Place<'a> {
    /// The document.
    pub const TOP: Self = Self {
        above: None,
        step: Step::Top,
    };

    /// A member of what stands here.
    pub fn member(&'a self, name: &'a str) -> Self {
        Self {
            above: Some(self),
            step: Step::Member(name),
        }
    }

    /// An element of the list that stands here, counted from 0.
    pub fn at(&'a self, index: usize) -> Self {
        Self {
            above: Some(self),
            step: Step::At(index),
        }
    }
}

/// Dotted, positions of lists as numbers; empty for the document.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            above.fmt(f)?;
            if above.above.is_some() {
                f.write_str(".")?;
            }
        }
        match self.step {
            Step::Top => Ok(()),
            Step::Member(name) => f.write_str(name),
            Step::At(index) => write!(f, "{index}"),
        }
    }
}

/// One thing wrong with a manifest.
#[derive(Clone, Debug)]
pub struct Finding {
    /// See [`Place`]. The author's own words may be in it.
    pub place: String,
    /// What sort it is.
    pub code: Code,
    /// What was found and what would do, on one clean line.
    pub message: String,
}

/// `place: code: message`, safe for a terminal.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.place.as_str() {
            "" => "the document".to_owned(),
            place => clean::code(place, 300),
        };
        write!(f, "{place}: {}: {}", self.code.name(), self.message)
    }
}

/// Everything that was found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What refuses the manifest.
    pub problems: Vec<Finding>,
    /// What its author should know.
    pub warnings: Vec<Finding>,
}

impl Findings {
    /// Adds a problem.
    pub fn add(&mut self, place: &Place, code: Code, message: impl AsRef<str>) {
        self.problems.push(finding(place, code, message.as_ref()));
    }

    /// Adds a warning.
    pub fn warn(&mut self, place: &Place, code: Code, message: impl AsRef<str>) {
        self.warnings.push(finding(place, code, message.as_ref()));
    }
}

fn finding(place: &Place, code: Code, message: &str) -> Finding {
    Finding {
        place: place.to_string(),
        code,
        message: clean::line(message, 1_000),
    }
}

/// A text of the author's inside a phrase: in backticks, short, and clean.
pub fn quoted(text: &str) -> String {
    format!("`{}`", clean::line(text, 80).replace('`', "'"))
}

#[cfg(test)]
mod tests {
    use super::{Code, Place};
    use std::collections::BTreeSet;

    #[test]
    fn each_code_is_named_once() {
        let names: BTreeSet<&str> = Code::ALL.iter().map(|(_, name)| *name).collect();
        assert_eq!(names.len(), Code::ALL.len());
        assert!(Code::ALL.iter().all(|(code, name)| code.name() == *name));
    }

    #[test]
    fn a_place_is_dotted() {
        let tools = Place::TOP.member("tools");
        let first = tools.at(0);
        assert_eq!(first.member("name").to_string(), "tools.0.name");
        assert_eq!(Place::TOP.to_string(), "");
    }
}
