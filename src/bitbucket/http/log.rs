//! What one call sent, for its audit line.
//!
//! Never holds a query, a header or a body.

use super::Method;
use std::sync::{Arc, Mutex, PoisonError};

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
    /// The answer's status; `None` if none came.
    pub status: Option<u16>,
}

impl RequestLog {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn add(&self, method: Method, path: &str, status: Option<u16>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Sent {
                method,
                path: path.to_owned(),
                status,
            });
    }

    /// What was sent so far, in the order in which it ended.
    pub fn sent(&self) -> Vec<Sent> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
