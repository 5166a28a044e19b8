use super::{Hold, Line};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use ureq::unversioned::transport::ShutdownHandle;

#[derive(Default)]
struct Socket(AtomicUsize);

impl ShutdownHandle for Socket {
    fn shutdown(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn line() -> (Arc<Line>, Arc<Socket>) {
    let (line, socket) = (Arc::new(Line::default()), Arc::new(Socket::default()));
    let handle: Weak<dyn ShutdownHandle> = Arc::downgrade(&socket) as Weak<dyn ShutdownHandle>;
    line.add(handle);
    (line, socket)
}

fn times(socket: &Socket) -> usize {
    socket.0.load(Ordering::SeqCst)
}

#[test]
fn a_line_is_shut_down_for_the_hold_that_has_it() {
    let ((line, socket), hold) = (line(), Hold::new());
    assert!(hold.take(&line) && hold.take(&line));
    hold.end();
    assert_eq!(times(&socket), 1);
}

#[test]
fn a_line_that_was_released_or_passed_on_is_left_alone() {
    let ((line, socket), first, second) = (line(), Hold::new(), Hold::new());
    assert!(first.take(&line));
    line.release();
    first.end();
    assert_eq!(times(&socket), 0, "idle");
    let third = Hold::new();
    assert!(third.take(&line) && second.take(&line));
    third.end();
    assert_eq!(times(&socket), 0, "another's");
    second.end();
    assert_eq!(times(&socket), 1);
}

#[test]
fn a_hold_that_ended_takes_no_line() {
    let ((line, socket), hold) = (line(), Hold::new());
    hold.end();
    assert!(!hold.take(&line));
    assert_eq!(times(&socket), 1);
}

#[test]
fn the_hold_in_hand_is_the_one_taken_last_and_given_back_after() {
    let (outer, inner) = (Hold::new(), Hold::new());
    let is_in_hand =
        |hold: &Arc<Hold>| Hold::in_hand().is_some_and(|found| Arc::ptr_eq(&found, hold));
    let kept = outer.take_in_hand();
    {
        let _kept = inner.take_in_hand();
        assert!(is_in_hand(&inner));
    }
    assert!(is_in_hand(&outer));
    drop(kept);
    assert!(Hold::in_hand().is_none());
}
