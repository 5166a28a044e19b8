//! Where an answer goes: straight to the pipe, or into the array that answers a batch.
//!
//! Never drops an answer: what does not fit into the array leaves on a line of its own.

use crate::mcp::lines::{MAX_LINE_BYTES, Writer};
use std::sync::{Arc, Mutex, PoisonError};

/// Where one answer goes.
#[derive(Clone)]
pub(crate) enum Sink {
    /// A line of its own.
    Pipe,
    /// A member of the array that answers a batch (MCP 2025-03-26).
    Batch(Arc<Batch>),
}

impl Sink {
    /// Sends `answer`, or settles that there is none.
    pub(crate) fn deliver(self, writer: &Writer, answer: Option<Vec<u8>>) {
        match (self, answer) {
            (Self::Pipe, Some(line)) => writer.send(line),
            (Self::Pipe, None) => {}
            (Self::Batch(batch), answer) => batch.settle(writer, answer),
        }
    }
}

/// The answers of one batch, until the last is settled.
pub(crate) struct Batch(Mutex<Gathered>);

struct Gathered {
    unsettled: usize,
    array: Vec<u8>,
}

impl Batch {
    /// A batch of so many messages, each of which is settled once.
    pub(crate) fn new(messages: usize) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Gathered {
            unsettled: messages,
            array: Vec::new(),
        })))
    }

    fn settle(&self, writer: &Writer, answer: Option<Vec<u8>>) {
        let mut alone = None;
        let done = {
            let mut gathered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            gathered.unsettled = gathered.unsettled.saturating_sub(1);
            match answer {
                Some(line) if gathered.array.len() + line.len() + 2 > MAX_LINE_BYTES => {
                    alone = Some(line);
                }
                Some(line) => {
                    let before = if gathered.array.is_empty() {
                        b'['
                    } else {
                        b','
                    };
                    gathered.array.push(before);
                    gathered.array.extend_from_slice(&line);
                }
                None => {}
            }
            (gathered.unsettled == 0 && !gathered.array.is_empty())
                .then(|| std::mem::take(&mut gathered.array))
        };
        if let Some(line) = alone {
            writer.send(line);
        }
        if let Some(mut array) = done {
            array.push(b']');
            writer.send(array);
        }
    }
}
