//! Pull requests changed, declined, opened again.

use super::{API, HOSTILE, Scene, names, of};
use serde_json::{Value, json};
use standin::{Effect, Fault, Step};

const P42: &str = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42";

#[test]
fn what_is_not_named_stays_as_it_was_to_the_byte() {
    for (more, changed) in [
        (json!({"title": HOSTILE}), "title"),
        (json!({"description": ""}), "description"),
        (json!({"target_branch": "release/2.0"}), "toRef"),
        (json!({"draft": true}), "draft"),
        (json!({"add_reviewers": ["petra.quill"]}), "reviewers"),
        (json!({"remove_reviewers": ["Jane@example"]}), "reviewers"),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let before = scene.raw(P42);
        assert!(
            before["description"]
                .as_str()
                .expect("text")
                .contains("\r\n")
        );
        let (one, outcome) = scene.write("update_pull_request", of(42, more.clone()));
        assert_eq!(
            (&one["version"], &outcome["version"]),
            (&json!(6), &json!(6))
        );
        let after = scene.raw(P42);
        for name in ["title", "description", "draft"] {
            assert_eq!(
                after.get(name) == before.get(name),
                name != changed,
                "{name}: {more}"
            );
        }
        assert_eq!(
            after["toRef"]["id"] == before["toRef"]["id"],
            changed != "toRef"
        );
        let (before, after) = (names(&before["reviewers"]), names(&after["reviewers"]));
        match more
            .as_object()
            .expect("one")
            .keys()
            .next()
            .map(String::as_str)
        {
            Some("add_reviewers") => {
                assert_eq!(after[..], [&before[..], &["petra.quill"]].concat())
            }
            Some("remove_reviewers") => assert_eq!(after[..], before[..3]),
            _ => assert_eq!(after, before),
        }
        assert_eq!(scene.writes(), [format!("PUT {P42}")]);
    }
}

#[test]
fn a_version_that_moved_for_another_reason_is_written_over_once() {
    let mut scene = Scene::of("wren.okafor");
    // The first read is older than what is there: somebody added a reviewer meanwhile.
    let stale = [
        ("/version".to_owned(), Some(json!(4))),
        ("/reviewers".to_owned(), Some(json!([]))),
    ];
    scene
        .stand_in
        .fault(Fault::on("GET", P42, Effect::Patch(stale.to_vec())).times(1));
    let (one, _) = scene.write("update_pull_request", of(42, json!({"title": "Light it"})));
    assert_eq!(
        (&one["title"], &one["version"]),
        (&json!("Light it"), &json!(6))
    );
    assert_eq!(
        names(&scene.raw(P42)["reviewers"]).len(),
        4,
        "nobody is lost"
    );
    let statuses: Vec<Option<u16>> = scene
        .stand_in
        .log()
        .iter()
        .filter(|one| one.method == "PUT")
        .map(|one| one.status)
        .collect();
    assert_eq!(
        statuses,
        [Some(409), Some(200)],
        "refused once, written once"
    );
}

#[test]
fn what_somebody_else_wrote_meanwhile_is_never_overwritten() {
    for (pointer, value, word) in [
        ("/title", json!("Another title"), "title"),
        ("/description", json!("Another text"), "description"),
        (
            "/toRef/id",
            json!("refs/heads/release/2.0"),
            "target branch",
        ),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let stale = [
            ("/version".to_owned(), Some(json!(4))),
            (pointer.to_owned(), Some(value)),
        ];
        scene
            .stand_in
            .fault(Fault::on("GET", P42, Effect::Patch(stale.to_vec())).times(1));
        let (phrase, _) =
            scene.refused("update_pull_request", of(42, json!({"title": "Light it"})));
        assert!(phrase.contains("out-of-date information"), "{phrase}");
        assert!(
            phrase.contains(&format!(
                "somebody changed its {word} meanwhile (version 5 now)"
            )),
            "{phrase}"
        );
        assert_eq!(scene.raw(P42)["version"], 5, "nothing was written");
    }
}

#[test]
fn of_two_writers_one_wins_and_the_other_is_told() {
    let mut scene = Scene::of("wren.okafor");
    let stale = || Fault::on("GET", P42, Effect::replace("/version", json!(4)));
    scene.stand_in.fault(stale());
    let (phrase, _) = scene.refused("update_pull_request", of(42, json!({"title": "Light it"})));
    assert!(
        phrase.contains("it is at version 5 now, and 4 was sent"),
        "{phrase}"
    );
    assert_eq!(
        scene.writes().len(),
        2,
        "sent once more, and no more than that"
    );
}

#[test]
fn what_cannot_be_changed_is_told() {
    for (id, more, said) in [
        (42, json!({}), "nothing to change is given"),
        (
            42,
            json!({"title": " "}),
            "`title` is blank: leave it out to keep what there is",
        ),
        (
            42,
            json!({"add_reviewers": ["mallory"], "remove_reviewers": ["mallory"]}),
            "both name mallory",
        ),
        (
            42,
            json!({"remove_reviewers": ["mallory"]}),
            "`remove_reviewers` names mallory, who is no reviewer of pull request 42 of ACME/rocket: they are idris.vale",
        ),
        (
            42,
            json!({"add_reviewers": ["nobody"]}),
            "not reviewers: nobody is not a user.",
        ),
        (
            42,
            json!({"add_reviewers": ["wren.okafor"]}),
            "wren.okafor is the author of this pull request.",
        ),
        (42, json!({"target_branch": "nowhere"}), "has no branch"),
        (
            41,
            json!({"title": "x"}),
            "it is MERGED, and only an open pull request can be",
        ),
        (99, json!({"title": "x"}), "Pull request 99 does not exist"),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let (phrase, outcome) = scene.refused("update_pull_request", of(id, more.clone()));
        assert!(phrase.contains(said), "{more}: {phrase}");
        if more.get("target_branch").is_some() {
            assert_eq!(outcome["errors"][0]["field"], "target_branch", "{outcome}");
        }
    }
}

#[test]
fn a_person_who_may_only_read_is_told_who_they_are() {
    let mut scene = Scene::of("wren.okafor");
    let arguments = json!({"repo": "ACME/gantry", "id": 7, "title": "x"});
    let (phrase, outcome) = scene.refused("update_pull_request", arguments);
    assert!(
        phrase.contains("signed in as `wren.okafor`, who may not"),
        "{phrase}"
    );
    assert_eq!(
        outcome["errors"].as_array().map(Vec::len),
        Some(1),
        "{outcome}"
    );
}

#[test]
fn a_draft_is_made_ready_and_back_where_there_are_drafts() {
    let mut scene = Scene::of("wren.okafor");
    let (one, _) = scene.write("update_pull_request", of(43, json!({"draft": false})));
    assert!(one.get("draft").is_none(), "{one}");
    let (one, _) = scene.write("update_pull_request", of(43, json!({"draft": true})));
    assert_eq!(one["draft"], true);
    let (one, _) = scene.write("update_pull_request", of(43, json!({"title": "Sketch it"})));
    assert_eq!(one["draft"], true, "another change leaves it a draft");
    let mut old = Scene::at_version("8.9.1");
    let (one, _) = old.write("update_pull_request", of(42, json!({"draft": true})));
    assert!(
        one["note"].as_str().expect("a note").contains("no drafts"),
        "{one}"
    );
}

#[test]
fn a_pull_request_is_declined_with_its_reason_and_opened_again() {
    let mut scene = Scene::of("wren.okafor");
    let (one, outcome) = scene.write("decline_pull_request", of(42, json!({"comment": HOSTILE})));
    assert_eq!(
        (&one["state"], &outcome["version"]),
        (&json!("DECLINED"), &one["version"])
    );
    let activities = scene.raw(&format!("{API}/pull-requests/42/activities"));
    assert!(
        activities.to_string().contains("onerror=alert(1)"),
        "the reason is a comment"
    );
    let (phrase, _) = scene.refused("decline_pull_request", of(42, json!({})));
    assert!(phrase.contains("it is DECLINED"), "{phrase}");
    let (one, _) = scene.write(
        "reopen_pull_request",
        of(42, json!({"comment": "Once more."})),
    );
    assert_eq!(one["state"], "OPEN");
    assert!(one["comment_id"].is_u64(), "{one}");
    for (id, word) in [(42, "OPEN"), (41, "MERGED")] {
        let (phrase, _) = scene.refused("reopen_pull_request", of(id, json!({})));
        assert!(
            phrase.contains(&format!("it is {word}, and only a declined")),
            "{phrase}"
        );
    }
}

#[test]
fn a_comment_that_could_not_follow_a_reopening_is_told_beside_what_was_done() {
    let mut scene = Scene::of("wren.okafor");
    let comments = format!("{API}/pull-requests/39/comments");
    scene
        .stand_in
        .fault(Fault::on("POST", &comments, Effect::status(500)));
    let (one, outcome) = scene.write(
        "reopen_pull_request",
        of(39, json!({"comment": "Once more."})),
    );
    assert_eq!(one["state"], "OPEN");
    let told = one["note"].as_str().expect("told");
    assert!(
        told.starts_with("it is open again, and the comment is missing: "),
        "{told}"
    );
    assert_eq!(outcome["errors"][0]["field"], "comment");
}

#[test]
fn a_change_that_lands_between_reading_and_declining_is_told() {
    let mut scene = Scene::of("wren.okafor");
    scene
        .stand_in
        .fault(Fault::on("GET", P42, Effect::replace("/version", json!(4))));
    scene.stand_in.step(Step::Retitle {
        repository: "ACME/rocket".to_owned(),
        id: 42,
        user: "mira.solano".to_owned(),
        title: "Moved on".to_owned(),
    });
    let (phrase, outcome) = scene.refused("decline_pull_request", of(42, json!({})));
    assert!(
        phrase.contains("it is at version 6 now, and 4 was sent"),
        "{phrase}"
    );
    assert_eq!(outcome["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!(scene.writes().len(), 1, "not sent again");
}

#[test]
fn arguments_of_the_wrong_type_name_their_field_for_the_form() {
    let (_, outcome) = Scene::of("wren.okafor").refused(
        "update_pull_request",
        of(42, json!({"draft": "yes", "title": 7})),
    );
    let fields: Vec<&Value> = outcome["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| &error["field"])
        .collect();
    assert_eq!(fields, [&json!("draft"), &json!("title")]);
}
