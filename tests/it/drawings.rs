//! The drawings of the stand-in's world: the contract between bb and the page. Browser tests draw each file.
//!
//! `BB_UPDATE=1` writes them anew. What differs between two runs is put in one spelling: the address of the stand-in,
//! the time of reading. Pictures are carried in the files and not compared: a slow machine may leave some out.

use crate::support::fixture;
use crate::support::views::{ROCKET, drawing, rendering_with, shown};
use bb::digest::Digest;
use serde_json::{Value, json};
use standin::{Options, StandIn, Step};

/// A drawing of each pull request of the world that looks unlike the others.
const DRAWINGS: &[(&str, u64)] = &[
    ("world-declined", 39),
    ("world-pushed", 40),
    ("world-merged", 41),
    ("world-open", 42),
    ("world-draft", 43),
    ("world-conflicted", 44),
    ("world-fork", 45),
    ("world-unseen-fork", 46),
    ("world-everybody", 47),
    ("world-long", 48),
    ("world-machines", 49),
    ("world-hostile", 50),
    ("world-ready", 54),
    ("world-waiting", 55),
];

/// What is offered in a drawing of a list: what its rows open, and itself in another state.
const LIST_TOOLS: &str = "get_pull_request,list_pull_requests,list_commits,get_build_status";

/// The lists of the world: kind, name, and the arguments beside the kind.
const LISTS: &[(&str, &str, &str)] = &[
    ("pull_requests", "open", r#"{"repo":"ACME/rocket"}"#),
    (
        "pull_requests",
        "merged",
        r#"{"repo":"ACME/rocket","state":"MERGED"}"#,
    ),
    (
        "pull_requests",
        "declined",
        r#"{"repo":"ACME/rocket","state":"DECLINED"}"#,
    ),
    (
        "pull_requests",
        "all",
        r#"{"repo":"ACME/rocket","state":"ALL","order":"OLDEST"}"#,
    ),
    ("pull_requests", "page", r#"{"repo":"FLEET/fleet"}"#),
    (
        "pull_requests",
        "hundred",
        r#"{"repo":"FLEET/fleet","limit":100}"#,
    ),
    (
        "pull_requests",
        "last-page",
        r#"{"repo":"FLEET/fleet","start":100,"limit":100}"#,
    ),
    ("pull_requests", "empty", r#"{"repo":"FLEET/empty"}"#),
    ("pull_requests", "own", r#"{"state":"ALL"}"#),
    ("pull_requests", "to-review", r#"{"role":"reviewer"}"#),
    (
        "pull_requests",
        "filtered",
        r#"{"repo":"ACME/rocket","target_branch":"main","text":"igniter"}"#,
    ),
    (
        "commits",
        "pull-request",
        r#"{"repo":"ACME/rocket","id":42}"#,
    ),
    ("commits", "repository", r#"{"repo":"ACME/rocket"}"#),
    ("commits", "page", r#"{"repo":"ACME/rocket","limit":2}"#),
    (
        "commits",
        "next-page",
        r#"{"repo":"ACME/rocket","limit":2,"start":2}"#,
    ),
    ("commits", "path", r#"{"repo":"ACME/rocket","path":"src"}"#),
    (
        "commits",
        "nowhere",
        r#"{"repo":"ACME/rocket","path":"no/such/file"}"#,
    ),
    ("commits", "hostile", r#"{"repo":"ACME/rocket","id":50}"#),
    ("builds", "every-state", r#"{"repo":"ACME/rocket","id":42}"#),
    ("builds", "two-hundred", r#"{"repo":"ACME/rocket","id":49}"#),
    (
        "builds",
        "page",
        r#"{"repo":"ACME/rocket","id":49,"limit":25}"#,
    ),
    ("builds", "hostile", r#"{"repo":"ACME/rocket","id":50}"#),
    ("builds", "met", r#"{"repo":"ACME/rocket","id":54}"#),
    ("builds", "running", r#"{"repo":"ACME/rocket","id":55}"#),
    ("builds", "missing", r#"{"repo":"ACME/rocket","id":47}"#),
    ("builds", "none", r#"{"repo":"ACME/gantry","id":7}"#),
];

/// A drawing as its file has it.
fn in_one_spelling(drawing: &Value, stand_in: &StandIn) -> Value {
    let text = drawing.to_string();
    let text = text.replace(stand_in.url(), "https://bitbucket.example.com");
    let mut drawing: Value = serde_json::from_str(&text).expect("JSON");
    drawing["read_at"] = json!("2026-11-30T09:45:12Z");
    let told = json!([drawing["facts"], drawing["offers"]]).to_string();
    drawing["fingerprint"] = json!(Digest::of(told.as_bytes()).to_string()[..32]);
    drawing
}

#[track_caller]
fn check(kind: &str, name: &str, drawing: &Value) {
    let path = fixture("drawings").join(kind).join(format!("{name}.json"));
    if std::env::var_os("BB_UPDATE").is_some() {
        let folder = path.parent().expect("a folder");
        std::fs::create_dir_all(folder).expect("the folder can be made");
        let text = format!("{drawing:#}\n");
        std::fs::write(&path, text).expect("the file can be written");
        return;
    }
    let kept = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{name}: {error}; BB_UPDATE=1 writes it"));
    let without_pictures = |drawing: &Value| {
        let mut drawing = drawing.clone();
        drawing["dressing"] = json!({});
        format!("{drawing:#}")
    };
    let kept: Value = serde_json::from_str(&kept).expect("the file is JSON");
    let (kept, now) = (without_pictures(&kept), without_pictures(drawing));
    assert!(kept == now, "{name} is now (BB_UPDATE=1 keeps it):\n{now}");
}

#[test]
fn each_drawing_of_the_world_is_as_its_file_has_it() {
    let stand_in = StandIn::start(Options::default());
    // What is offered is part of a drawing, and no tool that comes later changes these.
    let mut bb = rendering_with(
        &stand_in,
        &["--tools", "get_pull_request", "--highlight-deadline", "10s"],
    );
    for (name, id) in DRAWINGS {
        check(
            "pull_request",
            name,
            &in_one_spelling(&shown(&mut bb, *id), &stand_in),
        );
    }
    stand_in.step(Step::Conditions {
        repository: ROCKET.to_owned(),
        conditions: Vec::new(),
    });
    let drawing = shown(&mut bb, 54);
    check(
        "pull_request",
        "world-nothing-required",
        &in_one_spelling(&drawing, &stand_in),
    );
}

/// Diffs of the world that look unlike the others: the name, and the arguments of `show` beside `kind`.
const DIFFS: &[(&str, &str)] = &[
    ("world-comments", r#"{"repo":"ACME/rocket","id":42}"#),
    ("world-conflict", r#"{"repo":"ACME/rocket","id":44}"#),
    ("world-merged", r#"{"repo":"ACME/rocket","id":41}"#),
    ("world-hostile", r#"{"repo":"ACME/rocket","id":50}"#),
    ("world-kinds", r#"{"repo":"ACME/rocket","id":51}"#),
    ("world-cut", r#"{"repo":"ACME/rocket","id":52}"#),
    ("world-lines", r#"{"repo":"ACME/rocket","id":53}"#),
    ("world-small", r#"{"repo":"ACME/rocket","id":54}"#),
    ("world-huge", r#"{"repo":"FLEET/fleet","id":1}"#),
    (
        "world-huge-later",
        r#"{"repo":"FLEET/fleet","id":1,"start_file":700}"#,
    ),
    (
        "world-refs",
        r#"{"repo":"ACME/rocket","from":"feature/igniter","to":"main"}"#,
    ),
    (
        "world-no-refs",
        r#"{"repo":"ACME/rocket","from":"main","to":"main"}"#,
    ),
    (
        "world-commit",
        r#"{"repo":"ACME/rocket","commit_id":"COMMIT"}"#,
    ),
];

#[test]
fn each_diff_of_the_world_is_as_its_file_has_it() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering_with(
        &stand_in,
        &[
            "--tools",
            "get_pr_diff,compare_refs,get_commit",
            // The files have all colors, however slow the machine that writes them.
            "--highlight-deadline",
            "10s",
        ],
    );
    for (name, arguments) in DIFFS {
        let arguments = arguments.replace("COMMIT", &stand_in.commit("igniter-3"));
        let mut arguments: Value = serde_json::from_str(&arguments).expect("JSON");
        arguments["kind"] = json!("diff");
        let drawn = drawing(&mut bb, "show", arguments);
        check("diff", name, &in_one_spelling(&drawn, &stand_in));
    }
}

/// Forms of the world that look unlike the others: the name, and the arguments of `show` beside `kind`.
const FORMS: &[(&str, &str)] = &[
    ("world-one-commit", r#"{"source_branch":"feature/steam"}"#),
    (
        "world-drafted",
        r#"{"source_branch":"feature/igniter","target_branch":"release/2.0","title":"Fly on steam","draft":true,
            "description":"*Why*: water is cheap.\n\n- [ ] measure","reviewers":["tomas.lindqvist","nobody.here"]}"#,
    ),
    (
        "world-fork",
        r#"{"source_branch":"red-nose","source_repo":"~idris.vale/rocket","target_branch":"release/2.0"}"#,
    ),
    ("world-open", r#"{"source_branch":"feature/igniter"}"#),
    (
        "world-nothing",
        r#"{"source_branch":"main","target_branch":"feature/kinds"}"#,
    ),
    ("world-nowhere", r#"{"source_branch":"feature/nowhere"}"#),
    (
        "world-hostile",
        r#"{"source_branch":"feature/\"><b>x","target_branch":"release/2.0"}"#,
    ),
];

#[test]
fn each_form_of_the_world_is_as_its_file_has_it() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering_with(
        &stand_in,
        &["--tools", "create_pull_request,get_pull_request"],
    );
    for (name, arguments) in FORMS {
        let mut arguments: Value = serde_json::from_str(arguments).expect("JSON");
        arguments["kind"] = json!("create_pull_request");
        arguments["repo"] = json!("ACME/rocket");
        let drawn = drawing(&mut bb, "show", arguments);
        check(
            "create_pull_request",
            name,
            &in_one_spelling(&drawn, &stand_in),
        );
    }
}

#[test]
fn a_drawing_without_the_pages_listing_is_as_its_file_has_it() {
    let stand_in = StandIn::start(Options {
        ui_listing: false,
        ..Options::default()
    });
    let mut bb = rendering_with(&stand_in, &["--tools", "get_pull_request"]);
    let drawing = shown(&mut bb, 42);
    check(
        "pull_request",
        "world-no-listing",
        &in_one_spelling(&drawing, &stand_in),
    );
}

#[test]
fn each_list_of_the_world_is_as_its_file_has_it() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering_with(&stand_in, &["--tools", LIST_TOOLS]);
    let mut check_shown = |kind: &str, name: &str, mut call: Value| {
        call["kind"] = json!(kind);
        let drawn = drawing(&mut bb, "show", call);
        check(kind, name, &in_one_spelling(&drawn, &stand_in));
    };
    for (kind, name, call) in LISTS {
        check_shown(kind, name, serde_json::from_str(call).expect("JSON"));
    }
    let commit = stand_in.commit("igniter-3");
    check_shown(
        "builds",
        "commit",
        json!({"repo": "ACME/rocket", "commit_id": commit}),
    );
    check_shown("builds", "commit-alone", json!({"commit_id": commit}));
    let without = StandIn::start(Options {
        ui_listing: false,
        ..Options::default()
    });
    let mut bb = rendering_with(&without, &["--tools", LIST_TOOLS]);
    for (kind, name, id) in [("builds", "no-listing", 42), ("commits", "no-listing", 42)] {
        let call = json!({"kind": kind, "repo": "ACME/rocket", "id": id});
        let drawn = drawing(&mut bb, "show", call);
        check(kind, name, &in_one_spelling(&drawn, &without));
    }
}
