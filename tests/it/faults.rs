//! What keeps bb from Bitbucket, each told apart (Q4) and survived, over real sockets.

use crate::support::{Bb, NOWHERE, PATIENCE, command, text};
use serde_json::{Value, json};
use standin::{Body, Effect, Fault, Options, Proxy, ProxyOptions, StandIn, Tls, certificate};
use std::collections::BTreeSet;
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

/// Everything between bb and Bitbucket that a locked-down workstation has.
struct Guarded {
    stand_in: StandIn,
    proxy: Proxy,
    proxy_url: String,
}

impl Guarded {
    fn start() -> Self {
        let proxy = Proxy::start(ProxyOptions {
            credentials: Some(("wren".to_owned(), "pass word".replace(' ', "-"))),
            ..ProxyOptions::default()
        });
        Self {
            stand_in: StandIn::start(Options {
                tls: Tls::ClientCertificate,
                ..Options::default()
            }),
            proxy_url: proxy.url_with_credentials(),
            proxy,
        }
    }

    /// The arguments that lead through it, with some of them exchanged or, for an empty value, left out.
    fn arguments(&self, other: &[(&str, &str)]) -> Vec<String> {
        let (cert, key) = self.stand_in.client_pair();
        let ca = self.stand_in.ca_file();
        let mut all = vec![
            ("--proxy", self.proxy_url.clone()),
            ("--ca-file", ca.display().to_string()),
            ("--client-cert", cert.display().to_string()),
            ("--client-key", key.display().to_string()),
        ];
        for (name, value) in other {
            for (known, kept) in &mut all {
                if known == name {
                    *kept = (*value).to_owned();
                }
            }
        }
        all.retain(|(_, value)| !value.is_empty());
        all.into_iter()
            .flat_map(|(name, value)| [name.to_owned(), value])
            .collect()
    }

    fn variables(&self) -> [(&'static str, String); 2] {
        [
            ("BITBUCKET_URL", self.stand_in.url().to_owned()),
            ("BITBUCKET_TOKEN", self.stand_in.token()),
        ]
    }

    fn check(&self, other: &[(&str, &str)]) -> (i32, Value) {
        let arguments = self.arguments(other);
        let arguments: Vec<&str> = ["ai", "mcp", "check", "--json"]
            .into_iter()
            .chain(arguments.iter().map(String::as_str))
            .collect();
        let variables = self.variables();
        let variables: Vec<(&str, &str)> = variables
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let output = command(&arguments, &variables).output().expect("bb runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            !said.contains("pass-word") && !said.contains(&self.stand_in.token()),
            "{said}"
        );
        let code = output.status.code().expect("an exit code");
        (
            code,
            serde_json::from_str(&said)
                .unwrap_or_else(|error| panic!("{error}: {said} {output:?}")),
        )
    }

    fn told(&self, other: &[(&str, &str)]) -> String {
        let arguments = self.arguments(other);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let variables = self.variables();
        let variables: Vec<(&str, &str)> = variables
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let mut bb = Bb::start(&arguments, &variables);
        text(&bb.call("list_pull_requests", list())).to_owned()
    }
}

/// What is exchanged, the part of `check` that fails for it, and words of the phrase.
type Exchanged<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

fn failed(report: &Value) -> Vec<&str> {
    let checks = report["checks"].as_array().expect("checks");
    checks
        .iter()
        .filter(|check| check["ok"] == false)
        .filter_map(|check| check["name"].as_str())
        .collect()
}

#[test]
fn through_a_proxy_with_a_private_ca_and_a_client_certificate() {
    let guarded = Guarded::start();
    let said = guarded.told(&[]);
    assert!(said.contains("Light the engine"), "{said}");
    assert!(
        guarded
            .proxy
            .passed()
            .iter()
            .all(|one| one.method == "CONNECT" && one.status == 200)
    );
    let (code, report) = guarded.check(&[]);
    assert_eq!((code, &report["ok"]), (0, &json!(true)), "{report}");
    let names: Vec<&str> = report["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .filter_map(|check| check["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "files",
            "proxy",
            "tls",
            "client-certificate",
            "bitbucket",
            "user",
            "tools",
            "kinds",
        ]
    );
    let hidden = report["settings"].as_array().expect("settings");
    assert!(
        hidden.iter().any(|one| one["value"] == "(hidden)"),
        "{hidden:?}"
    );
}

#[test]
fn each_of_the_three_missing_or_wrong_has_its_phrase_and_check_names_it() {
    let guarded = Guarded::start();
    let bare = guarded.proxy.url();
    let wrong = bare.replace("//", "//wren:wrong@");
    let refusing = Proxy::start(ProxyOptions {
        refuse: true,
        ..ProxyOptions::default()
    });
    let other_ca = certificate("other-ca.pem").display().to_string();
    let mut phrases = BTreeSet::new();
    let cases: [Exchanged; 6] = [
        (&[("--proxy", &bare)], "proxy", "wants credentials"),
        (&[("--proxy", &wrong)], "proxy", "credentials"),
        (&[("--proxy", &refusing.url())], "proxy", "403"),
        (&[("--ca-file", "")], "tls", "--ca-file, BB_CA_FILE"),
        (&[("--ca-file", &other_ca)], "tls", "other-ca.pem"),
        (
            &[("--client-cert", ""), ("--client-key", "")],
            "client-certificate",
            "--client-cert",
        ),
    ];
    for (other, part, words) in cases {
        let phrase = guarded.told(other);
        assert!(phrase.contains(words), "{other:?}: {phrase}");
        assert!(!phrase.contains("wren:wrong"), "{phrase}");
        phrases.insert(phrase);
        let (code, report) = guarded.check(other);
        assert_eq!(
            (code, failed(&report)),
            (10, vec![part]),
            "{other:?}: {report}"
        );
    }
    assert_eq!(phrases.len(), 6, "{phrases:#?}");
}

#[test]
fn files_that_cannot_be_used_are_refused_before_anything_starts() {
    let guarded = Guarded::start();
    let path = |name: &str| certificate(name).display().to_string();
    for (other, words) in [
        (("--client-key", path("unrelated.key")), "--client-key"),
        (("--client-key", path("client.encrypted.key")), "openssl"),
        (("--client-cert", path("client.p12")), "openssl"),
        (("--ca-file", path("client.key")), "--ca-file"),
        (("--ca-file", path("no-such-file.pem")), "--ca-file"),
    ] {
        let other = [(other.0, other.1.as_str())];
        let arguments = guarded.arguments(&other);
        let arguments: Vec<&str> = ["ai", "mcp", "serve"]
            .into_iter()
            .chain(arguments.iter().map(String::as_str))
            .collect();
        let output = command(&arguments, &[("BITBUCKET_URL", NOWHERE)])
            .output()
            .expect("bb runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{other:?}: {said}");
        assert!(
            said.starts_with("bb: ") && said.contains(words),
            "{other:?}: {said}"
        );
        assert_eq!(output.stdout, b"", "{other:?}");
    }
    assert_eq!(guarded.stand_in.log().len(), 0);
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
