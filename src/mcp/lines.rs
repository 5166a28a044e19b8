//! The pipe: a reader of bounded lines, and the one thread that writes.
//!
//! Never knows what a line says. Start reading at [`Lines`] and [`Writer`].

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{Builder, JoinHandle};

/// A line from the client may be this long, its end not counted; so may a line to it. No message that bb
/// knows comes near it, and one client gives up at 10 MiB.
pub const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;

/// Lines that may wait for the client to read. A client that reads nothing holds up the calls, not memory.
const MAX_WAITING_LINES: usize = 16;

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
pub struct Writer(SyncSender<Vec<u8>>);

impl Writer {
    /// Starts the thread `bb-writer`, the only code that touches `output`. It ends when the last `Writer`
    /// is dropped, or calls `on_closed` and ends when nobody reads any more.
    ///
    /// # Errors
    /// No thread can be had.
    pub fn start(
        output: impl Write + Send + 'static,
        on_closed: impl FnOnce() + Send + 'static,
    ) -> io::Result<(Self, JoinHandle<()>)> {
        let (sender, lines) = sync_channel(MAX_WAITING_LINES);
        let thread = Builder::new()
            .name("bb-writer".to_owned())
            .spawn(move || write_all(output, &lines, on_closed))?;
        Ok((Self(sender), thread))
    }

    /// Writes a line, waiting while the client reads none. The end of line is added here.
    pub fn send(&self, line: Vec<u8>) {
        // The thread is gone only when nobody reads, and then nobody misses the line.
        let _ = self.0.send(line);
    }

    /// Writes a line unless that would wait; says whether it did.
    pub fn try_send(&self, line: Vec<u8>) -> bool {
        match self.0.try_send(line) {
            Ok(()) => true,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
        }
    }
}

fn write_all(mut output: impl Write, lines: &Receiver<Vec<u8>>, on_closed: impl FnOnce()) {
    for mut line in lines {
        line.push(b'\n');
        if output
            .write_all(&line)
            .and_then(|()| output.flush())
            .is_err()
        {
            on_closed();
            return;
        }
    }
}

#[cfg(test)]
mod tests;
