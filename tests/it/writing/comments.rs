//! Comments and tasks, on what they stand.

use super::{API, HOSTILE, Scene, of};
use serde_json::{Value, json};

/// Writes a comment on pull request `id` and gives where Bitbucket put it.
#[track_caller]
fn anchor(id: u64, more: Value) -> Value {
    let mut scene = Scene::of("wren.okafor");
    let mut arguments = of(id, more);
    arguments["text"] = json!("Here.");
    let (one, _) = scene.write("add_pr_comment", arguments);
    let held = scene.raw(&format!("{API}/pull-requests/{id}/comments/{}", one["id"]));
    held["anchor"].clone()
}

#[test]
fn a_comment_stands_on_the_line_that_was_meant_on_either_side() {
    for (more, line_type, file_type) in [
        (json!({"path": "engine/pump.rs", "line": 37}), "ADDED", "TO"),
        (
            json!({"path": "engine/pump.rs", "line": 36, "side": "old"}),
            "REMOVED",
            "FROM",
        ),
        (
            json!({"path": "engine/pump.rs", "line": 1}),
            "CONTEXT",
            "TO",
        ),
        (
            json!({"path": "engine/pump.rs", "line": 51, "side": "old"}),
            "CONTEXT",
            "FROM",
        ),
        (
            json!({"path": "engine/igniter.go", "line": 4}),
            "ADDED",
            "TO",
        ),
        (
            json!({"path": "engine/old_valve.go", "line": 2}),
            "REMOVED",
            "FROM",
        ),
    ] {
        let anchor = anchor(42, more.clone());
        assert_eq!(
            (&anchor["lineType"], &anchor["fileType"], &anchor["line"]),
            (&json!(line_type), &json!(file_type), &more["line"]),
            "{more}"
        );
    }
}

#[test]
fn a_renamed_file_is_named_by_either_path_and_keeps_where_it_was() {
    for path in ["launch/pad.sh", "tools/pad.sh"] {
        let anchor = anchor(42, json!({"path": path, "line": 5}));
        assert_eq!(anchor["path"], "launch/pad.sh");
        assert_eq!(anchor["srcPath"], "tools/pad.sh");
        assert_eq!(anchor["lineType"], "ADDED");
    }
    // Its name is all that changed.
    let anchor = anchor(
        42,
        json!({"path": "docs/manual.md", "line": 1, "side": "old"}),
    );
    assert_eq!(
        (&anchor["lineType"], &anchor["srcPath"]),
        (&json!("CONTEXT"), &json!("docs/guide.md"))
    );
}

#[test]
fn a_file_as_a_whole_takes_a_comment_be_it_binary_deleted_or_oddly_named() {
    for path in [
        "art/logo.bin",
        "engine/old_valve.go",
        "docs/stage 1/50% #draft?.md",
        "schäden/ö.txt",
        "docs/\u{202e}gnp.exe",
    ] {
        let anchor = anchor(51, json!({"path": path}));
        assert_eq!(anchor["path"], path);
        assert!(anchor.get("line").is_none_or(Value::is_null), "{anchor}");
    }
}

#[test]
fn several_lines_take_a_comment_where_the_version_has_that() {
    let more = json!({"path": "engine/igniter.go", "start_line": 5, "line": 7});
    let anchor = anchor(42, more.clone());
    assert_eq!(
        anchor["multilineMarker"],
        json!({"startLine": 5, "startLineType": "ADDED"})
    );
    let mut old = Scene::at_version("8.19.2");
    let mut arguments = of(42, more);
    arguments["text"] = json!("Here.");
    let (phrase, outcome) = old.refused("add_pr_comment", arguments);
    assert!(
        phrase.contains("this Bitbucket is 8.19.2: comments on several lines came with 9.3"),
        "{phrase}"
    );
    assert_eq!(outcome["errors"][0]["field"], "start_line");
    assert_eq!(old.writes().len(), 0);
}

#[test]
fn a_place_that_is_none_is_told_and_nothing_is_written() {
    for (id, more, said) in [
        (
            42,
            json!({"path": "docs/start.md"}),
            "`path` is \"docs/start.md\", which pull request 42 of ACME/rocket does not change: it changes ",
        ),
        (
            42,
            json!({"path": "../etc/passwd"}),
            "`path` is \"../etc/passwd\": it must be a path",
        ),
        (
            42,
            json!({"line": 3}),
            "`line` is given without `path`: give both",
        ),
        (
            42,
            json!({"path": "engine/pump.rs", "side": "old"}),
            "`side` is given without `line`",
        ),
        (
            42,
            json!({"path": "engine/pump.rs", "line": 0}),
            "`line` is 0: it must be a whole number from 1",
        ),
        (
            42,
            json!({"path": "engine/pump.rs", "line": 3, "start_line": 9}),
            "`start_line` is 9, below which `line` 3",
        ),
        (
            42,
            json!({"path": "engine/pump.rs", "parent_id": 402}),
            "a reply stands where its thread does",
        ),
        (
            42,
            json!({"path": "engine/old_valve.go", "line": 2, "side": "new"}),
            "is deleted: its lines are on the side \"old\"",
        ),
        (
            51,
            json!({"path": "art/logo.bin", "line": 1}),
            "is binary: leave it out to comment on the file",
        ),
        (
            52,
            json!({"path": "vendor/table.txt", "line": 7900}),
            "Bitbucket cuts the diff of \"vendor/table.txt\" after ",
        ),
        (42, json!({"text": " \n"}), "`text` is missing"),
        (
            42,
            json!({"text": "x".repeat(32_769)}),
            "`text` is a text of 32769 characters",
        ),
    ] {
        let mut scene = Scene::of("wren.okafor");
        let mut arguments = of(id, json!({"text": "Here."}));
        if let (Value::Object(arguments), Value::Object(more)) = (&mut arguments, more.clone()) {
            arguments.extend(more);
        }
        let (phrase, _) = scene.refused("add_pr_comment", arguments);
        assert!(phrase.contains(said), "{more}: {phrase}");
        assert_eq!(scene.writes().len(), 0, "{more}");
    }
    // Only Bitbucket knows how long a file is.
    let mut scene = Scene::of("wren.okafor");
    let arguments = of(
        42,
        json!({"text": "Here.", "path": "engine/pump.rs", "line": 4000}),
    );
    let (phrase, _) = scene.refused("add_pr_comment", arguments);
    assert!(
        phrase.contains("Line 4000 of \"engine/pump.rs\" does not exist."),
        "{phrase}"
    );
}

#[test]
fn replies_and_tasks_are_told_for_what_they_are() {
    let mut scene = Scene::of("wren.okafor");
    let (reply, outcome) = scene.write(
        "add_pr_comment",
        of(42, json!({"text": HOSTILE, "parent_id": 402})),
    );
    assert_eq!(
        (&reply["parent"], &outcome["id"]),
        (&json!(402), &reply["id"])
    );
    assert!(
        reply["url"]
            .as_str()
            .expect("an address")
            .ends_with(&format!("?commentId={}", reply["id"]))
    );
    let held = scene.raw(&format!("{API}/pull-requests/42/comments/{}", reply["id"]));
    assert_eq!(held["text"], HOSTILE);
    let (task, _) = scene.write(
        "add_pr_comment",
        of(42, json!({"text": "Do it.", "task": true})),
    );
    assert_eq!(
        (&task["severity"], &task["state"]),
        (&json!("BLOCKER"), &json!("OPEN"))
    );
    let (task, _) = scene.write(
        "update_pr_comment",
        of(
            42,
            json!({"comment_id": task["id"], "resolved": true, "text": "Done."}),
        ),
    );
    assert_eq!(
        (&task["state"], &task["text"], &task["version"]),
        (&json!("RESOLVED"), &json!("Done."), &json!(1))
    );
}

#[test]
fn a_thread_is_resolved_and_opened_again_where_there_is_such_a_thing() {
    let mut scene = Scene::of("wren.okafor");
    for wanted in [true, false] {
        let (one, _) = scene.write(
            "update_pr_comment",
            of(42, json!({"comment_id": 413, "resolved": wanted})),
        );
        assert_eq!(
            (&one["threadResolved"], one.get("note")),
            (&json!(wanted), None)
        );
    }
    let mut old = Scene::at_version("8.5.0");
    let (one, _) = old.write(
        "update_pr_comment",
        of(42, json!({"comment_id": 413, "resolved": true})),
    );
    assert!(
        one["note"]
            .as_str()
            .expect("a note")
            .contains("only from 8.9 on"),
        "{one}"
    );
}

#[test]
fn a_comment_that_is_not_there_or_not_ones_own_is_told() {
    for (more, said) in [
        (json!({"comment_id": 9}), "nothing to change is given"),
        (json!({"comment_id": 9, "text": ""}), "`text` is blank"),
        (
            json!({"comment_id": 999_999, "resolved": true}),
            "is comment 999999 one of pull request 44 of ACME/rocket?",
        ),
        (
            json!({"comment_id": 402, "resolved": true}),
            "is comment 402 one of pull request 44",
        ),
        (json!({"text": "x"}), "`comment_id` is missing"),
    ] {
        let (phrase, _) =
            Scene::of("wren.okafor").refused("update_pr_comment", of(44, more.clone()));
        assert!(phrase.contains(said), "{more}: {phrase}");
    }
    let mut scene = Scene::of("wren.okafor");
    let (phrase, _) = scene.refused(
        "add_pr_comment",
        of(44, json!({"text": "x", "parent_id": 402})),
    );
    assert!(
        phrase.contains("list_pr_comments has its comments"),
        "{phrase}"
    );
    let (phrase, _) = scene.refused(
        "update_pr_comment",
        of(42, json!({"comment_id": 402, "text": "x"})),
    );
    assert!(phrase.contains("who may not"), "{phrase}");
}

#[test]
fn a_comment_that_somebody_changed_meanwhile_is_told_with_both_versions() {
    let mut scene = Scene::of("wren.okafor");
    let path = format!("{API}/pull-requests/42/comments/420");
    let stale = standin::Effect::replace("/version", json!(7));
    scene
        .stand_in
        .fault(standin::Fault::on("GET", &path, stale));
    let (phrase, _) = scene.refused(
        "update_pr_comment",
        of(42, json!({"comment_id": 420, "text": "x"})),
    );
    assert!(
        phrase.contains("it is at version 0 now, and 7 was sent"),
        "{phrase}"
    );
    assert_eq!(scene.writes().len(), 1);
}
