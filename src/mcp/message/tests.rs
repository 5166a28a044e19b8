use super::{Content, Flaw, Id, Message, read};
use crate::mcp::error::{INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR};

fn one(line: &str) -> Result<Message, Flaw> {
    match read(line.as_bytes()) {
        Content::One(message) => message,
        Content::Batch(_) => panic!("a batch: {line}"),
    }
}

#[track_caller]
fn check_flaw(line: &str, code: i32, id: Option<Id>) {
    match one(line) {
        Err(flaw) => assert_eq!(
            (flaw.error.code, flaw.id),
            (code, id),
            "{line}: {}",
            flaw.error
        ),
        Ok(message) => panic!("{line} was read as {message:?}"),
    }
}

#[track_caller]
fn check_id(written: &str) {
    let Ok(Message::Request(request)) = one(&format!(
        r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#
    )) else {
        panic!("{written} is no id");
    };
    let back = serde_json::to_string(&request.id).expect("an id can be written");
    assert_eq!(back, written);
}

#[test]
fn an_id_comes_back_as_it_came() {
    for written in [
        r#""12""#,
        "12",
        "0",
        "-1",
        r#""0""#,
        "1.0",
        "1e3",
        r#""""#,
        "18446744073709551616",
    ] {
        check_id(written);
    }
}

#[test]
fn an_escaped_id_is_the_same_text() {
    let line = r#"{"jsonrpc":"2.0","id":"a\u2028\ud83d\ude80","method":"ping"}"#;
    let Ok(Message::Request(request)) = one(line) else {
        panic!("no request")
    };
    assert_eq!(request.id, Id::Text("a\u{2028}\u{1F680}".to_owned()));
}

#[test]
fn what_is_no_id_is_refused_without_one() {
    for written in ["null", "true", "[]", "{}"] {
        check_flaw(
            &format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#),
            INVALID_REQUEST,
            None,
        );
    }
}

#[test]
fn a_line_that_is_not_json_has_no_id() {
    for line in [
        r#"{"jsonrpc":"2.0","id":77,"meth"#,
        "ping",
        "{",
        "{]",
        r#"{"a":1}x"#,
        "\u{0}",
    ] {
        check_flaw(line, PARSE_ERROR, None);
    }
    assert!(matches!(
        read(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\"}"),
        Content::One(Err(Flaw { id: None, .. }))
    ));
}

#[test]
fn json_that_is_no_message_is_told_so_under_its_id() {
    let seven = Some(Id::Number("7".to_owned()));
    check_flaw("5", INVALID_REQUEST, None);
    check_flaw("null", INVALID_REQUEST, None);
    check_flaw("{}", INVALID_REQUEST, None);
    check_flaw(
        r#"{"jsonrpc":"2.0","id":7}"#,
        INVALID_REQUEST,
        seven.clone(),
    );
    check_flaw(
        r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
        INVALID_REQUEST,
        seven.clone(),
    );
    check_flaw(
        r#"{"id":7,"method":"ping"}"#,
        INVALID_REQUEST,
        seven.clone(),
    );
    check_flaw(
        r#"{"jsonrpc":"2.0","id":7,"method":5}"#,
        INVALID_REQUEST,
        seven.clone(),
    );
    check_flaw(
        r#"{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}"#,
        INVALID_REQUEST,
        None,
    );
    check_flaw(
        r#"{"jsonrpc":"2.0","id":7,"method":"x","params":[1]}"#,
        INVALID_PARAMS,
        seven,
    );
}

#[test]
fn params_nested_too_deep_cost_one_answer_under_its_id() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    check_flaw(
        &format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{{"a":{deep}}}}}"#),
        INVALID_PARAMS,
        Some(Id::Number("7".to_owned())),
    );
}

#[test]
fn half_a_surrogate_pair_becomes_the_replacement_character() {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\ud83d","b":"\\ud83d \ud83d\ude80 \udc00\n"}}"#;
    let Ok(Message::Request(request)) = one(line) else {
        panic!("no request")
    };
    assert_eq!(request.params["a"], "\u{FFFD}");
    assert_eq!(request.params["b"], "\\ud83d \u{1F680} \u{FFFD}\n");
}

#[test]
fn params_that_are_not_there_are_empty() {
    for params in ["", r#","params":null"#, r#","params":{}"#] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x"{params}}}"#);
        let Ok(Message::Request(request)) = one(&line) else {
            panic!("no request: {line}")
        };
        assert!(request.params.is_empty());
    }
}

#[test]
fn a_notification_is_never_answered_whatever_is_wrong_with_it() {
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/odd","params":[1]}"#,
        r#"{"method":"notifications/odd"}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"?"}}"#,
    ] {
        assert!(matches!(one(line), Ok(Message::Notification(_))), "{line}");
    }
}

#[test]
fn a_response_is_told_from_a_request() {
    let line = r#"{"jsonrpc":"2.0","id":"bb-1","result":{"action":"accept"}}"#;
    let Ok(Message::Response(response)) = one(line) else {
        panic!("no response")
    };
    assert_eq!(response.result.expect("a result")["action"], "accept");
    let refused = r#"{"jsonrpc":"2.0","id":"bb-1","error":{"code":-1,"message":"no"}}"#;
    assert!(matches!(one(refused), Ok(Message::Response(r)) if r.result.is_err()));
}

#[test]
fn each_member_of_a_batch_is_read_for_itself() {
    let Content::Batch(members) = read(br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}, 5]"#) else {
        panic!("no batch");
    };
    assert!(matches!(
        members.as_slice(),
        [Ok(Message::Request(_)), Err(_)]
    ));
    assert!(matches!(read(b"[{]"), Content::One(Err(_))));
}

#[test]
fn two_numbers_are_one_call_if_they_are_one_number() {
    let number = |digits: &str| Id::Number(digits.to_owned());
    for (one, other, is_one) in [
        ("1e2", "100", true),
        ("1.0", "1", true),
        ("7", "8", false),
        // No double holds these.
        ("1e400", "1e500", false),
        ("1e400", "1e400", true),
    ] {
        assert_eq!(number(one).is(&number(other)), is_one, "{one} {other}");
    }
}
