//! Calls in flight, and bb's own open questions to the client: who runs, who waits, who may be cancelled.
//!
//! Never knows what a call does. One lock holds the table; nothing waits for the client while holding it.
//! Whoever takes a call out of the table, its own thread or a cancel, decides alone whether it is answered,
//! so nothing follows a cancel and no progress follows an answer. Start reading at [`Calls`].

use crate::cancel::Cancel;
use crate::mcp::caller::Caller;
use crate::mcp::error::{INTERNAL_ERROR, RpcError};
use crate::mcp::lines::Writer;
use crate::mcp::message::{Id, Response};
use crate::mcp::wire::answer;
use batch::Sink;
use progress::Progress;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

pub(crate) mod batch;
mod progress;
mod questions;

pub use questions::AskError;

/// Calls that run at once; a call that waits for a person is not counted.
const MAX_RUNNING: usize = 32;
/// Bytes of calls that wait for a place, as they came: read, a hostile one takes ten times that. More than any
/// client queues, less than what hurts.
const MAX_WAITING_BYTES: usize = 16 * 1024 * 1024;
/// What is in flight at the end of input has this long to answer.
const DRAIN: Duration = Duration::from_secs(5);
/// What was cancelled then has this long to notice; what has not is left behind by exit.
const LAST: Duration = Duration::from_secs(1);

/// The table of everything that has no answer yet.
pub struct Calls {
    table: Mutex<Table>,
    changed: Condvar,
    writer: Writer,
}

#[derive(Default)]
struct Table {
    next_key: u64,
    open: BTreeMap<u64, Open>,
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    /// Places taken.
    running: usize,
    /// Threads alive, those that wait for a person among them.
    threads: usize,
    questions: BTreeMap<String, Option<Result<Value, Value>>>,
    next_question: u64,
    /// The input has ended.
    is_ending: bool,
    /// Nothing will be sent any more.
    is_over: bool,
}

/// A call without an answer.
struct Open {
    id: Id,
    cancel: Cancel,
    sink: Sink,
    progress: Option<Progress>,
    /// What is answered at the end of input, for a subscription: it has no thread.
    at_end: Option<Vec<u8>>,
}

type Work = Box<dyn FnOnce(&Handle) -> Vec<u8> + Send>;

struct Waiting {
    key: u64,
    caller: Caller,
    bytes: usize,
    work: Work,
}

/// A call that is to be started.
pub(crate) struct Start {
    pub(crate) id: Id,
    pub(crate) caller: Caller,
    /// How the client wants to hear of progress.
    pub(crate) token: Option<Value>,
    /// The length of the line that asked, for the bound on what waits.
    pub(crate) bytes: usize,
    pub(crate) sink: Sink,
}

impl Calls {
    /// A table without calls, and the thread `bb-progress`, which ends with [`Calls::drain`].
    ///
    /// # Errors
    /// No thread can be had.
    pub(crate) fn new(writer: Writer) -> io::Result<Arc<Self>> {
        let calls = Arc::new(Self {
            table: Mutex::default(),
            changed: Condvar::new(),
            writer,
        });
        progress::start(&calls)?;
        Ok(calls)
    }

    /// Runs `work` on a thread of its own once a place is free, and sends the line it makes unless the call
    /// was cancelled. Says `false`, and keeps nothing, if too much waits already.
    pub(crate) fn start(
        self: &Arc<Self>,
        start: Start,
        work: impl FnOnce(&Handle) -> Vec<u8> + Send + 'static,
    ) -> bool {
        let mut table = self.table();
        if table.waiting_bytes + start.bytes > MAX_WAITING_BYTES {
            return false;
        }
        let key = table.next_key;
        table.next_key += 1;
        let progress = start
            .token
            .map(|token| Progress::new(token, start.caller.version, Instant::now()));
        table.open.insert(
            key,
            Open {
                id: start.id,
                cancel: Cancel::new(),
                sink: start.sink,
                progress,
                at_end: None,
            },
        );
        table.waiting_bytes += start.bytes;
        table.waiting.push_back(Waiting {
            key,
            caller: start.caller,
            bytes: start.bytes,
            work: Box::new(work),
        });
        let refused = self.launch(&mut table);
        drop(table);
        self.changed.notify_all();
        self.refuse(refused);
        true
    }

    /// Keeps a subscription open until it is cancelled or the input ends; then `at_end` is sent.
    pub(crate) fn listen(&self, id: Id, at_end: Vec<u8>) {
        let mut table = self.table();
        let key = table.next_key;
        table.next_key += 1;
        table.open.insert(
            key,
            Open {
                id,
                cancel: Cancel::new(),
                sink: Sink::Pipe,
                progress: None,
                at_end: Some(at_end),
            },
        );
    }

    /// Ends every call with this id: its work is told, its answer will not be sent. Unknown ids are ignored.
    pub(crate) fn cancel(&self, id: &Id) {
        let keys: Vec<u64> = {
            let table = self.table();
            table
                .open
                .iter()
                .filter(|(_, open)| open.id.is(id))
                .map(|(key, _)| *key)
                .collect()
        };
        for key in keys {
            self.cancel_key(key);
        }
    }

    /// Gives the client's answer to the call that asked. An answer to nothing is ignored.
    pub(crate) fn answered(&self, response: Response) {
        if let Id::Text(id) = &response.id {
            if let Some(question) = self.table().questions.get_mut(id) {
                question.get_or_insert(response.result);
                self.changed.notify_all();
            }
        }
    }

    /// The end of input: lets what is in flight answer for a while, then cancels it.
    pub(crate) fn drain(&self) {
        let listens: Vec<(Sink, Vec<u8>)> = {
            let mut table = self.table();
            table.is_ending = true;
            self.changed.notify_all();
            let (ended, open) = std::mem::take(&mut table.open)
                .into_iter()
                .partition(|(_, open)| open.at_end.is_some());
            table.open = open;
            let ended: BTreeMap<u64, Open> = ended;
            ended
                .into_values()
                .filter_map(|open| open.at_end.map(|line| (open.sink, line)))
                .collect()
        };
        for (sink, line) in listens {
            sink.deliver(&self.writer, Some(line));
        }
        self.wait_until(DRAIN, |table| table.open.is_empty());
        let left: Vec<u64> = self.table().open.keys().copied().collect();
        for key in left {
            self.cancel_key(key);
        }
        self.wait_until(LAST, |table| table.threads == 0);
        self.table().is_over = true;
        self.changed.notify_all();
    }

    fn cancel_key(&self, key: u64) {
        let open = {
            let mut table = self.table();
            if let Some(at) = table.waiting.iter().position(|waiting| waiting.key == key) {
                if let Some(waiting) = table.waiting.remove(at) {
                    table.waiting_bytes -= waiting.bytes;
                }
            }
            table.open.remove(&key)
        };
        if let Some(open) = open {
            open.cancel.cancel();
            open.sink.deliver(&self.writer, None);
            // Under the lock, so that nobody who has just looked at the flag sleeps through this.
            let _table = self.table();
            self.changed.notify_all();
        }
    }

    /// Starts what waits while there are places. Gives back whom the machine had no thread for, to be told so once
    /// the table is free: telling may have to wait for the client.
    #[must_use]
    fn launch(self: &Arc<Self>, table: &mut Table) -> Vec<Open> {
        let mut refused = Vec::new();
        while table.running < MAX_RUNNING {
            let Some(waiting) = table.waiting.pop_front() else {
                return refused;
            };
            table.waiting_bytes -= waiting.bytes;
            let Some(open) = table.open.get(&waiting.key) else {
                continue;
            };
            let handle = Handle {
                calls: Arc::clone(self),
                key: waiting.key,
                caller: waiting.caller,
                cancel: open.cancel.clone(),
            };
            table.running += 1;
            table.threads += 1;
            let work = waiting.work;
            let thread = Builder::new().name(format!("bb-call-{}", waiting.key));
            if thread.spawn(move || handle.run(work)).is_err() {
                table.running -= 1;
                table.threads -= 1;
                refused.extend(table.open.remove(&waiting.key));
            }
        }
        refused
    }

    fn refuse(&self, refused: Vec<Open>) {
        for open in refused {
            let why = "this machine has no thread to give; try again when less is running";
            let line = answer(Some(&open.id), Err(RpcError::new(INTERNAL_ERROR, why)));
            open.sink.deliver(&self.writer, Some(line));
        }
    }

    fn wait_until(&self, at_most: Duration, is_reached: impl Fn(&Table) -> bool) {
        let deadline = Instant::now() + at_most;
        let mut table = self.table();
        while !is_reached(&table) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            table = self.pause(table, left);
        }
    }

    fn pause<'a>(&self, table: MutexGuard<'a, Table>, at_most: Duration) -> MutexGuard<'a, Table> {
        match self.changed.wait_timeout(table, at_most) {
            Ok((table, _)) => table,
            Err(poisoned) => poisoned.into_inner().0,
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        // Every change to the table is whole before the next call out of this module.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the work of one call holds: its caller, its cancel flag, and the ways to speak to the client.
pub struct Handle {
    calls: Arc<Calls>,
    key: u64,
    /// Who called.
    pub caller: Caller,
    /// Raised when the client has cancelled the call, or bb ends.
    pub cancel: Cancel,
}

impl Handle {
    /// Says what is being done now, such as `reading builds`, for the next report of progress.
    pub fn step(&self, what: &str) {
        if let Some(open) = self.calls.table().open.get_mut(&self.key) {
            if let Some(progress) = &mut open.progress {
                progress.step(what);
            }
        }
    }

    fn run(self, work: Work) {
        let line = work(&self);
        let open = self.calls.table().open.remove(&self.key);
        if let Some(open) = open {
            open.sink.deliver(&self.calls.writer, Some(line));
        }
        let mut table = self.calls.table();
        table.running -= 1;
        table.threads -= 1;
        let refused = self.calls.launch(&mut table);
        drop(table);
        self.calls.changed.notify_all();
        self.calls.refuse(refused);
    }

    /// Sends a line of bb's own while the call is open.
    fn send(&self, message: &Value) {
        self.calls.writer.send(message.to_string().into_bytes());
    }
}

/// A notification of bb's own.
fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}
