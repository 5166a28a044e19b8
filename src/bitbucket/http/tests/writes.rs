//! A write is sent once, and what became of it is told honestly.

use super::server::{Reply, Server, answer, bytes, json};
use super::{ask, connection, http, wait_until};
use crate::bitbucket::address::Path;
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::{Answer, Http, Request};
use crate::cancel::Cancel;
use serde_json::json as value;
use std::time::Duration;

const PAGE: &str = "https://code.example.com/bitbucket/projects/ACME/repos/rocket/pull-requests/7";

fn write(http: &Http) -> Result<Answer, ApiError> {
    let path = Path::pull_request("ACME", "rocket", 7).segment("comments");
    let request = Request::post("comment on pull request 7 of ACME/rocket", path)
        .json(&value!({"text": "Grüße"}))
        .look_at(PAGE);
    http.send(request, &Cancel::new())
}

#[test]
fn a_write_is_json_and_says_that_no_browser_sends_it() {
    let server = Server::start(|_, _| json(201, "{}"));
    let http = http(&connection(&server));
    write(&http).expect("written");
    let path = || Path::pull_request("ACME", "rocket", 7);
    for request in [
        Request::post("merge", path().segment("merge").query("version", 3)),
        Request::put("update", path()).json(&value!({"version": 3})),
        Request::delete("unapprove", path().segment("approve")),
    ] {
        http.send(request, &Cancel::new()).expect("written");
    }
    for asked in server.asked() {
        assert_eq!(
            asked.header("content-type"),
            Some("application/json"),
            "{asked:?}"
        );
        assert_eq!(
            asked.header("x-atlassian-token"),
            Some("no-check"),
            "{asked:?}"
        );
    }
    let asked = server.asked();
    assert_eq!(asked[0].body, r#"{"text":"Grüße"}"#);
    assert_eq!(
        (asked[1].header("content-length"), asked[1].body.as_str()),
        (Some("0"), "")
    );
    assert_eq!(
        asked[3].line,
        "DELETE /bitbucket/rest/api/latest/projects/ACME/repos/rocket/pull-requests/7/approve"
    );
}

#[test]
fn a_write_without_an_answer_is_sent_once_and_may_have_happened() {
    let half = bytes(201, "Content-Type: application/json\r\n", "{\"id\":1}");
    let half = half[..half.len() - 3].to_vec();
    for (reply, words) in [
        (
            Reply::Close,
            "the connection was closed before an answer came",
        ),
        (
            Reply::SendAndClose(half),
            "the answer was cut short: the connection ended after 5 bytes of it",
        ),
        (
            Reply::Stall(Vec::new()),
            "timed out: no whole answer within 150 ms (--request-timeout, BB_REQUEST_TIMEOUT)",
        ),
        (
            json(504, "{}"),
            "Bitbucket answered 504 (it may be starting, busy or under maintenance: try again later)",
        ),
    ] {
        let server = Server::start(move |_, _| reply.clone());
        let mut connection = connection(&server);
        if words.starts_with("timed out") {
            connection.request_timeout = Duration::from_millis(150);
        }
        let error = write(&http(&connection)).expect_err("no answer");
        assert_eq!(
            error.to_string(),
            format!(
                "cannot comment on pull request 7 of ACME/rocket: {words}; it may have happened all the same: look at \
                 {PAGE} before trying again"
            )
        );
        assert!(error.may_have_happened());
        wait_until("the server has read it", || !server.asked().is_empty());
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn a_write_that_was_answered_or_never_left_did_not_happen() {
    for (reply, fault) in [
        (
            json(409, r#"{"errors":[{"message":"No.","currentVersion":4}]}"#),
            Fault::Conflict,
        ),
        (json(503, "{}"), Fault::ServerFault),
        (answer(429, "", ""), Fault::RateLimited),
        (
            answer(302, "Location: /elsewhere\r\n", ""),
            Fault::NotBitbucket,
        ),
    ] {
        let server = Server::start(move |_, _| reply.clone());
        let error = write(&http(&connection(&server))).expect_err("refused");
        assert_eq!(
            (error.fault(), error.may_have_happened()),
            (fault, false),
            "{error}"
        );
        assert_eq!(server.asked().len(), 1);
    }
    let server = Server::start(|_, _| json(200, "{}"));
    let nobody = connection(&server);
    drop(server);
    let error = write(&http(&nobody)).expect_err("nobody");
    assert!(!error.may_have_happened(), "{error}");
}

#[test]
fn a_conflict_keeps_what_bitbucket_tells_besides_words() {
    let server = Server::start(|_, _| {
        json(
            409,
            r#"{"errors":[{"message":"Out of date.","exceptionName":"com.atlassian.bitbucket.pull.PullRequestOutOfDateException","currentVersion":4}]}"#,
        )
    });
    let error = write(&http(&connection(&server))).expect_err("a conflict");
    let said = error.said().expect("words");
    assert_eq!(said.raw()[0]["currentVersion"], 4);
    assert!(said.has_exception("PullRequestOutOfDateException"));
}

#[test]
fn a_write_on_a_connection_that_went_stale_is_not_sent_twice() {
    // The first answer keeps the connection; the server then closes it when the next request comes.
    let server = Server::start(|_, before| {
        if before == 0 {
            json(200, "{}")
        } else {
            Reply::Close
        }
    });
    let http = http(&connection(&server));
    ask(&http).expect("an answer");
    let error = write(&http).expect_err("dropped");
    assert!(error.may_have_happened(), "{error}");
    assert_eq!((server.asked().len(), server.connections()), (2, 1));
}

#[test]
fn a_connection_that_the_server_closed_meanwhile_is_not_used() {
    let server = Server::start(|_, before| match before {
        0 => Reply::SendAndClose(bytes(200, "Content-Type: application/json\r\n", "{}")),
        _ => json(200, "{}"),
    });
    let http = http(&connection(&server));
    ask(&http).expect("an answer");
    wait_until("the other side's end has come", || write(&http).is_ok());
    assert_eq!(server.connections(), 2);
}
