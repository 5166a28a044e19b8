//! `show`, and the tools that only views call.
//!
//! Never decides who may call, and never asks Bitbucket for a caller that renders nothing: `catalog` does not come
//! here then. The way of one call: a kind gathers its facts ([`kinds`]), the fingerprint is taken of them
//! ([`drawing`]), and only what is new to whoever asked is dressed. Start reading at [`show`]; [`refresh`] is the
//! same way with the fingerprint that the page holds.

use crate::bitbucket::Bitbucket;
use crate::bitbucket::error::{ApiError, Why};
use crate::cancel::Cancel;
use crate::domain::time::Time;
use crate::show::drawing::{Drawn, FORMAT, Offers};
use crate::show::kinds::Kind;
use crate::show::memory::Memory;
use crate::tool::ToolError;
use crate::tool::args::Input;
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime};

pub mod avatars;
pub mod comments;
pub mod drawing;
pub mod fences;
pub mod fit;
pub mod kinds;
pub mod memory;
pub mod refresh;
pub mod shapes;
pub mod suggest;
pub mod text;

/// What the model calls.
pub const SHOW: &str = "show";
/// What a view calls to read itself again.
pub const REFRESH_VIEW: &str = "refresh_view";

/// What a form calls for what may stand in its fields.
pub const SUGGEST_FORM_VALUES: &str = "suggest_form_values";

/// The most characters of a text for the model beside a view (contract 4.3).
pub const MAX_TEXT_CHARS: usize = 600;

/// What every text beside a view ends with: a client that says it renders views is taken at its word.
const IF_UNSEEN: &str = "If the person sees no view, answer in words.";

/// One reading of what a view draws.
pub struct Reading<'a> {
    /// The way to Bitbucket.
    pub bitbucket: &'a Bitbucket,
    /// The arguments of `show`, without `kind`.
    pub input: &'a Input,
    /// Raised when nobody waits for the answer any more.
    pub cancel: &'a Cancel,
    /// Says what is being done now, for a person who waits.
    pub step: &'a (dyn Fn(&str) + Sync),
    /// What earlier readings left for this one.
    pub memory: &'a Memory,
    /// What the server exposes.
    pub offers: &'a Offers,
    /// Who wants it.
    pub asked_by: AskedBy,
}

/// Who wants a view's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedBy {
    /// The model, once.
    Model,
    /// A view, again and again.
    View,
}

/// What a call came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the model reads.
    pub text: String,
    /// What the page reads: `_meta["bb/view"]`.
    pub view: Option<Value>,
    /// Whether the call failed in a way that the model can act on.
    pub is_error: bool,
    /// Whether a view asked and nothing had changed: such a call leaves no line in the audit.
    pub is_unchanged: bool,
}

impl Outcome {
    /// Words alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            view: None,
            is_error: false,
            is_unchanged: false,
        }
    }

    /// A failure. The page is told when to try again, where Bitbucket says so.
    pub fn error(error: &ToolError) -> Self {
        let wait = match error {
            ToolError::Api(error) => retry_after(error),
            ToolError::Arguments(_) | ToolError::Absent(_) | ToolError::NotWritten(_) => None,
        };
        Self {
            view: wait
                .map(|wait| json!({"format": FORMAT, "retry_after_ms": wait.as_millis() as u64})),
            is_error: true,
            ..Self::text(error.to_string())
        }
    }
}

/// Reads what `kind` draws, and draws it.
pub fn show(kind: &Kind, reading: &Reading) -> Outcome {
    let read_at = now();
    match (kind.gather)(reading) {
        Ok(gathered) => {
            let fingerprint = drawing::fingerprint(&gathered.facts, reading.offers);
            draw(kind, reading, gathered, fingerprint, read_at)
        }
        Err(error) => Outcome::error(&error),
    }
}

/// Dresses what was gathered, and puts all together.
fn draw(
    kind: &Kind,
    reading: &Reading,
    gathered: drawing::Gathered,
    fingerprint: String,
    read_at: Time,
) -> Outcome {
    let said = crate::clean::line(&gathered.text, MAX_TEXT_CHARS - IF_UNSEEN.len() - 1);
    let text = format!("{said} {IF_UNSEEN}");
    let show = arguments(kind, reading.input);
    let mut drawn = Drawn {
        kind: kind.name,
        show,
        fingerprint,
        read_at,
        motion: gathered.motion,
        offers: reading.offers,
        facts: &gathered.facts,
        dressing: drawing::Dressing::default(),
    };
    let room = drawing::room_for_dressing(&drawn, &text);
    drawn.dressing = (kind.dress)(reading, &gathered, room);
    Outcome {
        view: Some(drawn.value()),
        ..Outcome::text(text)
    }
}

/// The call that shows the same again, in one spelling.
fn arguments(kind: &Kind, input: &Input) -> Value {
    let mut arguments: Map<String, Value> = input.values().clone();
    arguments.insert("kind".to_owned(), json!(kind.name));
    if let Some(repository) = input.repository() {
        arguments.insert("project".to_owned(), json!(repository.project));
        arguments.insert("repo".to_owned(), json!(repository.slug));
    }
    Value::Object(arguments)
}

fn retry_after(error: &ApiError) -> Option<Duration> {
    match error.why() {
        Why::RateLimited { retry_after } => *retry_after,
        _ => None,
    }
}

/// The moment that a view says its data was read at.
fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Time(since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }))
}
