//! bb's own questions to the client, before MCP 2026-07-28: asked in the middle of a call, answered by a
//! person who may take minutes.
//!
//! A call that waits here holds no place, so that others go on. Start reading at [`Handle::ask`].

use super::{Handle, MAX_RUNNING, notification};
use serde_json::{Value, json};
use std::fmt;
use std::time::{Duration, Instant};

/// A person has this long to answer.
pub const PATIENCE: Duration = Duration::from_secs(5 * 60);
/// Questions that may be open at once; each holds a thread.
const MAX_QUESTIONS: usize = 128;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum AskError {
    /// The call was cancelled, so nobody waits any more.
    Cancelled,
    /// The client closed its side.
    Ended,
    /// Nobody answered in time.
    TimedOut,
    /// The client answered with an error; its message.
    Refused(String),
    /// Too many questions are open.
    TooMany,
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("the call was cancelled"),
            Self::Ended => f.write_str("the client closed the connection"),
            Self::TimedOut => write!(f, "nobody answered within {} s", PATIENCE.as_secs()),
            Self::Refused(message) => write!(f, "the client could not ask: {message}"),
            Self::TooMany => write!(f, "{MAX_QUESTIONS} questions wait for an answer already"),
        }
    }
}

impl Handle {
    /// Sends a request of bb's own, such as `elicitation/create`, and waits for its result.
    ///
    /// # Errors
    /// The person or the client gave no answer; a question that is given up is cancelled at the client.
    pub fn ask(&self, method: &str, params: Value) -> Result<Value, AskError> {
        let (id, refused) = {
            let mut table = self.calls.table();
            if table.questions.len() >= MAX_QUESTIONS {
                return Err(AskError::TooMany);
            }
            table.next_question += 1;
            let id = format!("bb-{}", table.next_question);
            table.questions.insert(id.clone(), None);
            table.running -= 1;
            self.set_asking(&mut table, true);
            (id, self.calls.launch(&mut table))
        };
        self.calls.refuse(refused);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.await_answer(&id);
        let is_open_at_client = matches!(
            answer,
            Err(AskError::Cancelled | AskError::Ended | AskError::TimedOut)
        );
        if is_open_at_client {
            let why = answer.as_ref().err().map(ToString::to_string);
            let params = json!({"requestId": id, "reason": why});
            self.send(&notification("notifications/cancelled", params));
        }
        answer
    }

    fn await_answer(&self, id: &str) -> Result<Value, AskError> {
        let deadline = Instant::now() + PATIENCE;
        let mut table = self.calls.table();
        let answer = loop {
            if let Some(answer) = table.questions.get_mut(id).and_then(Option::take) {
                break answer.map_err(|error| {
                    AskError::Refused(
                        error["message"]
                            .as_str()
                            .unwrap_or("no reason given")
                            .to_owned(),
                    )
                });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if self.cancel.is_cancelled() {
                break Err(AskError::Cancelled);
            } else if table.is_ending {
                break Err(AskError::Ended);
            } else if left.is_zero() {
                break Err(AskError::TimedOut);
            }
            table = self.calls.pause(table, left);
        };
        table.questions.remove(id);
        // Back to work needs a place again. A call that ends anyway takes one over the bound.
        while table.running >= MAX_RUNNING && answer.is_ok() && !self.cancel.is_cancelled() {
            table = self.calls.pause(table, PATIENCE);
        }
        table.running += 1;
        self.set_asking(&mut table, false);
        answer
    }

    fn set_asking(&self, table: &mut super::Table, is_asking: bool) {
        let open = table.open.get_mut(&self.key);
        if let Some(progress) = open.and_then(|open| open.progress.as_mut()) {
            progress.asking(is_asking, Instant::now());
        }
    }
}
