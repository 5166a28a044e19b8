//! One line, one message: what a client sent, told apart.
//!
//! Never answers and never guesses: what cannot be read comes back as a [`Flaw`] that carries the id, if
//! one could be read. Start reading at [`read`].

use crate::mcp::error::{INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, RpcError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// A request's id as it came: text stays text, a number keeps its digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Id {
    /// The text, unescaped.
    Text(String),
    /// The number's own digits: clients send integers, some of them as `1.0`.
    Number(String),
}

impl Id {
    /// Whether both name one call. A number may come back in other digits: `100` for `1e2`.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => {
                // What no double holds has its digits alone.
                one == other || value(one).is_some_and(|one| Some(one) == value(other))
            }
            _ => self == other,
        }
    }
}

/// What digits come to: whole where that is exact, else the nearest that JSON's readers have.
fn value(digits: &str) -> Option<(Option<i128>, Option<u64>)> {
    let number: serde_json::Number = serde_json::from_str(digits).ok()?;
    let whole = number
        .as_i64()
        .map(i128::from)
        .or(number.as_u64().map(i128::from));
    let float = number.as_f64()?;
    // A float that is whole and small enough to be exact is that number: `1e2`, `-0`.
    let exact =
        (float.fract() == 0.0 && float.abs() < 9e15).then(|| format!("{float:.0}").parse().ok());
    Some(match whole.or(exact.flatten()) {
        Some(whole) => (Some(whole), None),
        None => (None, Some(float.to_bits())),
    })
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(digits) => RawValue::from_string(digits.clone())
                .map_err(serde::ser::Error::custom)?
                .serialize(serializer),
        }
    }
}

/// A message that wants an answer.
#[derive(Debug)]
pub struct Request {
    /// How the client finds the answer.
    pub id: Id,
    /// What it asks for.
    pub method: String,
    /// Absent and null are an empty object.
    pub params: Map<String, Value>,
}

/// A message that gets no answer.
#[derive(Debug)]
pub struct Notification {
    /// What happened.
    pub method: String,
    /// Absent, null and what is no object are an empty object.
    pub params: Map<String, Value>,
}

/// The client's answer to a question of bb's own.
#[derive(Debug)]
pub struct Response {
    /// The question's id.
    pub id: Id,
    /// What it says, or the error object it refuses with.
    pub result: Result<Value, Value>,
}

/// What a client can send.
#[derive(Debug)]
pub enum Message {
    /// Wants an answer.
    Request(Request),
    /// Wants none.
    Notification(Notification),
    /// Is one.
    Response(Response),
}

/// What is wrong with a message, and the id to say so under, if it has one that could be read.
#[derive(Debug)]
pub struct Flaw {
    /// Absent where an answer must carry no `id` member at all.
    pub id: Option<Id>,
    /// What the client is told.
    pub error: RpcError,
}

impl Flaw {
    fn new(id: Option<Id>, code: i32, message: impl Into<String>) -> Self {
        Self {
            id,
            error: RpcError::new(code, message),
        }
    }
}

/// A line's content: one message, or the batch that MCP 2025-03-26 alone allows.
#[derive(Debug)]
pub enum Content {
    /// One message, or what is wrong with it.
    One(Result<Message, Flaw>),
    /// The members of an array, each read for itself. May be empty.
    Batch(Vec<Result<Message, Flaw>>),
}

/// Reads a line, without its end.
pub fn read(line: &[u8]) -> Content {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(fault) => {
            return Content::One(Err(Flaw::new(
                None,
                PARSE_ERROR,
                format!(
                    "the line is not UTF-8: byte {} breaks it",
                    fault.valid_up_to() + 1
                ),
            )));
        }
    };
    if text.trim_start().starts_with('[') {
        return match serde_json::from_str::<Vec<&RawValue>>(text) {
            Ok(members) => Content::Batch(
                members
                    .into_iter()
                    .map(|member| one(member.get()))
                    .collect(),
            ),
            Err(fault) => Content::One(Err(unreadable(&fault))),
        };
    }
    Content::One(one(text))
}

/// A message's members, each still as it was written. Others are ignored.
#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Tells a member that is null from one that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn one(text: &str) -> Result<Message, Flaw> {
    let members: Members = serde_json::from_str(text).map_err(|fault| unreadable(&fault))?;
    let id = match members.id.map(|raw| (raw, read_id(raw))) {
        None => None,
        Some((_, Some(id))) => Some(id),
        Some((raw, None)) => {
            return Err(Flaw::new(
                None,
                INVALID_REQUEST,
                format!("an id is a text or a number, not {}", sort_of(raw.get())),
            ));
        }
    };
    let is_version_2 = members.jsonrpc.map(RawValue::get).map(str::trim) == Some(r#""2.0""#);
    let is_notification = id.is_none() && members.method.is_some();
    // A notification is never answered, not even with what is wrong with it.
    if !is_version_2 && !is_notification {
        return Err(Flaw::new(id, INVALID_REQUEST, "`jsonrpc` must be \"2.0\""));
    }
    let Some(method) = members.method else {
        return response(id, &members);
    };
    let Ok(method) = text_of(method) else {
        return Err(Flaw::new(id, INVALID_REQUEST, "`method` must be a text"));
    };
    match (id, params(members.params)) {
        (Some(id), Ok(params)) => Ok(Message::Request(Request { id, method, params })),
        (Some(id), Err(why)) => Err(Flaw::new(Some(id), INVALID_PARAMS, why)),
        (None, params) => Ok(Message::Notification(Notification {
            method,
            params: params.unwrap_or_default(),
        })),
    }
}

fn response(id: Option<Id>, members: &Members) -> Result<Message, Flaw> {
    match (id, members.result, members.error) {
        (Some(id), Some(result), None) => Ok(Message::Response(Response {
            id,
            result: Ok(value_of(result).unwrap_or(Value::Null)),
        })),
        (Some(id), _, Some(error)) => Ok(Message::Response(Response {
            id,
            result: Err(value_of(error).unwrap_or(Value::Null)),
        })),
        // An error without an id answers a line of ours that the client could not read: nothing to add.
        (None, None, Some(_)) => Ok(Message::Notification(Notification {
            method: String::new(),
            params: Map::new(),
        })),
        (id, _, _) => Err(Flaw::new(
            id,
            INVALID_REQUEST,
            "a message has a `method`, or an `id` beside a `result` or an `error`",
        )),
    }
}

fn params(raw: Option<&RawValue>) -> Result<Map<String, Value>, String> {
    match raw.map(value_of) {
        None | Some(Ok(Value::Null)) => Ok(Map::new()),
        Some(Ok(Value::Object(params))) => Ok(params),
        Some(Ok(_)) => Err("`params` must be an object".to_owned()),
        Some(Err(why)) => Err(format!("`params` cannot be read: {why}")),
    }
}

fn read_id(raw: &RawValue) -> Option<Id> {
    let text = raw.get().trim();
    match text.as_bytes().first() {
        Some(b'"') => text_of(raw).ok().map(Id::Text),
        Some(b'-' | b'0'..=b'9') => Some(Id::Number(text.to_owned())),
        _ => None,
    }
}

fn text_of(raw: &RawValue) -> Result<String, String> {
    match value_of(raw) {
        Ok(Value::String(text)) => Ok(text),
        _ => Err("not a text".to_owned()),
    }
}

/// Parses one member. Half of a surrogate pair, which JavaScript can write and UTF-8 cannot hold, becomes
/// the replacement character: a call is not lost over one cut emoji.
fn value_of(raw: &RawValue) -> Result<Value, &'static str> {
    serde_json::from_str(raw.get())
        .or_else(|_| serde_json::from_str(&without_lone_surrogates(raw.get())))
        .map_err(|_| "it is nested more than 127 deep, or holds a number out of range")
}

fn without_lone_surrogates(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match escaped_unit(rest) {
            None => rest.chars().nth(1).map_or(1, |next| 1 + next.len_utf8()),
            Some(0xD800..=0xDBFF) => match rest.get(6..).and_then(escaped_unit) {
                Some(0xDC00..=0xDFFF) => 12,
                _ => 0,
            },
            Some(0xDC00..=0xDFFF) => 0,
            Some(_) => 6,
        };
        if taken == 0 {
            mended.push_str("\\ufffd");
            rest = &rest[6..];
        } else {
            mended.push_str(&rest[..taken]);
            rest = &rest[taken..];
        }
    }
    mended.push_str(rest);
    mended
}

/// The number in a `\uXXXX` at the start of `text`.
fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

fn unreadable(fault: &serde_json::Error) -> Flaw {
    match fault.classify() {
        Category::Data => Flaw::new(
            None,
            INVALID_REQUEST,
            "a message is an object, each of its members given once",
        ),
        Category::Eof => Flaw::new(None, PARSE_ERROR, "the line is cut: its JSON has no end"),
        Category::Syntax | Category::Io => Flaw::new(
            None,
            PARSE_ERROR,
            format!("the line is not JSON: column {} breaks it", fault.column()),
        ),
    }
}

fn sort_of(json: &str) -> &'static str {
    match json.trim_start().as_bytes().first() {
        Some(b'n') => "null",
        Some(b't' | b'f') => "a boolean",
        Some(b'[') => "an array",
        _ => "an object",
    }
}

#[cfg(test)]
mod tests;
