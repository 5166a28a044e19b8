//! Commits, what they changed, and what one ref has that another has not, over the real pipe.

use crate::support::{Bb, text};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn, Step};
use std::collections::BTreeMap;

const ROCKET: &str = "/rest/api/latest/projects/ACME/repos/rocket";

fn started() -> (StandIn, Bb) {
    let stand_in = StandIn::start(Options::default());
    let bb = Bb::with(&stand_in);
    (stand_in, bb)
}

/// Arguments about ACME/rocket, with more.
fn rocket(more: Value) -> Value {
    let mut arguments = json!({"project": "ACME", "repo": "rocket"});
    if let (Value::Object(all), Value::Object(more)) = (&mut arguments, more) {
        all.extend(more);
    }
    arguments
}

/// The labels of the commits of an answer.
#[track_caller]
fn check_commits(stand_in: &StandIn, answer: &Value, labels: &[&str]) {
    let found: Vec<&str> = answer["commits"]
        .as_array()
        .expect("commits")
        .iter()
        .filter_map(|one| one["id"].as_str())
        .collect();
    let expected: Vec<String> = labels.iter().map(|label| stand_in.commit(label)).collect();
    assert_eq!(found, expected, "{answer}");
}

#[test]
fn commits_are_listed_newest_first_with_bitbuckets_total() {
    let (stand_in, mut bb) = started();
    let list = bb.value("list_commits", rocket(json!({"limit": 3})));
    check_commits(&stand_in, &list, &["rocket-4", "rocket-3", "rocket-2"]);
    assert_eq!(
        (&list["shown"], &list["total"], &list["next"]),
        (&json!(3), &json!(4), &json!(3))
    );
    assert_eq!(
        list["commits"][0],
        json!({
            "id": stand_in.commit("rocket-4"), "author": "tomas.lindqvist (Tomas Lindqvist)",
            "authorTimestamp": "2026-02-20T16:00:00Z", "message": "Let the housing hold more",
        })
    );
    // A body is left out, aloud; who has no account is called as git has it.
    assert_eq!(list["commits"][2]["message"], "Note the tank's limits […]");
    assert_eq!(list["commits"][2]["author"], "Old Hand");
    let rest = bb.value("list_commits", rocket(json!({"limit": 3, "start": 3})));
    check_commits(&stand_in, &rest, &["rocket-1"]);
    assert_eq!((&rest["total"], rest.get("next")), (&json!(4), None));
}

#[test]
fn commits_are_chosen_by_ref_range_and_path() {
    let (stand_in, mut bb) = started();
    for (arguments, labels) in [
        (json!({"until": "v1.4.0"}), &["rocket-1"][..]),
        (json!({"until": "main", "since": "v1.5.0"}), &["rocket-4"]),
        (
            json!({"path": "telemetry/latest.ts"}),
            &["rocket-3", "rocket-1"],
        ),
        (json!({"path": "/schäden/"}), &["rocket-1"]),
        (
            json!({"until": "feature/\"><b>x", "limit": 1}),
            &["hostile-1"],
        ),
        (
            json!({"until": "refs/tags/main", "limit": 1}),
            &["rocket-2"],
        ),
        (
            json!({"until": "", "since": null, "limit": 1}),
            &["rocket-4"],
        ),
    ] {
        let list = bb.value("list_commits", rocket(arguments));
        check_commits(&stand_in, &list, labels);
    }
    let said = bb.failure("list_commits", rocket(json!({"until": "a b#?+%&c=d"})));
    assert!(
        said.contains("cannot list the commits of ACME/rocket: ")
            && said.contains("'a b#?+%&c=d' does not exist"),
        "{said}"
    );
}

#[test]
fn the_commits_of_a_pull_request_are_its_own() {
    let (stand_in, mut bb) = started();
    let list = bb.value("list_commits", rocket(json!({"id": 42})));
    check_commits(&stand_in, &list, &["igniter-3", "igniter-2", "igniter-1"]);
    assert_eq!(list["total"], 3);
    let address = format!(
        "{}/projects/ACME/repos/rocket/pull-requests/42",
        stand_in.url()
    );
    let by_address = bb.value("list_commits", json!({"id": address}));
    check_commits(
        &stand_in,
        &by_address,
        &["igniter-3", "igniter-2", "igniter-1"],
    );
    let said = bb.failure(
        "list_commits",
        rocket(json!({"id": 42, "path": "x", "since": "main"})),
    );
    assert_eq!(
        said,
        "`since` does not go with `id`: leave one of them out; `path` does not go with `id`: leave one of them out"
    );
    let said = bb.failure("list_commits", rocket(json!({"id": 4242})));
    assert!(
        said.contains("Pull request 4242 does not exist in ACME/rocket."),
        "{said}"
    );
}

#[test]
fn a_commit_is_told_with_its_whole_message_and_what_it_changed() {
    let (stand_in, mut bb) = started();
    let id = stand_in.commit("igniter-2");
    let one = bb.value(
        "get_commit",
        rocket(json!({"commit_id": id[..11].to_uppercase()})),
    );
    assert_eq!(
        (&one["id"], &one["message"]),
        (&json!(id), &json!("Move the pad to launch"))
    );
    assert_eq!(one["parents"], json!([stand_in.commit("igniter-1")]));
    assert_eq!(
        one["url"],
        format!("{}/projects/ACME/repos/rocket/commits/{id}", stand_in.url())
    );
    let changes = one["changes"].as_array().expect("changes");
    let find = |path: &str| {
        changes
            .iter()
            .find(|change| change["path"] == path)
            .unwrap_or_else(|| panic!("no {path}: {one}"))
    };
    let moved = find("launch/pad.sh");
    assert_eq!(
        (&moved["type"], &moved["srcPath"]),
        (&json!("Moved"), &json!("tools/pad.sh"))
    );
    assert_eq!(
        find("launch/go"),
        &json!({"path": "launch/go", "type": "Modified", "executable": true})
    );
    assert_eq!(
        (&one["shown"], &one["total"]),
        (&json!(changes.len()), &json!(changes.len()))
    );
    let whole = bb.value(
        "get_commit",
        rocket(json!({"commit_id": stand_in.commit("rocket-2")})),
    );
    assert_eq!(
        whole["message"],
        "Note the tank's limits\n\nMeasured on the bench, three times."
    );
}

#[test]
fn changes_that_cannot_be_read_say_so_beside_the_commit() {
    let (stand_in, mut bb) = started();
    let id = stand_in.commit("rocket-2");
    stand_in.fault(Fault::on(
        "GET",
        &format!("{ROCKET}/commits/{id}/changes"),
        Effect::status(500),
    ));
    let one = bb.value("get_commit", rocket(json!({"commit_id": id})));
    let unread = one["changes"]["unread"].as_str().unwrap_or_default();
    assert!(
        unread.starts_with("cannot list the changed files of commit "),
        "{one}"
    );
    let said = bb.failure("get_commit", rocket(json!({"commit_id": "abcdef0123"})));
    assert!(said.contains("'abcdef0123' does not exist"), "{said}");
}

#[test]
fn a_thousand_changed_files_are_told_part_by_part() {
    let (stand_in, mut bb) = started();
    let id = stand_in.commit("fleet-2");
    let part = |start: u64, limit: u64| json!({"repo": "FLEET/fleet", "commit_id": id, "start": start, "limit": limit});
    let first = bb.value("get_commit", part(0, 10));
    assert_eq!((&first["shown"], &first["next"]), (&json!(10), &json!(10)));
    let result = bb.call("get_commit", part(0, 1000));
    assert!(text(&result).chars().count() <= 60_000);
    let end = bb.value("get_commit", part(990, 100));
    assert_eq!((&end["shown"], end.get("next")), (&json!(10), None));
    let beyond = bb.value("get_commit", part(5_000, 100));
    assert_eq!(beyond["shown"], 0);
}

#[test]
fn changes_beyond_bitbuckets_cap_are_told_to_be_there() {
    let stand_in = StandIn::start(Options {
        caps: BTreeMap::from([("changes".to_owned(), 5)]),
        ..Options::default()
    });
    let mut bb = Bb::with(&stand_in);
    let arguments = json!({"what": "changes", "from": "feature/kinds", "to": "main"});
    let changes = bb.value("compare_refs", rocket(arguments));
    assert_eq!(
        (
            &changes["shown"],
            &changes["more"],
            changes.get("total"),
            changes.get("next")
        ),
        (&json!(5), &json!(true), None, None)
    );
    assert!(
        changes["note"]
            .as_str()
            .is_some_and(|note| note.contains("no further")),
        "{changes}"
    );
}

#[test]
fn two_refs_are_compared_by_commits_and_by_files() {
    let (stand_in, mut bb) = started();
    let ahead = json!({"from": "feature/igniter", "to": "refs/heads/main"});
    let commits = bb.value("compare_refs", rocket(ahead));
    check_commits(
        &stand_in,
        &commits,
        &["igniter-3", "igniter-2", "igniter-1"],
    );
    let behind = json!({"from": "refs/heads/main", "to": "feature/igniter", "what": "COMMITS"});
    let commits = bb.value("compare_refs", rocket(behind));
    check_commits(&stand_in, &commits, &["rocket-4"]);
    let files = json!({"from": "feature/kinds", "to": "refs/heads/main", "what": "changes"});
    let changes = bb.value("compare_refs", rocket(files));
    let kinds: Vec<String> = changes["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|one| format!("{} {}", one["type"], one["path"]).replace('"', ""))
        .collect();
    for expected in [
        "Added engine/igniter.go",
        "Deleted engine/old_valve.go",
        "Moved launch/pad.sh",
        "Modified art/patch.svgz",
        "Modified docs/stage 1/50% #draft?.md",
        "Added docs/<U+202E>gnp.exe",
    ] {
        assert!(
            kinds.iter().any(|kind| kind == expected),
            "{expected}: {kinds:?}"
        );
    }
    let said = bb.failure(
        "compare_refs",
        rocket(json!({"from": "nowhere", "to": "main"})),
    );
    assert!(
        said.starts_with(
            "cannot list the commits of `nowhere` that `main` has not in ACME/rocket: "
        ),
        "{said}"
    );
}

#[test]
fn dates_may_be_text_and_hostile_messages_show_themselves() {
    let stand_in = StandIn::start(Options {
        iso_dates: true,
        ..Options::default()
    });
    let mut bb = Bb::with(&stand_in);
    let id = stand_in.commit("hostile-1");
    let one = bb.value("get_commit", rocket(json!({"commit_id": id})));
    assert_eq!(one["authorTimestamp"], "2026-02-28T09:00:00Z");
    assert_eq!(
        one["message"],
        "<script>alert('subject')</script>\n\n<U+202E>ydob"
    );
    assert!(
        !one["author"]
            .as_str()
            .unwrap_or_default()
            .contains('\u{202e}'),
        "{one}"
    );
}

#[test]
fn a_commit_with_a_message_without_end_still_lists_its_files() {
    let (stand_in, mut bb) = started();
    stand_in.step(Step::Push {
        repository: "FLEET/fleet".to_owned(),
        branch: "refs/heads/refit".to_owned(),
        user: "mallory".to_owned(),
        message: "word \"quoted\"\n".repeat(40_000),
        files: (0..900)
            .map(|n| {
                (
                    format!("a/long/way/down/to/the/file/number/{n}.txt"),
                    Some(n.to_string()),
                )
            })
            .collect(),
    });
    let found = bb.value(
        "resolve_ref",
        json!({"repo": "FLEET/fleet", "ref": "refit"}),
    );
    let id = &found["branch"]["latestCommit"]["id"];
    let result = bb.call(
        "get_commit",
        json!({"repo": "FLEET/fleet", "commit_id": id, "limit": 1000}),
    );
    let said = text(&result);
    assert!(said.chars().count() <= 60_000, "{}", said.chars().count());
    let one: Value = serde_json::from_str(said).expect("JSON");
    let shown = one["shown"].as_u64().expect("a number");
    assert!(
        shown > 350 && one["total"] == 900,
        "{shown} of {}",
        one["total"]
    );
    let cut = one["cut"].as_str().unwrap_or_default();
    assert!(
        cut.contains("1 text of more than") && cut.contains("the answer was cut"),
        "{cut}"
    );
}
