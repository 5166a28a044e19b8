//! A cancelled call ends at once and takes nobody else along.

use super::server::{Client, Reply, Server, bytes, json, tls};
use super::{ask, certificate, connection, http, read_rocket, wait_until};
use crate::bitbucket::connection::Connection;
use crate::bitbucket::error::Fault;
use crate::bitbucket::http::Http;
use crate::cancel::Cancel;
use rustls::ALL_VERSIONS;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How soon a cancelled call has to be over.
const SOON: Duration = Duration::from_millis(50);

/// Runs rounds until one ends soon enough, five at most: on a busy machine a thread may be slow to
/// be scheduled, but a call that nobody wakes takes seconds each time.
#[track_caller]
fn check_soon(mut round: impl FnMut() -> Duration) {
    let mut took = Vec::new();
    for _ in 0..5 {
        took.push(round());
        if took.last().is_some_and(|took| *took < SOON) {
            return;
        }
    }
    assert!(took.is_empty(), "it took {took:?}");
}

/// Starts a call, cancels it once `is_waiting`, and measures how long its end takes.
#[track_caller]
fn cancelled(http: &Http, is_waiting: impl FnMut() -> bool) -> Duration {
    let cancel = Cancel::new();
    let flag = cancel.clone();
    thread::scope(|scope| {
        let call = scope.spawn(move || (http.get(read_rocket(), &flag), Instant::now()));
        wait_until("the call waits", is_waiting);
        let from = Instant::now();
        cancel.cancel();
        let (done, at) = call.join().expect("no panic");
        assert_eq!(done.expect_err("cancelled").fault(), Fault::Cancelled);
        at - from
    })
}

/// Cancels a call that waits for an answer, while another one waits on the same pool.
#[track_caller]
pub(super) fn check_cancel(server: &Server, http: &Http, let_go: &mpsc::Sender<()>) {
    check_soon(|| {
        let known = server.asked().len();
        let took = thread::scope(|scope| {
            let other = scope.spawn(|| ask(http));
            wait_until("the other call waits", || server.asked().len() == known + 1);
            let took = cancelled(http, || server.asked().len() == known + 2);
            // Both stall on the server until they are let go; the cancelled one has nobody to
            // answer.
            let both = let_go.send(()).and_then(|()| let_go.send(()));
            both.expect("a server");
            other.join().expect("no panic").expect("an answer");
            took
        });
        let connections = server.connections();
        ask_let_go(http, let_go);
        let reused = "the other call's connection is used again";
        assert_eq!(server.connections(), connections, "{reused}");
        took
    });
}

fn ask_let_go(http: &Http, let_go: &mpsc::Sender<()>) {
    let_go.send(()).expect("a server");
    ask(http).expect("an answer");
}

/// A script that answers one request for each message, and its sender.
pub(super) fn held() -> (mpsc::Sender<()>, impl Fn() -> Reply + Send + Sync + 'static) {
    let (send, receive) = mpsc::channel();
    let receive = std::sync::Mutex::new(receive);
    (send, move || {
        // The lock is held while waiting, so requests are let go one by one, whichever is first.
        let _ = receive.lock().expect("no panic").recv();
        json(200, "{}")
    })
}

#[test]
fn a_call_that_waits_for_an_answer_ends_at_once() {
    let (let_go, reply) = held();
    let server = Server::start(move |_, _| reply());
    check_cancel(&server, &http(&connection(&server)), &let_go);
}

#[test]
fn a_call_that_waits_for_an_answer_through_tls_ends_at_once() {
    let (let_go, reply) = held();
    let server = Server::start_tls(tls("server", Client::Ignored, ALL_VERSIONS), move |_, _| {
        reply()
    });
    let connection = Connection {
        ca_file: Some(certificate("ca.pem")),
        ..connection(&server)
    };
    check_cancel(&server, &http(&connection), &let_go);
}

#[test]
fn a_call_on_a_connection_that_was_idle_ends_at_once() {
    check_soon(|| {
        let server = Server::start(|_, before| match before {
            0 => json(200, "{}"),
            _ => Reply::Stall(Vec::new()),
        });
        let http = http(&connection(&server));
        ask(&http).expect("an answer");
        let took = cancelled(&http, || server.asked().len() == 2);
        assert_eq!(server.connections(), 1);
        took
    });
}

#[test]
fn a_call_in_the_middle_of_a_body_ends_at_once() {
    let whole = bytes(200, "Content-Type: application/json\r\n", "{\"a\":1}");
    let half = whole[..whole.len() - 2].to_vec();
    let server = Server::start(move |_, _| Reply::Stall(half.clone()));
    let http = http(&connection(&server));
    check_soon(|| {
        let known = server.asked().len();
        cancelled(&http, || server.asked().len() == known + 1)
    });
}

#[test]
fn a_call_that_waits_before_a_retry_ends_at_once() {
    let server = Server::start(|_, _| super::server::answer(429, "Retry-After: 9\r\n", ""));
    let http = http(&connection(&server));
    check_soon(|| {
        let known = server.asked().len();
        cancelled(&http, || server.asked().len() == known + 1)
    });
}

#[test]
fn a_call_that_was_cancelled_before_sends_nothing() {
    let server = Server::start(|_, _| json(200, "{}"));
    let cancel = Cancel::new();
    cancel.cancel();
    let error = http(&connection(&server))
        .get(read_rocket(), &cancel)
        .expect_err("cancelled");
    assert_eq!(
        error.to_string(),
        "cannot read repository ACME/rocket: the call was cancelled"
    );
    assert!(server.asked().is_empty());
}

#[test]
fn a_cancel_that_comes_after_the_answer_leaves_the_connection_to_the_next_call() {
    let server = Server::start(|_, _| json(200, "{}"));
    let http = http(&connection(&server));
    for _ in 0..50 {
        let cancel = Cancel::new();
        http.get(read_rocket(), &cancel).expect("an answer");
        cancel.cancel();
    }
    assert_eq!(server.connections(), 1);
}

#[test]
fn cancels_at_any_moment_never_reach_another_call() {
    let server = Server::start(|_, _| json(200, "{}"));
    let http = http(&connection(&server));
    thread::scope(|scope| {
        for worker in 0..4u32 {
            let http = &http;
            scope.spawn(move || {
                for round in 0..100u32 {
                    let cancel = Cancel::new();
                    let flag = cancel.clone();
                    if worker % 2 == 0 {
                        // Half of the callers are cancelled at some moment of their request.
                        let spins = (worker + round) % 7 * 40;
                        scope.spawn(move || {
                            for _ in 0..spins {
                                thread::yield_now();
                            }
                            flag.cancel();
                        });
                        if let Err(error) = http.get(read_rocket(), &cancel) {
                            assert_eq!(error.fault(), Fault::Cancelled, "{error}");
                        }
                    } else {
                        // Without a retry to hide behind: a request that was shut down for another
                        // would show.
                        let request =
                            super::Request::post("write", crate::bitbucket::address::Path::api());
                        http.send(request, &cancel).expect("an answer");
                    }
                }
            });
        }
    });
}
