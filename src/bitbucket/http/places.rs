//! Places for requests in flight.
//!
//! Never holds a place for whoever waits: for a retry, or for a person. Start reading at
//! [`Places::take`].

use crate::cancel::Cancel;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A number of places, some of them taken.
pub(super) struct Places(Arc<Inner>);

struct Inner {
    free: Mutex<usize>,
    changed: Condvar,
}

/// A place that is taken until this is dropped.
pub(super) struct Place(Arc<Inner>);

impl Places {
    pub(super) fn new(free: usize) -> Self {
        Self(Arc::new(Inner {
            free: Mutex::new(free),
            changed: Condvar::new(),
        }))
    }

    /// Waits for a place; `None` as soon as the call is cancelled.
    pub(super) fn take(&self, cancel: &Cancel) -> Option<Place> {
        let inner = Arc::clone(&self.0);
        let _wake = cancel.on_cancel(move || {
            // Under the lock, or the wake-up could fall between a waiter's look at the flag and its
            // wait.
            let _free = inner.free.lock().unwrap_or_else(PoisonError::into_inner);
            inner.changed.notify_all();
        });
        let mut free = self.0.free.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if cancel.is_cancelled() {
                return None;
            }
            if *free > 0 {
                *free -= 1;
                return Some(Place(Arc::clone(&self.0)));
            }
            free = self
                .0
                .changed
                .wait(free)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        // Everybody, for one that was cancelled meanwhile takes no place and would pass on no
        // wake-up.
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests;
