//! Asking the person before a tool that asks, over the real binary and in both eras of the protocol.
//!
//! An answer that comes too late needs a clock that a test can move: `src/catalog/seal.rs` tests that.

use crate::support::{Bb, modern, text};
use serde_json::{Map, Value, json};
use standin::{Effect, Fault, Options, StandIn};

pub(crate) fn arguments() -> Value {
    json!({"project": "acme", "repo": "rocket", "name": "v9.9.9", "start_point": "main"})
}

/// Tags that Bitbucket was asked to create.
pub(crate) fn created(stand_in: &StandIn) -> usize {
    let log = stand_in.log();
    let is_creation = |path: &str| path.ends_with("/tags");
    log.iter()
        .filter(|sent| sent.method == "POST" && is_creation(&sent.path))
        .count()
}

/// A client before MCP 2026-07-28, with these capabilities.
pub(crate) fn legacy(stand_in: &StandIn, version: &str, capabilities: Value, more: &[&str]) -> Bb {
    let mut bb = Bb::with_args(stand_in, more);
    bb.ask(
        "initialize",
        json!({"protocolVersion": version, "capabilities": capabilities,
               "clientInfo": {"name": "test", "version": "1"}}),
    );
    bb
}

pub(crate) fn can_ask() -> Value {
    json!({"elicitation": {"form": {}}})
}

/// Calls as a client before MCP 2026-07-28; gives the question's params and the result.
pub(crate) fn ask_legacy(bb: &mut Bb, answer: Value) -> (Value, Value) {
    let id = bb.request(
        "tools/call",
        json!({"name": "create_tag", "arguments": arguments()}),
    );
    let question = bb.next();
    assert_eq!(question["method"], "elicitation/create", "{}", bb.story());
    bb.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
    (question["params"].clone(), bb.answer(id)["result"].clone())
}

/// Calls as a client of MCP 2026-07-28, with more members; gives the whole answer.
pub(crate) fn call_modern(bb: &mut Bb, arguments: Value, more: Value) -> Value {
    let mut params =
        json!({"name": "create_tag", "arguments": arguments, "_meta": modern(can_ask())});
    for (name, value) in more.as_object().into_iter().flatten() {
        params[name] = value.clone();
    }
    bb.ask("tools/call", params)
}

/// The state and the question's params of an answer that asks.
#[track_caller]
pub(crate) fn asked(answer: &Value) -> (String, Value) {
    let result = &answer["result"];
    assert_eq!(result["resultType"], "input_required", "{answer}");
    let requests = result["inputRequests"].as_object().expect("requests");
    let (key, request) = requests.iter().next().expect("one");
    assert_eq!((requests.len(), key.as_str()), (1, "confirm"));
    assert_eq!(request["method"], "elicitation/create");
    let state = result["requestState"].as_str().expect("a state").to_owned();
    (state, request["params"].clone())
}

pub(crate) fn agreed() -> Value {
    json!({"action": "accept", "content": {"confirm": true}})
}

/// What an answer of the person comes to: a part of the text, and whether the tag is created.
pub(crate) fn answers() -> Vec<(&'static str, Value, &'static str, bool)> {
    vec![
        ("accepted", agreed(), "refs/tags/v9.9.9", true),
        (
            "declined",
            json!({"action": "decline"}),
            "create_tag did not run: the person declined",
            false,
        ),
        (
            "cancelled",
            json!({"action": "cancel"}),
            "the person closed the question without an answer",
            false,
        ),
        (
            "unticked",
            json!({"action": "accept", "content": {"confirm": false}}),
            "without ticking its box",
            false,
        ),
        (
            "accepted without a box",
            json!({"action": "accept"}),
            "without ticking its box",
            false,
        ),
        (
            "ticked in words",
            json!({"action": "accept", "content": {"confirm": "true"}}),
            "without ticking its box",
            false,
        ),
        (
            "ticked and declined",
            json!({"action": "decline", "content": {"confirm": true}}),
            "the person declined",
            false,
        ),
        (
            "no answer of the protocol",
            json!({"confirm": true}),
            "the person closed the question",
            false,
        ),
    ]
}

#[track_caller]
fn check(stand_in: &StandIn, what: &str, result: &Value, said: &str, is_created: bool) {
    assert!(text(result).contains(said), "{what}: {result}\nnot: {said}");
    assert_eq!(result["isError"] == true, !is_created, "{what}: {result}");
    assert_eq!(created(stand_in), usize::from(is_created), "{what}");
    let outcome = &result["_meta"]["bb/outcome"];
    assert_eq!(outcome["done"], is_created, "{what}: {result}");
}

#[test]
fn only_a_ticked_accept_lets_a_call_run_in_either_era() {
    for (what, answer, said, is_created) in answers() {
        let stand_in = StandIn::start(Options::default());
        let mut bb = legacy(&stand_in, "2025-11-25", can_ask(), &[]);
        let (_, result) = ask_legacy(&mut bb, answer.clone());
        check(&stand_in, what, &result, said, is_created);

        let stand_in = StandIn::start(Options::default());
        let mut bb = Bb::with(&stand_in);
        let (state, _) = asked(&call_modern(&mut bb, arguments(), json!({})));
        assert_eq!(created(&stand_in), 0);
        let back = json!({"requestState": state, "inputResponses": {"confirm": answer}});
        let result = call_modern(&mut bb, arguments(), back)["result"].clone();
        check(&stand_in, what, &result, said, is_created);
    }
}

#[test]
fn the_question_is_one_required_unticked_box_that_names_the_target() {
    let stand_in = StandIn::start(Options::default());
    for (version, has_mode) in [
        ("2024-11-05", false),
        ("2025-03-26", false),
        ("2025-06-18", false),
        ("2025-11-25", true),
    ] {
        let mut bb = legacy(&stand_in, version, json!({"elicitation": {}}), &[]);
        let (question, _) = ask_legacy(&mut bb, json!({"action": "decline"}));
        check_question(&question, has_mode);
    }
    let mut bb = Bb::with(&stand_in);
    let (_, question) = asked(&call_modern(&mut bb, arguments(), json!({})));
    check_question(&question, true);
}

#[track_caller]
fn check_question(question: &Value, has_mode: bool) {
    let mode = has_mode.then_some("form");
    assert_eq!(question.get("mode").and_then(Value::as_str), mode);
    let message = question["message"].as_str().expect("a message");
    assert!(
        message.contains("v9.9.9") && message.contains("ACME/rocket"),
        "{message}"
    );
    let schema = &question["requestedSchema"];
    assert_eq!(schema["required"], json!(["confirm"]));
    let properties: &Map<String, Value> = schema["properties"].as_object().expect("one");
    assert_eq!(properties.len(), 1);
    let tick = &properties["confirm"];
    assert_eq!(
        (&tick["type"], &tick["default"]),
        (&json!("boolean"), &json!(false))
    );
    assert_eq!(tick["title"], "Create tag: ACME/rocket");
}

#[test]
fn a_client_that_cannot_ask_is_told_in_the_words_of_its_era() {
    let stand_in = StandIn::start(Options::default());
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
        let mut bb = legacy(&stand_in, "2025-11-25", capabilities.clone(), &[]);
        let said = bb.failure("create_tag", arguments());
        let page = format!("{}/projects/ACME/repos/rocket/browse", stand_in.url());
        assert!(
            said.contains("--no-confirm") && said.contains(&page),
            "{said}"
        );
        let params =
            json!({"name": "create_tag", "arguments": arguments(), "_meta": modern(capabilities)});
        let error = Bb::with(&stand_in).ask("tools/call", params)["error"].clone();
        assert_eq!(error["code"], -32021);
        assert_eq!(
            error["data"],
            json!({"requiredCapabilities": {"elicitation": {}}})
        );
    }
    // It says that it can, and cannot.
    let mut bb = legacy(&stand_in, "2025-06-18", can_ask(), &[]);
    let id = bb.request(
        "tools/call",
        json!({"name": "create_tag", "arguments": arguments()}),
    );
    let question = bb.next();
    let error = json!({"code": -32601, "message": "no such method"});
    bb.send(&json!({"jsonrpc": "2.0", "id": question["id"], "error": error}));
    let result = bb.answer(id)["result"].clone();
    assert!(
        text(&result).contains("could not ask: no such method")
            && text(&result).contains("--no-confirm")
    );
    assert_eq!(stand_in.log().len(), 0);
}

#[test]
fn no_confirm_asks_nobody() {
    for capabilities in [json!({}), can_ask()] {
        let stand_in = StandIn::start(Options::default());
        let mut bb = legacy(&stand_in, "2025-11-25", capabilities, &["--no-confirm"]);
        assert_eq!(
            bb.value("create_tag", arguments())["id"],
            "refs/tags/v9.9.9"
        );
        assert_eq!(created(&stand_in), 1);
    }
}

#[test]
fn an_answer_holds_for_the_call_that_asked_and_for_it_alone() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = Bb::with(&stand_in);
    let (state, _) = asked(&call_modern(&mut bb, arguments(), json!({})));
    let with =
        |state: &str| json!({"requestState": state, "inputResponses": {"confirm": agreed()}});
    let altered = |name: &str, value: &str| {
        let mut arguments = arguments();
        arguments[name] = json!(value);
        arguments
    };
    let of_another = {
        let mut other = Bb::with(&stand_in);
        asked(&call_modern(&mut other, arguments(), json!({}))).0
    };
    let forged = |at: usize| {
        let mut bytes = state.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        String::from_utf8(bytes).expect("ASCII")
    };
    let forgery = "`requestState` is none that bb gave";
    let alteration = "asked about other arguments than these";
    for (arguments, more, said) in [
        (arguments(), with(&of_another), forgery),
        (arguments(), with(&forged(3)), forgery),
        (arguments(), with(&forged(state.len() - 1)), forgery),
        (arguments(), with(""), forgery),
        (
            arguments(),
            json!({"inputResponses": {"confirm": agreed()}}),
            forgery,
        ),
        (altered("name", "v9.9.8"), with(&state), alteration),
        (altered("start_point", "develop"), with(&state), alteration),
        (altered("repo", "boosters"), with(&state), alteration),
        (altered("message", "more"), with(&state), alteration),
    ] {
        let result = call_modern(&mut bb, arguments, more)["result"].clone();
        check(&stand_in, said, &result, said, false);
    }
    // The same call in another spelling is the same call.
    let spelled =
        json!({"repo": "ACME/rocket", "start_point": "main", "name": "v9.9.9", "message": null});
    let result = call_modern(&mut bb, spelled, with(&state))["result"].clone();
    check(&stand_in, "accepted", &result, "refs/tags/v9.9.9", true);
    let again = call_modern(&mut bb, arguments(), with(&state))["result"].clone();
    assert!(text(&again).contains("was used before"), "{again}");
    assert_eq!(created(&stand_in), 1);
}

#[test]
fn a_no_uses_the_answer_up_as_well() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = Bb::with(&stand_in);
    let (state, _) = asked(&call_modern(&mut bb, arguments(), json!({})));
    for (answer, said) in [
        (json!({"action": "decline"}), "the person declined"),
        (agreed(), "was used before"),
    ] {
        let back = json!({"requestState": state, "inputResponses": {"confirm": answer}});
        let result = call_modern(&mut bb, arguments(), back)["result"].clone();
        check(&stand_in, said, &result, said, false);
    }
}

#[test]
fn nobody_is_asked_about_a_call_that_could_not_run() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = legacy(&stand_in, "2025-11-25", can_ask(), &["--project", "FLEET"]);
    for arguments in [
        json!({"project": "FLEET", "repo": "dock"}),
        json!({"project": "ACME", "repo": "rocket", "name": "a", "start_point": "main"}),
    ] {
        bb.failure("create_tag", arguments);
    }
    assert_eq!(stand_in.log().len(), 0);
}

#[test]
fn a_cancelled_call_takes_its_question_back_and_never_runs() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = legacy(&stand_in, "2025-11-25", can_ask(), &[]);
    let id = bb.request(
        "tools/call",
        json!({"name": "create_tag", "arguments": arguments()}),
    );
    let question = bb.next();
    bb.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let taken_back = bb.next();
    assert_eq!(taken_back["method"], "notifications/cancelled");
    assert_eq!(taken_back["params"]["requestId"], question["id"]);
    // An answer that comes all the same is an answer to nothing.
    bb.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": agreed()}));
    let (rest, status, _) = bb.end();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
    assert_eq!(created(&stand_in), 0);
}

#[test]
fn a_person_who_takes_long_is_told_of_while_thirty_two_other_calls_run() {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("*", "*/tags/v1.4.0", Effect::Stall(None)));
    let patient = ["--request-timeout", "60s"];
    let mut bb = legacy(&stand_in, "2025-11-25", can_ask(), &patient);
    let asking = bb.request(
        "tools/call",
        json!({"name": "create_tag", "arguments": arguments(), "_meta": {"progressToken": "person"}}),
    );
    let question = bb.next();
    assert_eq!(question["method"], "elicitation/create", "{}", bb.story());
    let others: Vec<u64> = (0..32)
        .map(|_| {
            let wanted = json!({"repo": "ACME/rocket", "ref": "refs/tags/v1.4.0"});
            bb.request(
                "tools/call",
                json!({"name": "resolve_ref", "arguments": wanted}),
            )
        })
        .collect();
    // All thirty-two have a place, so the call that waits has none.
    let are_running = stand_in.wait_for(|log| log.len() == 32, crate::support::PATIENCE);
    assert!(are_running, "{}", bb.story());
    let report = bb.next();
    assert_eq!(report["method"], "notifications/progress", "{report}");
    assert_eq!(report["params"]["progressToken"], "person");
    assert!(
        report["params"]["progress"].as_u64() >= Some(10),
        "{report}"
    );
    stand_in.release();
    for id in others {
        let answer = bb.answer(id);
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
    bb.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": agreed()}));
    let result = bb.answer(asking)["result"].clone();
    check(
        &stand_in,
        "after a while",
        &result,
        "refs/tags/v9.9.9",
        true,
    );
}
