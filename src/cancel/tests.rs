use super::Cancel;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn counted(cancel: &Cancel, ran: &Arc<AtomicUsize>) -> super::Registration {
    let ran = Arc::clone(ran);
    cancel.on_cancel(move || {
        ran.fetch_add(1, Ordering::SeqCst);
    })
}

#[test]
fn a_registered_action_runs_once_however_often_the_flag_is_raised() {
    let (cancel, ran) = (Cancel::new(), Arc::new(AtomicUsize::new(0)));
    let _kept = counted(&cancel, &ran);
    cancel.cancel();
    cancel.cancel();
    assert_eq!(ran.load(Ordering::SeqCst), 1);
    assert!(cancel.is_cancelled());
}

#[test]
fn a_dropped_registration_never_runs() {
    let (cancel, ran) = (Cancel::new(), Arc::new(AtomicUsize::new(0)));
    drop(counted(&cancel, &ran));
    cancel.cancel();
    assert_eq!(ran.load(Ordering::SeqCst), 0);
}

#[test]
fn registering_after_the_flag_was_raised_runs_at_once() {
    let (cancel, ran) = (Cancel::new(), Arc::new(AtomicUsize::new(0)));
    cancel.cancel();
    let _kept = counted(&cancel, &ran);
    assert_eq!(ran.load(Ordering::SeqCst), 1);
}

#[test]
fn a_waiter_wakes_when_the_flag_is_raised() {
    let cancel = Cancel::new();
    let waiter = {
        let cancel = cancel.clone();
        std::thread::spawn(move || cancel.wait(Duration::from_secs(60)))
    };
    cancel.cancel();
    assert!(waiter.join().expect("the waiter does not panic"));
    assert!(!Cancel::new().wait(Duration::ZERO));
}
