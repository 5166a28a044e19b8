//! JSON that is somebody else's, from a proxy in the way or a Bitbucket that broke: no tool and no view takes it for
//! "there is nothing".

use crate::hostile::calls;
use crate::support::views::rendering;
use crate::support::{Bb, text};
use bb::catalog::TOOLS;
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn};

/// Bodies that come with status 200 and answer nothing that is asked here.
const BODIES: [&str; 4] = [
    "{}",
    "[]",
    r#"{"values":null}"#,
    r#"{"error":"session expired"}"#,
];

fn answering(body: &str) -> Fault {
    Fault::on("*", "/rest/*", Effect::Answer(body.as_bytes().to_vec()))
}

#[track_caller]
fn check(what: &str, result: &Value) {
    let said = text(result);
    assert_eq!(result["isError"], true, "{what}: {said}");
    assert!(
        said.contains("Bitbucket's answer could not be understood: ")
            && said.contains("(is this Bitbucket? --host, BITBUCKET_URL)"),
        "{what}: {said}"
    );
}

#[test]
fn no_tool_takes_a_strangers_json_for_nothing() {
    let stand_in = StandIn::start(Options::default());
    let calls = calls(&stand_in.commit("hostile-1"));
    let mut bb = Bb::with(&stand_in);
    for body in BODIES {
        stand_in.clear_faults();
        stand_in.fault(answering(body));
        for tool in TOOLS.iter().filter(|tool| tool.effect.is_reading()) {
            let Some((_, arguments)) = calls.iter().find(|(name, _)| *name == tool.name) else {
                panic!("no call of {} stands in this walk", tool.name)
            };
            let result = bb.call(tool.name, arguments.clone());
            check(&format!("{} on {body}", tool.name), &result);
        }
    }
}

#[test]
fn no_view_takes_a_strangers_json_for_nothing() {
    let stand_in = StandIn::start(Options::default());
    let commit = stand_in.commit("hostile-1");
    let mut bb = rendering(&stand_in);
    for body in BODIES {
        stand_in.clear_faults();
        stand_in.fault(answering(body));
        for view in [
            json!({"kind": "pull_request", "id": 42}),
            json!({"kind": "pull_requests"}),
            json!({"kind": "diff", "id": 42}),
            json!({"kind": "diff", "id": 42, "path": "docs/start.md"}),
            json!({"kind": "diff", "from": "feature/steam", "to": "main"}),
            json!({"kind": "diff", "commit_id": commit}),
            json!({"kind": "commits"}),
            json!({"kind": "builds", "id": 42}),
            json!({"kind": "builds", "commit_id": commit}),
            json!({"kind": "create_pull_request", "source_branch": "feature/steam"}),
        ] {
            let mut arguments = json!({"project": "ACME", "repo": "rocket"});
            for (name, value) in view.as_object().into_iter().flatten() {
                arguments[name] = value.clone();
            }
            let result = bb.call("show", arguments);
            check(&format!("{view} on {body}"), &result);
        }
    }
}

#[test]
fn a_write_that_a_stranger_answers_may_have_happened() {
    let stand_in = StandIn::start(Options::default());
    let calls = calls(&stand_in.commit("hostile-1"));
    for body in BODIES {
        for tool in TOOLS.iter().filter(|tool| !tool.effect.is_reading()) {
            let Some((_, arguments)) = calls.iter().find(|(name, _)| *name == tool.name) else {
                panic!("no call of {} stands in this walk", tool.name)
            };
            let stand_in = StandIn::start(Options::default());
            let mut bb = Bb::with_args(&stand_in, &["--no-confirm"]);
            for method in ["POST", "PUT", "DELETE"] {
                let effect = Effect::Answer(body.as_bytes().to_vec());
                stand_in.fault(Fault::on(method, "/rest/*", effect));
            }
            let result = bb.call(tool.name, arguments.clone());
            let what = format!("{} on {body}", tool.name);
            // Bitbucket's own answer to a build is empty.
            if tool.name == "set_build_status" {
                continue;
            }
            check(&what, &result);
            let said = text(&result);
            assert!(said.contains("it may have happened"), "{what}: {said}");
            assert_eq!(result["_meta"]["bb/outcome"]["done"], false, "{what}");
        }
    }
}

#[test]
fn a_setting_that_a_stranger_answers_is_not_taken_for_off() {
    let stand_in = StandIn::start(Options::default());
    let settings = "/rest/api/latest/projects/ACME/repos/rocket/settings/auto-merge";
    stand_in.fault(Fault::on("GET", settings, Effect::Answer(b"{}".to_vec())));
    let mut bb = Bb::with_args(&stand_in, &["--no-confirm"]);
    let result = bb.call(
        "set_auto_merge",
        json!({"repo": "ACME/rocket", "id": 42, "enabled": true}),
    );
    check("set_auto_merge", &result);
    let writes = stand_in.log();
    assert!(writes.iter().all(|one| one.method == "GET"), "{writes:?}");
}
