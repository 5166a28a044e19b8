use super::Places;
use crate::cancel::Cancel;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

const DEADLINE: Duration = Duration::from_secs(10);

/// Starts a thread that takes a place, and returns once it is about to wait, or waits.
fn waiter(places: &Arc<Places>, cancel: &Cancel) -> mpsc::Receiver<bool> {
    let (done, result) = mpsc::channel();
    let known = Arc::strong_count(&places.0);
    let (theirs, flag) = (Arc::clone(places), cancel.clone());
    thread::spawn(move || done.send(theirs.take(&flag).is_some()));
    // Its registration with the flag holds a share.
    while Arc::strong_count(&places.0) == known {
        thread::yield_now();
    }
    for _ in 0..200 {
        thread::yield_now();
    }
    result
}

#[test]
fn a_cancel_wakes_whoever_waits_for_a_place() {
    for _ in 0..50 {
        let (places, cancel) = (Arc::new(Places::new(1)), Cancel::new());
        let _taken = places.take(&Cancel::new()).expect("a place");
        let result = waiter(&places, &cancel);
        cancel.cancel();
        assert_eq!(result.recv_timeout(DEADLINE), Ok(false));
    }
}

#[test]
fn a_place_that_is_given_back_goes_to_whoever_waits() {
    for _ in 0..50 {
        let (places, cancel) = (Arc::new(Places::new(1)), Cancel::new());
        let taken = places.take(&Cancel::new()).expect("a place");
        let result = waiter(&places, &cancel);
        drop(taken);
        assert_eq!(result.recv_timeout(DEADLINE), Ok(true));
    }
}
