//! A team's manifest over the real binary: judged, reviewed, approved, served, called.

use crate::support::{Bb, command, modern, text};
use bb::digest::Digest;
use serde_json::{Value, json};
use standin::{Options, StandIn};
use std::path::{Path, PathBuf};
use std::process::Output;

pub(crate) const PAGE: &str = "<!doctype html><title>Board</title><main></main>";

/// A folder of a test's own, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("manifests-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

pub(crate) fn manifest(version: &str, page: &str) -> Value {
    let place = json!({"project": {"type": "string"}, "repo": {"type": "string"}});
    json!({
        "manifest": 1,
        "app": {"id": "team_board", "name": "Team board", "version": version},
        "ui": [{"name": "board", "title": "Release board", "html": page, "prefersBorder": true,
            "csp": {"connectDomains": ["https://tiles.example.org"]}, "permissions": {"geolocation": {}}}],
        "tools": [
            {"name": "render_board", "description": "Shows the open pull requests of a repository as a board.",
                "inputSchema": {"type": "object", "properties": place, "required": ["project", "repo"]},
                "tool": {"name": "list_pull_requests", "args":
                    {"project": "{{input.project}}", "repo": "{{input.repo}}", "state": "OPEN", "limit": 2}},
                "result": {"pull_requests": "{{tool.pull_requests}}", "presentation": "board",
                    "_meta": {"shown": "{{tool.shown}}"}},
                "ui": {"resource": "board"}},
            {"name": "start_branch", "description": "Starts a release branch.",
                "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
                "tool": {"name": "create_branch", "args":
                    {"project": "ACME", "repo": "rocket", "name": "{{input.name}}", "start_point": "main"}},
                "ui": {"resource": "board", "visibility": ["app"]}},
            {"name": "tag_release", "description": "Tags a release.",
                "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
                "tool": {"name": "create_tag", "args":
                    {"project": "ACME", "repo": "rocket", "name": "{{input.name}}", "start_point": "main"}}},
        ],
    })
}

/// Writes a manifest and gives its path and digest.
fn written(folder: &Path, manifest: &Value) -> (String, String) {
    let path = folder.join("board.json");
    let bytes = manifest.to_string();
    std::fs::write(&path, &bytes).expect("written");
    (
        path.display().to_string(),
        Digest::of(bytes.as_bytes()).to_string(),
    )
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    let state = folder.join("state").display().to_string();
    let arguments: Vec<&str> = ["ai", "mcp", "manifest"]
        .iter()
        .chain(arguments)
        .copied()
        .collect();
    command(&arguments, &[("BB_STATE_DIR", &state)])
        .output()
        .expect("bb runs")
}

#[track_caller]
pub(crate) fn check(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = run(folder, arguments);
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

pub(crate) fn serve(stand_in: &StandIn, folder: &Path, arguments: &[&str]) -> Bb {
    let state = folder.join("state").display().to_string();
    let arguments: Vec<&str> = ["--manifest", "team_board", "--state-dir", &state]
        .iter()
        .chain(arguments)
        .copied()
        .collect();
    Bb::with_args(stand_in, &arguments)
}

/// Approves a manifest in a folder of its own.
pub(crate) fn approved(name: &str, manifest: &Value) -> PathBuf {
    let folder = folder(name);
    let (file, digest) = written(&folder, manifest);
    check(&folder, &["approve", &file, "--sha256", &digest], 0);
    folder
}

pub(crate) fn names(bb: &mut Bb) -> Vec<String> {
    let listed = bb.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[test]
fn a_file_is_judged_with_every_finding_and_its_place() {
    let folder = folder("check");
    let (file, _) = written(&folder, &manifest("1.0.0", PAGE));
    assert!(check(&folder, &["check", &file], 0).contains("sound"));
    let mut broken = manifest("1.0.0", "no page");
    broken["tools"][0]["tool"]["args"]["author"] = json!("{{input.nobody}}");
    let (file, _) = written(&folder, &broken);
    let said = check(&folder, &["check", &file], 2);
    for finding in [
        "ui.0.html: not-a-page:",
        "tools.0.tool.args.author: unknown-argument:",
        "tools.0.tool.args.author: bad-reference:",
    ] {
        assert!(said.contains(&format!("bb: {file}: {finding}")), "{said}");
    }
    let output = run(&folder, &["check", &file, "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told[0]["ok"], false);
    assert_eq!(told[0]["findings"][0]["place"], "ui.0.html");
    let said = check(&folder, &["review", &file], 2);
    assert!(said.contains("not-a-page"), "{said}");
}

#[test]
fn the_host_that_is_configured_is_reached_by_no_view() {
    let folder = folder("reserved");
    let mut reaching = manifest("1.0.0", PAGE);
    reaching["ui"][0]["csp"]["connectDomains"] =
        json!(["https://*.example.com", "https://mirror.example.net"]);
    let (file, _) = written(&folder, &reaching);
    let config = folder.join("config.json");
    let text = r#"{"hosts": {"https://code.example.com": {}}, "manifests": {"reserved_hosts": ["mirror.example.net"]}}"#;
    std::fs::write(&config, text).expect("written");
    let config = config.display().to_string();
    let said = check(&folder, &["check", &file, "--config", &config], 2);
    assert_eq!(said.matches("reserved-host").count(), 2, "{said}");
}

#[test]
fn a_review_tells_what_runs_and_cannot_be_imitated() {
    let folder = folder("review");
    let mut hostile = manifest("1.0.0", PAGE);
    hostile["app"]["name"] = json!("Board\" approved\u{1b}[2J\nStanding unchanged\u{202e}");
    hostile["tools"][1]["description"] = json!("Harmless.\nTools that only views may call: none");
    let (file, digest) = written(&folder, &hostile);
    let said = check(&folder, &["review", &file], 0);
    for line in [
        &format!("SHA-256  {digest}"),
        "\"Release board\" (board), 48 bytes",
        "Shown by: render_board, start_branch",
        "It can send and receive data with https://tiles.example.org",
        "It asks to see your location",
        "Tools that only views may call: start_branch",
        "start_branch wraps create_branch: it WRITES",
        "render_board wraps list_pull_requests: it reads",
        "\"state\" is always \"OPEN\"",
        "\"limit\" is always 2",
        "Only the view gets \"shown\"",
        "Its views can call: render_board, start_branch (writes), tag_release (writes). Nothing else of bb's.",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said}");
    assert!(
        said.lines()
            .all(|line| line != "Standing unchanged"
                && line != "Tools that only views may call: none")
    );
    let source = check(&folder, &["review", &file, "board", "--source"], 0);
    assert!(source.contains("| <!doctype html>"), "{source}");
    let facts = run(&folder, &["review", &file, "--json"]);
    let facts: Value = serde_json::from_slice(&facts.stdout).expect("JSON");
    assert_eq!(facts["tools"][1]["reads"], false);
}

#[test]
fn a_review_of_an_update_names_each_argument_that_is_given_otherwise() {
    let mut before = manifest("1.0.0", PAGE);
    before["tools"][2]["tool"]["args"]["message"] = json!("Begun.");
    let folder = approved("arguments", &before);
    let mut after = manifest("1.1.0", PAGE);
    let args = &mut after["tools"][2]["tool"]["args"];
    args["repo"] = json!("secret\u{202e}");
    args["start_point"] = json!("{{input.name}}");
    args["name"] = json!("release/{{input.name}}");
    let (file, _) = written(&folder, &after);
    let said = check(&folder, &["review", &file], 0);
    for line in [
        "Changed: tool tag_release.",
        "New: tool tag_release's argument \"repo\" is always \"secret<U+202E>\" and was always \"rocket\".",
        "New: tool tag_release's argument \"start_point\" is filled from the call and was always \"main\".",
        "New: tool tag_release's argument \"name\" is filled from the call in another way.",
        "New: tool tag_release's argument \"message\" is not given and was always \"Begun.\".",
    ] {
        assert!(said.contains(&format!("  {line}\n")), "{line}\n{said}");
    }
    assert!(
        !said.contains("argument \"project\"") && !said.contains("start_branch's"),
        "{said}"
    );
}

#[test]
fn an_approval_is_of_exact_bytes() {
    let folder = folder("approve");
    let (file, digest) = written(&folder, &manifest("1.0.0", PAGE));
    // Nobody is at a terminal.
    assert!(check(&folder, &["approve", &file], 2).contains("--sha256"));
    check(&folder, &["approve", &file, "--sha256", &"0".repeat(64)], 5);
    check(&folder, &["approve", &file, "--sha256", &digest], 0);
    assert!(check(&folder, &["approve", &file, "--sha256", &digest], 0).contains("already"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let kept = folder.join("state/manifests");
        let mode =
            |path: &Path| std::fs::metadata(path).expect("kept").permissions().mode() & 0o777;
        assert_eq!(mode(&kept), 0o700);
        for entry in std::fs::read_dir(&kept).expect("a folder") {
            assert_eq!(mode(&entry.expect("a file").path()), 0o600);
        }
    }
    // The same version with other bytes, a lower one, and a higher one.
    let (file, digest) = written(&folder, &manifest("1.0.0", "<p>other</p>"));
    assert!(check(&folder, &["approve", &file, "--sha256", &digest], 5).contains("same version"));
    let (file, digest) = written(&folder, &manifest("0.9.0", "<p>other</p>"));
    assert!(check(&folder, &["approve", &file, "--sha256", &digest], 5).contains("not higher"));
    let mut newer = manifest("1.1.0", "<p>other</p>");
    newer["ui"][0]["csp"]["connectDomains"] =
        json!(["https://tiles.example.org", "https://api.example.org"]);
    newer["ui"][0]["permissions"]["camera"] = json!({});
    newer["tools"][0]["tool"]["name"] = json!("search_repositories");
    newer["tools"][0]["tool"]["args"] = json!({"project": "{{input.project}}"});
    let (file, digest) = written(&folder, &newer);
    let said = check(&folder, &["review", &file], 0);
    for line in [
        "Standing update: version 1.0.0 is approved",
        "Changed: view board.",
        "New: the \"Release board\" (board) view can now send and receive data from https://api.example.org.",
        "New: the \"Release board\" (board) view can now use your camera.",
        "New: tool render_board now wraps search_repositories instead of list_pull_requests.",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    check(&folder, &["approve", &file, "--sha256", &digest], 0);
    assert!(check(&folder, &["list"], 0).contains("1.1.0"));
    // Another app cannot take the names of its tools.
    let mut other = manifest("1.0.0", PAGE);
    other["app"]["id"] = json!("other");
    let (file, digest) = written(&folder, &other);
    assert!(check(&folder, &["approve", &file, "--sha256", &digest], 5).contains("team_board"));
    // Off, on, gone.
    check(&folder, &["disable", "team_board"], 0);
    assert!(check(&folder, &["list"], 0).contains("disabled"));
    check(&folder, &["enable", "team_board"], 0);
    check(&folder, &["remove", "team_board"], 0);
    assert_eq!(check(&folder, &["list"], 0), "");
    check(&folder, &["remove", "team_board"], 4);
}

#[test]
fn a_manifest_is_a_server_of_its_own() {
    let stand_in = StandIn::start(Options::default());
    let folder = approved("serve", &manifest("1.0.0", PAGE));
    let mut bb = serve(&stand_in, &folder, &[]);
    let listed = bb.ask("tools/list", json!({}));
    let tools = &listed["result"]["tools"];
    let uri = tools[0]["_meta"]["ui"]["resourceUri"]
        .as_str()
        .expect("an address")
        .to_owned();
    assert_eq!(tools[0]["_meta"]["ui/resourceUri"], uri.as_str());
    assert_eq!(tools[0]["_meta"]["ui"].get("visibility"), None);
    assert_eq!(tools[1]["_meta"]["ui"]["visibility"], json!(["app"]));
    assert_eq!(tools[0]["annotations"]["readOnlyHint"], true);
    assert_eq!(tools[1]["annotations"]["readOnlyHint"], false);
    let digest = Digest::of(PAGE.as_bytes()).to_string();
    assert_eq!(uri, format!("ui://team_board/board-{}", &digest[..8]));

    let ui = json!({"csp": {"connectDomains": ["https://tiles.example.org"]},
        "permissions": {"geolocation": {}}, "prefersBorder": true});
    let resources = bb.ask("resources/list", json!({}));
    assert_eq!(
        resources["result"]["resources"],
        json!([{"uri": uri, "name": "board", "title": "Release board",
            "mimeType": "text/html;profile=mcp-app", "_meta": {"ui": ui}}])
    );
    for params in [
        json!({"uri": uri}),
        json!({"uri": uri, "_meta": modern(json!({}))}),
    ] {
        let read = bb.ask("resources/read", params);
        let content = &read["result"]["contents"][0];
        assert_eq!(content["text"], PAGE);
        assert_eq!(content["_meta"]["ui"], ui);
    }
    for other in [
        "ui://team_board/board-00000000",
        "ui://bb/view",
        "ui://other/board-00000000",
    ] {
        let read = bb.ask("resources/read", json!({"uri": other}));
        assert!(read["error"]["code"].is_number(), "{read}");
    }

    let result = bb.call("render_board", json!({"project": "ACME", "repo": "rocket"}));
    let shown = result["structuredContent"]["pull_requests"]
        .as_array()
        .expect("a list");
    assert_eq!(shown.len(), 2, "{result}");
    assert_eq!(result["_meta"]["view"], json!({"shown": 2}));
    assert_eq!(result["structuredContent"]["presentation"], "board");
    let said: Value = serde_json::from_str(text(&result)).expect("JSON");
    assert_eq!(said, result["structuredContent"]);
    let why = bb.failure("render_board", json!({"project": 7}));
    assert!(
        why.contains("`input.project`") && why.contains("`input.repo`"),
        "{why}"
    );
    // None of bb's own tools is there.
    let refused = bb.ask(
        "tools/call",
        json!({"name": "list_pull_requests", "arguments": {}}),
    );
    assert!(
        refused["error"]["message"]
            .as_str()
            .is_some_and(|why| why.contains("no tool")),
        "{refused}"
    );
    let refused = bb.ask("tools/call", json!({"name": "show", "arguments": {}}));
    assert!(refused["error"].is_object(), "{refused}");
}

#[test]
fn what_binds_a_wrapped_tool_binds_the_one_that_wraps_it() {
    let stand_in = StandIn::start(Options::default());
    let folder = approved("bound", &manifest("1.0.0", PAGE));
    for (flags, offered) in [
        (vec!["--read-only"], vec!["render_board"]),
        (
            vec!["--exclude", "create_branch"],
            vec!["render_board", "tag_release"],
        ),
        (
            vec!["--exclude", "tag_release,create_branch"],
            vec!["render_board"],
        ),
        (vec!["--tools", "start_branch"], vec!["start_branch"]),
        (
            vec!["--tools", "render_board", "--exclude", "list_pull_requests"],
            vec![],
        ),
    ] {
        assert_eq!(
            names(&mut serve(&stand_in, &folder, &flags)),
            offered,
            "{flags:?}"
        );
    }
    let mut bb = serve(&stand_in, &folder, &["--project", "ZZZ"]);
    let before = stand_in.log().len();
    let why = bb.failure("render_board", json!({"project": "ACME", "repo": "rocket"}));
    assert!(why.contains("out of scope"), "{why}");
    assert_eq!(stand_in.log().len(), before);
    // A tool that asks asks, and this client cannot.
    let mut bb = serve(&stand_in, &folder, &[]);
    let why = bb.failure("tag_release", json!({"name": "v9"}));
    assert!(why.contains("create_tag did not run"), "{why}");
}

#[test]
fn its_catalogue_says_what_each_flag_leaves() {
    let folder = approved("catalogue", &manifest("1.0.0", PAGE));
    let state = folder.join("state").display().to_string();
    let tell = |flags: &[&str]| {
        let arguments = [
            "ai",
            "mcp",
            "tools",
            "--manifest",
            "team_board",
            "--state-dir",
            &state,
        ];
        let arguments: Vec<&str> = arguments.iter().chain(flags).copied().collect();
        let output = command(&arguments, &[]).output().expect("bb runs");
        let said = [output.stdout, output.stderr].concat();
        (
            output.status.code(),
            String::from_utf8(said).expect("UTF-8"),
        )
    };
    let (code, said) = tell(&["--exclude", "start_branch", "--read-only"]);
    let rows: Vec<Vec<&str>> = said
        .lines()
        .map(|line| line.split_whitespace().take(5).collect())
        .collect();
    assert_eq!(code, Some(0));
    assert_eq!(
        rows,
        [
            [
                "render_board",
                "reads",
                "exposed",
                "wraps",
                "list_pull_requests:"
            ],
            ["start_branch", "writes", "withheld", "by", "--exclude"],
            ["tag_release", "writes,", "asks", "withheld", "by"],
        ],
        "{said}"
    );
    assert!(said.contains("withheld by --read-only"), "{said}");
    let (_, said) = tell(&["--json", "--tools", "render_board"]);
    let told: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(told[0]["exposed"], true);
    assert_eq!(
        told[0]["input_schema"]["required"],
        json!(["project", "repo"])
    );
    assert_eq!(told[2]["asks"], true);
    assert_eq!(told[2]["withheld_by"], "--tools");
    let (code, said) = tell(&["--tools", "list_pull_requests"]);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("no tool of the manifest team_board"),
        "{said}"
    );
    check(&folder, &["disable", "team_board"], 0);
    assert_eq!(tell(&[]).0, Some(5));
    check(&folder, &["remove", "team_board"], 0);
    assert_eq!(tell(&[]).0, Some(4));
}

#[test]
fn a_call_is_recorded_with_both_names() {
    let stand_in = StandIn::start(Options::default());
    let folder = approved("audit", &manifest("1.0.0", PAGE));
    let file = folder.join("audit.jsonl");
    let path = file.display().to_string();
    let mut bb = serve(&stand_in, &folder, &["--audit-file", &path]);
    bb.call("render_board", json!({"project": "ACME", "repo": "rocket"}));
    let lines = std::fs::read_to_string(&file).expect("lines");
    let line: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!(line["tool"], "list_pull_requests");
    assert_eq!(
        line["manifest"],
        json!({"app": "team_board", "tool": "render_board"})
    );
    assert_eq!(line["arguments"]["state"], "OPEN");
    assert_eq!(line["outcome"], "done");
}

#[test]
fn a_changed_page_has_a_new_address_and_the_old_one_is_refused() {
    let stand_in = StandIn::start(Options::default());
    let folder = approved("address", &manifest("1.0.0", PAGE));
    let address = |bb: &mut Bb| {
        let listed = bb.ask("resources/list", json!({}));
        listed["result"]["resources"][0]["uri"]
            .as_str()
            .expect("an address")
            .to_owned()
    };
    let old = address(&mut serve(&stand_in, &folder, &[]));
    let (file, digest) = written(&folder, &manifest("1.0.1", &format!("{PAGE} ")));
    // Until it is approved, the file on disk changes nothing.
    assert_eq!(address(&mut serve(&stand_in, &folder, &[])), old);
    check(&folder, &["approve", &file, "--sha256", &digest], 0);
    let mut bb = serve(&stand_in, &folder, &[]);
    assert_ne!(address(&mut bb), old);
    let read = bb.ask("resources/read", json!({"uri": old}));
    assert_eq!(read["error"]["code"], -32002, "{read}");
}

#[test]
fn what_is_not_as_it_was_approved_is_not_served() {
    let folder = approved("damaged", &manifest("1.0.0", PAGE));
    let state = folder.join("state").display().to_string();
    let served = |id: &str| {
        let arguments = [
            "ai",
            "mcp",
            "serve",
            "--manifest",
            id,
            "--state-dir",
            &state,
            "--host",
            "https://code.example.com",
        ];
        let output = command(&arguments, &[]).output().expect("bb runs");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(served("nobody").0, Some(4));
    check(&folder, &["disable", "team_board"], 0);
    assert_eq!(served("team_board").0, Some(5));
    check(&folder, &["enable", "team_board"], 0);
    let kept = std::fs::read_dir(folder.join("state/manifests")).expect("a folder");
    let mut kept = kept.map(|entry| entry.expect("a file").path());
    let copy = kept
        .find(|path| !path.ends_with("approvals.json"))
        .expect("a copy");
    let mut bytes = std::fs::read(&copy).expect("bytes");
    let at = bytes
        .windows(4)
        .position(|window| window == b"main")
        .expect("the page");
    bytes[at] = b'M';
    std::fs::write(&copy, &bytes).expect("written");
    let (code, said) = served("team_board");
    assert_eq!(code, Some(5));
    assert!(said.contains("not what was approved"), "{said}");
    let said = check(&folder, &["list"], 0);
    assert!(
        said.contains("damaged") && said.contains("SHA-256 differs"),
        "{said}"
    );
}
