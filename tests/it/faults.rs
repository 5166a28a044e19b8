//! What keeps bb from Bitbucket, each told apart (Q4) and survived, over real sockets.

use crate::support::{Bb, PATIENCE, text};
use serde_json::{Value, json};
use standin::{Body, Effect, Fault, Options, StandIn};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const ANY: &str = "/rest/*";
const P42: &str = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42";
const LIST: &str = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests";

fn list() -> Value {
    json!({"project": "ACME", "repo": "rocket"})
}

/// What the model is told when every request meets `effect`.
#[track_caller]
fn told(effect: Effect) -> String {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("*", ANY, effect));
    let mut bb = Bb::with_args(&stand_in, &["--request-timeout", "2s"]);
    let failure = bb.failure("list_pull_requests", list());
    assert!(
        failure.starts_with("cannot list the pull requests of ACME/rocket: "),
        "{failure}"
    );
    assert!(
        !failure.contains(&stand_in.token()) && !failure.contains('\n'),
        "{failure}"
    );
    // The server goes on.
    stand_in.clear_faults();
    stand_in.release();
    assert_eq!(bb.call("list_pull_requests", list()).get("isError"), None);
    failure
}

#[test]
fn each_fault_has_its_own_phrase_and_the_server_goes_on() {
    let huge = 100 * 1024 * 1024;
    let faults = [
        (Effect::status(403), "403"),
        (Effect::status(404), "404"),
        (Effect::status(409), "409"),
        (Effect::status(400), "400"),
        (Effect::status(500), "500"),
        (
            Effect::Status(503, Body::Html("Starting".to_owned()), Vec::new()),
            "503",
        ),
        (Effect::rate_limited(Some("120")), "120 s"),
        (Effect::SignInPage, "is a sign-in page in the way?"),
        (Effect::HalfBody, "was cut short"),
        (Effect::Reset, "closed before an answer"),
        (Effect::Stall(None), "--request-timeout, BB_REQUEST_TIMEOUT"),
        (Effect::Garbage, "JSON"),
        (Effect::Huge(huge), "4 MiB"),
        (
            Effect::Redirect(302, "https://login.example.com/x".to_owned()),
            "login.example.com",
        ),
        (
            Effect::Patch(vec![("/values".to_owned(), Some(json!(5)))]),
            "`values`",
        ),
    ];
    let mut phrases = BTreeSet::new();
    for (effect, part) in faults {
        let phrase = told(effect.clone());
        assert!(phrase.contains(part), "{effect:?}: {phrase}");
        assert!(phrases.insert(phrase.clone()), "told before: {phrase}");
    }
}

#[test]
fn a_token_that_is_not_valid_is_told_with_the_way_to_mend_it() {
    let stand_in = StandIn::start(Options::default());
    let failure = Bb::on(stand_in.url(), "an-old-token").failure("list_pull_requests", list());
    assert!(
        failure.contains("401") && failure.contains("BITBUCKET_TOKEN"),
        "{failure}"
    );
    let mut anonymous = Bb::start(&[], &[("BITBUCKET_URL", stand_in.url())]);
    let anonymous = anonymous.failure("list_pull_requests", json!({}));
    assert!(
        anonymous.contains("401") && anonymous != failure,
        "{anonymous}"
    );
}

#[test]
fn a_wrong_password_is_sent_once_however_many_ask() {
    let stand_in = StandIn::start(Options::default());
    let url = stand_in.url().to_owned();
    let variables = [
        ("BITBUCKET_URL", url.as_str()),
        ("BITBUCKET_USERNAME", "wren.okafor"),
        ("BITBUCKET_PASSWORD", "not-this-one"),
    ];
    let mut bb = Bb::start(&[], &variables);
    for _ in 0..3 {
        let arguments = json!({"repo": "ACME/rocket", "id": 42});
        let failure = bb.failure("get_pull_request", arguments);
        assert!(
            failure.contains("BITBUCKET_USERNAME and BITBUCKET_PASSWORD"),
            "{failure}"
        );
    }
    assert_eq!(stand_in.log().len(), 1, "{:?}", stand_in.log());
    let password = stand_in.password_of("wren.okafor");
    let variables = [
        variables[0],
        variables[1],
        ("BITBUCKET_PASSWORD", password.as_str()),
    ];
    let one = Bb::start(&[], &variables)
        .value("get_pull_request", json!({"repo": "ACME/rocket", "id": 42}));
    assert_eq!(one["id"], 42);
}

#[test]
fn json_that_is_not_bitbuckets_is_no_answer() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = Bb::with(&stand_in);
    let session = || {
        Effect::Patch(vec![(
            String::new(),
            Some(json!({"error": "session expired"})),
        )])
    };
    stand_in.fault(Fault::on("GET", ANY, session()));
    for (tool, arguments) in [
        ("list_pull_requests", list()),
        ("search_repositories", json!({})),
        ("get_pull_request", json!({"repo": "ACME/rocket", "id": 42})),
    ] {
        let failure = bb.failure(tool, arguments);
        assert!(
            failure.contains("could not be understood: "),
            "{tool}: {failure}"
        );
    }
    stand_in.clear_faults();
    stand_in.fault(Fault::on(
        "GET",
        ANY,
        Effect::Patch(vec![(String::new(), Some(json!([42])))]),
    ));
    let failure = bb.failure("get_pull_request", json!({"repo": "ACME/rocket", "id": 42}));
    assert!(failure.contains("it is a list, not an object"), "{failure}");
}

#[test]
fn a_bitbucket_that_is_not_there_is_told_with_its_address() {
    let failure = Bb::alone().failure("list_pull_requests", list());
    assert!(failure.contains("127.0.0.1:9"), "{failure}");
    let nobody = Bb::on("https://bitbucket.invalid", "t").failure("list_pull_requests", list());
    assert!(
        nobody.contains("bitbucket.invalid") && nobody != failure,
        "{nobody}"
    );
}

#[test]
fn a_get_is_tried_again_where_that_helps_and_not_more_than_twice() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = Bb::with(&stand_in);
    for effect in [
        Effect::rate_limited(Some("0")),
        Effect::status(502),
        Effect::Reset,
    ] {
        stand_in.clear_log();
        stand_in.fault(Fault::on("GET", LIST, effect).times(2));
        assert_eq!(bb.call("list_pull_requests", list()).get("isError"), None);
        assert_eq!(stand_in.log().len(), 3);
    }
    stand_in.clear_log();
    stand_in.fault(Fault::on("GET", LIST, Effect::status(502)));
    bb.failure("list_pull_requests", list());
    assert_eq!(stand_in.log().len(), 3);
}

#[test]
fn a_rate_limit_in_the_middle_of_a_list_costs_a_wait_or_the_call_and_never_an_entry() {
    let stand_in = StandIn::start(Options {
        caps: BTreeMap::from([("pull-requests".to_owned(), 3)]),
        ..Options::default()
    });
    let mut bb = Bb::with(&stand_in);
    let whole = bb.value("list_pull_requests", list());
    // The third page is refused once, and may be asked for again at once.
    let soon = Effect::rate_limited(Some("0"));
    stand_in.fault(Fault::on("GET", LIST, soon).after(2).times(1));
    assert_eq!(bb.value("list_pull_requests", list()), whole);
    // Or it may not for two minutes, which nobody waits for.
    let late = Effect::rate_limited(Some("120"));
    stand_in.fault(Fault::on("GET", LIST, late).after(2));
    stand_in.clear_log();
    let said = bb.failure("list_pull_requests", list());
    assert!(said.contains("try again in 120 s"), "{said}");
    assert_eq!(stand_in.log().len(), 3, "two pages and the refusal");
}

#[test]
fn one_call_of_sixteen_is_cancelled_and_the_others_answer_over_the_same_connections() {
    let stand_in = StandIn::start(Options {
        latency: Duration::from_millis(50),
        ..Options::default()
    });
    let mut bb = Bb::with(&stand_in);
    bb.call("list_pull_requests", list());
    let slow = "/rest/api/latest/projects/ACME/repos/gantry/pull-requests";
    stand_in.fault(Fault::on("GET", slow, Effect::Stall(None)));
    let cancelled = bb.request(
        "tools/call",
        json!({"name": "list_pull_requests", "arguments": {"repo": "ACME/gantry"}}),
    );
    let others: Vec<u64> = (0..15)
        .map(|_| {
            bb.request(
                "tools/call",
                json!({"name": "list_pull_requests", "arguments": list()}),
            )
        })
        .collect();
    assert!(stand_in.wait_for(
        |log| log.iter().any(|one| one.path.starts_with(slow)),
        PATIENCE
    ));
    bb.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": cancelled}}));
    // The stand-in sees the socket close: nothing but the cancel ends a request that stalls.
    let is_gone =
        |log: &[standin::Logged]| log.iter().any(|one| one.path.starts_with(slow) && one.gone);
    assert!(
        stand_in.wait_for(is_gone, Duration::from_secs(10)),
        "{:?}",
        stand_in.log()
    );
    for id in others {
        assert_eq!(bb.answer(id)["result"].get("isError"), None);
    }
    let before: BTreeSet<u64> = stand_in.log().iter().map(|one| one.connection).collect();
    stand_in.clear_log();
    for _ in 0..3 {
        bb.call("list_pull_requests", list());
    }
    let after: BTreeSet<u64> = stand_in.log().iter().map(|one| one.connection).collect();
    assert!(
        after.is_subset(&before),
        "new connections: {after:?} after {before:?}"
    );
    let (rest, status, _) = bb.end();
    assert_eq!((rest, status.success()), (Vec::new(), true));
}

#[test]
fn a_cancel_ends_the_wait_before_another_try_too() {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("GET", LIST, Effect::rate_limited(Some("10"))));
    let mut bb = Bb::with(&stand_in);
    let id = bb.request(
        "tools/call",
        json!({"name": "list_pull_requests", "arguments": list()}),
    );
    assert!(stand_in.wait_for(
        |log| log.iter().any(|one| one.status == Some(429)),
        PATIENCE
    ));
    bb.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let (rest, _, took) = bb.end();
    assert_eq!(rest, Vec::<Value>::new());
    assert!(
        took < Duration::from_secs(4),
        "it waited for the next try: {took:?}"
    );
}

#[test]
fn a_slow_call_reports_what_it_does_and_the_end_of_input_gives_it_time() {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on(
        "GET",
        P42,
        Effect::Stall(Some(Duration::from_millis(2_500))),
    ));
    let mut bb = Bb::with(&stand_in);
    let params = json!({"name": "get_pull_request", "arguments": {"repo": "ACME/rocket", "id": 42},
        "_meta": {"progressToken": "p"}});
    let id = bb.request("tools/call", params);
    let report = bb.next();
    assert_eq!(
        (&report["method"], &report["params"]["progressToken"]),
        (&json!("notifications/progress"), &json!("p"))
    );
    assert_eq!(
        report["params"]["message"],
        "reading the pull request, its merge checks and its builds"
    );
    let (rest, status, _) = bb.end();
    assert!(status.success());
    let answer = rest
        .iter()
        .find(|line| line["id"] == id)
        .expect("answered after the end of input");
    assert!(
        text(&answer["result"]).contains("Light the engine"),
        "{answer}"
    );
}

#[test]
fn a_call_that_does_not_end_is_left_behind_at_the_end_of_input() {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("GET", LIST, Effect::Stall(None)));
    let mut bb = Bb::with(&stand_in);
    bb.request(
        "tools/call",
        json!({"name": "list_pull_requests", "arguments": list()}),
    );
    assert!(stand_in.wait_for(|log| !log.is_empty(), PATIENCE));
    let (rest, status, took) = bb.end();
    assert_eq!((rest, status.code()), (Vec::new(), Some(0)));
    assert!(
        took >= Duration::from_secs(4) && took < Duration::from_secs(20),
        "{took:?}"
    );
}

#[test]
fn no_more_than_32_requests_are_in_flight() {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("GET", "/rest/*", Effect::Stall(None)));
    let mut bb = Bb::with_args(&stand_in, &["--request-timeout", "60s"]);
    let ids: Vec<u64> = (0..40)
        .map(|_| {
            let arguments = json!({"repo": "ACME/rocket", "id": 42});
            bb.request(
                "tools/call",
                json!({"name": "get_pull_request", "arguments": arguments}),
            )
        })
        .collect();
    assert!(
        stand_in.wait_for(|log| log.len() >= 32, PATIENCE),
        "{}",
        stand_in.log().len()
    );
    assert!(!stand_in.wait_for(|log| log.len() > 32, Duration::from_millis(300)));
    // Answered while all are busy: quick methods never wait.
    assert_eq!(bb.ask("ping", json!({}))["result"], json!({}));
    stand_in.clear_faults();
    stand_in.release();
    for id in ids {
        assert_eq!(bb.answer(id)["result"].get("isError"), None);
    }
}

#[test]
fn a_bb_that_is_killed_in_the_middle_of_a_call_leaves_no_half_line() {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("GET", LIST, Effect::Stall(None)));
    let mut bb = Bb::with(&stand_in);
    bb.request(
        "tools/call",
        json!({"name": "list_pull_requests", "arguments": list()}),
    );
    assert!(stand_in.wait_for(|log| !log.is_empty(), PATIENCE));
    let began = Instant::now();
    let killed = std::process::Command::new("kill")
        .args(["-TERM", &bb.pid().to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
    let (rest, status, _) = bb.end();
    assert_eq!((rest, status.success()), (Vec::new(), false));
    assert!(began.elapsed() < Duration::from_secs(5));
}
