//! What each tool and each kind asks of Bitbucket: a table of requests, the fewest that its answer needs.
//!
//! Walks the catalogue with each tool's and kind's own example, so a new one has its lines at once. The table is
//! `fixtures/requests.md`; `BB_UPDATE=1` writes it anew, and a request more is then a line to explain.

use crate::support::{Bb, fixture};
use bb::catalog::TOOLS;
use bb::show::kinds::KINDS;
use serde_json::{Value, json};
use standin::{Logged, Options, StandIn};
use std::fmt::Write as _;

const TABLE: &str = "requests.md";

const HEAD: &str = "\
# What a call asks of Bitbucket

Each tool and each kind of view by its own example, on a server that was just started; `again` is `refresh_view` while
nothing changed. Requests of one call run side by side where none needs another's answer, so they stand by name here.
Made by `tests/it/requests.rs`.
";

/// A process of its own for each call, so that nothing is known from the call before.
fn asked(tool: &str, arguments: &Value) -> Vec<Logged> {
    let standin = StandIn::start(Options::default());
    let mut bb = started(&standin);
    let result = bb.call(tool, arguments.clone());
    assert_ne!(result["isError"], true, "{tool}: {result}");
    standin.log()
}

fn started(standin: &StandIn) -> Bb {
    Bb::with_args(standin, &["--no-confirm", "--views", "always"])
}

/// The requests of one call as lines, with what differs from stand-in to stand-in left out.
fn lines(log: &[Logged]) -> String {
    let mut lines: Vec<String> = log.iter().map(line).collect();
    lines.sort();
    lines.concat()
}

fn line(request: &Logged) -> String {
    let path = request.path.trim_start_matches("/rest/");
    let is_hash =
        |word: &str| word.len() == 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut shown = String::new();
    for word in path.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let (name, end) = match word.char_indices().next_back() {
            Some((at, c)) if !c.is_ascii_alphanumeric() => word.split_at(at),
            _ => (word, ""),
        };
        let name = if is_hash(name) { "{commit}" } else { name };
        let _ = write!(shown, "{name}{end}");
    }
    format!("- `{} {shown}`\n", request.method)
}

/// For tools whose own example is of a world that is not quite the stand-in's.
const INSTEAD: &[(&str, &str)] = &[
    (
        "create_pull_request",
        r#"{"project":"ACME","repo":"rocket","title":"Steam","source_branch":"feature/steam","reviewers":["idris.vale"]}"#,
    ),
    (
        "merge_pull_request",
        r#"{"project":"ACME","repo":"rocket","id":54,"strategy":"squash"}"#,
    ),
];

fn example(name: &str, text: &str, standin: &StandIn) -> Value {
    let instead = INSTEAD.iter().find(|(tool, _)| *tool == name);
    let text = instead.map_or(text, |(_, text)| text);
    let mut arguments: Value = serde_json::from_str(text).expect("an example is JSON");
    if arguments.get("commit_id").is_some() {
        // An example's commit is nobody's.
        arguments["commit_id"] = json!(standin.commit("igniter-3"));
    }
    arguments
}

fn section(out: &mut String, name: &str, log: &[Logged]) {
    let _ = write!(out, "\n## {name}: {}\n\n{}", log.len(), lines(log));
}

#[test]
fn each_call_asks_what_the_table_says() {
    let mut made = HEAD.to_owned();
    let world = StandIn::start(Options::default());
    for tool in TOOLS {
        let log = asked(tool.name, &example(tool.name, tool.example, &world));
        section(&mut made, tool.name, &log);
    }
    for kind in KINDS {
        let show = example(&format!("show {}", kind.name), kind.example, &world);
        let standin = StandIn::start(Options::default());
        let mut bb = started(&standin);
        let shown = bb.call("show", show.clone());
        assert_ne!(shown["isError"], true, "{}: {shown}", kind.name);
        section(&mut made, &format!("show {}", kind.name), &standin.log());
        standin.clear_log();
        let fingerprint = &shown["_meta"]["bb/view"]["fingerprint"];
        let again = bb.call(
            "refresh_view",
            json!({"show": show, "fingerprint": fingerprint}),
        );
        assert_ne!(again["isError"], true, "{}: {again}", kind.name);
        section(
            &mut made,
            &format!("show {}, again", kind.name),
            &standin.log(),
        );
    }
    let path = fixture(TABLE);
    if std::env::var_os("BB_UPDATE").is_some() {
        std::fs::write(&path, &made).expect("written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let told = kept
        .lines()
        .zip(made.lines())
        .find(|(kept, made)| kept != made);
    assert!(
        kept == made,
        "fixtures/{TABLE} says other requests, first {told:?}: BB_UPDATE=1 cargo test --test it requests:: writes it anew"
    );
}
