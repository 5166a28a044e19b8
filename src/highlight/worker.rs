//! The threads that highlight, what waits for them, and what happens when a line holds one of them.
//!
//! Never waits while it holds the lock, and never stops a thread: a thread looks, between two lines, whether there
//! is still somebody to work for. Start reading at [`Pool::submit`] and `Inner::work`.
//!
//! At most two threads: one that works, and one more when a line holds the first for longer than
//! [`Limits::patience`]. A line that holds one for [`Limits::stuck_after`] makes it count as stuck, by the clock alone,
//! until that line ends. Of two that have nothing to do, one ends.

use super::MAX_LINE_BYTES;
use super::classes::Line;
use super::kept::Kept;
use super::languages::Language;
use crate::digest::Digest;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// One that works, and one that relieves it.
const MAX_WORKERS: usize = 2;

/// The most code that waits for a thread; beyond it, work that nobody waits for any more is dropped.
const MAX_WAITING_BYTES: usize = 8 * 1024 * 1024;

/// What turns lines into classes; the grammars, but for tests.
pub trait Lexer: Send + Sync {
    /// Begins a text in a language; none if there is no such grammar.
    fn start(&self, language: Language) -> Option<Box<dyn Lexing>>;
}

/// One text being read, line by line from its first.
pub trait Lexing: Send {
    /// The classes of the next line, given without its line end; none if the grammar gave up on the text.
    fn line(&mut self, text: &str) -> Option<Line>;
}

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// In one line, before a second thread takes what is left.
    pub patience: Duration,
    /// In one line, before the thread counts as stuck; with two of those nobody waits any more.
    pub stuck_after: Duration,
    /// After a task's deadline.
    pub afterwards: Duration,
}

/// The classes of one line, sent to who asked.
pub struct Piece {
    /// The number of the task in what was submitted, from 0.
    pub task: usize,
    /// The number of the line in its block, from 0.
    pub line: usize,
    /// Its classes.
    pub classes: Line,
}

/// One block of lines to be highlighted.
pub struct Task {
    /// Its number in what was submitted: of tasks that are due, the one with the lowest goes first, whoever asked.
    number: usize,
    language: Language,
    key: Digest,
    /// None for a line that is too long.
    lines: Vec<Option<String>>,
    until: Instant,
    answers: Sender<Piece>,
    /// What is done of it, and the grammar where it stopped.
    done: Vec<Line>,
    lexing: Option<Box<dyn Lexing>>,
}

impl Task {
    /// A block to be highlighted, each line sent when it is done.
    pub fn new(
        language: Language,
        key: Digest,
        lines: &[String],
        until: Instant,
        answers: Sender<Piece>,
    ) -> Self {
        let short = |line: &String| (line.len() <= MAX_LINE_BYTES).then(|| line.clone());
        Self {
            number: 0,
            language,
            key,
            lines: lines.iter().map(short).collect(),
            until,
            answers,
            done: Vec::new(),
            lexing: None,
        }
    }

    fn bytes(&self) -> usize {
        self.lines.iter().flatten().map(String::len).sum()
    }

    /// Sends the next line's classes; whoever asked may have gone.
    fn tell(&mut self, classes: Line) {
        let piece = Piece {
            task: self.number,
            line: self.done.len(),
            classes: classes.clone(),
        };
        let _ = self.answers.send(piece);
        self.done.push(classes);
    }
}

/// The threads and what they share. They end when it is dropped, each after the line in hand.
pub struct Pool(Arc<Inner>);

struct Inner {
    lexer: Box<dyn Lexer>,
    limits: Limits,
    state: Mutex<State>,
    /// Told when something waits, or when all is over.
    changed: Condvar,
}

struct State {
    waiting: VecDeque<Task>,
    workers: Vec<Worker>,
    next_worker: u64,
    kept: Kept,
    is_over: bool,
}

struct Worker {
    id: u64,
    /// Since when a line has it.
    in_line_since: Option<Instant>,
}

/// What a thread does after a line.
enum Next {
    GoOn,
    /// Somebody waits for something else, and nobody for this any more.
    PutBack,
    End,
}

impl Pool {
    /// A pool without threads.
    pub fn new(lexer: Box<dyn Lexer>, kept: Kept, limits: Limits) -> Self {
        Self(Arc::new(Inner {
            lexer,
            limits,
            state: Mutex::new(State {
                waiting: VecDeque::new(),
                workers: Vec::new(),
                next_worker: 0,
                kept,
                is_over: false,
            }),
            changed: Condvar::new(),
        }))
    }

    /// What is kept for a block, from its first line on.
    pub fn kept(&self, key: &Digest) -> Vec<Line> {
        self.0.state().kept.lines(key).to_vec()
    }

    /// Takes the blocks of one call, in its order. Says whether there is any use in waiting for them: none while two
    /// threads are stuck, and then they are dropped.
    pub fn submit(&self, tasks: Vec<Task>) -> bool {
        let now = Instant::now();
        {
            let mut state = self.0.state();
            if state.held(now, self.0.limits.stuck_after) >= MAX_WORKERS {
                return false;
            }
            for (number, task) in tasks.into_iter().enumerate() {
                state.waiting.push_back(Task { number, ..task });
            }
            state.forget_late(now);
        }
        self.0.changed.notify_one();
        self.relieve();
        true
    }

    /// Starts a thread if there is work, a line holds every thread for too long, and one more is allowed.
    pub fn relieve(&self) {
        let id = {
            let mut state = self.0.state();
            let is_full = state.workers.len() >= MAX_WORKERS;
            let held = state.held(Instant::now(), self.0.limits.patience);
            if is_full || state.workers.len() > held || state.waiting.is_empty() {
                return;
            }
            state.next_worker += 1;
            let id = state.next_worker;
            state.workers.push(Worker {
                id,
                in_line_since: None,
            });
            id
        };
        let inner = Arc::clone(&self.0);
        let started = thread::Builder::new()
            .name("bb-highlight".to_owned())
            .spawn(move || inner.work(id));
        if started.is_err() {
            // A system without room for a thread has plain code.
            self.0.state().forget_worker(id);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_over = true;
        state.waiting.clear();
        drop(state);
        self.0.changed.notify_all();
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        // Each change under the lock is whole, so a thread that died holding it has spoiled nothing.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread's whole life.
    fn work(&self, id: u64) {
        let _leave = Leave { inner: self, id };
        while let Some(task) = self.take(id) {
            self.highlight(id, task);
        }
    }

    /// Waits for a task; none when this thread is to end.
    fn take(&self, id: u64) -> Option<Task> {
        let mut state = self.state();
        loop {
            let found = state.next(Instant::now(), self.limits.afterwards);
            match found {
                Some(at) if !state.is_over => {
                    let mut task = state.waiting.remove(at)?;
                    state.take_over(&mut task);
                    // Loading grammars and beginning a text may hang as a line may.
                    state.enter_line(id, Some(Instant::now()));
                    return Some(task);
                }
                _ if state.is_over || state.another_rests(id) => {
                    // Under the lock that found it useless, so that nobody counts on it meanwhile.
                    state.forget_worker(id);
                    return None;
                }
                _ => {
                    state = self
                        .changed
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Works on a task until it is done, late, or given up on.
    fn highlight(&self, id: u64, mut task: Task) {
        // Somebody may have asked for the same a moment ago.
        let known = self.state().kept.lines(&task.key).to_vec();
        if known.len() == task.lines.len() {
            for classes in known.into_iter().skip(task.done.len()) {
                task.tell(classes);
            }
        }
        let mut lexing = task.lexing.take();
        if task.done.is_empty() && !task.lines.is_empty() {
            // A panic of a grammar costs its own block its colors.
            lexing = catch_unwind(AssertUnwindSafe(|| self.lexer.start(task.language)))
                .ok()
                .flatten();
        }
        while task.done.len() < task.lines.len() {
            let line = task.lines.get(task.done.len()).and_then(Option::as_ref);
            let mut classes = Line::PLAIN;
            // A line that is too long is stepped over: the grammar goes on as if it were not there.
            if let (Some(line), Some(reading)) = (line, &mut lexing) {
                match catch_unwind(AssertUnwindSafe(|| reading.line(line))) {
                    Ok(Some(made)) => classes = made,
                    // The rest is plain, for what the grammar would say of it means nothing.
                    Ok(None) | Err(_) => lexing = None,
                }
            }
            task.tell(classes);
            match self.after_line(id, &task) {
                Next::GoOn => {}
                Next::PutBack => {
                    task.lexing = lexing;
                    self.state().waiting.push_back(task);
                    return;
                }
                Next::End => break,
            }
        }
        let mut state = self.state();
        state.enter_line(id, None);
        state.kept.keep(task.key, task.done);
        // The receiver is let go only now: whoever asks again at once finds the block kept.
        drop(state);
        drop(task.answers);
    }

    fn after_line(&self, id: u64, task: &Task) -> Next {
        let now = Instant::now();
        let mut state = self.state();
        state.enter_line(id, Some(now));
        let is_late = now >= task.until;
        if state.is_over || now >= task.until + self.limits.afterwards {
            state.enter_line(id, None);
            Next::End
        } else if is_late && state.waiting.iter().any(|other| other.until > now) {
            state.enter_line(id, None);
            Next::PutBack
        } else {
            Next::GoOn
        }
    }
}

/// Strikes a thread off the list however it ends.
struct Leave<'a> {
    inner: &'a Inner,
    id: u64,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.inner.state().forget_worker(self.id);
    }
}

impl State {
    /// How many threads a line holds for so long.
    fn held(&self, now: Instant, long: Duration) -> usize {
        let is_held = |worker: &&Worker| {
            worker
                .in_line_since
                .is_some_and(|since| now.saturating_duration_since(since) >= long)
        };
        self.workers.iter().filter(is_held).count()
    }

    /// Where the next task is: of those that somebody waits for, the lowest number, the oldest of equals; then of
    /// those that are late. Lets go of what is too late.
    fn next(&mut self, now: Instant, afterwards: Duration) -> Option<usize> {
        let kept = &mut self.kept;
        self.waiting.retain_mut(|task| {
            let is_wanted = now < task.until + afterwards;
            if !is_wanted {
                kept.keep(task.key, std::mem::take(&mut task.done));
            }
            is_wanted
        });
        let order = |(_, task): &(usize, &Task)| (task.until <= now, task.number);
        self.waiting
            .iter()
            .enumerate()
            .min_by_key(order)
            .map(|(at, _)| at)
    }

    /// Gives a task that begins what was done of the same block for somebody who has gone.
    fn take_over(&mut self, task: &mut Task) {
        let is_begun = |other: &Task| other.key == task.key && !other.done.is_empty();
        if !task.done.is_empty() {
            return;
        }
        let found = self.waiting.iter().position(is_begun);
        if let Some(other) = found.and_then(|at| self.waiting.remove(at)) {
            task.lexing = other.lexing;
            for classes in other.done {
                task.tell(classes);
            }
        }
    }

    /// Drops work that nobody waits for, oldest first, while too much of it waits.
    fn forget_late(&mut self, now: Instant) {
        let mut bytes: usize = self.waiting.iter().map(Task::bytes).sum();
        self.waiting.retain(|task| {
            let is_kept = bytes <= MAX_WAITING_BYTES || task.until > now;
            if !is_kept {
                bytes -= task.bytes();
            }
            is_kept
        });
    }

    /// Whether another thread has nothing to do.
    fn another_rests(&self, id: u64) -> bool {
        let mut others = self.workers.iter().filter(|worker| worker.id != id);
        others.any(|worker| worker.in_line_since.is_none())
    }

    fn enter_line(&mut self, id: u64, since: Option<Instant>) {
        if let Some(worker) = self.workers.iter_mut().find(|worker| worker.id == id) {
            worker.in_line_since = since;
        }
    }

    fn forget_worker(&mut self, id: u64) {
        self.workers.retain(|worker| worker.id != id);
    }
}

#[cfg(test)]
mod tests;
