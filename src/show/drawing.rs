//! What a view draws, as it travels in `_meta["bb/view"]`, and its fingerprint.
//!
//! The fingerprint cannot see the dressing, the time of reading or the motion: they are not in [`Facts`]. Start
//! reading at [`Drawn`]. `view/main.js` reads it; each kind's module in `view/kinds/` documents its facts.

use crate::digest::Digest;
use crate::domain::person::Person;
use crate::domain::time::Time;
use crate::highlight::Line;
use crate::show::fences;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Where in a result's `_meta` the page finds it.
pub const META_KEY: &str = "bb/view";

/// How it is written. The page draws this one alone and says of any other that it does not know it.
pub const FORMAT: u32 = 1;

/// The most characters of a whole result (contract 4.3): hosts cut or refuse one of about 150,000.
pub const MAX_RESULT_CHARS: usize = 140_000;

/// The most characters of what lists and long texts hold in one kind's facts. A head and the pictures have the rest.
pub const MAX_FACTS_CHARS: usize = 95_000;

/// What a result's frame takes: the members around text and view, a revision's own `_meta`.
const FRAME_CHARS: usize = 1_000;

/// Hex digits of a fingerprint: 128 bits tell any two states apart that one page may hold.
const FINGERPRINT_DIGITS: usize = 32;

/// What changes only when Bitbucket's state changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Facts(Value);

impl Facts {
    /// The facts of one kind, as its page's module documents them. What cannot be written as JSON is null.
    pub fn of(facts: &impl Serialize) -> Self {
        Self(serde_json::to_value(facts).unwrap_or_default())
    }

    /// As the page reads them.
    pub fn value(&self) -> &Value {
        &self.0
    }
}

/// What may differ between two reads of one state. `{avatars: {<key>: {type, base64}}, code?: {<path>: [[classes]]},
/// fences?: {<key>: [classes]}, late?: true}`
#[derive(Clone, Debug, Default, Serialize)]
pub struct Dressing {
    /// Pictures by the key that a person's `avatar` in the facts names.
    pub avatars: BTreeMap<String, Picture>,
    /// The token classes of code, by path: by hunk, by line.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub code: BTreeMap<String, Vec<Vec<Line>>>,
    /// The token classes of code in texts, by `fences.rs`'s name of it: by line.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fences: fences::Colors,
    /// Whether some code is plain for want of time: another read may have its colors.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

/// A picture's bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// Its media type, as its first bytes tell.
    #[serde(rename = "type")]
    pub media_type: &'static str,
    /// Its bytes.
    pub base64: String,
}

/// How soon asking again is worth it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Motion {
    /// Something runs.
    Moving,
    /// Somebody may do something.
    Quiet,
    /// Nothing will change.
    Still,
}

/// The kinds and tools that the server exposes: a view offers these alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offers {
    /// In the order of the table.
    pub kinds: Vec<&'static str>,
    /// In the order of the catalogue.
    pub tools: Vec<&'static str>,
    /// Whether forms may ask what could stand in their fields; a form's facts say so.
    #[serde(skip)]
    pub suggests: bool,
}

/// What a kind read.
pub struct Gathered {
    /// What is drawn.
    pub facts: Facts,
    /// What the model is told: what was put on screen, and the counts.
    pub text: String,
    /// How soon asking again is worth it.
    pub motion: Motion,
    /// Whose pictures are wanted: those first that are seen first.
    pub faces: Vec<Face>,
}

/// Somebody whose picture is wanted.
#[derive(Clone, Debug)]
pub struct Face {
    /// What the facts call the picture.
    pub key: String,
    /// Whose it is.
    pub person: Person,
}

/// Everything that travels.
#[derive(Serialize)]
pub struct Drawn<'a> {
    /// The kind.
    pub kind: &'static str,
    /// The call of `show` that it answers.
    pub show: Value,
    /// Of the facts and the offers.
    pub fingerprint: String,
    /// When the data was read.
    #[serde(serialize_with = "rfc_3339")]
    pub read_at: Time,
    /// How soon asking again is worth it.
    pub motion: Motion,
    /// What else there is.
    pub offers: &'a Offers,
    /// What is drawn.
    pub facts: &'a Facts,
    /// What it is drawn with.
    pub dressing: Dressing,
}

impl Drawn<'_> {
    /// As the page reads it.
    pub fn value(&self) -> Value {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        value["format"] = json!(FORMAT);
        value
    }
}

/// Tells one state from another: the same whenever the facts and the offers are the same.
pub fn fingerprint(facts: &Facts, offers: &Offers) -> String {
    // Members are sorted by name, so that equal values are equal bytes.
    let bytes = json!([facts, offers]).to_string();
    let mut digits = Digest::of(bytes.as_bytes()).to_string();
    digits.truncate(FINGERPRINT_DIGITS);
    digits
}

/// What a view that holds the current state is told.
pub fn unchanged(read_at: Time, motion: Motion) -> Value {
    json!({"format": FORMAT, "unchanged": true, "read_at": read_at.to_string(), "motion": motion})
}

/// How many characters are left of a whole result for the dressing.
pub fn room_for_dressing(undressed: &Drawn, text: &str) -> usize {
    let taken = undressed.value().to_string().chars().count() + text.chars().count() + FRAME_CHARS;
    MAX_RESULT_CHARS.saturating_sub(taken)
}

fn rfc_3339<S: serde::Serializer>(time: &Time, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(time)
}

#[cfg(test)]
mod tests {
    use super::{Facts, Offers, fingerprint};
    use serde_json::json;

    fn offers(tools: &[&'static str]) -> Offers {
        Offers {
            kinds: vec!["pull_request"],
            tools: tools.to_vec(),
            suggests: true,
        }
    }

    #[test]
    fn a_fingerprint_moves_with_the_facts_and_the_offers() {
        let of = |facts, tools: &[&'static str]| fingerprint(&Facts::of(&facts), &offers(tools));
        let one = of(json!({"a": 1, "b": 2}), &["get_pull_request"]);
        assert_eq!(one, of(json!({"b": 2, "a": 1}), &["get_pull_request"]));
        assert_ne!(one, of(json!({"a": 1, "b": 3}), &["get_pull_request"]));
        assert_ne!(one, of(json!({"a": 1, "b": 2}), &[]));
        assert_eq!(one.len(), 32);
    }
}
