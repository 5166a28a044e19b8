//! What an answer, or the lack of one, is told as.

use super::server::{Reply, Server, answer, bytes, json};
use super::{ask, connection, http, read_rocket, wait_until};
use crate::bitbucket::address::{BaseUrl, Path};
use crate::bitbucket::connection::{Connection, Credentials};
use crate::bitbucket::error::{Fault, Why};
use crate::bitbucket::http::{Http, Method, Request, RequestLog, Sent};
use crate::cancel::Cancel;
use crate::secret::Secret;
use serde::Deserialize;
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// Asks a server that answers `reply` each time, and compares the fault and the end of the phrase.
#[track_caller]
fn check(reply: Reply, fault: Fault, words: &str) {
    let server = Server::start(move |_, _| reply.clone());
    let error = ask(&http(&connection(&server))).expect_err("a refusal");
    let phrase = error.to_string();
    let wanted = format!("cannot read repository ACME/rocket: {words}");
    assert_eq!(
        (phrase.as_str(), error.fault()),
        (wanted.as_str(), fault),
        "asked: {:?}",
        server.lines()
    );
    assert!(
        !phrase.contains('\n') && !phrase.contains("the-token"),
        "{phrase}"
    );
}

const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";
const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn a_plain_question_is_asked_as_bitbucket_wants_it() {
    #[derive(Deserialize)]
    struct Repository {
        slug: String,
    }
    let server = Server::start(|_, _| {
        answer(
            200,
            "Content-Type: application/json\r\nX-AUSERNAME: wren%2Eokafor%40example\r\n",
            r#"{"slug":"rocket"}"#,
        )
    });
    let log = RequestLog::new();
    let request = Request::get(
        "read it",
        Path::repository("ACME", "rocket").query("at", "refs/heads/a b"),
    );
    let answer = http(&connection(&server))
        .recording(log.clone())
        .get(request, &Cancel::new())
        .expect("an answer");
    assert_eq!(answer.json::<Repository>().expect("JSON").slug, "rocket");
    assert_eq!(
        (answer.status(), answer.user().as_deref()),
        (200, Some("wren.okafor@example"))
    );
    let asked = &server.asked()[0];
    assert_eq!(
        asked.line,
        "GET /bitbucket/rest/api/latest/projects/ACME/repos/rocket?at=refs%2Fheads%2Fa%20b"
    );
    assert_eq!(asked.header("authorization"), Some("Bearer the-token"));
    assert_eq!(
        asked.header("user-agent"),
        Some(concat!("bb/", env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(asked.header("accept"), Some("application/json"));
    let path = "/rest/api/latest/projects/ACME/repos/rocket".to_owned();
    assert_eq!(
        log.sent(),
        [Sent {
            method: Method::Get,
            path,
            status: Some(200)
        }]
    );
}

#[test]
fn a_name_and_a_password_are_sent_as_basic_and_nothing_is_sent_as_nothing() {
    let server = Server::start(|_, _| json(200, "{}"));
    let with = |credentials| Connection {
        credentials,
        ..connection(&server)
    };
    let password = Secret::new("pass:wörd");
    let basic = Credentials::Basic {
        username: "wren".to_owned(),
        password,
    };
    ask(&http(&with(Some(basic)))).expect("an answer");
    ask(&http(&with(None))).expect("an answer");
    let sent: Vec<_> = server
        .asked()
        .iter()
        .map(|a| a.header("authorization").map(str::to_owned))
        .collect();
    assert_eq!(sent, [Some("Basic d3JlbjpwYXNzOnfDtnJk".to_owned()), None]);
}

#[test]
fn each_status_is_told_apart() {
    let said = |message: &str| {
        format!(
            r#"{{"errors":[{{"context":null,"message":"{message}","exceptionName":"com.atlassian.bitbucket.X"}}]}}"#
        )
    };
    check(
        json(404, &said("Repository ACME/rocket does not exist.")),
        Fault::NotFound,
        "Bitbucket answered 404: Repository ACME/rocket does not exist.",
    );
    check(
        json(401, &said("Authentication failed")),
        Fault::NotSignedIn,
        "Bitbucket answered 401: Authentication failed (is the token still valid? BITBUCKET_TOKEN, or --token-file, \
         BITBUCKET_TOKEN_FILE)",
    );
    check(
        answer(
            401,
            "Content-Type: application/json\r\nX-AUSERNAME: wren\r\n",
            &said("You are not permitted"),
        ),
        Fault::NotAllowed,
        "Bitbucket answered 401: You are not permitted (signed in as `wren`, who may not)",
    );
    check(
        answer(
            401,
            "X-Authentication-Denied-Reason: CAPTCHA_CHALLENGE; login-url=https://x\r\n",
            "",
        ),
        Fault::NotSignedIn,
        "Bitbucket answered 401 and wants a CAPTCHA solved after too many failed passwords (sign in with a browser once, \
         then try again)",
    );
    check(
        answer(403, "Content-Type: text/plain\r\n", "XSRF check failed"),
        Fault::NotAllowed,
        "Bitbucket answered 403: XSRF check failed (this account may not)",
    );
    check(
        json(409, &said("Out of date.")),
        Fault::Conflict,
        "Bitbucket answered 409: Out of date.",
    );
    check(
        json(
            400,
            r#"{"errors":[{"context":"title","message":"Too long."},{"context":null,"message":"And \u001b[31mthis\nalso."}]}"#,
        ),
        Fault::BadRequest,
        "Bitbucket answered 400: `title`: Too long.; And <U+001B>[31mthis also.",
    );
    check(
        answer(405, "", ""),
        Fault::BadRequest,
        "Bitbucket answered 405",
    );
    check(
        json(500, &said("Oh no.")),
        Fault::ServerFault,
        "Bitbucket answered 500: Oh no.",
    );
    check(
        answer(
            503,
            HTML,
            "<html><head><title>Starting &amp; warming up</title>",
        ),
        Fault::ServerFault,
        "Bitbucket answered 503: an HTML page titled `Starting & warming up` (it may be starting, busy or under \
         maintenance: try again later)",
    );
    check(
        answer(429, "Retry-After: 90\r\n", ""),
        Fault::RateLimited,
        "Bitbucket answered 429: too many requests in a short time (try again in 90 s)",
    );
    check(
        answer(429, "", ""),
        Fault::RateLimited,
        "Bitbucket answered 429: too many requests in a short time (try again in a few seconds)",
    );
}

#[test]
fn an_answer_that_is_not_bitbuckets_is_described() {
    check(
        answer(
            200,
            HTML,
            "<!DOCTYPE html><HTML><Title lang=en>\n Sign in \u{202e}</TITLE>",
        ),
        Fault::NotBitbucket,
        "the answer (200) is an HTML page titled `Sign in <U+202E>`, not Bitbucket's REST (is a sign-in page in the way?)",
    );
    check(
        answer(200, JSON, "<html>nothing</html>"),
        Fault::NotBitbucket,
        "the answer (200) is an HTML page, not Bitbucket's REST (is a sign-in page in the way?)",
    );
    check(
        answer(404, HTML, "<html><title>HTTP Status 404</title>"),
        Fault::NotBitbucket,
        "the answer (404) is an HTML page titled `HTTP Status 404`, not Bitbucket's REST (is --host, BITBUCKET_URL whole, \
         its context path included?)",
    );
    check(
        answer(
            200,
            "Content-Type: text/plain\r\n",
            "SSH-2.0\tis not this\r\nreally",
        ),
        Fault::NotBitbucket,
        "the answer (200) is `text/plain`, not JSON, and begins `SSH-2.0 is not this really` (is this Bitbucket? --host, \
         BITBUCKET_URL)",
    );
    check(
        Reply::SendAndClose(b"SSH-2.0-OpenSSH_9.2\r\n\r\n".to_vec()),
        Fault::NotBitbucket,
        "what answered does not speak HTTP (is the port in --host, BITBUCKET_URL right?)",
    );
}

#[test]
fn json_that_is_not_understood_is_told_by_its_place() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Repository {
        id: u64,
    }
    let server = Server::start(|_, _| json(200, r#"{"id":"x"}"#));
    let error = ask(&http(&connection(&server)))
        .expect("an answer")
        .json::<Repository>()
        .expect_err("another type");
    assert_eq!(
        error.to_string(),
        "cannot read repository ACME/rocket: Bitbucket's answer could not be understood: `id` is a text, not the number \
         that belongs there (is this Bitbucket? --host, BITBUCKET_URL)"
    );
}

#[test]
fn both_sides_of_the_cap_are_told() {
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(3000));
    let announced = json(200, &long);
    let unannounced =
        Reply::SendAndClose(format!("HTTP/1.1 200 OK\r\n{JSON}\r\n{long}").into_bytes());
    for (reply, words) in [
        (
            announced,
            "the most that bb reads of it (it is 3008 bytes): ask for less of it, or look at its page in Bitbucket",
        ),
        (
            unannounced,
            "the most that bb reads of it: ask for less of it, or look at its page in Bitbucket",
        ),
    ] {
        let server = Server::start(move |_, _| reply.clone());
        let error = http(&connection(&server))
            .get(read_rocket().up_to(2048), &Cancel::new())
            .expect_err("too large");
        let wanted =
            format!("cannot read repository ACME/rocket: the answer is over 2 KiB, {words}");
        assert_eq!(
            (error.to_string(), error.fault()),
            (wanted, Fault::TooLarge)
        );
    }
}

#[test]
fn half_an_answer_is_told_apart_from_none() {
    let half =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"a\":";
    check(
        Reply::SendAndClose(half.into()),
        Fault::CutShort,
        "the answer was cut short: the connection ended after 5 bytes of it",
    );
    let chunked = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n";
    check(
        Reply::SendAndClose(chunked.into()),
        Fault::CutShort,
        "the answer was cut short: the connection ended after 5 bytes of it",
    );
    check(
        Reply::Close,
        Fault::CutShort,
        "the connection was closed before an answer came",
    );
}

#[test]
fn a_get_is_asked_again_where_that_helps_and_three_times_in_all() {
    for (reply, times) in [
        (json(502, "{}"), 3),
        (json(503, "{}"), 3),
        (json(504, "{}"), 3),
        (json(429, "{}"), 3),
        (answer(429, "Retry-After: 0\r\n", ""), 3),
        (answer(429, "Retry-After: 11\r\n", ""), 1),
        (Reply::Close, 3),
        (json(500, "{}"), 1),
        (json(404, "{}"), 1),
    ] {
        let told = reply.clone();
        let server = Server::start(move |_, _| told.clone());
        ask(&http(&connection(&server))).expect_err("a refusal");
        assert_eq!(server.asked().len(), times, "{reply:?}");
    }
    let server = Server::start(|_, before| {
        if before < 2 {
            json(503, "{}")
        } else {
            json(200, "{}")
        }
    });
    ask(&http(&connection(&server))).expect("the third time");
    assert_eq!(
        server.connections(),
        1,
        "a refusal's connection is used again"
    );
}

#[test]
fn redirects_are_followed_on_the_same_origin_alone() {
    let elsewhere = Server::start(|_, _| json(200, "{}"));
    let port = elsewhere.port();
    let server = Server::start(move |asked, _| {
        let to = |location: &str| answer(302, &format!("Location: {location}\r\n"), "");
        match asked.line.rsplit('/').next() {
            Some("near") => to("/bitbucket/rest/there"),
            Some("beside") => to("there?x=1"),
            Some("round") => to("round"),
            Some("far") => to(&format!("http://localhost:{port}/secret?code=1")),
            Some("odd") => to("javascript:1"),
            _ => json(200, "{}"),
        }
    });
    let http = http(&connection(&server));
    let ask = |last: &str| {
        http.get(
            Request::get("look", Path::root().segment("rest").segment(last)),
            &Cancel::new(),
        )
    };
    ask("near").expect("followed");
    ask("beside").expect("followed");
    assert_eq!(server.lines()[1], "GET /bitbucket/rest/there");
    assert_eq!(server.lines()[3], "GET /bitbucket/rest/there?x=1");
    let far = ask("far").expect_err("another origin").to_string();
    assert!(
        far.contains(&format!(
            "sends bb on to http://localhost:{port}, where it does not follow"
        )),
        "{far}"
    );
    assert!(!far.contains("secret"), "{far}");
    assert!(elsewhere.asked().is_empty());
    let before = server.asked().len();
    assert_eq!(
        ask("round").expect_err("round and round").fault(),
        Fault::NotBitbucket
    );
    assert_eq!(server.asked().len() - before, 4);
    assert_eq!(
        ask("odd").expect_err("no address").fault(),
        Fault::NotBitbucket
    );
}

#[test]
fn time_that_runs_out_is_told_with_its_flag() {
    let drop_by_drop = bytes(200, JSON, "{}")[..50].to_vec();
    for stall in [Vec::new(), drop_by_drop] {
        let server = Server::start(move |_, _| Reply::Stall(stall.clone()));
        let connection = Connection {
            request_timeout: Duration::from_millis(120),
            ..connection(&server)
        };
        let from = Instant::now();
        let error = ask(&http(&connection)).expect_err("no answer");
        assert_eq!(
            error.to_string(),
            "cannot read repository ACME/rocket: timed out: no whole answer within 120 ms (--request-timeout, \
             BB_REQUEST_TIMEOUT)"
        );
        assert_eq!(error.fault(), Fault::TimedOut);
        wait_until("the server has read it", || server.asked().len() == 1);
        assert!(from.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn what_cannot_be_reached_is_told_apart() {
    let base = |address: &str| BaseUrl::parse(address).expect("an address");
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = closed.local_addr().expect("an address").port();
    drop(closed);
    let server = Server::start(|_, _| json(200, "{}"));
    let refused = Connection {
        base: base(&format!("http://127.0.0.1:{port}")),
        ..connection(&server)
    };
    let error = ask(&http(&refused)).expect_err("nobody");
    assert_eq!(
        error.to_string(),
        format!(
            "cannot read repository ACME/rocket: cannot reach 127.0.0.1:{port}: the connection was refused (is Bitbucket \
             up, or is a proxy needed? --proxy, BB_PROXY)"
        )
    );
    // A name that no resolver may know (RFC 6761), so none is asked over the network for long.
    let unknown = Connection {
        base: base("http://bitbucket.invalid"),
        ..connection(&server)
    };
    let error = ask(&http(&unknown)).expect_err("nobody");
    assert_eq!(error.fault(), Fault::Unreachable, "{error}");
    assert!(
        error
            .to_string()
            .contains("bitbucket.invalid:80: the name is not known"),
        "{error}"
    );
}

#[test]
fn a_path_that_would_climb_is_never_sent() {
    let server = Server::start(|_, _| json(200, "{}"));
    let request = Request::get(
        "read a file",
        Path::repository("ACME", "..").segment("browse"),
    );
    let error = http(&connection(&server))
        .get(request, &Cancel::new())
        .expect_err("not sent");
    assert!(matches!(error.why(), Why::NotSent(_)), "{error}");
    assert!(server.asked().is_empty());
}

#[test]
fn no_more_than_thirty_two_requests_are_in_flight() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Condvar, Mutex};
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let (counted, seen, held) = (Arc::clone(&now), Arc::clone(&most), Arc::clone(&gate));
    let server = Server::start(move |_, _| {
        seen.fetch_max(counted.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let mut open = held.0.lock().expect("a lock");
        while !*open {
            open = held.1.wait(open).expect("a lock");
        }
        drop(open);
        counted.fetch_sub(1, Ordering::SeqCst);
        json(200, "{}")
    });
    let http: Http = http(&connection(&server));
    let cancelled = Cancel::new();
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..40).map(|_| scope.spawn(|| ask(&http))).collect();
        wait_until("32 requests are there", || now.load(Ordering::SeqCst) == 32);
        let waiting = scope.spawn(|| http.get(read_rocket(), &cancelled));
        cancelled.cancel();
        let error = waiting.join().expect("no panic").expect_err("cancelled");
        assert_eq!(error.fault(), Fault::Cancelled);
        *gate.0.lock().expect("a lock") = true;
        gate.1.notify_all();
        for call in calls {
            call.join().expect("no panic").expect("an answer");
        }
    });
    assert_eq!(most.load(Ordering::SeqCst), 32);
    assert_eq!(server.connections(), 32);
}
