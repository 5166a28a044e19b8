//! The pipe and the protocol (contract 2; cases 1 to 4), over the real binary.

use crate::support::{Bb, NOWHERE, command, fixture, modern, read_fixture, text};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

/// Sends a fixture as it is, and gives everything that comes until bb ends.
#[track_caller]
fn play(path: &str) -> Vec<Value> {
    let mut bb = Bb::alone();
    bb.send_bytes(&read_fixture(path));
    let (lines, status, took) = bb.end();
    assert!(status.success(), "{status}");
    // Case 1: within two seconds; a machine under load is given more.
    assert!(took < Duration::from_secs(10), "{took:?}");
    lines
}

#[track_caller]
fn answer_to(lines: &[Value], id: Value) -> &Value {
    let found: Vec<&Value> = lines.iter().filter(|line| line["id"] == id).collect();
    assert_eq!(found.len(), 1, "answers to {id} in {lines:?}");
    found[0]
}

#[test]
fn case_1_lines_end_in_any_way_and_every_answer_in_a_line_feed() {
    let lines = play("cases/01-line-ends-on-stdin/stdin.bin");
    assert_eq!(lines.len(), 4, "{lines:?}");
    answer_to(&lines, json!("i"));
    for id in 1..=3 {
        assert_eq!(answer_to(&lines, json!(id))["result"], json!({}));
    }
}

#[test]
fn case_2_ids_come_back_as_they_came() {
    let mut lines = play("cases/02-request-ids/stdin.jsonl");
    let expected =
        String::from_utf8(read_fixture("cases/02-request-ids/expected.jsonl")).expect("UTF-8");
    for expected in expected.lines() {
        let expected: Value = serde_json::from_str(expected).expect("JSON");
        let at = lines
            .iter()
            .position(|line| line.get("id") == expected.get("id"));
        let line =
            lines.remove(at.unwrap_or_else(|| panic!("nothing like {expected} in {lines:?}")));
        match expected.get("error") {
            Some(error) => assert_eq!(line["error"]["code"], error["code"]),
            None if expected["result"] == "[..]" => assert!(line["result"].is_object()),
            None => assert_eq!(line, expected),
        }
    }
    assert_eq!(lines, Vec::<Value>::new());
}

#[test]
fn case_3_params_may_be_left_out() {
    let lines = play("cases/03-missing-params/stdin.jsonl");
    let of = |id: u64| answer_to(&lines, json!(id));
    assert!(
        of(1)["result"]["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty())
    );
    assert_eq!(of(1)["result"], of(2)["result"]);
    assert_eq!(of(1)["result"], of(3)["result"]);
    // There is no Bitbucket here: that the call ran is told by what kept it from its answer.
    for id in [4, 5, 9] {
        let said = text(&of(id)["result"]);
        assert!(
            said.starts_with("cannot search the repositories: "),
            "{said}"
        );
    }
    assert_eq!(of(4)["result"], of(5)["result"]);
    let missing = text(&of(6)["result"]);
    assert_eq!(of(6)["result"]["isError"], true);
    for name in [
        "`project` is missing",
        "`repo` is missing",
        "`id` is missing",
        r#"Example: {"project""#,
    ] {
        assert!(missing.contains(name), "{missing}");
    }
    assert_eq!(of(7)["error"]["code"], -32602);
    assert!(
        of(7)["error"]["message"]
            .as_str()
            .is_some_and(|told| told.contains("`name` is missing"))
    );
    let unknown = of(8)["error"]["message"].as_str().expect("an error");
    assert!(
        unknown.contains("get_pull_reqest") && unknown.contains("did you mean `get_pull_request`?")
    );
    assert!(unknown.contains("list_pull_requests"), "{unknown}");
    for line in &lines {
        let line = line.to_string();
        for name in ["Option<", "serde", "invalid type", "Value::", "&str"] {
            assert!(!line.contains(name), "{name} in {line}");
        }
    }
}

#[test]
fn case_4_the_version_is_what_was_asked_for_or_the_newest_with_a_handshake() {
    let input = String::from_utf8(read_fixture("cases/04-protocol-versions/initialize.jsonl"))
        .expect("UTF-8");
    let lines: Vec<&str> = input.lines().collect();
    let handshake = |bb: &mut Bb, line: &str| {
        bb.send_bytes(format!("{line}\n").as_bytes());
        bb.next()
    };
    for (line, version) in lines.iter().zip([
        "2025-11-25",
        "2025-06-18",
        "2025-11-25",
        "2025-11-25",
        "2025-11-25",
    ]) {
        let answer = handshake(&mut Bb::alone(), line);
        assert_eq!(
            answer["result"]["protocolVersion"], version,
            "{line}: {answer}"
        );
        assert_eq!(answer["result"]["serverInfo"]["name"], "bb");
        assert!(
            answer["result"]["capabilities"]["extensions"]["io.modelcontextprotocol/ui"]
                .is_object()
        );
    }
    assert_eq!(
        handshake(&mut Bb::alone(), lines[5])["error"]["code"],
        -32602
    );
    let mut bb = Bb::alone();
    let discovered = handshake(&mut bb, lines[6]);
    assert_eq!(
        discovered["result"]["supportedVersions"],
        json!(["2026-07-28"])
    );
    assert_eq!(
        handshake(&mut bb, lines[7])["result"]["protocolVersion"],
        "2025-11-25"
    );
}

#[test]
fn both_eras_are_served_on_one_pipe_message_by_message() {
    let mut bb = Bb::alone();
    let modern_list = bb.ask("tools/list", json!({"_meta": modern(json!({}))}));
    let result = &modern_list["result"];
    assert_eq!(result["resultType"], "complete");
    assert!(
        result["ttlMs"].is_u64() && result["cacheScope"] == "public",
        "{result}"
    );
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "bb"
    );
    let legacy = bb.ask("tools/list", json!({}));
    assert_eq!(legacy["result"]["tools"], result["tools"]);
    assert_eq!(legacy["result"].as_object().expect("an object").len(), 1);
    let first = bb.ask(
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": {}}),
    );
    let second = bb.ask(
        "initialize",
        json!({"protocolVersion": "2024-11-05", "capabilities": {}}),
    );
    assert_eq!(first["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(second["result"]["protocolVersion"], "2024-11-05");
    let called = bb.ask(
        "tools/call",
        json!({"name": "get_pull_request", "arguments": {}, "_meta": modern(json!({}))}),
    );
    assert_eq!(called["result"]["resultType"], "complete");
    assert!(called["result"].get("ttlMs").is_none());
    let pinged = bb.ask("ping", json!({"_meta": modern(json!({}))}));
    assert_eq!(pinged["result"]["resultType"], "complete");
    let newer = json!({"io.modelcontextprotocol/protocolVersion": "2031-01-01", "io.modelcontextprotocol/clientCapabilities": {}});
    let newer = bb.ask("tools/list", json!({"_meta": newer}));
    assert_eq!(newer["error"]["code"], -32022);
    assert_eq!(newer["error"]["data"]["supported"][0], "2026-07-28");
    assert_eq!(newer["error"]["data"]["requested"], "2031-01-01");
    let bare = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    assert_eq!(
        bb.ask("tools/list", json!({"_meta": bare}))["error"]["code"],
        -32602
    );
}

#[test]
fn what_bb_does_not_have_is_told_by_the_codes_of_each_era() {
    let mut bb = Bb::alone();
    for method in [
        "prompts/list",
        "completion/complete",
        "logging/setLevel",
        "resources/subscribe",
        "nonsense",
        "",
    ] {
        assert_eq!(
            bb.ask(method, json!({}))["error"]["code"],
            -32601,
            "{method}"
        );
    }
    assert_eq!(
        bb.ask("resources/read", json!({"uri": "ui://bb/nothing"}))["error"]["code"],
        -32002
    );
    let read = json!({"uri": "ui://bb/nothing", "_meta": modern(json!({}))});
    assert_eq!(bb.ask("resources/read", read)["error"]["code"], -32602);
    assert_eq!(bb.ask("resources/read", json!({}))["error"]["code"], -32602);
    assert_eq!(
        bb.ask("tools/list", json!({"cursor": "2"}))["error"]["code"],
        -32602
    );
    assert_eq!(
        bb.ask("tools/call", json!({"name": 5}))["error"]["code"],
        -32602
    );
    assert_eq!(
        bb.ask(
            "tools/call",
            json!({"name": "get_pull_request", "arguments": []})
        )["error"]["code"],
        -32602
    );
    assert_eq!(
        bb.ask("resources/list", json!({}))["result"]["resources"],
        json!([])
    );
    assert_eq!(
        bb.ask("resources/templates/list", json!({}))["result"]["resourceTemplates"],
        json!([])
    );
}

#[test]
fn lines_that_cannot_be_read_cost_one_answer_each_and_the_next_is_read() {
    let mut bb = Bb::alone();
    let too_long = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"x\":\"{}\"}}\n",
        "y".repeat(5 * 1024 * 1024)
    );
    let bad: [(&[u8], i64); 6] = [
        (too_long.as_bytes(), -32600),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\xFF\"}\n",
            -32700,
        ),
        (
            b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n",
            -32600,
        ),
        (b"\"ping\"\n", -32600),
        (b"\x00\x01\x02\n", -32700),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n",
            -32600,
        ),
    ];
    for (line, code) in bad {
        bb.send_bytes(line);
        let answer = bb.next();
        assert_eq!(
            (&answer["error"]["code"], answer.get("id")),
            (&json!(code), None),
            "{answer}"
        );
    }
    assert_eq!(bb.ask("ping", json!({}))["result"], json!({}));
    let (rest, status, _) = bb.end();
    assert_eq!((rest, status.success()), (Vec::new(), true));
}

#[test]
fn a_reader_that_closes_early_ends_bb_quietly() {
    let mut child = command(&["ai", "mcp", "serve"], &[("BITBUCKET_URL", NOWHERE)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("bb starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    // Until bb has noticed, writing works; then the pipe is closed. Each of the two is fine.
    while stdin
        .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        .is_ok()
    {}
    let output = child.wait_with_output().expect("bb ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn tools_list_is_the_same_for_every_client_and_says_what_it_does() {
    let mut bb = Bb::alone();
    let tools = bb.ask("tools/list", json!({}))["result"]["tools"].clone();
    let views = json!({"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}});
    let rendering = bb.ask("tools/list", json!({"_meta": modern(views)}));
    assert_eq!(rendering["result"]["tools"], tools);
    for tool in tools.as_array().expect("a list") {
        let name = tool["name"].as_str().expect("a name");
        assert!(
            tool["title"].is_string() && tool["description"].is_string(),
            "{name}"
        );
        for hint in [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ] {
            assert!(
                tool["annotations"][hint].is_boolean(),
                "{name} lacks {hint}"
            );
        }
        assert!(tool.get("outputSchema").is_none(), "{name}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
    }
}

#[test]
fn a_client_that_reads_nothing_does_not_keep_bb_after_the_end_of_input() {
    for request in ["tools/list", "tools/call"] {
        let mut child = command(&["ai", "mcp", "serve"], &[("BITBUCKET_URL", NOWHERE)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("bb starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        for id in 0..300 {
            let params = json!({"name": "list_branches", "arguments": {"repo": "ACME/rocket"}});
            let line = json!({"jsonrpc": "2.0", "id": id, "method": request, "params": params});
            writeln!(stdin, "{line}").expect("bb reads");
        }
        drop(stdin);
        let began = std::time::Instant::now();
        // Its stdout stays open, and nobody reads it.
        while child.try_wait().expect("a child").is_none() {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "{request}: bb does not end"
            );
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_call_is_cancelled_by_a_number_however_it_is_written() {
    let long = "123456789012345678901234567890";
    for (written, cancelled) in [("1e2", "100"), ("100", "1e2"), ("-0", "0"), (long, long)] {
        let mut bb = Bb::start(
            &["--request-timeout", "30s"],
            &[("BITBUCKET_URL", &silent())],
        );
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":{written},"method":"tools/call","params":{{"name":"list_branches","arguments":{{"repo":"ACME/rocket"}}}}}}"#
        );
        let cancel = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{cancelled}}}}}"#
        );
        bb.send_bytes(format!("{call}\n{cancel}\n").as_bytes());
        let (rest, status, took) = bb.end();
        assert_eq!((rest, status.success()), (Vec::new(), true));
        assert!(
            took < Duration::from_secs(4),
            "{written}: it ran on for {took:?}"
        );
    }
}

/// The address of somebody who takes connections and says nothing.
fn silent() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let kept: Vec<_> = listener.incoming().collect();
        drop(kept);
    });
    format!("http://{address}")
}

/// Starts `serve` on these ends, has it run to its end, and gives its exit code and what it said on stderr.
#[cfg(target_os = "linux")]
#[track_caller]
fn served_between(stdin: Stdio, stdout: Stdio) -> (Option<i32>, String) {
    let variables = [("BITBUCKET_URL", NOWHERE), ("BITBUCKET_TOKEN", "none")];
    let output = command(&["ai", "mcp", "serve"], &variables)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .and_then(|child| child.wait_with_output())
        .expect("bb runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), said)
}

#[cfg(target_os = "linux")]
#[test]
fn an_input_that_cannot_be_read_is_told_and_no_success() {
    let folder = std::fs::File::open("/").expect("a folder");
    let (code, said) = served_between(folder.into(), Stdio::null());
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.starts_with("bb: serving ended: cannot read from stdin: "),
        "{said}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_is_told_and_no_success() {
    let asked = std::fs::File::open(fixture("cases/01-line-ends-on-stdin/stdin.bin"));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let (code, said) = served_between(
        asked.expect("a fixture").into(),
        full.expect("Linux has it").into(),
    );
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.starts_with("bb: serving ended: cannot write to stdout: "),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}
