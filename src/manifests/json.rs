//! A JSON value that keeps the order of its members, and every member, also one whose name comes twice.
//!
//! Never judges what it holds. Start reading at [`Json`].

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Number, Value};
use std::collections::HashMap;
use std::fmt;

/// One value. A member's name may come twice in an object: whoever reads a manifest refuses that.
#[derive(Clone, Debug)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, its members in the order in which they were written.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a document.
    ///
    /// # Errors
    /// What is wrong with it, and where: text after the value, a lone surrogate, more than 128 levels.
    pub fn read(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// The member of this name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let members = self.members()?;
        members
            .iter()
            .find(|(each, _)| each == name)
            .map(|(_, value)| value)
    }

    /// Takes a member's value away, if it is there; `null` stands in its place.
    pub fn take(&mut self, name: &str) -> Option<Self> {
        let Self::Object(members) = self else {
            return None;
        };
        let member = members.iter_mut().find(|(each, _)| each == name)?;
        Some(std::mem::replace(&mut member.1, Self::Null))
    }

    /// The members of an object.
    pub fn members(&self) -> Option<&[(String, Self)]> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// A text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A truth value.
    pub fn flag(&self) -> Option<bool> {
        match self {
            Self::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// A number, to the precision of a double.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.as_f64(),
            _ => None,
        }
    }

    /// A whole number of zero or more; `2.0` is one.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Number(number) => number.as_u64().or_else(|| {
                let value = number.as_f64()?;
                let is_whole = value >= 0.0 && value.fract() == 0.0 && value < 9.0e15;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "whole, not negative and small enough, as checked"
                )]
                is_whole.then_some(value as u64)
            }),
            _ => None,
        }
    }

    /// What sort of value it is, in the words of JSON Schema; a whole number is an `integer`.
    pub fn sort(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(number) if number.is_i64() || number.is_u64() => "integer",
            Self::Number(number) if number.as_f64().is_some_and(|n| n.fract() == 0.0) => "integer",
            Self::Number(_) => "number",
            Self::Text(_) => "string",
            Self::List(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// Whether both are one value: numbers by their value, objects whatever the order of their members.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b || a.as_f64() == b.as_f64(),
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is(b))
            }
            (Self::Object(a), Self::Object(b)) if a.len() != b.len() => false,
            (Self::Object(a), Self::Object(b)) if a.len() > 16 => {
                // Of two of one name the first counts, as in `get`.
                let last_first = b.iter().rev().map(|(name, value)| (name.as_str(), value));
                let b: HashMap<&str, &Self> = last_first.collect();
                a.iter()
                    .all(|(name, value)| b.get(name.as_str()).is_some_and(|b| value.is(b)))
            }
            (Self::Object(a), Self::Object(_)) => a
                .iter()
                .all(|(name, value)| other.get(name).is_some_and(|b| value.is(b))),
            _ => false,
        }
    }

    /// The bytes of UTF-8 that it takes as compact JSON.
    pub fn compact_bytes(&self) -> usize {
        match self {
            Self::Null => 4,
            Self::Bool(flag) => 5 - usize::from(*flag),
            Self::Number(number) => match number.as_u64() {
                Some(whole) => whole.checked_ilog10().map_or(1, |tens| tens as usize + 1),
                None => number.to_string().len(),
            },
            Self::Text(text) => quoted_bytes(text),
            Self::List(list) => {
                let commas = list.len().saturating_sub(1);
                2 + commas + list.iter().map(Self::compact_bytes).sum::<usize>()
            }
            Self::Object(members) => {
                let commas = members.len().saturating_sub(1);
                let members = members
                    .iter()
                    .map(|(name, value)| quoted_bytes(name) + 1 + value.compact_bytes());
                2 + commas + members.sum::<usize>()
            }
        }
    }

    /// Compact JSON.
    pub fn compact(&self) -> String {
        // A value that was read can be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// JSON for people, a member a line.
    pub fn pretty(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The same value, its members by their names.
    pub fn into_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(flag),
            Self::Number(number) => Value::Number(number),
            Self::Text(text) => Value::String(text),
            Self::List(list) => list.into_iter().map(Self::into_value).collect(),
            Self::Object(members) => Value::Object(
                members
                    .into_iter()
                    .map(|(name, value)| (name, value.into_value()))
                    .collect(),
            ),
        }
    }
}

/// The bytes of a text as a JSON string, quotes and escapes included.
pub fn quoted_bytes(text: &str) -> usize {
    // Pages are long and have few escapes: eight bytes that have none count alike.
    let more = |byte: &u8| match byte {
        b'"' | b'\\' | 0x08 | 0x09 | 0x0a | 0x0c | 0x0d => 1,
        0..0x20 => 5,
        _ => 0,
    };
    let mut eights = text.as_bytes().chunks_exact(8);
    let mut escapes = 0;
    for eight in eights.by_ref() {
        let word = eight
            .iter()
            .fold(0, |word, byte| word << 8 | u64::from(*byte));
        if may_have_escapes(word) {
            escapes += eight.iter().map(more).sum::<usize>();
        }
    }
    escapes += eights.remainder().iter().map(more).sum::<usize>();
    2 + text.len() + escapes
}

/// Whether one of eight bytes may be a control character, a quote or a backslash; never `false` where one is.
fn may_have_escapes(word: u64) -> bool {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // A borrow reaches a byte's top bit where the byte is below `than` (or at it, behind such a one).
    let below = |word: u64, than: u64| word.wrapping_sub(EACH * than) & !word;
    let is = |byte: u8| below(word ^ (EACH * u64::from(byte)), 1);
    (below(word, 0x20) | is(b'"') | is(b'\\')) & (EACH << 7) != 0
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(flag),
            Value::Number(number) => Self::Number(number),
            Value::String(text) => Self::Text(text),
            Value::Array(list) => Self::List(list.into_iter().map(Self::from).collect()),
            Value::Object(members) => Self::Object(
                members
                    .into_iter()
                    .map(|(name, value)| (name, Self::from(value)))
                    .collect(),
            ),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => to.serialize_unit(),
            Self::Bool(flag) => to.serialize_bool(*flag),
            Self::Number(number) => number.serialize(to),
            Self::Text(text) => to.serialize_str(text),
            Self::List(list) => to.collect_seq(list),
            Self::Object(members) => {
                let mut map = to.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Null)
            }

            fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
                Ok(Json::Bool(flag))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
                Ok(Json::Number(number.into()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
                Ok(Json::Number(number.into()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
                Ok(Number::from_f64(number).map_or(Json::Null, Json::Number))
            }

            fn visit_str<E>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Text(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Json, E> {
                Ok(Json::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
                let mut list = Vec::new();
                while let Some(value) = seq.next_element()? {
                    list.push(value);
                }
                Ok(Json::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Json::Object(members))
            }
        }

        from.deserialize_any(Any)
    }
}
