//! Merges, at once and when the checks pass.

use super::{API, HOSTILE, Scene, of};
use serde_json::json;
use standin::{Effect, Fault, Step};

#[test]
fn a_pull_request_is_merged_as_asked_and_its_branch_deleted_after() {
    let mut scene = Scene::of("wren.okafor");
    let arguments = of(
        54,
        json!({"version": 0, "strategy": "squash", "message": HOSTILE, "delete_source_branch": true}),
    );
    let (one, outcome) = scene.write("merge_pull_request", arguments);
    assert_eq!(
        (&one["state"], &one["source_branch_deleted"]),
        (&json!("MERGED"), &json!(true))
    );
    assert_eq!(outcome["version"], one["version"]);
    let branches = scene.raw(&format!("{API}/branches?filterText=docs/ready"));
    assert_eq!(branches["size"], 0, "{branches}");
    assert_eq!(scene.writes().len(), 2);
    let (phrase, _) = scene.refused("merge_pull_request", of(54, json!({})));
    assert!(phrase.contains("it is MERGED"), "{phrase}");
}

#[test]
fn a_branch_that_could_not_be_deleted_does_not_undo_the_merge() {
    let mut scene = Scene::of("wren.okafor");
    scene.stand_in.fault(Fault::on(
        "POST",
        "/rest/pull-request-cleanup/*",
        Effect::status(403),
    ));
    let (one, outcome) = scene.write(
        "merge_pull_request",
        of(54, json!({"delete_source_branch": true})),
    );
    assert_eq!(one["state"], "MERGED");
    let told = one["note"].as_str().expect("told");
    assert!(
        told.starts_with("it is merged, and its source branch is still there: "),
        "{told}"
    );
    assert_eq!(outcome["errors"][0]["field"], "delete_source_branch");
}

#[test]
fn what_keeps_a_pull_request_from_being_merged_is_told_in_bitbuckets_words() {
    for (id, more, said, sent) in [
        (
            42,
            json!({"version": 4}),
            "`version` is 4, and it is at version 5 now",
            0,
        ),
        (
            42,
            json!({"strategy": "octopus"}),
            "`strategy` is \"octopus\": ACME/rocket allows no-ff, rebase-no-ff, squash",
            0,
        ),
        (
            42,
            json!({"strategy": "ff-only"}),
            "`strategy` is \"ff-only\"",
            0,
        ),
        (
            42,
            json!({}),
            "The report \"Leaks\" of the latest commit has not passed.",
            1,
        ),
        (42, json!({}), "Not all tasks are resolved", 1),
        (
            44,
            json!({}),
            "the branches conflict: merge the target into the source",
            1,
        ),
        (
            43,
            json!({}),
            "Merging the pull request has been vetoed.",
            1,
        ),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let (phrase, _) = scene.refused("merge_pull_request", of(id, more.clone()));
        assert!(phrase.contains(said), "{id} {more}: {phrase}");
        assert!(
            phrase.contains("nothing was changed") || phrase.contains("`strategy`"),
            "{phrase}"
        );
        assert_eq!(scene.writes().len(), sent, "{id} {more}");
    }
    let mut scene = Scene::of("wren.okafor");
    let (phrase, _) = scene.refused(
        "merge_pull_request",
        json!({"repo": "ACME/gantry", "id": 7}),
    );
    assert!(
        phrase.contains("signed in as `wren.okafor`, who may not"),
        "{phrase}"
    );
}

#[test]
fn vetoes_that_somebody_wrote_are_text() {
    let mut scene = Scene::of("wren.okafor");
    let (phrase, outcome) = scene.refused("merge_pull_request", of(50, json!({})));
    assert!(phrase.contains("vetoed"), "{phrase}");
    assert!(!outcome.to_string().contains('\u{202e}'), "{outcome}");
}

#[test]
fn the_strategies_cannot_be_read_and_bitbucket_decides() {
    let mut scene = Scene::of("wren.okafor");
    scene.stand_in.fault(Fault::on(
        "GET",
        &format!("{API}/settings/pull-requests"),
        Effect::status(401),
    ));
    let (phrase, _) = scene.refused("merge_pull_request", of(54, json!({"strategy": "octopus"})));
    assert!(
        phrase.contains("The merge strategy octopus is not enabled."),
        "{phrase}"
    );
}

#[test]
fn auto_merge_waits_merges_or_is_cancelled() {
    let mut scene = Scene::of("wren.okafor");
    let (one, _) = scene.write(
        "set_auto_merge",
        of(42, json!({"enabled": true, "strategy": "squash"})),
    );
    assert_eq!(
        (&one["state"], &one["auto_merge"]),
        (&json!("OPEN"), &json!(true))
    );
    assert_eq!(
        scene.raw(&format!("{API}/pull-requests/42/auto-merge"))["strategyId"],
        "squash"
    );
    let (one, _) = scene.write("set_auto_merge", of(42, json!({"enabled": false})));
    assert_eq!((&one["auto_merge"], one.get("note")), (&json!(false), None));
    let (one, _) = scene.write("set_auto_merge", of(42, json!({"enabled": false})));
    assert!(
        one["note"]
            .as_str()
            .expect("a note")
            .contains("nothing to cancel"),
        "{one}"
    );
    let (one, _) = scene.write("set_auto_merge", of(54, json!({"enabled": true})));
    assert_eq!(one["state"], "MERGED");
    assert!(
        one["note"]
            .as_str()
            .expect("a note")
            .contains("merged at once"),
        "{one}"
    );
}

#[test]
fn where_there_is_no_auto_merge_nothing_is_sent_that_would_merge() {
    let mut old = Scene::at_version("8.9.1");
    let (phrase, _) = old.refused("set_auto_merge", of(54, json!({"enabled": true})));
    assert!(
        phrase.contains("this Bitbucket has none, it came with 8.15"),
        "{phrase}"
    );
    assert_eq!(old.writes().len(), 0);
    let mut off = Scene::of("wren.okafor");
    off.stand_in.step(Step::AllowAutoMerge {
        repository: "ACME/rocket".to_owned(),
        allowed: false,
    });
    let (phrase, _) = off.refused("set_auto_merge", of(54, json!({"enabled": true})));
    assert!(
        phrase.contains("it is switched off in ACME/rocket"),
        "{phrase}"
    );
    assert_eq!(off.writes().len(), 0);
    assert_eq!(off.raw(&format!("{API}/pull-requests/54"))["state"], "OPEN");
}
