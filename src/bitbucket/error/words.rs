//! Bitbucket's own words about an error.
//!
//! Never trusted: each message is one cleaned line of bounded length, and there are at most a few
//! of them. Start reading at [`Messages::read`].

use crate::clean;
use serde_json::Value;
use std::fmt;

/// The most characters that are kept of one message.
const MAX_MESSAGE_CHARS: usize = 400;
/// The most characters that are kept of one detail of a message.
const MAX_DETAIL_CHARS: usize = 160;
/// The most messages that are kept of one answer: a broken form has a handful of fields.
const MAX_MESSAGES: usize = 8;

/// What an error answer says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Messages {
    list: Vec<Message>,
    /// How many there were beyond those kept.
    left_out: usize,
    raw: Vec<Value>,
}

/// One message, in one clean line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The field that it is about.
    pub context: Option<String>,
    /// The words.
    pub message: String,
    /// What stands behind it, each a clean line: why a merge was vetoed, which reviewers cannot be
    /// added.
    pub details: Vec<String>,
    /// The last part of the exception's name, such as `PullRequestOutOfDateException`.
    pub exception: Option<String>,
}

impl Messages {
    /// Reads the `errors` of an error answer, each text as `hide` leaves it; `None` if the body is not of that shape.
    ///
    /// Source: Bitbucket's error answers, `{"errors":[{"context","message","exceptionName"}]}`; a
    /// few servers in front of it write `{"message":"..."}`.
    pub fn read(body: &[u8], hide: &dyn Fn(&str) -> String) -> Option<Self> {
        let Value::Object(mut body) = serde_json::from_slice(body).ok()? else {
            return None;
        };
        let mut raw = match body.remove("errors") {
            Some(Value::Array(errors)) => errors,
            _ => match body.get("message").or_else(|| body.get("status-code")) {
                Some(_) => vec![Value::Object(body)],
                None => return None,
            },
        };
        raw.iter_mut().for_each(|error| hide_in(error, hide));
        // One that says nothing is no message: neither told nor counted.
        let mut list: Vec<Message> = raw.iter().filter_map(Message::read).collect();
        let left_out = list.len().saturating_sub(MAX_MESSAGES);
        list.truncate(MAX_MESSAGES);
        Some(Self {
            left_out,
            list,
            raw,
        })
    }

    /// The same without the links that lead to another host than Bitbucket's, as `is_own` says: whoever shows one
    /// takes it for Bitbucket's.
    pub(crate) fn with_own_links(mut self, is_own: &dyn Fn(&str) -> bool) -> Self {
        self.raw
            .iter_mut()
            .for_each(|error| keep_links(error, is_own));
        self
    }

    /// One message that is not Bitbucket's JSON: the first words of a text.
    pub fn words(text: &str) -> Self {
        let message = clean::line(text, MAX_MESSAGE_CHARS);
        let list = if message.is_empty() {
            Vec::new()
        } else {
            vec![Message {
                context: None,
                message,
                details: Vec::new(),
                exception: None,
            }]
        };
        Self {
            list,
            ..Self::default()
        }
    }

    /// The messages in Bitbucket's order, at most eight.
    pub fn list(&self) -> &[Message] {
        &self.list
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The error objects as they came, uncleaned: `currentVersion`, `vetoes`,
    /// `existingPullRequest`, `reviewerErrors`. What is shown of them passes `clean` first.
    pub fn raw(&self) -> &[Value] {
        &self.raw
    }

    /// How many messages there were beyond those kept.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Whether one of the errors is of this exception, by the last part of its name.
    pub fn has_exception(&self, name: &str) -> bool {
        self.list
            .iter()
            .any(|m| m.exception.as_deref() == Some(name))
    }
}

impl Message {
    fn read(error: &Value) -> Option<Self> {
        let text = |key: &str, max| {
            let text = clean::line(error.get(key)?.as_str()?, max);
            (!text.is_empty()).then_some(text)
        };
        let exception = text("exceptionName", 200);
        let details = [("vetoes", "summaryMessage"), ("reviewerErrors", "message")];
        let details = details.iter().flat_map(|(list, field)| {
            let list = error
                .get(*list)
                .and_then(Value::as_array)
                .map_or(&[][..], Vec::as_slice);
            list.iter()
                .filter_map(|one| Some(clean::line(one.get(*field)?.as_str()?, MAX_DETAIL_CHARS)))
        });
        let last_part = exception
            .as_deref()
            .and_then(|name| name.rsplit('.').next());
        let mut details: Vec<String> = details.filter(|one| !one.is_empty()).collect();
        if let more @ 1.. = details.len().saturating_sub(MAX_MESSAGES) {
            details.truncate(MAX_MESSAGES);
            details.push(format!("and {more} more"));
        }
        Some(Self {
            context: text("context", 80),
            message: text("message", MAX_MESSAGE_CHARS).or_else(|| last_part.map(str::to_owned))?,
            details,
            exception: last_part.map(str::to_owned),
        })
    }
}

fn hide_in(value: &mut Value, hide: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = hide(text),
        Value::Array(list) => list.iter_mut().for_each(|one| hide_in(one, hide)),
        Value::Object(members) => members.values_mut().for_each(|one| hide_in(one, hide)),
        _ => {}
    }
}

fn keep_links(value: &mut Value, is_own: &dyn Fn(&str) -> bool) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| keep_links(one, is_own)),
        Value::Object(members) => {
            members.retain(|name, value| name != "href" || value.as_str().is_some_and(is_own));
            members.values_mut().for_each(|one| keep_links(one, is_own));
        }
        _ => {}
    }
}

impl fmt::Display for Messages {
    /// Nothing, or `: ` and the messages, each with its field where it has one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = ": ";
        for said in &self.list {
            f.write_str(before)?;
            let Message {
                context,
                message,
                details,
                ..
            } = said;
            if let Some(context) = context {
                write!(f, "`{context}`: ")?;
            }
            f.write_str(message)?;
            if !details.is_empty() {
                write!(f, " ({})", details.join("; "))?;
            }
            before = "; ";
        }
        match self.left_out {
            0 => Ok(()),
            n => write!(f, "{before}and {n} more"),
        }
    }
}
