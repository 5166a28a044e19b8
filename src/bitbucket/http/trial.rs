//! A password that Bitbucket refuses is sent once, not once for each request: every failure counts towards the
//! lock of the account.
//!
//! Never waits for a token, which locks nobody out. Start reading at [`Trial::enter`].

use crate::bitbucket::error::Why;
use crate::cancel::Cancel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A refusal is taken for Bitbucket's answer this long; then one request may try again.
const REFUSED_FOR: Duration = Duration::from_secs(5 * 60);
/// How often whoever waits for the first answer looks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// What is known of the password.
#[derive(Debug, Default)]
pub(super) struct Trial {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
enum State {
    /// Nobody has used it.
    #[default]
    Untried,
    /// Somebody is using it for the first time.
    Trying,
    /// Bitbucket took it.
    Taken,
    /// Bitbucket refused it, then and so.
    Refused(Instant, Why),
}

/// Whether a request may go.
pub(super) enum Entry {
    /// It may.
    Go,
    /// Bitbucket's answer is known: this.
    Known(Why),
    /// Nobody waits for it any more.
    Cancelled,
}

impl Trial {
    /// Waits while another request finds out whether the password is taken.
    pub(super) fn enter(&self, cancel: &Cancel) -> Entry {
        let mut state = self.state();
        loop {
            match &*state {
                State::Taken => return Entry::Go,
                State::Refused(when, why) if when.elapsed() < REFUSED_FOR => {
                    return Entry::Known(why.clone());
                }
                State::Untried | State::Refused(..) => {
                    *state = State::Trying;
                    return Entry::Go;
                }
                State::Trying if cancel.is_cancelled() => return Entry::Cancelled,
                State::Trying => {
                    state = match self.changed.wait_timeout(state, LOOK) {
                        Ok((state, _)) => state,
                        Err(poisoned) => poisoned.into_inner().0,
                    };
                }
            }
        }
    }

    /// Tells how a request ended: `None` for an answer of Bitbucket's own, else what stopped it.
    pub(super) fn leave(&self, stopped_by: Option<&Why>) {
        let mut state = self.state();
        match stopped_by {
            Some(why @ (Why::NotSignedIn { .. } | Why::Captcha)) => {
                *state = State::Refused(Instant::now(), why.clone());
            }
            // What was told of a thing was told to somebody.
            None | Some(Why::NotAllowed { .. } | Why::NotFound(_) | Why::Conflict(_)) => {
                *state = State::Taken;
            }
            // Nothing was learnt: the next one tries.
            Some(_) if matches!(*state, State::Trying) => *state = State::Untried,
            Some(_) => {}
        }
        drop(state);
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
