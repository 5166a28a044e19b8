//! What a tool answers: a value, and the text printed from it, in this one place.
//!
//! Never more than [`MAX_TEXT_CHARS`]; whatever is cut says so, and how to go on. Start reading at [`Answer`].

use crate::bitbucket::listing::{End, Listing};
use crate::domain::count::Count;
use crate::tool::outcome::Outcome;
use serde_json::{Value, json};

/// The most characters of a text for the model (contract 3).
pub const MAX_TEXT_CHARS: usize = 60_000;

/// The most characters of one text inside an answer: no text of Bitbucket's own is longer than its cap of 32,768.
const MAX_FIELD_CHARS: usize = 32_768;

/// The same in an entry of a list.
const MAX_LISTED_FIELD_CHARS: usize = 2_000;

/// What stands beside a list in one answer takes no more than this, so that the list has room.
const MAX_HEAD_CHARS: usize = 30_000;

/// What a list says besides its entries takes no more than this.
const LIST_FRAME_CHARS: usize = 1_000;

/// A value that fits, cleaned: what a manifest's template reads, and what the text is printed from.
#[derive(Clone, Debug)]
pub struct Answer {
    value: Value,
    outcome: Option<Outcome>,
}

impl Answer {
    /// An answer that is one thing.
    pub fn one(value: Value) -> Self {
        Self::of(fitting(value, MAX_TEXT_CHARS))
    }

    /// An answer that is one thing with a list in it: `head`, and beside its members those of [`Self::list`].
    pub fn one_with_list<T>(
        head: Value,
        name: &str,
        listing: &Listing<T>,
        start: u64,
        entry: impl Fn(&T) -> Value,
    ) -> Self {
        let mut value = fitting(head, MAX_HEAD_CHARS);
        let taken = value.to_string().chars().count();
        let list = list(name, listing, start, MAX_TEXT_CHARS - taken, entry);
        if let (Value::Object(members), Value::Object(more)) = (&mut value, list) {
            for (name, member) in more {
                // Both may be cut, and both say so.
                let both = match (members.get("cut"), name.as_str()) {
                    (Some(head), "cut") => json!(format!("{}; {}", said(head), said(&member))),
                    _ => member,
                };
                members.insert(name, both);
            }
        }
        Self::of(value)
    }

    /// An answer that is a list called `name`, of what `listing` read from place `start` on: as many entries as
    /// fit. `{"commits":[…],"shown":25,"total":312,"next":25}` where the total is known, else
    /// `{"pull_requests":[…],"shown":25,"more":true,"at_least":25,"next":25}`.
    pub fn list<T>(
        name: &str,
        listing: &Listing<T>,
        start: u64,
        entry: impl Fn(&T) -> Value,
    ) -> Self {
        Self::of(list(name, listing, start, MAX_TEXT_CHARS, entry))
    }

    fn of(value: Value) -> Self {
        Self {
            value,
            outcome: None,
        }
    }

    /// The same answer, of a tool that wrote: what a page is told.
    #[must_use]
    pub fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.outcome = Some(outcome);
        self
    }

    /// What a page is told of a write.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The text for the model: the value as compact JSON.
    pub fn text(&self) -> String {
        self.value.to_string()
    }
}

/// The value within so many characters: its texts cleaned, and cut as far as needed.
fn fitting(value: Value, max_total: usize) -> Value {
    let mut value = without_nulls(value);
    let mut max_chars = MAX_FIELD_CHARS;
    let mut cut = 0;
    loop {
        cut += cleaned(&mut value, max_chars);
        if cut > 0 {
            value["cut"] = json!(format!(
                "{cut} texts of more than {max_chars} characters are cut at that; the page in Bitbucket has all"
            ));
        }
        if value.to_string().chars().count() <= max_total || max_chars < 16 {
            return value;
        }
        max_chars /= 2;
    }
}

/// The members of a list within so many characters.
fn list<T>(
    name: &str,
    listing: &Listing<T>,
    start: u64,
    max_total: usize,
    entry: impl Fn(&T) -> Value,
) -> Value {
    let mut left = max_total.saturating_sub(LIST_FRAME_CHARS);
    let mut entries = Vec::new();
    for value in &listing.values {
        let mut value = without_nulls(entry(value));
        cleaned(&mut value, MAX_LISTED_FIELD_CHARS);
        let chars = value.to_string().chars().count() + 1;
        let Some(rest) = left.checked_sub(chars) else {
            break;
        };
        left = rest;
        entries.push(value);
    }
    let shown = entries.len() as u64;
    let is_cut = entries.len() < listing.values.len();
    let has_more = is_cut || listing.end == End::More;
    let mut value = json!({name: entries, "shown": shown});
    match listing.count() {
        Count::Exact(total) => value["total"] = json!(total),
        Count::AtLeast(_) => value["more"] = json!(has_more),
    }
    if !listing.count().is_exact() && has_more {
        value["at_least"] = json!(start + listing.values.len() as u64);
    }
    // Where Bitbucket leaves out what this person may not see, its places are not those of the entries, and
    // only whole pages can be asked for.
    let is_gapless = listing.next == Some(start + listing.values.len() as u64);
    let next = match (is_cut, is_gapless) {
        (false, _) => listing.next,
        (true, true) => Some(start + shown),
        (true, false) => None,
    };
    if let Some(next) = next {
        value["next"] = json!(next);
    }
    if is_cut {
        let way = match next {
            Some(next) => format!("go on with start {next}"),
            None => format!("ask again with limit {shown}"),
        };
        value["cut"] = json!(format!(
            "the answer was cut at {MAX_TEXT_CHARS} characters; {way}"
        ));
    }
    if listing.end == End::More && listing.next.is_none() {
        value["note"] =
            json!("there are more, which Bitbucket does not list here: ask for something narrower");
    }
    if listing.end == End::Unsure {
        value["note"] = json!(
            "Bitbucket named a next page that does not lie ahead, so the list may not be whole"
        );
    }
    value
}

/// A text as it stands inside a phrase.
fn said(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Leaves out what there is not.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, member)| !member.is_null())
            .map(|(name, member)| (name, without_nulls(member)))
            .collect(),
        Value::Array(members) => members.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Makes every text safe for whoever reads it, in at most so many characters each; says how many were cut.
fn cleaned(value: &mut Value, max_chars: usize) -> usize {
    match value {
        Value::String(text) => {
            let is_cut = text.chars().count() > max_chars;
            *text = crate::clean::text(text, max_chars);
            usize::from(is_cut)
        }
        Value::Array(members) => members
            .iter_mut()
            .map(|member| cleaned(member, max_chars))
            .sum(),
        Value::Object(members) => members
            .values_mut()
            .map(|member| cleaned(member, max_chars))
            .sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
