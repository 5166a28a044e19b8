//! The record of what was done, over the real binary: who did what, whether they were asked, what was sent.

use crate::confirm::{agreed, answers, arguments, ask_legacy, asked, call_modern, can_ask, legacy};
use crate::support::views::{drawing, refreshed, rendering_with};
use crate::support::{Bb, command, text};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn};
use std::path::{Path, PathBuf};

/// A file of one test, not there yet.
pub(crate) fn trail(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("audit-{name}.jsonl"));
    let _ = std::fs::remove_file(&path);
    path
}

pub(crate) fn flags(path: &Path) -> [&str; 2] {
    ["--audit-file", path.to_str().expect("UTF-8")]
}

/// The lines so far: each call's are there before its answer is.
#[track_caller]
fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the audit file");
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// `outcome confirmation` of each line.
pub(crate) fn told(path: &Path) -> Vec<String> {
    let word = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
    lines(path)
        .iter()
        .map(|line| format!("{} {}", word(line, "outcome"), word(line, "confirmation")))
        .collect()
}

#[test]
fn a_call_leaves_one_line_before_its_answer() {
    let stand_in = StandIn::start(Options::default());
    let path = trail("reads");
    let mut bb = Bb::with_args(&stand_in, &flags(&path));
    bb.value(
        "get_pull_request",
        json!({"repo": "acme/rocket", "id": "42"}),
    );
    let all = lines(&path);
    let [line] = all.as_slice() else {
        panic!("{all:?}")
    };
    let mut members: Vec<&String> = line.as_object().expect("an object").keys().collect();
    members.sort();
    assert_eq!(
        members,
        [
            "arguments",
            "confirmation",
            "duration_ms",
            "host",
            "outcome",
            "requests",
            "time",
            "tool",
            "user"
        ]
    );
    assert_eq!(line["tool"], "get_pull_request");
    assert_eq!(
        line["arguments"],
        json!({"project": "ACME", "repo": "rocket", "id": 42})
    );
    assert_eq!(
        (&line["outcome"], &line["confirmation"]),
        (&json!("done"), &json!("none"))
    );
    assert_eq!(line["host"], stand_in.url());
    assert_eq!(line["user"], "wren.okafor");
    assert!(line["duration_ms"].is_u64());
    let time = line["time"].as_str().expect("a time");
    assert!(
        time.len() == 24 && time.starts_with("20") && time.ends_with('Z'),
        "{time}"
    );
    let mut requests: Vec<&str> = Vec::new();
    for request in line["requests"].as_array().expect("a list") {
        assert_eq!(
            (&request["method"], &request["status"]),
            (&json!("GET"), &json!(200))
        );
        requests.push(request["path"].as_str().expect("a path"));
    }
    requests.sort_unstable();
    assert_eq!(requests.len(), 3);
    assert!(
        requests
            .iter()
            .all(|path| path.starts_with("/rest/") && !path.contains('?'))
    );
    let (_, status, _) = bb.end();
    assert!(status.success());
}

#[cfg(unix)]
#[test]
fn the_file_is_for_its_owner_alone_and_refused_at_start_if_it_is_not() {
    use std::os::unix::fs::PermissionsExt;
    let stand_in = StandIn::start(Options::default());
    let path = trail("mode");
    Bb::with_args(&stand_in, &flags(&path)).ask("ping", json!({}));
    let mode = path.metadata().expect("there").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).expect("set");
    let out = command(
        &[
            "ai",
            "mcp",
            "serve",
            "--audit-file",
            path.to_str().expect("UTF-8"),
            "--tools",
            "nope",
        ],
        &[("BITBUCKET_URL", stand_in.url()), ("BITBUCKET_TOKEN", "x")],
    )
    .output()
    .expect("bb runs");
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2));
    assert_eq!(said.lines().count(), 2, "{said}");
    let first = "(its mode is 644): chmod 600 it first";
    assert!(said.contains(first), "{said}");
    let token = stand_in.token();
    let out = command(
        &[
            "ai",
            "mcp",
            "check",
            "--audit-file",
            path.to_str().expect("UTF-8"),
        ],
        &[
            ("BITBUCKET_URL", stand_in.url()),
            ("BITBUCKET_TOKEN", &token),
        ],
    )
    .output()
    .expect("bb runs");
    let said = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(
        said.contains("not ok   audit") && said.contains(first),
        "{said}"
    );
}

#[test]
fn whatever_becomes_of_a_call_is_told_by_its_line() {
    let stand_in = StandIn::start(Options::default());
    let path = trail("outcomes");
    let more = ["--project", "ACME", "--exclude", "list_tags"];
    let more: Vec<&str> = flags(&path).into_iter().chain(more).collect();
    let mut bb = Bb::with_args(&stand_in, &more);
    bb.failure("get_pull_request", json!({"repo": "rocket", "id": 4242}));
    bb.failure("get_pull_request", json!({"repo": "FLEET/dock", "id": 1}));
    bb.failure(
        "get_pull_request",
        json!({"id": 1, "titel": "my own words"}),
    );
    bb.ask(
        "tools/call",
        json!({"name": "list_tags", "arguments": {"repo": "rocket"}}),
    );
    bb.ask(
        "tools/call",
        json!({"name": "no_such", "arguments": {"text": "my own words"}}),
    );
    // Neither is a call.
    bb.ask("tools/list", json!({}));
    bb.ask("resources/read", json!({"uri": "ui://bb/view"}));
    assert_eq!(
        told(&path),
        [
            "failed none",
            "refused none",
            "failed none",
            "refused none",
            "refused none"
        ]
    );
    let lines = lines(&path);
    assert_eq!(lines[0]["requests"][0]["status"], 404);
    assert_eq!(lines[1]["requests"], json!([]));
    assert_eq!(lines[4]["tool"], "no_such");
    let text = std::fs::read_to_string(&path).expect("there");
    assert!(
        !text.contains("my own words") && !text.contains(&stand_in.token()),
        "{text}"
    );
}

#[test]
fn a_write_is_announced_and_what_was_written_is_kept_as_its_digest() {
    let stand_in = StandIn::start(Options::default());
    let path = trail("writes");
    let more: Vec<&str> = flags(&path).into_iter().chain(["--no-confirm"]).collect();
    let mut bb = Bb::with_args(&stand_in, &more);
    let mut tag = arguments();
    tag["message"] = json!("abc");
    bb.value("create_tag", tag);
    assert_eq!(told(&path), ["started off", "done off"]);
    let lines = lines(&path);
    for line in &lines {
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(
            line["arguments"]["message"],
            json!({"length": 3, "sha256": digest})
        );
        assert_eq!(line["arguments"]["name"], "v9.9.9");
    }
    // Nothing is asked only to know who it is.
    assert_eq!(
        (&lines[0]["user"], &lines[0]["requests"]),
        (&Value::Null, &json!([]))
    );
    assert_eq!(lines[1]["user"], "wren.okafor");
    assert_eq!(lines[1]["requests"][0]["method"], "POST");
}

#[test]
fn what_the_person_said_is_told_in_either_era() {
    for (at, (what, answer, _, _)) in answers().into_iter().enumerate() {
        let expected: &[&str] = match what {
            "accepted" => &["started accepted", "done accepted"],
            "declined" | "ticked and declined" => &["declined declined"],
            "cancelled" | "no answer of the protocol" => &["cancelled cancelled"],
            _ => &["declined unticked"],
        };
        let stand_in = StandIn::start(Options::default());
        let path = trail(&format!("legacy-{at}"));
        let mut bb = legacy(&stand_in, "2025-11-25", can_ask(), &flags(&path));
        ask_legacy(&mut bb, answer.clone());
        assert_eq!(told(&path), expected, "{what}");

        let path = trail(&format!("modern-{at}"));
        let stand_in = StandIn::start(Options::default());
        let mut bb = Bb::with_args(&stand_in, &flags(&path));
        let (state, _) = asked(&call_modern(&mut bb, arguments(), json!({})));
        assert_eq!(told(&path), ["asked none"]);
        let back = json!({"requestState": state, "inputResponses": {"confirm": answer}});
        call_modern(&mut bb, arguments(), back.clone());
        assert_eq!(told(&path)[1..], *expected, "{what}");
        call_modern(&mut bb, arguments(), back);
        assert_eq!(
            told(&path).last().map(String::as_str),
            Some("refused replayed")
        );
    }
}

#[test]
fn an_answer_that_does_not_hold_and_a_client_that_cannot_ask_are_told() {
    let stand_in = StandIn::start(Options::default());
    let path = trail("proofs");
    let mut bb = legacy(&stand_in, "2025-11-25", json!({}), &flags(&path));
    bb.failure("create_tag", arguments());
    let (state, _) = asked(&call_modern(&mut bb, arguments(), json!({})));
    let mut other = arguments();
    other["name"] = json!("v0");
    let with =
        |state: &str| json!({"requestState": state, "inputResponses": {"confirm": agreed()}});
    call_modern(&mut bb, other, with(&state));
    call_modern(&mut bb, arguments(), with("v1.mine"));
    assert_eq!(
        told(&path),
        [
            "refused no_capability",
            "asked none",
            "refused altered",
            "refused forged"
        ]
    );
}

#[test]
fn a_cancelled_call_is_told_as_such() {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("*", "*/pull-requests/42", Effect::Stall(None)));
    let path = trail("cancelled");
    let mut bb = Bb::with_args(&stand_in, &flags(&path));
    let id = bb.request(
        "tools/call",
        json!({"name": "get_pull_request", "arguments": {"repo": "ACME/rocket", "id": 42}}),
    );
    let is_sent = stand_in.wait_for(|log| !log.is_empty(), crate::support::PATIENCE);
    assert!(is_sent);
    bb.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let (rest, _, _) = bb.end();
    assert!(rest.is_empty(), "{rest:?}");
    assert_eq!(told(&path), ["cancelled none"]);
}

#[test]
fn a_request_that_is_on_its_way_as_the_answer_leaves_is_told_of() {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("GET", "/users/*/avatar.png", Effect::Stall(None)));
    let path = trail("on-its-way");
    let mut bb = rendering_with(&stand_in, &flags(&path));
    let call = json!({"kind": "pull_request", "repo": "ACME/rocket", "id": 42});
    drawing(&mut bb, "show", call);
    let line = &lines(&path)[0];
    let all = line["requests"].as_array().expect("a list");
    let of_pictures: Vec<&Value> = all
        .iter()
        .filter(|one| one["path"].to_string().contains("/avatar.png"))
        .collect();
    assert!(!of_pictures.is_empty(), "{line}");
    for one in of_pictures {
        assert_eq!(
            (&one["method"], &one["status"]),
            (&json!("GET"), &Value::Null)
        );
    }
}

#[test]
fn what_is_drafted_and_typed_into_a_form_is_kept_as_its_digest() {
    let stand_in = StandIn::start(Options::default());
    let path = trail("form");
    let mut bb = rendering_with(&stand_in, &flags(&path));
    let form = json!({
        "kind": "create_pull_request", "project": "ACME", "repo": "rocket", "source_branch": "feature/steam",
        "title": "My own title", "description": "My own words",
    });
    drawing(&mut bb, "show", form.clone());
    let typed = json!({"form": form, "field": "description", "text": "typed by hand", "values": {"target_branch": "main"}});
    drawing(&mut bb, "suggest_form_values", typed);
    bb.failure(
        "suggest_form_values",
        json!({"form": {"kind": "poem"}, "field": "my own field"}),
    );
    let lines = lines(&path);
    let seen: Vec<&Value> = lines.iter().map(|line| &line["outcome"]).collect();
    assert_eq!(seen, ["done", "done", "failed"]);
    let told = json!(lines).to_string();
    for word in ["own", "typed", "by hand"] {
        assert!(!told.contains(word), "{told}");
    }
    assert_eq!(
        lines[1]["arguments"]["form"]["source_branch"],
        "feature/steam"
    );
    assert_eq!(lines[1]["arguments"]["text"]["length"], 13);
    assert_eq!(lines[1]["arguments"]["field"], "description");
}

#[test]
fn a_views_calls_are_lines_like_any_other_and_a_poll_in_vain_is_none() {
    let stand_in = StandIn::start(Options::default());
    let path = trail("views");
    let more: Vec<&str> = flags(&path)
        .into_iter()
        .chain(["--repo", "ACME/rocket"])
        .collect();
    let mut bb = rendering_with(&stand_in, &more);
    // What the call leaves out is filled in by the scope.
    let held = drawing(&mut bb, "show", json!({"kind": "pull_request", "id": 42}));
    assert_eq!(refreshed(&mut bb, &held)["unchanged"], true);
    drawing(&mut bb, "refresh_view", json!({"show": held["show"]}));
    bb.failure(
        "show",
        json!({"kind": "pull_request", "project": "FLEET", "repo": "dock", "id": 1}),
    );
    bb.failure(
        "refresh_view",
        json!({"show": {"kind": "pull_request", "repo": "FLEET/dock", "id": 1}}),
    );
    bb.failure("show", json!({"kind": "poem", "text": "my own words"}));
    let lines = lines(&path);
    let seen: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| {
            let word = |name: &str| line[name].as_str().unwrap_or_default();
            (word("tool"), word("outcome"))
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("show", "done"),
            ("refresh_view", "done"),
            ("show", "refused"),
            ("refresh_view", "refused"),
            ("show", "failed"),
        ]
    );
    let place = json!({"kind": "pull_request", "project": "ACME", "repo": "rocket", "id": 42});
    assert_eq!(lines[0]["arguments"], place);
    assert_eq!(lines[1]["arguments"], json!({"show": place}));
    for refused in &lines[2..] {
        assert_eq!(refused["requests"], json!([]));
        assert!(!refused.to_string().contains("my own words"));
    }
}

/// Starts bb where files may grow to so many bytes only, a shell's limit: writing further would end it by a signal.
#[cfg(target_os = "linux")]
fn cramped(stand_in: &StandIn, path: &Path, blocks: u32, more: &str) -> Bb {
    let script = format!(
        "ulimit -f {blocks}; exec \"$0\" ai mcp serve --no-confirm --audit-file \"$1\" {more}"
    );
    let token = stand_in.token();
    Bb::through(
        &[
            "/bin/sh",
            "-c",
            &script,
            env!("CARGO_BIN_EXE_bb"),
            path.to_str().expect("UTF-8"),
        ],
        &[
            ("BITBUCKET_URL", stand_in.url()),
            ("BITBUCKET_TOKEN", &token),
        ],
    )
}

/// A file of blanks in lines that leaves room for `left` bytes below one block of the limit.
#[cfg(target_os = "linux")]
fn filled(name: &str, left: usize) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = trail(name);
    std::fs::write(&path, format!("{}\n", " ".repeat(BLOCK - left - 1))).expect("written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).expect("set");
    path
}

/// What `ulimit -f` counts in, as POSIX has it.
#[cfg(target_os = "linux")]
const BLOCK: usize = 512;

#[cfg(target_os = "linux")]
#[test]
fn a_write_that_cannot_be_announced_does_not_run() {
    let stand_in = StandIn::start(Options::default());
    let path = filled("no-start", 10);
    let mut bb = cramped(&stand_in, &path, 1, "");
    let said = bb.failure("create_tag", arguments());
    assert!(
        said.contains("create_tag did not run: bb could not record that it begins"),
        "{said}"
    );
    assert_eq!(stand_in.log().len(), 0);
    let path = filled("warned", 10);
    let mut bb = cramped(&stand_in, &path, 1, "--audit-failure warn");
    bb.value("create_tag", arguments());
    assert!(
        bb.story().contains("bb: cannot record create_tag: "),
        "{}",
        bb.story()
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_write_that_is_done_and_not_recorded_says_so_and_is_the_last() {
    let stand_in = StandIn::start(Options::default());
    // Room for the first line of a write and not for its second.
    let path = filled("no-end", 330);
    let mut bb = cramped(&stand_in, &path, 1, "");
    let result = bb.call("create_tag", arguments());
    let said = text(&result);
    assert!(said.contains("refs/tags/v9.9.9"), "{said}");
    assert!(said.contains("This was done, but not recorded"), "{said}");
    assert_eq!(result["_meta"]["bb/outcome"]["done"], true);
    let sent = stand_in.log().len();
    for tool in ["create_tag", "list_tags"] {
        let said = bb.failure(tool, json!({"repo": "ACME/rocket"}));
        assert!(
            said.contains("bb takes no calls: an earlier one could not be recorded"),
            "{said}"
        );
    }
    assert_eq!(stand_in.log().len(), sent);
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_read_and_not_recorded_is_held_back() {
    let stand_in = StandIn::start(Options::default());
    let path = filled("no-read", 10);
    let mut bb = cramped(&stand_in, &path, 1, "");
    let said = bb.failure("list_tags", json!({"repo": "ACME/rocket"}));
    assert!(
        said.contains("list_tags has no answer, because it could not be recorded"),
        "{said}"
    );
    let path = filled("read-warned", 10);
    let mut bb = cramped(&stand_in, &path, 1, "--audit-failure warn");
    bb.value("list_tags", json!({"repo": "ACME/rocket"}));
    bb.value("list_tags", json!({"repo": "ACME/rocket"}));
}

#[test]
fn no_secret_is_recorded_whatever_argument_it_comes_in() {
    let stand_in = StandIn::start(Options::default());
    let path = trail("secrets");
    let token = stand_in.token();
    let mut arguments = vec!["--no-confirm"];
    arguments.extend(flags(&path));
    let mut bb = Bb::with_args(&stand_in, &arguments);
    let commit = stand_in.commit("igniter-3");
    let url = format!("https://u:{token}@ci.example.com/x?private_token=abc#f");
    for (tool, arguments) in [
        (
            "set_build_status",
            json!({"repo": "ACME/rocket", "commit_id": commit, "key": "k", "state": "FAILED", "url": url}),
        ),
        (
            "list_branches",
            json!({"repo": "ACME/rocket", "filter": token}),
        ),
        (
            "get_file",
            json!({"repo": "ACME/rocket", "path": format!("a/{token}")}),
        ),
    ] {
        bb.call(tool, arguments);
    }
    let record = std::fs::read_to_string(&path).expect("the audit file");
    assert!(!record.contains(&token), "{record}");
    assert!(!record.contains("private_token"), "{record}");
    assert!(record.contains("https://ci.example.com/x"), "{record}");
    assert!(record.contains("(hidden)"), "{record}");
}

#[test]
fn a_record_that_was_moved_away_is_begun_anew() {
    let stand_in = StandIn::start(Options::default());
    let path = trail("moved");
    let mut bb = Bb::with_args(&stand_in, &flags(&path));
    let call = |bb: &mut Bb| bb.value("list_branches", json!({"repo": "ACME/rocket"}));
    call(&mut bb);
    std::fs::remove_file(&path).expect("removed");
    call(&mut bb);
    call(&mut bb);
    assert_eq!(lines(&path).len(), 2);
}
