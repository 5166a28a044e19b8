//! A password that Bitbucket refuses is sent once, not once for each request: every failure counts towards the
//! lock of the account.
//!
//! Never waits for a token, which locks nobody out, and never takes what a gateway says of an internal address for
//! Bitbucket's word on the password. Start reading at [`Trial::enter`].

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
    line: Mutex<Line>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Line {
    state: State,
    /// How many tries are over.
    tries: u64,
    /// Which try was kept from Bitbucket last, and by what: it would keep whoever waited for it from there too.
    stopped: Option<(u64, Why)>,
    /// How many wait for a try to end.
    waiting: usize,
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
    /// It was refused, then and so, at an address of this kind.
    Refused(Instant, Why, Kind),
}

/// What kind of address is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Below `/rest/api`: what is said there is Bitbucket's word.
    Public,
    /// Anything else: a gateway may refuse whoever asks there, and let public addresses through.
    Internal,
}

/// Whether a request may go.
pub(super) enum Entry<'a> {
    /// It may.
    Go(Turn<'a>),
    /// What would become of it is known: this.
    Known(Why),
    /// Nobody waits for it any more.
    Cancelled,
}

/// A request on its way. One that ends without a word of how, as in a panic, lets the next one try.
pub(super) struct Turn<'a> {
    trial: &'a Trial,
    kind: Kind,
    is_first: bool,
}

impl Trial {
    /// Waits while another request finds out whether the password is taken.
    pub(super) fn enter(&self, kind: Kind, cancel: &Cancel) -> Entry<'_> {
        let mut line = self.line();
        let seen = line.tries;
        loop {
            let turn = |is_first| {
                Entry::Go(Turn {
                    trial: self,
                    kind,
                    is_first,
                })
            };
            let stopped = line.stopped.as_ref().filter(|(of, _)| *of > seen);
            match (&line.state, stopped) {
                (State::Taken, _) => return turn(false),
                (State::Refused(when, why, of), _)
                    if when.elapsed() < REFUSED_FOR && (*of == Kind::Public || *of == kind) =>
                {
                    return Entry::Known(why.clone());
                }
                (_, Some((_, why))) => return Entry::Known(why.clone()),
                (State::Untried | State::Refused(..), None) => {
                    line.state = State::Trying;
                    return turn(true);
                }
                (State::Trying, None) if cancel.is_cancelled() => return Entry::Cancelled,
                (State::Trying, None) => line = self.wait(line),
            }
        }
    }

    fn wait<'a>(&self, mut line: MutexGuard<'a, Line>) -> MutexGuard<'a, Line> {
        line.waiting += 1;
        let mut line = match self.changed.wait_timeout(line, LOOK) {
            Ok((line, _)) => line,
            Err(poisoned) => poisoned.into_inner().0,
        };
        line.waiting -= 1;
        line
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// Tells how the request ended: `None` for an answer of Bitbucket's own, else what stopped it.
    pub(super) fn over(self, stopped_by: Option<&Why>) {
        let mut line = self.trial.line();
        match stopped_by {
            // A header of Bitbucket's own, which is its word wherever it stands.
            Some(why @ Why::Captcha) => {
                line.state = State::Refused(Instant::now(), why.clone(), Kind::Public);
            }
            Some(why @ Why::NotSignedIn { .. }) => {
                // Once the password was taken, or refused where it counts, a gateway says nothing new.
                if self.kind == Kind::Public || matches!(line.state, State::Trying) {
                    line.state = State::Refused(Instant::now(), why.clone(), self.kind);
                }
            }
            // What was told of a thing was told to somebody.
            None | Some(Why::NotAllowed { .. } | Why::NotFound(_) | Why::Conflict(_)) => {
                line.state = State::Taken;
            }
            // Nothing was learnt of the password.
            Some(why) if self.is_first => {
                if is_everybodys(why) {
                    line.stopped = Some((line.tries + 1, why.clone()));
                }
            }
            Some(_) => {}
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_first {
            return;
        }
        let mut line = self.trial.line();
        line.tries += 1;
        if matches!(line.state, State::Trying) {
            line.state = State::Untried;
        }
        drop(line);
        self.trial.changed.notify_all();
    }
}

/// Whether what stopped one request stops the others that wait for it: asked in turn, each would wait as long.
fn is_everybodys(why: &Why) -> bool {
    matches!(
        why,
        Why::TimedOut(_) | Why::Unreachable { .. } | Why::Tls { .. } | Why::Proxy { .. }
    )
}

#[cfg(test)]
mod tests;
