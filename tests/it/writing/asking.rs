//! What the person is asked before a write, and that what they agreed to is what is done.

use super::{API, Scene, of};
use crate::support::{Bb, text};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn, Step};

/// A stand-in, and bb on it for a client that can ask.
fn asking(user: &str) -> Scene {
    let stand_in = StandIn::start(Options {
        user: user.to_owned(),
        ..Options::default()
    });
    let mut bb = Bb::with(&stand_in);
    bb.ask(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {"form": {}}},
               "clientInfo": {"name": "test", "version": "1"}}),
    );
    Scene { stand_in, bb }
}

impl Scene {
    /// Calls, lets `meanwhile` happen while the question stands, and agrees; gives the question and the result.
    #[track_caller]
    fn agree(
        &mut self,
        tool: &str,
        arguments: Value,
        meanwhile: impl FnOnce(&StandIn),
    ) -> (String, Value) {
        let id = self
            .bb
            .request("tools/call", json!({"name": tool, "arguments": arguments}));
        let question = self.bb.next();
        assert_eq!(
            question["method"],
            "elicitation/create",
            "{}",
            self.bb.story()
        );
        meanwhile(&self.stand_in);
        let answer = json!({"action": "accept", "content": {"confirm": true}});
        self.bb
            .send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
        let message = question["params"]["message"]
            .as_str()
            .expect("a text")
            .to_owned();
        (message, self.bb.answer(id)["result"].clone())
    }
}

#[test]
fn each_question_names_its_target_the_version_and_what_would_be_done() {
    let commit = StandIn::start(Options::default()).commit("igniter-3");
    let tip = &commit[..11];
    for (user, tool, arguments, question) in [
        (
            "wren.okafor",
            "merge_pull_request",
            of(54, json!({"strategy": "squash", "delete_source_branch": true})),
            "Merge pull request 54 of ACME/rocket (version 0) into main by squash and delete the branch docs/ready: \
             \"Say when it is ready\"?".to_owned(),
        ),
        (
            "mira.solano",
            "submit_pr_review",
            of(42, json!({"action": "approve"})),
            format!(
                "Approve pull request 42 of ACME/rocket (version 5) at commit {tip}: \
                 \"Light the engine with a real igniter\"?"
            ),
        ),
        (
            "wren.okafor",
            "update_pull_request",
            of(43, json!({"draft": false})),
            "Turn pull request 43 of ACME/rocket (version 0) ready for review: \"Sketch the second stage\"?".to_owned(),
        ),
        (
            "wren.okafor",
            "decline_pull_request",
            of(42, json!({"comment": "No, thanks"})),
            "Decline pull request 42 of ACME/rocket (version 5) with a comment of 10 characters: \
             \"Light the engine with a real igniter\"?".to_owned(),
        ),
        (
            "wren.okafor",
            "reopen_pull_request",
            of(39, json!({})),
            "Reopen pull request 39 of ACME/rocket (version 3): \"Fly on steam\"?".to_owned(),
        ),
        (
            "wren.okafor",
            "set_auto_merge",
            of(54, json!({"enabled": true})),
            "Merge pull request 54 of ACME/rocket (version 0) into main at once, for its checks pass now: \
             \"Say when it is ready\"?".to_owned(),
        ),
        (
            "wren.okafor",
            "set_auto_merge",
            of(42, json!({"enabled": true, "strategy": "squash"})),
            "Merge pull request 42 of ACME/rocket (version 5) into main by squash as soon as its checks pass: \
             \"Light the engine with a real igniter\"?".to_owned(),
        ),
        (
            "wren.okafor",
            "set_build_status",
            json!({"repo": "ACME/rocket", "commit_id": commit, "key": "K", "state": "FAILED",
                "url": "https://ci.example.com/1", "name": "Launch\n\u{202e}", "parent": "ci/test"}),
            format!(
                "Set a build of commit {commit} of ACME/rocket to FAILED, with a link to https://ci.example.com/1: \
                 key \"K\", parent \"ci/test\", name \"Launch <U+202E>\"?"
            ),
        ),
        (
            "wren.okafor",
            "update_pull_request",
            of(43, json!({"draft": false, "title": "Stage two", "description": "", "add_reviewers": ["mira.solano"]})),
            "Turn pull request 43 of ACME/rocket (version 0) ready for review, and replace its description by 0 \
             characters, and add mira.solano as reviewers, and call it \"Stage two\": \"Sketch the second stage\"?".to_owned(),
        ),
    ] {
        let mut scene = asking(user);
        let (said, result) = scene.agree(tool, arguments, |_| ());
        assert_eq!(said, question);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        assert_eq!(result["_meta"]["bb/outcome"]["done"], true);
    }
}

/// The longest name of a branch or tag that a call may give.
fn long(sign: char) -> String {
    sign.to_string().repeat(512)
}

/// The longest call of each tool that asks, and what its question must say of it. A tool that nobody thought of here
/// fails the walk.
fn longest(tool: &str, commit: &str) -> (&'static str, Value, Vec<String>) {
    let prose = "t".repeat(32_768);
    let with = |what: &str| format!(" with {what} of 32768 characters");
    let people = |sign: char| -> Vec<String> {
        (0..100)
            .map(|at| format!("{sign}{at}{}", "o".repeat(250)))
            .collect()
    };
    let into = format!(" into {}", long('r'));
    match tool {
        "merge_pull_request" => (
            "wren.okafor",
            of(
                54,
                json!({"strategy": "squash", "delete_source_branch": true, "message": prose}),
            ),
            vec![
                format!("{into} by squash{}", with("a message")),
                format!("and delete the branch {}", long('s')),
            ],
        ),
        "set_auto_merge" => (
            "wren.okafor",
            of(54, json!({"enabled": true, "strategy": "squash"})),
            vec![format!("{into} by squash at once, for its checks pass now")],
        ),
        "decline_pull_request" => (
            "wren.okafor",
            of(54, json!({"comment": prose})),
            vec!["Decline pull request 54".to_owned(), with("a comment")],
        ),
        "reopen_pull_request" => (
            "wren.okafor",
            of(39, json!({"comment": prose})),
            vec!["Reopen pull request 39".to_owned(), with("a comment")],
        ),
        "submit_pr_review" => (
            "wren.okafor",
            of(54, json!({"action": "needs_work"})),
            vec![
                "Request changes of pull request 54".to_owned(),
                "at commit".to_owned(),
            ],
        ),
        "update_pull_request" => (
            "wren.okafor",
            of(
                54,
                json!({
                    "draft": true, "title": "z".repeat(255), "description": prose, "target_branch": long('q'),
                    "add_reviewers": people('a'), "remove_reviewers": people('b'),
                }),
            ),
            vec![
                "Turn pull request 54".to_owned(),
                "back to a draft".to_owned(),
                "replace its description by 32768 characters".to_owned(),
                format!("have it merged into {}", long('q')),
                "and add a0ooo".to_owned(),
                "and remove b0ooo".to_owned(),
                "and 80 more as reviewers".to_owned(),
                format!("call it \"{}\"", "z".repeat(255)),
            ],
        ),
        "create_tag" => (
            "wren.okafor",
            json!({"repo": "ACME/rocket", "name": long('n'), "start_point": long('p'), "message": prose}),
            vec![
                "Create a tag in ACME/rocket".to_owned(),
                format!("at {}{}: {}?", long('p'), with("a message"), long('n')),
            ],
        ),
        "set_build_status" => {
            let link = format!("https://ci.example.com/{}", "u".repeat(427));
            let said = format!(
                "of commit {commit} of ACME/rocket to FAILED, for {}, with a link to {link}",
                long('r')
            );
            let parent = "e".repeat(255);
            let call = json!({"repo": "ACME/rocket", "commit_id": commit, "key": "k".repeat(255), "state": "FAILED",
                "url": link, "name": "m".repeat(255), "parent": parent, "ref": long('r')});
            ("wren.okafor", call, vec![said, parent])
        }
        other => panic!("no call of {other} stands in this walk"),
    }
}

#[test]
fn the_longest_texts_push_nothing_that_would_be_done_out_of_the_question() {
    let commit = StandIn::start(Options::default()).commit("igniter-3");
    for tool in bb::catalog::TOOLS {
        if !tool.effect.may_ask() {
            continue;
        }
        let (user, arguments, said) = longest(tool.name, &commit);
        let mut scene = asking(user);
        for (id, title) in [(54, "i"), (39, "j")] {
            let patch = vec![
                ("/title".to_owned(), Some(json!(title.repeat(4_000)))),
                ("/fromRef/displayId".to_owned(), Some(json!(long('s')))),
                ("/toRef/displayId".to_owned(), Some(json!(long('r')))),
            ];
            let path = format!("{API}/pull-requests/{id}");
            scene
                .stand_in
                .fault(Fault::on("GET", &path, Effect::Patch(patch)));
        }
        let (question, _) = scene.agree(tool.name, arguments, |_| ());
        for words in said {
            assert!(
                question.contains(&words),
                "{}: {question}\nnot: {words}",
                tool.name
            );
        }
        assert!(question.ends_with('?'), "{}: {question}", tool.name);
        assert!(
            question.chars().count() < 5_000,
            "{}: {question}",
            tool.name
        );
    }
}

#[test]
fn what_changed_while_the_person_was_asked_is_not_done() {
    for (user, tool, more) in [
        ("wren.okafor", "merge_pull_request", json!({})),
        ("wren.okafor", "decline_pull_request", json!({})),
        ("wren.okafor", "set_auto_merge", json!({"enabled": true})),
        (
            "wren.okafor",
            "submit_pr_review",
            json!({"action": "approve"}),
        ),
    ] {
        let mut scene = asking(user);
        let (_, result) = scene.agree(tool, of(54, more), |stand_in| {
            stand_in.step(Step::Retitle {
                repository: "ACME/rocket".to_owned(),
                id: 54,
                user: "mira.solano".to_owned(),
                title: "Say something else".to_owned(),
            });
        });
        assert_eq!(result["isError"], true, "{tool}: {result}");
        let said = text(&result);
        assert!(
            said.contains("the person agreed to version 0, and it is at version 1 now"),
            "{said}"
        );
        assert_eq!(scene.writes().len(), 0, "{tool}");
    }
}

#[test]
fn nobody_is_asked_about_what_cannot_be_done_or_needs_no_asking() {
    let mut scene = asking("wren.okafor");
    for (tool, arguments, said) in [
        ("merge_pull_request", of(41, json!({})), "it is MERGED"),
        (
            "merge_pull_request",
            of(42, json!({"version": 4})),
            "`version` is 4",
        ),
        (
            "submit_pr_review",
            of(42, json!({"action": "approve"})),
            "`wren.okafor`'s own",
        ),
        ("reopen_pull_request", of(42, json!({})), "it is OPEN"),
    ] {
        let failure = scene.bb.failure(tool, arguments);
        assert!(failure.contains(said), "{failure}");
    }
    let one = scene
        .bb
        .value("update_pull_request", of(42, json!({"title": "Light it"})));
    assert_eq!(one["title"], "Light it");
}

#[test]
fn a_title_cannot_reorder_or_end_the_question_that_it_stands_in() {
    let mut scene = asking("wren.okafor");
    let title = scene.raw(&format!("{API}/pull-requests/50"))["title"].clone();
    assert!(
        title.as_str().expect("a title").contains('\u{202e}'),
        "{title}"
    );
    let (said, _) = scene.agree("decline_pull_request", of(50, json!({})), |_| ());
    assert!(
        said.contains("<U+202E>") && !said.contains('\u{202e}') && !said.contains('\n'),
        "{said}"
    );
    assert!(said.ends_with("\"?"), "{said}");
}

#[test]
fn what_was_agreed_to_is_not_written_over_a_newer_version_either() {
    let mut scene = asking("wren.okafor");
    let path = format!("{API}/pull-requests/43");
    // The question and the call read what is newer by the time it is written.
    let stale = Effect::replace("/version", json!(7));
    scene
        .stand_in
        .fault(Fault::on("GET", &path, stale).times(2));
    let (_, result) = scene.agree(
        "update_pull_request",
        of(43, json!({"draft": false})),
        |_| (),
    );
    assert_eq!(result["isError"], true, "{result}");
    assert!(
        text(&result).contains("it is at version 0 now, and 7 was sent"),
        "{result}"
    );
    assert_eq!(scene.writes().len(), 1);
}
