//! Work done beside other work, inside a thread's scope: requests that do not need each other's answers.
//!
//! Never fails for want of a thread: work that got none is done when its result is asked for. Start reading at
//! [`beside`].

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

type Work<'scope, T> = Arc<Mutex<Option<Box<dyn FnOnce() -> T + Send + 'scope>>>>;

/// Work that may be done already.
pub struct Beside<'scope, T> {
    work: Work<'scope, T>,
    thread: Option<ScopedJoinHandle<'scope, Option<T>>>,
}

/// Starts work on a thread of its own, if the machine has one to give.
pub fn beside<'scope, T: Send + 'scope>(
    threads: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Beside<'scope, T> {
    let work: Work<'scope, T> = Arc::new(Mutex::new(Some(Box::new(work))));
    let taken = Arc::clone(&work);
    let thread = Builder::new()
        .name("bb-beside".to_owned())
        .spawn_scoped(threads, move || take(&taken).map(|work| work()))
        .ok();
    Beside { work, thread }
}

fn take<'scope, T>(work: &Work<'scope, T>) -> Option<Box<dyn FnOnce() -> T + Send + 'scope>> {
    work.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl<T> Beside<'_, T> {
    /// The result, once it is there. A panic of the work is a panic here: it costs the call its answer, as the call's
    /// own would.
    pub fn get(self) -> T {
        let done = self
            .thread
            .and_then(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.or_else(|| take(&self.work).map(|work| work()))
            .expect("the work is done by its thread or here, and never by nobody")
    }
}

#[cfg(test)]
mod tests {
    use super::{Beside, beside};
    use std::sync::{Arc, Mutex};
    use std::thread::scope;

    #[test]
    fn work_is_done_beside_other_work_or_when_it_is_asked_for() {
        let (one, other) = scope(|threads| {
            let one = beside(threads, || 1);
            (one.get(), 2)
        });
        assert_eq!((one, other), (1, 2));
        let without_a_thread: Beside<'_, i32> = Beside {
            work: Arc::new(Mutex::new(Some(Box::new(|| 3)))),
            thread: None,
        };
        assert_eq!(without_a_thread.get(), 3);
    }
}
