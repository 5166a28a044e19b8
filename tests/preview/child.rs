//! bb as a child over stdio, and the client's half of its protocol.
//!
//! Never reads what an answer says. Start at [`Child::start`]; a child that ended is told by every later question.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use standin::StandIn;

use crate::SERVE;

/// Longer than anything bb takes by itself; a question that waits so long is told as such.
const PATIENCE: Duration = Duration::from_secs(60);

/// One answer.
pub struct Answered {
    /// `{"result": ...}` or `{"error": ...}`, without its envelope.
    pub answer: Value,
    /// How long it took, whole.
    pub took: Duration,
    /// The bytes of the answer's line.
    pub bytes: usize,
}

/// A running bb. Dropping it ends its input, and with that bb.
pub struct Child {
    input: Mutex<ChildStdin>,
    state: Arc<Mutex<State>>,
    next: AtomicU64,
}

#[derive(Default)]
struct State {
    waiting: HashMap<u64, Sender<(Value, usize)>>,
    /// How it ended, once it has.
    ended: Option<String>,
}

/// The command that is bb on this stand-in: nothing of this shell's variables reaches it, so that a proxy or a
/// configuration file of the person's own changes nothing.
pub fn command(standin: &StandIn, flags: &[OsString]) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args([SERVE, "ai", "mcp", "serve"])
        .args(flags)
        .env_clear()
        .env("BITBUCKET_URL", standin.url())
        .env("BITBUCKET_TOKEN", standin.token())
        .stdin(Stdio::piped());
    Ok(command)
}

impl Child {
    /// Starts it; `ended` is called once, with how it ended.
    ///
    /// # Errors
    /// When the process cannot be started.
    pub fn start(
        standin: &StandIn,
        flags: &[OsString],
        ended: impl FnOnce(&str) + Send + 'static,
    ) -> io::Result<Self> {
        let mut process = command(standin, flags)?.stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::Error::other("bb has no pipes"));
        };
        let state: Arc<Mutex<State>> = Arc::default();
        let heard = Arc::clone(&state);
        std::thread::Builder::new()
            .name("preview-bb".to_owned())
            .spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    hear(&heard, &line);
                }
                let how = process
                    .wait()
                    .map_or_else(|error| error.to_string(), |status| status.to_string());
                let mut state = lock(&heard);
                state.ended = Some(how.clone());
                // Dropping what waits tells it.
                state.waiting.clear();
                drop(state);
                ended(&how);
            })?;
        Ok(Self {
            input: Mutex::new(input),
            state,
            next: AtomicU64::new(1),
        })
    }

    /// Asks one question and waits for its answer.
    ///
    /// # Errors
    /// When bb has ended, or does not answer for a minute.
    pub fn ask(&self, method: &str, params: &Value) -> Result<Answered, String> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (send, receive) = channel();
        let began = Instant::now();
        {
            let mut state = lock(&self.state);
            if let Some(how) = &state.ended {
                return Err(format!("bb has ended ({how})"));
            }
            state.waiting.insert(id, send);
        }
        // A child that takes no more has ended or is about to: how, is known once its output is at its end.
        let written =
            self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let (answer, bytes) = receive.recv_timeout(PATIENCE).map_err(|_| {
            let mut state = lock(&self.state);
            state.waiting.remove(&id);
            match &state.ended {
                Some(how) => format!("bb ended while it was asked {method} ({how})"),
                None => written.err().unwrap_or_else(|| {
                    format!("bb did not answer {method} for {} s", PATIENCE.as_secs())
                }),
            }
        })?;
        Ok(Answered {
            answer,
            took: began.elapsed(),
            bytes,
        })
    }

    /// Says something that is not answered.
    ///
    /// # Errors
    /// When bb no longer reads.
    pub fn tell(&self, method: &str) -> Result<(), String> {
        self.write(&json!({"jsonrpc": "2.0", "method": method}))
    }

    fn write(&self, message: &Value) -> Result<(), String> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        input
            .write_all(format!("{message}\n").as_bytes())
            .and_then(|()| input.flush())
            .map_err(|error| format!("bb reads no more: {error}"))
    }
}

fn hear(state: &Mutex<State>, line: &str) {
    let Ok(Value::Object(mut message)) = serde_json::from_str(line) else {
        eprintln!("preview: bb wrote a line that is no message: {line}");
        return;
    };
    // What has no id is a notification: the host page shows none of those.
    let Some(id) = message.get("id").and_then(Value::as_u64) else {
        return;
    };
    if message.contains_key("method") {
        return;
    }
    message.remove("jsonrpc");
    message.remove("id");
    if let Some(waits) = lock(state).waiting.remove(&id) {
        // Whoever asked may have given up.
        let _ = waits.send((Value::Object(message), line.len() + 1));
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
