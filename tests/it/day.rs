//! A working day on one pull request: two people, a bb each, everything over real pipes, and what the records say of
//! it afterwards.
//!
//! Wren's client speaks MCP before 2026-07-28 and is asked in the middle of a call; Idris's speaks 2026-07-28 and is
//! asked in the answer. Start at the one test.

use crate::confirm::{agreed, asked, can_ask};
use crate::support::{Bb, modern, text};
use bb::digest::Digest;
use serde_json::{Value, json};
use standin::{Options, StandIn, Step};
use std::path::{Path, PathBuf};

const BRANCH: &str = "feature/gauge-#2+50%";

/// Which protocol a person's client speaks.
#[derive(Clone, Copy, PartialEq)]
enum Era {
    Legacy,
    Modern,
}

/// One of the two, at their client.
struct Person {
    name: &'static str,
    era: Era,
    bb: Bb,
    trail: PathBuf,
    token: String,
}

impl Person {
    fn at_work(stand_in: &StandIn, name: &'static str, era: Era) -> Self {
        let trail = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("day-{name}.jsonl"));
        let _ = std::fs::remove_file(&trail);
        let token = stand_in.token_of(name);
        let mut bb = Bb::start(
            &["--repo", "ACME/rocket"],
            &[
                ("BITBUCKET_URL", stand_in.url()),
                ("BITBUCKET_TOKEN", &token),
                ("BB_AUDIT_FILE", trail.to_str().expect("UTF-8")),
            ],
        );
        if era == Era::Legacy {
            let client = json!({"name": "test", "version": "1"});
            bb.ask(
                "initialize",
                json!({"protocolVersion": "2025-11-25", "capabilities": can_ask(), "clientInfo": client}),
            );
        }
        Self {
            name,
            era,
            bb,
            trail,
            token,
        }
    }

    /// Calls a tool that asks nobody, and gives its result.
    #[track_caller]
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.bb.ask("tools/call", self.params(tool, arguments));
        answer["result"].clone()
    }

    fn params(&self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({"name": tool, "arguments": arguments});
        if self.era == Era::Modern {
            params["_meta"] = modern(can_ask());
        }
        params
    }

    /// Calls a tool that does what it is asked, and reads its value.
    #[track_caller]
    fn done(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        self.value(tool, &result)
    }

    #[track_caller]
    fn value(&self, tool: &str, result: &Value) -> Value {
        assert_ne!(result["isError"], true, "{tool}: {result}");
        serde_json::from_str(text(result))
            .unwrap_or_else(|error| panic!("{error}: {result}\n{}", self.bb.story()))
    }

    /// Calls a tool that asks, answers its question, and gives the question and the result.
    #[track_caller]
    fn answers(&mut self, tool: &str, arguments: Value, answer: Value) -> (String, Value) {
        let message = |params: &Value| params["message"].as_str().expect("a text").to_owned();
        if self.era == Era::Modern {
            let mut params = self.params(tool, arguments);
            let (state, question) = asked(&self.bb.ask("tools/call", params.clone()));
            params["requestState"] = json!(state);
            params["inputResponses"] = json!({"confirm": answer});
            let result = self.bb.ask("tools/call", params)["result"].clone();
            return (message(&question), result);
        }
        let id = self.bb.request("tools/call", self.params(tool, arguments));
        let question = self.bb.next();
        let story = self.bb.story();
        assert_eq!(question["method"], "elicitation/create", "{story}");
        self.bb
            .send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
        let result = self.bb.answer(id)["result"].clone();
        (message(&question["params"]), result)
    }

    /// Calls a tool that asks, agrees, and gives the question and the value.
    #[track_caller]
    fn agrees(&mut self, tool: &str, arguments: Value) -> (String, Value) {
        let (question, result) = self.answers(tool, arguments, agreed());
        let value = self.value(tool, &result);
        (question, value)
    }

    /// What the record says, line by line.
    #[track_caller]
    fn record(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.trail).expect("the audit file");
        for secret in [&self.token, "Bearer", "Authorization", "requestState"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

/// How the audit trail keeps what somebody wrote.
fn kept(text: &str) -> Value {
    json!({"length": text.chars().count(), "sha256": Digest::of(text.as_bytes()).to_string()})
}

/// `tool outcome confirmation`, then each request that is no GET with its status.
fn told(line: &Value) -> String {
    let word = |name: &str| line[name].as_str().unwrap_or_default();
    let mut said = format!(
        "{} {} {}",
        word("tool"),
        word("outcome"),
        word("confirmation")
    );
    for sent in line["requests"].as_array().expect("requests") {
        if sent["method"] != "GET" {
            let path = sent["path"].as_str().expect("a path");
            let from = path.rfind("/rocket/").map_or(0, |at| at + "/rocket/".len());
            let method = sent["method"].as_str().expect("a method");
            said += &format!(" | {method} {} {}", &path[from..], sent["status"]);
        }
    }
    said
}

/// The record of a person has these lines, each with who, where and when.
#[track_caller]
fn check_record(person: &Person, expected: &[&str]) -> Vec<Value> {
    let lines = person.record();
    let found: Vec<String> = lines.iter().map(told).collect();
    assert_eq!(found, expected, "{}: {lines:#?}", person.name);
    for (at, line) in lines.iter().enumerate() {
        // Nobody is asked who it is: the first line of a day that sends nothing first does not know.
        let is_unknown = at == 0 && line["outcome"] == "started";
        let user = match is_unknown {
            true => Value::Null,
            false => json!(person.name),
        };
        assert_eq!(line["user"], user, "{line}");
        assert!(line["duration_ms"].is_u64(), "{line}");
        assert_eq!(line["arguments"]["project"], "ACME", "{line}");
        assert_eq!(line["arguments"]["repo"], "rocket", "{line}");
    }
    let times: Vec<&str> = lines
        .iter()
        .map(|line| line["time"].as_str().expect("a time"))
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    lines
}

/// What somebody wrote stands in the lines of that tool as its length and digest, and nowhere as it is.
#[track_caller]
fn check_texts(lines: &[Value], texts: &[(&str, &str, &str)]) {
    let all = json!(lines).to_string();
    for (tool, argument, text) in texts {
        let kept = kept(text);
        let is_kept = |line: &Value| line["tool"] == *tool && line["arguments"][argument] == kept;
        let kept_in = lines.iter().filter(|line| is_kept(line)).count();
        assert!(
            kept_in >= 2,
            "{tool} {argument}, as it began and as it ended: {lines:#?}"
        );
        assert!(!all.contains(text), "{text}");
    }
}

fn push(stand_in: &StandIn, path: &str, contents: &str) {
    stand_in.step(Step::Push {
        repository: "ACME/rocket".to_owned(),
        branch: format!("refs/heads/{BRANCH}"),
        user: "wren.okafor".to_owned(),
        message: "Read the gauge".to_owned(),
        files: vec![(path.to_owned(), Some(contents.to_owned()))],
    });
}

/// A build that CI posts.
fn build(stand_in: &StandIn, commit: &str, parent: &str, state: &str) {
    stand_in.step(Step::Build {
        repository: "ACME/rocket".to_owned(),
        commit: commit.to_owned(),
        fields: json!({"key": format!("{parent}-1"), "parent": parent, "state": state,
            "url": "https://ci.example.com/1", "ref": format!("refs/heads/{BRANCH}")}),
    });
}

/// The states of the builds that report under a required key.
fn state_of(listed: &Value, parent: &str) -> Vec<Value> {
    let builds = listed["builds"].as_array().expect("builds");
    builds
        .iter()
        .filter(|build| build["parent"] == parent)
        .map(|build| build["state"].clone())
        .collect()
}

#[test]
fn a_day_from_the_branch_to_the_merge_is_done_and_recorded() {
    let stand_in = StandIn::start(Options::default());
    let mut wren = Person::at_work(&stand_in, "wren.okafor", Era::Legacy);
    let mut idris = Person::at_work(&stand_in, "idris.vale", Era::Modern);

    // Morning: a branch, and a draft of what it holds.
    let made = wren.done(
        "create_branch",
        json!({"name": BRANCH, "start_point": "main"}),
    );
    assert_eq!(made["id"], format!("refs/heads/{BRANCH}"), "{made}");
    push(&stand_in, "docs/gauge.md", "# Gauge\n\n600 kPa is fine.\n");
    let description = "Reads the gauge.\n\n- once a second";
    let one = wren.done(
        "create_pull_request",
        json!({"title": "Read the gauge", "source_branch": BRANCH, "description": description,
            "reviewers": ["idris.vale"], "draft": true}),
    );
    let id = one["id"].as_u64().expect("a number");
    let with = |more: Value| {
        let mut arguments = json!({"id": id});
        for (name, value) in more.as_object().into_iter().flatten() {
            arguments[name] = value.clone();
        }
        arguments
    };
    let (question, one) = wren.agrees("update_pull_request", with(json!({"draft": false})));
    assert!(
        question.contains("(version 0) ready for review: \""),
        "{question}"
    );
    assert!(one.get("draft").is_none(), "{one}");

    // Idris reads it and has a question on a line, then a task, then asks for changes.
    let diff = idris.call("get_pr_diff", with(json!({})));
    assert!(text(&diff).contains("+600 kPa is fine."), "{diff}");
    let comment = idris.done(
        "add_pr_comment",
        with(json!({"text": "Is it?", "path": "docs/gauge.md", "line": 3})),
    );
    let reply = wren.done(
        "add_pr_comment",
        with(json!({"text": "On the bench, yes.", "parent_id": comment["id"]})),
    );
    assert_eq!(reply["parent"], comment["id"]);
    let task = idris.done(
        "add_pr_comment",
        with(json!({"text": "Say where it was measured.", "task": true})),
    );
    let threads = wren.done("list_pr_comments", with(json!({"path": "docs/gauge.md"})));
    assert_eq!(
        threads.pointer("/threads/0/comments/0/text"),
        Some(&json!("On the bench, yes.")),
        "{threads}"
    );
    idris.agrees("submit_pr_review", with(json!({"action": "needs_work"})));

    // Wren mends it, resolves the task and says so in the title.
    push(
        &stand_in,
        "docs/gauge.md",
        "# Gauge\n\n600 kPa is fine on the bench.\n",
    );
    wren.done(
        "update_pr_comment",
        with(json!({"comment_id": task["id"], "resolved": true})),
    );
    let one = wren.done(
        "update_pull_request",
        with(json!({"title": "Read the gauge on the bench"})),
    );
    assert!(
        one["reviewers"]
            .to_string()
            .contains("idris.vale (Idris Vale)"),
        "{one}"
    );
    let (question, _) = idris.agrees("submit_pr_review", with(json!({"action": "approve"})));
    assert!(question.starts_with("Approve pull request"), "{question}");

    // CI: one required build fails, is told, and passes.
    let one = wren.done("get_pull_request", with(json!({})));
    let tip = one["fromRef"]["latestCommit"]
        .as_str()
        .expect("a commit")
        .to_owned();
    for (parent, state) in [
        ("ci/build", "SUCCESSFUL"),
        ("ci/lint", "SUCCESSFUL"),
        ("ci/test", "INPROGRESS"),
    ] {
        build(&stand_in, &tip, parent, state);
    }
    let listed = wren.done("get_build_status", with(json!({})));
    assert_eq!(state_of(&listed, "ci/test"), ["INPROGRESS"]);
    build(&stand_in, &tip, "ci/test", "FAILED");
    let listed = wren.done("get_build_status", with(json!({})));
    assert_eq!(state_of(&listed, "ci/test"), ["FAILED"]);
    let (_, refused) = wren.answers("merge_pull_request", with(json!({})), agreed());
    assert_eq!(refused["isError"], true, "{refused}");
    assert!(text(&refused).contains("ci/test"), "{refused}");
    wren.agrees(
        "set_build_status",
        json!({"commit_id": tip, "key": "ci/test-1", "parent": "ci/test", "state": "SUCCESSFUL",
            "url": "https://ci.example.com/2", "ref": BRANCH}),
    );
    let listed = wren.done("get_build_status", with(json!({})));
    assert_eq!(state_of(&listed, "ci/test"), ["SUCCESSFUL"]);

    // Evening: thought about twice, then merged.
    let merge = with(
        json!({"strategy": "squash", "delete_source_branch": true, "message": "Read the gauge"}),
    );
    let no = json!({"action": "decline"});
    let (_, result) = wren.answers("merge_pull_request", merge.clone(), no);
    assert!(text(&result).contains("the person declined"), "{result}");
    let (question, merged) = wren.agrees("merge_pull_request", merge);
    assert!(
        question.contains("Read the gauge on the bench") && question.contains("by squash"),
        "{question}"
    );
    assert_eq!(merged["state"], "MERGED", "{merged}");
    let gone = wren.call("resolve_ref", json!({"ref": BRANCH}));
    assert_eq!(gone["isError"], true, "{gone}");
    let seen = idris.done("get_pull_request", with(json!({})));
    assert_eq!(seen["state"], "MERGED", "{seen}");

    let posted = format!("set_build_status done accepted | POST commits/{tip}/builds 204");
    let resolved = format!(
        "update_pr_comment done none | PUT pull-requests/56/comments/{} 200",
        task["id"]
    );
    let lines = check_record(
        &wren,
        &[
            "create_branch started none",
            "create_branch done none | POST branches 200",
            "create_pull_request started none",
            "create_pull_request done none | POST pull-requests 201",
            "update_pull_request started accepted",
            "update_pull_request done accepted | PUT pull-requests/56 200",
            "add_pr_comment started none",
            "add_pr_comment done none | POST pull-requests/56/comments 201",
            "list_pr_comments done none",
            "update_pr_comment started none",
            &resolved,
            "update_pull_request started none",
            "update_pull_request done none | PUT pull-requests/56 200",
            "get_pull_request done none",
            "get_build_status done none",
            "get_build_status done none",
            "merge_pull_request started accepted",
            "merge_pull_request failed accepted | POST pull-requests/56/merge 409",
            "set_build_status started accepted",
            &posted,
            "get_build_status done none",
            "merge_pull_request declined declined",
            "merge_pull_request started accepted",
            // The second one deletes the source branch.
            "merge_pull_request done accepted | POST pull-requests/56/merge 200 | POST pull-requests/56 204",
            "resolve_ref failed none",
        ],
    );
    check_texts(
        &lines,
        &[
            ("create_pull_request", "title", "Read the gauge"),
            ("create_pull_request", "description", description),
            ("add_pr_comment", "text", "On the bench, yes."),
            (
                "update_pull_request",
                "title",
                "Read the gauge on the bench",
            ),
            ("merge_pull_request", "message", "Read the gauge"),
        ],
    );
    let lines = check_record(
        &idris,
        &[
            "get_pr_diff done none",
            "add_pr_comment started none",
            "add_pr_comment done none | POST pull-requests/56/comments 201",
            "add_pr_comment started none",
            "add_pr_comment done none | POST pull-requests/56/comments 201",
            "submit_pr_review asked none",
            "submit_pr_review started accepted",
            "submit_pr_review done accepted | PUT pull-requests/56/participants/idris.vale 200",
            "submit_pr_review asked none",
            "submit_pr_review started accepted",
            "submit_pr_review done accepted | PUT pull-requests/56/participants/idris.vale 200",
            "get_pull_request done none",
        ],
    );
    check_texts(
        &lines,
        &[
            ("add_pr_comment", "text", "Is it?"),
            ("add_pr_comment", "text", "Say where it was measured."),
        ],
    );
}
