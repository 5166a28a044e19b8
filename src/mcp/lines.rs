//! The pipe: a reader of bounded lines, and the one thread that writes.
//!
//! Never knows what a line says. Start reading at [`Lines`] and [`Writer`].

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

/// A line from the client may be this long, its end not counted; so may a line to it. No message that bb
/// knows comes near it, and one client gives up at 10 MiB.
pub const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;

/// Bytes of lines that may wait for the client to read. Beyond that a client that reads nothing holds up the calls,
/// and the reader of its own lines, instead of filling memory.
const MAX_WAITING_BYTES: usize = 64 * 1024 * 1024;

/// With so much unread, a client is told no more of progress.
const MAX_BEHIND_BYTES: usize = 1024 * 1024;

/// What the reader keeps between lines, so that one long line does not hold memory for good.
const KEPT_BYTES: usize = 64 * 1024;

/// What the reader came to.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A line, without its end and without blanks around it. Never empty.
    Text(&'a [u8]),
    /// A line over [`MAX_LINE_BYTES`], which was skipped to its end.
    TooLong,
}

/// Reads lines, holding at most one in memory.
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
    is_first: bool,
}

impl<R: BufRead> Lines<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            is_first: true,
        }
    }

    /// The next line that is not blank, `None` at the end of input. A last line needs no end.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn read(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            let Some(fits) = self.fill()? else {
                return Ok(None);
            };
            if !fits {
                return Ok(Some(Line::TooLong));
            }
            if std::mem::take(&mut self.is_first) && self.line.starts_with(b"\xEF\xBB\xBF") {
                // Some Windows shells open a pipe with a byte order mark.
                self.line.drain(..3);
            }
            if !self.line.trim_ascii().is_empty() {
                break;
            }
        }
        Ok(Some(Line::Text(self.line.trim_ascii())))
    }

    /// Reads up to the next line feed; says whether the line fits, `None` at the end of input.
    fn fill(&mut self) -> io::Result<Option<bool>> {
        self.line.clear();
        self.line.shrink_to(KEPT_BYTES);
        let mut fits = true;
        let mut has_begun = false;
        loop {
            let bytes = match self.input.fill_buf() {
                Ok(bytes) => bytes,
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
                Err(fault) => return Err(fault),
            };
            if bytes.is_empty() {
                return Ok(has_begun.then_some(fits));
            }
            has_begun = true;
            let (part, taken, ends) = match bytes.iter().position(|byte| *byte == b'\n') {
                Some(at) => (&bytes[..at], at + 1, true),
                None => (bytes, bytes.len(), false),
            };
            // One byte more than the bound: a carriage return before the line feed.
            fits = fits && self.line.len() + part.len() <= MAX_LINE_BYTES + 1;
            if fits {
                self.line.extend_from_slice(part);
            } else {
                self.line = Vec::new();
            }
            self.input.consume(taken);
            if ends {
                let has_return = self.line.last() == Some(&b'\r');
                return Ok(Some(
                    fits && self.line.len() - usize::from(has_return) <= MAX_LINE_BYTES,
                ));
            }
        }
    }
}

/// Hands lines to the thread that writes them. Clones write to the same pipe; lines never mix.
#[derive(Clone)]
pub struct Writer(Arc<Queue>);

struct Queue {
    state: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Nothing more will be sent.
    is_over: bool,
    /// Nobody reads any more.
    is_closed: bool,
}

impl Writer {
    /// Starts the thread `bb-writer`, the only code that touches `output`. It ends after [`Self::end`], or calls
    /// `on_closed` with what stopped it and ends when nothing can be written any more.
    ///
    /// # Errors
    /// No thread can be had.
    pub fn start(
        output: impl Write + Send + 'static,
        on_closed: impl FnOnce(io::Error) + Send + 'static,
    ) -> io::Result<(Self, JoinHandle<()>)> {
        let queue = Arc::new(Queue {
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let lines = Arc::clone(&queue);
        let thread = Builder::new()
            .name("bb-writer".to_owned())
            .spawn(move || lines.write_all(output, on_closed))?;
        Ok((Self(queue), thread))
    }

    /// Writes a line, waiting while too much waits already. The end of line is added here.
    pub fn send(&self, line: Vec<u8>) {
        let mut waiting = self.0.waiting();
        while waiting.bytes > MAX_WAITING_BYTES && !waiting.is_closed {
            waiting = self.0.pause(waiting);
        }
        self.0.put(waiting, line);
    }

    /// Writes a line unless the client is far behind with reading; says whether it did.
    pub fn try_send(&self, line: Vec<u8>) -> bool {
        let waiting = self.0.waiting();
        if waiting.bytes > MAX_BEHIND_BYTES || waiting.is_closed {
            return false;
        }
        self.0.put(waiting, line);
        true
    }

    /// Lets the thread end once everything is written.
    pub fn end(&self) {
        self.0.waiting().is_over = true;
        self.0.changed.notify_all();
    }
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // Every change to it is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pause<'a>(&self, waiting: MutexGuard<'a, Waiting>) -> MutexGuard<'a, Waiting> {
        self.changed
            .wait(waiting)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, mut waiting: MutexGuard<'_, Waiting>, line: Vec<u8>) {
        // Nobody misses a line that nobody would read.
        if !waiting.is_closed {
            waiting.bytes += line.len();
            waiting.lines.push_back(line);
            self.changed.notify_all();
        }
    }

    /// The next line, `None` when there will be none.
    fn next(&self) -> Option<Vec<u8>> {
        let mut waiting = self.waiting();
        loop {
            if let Some(line) = waiting.lines.pop_front() {
                waiting.bytes -= line.len();
                self.changed.notify_all();
                return Some(line);
            }
            if waiting.is_over {
                return None;
            }
            waiting = self.pause(waiting);
        }
    }

    fn write_all(&self, mut output: impl Write, on_closed: impl FnOnce(io::Error)) {
        while let Some(mut line) = self.next() {
            line.push(b'\n');
            let written = output.write_all(&line).and_then(|()| output.flush());
            if let Err(error) = written {
                let mut waiting = self.waiting();
                waiting.is_closed = true;
                waiting.lines.clear();
                drop(waiting);
                self.changed.notify_all();
                on_closed(error);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
