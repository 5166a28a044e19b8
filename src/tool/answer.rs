//! What a tool answers: a value, and the text printed from it, in this one place.
//!
//! Never more than [`MAX_TEXT_CHARS`]; whatever is cut says so, and how to go on. Start reading at [`Answer`].

use crate::bitbucket::listing::{End, Listing};
use crate::domain::count::Count;
use crate::tool::outcome::Outcome;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most characters of a text for the model (contract 3).
pub const MAX_TEXT_CHARS: usize = 60_000;

/// The most characters of one text inside an answer: no text of Bitbucket's own is longer than its cap of 32,768.
const MAX_FIELD_CHARS: usize = 32_768;

/// Shorter than this no text is cut: what says so must stay whole.
const MIN_FIELD_CHARS: usize = 256;

/// The same in an entry of a list.
const MAX_LISTED_FIELD_CHARS: usize = 2_000;

/// The most characters of a member's name.
const MAX_NAME_CHARS: usize = 80;

/// What stands beside a list in one answer takes no more than this, so that the list has room.
const MAX_HEAD_CHARS: usize = 30_000;

/// What a list says besides its entries takes no more than this.
const LIST_FRAME_CHARS: usize = 1_000;

/// A value that fits, cleaned: what a manifest's template reads, and what the text is printed from.
#[derive(Clone, Debug)]
pub struct Answer {
    value: Value,
    form: Form,
    outcome: Option<Outcome>,
}

/// Which of the arguments `start` and `limit` a tool takes: what its answer may advise.
#[derive(Clone, Copy, Debug)]
pub enum Paging {
    /// Both; this answer begins at that place.
    From(u64),
    /// `limit` alone.
    Limit,
    /// Neither.
    Whole,
}

impl From<u64> for Paging {
    fn from(start: u64) -> Self {
        Self::From(start)
    }
}

impl Paging {
    fn start(self) -> u64 {
        match self {
            Self::From(start) => start,
            Self::Limit | Self::Whole => 0,
        }
    }

    /// How to get what was cut off, `next` being its place and `shown` how many entries fitted.
    fn advice(self, next: Option<u64>, shown: u64) -> String {
        match (self, next) {
            (Self::From(_), Some(next)) => format!("go on with start {next}"),
            (Self::From(_) | Self::Limit, _) => format!("ask again with limit {shown}"),
            (Self::Whole, _) => "the pages of Bitbucket have the rest".to_owned(),
        }
    }
}

/// How a value is printed.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// As compact JSON.
    Json,
    /// As its `summary` and, below it, its `diff`: JSON would double every quote and line feed of code.
    Diff,
}

impl Answer {
    /// An answer that is one thing.
    pub fn one(value: Value) -> Self {
        Self::json(fitting(value, MAX_TEXT_CHARS))
    }

    /// An answer that is one thing with a list in it: `head`, and beside its members those of [`Self::list`].
    pub fn one_with_list<T>(
        head: Value,
        name: &str,
        listing: &Listing<T>,
        paging: impl Into<Paging>,
        entry: impl Fn(&T) -> Value,
    ) -> Self {
        let mut value = fitting(head, MAX_HEAD_CHARS);
        let max_total = MAX_TEXT_CHARS.saturating_sub(value.to_string().chars().count());
        let list = Self::list_of(
            name,
            listing,
            paging.into(),
            MAX_LISTED_FIELD_CHARS,
            max_total,
            entry,
        );
        if let (Value::Object(members), Value::Object(more)) = (&mut value, list.value) {
            for (name, member) in more {
                // Both may be cut, and both say so.
                let both = match (members.get("cut"), name.as_str()) {
                    (Some(head), "cut") => json!(format!("{}; {}", said(head), said(&member))),
                    _ => member,
                };
                members.insert(name, both);
            }
        }
        Self::json(value)
    }

    /// An answer that is a list called `name`, of what `listing` read from the place on that `paging` tells: as many
    /// entries as fit. `{"commits":[…],"shown":25,"total":312,"next":25}` where the total is known, else
    /// `{"pull_requests":[…],"shown":25,"more":true,"at_least":25,"next":25}`.
    pub fn list<T>(
        name: &str,
        listing: &Listing<T>,
        paging: impl Into<Paging>,
        entry: impl Fn(&T) -> Value,
    ) -> Self {
        Self::list_of(
            name,
            listing,
            paging.into(),
            MAX_LISTED_FIELD_CHARS,
            MAX_TEXT_CHARS,
            entry,
        )
    }

    /// The same of entries whose texts are what was asked for: comments.
    pub fn list_in_full<T>(
        name: &str,
        listing: &Listing<T>,
        paging: impl Into<Paging>,
        entry: impl Fn(&T) -> Value,
    ) -> Self {
        Self::list_of(
            name,
            listing,
            paging.into(),
            MAX_FIELD_CHARS,
            MAX_TEXT_CHARS,
            entry,
        )
    }

    fn list_of<T>(
        name: &str,
        listing: &Listing<T>,
        paging: Paging,
        max_chars: usize,
        max_total: usize,
        entry: impl Fn(&T) -> Value,
    ) -> Self {
        let start = paging.start();
        let mut left = max_total.saturating_sub(LIST_FRAME_CHARS);
        let mut entries = Vec::new();
        for value in &listing.values {
            let mut value = without_nulls(entry(value));
            let mut max_chars = max_chars;
            let mut chars = fitted(&mut value, max_chars);
            // The first is shown in any case, with shorter texts: else the next call would meet it again.
            while entries.is_empty() && chars > left && max_chars > MIN_FIELD_CHARS {
                max_chars /= 2;
                chars = fitted(&mut value, max_chars);
            }
            let Some(rest) = left.checked_sub(chars) else {
                break;
            };
            left = rest;
            entries.push(value);
        }
        let shown = entries.len() as u64;
        let is_cut = entries.len() < listing.values.len();
        let has_more = is_cut || listing.next.is_some() || listing.end == End::More;
        let mut value = json!({name: entries, "shown": shown});
        match listing.count() {
            Count::Exact(total) => value["total"] = json!(total),
            Count::AtLeast(_) => value["more"] = json!(has_more),
        }
        // Further on, what Bitbucket left out before this place is not known, so neither is a count.
        if !listing.count().is_exact() && has_more && start == 0 {
            value["at_least"] = json!(listing.values.len());
        }
        // Where Bitbucket leaves out what this person may not see, its places are not those of the entries, and
        // only whole pages can be asked for.
        let is_gapless = listing.next == Some(start + listing.values.len() as u64);
        let next = match (paging, is_cut, is_gapless) {
            (Paging::Limit | Paging::Whole, ..) | (_, true, false) => None,
            (_, false, _) => listing.next,
            (_, true, true) => Some(start + shown),
        };
        if let Some(next) = next {
            value["next"] = json!(next);
        }
        if is_cut {
            let way = paging.advice(next, shown);
            value["cut"] = json!(format!(
                "the answer was cut at {MAX_TEXT_CHARS} characters; {way}"
            ));
        }
        if listing.end == End::More && next.is_none() && !is_cut {
            value["note"] =
                json!("bb reads no further than this; the pages of Bitbucket have the rest");
        }
        if listing.end == End::Unsure {
            value["note"] = json!(
                "Bitbucket named a next page that does not lie ahead, so the list may not be whole"
            );
        }
        Self::json(value)
    }

    /// The same answer with one member more, short beside the rest; none if there is no value.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        let mut value = without_nulls(value);
        cleaned(&mut value, MIN_FIELD_CHARS);
        if !value.is_null() {
            self.value[name] = value;
        }
        self
    }

    /// An answer whose text is a diff: `value` has it as `diff`, already clean and short enough, and what is said of
    /// it as `summary`.
    pub fn diff(value: Value) -> Self {
        let mut value = without_nulls(value);
        if let Some(files) = value.get_mut("files") {
            cleaned(files, MAX_LISTED_FIELD_CHARS);
        }
        Self {
            value,
            form: Form::Diff,
            outcome: None,
        }
    }

    fn json(value: Value) -> Self {
        Self {
            value,
            form: Form::Json,
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

    /// The text for the model, printed from the value.
    pub fn text(&self) -> String {
        match self.form {
            Form::Json => self.value.to_string(),
            Form::Diff => {
                let part = |name: &str| self.value[name].as_str().unwrap_or_default();
                format!("{}\n\n{}", part("summary"), part("diff"))
                    .trim_end()
                    .to_owned()
            }
        }
    }
}

/// The value within so many characters: its texts cleaned, and cut as far as needed.
fn fitting(value: Value, max_total: usize) -> Value {
    let mut value = without_nulls(value);
    let mut max_chars = MAX_FIELD_CHARS;
    loop {
        // What an earlier round cut is longer than this round's bound, so each round counts all.
        let cut = cleaned(&mut value, max_chars);
        if cut > 0 {
            let (texts, are) = if cut == 1 {
                ("text", "is")
            } else {
                ("texts", "are")
            };
            value["cut"] = json!(format!(
                "{cut} {texts} of more than {max_chars} characters {are} cut at that; the page in Bitbucket has all"
            ));
        }
        if value.to_string().chars().count() <= max_total {
            return value;
        }
        if max_chars <= MIN_FIELD_CHARS {
            return shortened(value, max_total);
        }
        max_chars /= 2;
    }
}

/// The value with its longest lists cut at a whole entry, each saying how many of how many it shows.
fn shortened(mut value: Value, max_total: usize) -> Value {
    let mut lists = Vec::new();
    gather_lists(&value, String::new(), &mut lists);
    let mut cut: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    while value.to_string().chars().count() + LIST_FRAME_CHARS > max_total {
        let chars = |at: &str| {
            value
                .pointer(at)
                .map_or(0, |list| list.to_string().chars().count())
        };
        let longest = lists.iter().max_by_key(|(at, _)| chars(at));
        let Some((at, total)) = longest.filter(|(at, _)| chars(at) > 2) else {
            break;
        };
        if let Some(entries) = value.pointer_mut(at).and_then(Value::as_array_mut) {
            entries.truncate(entries.len() / 2);
            cut.insert(at.clone(), (entries.len(), *total));
        }
    }
    let told: Vec<String> = cut
        .iter()
        .map(|(at, (shown, total))| {
            let name = at.rsplit('/').next().unwrap_or(at);
            format!("{name} shows {shown} of {total}")
        })
        .collect();
    if !told.is_empty() {
        let before = value["cut"]
            .as_str()
            .map(|before| format!("{before}; "))
            .unwrap_or_default();
        value["cut"] = json!(format!(
            "{before}{}; the page in Bitbucket has all",
            told.join(", ")
        ));
    }
    value
}

/// Where the lists of a value are, those inside lists left out, and how long each is.
fn gather_lists(value: &Value, at: String, lists: &mut Vec<(String, usize)>) {
    match value {
        Value::Array(entries) => lists.push((at, entries.len())),
        Value::Object(members) => {
            for (name, member) in members {
                gather_lists(member, format!("{at}/{name}"), lists);
            }
        }
        _ => {}
    }
}

/// A text as it stands inside a phrase.
fn said(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Some members are named by Bitbucket: a protocol, a status that bb does not know.
fn cleaned_name(name: String) -> String {
    match name.len() <= MAX_NAME_CHARS && name.bytes().all(|sign| sign.is_ascii_graphic()) {
        true => name,
        false => crate::clean::line(&name, MAX_NAME_CHARS),
    }
}

/// Leaves out what there is not, and makes the names of members safe.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, member)| !member.is_null())
            .map(|(name, member)| (cleaned_name(name), without_nulls(member)))
            .collect(),
        Value::Array(members) => members.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

/// Cleans an entry of a list, which says so if a text of it is cut; gives its length as JSON with what parts it from
/// the next.
fn fitted(entry: &mut Value, max_chars: usize) -> usize {
    if cleaned(entry, max_chars) > 0 {
        if let Some(members) = entry.as_object_mut() {
            members.insert("cut".to_owned(), json!(true));
        }
    }
    entry.to_string().chars().count() + 1
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
