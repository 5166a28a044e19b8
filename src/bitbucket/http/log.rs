//! What one call sent, for its audit line.
//!
//! Never holds a query, a header or a body.

use super::Method;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long to wait where Bitbucket refuses for a rate and does not say.
const UNTOLD_WAIT: Duration = Duration::from_secs(30);

/// A list that clones share.
#[derive(Clone, Debug, Default)]
pub struct RequestLog(Arc<Mutex<Log>>);

#[derive(Debug, Default)]
struct Log {
    sent: Vec<Sent>,
    wait: Option<Duration>,
}

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
        let sent = &mut self.all().sent;
        sent.push(Sent {
            method,
            path: path.to_owned(),
            status: None,
        });
        sent.len() - 1
    }

    /// Puts down the status that a request's answer had.
    pub(super) fn answered(&self, place: usize, status: Option<u16>) {
        if let Some(sent) = self.all().sent.get_mut(place) {
            sent.status = status;
        }
    }

    /// What was sent so far, in the order in which it was, answered or not.
    pub fn sent(&self) -> Vec<Sent> {
        self.all().sent.clone()
    }

    /// Puts down that Bitbucket refused for a rate, and how long it said to wait.
    pub(super) fn refused(&self, retry_after: Option<Duration>) {
        let wait = retry_after.unwrap_or(UNTOLD_WAIT);
        let mut all = self.all();
        all.wait = all.wait.max(Some(wait));
    }

    /// The longest wait that a refusal told; `None` where no request was refused for a rate.
    pub fn wait(&self) -> Option<Duration> {
        self.all().wait
    }

    fn all(&self) -> MutexGuard<'_, Log> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
