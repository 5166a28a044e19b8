use super::{Entry, Kind, Trial, Turn};
use crate::bitbucket::error::{Limit, Why};
use crate::cancel::Cancel;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

fn timed_out() -> Why {
    Why::TimedOut(Limit::Request(Duration::from_secs(20)))
}

#[track_caller]
fn enter(trial: &Trial) -> Turn<'_> {
    match trial.enter(Kind::Public, &Cancel::new()) {
        Entry::Go(turn) => turn,
        _ => panic!("it may go"),
    }
}

/// How the five that wait for the first try fare when `end` ends it.
fn five(end: impl FnOnce(Turn<'_>)) -> Vec<Option<Why>> {
    let trial = Trial::default();
    let first = enter(&trial);
    let (cancel, (send, fates)) = (Cancel::new(), channel());
    thread::scope(|scope| {
        for _ in 0..5 {
            let (trial, send, cancel) = (&trial, send.clone(), cancel.clone());
            scope.spawn(move || {
                let fate = match trial.enter(Kind::Public, &cancel) {
                    Entry::Go(turn) => {
                        turn.over(None);
                        None
                    }
                    Entry::Known(why) => Some(why),
                    Entry::Cancelled => Some(Why::Cancelled),
                };
                send.send(fate).expect("somebody hears it");
            });
        }
        let deadline = Instant::now() + Duration::from_secs(20);
        while trial.line().waiting < 5 {
            assert!(Instant::now() < deadline, "five wait within 20 s");
            thread::yield_now();
        }
        end(first);
        let fates = (0..5).map(|_| fates.recv_timeout(Duration::from_secs(20)));
        let fates = fates.map(|fate| fate.unwrap_or(Some(Why::Cancelled)));
        let fates = fates.collect();
        cancel.cancel();
        fates
    })
}

#[test]
fn whoever_waited_while_nothing_answered_waits_no_second_time() {
    let fates = five(|first| first.over(Some(&timed_out())));
    assert_eq!(fates, vec![Some(timed_out()); 5]);
}

#[test]
fn whoever_comes_after_that_tries_again() {
    let trial = Trial::default();
    enter(&trial).over(Some(&timed_out()));
    enter(&trial).over(None);
    // What stopped another one is nothing to a password that was taken.
    enter(&trial).over(Some(&timed_out()));
    enter(&trial).over(None);
}

#[test]
fn whoever_waited_for_a_call_that_was_cancelled_or_broke_off_goes_on() {
    assert_eq!(
        five(|first| first.over(Some(&Why::Cancelled))),
        vec![None; 5]
    );
    // A panic ends a turn without a word of how.
    assert_eq!(
        five(|first| {
            let _over = first;
        }),
        vec![None; 5]
    );
}
