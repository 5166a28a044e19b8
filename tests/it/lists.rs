//! The kinds that list: what they carry, how they count, what they ask of Bitbucket (R4, R21, R23, R24, R34, R35).

use crate::support::text;
use crate::support::views::{ROCKET, drawing, refreshed, rendering, rendering_with, requests};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn, Step};

/// One call of each kind.
const CALLS: [&str; 4] = [
    r#"{"kind":"pull_requests","project":"ACME","repo":"rocket"}"#,
    r#"{"kind":"pull_requests"}"#,
    r#"{"kind":"commits","project":"ACME","repo":"rocket","id":42}"#,
    r#"{"kind":"builds","project":"ACME","repo":"rocket","id":42}"#,
];

fn call(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// What one call shows, and the text beside it without its last sentence.
#[track_caller]
fn shown(stand_in: &StandIn, arguments: Value) -> (Value, String) {
    let mut bb = rendering(stand_in);
    let result = bb.call("show", arguments.clone());
    let said = text(&result).replace(" If the person sees no view, answer in words.", "");
    (drawing(&mut bb, "show", arguments), said)
}

fn ids(view: &Value, name: &str) -> Vec<Value> {
    let listed = view["facts"]["listed"].as_array().expect("a list");
    listed.iter().map(|one| one[name].clone()).collect()
}

#[test]
fn a_list_says_how_many_there_are_only_where_bitbucket_does() {
    let stand_in = StandIn::start(Options::default());
    for (arguments, count, next, said) in [
        (
            json!({"kind": "pull_requests", "repo": "FLEET/fleet"}),
            json!({"n": 25, "exact": false}),
            json!(25),
            "25 open pull requests, and more of FLEET/fleet: #",
        ),
        (
            json!({"kind": "pull_requests", "repo": "FLEET/empty"}),
            json!({"n": 0, "exact": true}),
            Value::Null,
            "no open pull requests of FLEET/empty.",
        ),
        (
            json!({"kind": "commits", "repo": ROCKET, "id": 42, "limit": 2}),
            json!({"n": 3, "exact": true}),
            json!(2),
            "2 of 3 commits of pull request 42 of ACME/rocket; the first is ",
        ),
        (
            json!({"kind": "builds", "repo": ROCKET, "id": 49}),
            json!({"n": 200, "exact": true}),
            Value::Null,
            "200 builds of pull request 49 of ACME/rocket (200 successful)",
        ),
        (
            json!({"kind": "builds", "repo": ROCKET, "id": 49, "limit": 30, "start": 30}),
            json!({"n": 200, "exact": true}),
            json!(60),
            "30 of 200 builds of pull request 49 of ACME/rocket (200 successful)",
        ),
    ] {
        let (view, told) = shown(&stand_in, arguments.clone());
        assert_eq!(view["facts"]["count"], count, "{arguments}");
        assert_eq!(view["facts"]["next"], next, "{arguments}");
        let said = format!("Put on the person's screen: {said}");
        assert!(told.starts_with(&said), "{told}\n{said}");
    }
}

#[test]
fn a_list_is_read_alike_twice_and_is_never_still() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for arguments in CALLS {
        let first = drawing(&mut bb, "show", call(arguments));
        let second = drawing(&mut bb, "show", call(arguments));
        assert_eq!(first["facts"], second["facts"], "{arguments}");
        assert_eq!(first["fingerprint"], second["fingerprint"], "{arguments}");
        assert_eq!(refreshed(&mut bb, &first)["unchanged"], true, "{arguments}");
        let motion = match first["kind"] == "builds" {
            true => "moving",
            false => "quiet",
        };
        assert_eq!(first["motion"], motion, "{arguments}");
    }
    let merged = json!({"kind": "builds", "repo": ROCKET, "id": 41});
    assert_eq!(drawing(&mut bb, "show", merged)["motion"], "quiet");
}

#[test]
fn a_list_costs_few_requests_however_long_it_is() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for (arguments, wanted) in [
        (
            json!({"kind": "pull_requests", "repo": "FLEET/fleet", "limit": 100}),
            vec![
                "/rest/api/latest/projects/FLEET/repos/fleet/pull-requests",
                "/rest/ui/latest/projects/FLEET/repos/fleet/build-summaries",
            ],
        ),
        (
            json!({"kind": "pull_requests"}),
            vec!["/rest/api/latest/dashboard/pull-requests"],
        ),
        (
            json!({"kind": "commits", "repo": ROCKET, "id": 42}),
            vec![
                "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42/commits",
                "/rest/ui/latest/projects/ACME/repos/rocket/build-summaries",
            ],
        ),
    ] {
        let before = requests(&stand_in).len();
        drawing(&mut bb, "show", arguments.clone());
        let asked = requests(&stand_in).split_off(before);
        let asked: Vec<&str> = asked
            .iter()
            .map(|path| path.split('?').next().unwrap_or_default())
            .filter(|path| !path.contains("avatar"))
            .collect();
        assert_eq!(asked, wanted, "{arguments}");
    }
}

#[test]
fn a_list_whose_builds_cannot_be_had_is_still_the_list() {
    let summaries = "/rest/ui/latest/projects/ACME/repos/rocket/build-summaries";
    for (status, is_said) in [(404, false), (401, false), (500, true)] {
        let stand_in = StandIn::start(Options::default());
        let fault = Fault::on("GET", summaries, Effect::status(status));
        stand_in.fault(fault);
        let (view, _) = shown(&stand_in, call(CALLS[0]));
        let facts = &view["facts"];
        assert_eq!(facts["listed"][0]["id"], 55, "{status}");
        assert_eq!(facts["listed"][0].get("builds"), None, "{status}");
        let unread = facts["builds_unread"].as_str().unwrap_or_default();
        assert_eq!(
            unread.contains("Bitbucket answered 500"),
            is_said,
            "{unread}"
        );
    }
}

#[test]
fn a_row_of_a_pull_request_has_what_bitbuckets_list_has() {
    let stand_in = StandIn::start(Options::default());
    let (view, _) = shown(&stand_in, call(CALLS[0]));
    let listed = view["facts"]["listed"].as_array().expect("a list");
    let row = listed.iter().find(|row| row["id"] == 42).expect("a row");
    assert_eq!(row["title"], "Light the engine with a real igniter");
    assert_eq!(row["author"]["name"], "wren.okafor");
    assert_eq!(row["open_tasks"], 2);
    assert_eq!(row["reviewers"]["approved"], 1);
    assert_eq!(row["reviewers"]["needs_work"], 1);
    assert_eq!(row["reviewers"]["listed"][0]["status"], "NEEDS_WORK");
    assert_eq!(row["builds"]["FAILED"], 2);
    let forked = listed.iter().find(|row| row["id"] == 45).expect("a fork");
    assert_eq!(
        forked["fork"],
        json!({"project": "~idris.vale", "repo": "rocket"})
    );
    assert!(
        view["dressing"]["avatars"]
            .as_object()
            .is_some_and(|all| all.len() <= 12)
    );
}

#[test]
fn the_builds_of_a_pull_request_are_those_of_its_page_the_worst_first() {
    let stand_in = StandIn::start(Options::default());
    let (view, said) = shown(&stand_in, call(CALLS[3]));
    let facts = &view["facts"];
    assert_eq!(facts["of"], "pull_request");
    assert_eq!(
        ids(&view, "state"),
        [
            "FAILED",
            "FAILED",
            "INPROGRESS",
            "CANCELLED",
            "UNKNOWN",
            "SUCCESSFUL"
        ]
    );
    assert_eq!(facts["required"].as_array().map(Vec::len), Some(3));
    assert!(
        said.ends_with("; 1 of 3 required builds successful."),
        "{said}"
    );

    let commit = stand_in.commit("igniter-3");
    let without = StandIn::start(Options {
        ui_listing: false,
        ..Options::default()
    });
    for arguments in [
        call(CALLS[3]),
        json!({"kind": "builds", "commit_id": commit}),
    ] {
        let (view, said) = shown(&without, arguments.clone());
        let facts = &view["facts"];
        assert_eq!(
            (&facts["of"], &facts["commit"]),
            (&json!("commit"), &json!(commit))
        );
        // One more than the page counts: it was made for another branch.
        assert_eq!(
            facts["count"],
            json!({"n": 7, "exact": true}),
            "{arguments}"
        );
        assert_eq!(facts["required"], Value::Null, "{arguments}");
        let told = format!("7 builds of commit {}", &commit[..11]);
        assert!(said.contains(&told), "{said}");
    }
}

#[test]
fn nothing_is_required_that_bitbucket_would_merge_without() {
    let stand_in = StandIn::start(Options::default());
    let merge = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42/merge";
    let can = json!({"canMerge": true, "conflicted": false, "outcome": "CLEAN", "vetoes": []});
    stand_in.fault(Fault::on("GET", merge, Effect::replace("", can)));
    let (view, _) = shown(&stand_in, call(CALLS[3]));
    assert_eq!(view["facts"]["required"], Value::Null);
}

#[test]
fn a_build_that_ends_moves_the_view_and_brings_it_to_rest() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let held = drawing(
        &mut bb,
        "show",
        json!({"kind": "builds", "repo": ROCKET, "id": 55}),
    );
    assert_eq!(held["motion"], "moving");
    stand_in.step(Step::Build {
        repository: ROCKET.to_owned(),
        commit: stand_in.commit("queued-1"),
        fields: json!({"key": "build-321", "parent": "ci/build", "state": "FAILED", "url": "https://ci.example.com/build/321"}),
    });
    let now = refreshed(&mut bb, &held);
    assert_eq!(now["motion"], "quiet");
    assert_eq!(ids(&now, "state")[0], "FAILED");
}

#[test]
fn a_kind_takes_what_its_tool_takes_and_nothing_else() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for (arguments, said) in [
        (
            json!({"kind": "pull_request", "repo": ROCKET, "id": 1, "state": "OPEN"}),
            r#"`state` is unknown: accepted are project, repo, id, activity_start. Example: {"kind":"pull_request","#,
        ),
        (
            json!({"kind": "pull_requests", "repo": ROCKET, "state": "SHUT"}),
            r#"`state` is "SHUT": it must be one of OPEN, MERGED, DECLINED, ALL. Example: {"kind":"pull_requests","#,
        ),
        (
            json!({"kind": "commits", "limit": 1_000}),
            "`limit` is 1000: it must be a whole number from 1 to 100",
        ),
        (
            json!({"kind": "commits"}),
            "`project` is missing: it must be a project's key",
        ),
        (
            json!({"kind": "builds", "repo": ROCKET}),
            "give `id` for the builds of a pull request, or `commit_id` for a commit's",
        ),
        (
            json!({"kind": "builds", "commit_id": "abc1234"}),
            "`commit_id` must be a whole commit id of 40 hex digits",
        ),
        (
            json!({"kind": "pull_requests", "text": "igniter"}),
            "`text` needs a repository: give `project` and `repo` beside it",
        ),
    ] {
        let found = bb.failure("show", arguments);
        assert!(found.contains(said), "{found}\n{said}");
    }
    assert_eq!(requests(&stand_in), Vec::<String>::new());
}

#[test]
fn one_kind_alone_requires_what_it_requires_and_several_what_all_do() {
    let stand_in = StandIn::start(Options::default());
    for (tools, required) in [
        ("get_pull_request", json!(["kind", "id"])),
        ("get_pull_request,list_pull_requests", json!(["kind"])),
    ] {
        let mut bb = rendering_with(&stand_in, &["--tools", tools]);
        let listed = bb.ask("tools/list", json!({}));
        let listed = listed["result"]["tools"].as_array().expect("tools");
        let show = listed.iter().find(|tool| tool["name"] == "show");
        assert_eq!(
            show.expect("show")["inputSchema"]["required"],
            required,
            "{tools}"
        );
    }
}

#[test]
fn a_start_past_the_end_is_told_with_its_place_and_how_many_there_are() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let at = |view: Value| {
        let mut arguments = json!({"project": "ACME", "repo": "rocket"});
        for (name, value) in view.as_object().into_iter().flatten() {
            arguments[name] = value.clone();
        }
        arguments
    };
    for (view, words) in [
        (
            json!({"kind": "commits", "id": 42, "start": 900}),
            "none of 3 commits from start 900 on, of pull request 42",
        ),
        (
            json!({"kind": "builds", "id": 42, "start": 900}),
            "none of 6 builds from start 900 on, of pull request 42",
        ),
        (
            json!({"kind": "pull_requests", "start": 900}),
            "no open pull requests from start 900 on, of ACME/rocket",
        ),
    ] {
        let result = bb.call("show", at(view.clone()));
        assert!(text(&result).contains(words), "{view}: {result}");
    }
    let diff = at(json!({"kind": "diff", "id": 42, "start_file": 99}));
    let said = bb.failure("show", diff.clone());
    assert!(
        said.contains("`start_file`: pull request 42 of ACME/rocket has ")
            && said.contains(" changed files, counted from 0, so there is none from 99 on"),
        "{said}"
    );
    // A view that was opened there draws what is left.
    let again = bb.call("refresh_view", json!({"show": diff}));
    assert_ne!(again["isError"], true, "{again}");
}
