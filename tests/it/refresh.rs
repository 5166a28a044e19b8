//! `refresh_view`: fingerprints, motion, and what a view asks for (contract 4.3; R29, R30, R34).

use crate::support::modern;
use crate::support::views::{ROCKET, call, drawing, refreshed, rendering, requests, shown};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn, Step};

#[test]
fn a_state_has_one_fingerprint_and_a_poll_of_it_is_short() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let first = shown(&mut bb, 42);
    let second = shown(&mut bb, 42);
    assert_eq!(first["fingerprint"], second["fingerprint"]);
    assert_eq!(first["facts"], second["facts"]);

    let arguments = json!({"show": first["show"], "fingerprint": first["fingerprint"]});
    let meta = modern(json!({"extensions": {"io.modelcontextprotocol/ui": {}}}));
    let answer = bb.ask(
        "tools/call",
        json!({"name": "refresh_view", "arguments": arguments, "_meta": meta}),
    );
    let result = &answer["result"];
    assert_eq!(result["_meta"]["bb/view"]["unchanged"], true, "{answer}");
    assert_eq!(result["_meta"]["bb/view"]["motion"], "moving");
    assert_eq!(result["resultType"], "complete");
    let bytes = result.to_string().len();
    assert!(bytes <= 300, "{bytes} bytes: {result}");

    let whole = drawing(&mut bb, "refresh_view", json!({"show": first["show"]}));
    assert_eq!(whole["facts"], first["facts"]);
}

#[test]
fn a_diff_has_one_fingerprint_until_its_lines_or_its_comments_change() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for arguments in [
        json!({"kind": "diff", "repo": "ACME/rocket", "id": 42}),
        json!({"kind": "diff", "repo": "FLEET/fleet", "id": 1, "start_file": 700}),
        json!({"kind": "diff", "repo": "ACME/rocket", "id": 42, "path": "engine/pump.rs"}),
        json!({"kind": "diff", "repo": "ACME/rocket", "from": "feature/igniter", "to": "main"}),
        json!({"kind": "diff", "repo": "ACME/rocket", "commit_id": stand_in.commit("igniter-3")}),
    ] {
        let first = drawing(&mut bb, "show", arguments);
        let again = refreshed(&mut bb, &first);
        assert_eq!(again["unchanged"], true, "{}: {again}", first["show"]);
    }
    let held = drawing(
        &mut bb,
        "show",
        json!({"kind": "diff", "repo": "ACME/rocket", "id": 42}),
    );
    let said = json!({
        "repo": "ACME/rocket", "id": 42, "text": "New.", "path": "engine/pump.rs", "line": 4,
    });
    let answer = bb.call("add_pr_comment", said);
    assert_ne!(answer["isError"], true, "{answer}");
    let now = refreshed(&mut bb, &held);
    assert_ne!(now["fingerprint"], held["fingerprint"]);
    assert!(now["facts"].to_string().contains("New."));
}

#[test]
fn whatever_changes_in_bitbucket_changes_the_fingerprint() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let mut held = shown(&mut bb, 42);
    let steps = [
        Step::Review {
            repository: ROCKET.to_owned(),
            id: 42,
            user: "tomas.lindqvist".to_owned(),
            status: "APPROVED".to_owned(),
        },
        Step::Task {
            repository: ROCKET.to_owned(),
            id: 42,
            comment: 405,
            user: "wren.okafor".to_owned(),
            state: "RESOLVED".to_owned(),
        },
        Step::Build {
            repository: ROCKET.to_owned(),
            commit: stand_in.commit("igniter-3"),
            fields: json!({"key": "lint-77", "parent": "ci/lint", "state": "SUCCESSFUL", "url": "https://ci.example.com/lint/77"}),
        },
        Step::Push {
            repository: ROCKET.to_owned(),
            branch: "refs/heads/feature/igniter".to_owned(),
            user: "wren.okafor".to_owned(),
            message: "Try again".to_owned(),
            files: vec![("again.md".to_owned(), Some("again\n".to_owned()))],
        },
        Step::Decline {
            repository: ROCKET.to_owned(),
            id: 42,
            user: "wren.okafor".to_owned(),
        },
    ];
    for step in steps {
        let what = format!("{step:?}");
        stand_in.step(step);
        let now = refreshed(&mut bb, &held);
        assert_ne!(now["fingerprint"], held["fingerprint"], "{what}");
        assert_eq!(refreshed(&mut bb, &now)["unchanged"], true, "{what}");
        held = now;
    }
    assert_eq!(held["facts"]["state"], "DECLINED");
    assert_eq!(held["facts"]["merge_checks"], Value::Null);
    assert_eq!(held["motion"], "still");
}

#[test]
fn a_view_asks_for_the_merge_check_once_a_minute() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let held = shown(&mut bb, 54);
    for _ in 0..3 {
        assert_eq!(refreshed(&mut bb, &held)["unchanged"], true);
    }
    let is_check = |path: &&String| path.ends_with("/pull-requests/54/merge");
    assert_eq!(requests(&stand_in).iter().filter(is_check).count(), 1);
    shown(&mut bb, 54);
    assert_eq!(requests(&stand_in).iter().filter(is_check).count(), 2);
}

#[test]
fn motion_says_how_soon_asking_again_is_worth_it() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for (id, motion) in [
        (42, "moving"),
        (54, "quiet"),
        (55, "moving"),
        (41, "still"),
        (39, "still"),
        (43, "quiet"),
    ] {
        assert_eq!(shown(&mut bb, id)["motion"], motion, "{id}");
    }
    // Nothing builds any more, and it still waits to merge itself.
    stand_in.step(Step::Build {
        repository: ROCKET.to_owned(),
        commit: stand_in.commit("queued-1"),
        fields: json!({"key": "build-321", "parent": "ci/build", "state": "FAILED", "url": "https://ci.example.com/"}),
    });
    let waits = shown(&mut bb, 55);
    assert_eq!(waits["facts"]["merge_checks"]["auto_merge"], true);
    assert_eq!(waits["motion"], "moving");
}

#[test]
fn every_pull_request_of_the_world_fits_and_has_one_fingerprint() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for id in 39..=55 {
        let one = shown(&mut bb, id);
        assert_eq!(one["facts"]["id"], id);
        let again = refreshed(&mut bb, &one);
        assert_eq!(again["unchanged"], true, "{id}: {}", one["facts"]);
    }
    let asked_all = shown(&mut bb, 47);
    assert_eq!(asked_all["facts"]["reviewers"]["count"]["n"], 60);
    let long = shown(&mut bb, 48);
    let cut = &long["facts"]["description"]["cut"];
    assert!(cut["shown"].as_u64() < cut["total"].as_u64(), "{cut}");
    let machines = shown(&mut bb, 49);
    assert_eq!(
        machines["facts"]["builds"]["count"],
        json!({"n": 200, "exact": true})
    );
}

#[test]
fn what_cannot_be_read_at_all_is_said_and_when_to_try_again() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let said = bb.failure("show", call(9_999));
    assert!(
        said.starts_with("cannot read pull request 9999 of ACME/rocket"),
        "{said}"
    );
    let held = shown(&mut bb, 54);
    // A day at the longest: a browser's timer has no more than 24.8 of them.
    for (told, wait_ms) in [
        ("30", 30_000),
        ("2592000", 86_400_000),
        ("18446744073709551615", 86_400_000),
    ] {
        stand_in.clear_faults();
        stand_in.fault(Fault::on("GET", "*", Effect::rate_limited(Some(told))));
        let result = bb.call(
            "refresh_view",
            json!({"show": held["show"], "fingerprint": held["fingerprint"]}),
        );
        assert_eq!(result["isError"], true);
        assert_eq!(
            result["_meta"]["bb/view"],
            json!({"format": 1, "retry_after_ms": wait_ms}),
            "{told}"
        );
    }
}

#[test]
fn a_part_that_is_refused_for_a_rate_is_one_state_and_its_wait_goes_to_the_page() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let activities = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42/activities";
    let limit = |told: Option<&str>| {
        stand_in.clear_faults();
        stand_in.fault(Fault::on("GET", activities, Effect::rate_limited(told)));
    };
    limit(Some("90"));
    let held = shown(&mut bb, 42);
    assert_eq!(
        held["facts"]["activity"]["unread"],
        "Cannot list the activity of pull request 42 of ACME/rocket: Bitbucket answered 429: too many requests in a \
         short time."
    );
    assert_eq!(held["retry_after_ms"], 90_000);
    for (told, wait_ms) in [
        (Some("89"), 89_000),
        (None, 30_000),
        (Some("864000"), 86_400_000),
    ] {
        limit(told);
        let arguments = json!({"show": held["show"], "fingerprint": held["fingerprint"]});
        let result = bb.call("refresh_view", arguments);
        let again = &result["_meta"]["bb/view"];
        let bytes = result.to_string().len();
        assert!(bytes <= 300, "{bytes} bytes: {result}");
        assert_eq!(
            (&again["unchanged"], &again["retry_after_ms"]),
            (&json!(true), &json!(wait_ms)),
            "{again}"
        );
    }
    stand_in.clear_faults();
    let whole = refreshed(&mut bb, &held);
    assert_eq!(whole.get("retry_after_ms"), None);
    assert_ne!(whole["fingerprint"], held["fingerprint"]);
}

#[test]
fn bitbuckets_word_wins_over_bbs_own_until_the_builds_change() {
    let stand_in = StandIn::start(Options::default());
    let merge = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42/merge";
    let yes = json!({"canMerge": true, "conflicted": false, "vetoes": []});
    let patch = vec![
        ("/canMerge".to_owned(), Some(yes["canMerge"].clone())),
        ("/vetoes".to_owned(), Some(yes["vetoes"].clone())),
    ];
    stand_in.fault(Fault::on("GET", merge, Effect::Patch(patch)));
    let mut bb = rendering(&stand_in);
    let held = shown(&mut bb, 42);
    assert_eq!(held["facts"]["builds"]["required"], Value::Null);
    // The remembered check is of these builds, so a poll says the same.
    assert_eq!(refreshed(&mut bb, &held)["unchanged"], true);
    // It tells nothing of a build that came after it.
    stand_in.step(Step::Build {
        repository: ROCKET.to_owned(),
        commit: stand_in.commit("igniter-3"),
        fields: json!({"key": "lint-77", "parent": "ci/lint", "state": "FAILED", "url": "https://ci.example.com/lint/77"}),
    });
    let now = refreshed(&mut bb, &held);
    let required = now["facts"]["builds"]["required"].as_array();
    assert_eq!(required.map(Vec::len), Some(3), "{now}");
}

#[test]
fn a_write_through_bb_lets_the_next_poll_ask_for_the_merge_check() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let held = shown(&mut bb, 54);
    bb.call(
        "add_pr_comment",
        json!({"project": "ACME", "repo": "rocket", "id": 54, "text": "Fine."}),
    );
    stand_in.clear_log();
    refreshed(&mut bb, &held);
    let asked = requests(&stand_in);
    let is_check = |path: &String| path.ends_with("/pull-requests/54/merge");
    assert!(asked.iter().any(is_check), "{asked:?}");
}
