//! Writes whose answers do not come, or are not what they should be: sent once, told as what may have happened.

use super::{Scene, of};
use serde_json::{Value, json};
use standin::{Effect, Fault};

/// Each tool that writes, with arguments that work, and the method that it writes with.
fn each() -> Vec<(&'static str, Value, &'static str)> {
    let create = json!({"repo": "ACME/rocket", "title": "x", "source_branch": "feature/steam"});
    let build = json!({"repo": "ACME/rocket", "commit_id": standin_commit(), "key": "K", "state": "FAILED",
        "url": "https://ci.example.com/1"});
    vec![
        ("create_pull_request", create, "POST"),
        ("update_pull_request", of(42, json!({"title": "x"})), "PUT"),
        ("add_pr_comment", of(42, json!({"text": "x"})), "POST"),
        (
            "update_pr_comment",
            of(42, json!({"comment_id": 420, "text": "x"})),
            "PUT",
        ),
        (
            "submit_pr_review",
            of(44, json!({"action": "approve"})),
            "PUT",
        ),
        ("merge_pull_request", of(54, json!({})), "POST"),
        ("decline_pull_request", of(42, json!({})), "POST"),
        ("reopen_pull_request", of(39, json!({})), "POST"),
        ("set_auto_merge", of(42, json!({"enabled": true})), "POST"),
        (
            "set_auto_merge",
            of(55, json!({"enabled": false})),
            "DELETE",
        ),
        ("set_build_status", build, "POST"),
    ]
}

fn standin_commit() -> String {
    standin::StandIn::start(standin::Options::default()).commit("igniter-3")
}

#[test]
fn a_write_whose_answer_is_lost_is_sent_once_and_told_as_what_may_have_happened() {
    for effect in [
        Effect::Reset,
        Effect::HalfBody,
        Effect::Garbage,
        Effect::status(408),
        Effect::status(500),
        Effect::status(502),
        Effect::status(504),
    ] {
        for (tool, arguments, method) in each() {
            // An answer without a body cannot be cut or garbled so that it shows.
            let is_bodiless = tool == "set_build_status" || method == "DELETE";
            if is_bodiless && matches!(effect, Effect::HalfBody | Effect::Garbage) {
                continue;
            }
            let mut scene = Scene::of("wren.okafor");
            scene.stand_in.fault(Fault::on(method, "*", effect.clone()));
            let (phrase, outcome) = scene.refused(tool, arguments);
            let told = outcome["errors"][0]["message"].as_str().expect("a message");
            for said in [phrase.as_str(), told] {
                assert!(
                    said.contains("may have happened"),
                    "{tool} {effect:?}: {said}"
                );
                assert!(
                    said.contains(scene.stand_in.url()),
                    "{tool} says where to look: {said}"
                );
            }
            assert_eq!(
                scene.writes().len(),
                1,
                "{tool} {effect:?}: {:?}",
                scene.writes()
            );
        }
    }
}

#[test]
fn a_pull_request_whose_answer_is_lost_is_looked_for_where_pull_requests_are_listed() {
    let mut scene = Scene::of("wren.okafor");
    scene
        .stand_in
        .fault(Fault::on("POST", "*", Effect::HalfBody));
    let (tool, arguments, _) = each().remove(0);
    let (phrase, _) = scene.refused(tool, arguments);
    let page = format!(
        "look at {}/projects/ACME/repos/rocket/pull-requests?state=OPEN before",
        scene.stand_in.url()
    );
    assert!(phrase.contains(&page), "{phrase}");
}

#[test]
fn a_write_that_bitbucket_refused_is_never_told_as_what_may_have_happened() {
    for status in [400, 401, 403, 404, 409, 429, 503] {
        for (tool, arguments, method) in each() {
            // No auto-merge to cancel is what was wished for.
            if (status, method) == (404, "DELETE") {
                continue;
            }
            let mut scene = Scene::of("wren.okafor");
            scene
                .stand_in
                .fault(Fault::on(method, "*", Effect::status(status)));
            let (phrase, _) = scene.refused(tool, arguments);
            assert!(
                !phrase.contains("may have happened"),
                "{tool} {status}: {phrase}"
            );
            assert!(
                phrase.contains(&status.to_string()),
                "{tool} {status}: {phrase}"
            );
            assert_eq!(
                scene.writes().len(),
                1,
                "{tool} {status}: {:?}",
                scene.writes()
            );
        }
    }
}
