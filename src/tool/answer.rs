//! What a tool answers: a value, and the text printed from it, in this one place.
//!
//! Never more than [`MAX_TEXT_CHARS`]; whatever is cut says so, and how to go on. Start reading at [`Answer`].

use serde_json::{Map, Value, json};

/// The most characters of a text for the model (contract 3).
pub const MAX_TEXT_CHARS: usize = 60_000;

/// The most characters of one text inside an answer: no text of Bitbucket's own is longer than its cap of 32,768.
const MAX_FIELD_CHARS: usize = 32_768;

/// A value that fits, cleaned: what a manifest's template reads, and what the text is printed from.
#[derive(Clone, Debug)]
pub struct Answer {
    value: Value,
}

/// Some of the entries that there are.
#[derive(Clone, Debug)]
pub struct Listed {
    /// What the entries are called.
    pub name: &'static str,
    /// The entries.
    pub entries: Vec<Value>,
    /// Bitbucket's own total, where it gives one.
    pub total: Option<u64>,
    /// The place of the first entry.
    pub start: u64,
    /// Where the next entries begin, if there are more.
    pub next: Option<u64>,
    /// Whether Bitbucket's places are those of the entries: where it leaves out what this person may not see,
    /// they are not, and only whole pages can be asked for.
    pub is_gapless: bool,
    /// What else the person should know of the list.
    pub note: Option<String>,
}

impl Answer {
    /// An answer that is one thing.
    pub fn one(value: Value) -> Self {
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
            if value.to_string().chars().count() <= MAX_TEXT_CHARS || max_chars < 16 {
                return Self { value };
            }
            max_chars /= 2;
        }
    }

    /// An answer that is a list, cut at a whole entry.
    pub fn list(listed: Listed) -> Self {
        let mut entries = listed.entries;
        for entry in &mut entries {
            *entry = without_nulls(entry.take());
            cleaned(entry, 2_000);
        }
        let mut left = MAX_TEXT_CHARS - 1_000;
        let fits = entries
            .iter()
            .take_while(|entry| {
                let chars = entry.to_string().chars().count() + 1;
                let does_fit = chars <= left;
                left = left.saturating_sub(chars);
                does_fit
            })
            .count();
        let is_cut = fits < entries.len();
        entries.truncate(fits);
        let shown = entries.len() as u64;
        let mut value = Map::new();
        value.insert("shown".to_owned(), json!(shown));
        value.insert(listed.name.to_owned(), Value::Array(entries));
        let more = is_cut || listed.next.is_some();
        match listed.total {
            Some(total) => value.insert("total".to_owned(), json!(total)),
            None => value.insert("more".to_owned(), json!(more)),
        };
        if listed.total.is_none() && more {
            let at_least = listed.start + shown;
            value.insert("at_least".to_owned(), json!(at_least));
        }
        let next = match (is_cut, listed.is_gapless) {
            (false, _) => listed.next,
            (true, true) => Some(listed.start + shown),
            (true, false) => None,
        };
        if let Some(next) = next {
            value.insert("next".to_owned(), json!(next));
        }
        if is_cut {
            let way = match next {
                Some(next) => format!("go on with start {next}"),
                None => format!("ask again with limit {shown}"),
            };
            let cut = format!("the answer was cut at {MAX_TEXT_CHARS} characters; {way}");
            value.insert("cut".to_owned(), json!(cut));
        }
        if let Some(note) = listed.note {
            value.insert("note".to_owned(), json!(note));
        }
        Self { value: Value::Object(value) }
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
        Value::Array(members) => members.iter_mut().map(|member| cleaned(member, max_chars)).sum(),
        Value::Object(members) => members.values_mut().map(|member| cleaned(member, max_chars)).sum(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
