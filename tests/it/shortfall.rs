//! What bb makes of answers that are too long, too slow or not whole: it says so, and gives the rest.

use crate::pull_requests::of;
use crate::support::{Bb, text};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn};

const P: &str = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests";
const UI: &str = "/rest/ui/latest/projects/ACME/repos/rocket/pull-requests";

fn started() -> (StandIn, Bb) {
    let stand_in = StandIn::start(Options::default());
    let bb = Bb::with(&stand_in);
    (stand_in, bb)
}

#[test]
fn comments_that_are_long_together_are_read_fewer_at_once() {
    let (stand_in, mut bb) = started();
    let whole = bb.value("list_pr_comments", of(42, json!({})));
    let lengthen = Effect::Alter(|page: &mut Value| {
        for entry in page["values"].as_array_mut().into_iter().flatten() {
            entry["bulk"] = json!("x".repeat(900_000));
        }
    });
    let path = format!("{P}/42/activities");
    stand_in.fault(Fault::on("GET", &path, lengthen));
    let found = bb.value("list_pr_comments", of(42, json!({})));
    assert_eq!(found, whole);
    let one = bb.value("list_pr_comments", of(42, json!({"limit": 1})));
    assert_eq!(one["threads"][0], whole["threads"][0]);
    let larger = Effect::Alter(|page: &mut Value| page["bulk"] = json!("x".repeat(5_000_000)));
    stand_in.clear_faults();
    stand_in.fault(Fault::on("GET", &path, larger));
    let said = bb.failure("list_pr_comments", of(42, json!({})));
    assert!(
        said.contains("ask for less of it, or look at its page in Bitbucket"),
        "{said}"
    );
}

#[test]
fn a_file_whose_diff_does_not_come_in_time_is_the_last_that_is_asked_for() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = Bb::with_args(&stand_in, &["--request-timeout", "3s"]);
    let diffs = |stand_in: &StandIn| {
        let log = stand_in.log();
        log.iter()
            .filter(|sent| sent.path.contains("/42/diff"))
            .count()
    };
    for path in ["/42/diff", "/42/diff/*"] {
        stand_in.fault(Fault::on("GET", &format!("{P}{path}"), Effect::Stall(None)));
    }
    let result = bb.call("get_pr_diff", of(42, json!({})));
    let said = text(&result);
    assert!(said.contains("so no more files were read"), "{said}");
    assert_eq!(diffs(&stand_in), 2, "the whole, and one file: {said}");
    stand_in.release();
}

#[test]
fn commits_beyond_those_named_in_an_entry_are_counted() {
    let (stand_in, mut bb) = started();
    let push = Effect::Alter(|page: &mut Value| {
        let commits: Vec<Value> = (0..7)
            .map(|n| json!({"id": format!("{n}").repeat(40), "displayId": "abc", "message": "x"}))
            .collect();
        page["values"] = json!([{
            "id": 1, "action": "RESCOPED", "added": {"commits": commits, "total": 7},
        }]);
    });
    stand_in.fault(Fault::on("GET", &format!("{P}/42/activities"), push));
    let found = bb.value("list_pr_activity", of(42, json!({"limit": 1})));
    let added = found["activity"][0]["addedCommits"]
        .as_array()
        .expect("commits");
    assert_eq!(added.last(), Some(&json!("and 2 more")), "{found}");
}

#[test]
fn of_a_commit_with_more_builds_than_are_listed_all_are_counted() {
    let (stand_in, mut bb) = started();
    let commit = stand_in.commit("igniter-3");
    let stats = format!("/rest/build-status/latest/commits/stats/{commit}");
    let many = Effect::replace("/failed", json!(250));
    stand_in.fault(Fault::on("GET", &stats, many));
    let found = bb.value("get_build_status", json!({"commit_id": commit}));
    assert_eq!(found["counts"]["failed"], 250);
    assert_eq!(
        (&found["more"], found.get("total")),
        (&json!(true), None),
        "{found}"
    );
    // A listing of a hundred is never taken for the whole, and one of fewer is.
    let listed = format!("/rest/build-status/latest/commits/{commit}");
    let full = Effect::Alter(|page: &mut Value| {
        let one = page["values"][0].clone();
        page["values"] = json!(vec![one; 100]);
    });
    stand_in.fault(Fault::on("GET", &listed, full));
    let found = bb.value(
        "get_build_status",
        json!({"commit_id": commit, "start": 90, "limit": 50}),
    );
    assert_eq!(
        (&found["shown"], &found["more"]),
        (&json!(10), &json!(true))
    );
    assert!(found["note"].as_str().is_some(), "{found}");
    stand_in.clear_faults();
    let found = bb.value("get_build_status", json!({"commit_id": commit}));
    assert_eq!(
        (found.get("more"), &found["total"]),
        (None, &found["shown"])
    );
}

#[test]
fn a_count_that_bitbucket_does_not_give_is_left_out_and_why_is_said() {
    let (stand_in, mut bb) = started();
    let path = format!("{P}/42");
    let lacking = Effect::Patch(vec![
        ("/properties/resolvedTaskCount".to_owned(), None),
        ("/fromRef/latestCommit".to_owned(), None),
    ]);
    stand_in.fault(Fault::on("GET", &path, lacking));
    let one = bb.value("get_pull_request", of(42, json!({})));
    assert_eq!(
        (&one["openTaskCount"], &one["resolvedTaskCount"]),
        (&json!(2), &json!(1))
    );
    let counting = format!("{P}/42/blocker-comments");
    stand_in.fault(Fault::on("GET", &counting, Effect::status(500)));
    stand_in.fault(Fault::on(
        "GET",
        &format!("{UI}/42/builds"),
        Effect::status(404),
    ));
    let one = bb.value("get_pull_request", of(42, json!({})));
    assert_eq!(
        (&one["openTaskCount"], one.get("resolvedTaskCount")),
        (&json!(2), None)
    );
    let why = one["tasks"]["unread"].as_str().unwrap_or_default();
    assert!(why.contains("Bitbucket answered 500"), "{one}");
    let why = one["builds"]["unread"].as_str().unwrap_or_default();
    assert!(why.contains("does not tell the newest commit"), "{one}");
}
