//! Who holds which connection: what lets a cancelled call leave its socket without taking anybody
//! else's along.
//!
//! A [`Hold`] is one request in hand, on the thread that makes it. A [`Line`] is one connection, in
//! use or idle. A line is taken by the hold of whoever sends on it and is nobody's from the moment
//! ureq looks whether it is still open, which is what ureq does before it puts a connection back
//! and before it hands one out. Never is a line shut down for a hold that does not have it at that
//! moment. Start reading at [`Hold::take`].

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use ureq::unversioned::transport::ShutdownHandle;

thread_local! {
    static IN_HAND: RefCell<Option<Arc<Hold>>> = const { RefCell::new(None) };
}

/// One request in hand.
pub(super) struct Hold {
    id: u64,
    state: Mutex<HoldState>,
    is_sent: AtomicBool,
    client_wanted: AtomicBool,
    tls_with: Mutex<Option<String>>,
}

#[derive(Default)]
struct HoldState {
    is_ended: bool,
    lines: Vec<Weak<Line>>,
}

/// One connection.
#[derive(Default)]
pub(super) struct Line(Mutex<LineState>);

#[derive(Default)]
struct LineState {
    /// The hold that has it; 0 is nobody's.
    holder: u64,
    /// A connection has one socket; ureq would tell of more if it made more.
    sockets: Vec<Weak<dyn ShutdownHandle>>,
}

/// Keeps a hold in hand on this thread; dropping it puts back what was there before.
pub(super) struct InHand(Option<Arc<Hold>>);

impl Hold {
    pub(super) fn new() -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Arc::new(Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            state: Mutex::default(),
            is_sent: AtomicBool::new(false),
            client_wanted: AtomicBool::new(false),
            tls_with: Mutex::default(),
        })
    }

    /// Makes this the hold that sends on this thread count for.
    pub(super) fn take_in_hand(self: &Arc<Self>) -> InHand {
        InHand(IN_HAND.replace(Some(Arc::clone(self))))
    }

    /// The hold in hand on this thread.
    pub(super) fn in_hand() -> Option<Arc<Self>> {
        IN_HAND.with_borrow(Clone::clone)
    }

    /// Takes `line`; false if the call was cancelled, and then the line is shut down.
    pub(super) fn take(&self, line: &Arc<Line>) -> bool {
        let mut state = locked(&self.state);
        let mut held = locked(&line.0);
        held.holder = self.id;
        if state.is_ended {
            held.shut_down();
            return false;
        }
        if !state
            .lines
            .iter()
            .any(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(line)))
        {
            state.lines.push(Arc::downgrade(line));
        }
        true
    }

    /// Shuts down every line that this hold has now; from here on it gets none.
    pub(super) fn end(&self) {
        let lines = {
            let mut state = locked(&self.state);
            state.is_ended = true;
            std::mem::take(&mut state.lines)
        };
        for line in lines.iter().filter_map(Weak::upgrade) {
            let held = locked(&line.0);
            if held.holder == self.id {
                held.shut_down();
            }
        }
    }

    /// Notes that bytes of the request itself go out.
    pub(super) fn note_sent(&self) {
        self.is_sent.store(true, Ordering::Relaxed);
    }

    /// Whether bytes of the request itself went out.
    pub(super) fn is_sent(&self) -> bool {
        self.is_sent.load(Ordering::Relaxed)
    }

    /// Notes with whom a handshake is under way, as `host:port`.
    pub(super) fn note_tls_with(&self, whom: String) {
        *locked(&self.tls_with) = Some(whom);
    }

    /// With whom the latest handshake was, as `host:port`.
    pub(super) fn tls_with(&self) -> Option<String> {
        locked(&self.tls_with).clone()
    }

    /// Notes that the server on this connection asked for a client certificate.
    pub(super) fn note_client_wanted(&self) {
        self.client_wanted.store(true, Ordering::Relaxed);
    }

    /// Whether the server on this connection asked for a client certificate.
    pub(super) fn is_client_wanted(&self) -> bool {
        self.client_wanted.load(Ordering::Relaxed)
    }
}

impl Line {
    /// Adds a socket as soon as it exists, before any proxy's or TLS's step on it.
    pub(super) fn add(&self, socket: Weak<dyn ShutdownHandle>) {
        locked(&self.0).sockets.push(socket);
    }

    /// Makes the line nobody's.
    pub(super) fn release(&self) {
        locked(&self.0).holder = 0;
    }
}

impl LineState {
    fn shut_down(&self) {
        for socket in self.sockets.iter().filter_map(Weak::upgrade) {
            socket.shutdown();
        }
    }
}

impl Drop for InHand {
    fn drop(&mut self) {
        IN_HAND.set(self.0.take());
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing in here is left half changed by a thread that dies.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
