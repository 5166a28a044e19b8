//! What a person says of a pull request.

use super::{API, Scene, of};
use serde_json::json;
use standin::{Effect, Fault};

#[test]
fn a_review_is_of_the_commit_that_was_read() {
    for (user, action, status) in [
        ("idris.vale", "needs_work", "NEEDS_WORK"),
        ("mira.solano", "approve", "APPROVED"),
        ("idris.vale", "unapprove", "UNAPPROVED"),
        // Whose name no path can hold.
        ("jane@example", "approve", "APPROVED"),
        // Neither reviewer nor participant yet.
        ("ada.byrne", "APPROVE", "APPROVED"),
    ] {
        let mut scene = Scene::of(user);
        let (one, outcome) = scene.write("submit_pr_review", of(42, json!({"action": action})));
        assert_eq!(one["status"], status, "{user}: {one}");
        assert!(
            one["user"].as_str().expect("who").starts_with(user),
            "{one}"
        );
        let tip = scene.stand_in.commit("igniter-3");
        assert_eq!(one["lastReviewedCommit"], json!(tip));
        assert_eq!(
            (&outcome["id"], &outcome["version"]),
            (&json!(42), &json!(5))
        );
        assert_eq!(scene.writes().len(), 1);
    }
}

#[test]
fn what_cannot_be_reviewed_is_told_before_anything_is_sent() {
    for (id, said) in [
        (42, "it is `wren.okafor`'s own"),
        (41, "it is MERGED"),
        (39, "it is DECLINED"),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let (phrase, _) = scene.refused("submit_pr_review", of(id, json!({"action": "approve"})));
        assert!(phrase.contains(said), "{phrase}");
        assert_eq!(scene.writes().len(), 0);
    }
    let (phrase, _) =
        Scene::of("wren.okafor").refused("submit_pr_review", of(44, json!({"action": "love"})));
    assert!(
        phrase.contains("`action` is \"love\": it must be one of approve, needs_work, unapprove"),
        "{phrase}"
    );
}

#[test]
fn a_push_between_reading_and_approving_keeps_the_approval_from_what_nobody_saw() {
    let mut scene = Scene::of("idris.vale");
    let older = json!(scene.stand_in.commit("igniter-2"));
    let stale = Effect::replace("/fromRef/latestCommit", older);
    scene
        .stand_in
        .fault(Fault::on("GET", &format!("{API}/pull-requests/42"), stale));
    let (phrase, _) = scene.refused("submit_pr_review", of(42, json!({"action": "approve"})));
    assert!(
        phrase.contains("has been updated since it was last reviewed"),
        "{phrase}"
    );
    assert_eq!(scene.writes().len(), 1);
}
