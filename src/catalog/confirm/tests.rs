use super::{Confirm, Confirmation, KEY, Verdict, bound};
use crate::bitbucket::address::BaseUrl;
use crate::catalog::seal::LIFETIME;
use crate::mcp::server::ToolCall;
use crate::tool::args::Input;
use crate::tools::create_tag::TOOL;
use serde_json::{Map, Value, json};
use std::time::Duration;

const ASKED: Duration = Duration::from_secs(60);

fn input(arguments: Value) -> Input {
    let base = BaseUrl::parse("https://code.example.com").expect("an address");
    let arguments: Map<String, Value> = serde_json::from_value(arguments).expect("an object");
    Input::read(arguments, TOOL.target, TOOL.args, &base).expect("sound")
}

fn back(state: String) -> ToolCall {
    let answer = json!({"action": "accept", "content": {"confirm": true}});
    ToolCall {
        name: TOOL.name.to_owned(),
        request_state: Some(state),
        input_responses: Some(Map::from_iter([(KEY.to_owned(), answer)])),
        ..ToolCall::default()
    }
}

#[test]
fn an_answer_counts_for_five_minutes_and_brings_the_version_that_was_shown() {
    let confirm = Confirm::new(false, [5; 32]);
    let input = input(json!({"repo": "ACME/rocket", "name": "v1", "start_point": "main"}));
    for (after, expected) in [
        (Duration::ZERO, Confirmation::Accepted),
        (Duration::from_millis(299_999), Confirmation::Accepted),
        (LIFETIME, Confirmation::Expired),
        (LIFETIME * 100, Confirmation::Expired),
    ] {
        let state = confirm.seal.close(&bound(&TOOL, &input), Some(7), ASKED);
        let (verdict, confirmation) = confirm.answered(&TOOL, &input, &back(state), ASKED + after);
        assert_eq!(confirmation, expected, "{after:?}");
        match verdict {
            Verdict::Run(version) => {
                assert_eq!((version, expected), (Some(7), Confirmation::Accepted))
            }
            Verdict::Stop(why) => assert!(why.contains("more than five minutes"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_answer_is_bound_to_the_tool_and_to_every_argument() {
    let arguments = json!({"repo": "ACME/rocket", "name": "v1", "start_point": "main"});
    let same = json!({"project": "acme", "repo": "rocket", "start_point": "main", "name": "v1"});
    let one = bound(&TOOL, &input(arguments.clone()));
    assert_eq!(one, bound(&TOOL, &input(same)));
    let other = bound(
        &crate::tools::create_branch::TOOL,
        &input(arguments.clone()),
    );
    assert_ne!(one, other);
    for (name, value) in [("name", "v2"), ("message", ""), ("repo", "ACME/rocket2")] {
        let mut altered = arguments.clone();
        altered[name] = json!(value);
        assert_ne!(one, bound(&TOOL, &input(altered)), "{name}");
    }
}
