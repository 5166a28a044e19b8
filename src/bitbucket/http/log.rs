//! What one call sent, for its audit line.
//!
//! Never holds a query, a header or a body.

use super::Method;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A list that clones share.
#[derive(Clone, Debug, Default)]
pub struct RequestLog(Arc<Mutex<Vec<Sent>>>);

/// One request that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// How it was asked.
    pub method: Method,
    /// The path below the base, without its query.
    pub path: String,
    /// The answer's status; `None` if none came, or none yet.
    pub status: Option<u16>,
}

impl RequestLog {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts down a request that is about to be sent, and gives its place for [`Self::answered`].
    pub(super) fn sending(&self, method: Method, path: &str) -> usize {
        let mut all = self.all();
        all.push(Sent {
            method,
            path: path.to_owned(),
            status: None,
        });
        all.len() - 1
    }

    /// Puts down the status that a request's answer had.
    pub(super) fn answered(&self, place: usize, status: Option<u16>) {
        if let Some(sent) = self.all().get_mut(place) {
            sent.status = status;
        }
    }

    /// What was sent so far, in the order in which it was, answered or not.
    pub fn sent(&self) -> Vec<Sent> {
        self.all().clone()
    }

    fn all(&self) -> MutexGuard<'_, Vec<Sent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
