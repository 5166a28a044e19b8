//! The words of a question that a person agrees to.
//!
//! Never cuts a question: what would be done stands first and in full, each name in it has a bound of its own, and
//! what somebody wrote freely comes last. So nothing that a call names can push what it does out of sight.
//! Start reading at [`question`].

use crate::clean;
use crate::domain::pull_request::PullRequest;
use crate::domain::repository::RepositoryId;
use crate::tool::Question;
use crate::words;

/// The most characters of a branch's or a tag's name: [`crate::tool::args::Kind::Ref`] takes no longer one.
const MAX_NAME_CHARS: usize = 512;
/// The most characters of a place: no project's key and no slug is longer than 128.
const MAX_PLACE_CHARS: usize = 260;
/// The most characters of a title, a build's name and the like.
const MAX_TITLE_CHARS: usize = 255;
/// The most people who are named.
const MAX_PEOPLE: usize = 20;
/// The most characters of one of them.
const MAX_PERSON_CHARS: usize = 80;

/// The question of a call about a pull request: `{verb} pull request 42 of ACME/rocket (version 5){effect}: "Title"?`
pub(super) fn question(verb: &str, one: &PullRequest, effect: &str) -> Question {
    let version = one
        .version
        .map(|version| format!(" (version {version})"))
        .unwrap_or_default();
    let (number, at) = (one.id.number, place(&one.id.repository));
    let title = quoted(&one.title);
    Question {
        text: format!("{verb} pull request {number} of {at}{version}{effect}: {title}?"),
        version: one.version,
    }
}

/// Where it would be done.
pub(super) fn place(at: &RepositoryId) -> String {
    clean::line(&at.to_string(), MAX_PLACE_CHARS)
}

/// The name of a branch, a tag, a strategy.
pub(super) fn name(name: &str) -> String {
    clean::line(name, MAX_NAME_CHARS)
}

/// What somebody called something.
pub(super) fn quoted(title: &str) -> String {
    format!("\"{}\"", clean::line(title, MAX_TITLE_CHARS))
}

/// How long a text is that would be written: ` with a comment of 12 characters`; nothing without one.
pub(super) fn with_text(what: &str, text: Option<&str>) -> String {
    let counted = |text: &str| words::counted(text.chars().count() as u64, "character");
    text.map(|text| format!(" with {what} of {}", counted(text)))
        .unwrap_or_default()
}

/// Some people, those past the first twenty by their number.
pub(super) fn people(names: &[&str]) -> String {
    let named: Vec<String> = names
        .iter()
        .map(|name| clean::line(name, MAX_PERSON_CHARS))
        .collect();
    words::some(&named, MAX_PEOPLE, ", ")
}
