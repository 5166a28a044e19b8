//! Builds that bb posts.

use super::{API, HOSTILE, Scene};
use serde_json::{Value, json};

fn build(scene: &Scene, more: Value) -> Value {
    let mut arguments = json!({"project": "ACME", "repo": "rocket", "commit_id": scene.stand_in.commit("igniter-3"),
        "key": "LAUNCH-9", "state": "inprogress", "url": "https://ci.example.com/9"});
    if let (Value::Object(arguments), Value::Object(more)) = (&mut arguments, more) {
        arguments.extend(more);
    }
    arguments
}

#[test]
fn a_build_is_posted_with_all_that_it_says_and_replaced_by_its_key() {
    let mut scene = Scene::of("wren.okafor");
    let commit = scene.stand_in.commit("igniter-3");
    let more = json!({"name": HOSTILE, "description": HOSTILE, "parent": "LAUNCH", "ref": "feature/igniter",
        "commit_id": &commit[..12]});
    let (one, outcome) = scene.write("set_build_status", build(&scene, more));
    assert_eq!(
        (&one["commit"], &one["state"]),
        (&json!(commit), &json!("INPROGRESS"))
    );
    assert!(
        outcome["url"]
            .as_str()
            .expect("a page")
            .ends_with(&format!("/commits/{commit}"))
    );
    let held = || format!("{API}/commits/{commit}/builds?key=LAUNCH-9");
    let found = scene.raw(&held());
    assert_eq!(found["name"], HOSTILE);
    // Only the listing of the page tells a build's parent, and it leaves out builds for other branches.
    let listed =
        scene.raw("/rest/ui/latest/projects/ACME/repos/rocket/pull-requests/42/builds?limit=500");
    let builds = listed["page"]["values"].as_array().expect("builds");
    let mine = builds.iter().find(|build| build["key"] == "LAUNCH-9");
    assert_eq!(mine.expect("listed")["parent"], "LAUNCH", "{listed}");
    let (one, _) = scene.write(
        "set_build_status",
        build(&scene, json!({"state": "SUCCESSFUL"})),
    );
    assert_eq!(
        one["name"], "LAUNCH-9",
        "a build without a name is missing from old pages"
    );
    assert_eq!(scene.raw(&held())["state"], "SUCCESSFUL");
}

#[test]
fn what_is_no_build_is_told_before_anything_is_sent() {
    for (more, said) in [
        (
            json!({"key": "x".repeat(256)}),
            "`key` is a text of 256 characters: it must be a text of at most 255",
        ),
        (
            json!({"url": format!("https://ci.example.com/{}", "x".repeat(450))}),
            "`url` is a text of",
        ),
        (
            json!({"url": "javascript:alert(1)"}),
            "`url` is \"javascript:alert(1)\": it must be an http or https address",
        ),
        (
            json!({"name": "x".repeat(256)}),
            "`name` is a text of 256 characters",
        ),
        (
            json!({"state": "GREAT"}),
            "`state` is \"GREAT\": it must be one of SUCCESSFUL",
        ),
        (json!({"key": " "}), "`key` is missing"),
        (
            json!({"commit_id": "main"}),
            "`commit_id` is \"main\": it must be a commit's id",
        ),
        (
            json!({"commit_id": "dddddddddddddddddddddddddddddddddddddddd"}),
            "does not exist in repository",
        ),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let (phrase, _) = scene.refused("set_build_status", build(&scene, more.clone()));
        assert!(phrase.contains(said), "{more}: {phrase}");
        assert_eq!(scene.writes().len(), 0, "{more}");
    }
    let mut scene = Scene::of("wren.okafor");
    let commit = scene.stand_in.commit("gantry-1");
    let arguments = build(&scene, json!({"repo": "old-gantry", "commit_id": commit}));
    let (phrase, _) = scene.refused("set_build_status", arguments);
    assert!(phrase.contains("is archived"), "{phrase}");
}
