//! Asking the person before a tool that asks: one unticked box that names the target.
//!
//! Only an accept with the box ticked lets a call run. Before MCP 2026-07-28 the question is sent in the middle of the
//! call; from then on it is the call's answer, and the client calls again with what `seal` proves. Never words
//! the question: the tool does. Start reading at [`Confirm::put`].

use crate::catalog::seal::{Broken, LIFETIME, Seal};
use crate::digest::Digest;
use crate::mcp::caller::{Caller, Version};
use crate::mcp::calls::{AskError, Handle};
use crate::mcp::server::ToolCall;
use crate::mcp::wire::Reply;
use crate::tool::args::Input;
use crate::tool::{Question, Tool};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// What came of asking the person, as the audit file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// The call does not ask, or has not asked yet.
    None,
    /// `--no-confirm`: the client asks before each call itself.
    Off,
    /// Agreed, with the box ticked.
    Accepted,
    /// Said no.
    Declined,
    /// Closed the question, or did not answer.
    Cancelled,
    /// Agreed without ticking the box.
    Unticked,
    /// The client cannot ask.
    NoCapability,
    /// The proof of the answer is not bb's.
    Forged,
    /// The answer was used before.
    Replayed,
    /// The answer came too late.
    Expired,
    /// The answer is to another call.
    Altered,
}

impl Confirmation {
    /// Why a call with this outcome does not run, and what to do; for the model.
    fn why_not(self) -> &'static str {
        match self {
            Self::None | Self::Off | Self::Accepted => "the person was not asked",
            Self::Declined => "the person declined. Do not call it again unless they ask for it",
            Self::Cancelled => {
                "the person closed the question without an answer. Do not call it again unless they ask for it"
            }
            Self::Unticked => {
                "the person sent the form without ticking its box, which counts as no. Ask them what they want"
            }
            Self::NoCapability => "it asks the person first, and this client cannot ask",
            Self::Forged => {
                "`requestState` is none that bb gave for a question. Call it without one, and the person is asked"
            }
            Self::Replayed => {
                "this answer of the person was used before, and holds for one call. Call it without \
                 `requestState`, and they are asked again"
            }
            Self::Expired => {
                "the person's answer came more than five minutes after the question. Call it without \
                 `requestState`, and they are asked again"
            }
            Self::Altered => {
                "the person was asked about other arguments than these. Call it without `requestState`, and they \
                 are asked about these"
            }
        }
    }
}

impl From<Broken> for Confirmation {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Forged => Self::Forged,
            Broken::Altered => Self::Altered,
            Broken::Expired => Self::Expired,
            Broken::Replayed => Self::Replayed,
        }
    }
}

/// What asking came to.
#[derive(Debug)]
pub enum Verdict {
    /// The call may run, on this version of its target.
    Run(Option<i64>),
    /// The client asks, and calls again.
    Ask(Reply),
    /// It does not run, for this reason.
    Stop(String),
    /// The client cannot ask; the reason is for a client that can only be told in words.
    CannotAsk(String),
    /// There can be no question now.
    NoQuestion(String),
}

/// Whether and how the person is asked.
pub struct Confirm {
    is_off: bool,
    seal: Seal,
    began: Instant,
}

/// The one question, by its key in a modern client's answers.
const KEY: &str = "confirm";

impl Confirm {
    /// Asks unless that is turned off; answers are signed with `key`.
    pub fn new(is_off: bool, key: [u8; 32]) -> Self {
        Self {
            is_off,
            seal: Seal::new(key),
            began: Instant::now(),
        }
    }

    /// Whether nobody is asked.
    pub fn is_off(&self) -> bool {
        self.is_off
    }

    /// Puts the question of a call to the person, or reads the answer that the call brings. `question` may ask
    /// Bitbucket, so it is made only where it will be put.
    ///
    /// # Errors
    /// What `question` fails with.
    pub fn put<E>(
        &self,
        tool: &Tool,
        input: &Input,
        call: &ToolCall,
        handle: &Handle,
        question: impl FnOnce() -> Result<Question, E>,
    ) -> Result<(Verdict, Confirmation), E> {
        let is_modern = handle.caller.version.is_modern();
        if is_modern && (call.request_state.is_some() || call.input_responses.is_some()) {
            return Ok(self.answered(tool, input, call, self.began.elapsed()));
        }
        if !handle.caller.can_ask {
            let confirmation = Confirmation::NoCapability;
            let why = confirmation.why_not().to_owned();
            return Ok((Verdict::CannotAsk(why), confirmation));
        }
        let question = question()?;
        let params = params(tool, input, &question, &handle.caller);
        if is_modern {
            let version = question.version;
            let state = self
                .seal
                .close(&bound(tool, input), version, self.began.elapsed());
            let mut requests = Map::new();
            requests.insert(
                KEY.to_owned(),
                json!({"method": "elicitation/create", "params": params}),
            );
            let ask = Verdict::Ask(Reply::InputRequired { requests, state });
            return Ok((ask, Confirmation::None));
        }
        handle.step("waiting for the person's answer");
        Ok(match handle.ask("elicitation/create", params) {
            Ok(answer) => judged(tool, &answer, question.version),
            Err(AskError::Refused(why)) => {
                let why = format!(
                    "it asks the person first, and the client could not ask: {}",
                    crate::clean::line(&why, 200)
                );
                (Verdict::CannotAsk(why), Confirmation::NoCapability)
            }
            Err(error @ AskError::TooMany) => {
                let why = format!("the person cannot be asked now: {error}");
                (Verdict::NoQuestion(not_run(tool, &why)), Confirmation::None)
            }
            Err(error @ (AskError::Cancelled | AskError::Ended | AskError::TimedOut)) => {
                let why = format!("the person was asked, and {error}");
                (Verdict::Stop(not_run(tool, &why)), Confirmation::Cancelled)
            }
        })
    }

    /// Reads the answer that a call brings back, `now` after the process began.
    fn answered(
        &self,
        tool: &Tool,
        input: &Input,
        call: &ToolCall,
        now: Duration,
    ) -> (Verdict, Confirmation) {
        let state = call.request_state.as_deref().unwrap_or_default();
        match self.seal.open(state, &bound(tool, input), now) {
            Ok(version) => {
                let answers = call.input_responses.as_ref();
                let answer = answers.and_then(|answers| answers.get(KEY));
                judged(tool, answer.unwrap_or(&Value::Null), version)
            }
            Err(broken) => stopped(tool, broken.into()),
        }
    }
}

fn judged(tool: &Tool, answer: &Value, version: Option<i64>) -> (Verdict, Confirmation) {
    let is_ticked = answer.pointer("/content/confirm") == Some(&Value::Bool(true));
    match answer["action"].as_str() {
        Some("accept") if is_ticked => (Verdict::Run(version), Confirmation::Accepted),
        Some("accept") => stopped(tool, Confirmation::Unticked),
        Some("decline") => stopped(tool, Confirmation::Declined),
        // Also what is no answer of the protocol: it is no agreement.
        _ => stopped(tool, Confirmation::Cancelled),
    }
}

fn stopped(tool: &Tool, confirmation: Confirmation) -> (Verdict, Confirmation) {
    let why = not_run(tool, confirmation.why_not());
    (Verdict::Stop(why), confirmation)
}

fn not_run(tool: &Tool, why: &str) -> String {
    format!("{} did not run: {why}", tool.name)
}

/// What an answer is bound to: the tool and its final arguments. Keys are sorted, so equal ones are written alike.
fn bound(tool: &Tool, input: &Input) -> Digest {
    let call = json!([tool.name, input.values()]);
    Digest::of(call.to_string().as_bytes())
}

/// `elicitation/create`: a form of one box.
fn params(tool: &Tool, input: &Input, question: &Question, caller: &Caller) -> Value {
    let target = match (input.pull_request(), input.repository()) {
        (Some(id), _) => format!(": {id}"),
        (None, Some(repository)) => format!(": {repository}"),
        (None, None) => String::new(),
    };
    let mut params = json!({
        "message": question.text,
        "requestedSchema": {
            "type": "object",
            "properties": {
                "confirm": {
                    "type": "boolean",
                    "title": format!("{}{target}", tool.title),
                    "description": "Nothing is done without this tick.",
                    "default": false,
                },
            },
            "required": ["confirm"],
        },
    });
    // Older clients know one mode, and refuse a member that they do not know.
    if caller.version >= Version::V2025_11_25 {
        params["mode"] = json!("form");
    }
    params
}

// The client's own deadline for a question and bb's are told in one sentence to the model.
const _: () = assert!(LIFETIME.as_secs() == 300);

#[cfg(test)]
mod tests;
