//! Pull requests that were not there before.

use super::{API, HOSTILE, Scene, names};
use serde_json::{Value, json};
use standin::{Effect, Fault};

fn new(more: Value) -> Value {
    let mut arguments = json!({"project": "ACME", "repo": "rocket", "title": "Fly on steam after all",
        "source_branch": "feature/steam"});
    if let (Value::Object(arguments), Value::Object(more)) = (&mut arguments, more) {
        arguments.extend(more);
    }
    arguments
}

#[test]
fn a_pull_request_is_created_as_it_was_asked_for_and_told_with_its_address() {
    let mut scene = Scene::of("wren.okafor");
    let description = "One.\r\n\r\n- two\r\n";
    let (one, outcome) = scene.write(
        "create_pull_request",
        new(json!({"description": description, "reviewers": ["idris.vale", "mira.solano (Mira Solano)", "Idris.Vale"], "draft": true})),
    );
    assert_eq!(
        (&one["state"], &one["draft"], &one["toRef"]["displayId"]),
        (&json!("OPEN"), &json!(true), &json!("main"))
    );
    let id = one["id"].as_u64().expect("a number");
    assert_eq!(
        (&outcome["id"], &outcome["version"]),
        (&json!(id), &json!(0))
    );
    assert!(
        outcome["url"]
            .as_str()
            .expect("a page")
            .ends_with(&format!("/pull-requests/{id}"))
    );
    let held = scene.raw(&format!("{API}/pull-requests/{id}"));
    assert_eq!(held["description"], description, "not a byte is changed");
    assert_eq!(names(&held["reviewers"]), ["idris.vale", "mira.solano"]);
    assert_eq!(scene.writes().len(), 1);
}

#[test]
fn hostile_text_reaches_bitbucket_as_it_is_and_the_model_as_text() {
    let mut scene = Scene::of("wren.okafor");
    let (one, _) = scene.write(
        "create_pull_request",
        new(json!({"title": HOSTILE, "description": HOSTILE})),
    );
    let said = one.to_string();
    assert!(
        !said.contains('\u{202e}') && said.contains("<U+202E>"),
        "{said}"
    );
    let held = scene.raw(&format!("{API}/pull-requests/{}", one["id"]));
    assert_eq!(
        (&held["title"], &held["description"]),
        (&json!(HOSTILE), &json!(HOSTILE))
    );
    assert_eq!(names(&held["reviewers"]).len(), 0);
}

#[test]
fn a_fork_is_named_in_each_of_four_ways_and_a_personal_project_is_a_target_too() {
    for more in [
        json!({"source_repo": "~idris.vale/rocket"}),
        json!({"source_project": "~idris.vale"}),
        json!({"source_project": "~IDRIS.VALE", "source_repo": "rocket"}),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let mut arguments = new(more.clone());
        arguments["source_branch"] = json!("red-nose");
        arguments["target_branch"] = json!("refs/heads/release/2.0");
        let (one, _) = scene.write("create_pull_request", arguments);
        assert_eq!(one["fromRef"]["repository"], "~idris.vale/rocket", "{more}");
    }
    let mut scene = Scene::of("wren.okafor");
    let url = format!(
        "{}/users/idris.vale/repos/rocket/browse",
        scene.stand_in.url()
    );
    let mut arguments = new(json!({"source_repo": url, "target_branch": "release/2.0"}));
    arguments["source_branch"] = json!("red-nose");
    scene.write("create_pull_request", arguments);
    let (phrase, _) = scene.refused(
        "create_pull_request",
        json!({"repo": "~wren.okafor/notes", "title": "x", "source_branch": "more"}),
    );
    assert!(
        phrase.contains("it is pull request 3 \"Ask Mira too\""),
        "{phrase}"
    );
}

#[test]
fn what_cannot_be_created_is_told_with_the_way_on() {
    for (more, said, field) in [
        (
            json!({"source_branch": "feature/igniter"}),
            "Only one pull request may be open for a given source and target branch; it is pull request 42",
            Value::Null,
        ),
        (
            json!({"source_branch": "main"}),
            "already up-to-date",
            Value::Null,
        ),
        (
            json!({"source_branch": "nowhere"}),
            "has no branch",
            json!("source_branch"),
        ),
        (
            json!({"target_branch": "mains"}),
            "has no branch",
            json!("target_branch"),
        ),
        (
            json!({"source_repo": "FLEET/fleet", "source_branch": "main"}),
            "the same fork hierarchy",
            Value::Null,
        ),
        (
            json!({"reviewers": ["idris.vale", "nobody", "sam.gone", "wren.okafor"]}),
            "not reviewers: nobody is not a user. / sam.gone is not an active user. / wren.okafor is the author",
            json!("reviewers"),
        ),
        (json!({"repo": "old-gantry"}), "is archived", Value::Null),
        (
            json!({"repo": "empty", "project": "FLEET"}),
            "has no branch",
            json!("source_branch"),
        ),
        (
            json!({"title": "two\nlines"}),
            "`title` is \"two lines\": it must be one line of at most 255 characters",
            json!("title"),
        ),
        (json!({"title": "  "}), "`title` is missing", json!("title")),
        (
            json!({"title": "x".repeat(256)}),
            "`title` is a text of 256 characters",
            json!("title"),
        ),
        (
            json!({"reviewers": [1]}),
            "`reviewers` is a list whose entry 1 is 1: it must be a list of at most 100 user names",
            json!("reviewers"),
        ),
        (
            json!({"source_project": "FLEET", "source_repo": "ACME/rocket"}),
            "`source_repo`: it names another project than `source_project`",
            json!("source_repo"),
        ),
        (
            json!({"source_repo": "https://elsewhere.example.com/projects/ACME/repos/rocket"}),
            "`source_repo`: `elsewhere.example.com` is another host",
            json!("source_repo"),
        ),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let (phrase, outcome) = scene.refused("create_pull_request", new(more.clone()));
        assert!(phrase.contains(said), "{more}: {phrase}");
        assert_eq!(outcome["errors"][0]["field"], field, "{more}: {outcome}");
    }
}

#[test]
fn a_branch_that_is_named_short_is_told_at_its_argument_too() {
    for (branch, field) in [
        ("feature/steam", json!("source_branch")),
        ("main", json!("target_branch")),
        ("mai", Value::Null),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let said = format!("Repository has no branch '{branch}'.");
        let gone = Effect::Status(404, standin::Body::Errors(said), Vec::new());
        scene.stand_in.fault(Fault::on("POST", "*", gone));
        let (_, outcome) = scene.refused("create_pull_request", new(json!({})));
        assert_eq!(outcome["errors"][0]["field"], field, "{outcome}");
    }
}

#[test]
fn the_pull_request_that_is_there_already_is_told_with_its_address() {
    let mut scene = Scene::of("wren.okafor");
    let (phrase, outcome) = scene.refused(
        "create_pull_request",
        new(json!({"source_branch": "feature/igniter"})),
    );
    assert_eq!(outcome["id"], 42, "{outcome}");
    let url = outcome["url"].as_str().expect("its page");
    assert!(
        url.ends_with("/pull-requests/42") && phrase.contains(url),
        "{phrase}"
    );
}

#[test]
fn who_cannot_review_is_told_one_by_one_at_the_field_of_the_form() {
    let mut scene = Scene::of("wren.okafor");
    let (_, outcome) = scene.refused(
        "create_pull_request",
        new(json!({"reviewers": ["nobody", "wren.okafor"]})),
    );
    let errors = outcome["errors"].as_array().expect("errors");
    assert_eq!(errors.len(), 2, "{outcome}");
    assert!(
        errors.iter().all(|error| error["field"] == "reviewers"),
        "{outcome}"
    );
}

#[test]
fn a_draft_that_this_bitbucket_does_not_know_is_told() {
    let (one, _) =
        Scene::at_version("8.9.1").write("create_pull_request", new(json!({"draft": true})));
    assert!(
        one["note"].as_str().expect("a note").contains("no drafts"),
        "{one}"
    );
}

#[test]
fn without_a_default_branch_the_target_has_to_be_named() {
    let mut scene = Scene::of("wren.okafor");
    scene.stand_in.fault(Fault::on(
        "GET",
        &format!("{API}/default-branch"),
        Effect::status(404),
    ));
    let (phrase, outcome) = scene.refused("create_pull_request", new(json!({})));
    assert!(
        phrase.contains("`target_branch` is missing, and ACME/rocket has no default branch"),
        "{phrase}"
    );
    assert_eq!(outcome["errors"][0]["field"], "target_branch");
    assert_eq!(scene.writes().len(), 0);
}
