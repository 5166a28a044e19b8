//! The flag a call's work looks at between steps.
//!
//! Never stops a thread by force: it wakes whoever waits on it and runs what was registered to run,
//! such as closing a socket that somebody is blocked in. Start reading at [`Cancel`].

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One call's wish to end, shared by everything that works for the call. Clones are the same flag.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    raised: Condvar,
}

#[derive(Default)]
struct State {
    is_cancelled: bool,
    next_key: u64,
    on_cancel: Vec<(u64, Box<dyn FnOnce() + Send>)>,
}

impl Cancel {
    /// A flag that nobody has raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag and runs what was registered, on this thread, once. Raising it again does nothing.
    pub fn cancel(&self) {
        let run = {
            let mut state = self.state();
            state.is_cancelled = true;
            self.0.raised.notify_all();
            std::mem::take(&mut state.on_cancel)
        };
        for (_, action) in run {
            action();
        }
    }

    /// Whether the flag was raised.
    pub fn is_cancelled(&self) -> bool {
        self.state().is_cancelled
    }

    /// Runs `action` when the flag is raised, at once if it already is, and not if the returned
    /// registration was dropped by then. One that is dropped while the flag is being raised may see
    /// its action run a moment later all the same, so an action looks whether it is still wanted.
    #[must_use]
    pub fn on_cancel(&self, action: impl FnOnce() + Send + 'static) -> Registration {
        let mut state = self.state();
        if state.is_cancelled {
            drop(state);
            action();
            return Registration {
                cancel: None,
                key: 0,
            };
        }
        let key = state.next_key;
        state.next_key += 1;
        state.on_cancel.push((key, Box::new(action)));
        drop(state);
        Registration {
            cancel: Some(self.clone()),
            key,
        }
    }

    /// Waits until the flag is raised or `timeout` has passed, whichever is first; says whether it was raised.
    pub fn wait(&self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        let mut state = self.state();
        while !state.is_cancelled {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = match self.0.raised.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        state.is_cancelled
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing here can be left half changed, so a thread that died holding it has spoiled nothing.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An action that waits for a cancel; dropping this forgets the action, unless the cancel has begun.
pub struct Registration {
    cancel: Option<Cancel>,
    key: u64,
}

impl Drop for Registration {
    fn drop(&mut self) {
        if let Some(cancel) = &self.cancel {
            cancel.state().on_cancel.retain(|(key, _)| *key != self.key);
        }
    }
}

#[cfg(test)]
mod tests;
