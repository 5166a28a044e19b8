use super::{WireChange, WireChanges};
use crate::domain::commit::Change;
use serde_json::json;

fn change(value: serde_json::Value) -> Change {
    serde_json::from_value::<WireChange>(value)
        .expect("whatever is missing or odd is tolerated")
        .into_domain()
}

#[test]
fn a_change_is_read_whatever_bitbucket_leaves_out() {
    let bare = change(json!({}));
    assert_eq!((bare.kind.as_str(), bare.path.as_str()), ("UNKNOWN", ""));
    let pieces = change(json!({"path": {"components": ["a b", "ö.rs"]}, "type": "ADD"}));
    assert_eq!(pieces.path, "a b/ö.rs");
    let text = change(json!({"path": "a/b.rs", "srcPath": null, "type": "SHATTER"}));
    assert_eq!(
        (text.path.as_str(), text.kind.as_str()),
        ("a/b.rs", "SHATTER")
    );
    let odd = change(json!({"path": 7, "percentUnchanged": -1}));
    assert_eq!((odd.path.as_str(), odd.percent_unchanged), ("", None));
}

#[test]
fn a_moved_file_says_where_from_and_any_other_does_not() {
    let moved = change(json!({
        "path": {"toString": "launch/pad.sh"}, "srcPath": {"toString": "tools/pad.sh"}, "type": "MOVE",
        "percentUnchanged": 91, "executable": true, "srcExecutable": true,
    }));
    assert_eq!(moved.source.as_deref(), Some("tools/pad.sh"));
    assert_eq!(
        (moved.percent_unchanged, moved.executable),
        (Some(91), None)
    );
    let same = change(json!({
        "path": {"toString": "a"}, "srcPath": {"toString": "a"}, "type": "MODIFY", "percentUnchanged": 40,
        "executable": true, "srcExecutable": false,
    }));
    assert_eq!((same.source, same.percent_unchanged), (None, None));
    assert_eq!(same.executable, Some(true));
    let gone =
        change(json!({"path": "a", "type": "DELETE", "executable": false, "srcExecutable": true}));
    assert_eq!(gone.executable, None);
}

#[test]
fn changes_that_may_not_be_all_are_told_from_all() {
    for (page, is_full) in [
        (json!({}), false),
        (
            json!({"values": [{}], "limit": 1000, "isLastPage": true}),
            false,
        ),
        (json!({"values": [{}], "isLastPage": false}), true),
        (json!({"values": [{}], "nextPageStart": 1}), true),
        (
            json!({"values": [{}, {}], "limit": 2, "isLastPage": true}),
            true,
        ),
        (json!({"values": [], "limit": 0}), false),
    ] {
        let read: WireChanges = serde_json::from_value(page.clone()).expect("a page");
        assert_eq!(read.is_full(), is_full, "{page}");
    }
}

#[test]
fn every_kind_of_file_of_a_diff_has_its_change() {
    let bytes = include_bytes!("../../../fixtures/cases/05-kinds-of-files-in-a-diff/changes.json");
    let read: WireChanges = serde_json::from_slice(bytes).expect("the case");
    let changes: Vec<String> = read
        .values
        .expect("values")
        .into_iter()
        .map(|wire| {
            let change = wire.into_domain();
            let source = change.source.map(|source| format!(" from {source}"));
            format!(
                "{} {}{}",
                change.kind,
                change.path,
                source.unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        changes,
        [
            "ADD engine/igniter.go",
            "DELETE engine/old_valve.go",
            "DELETE docs/start.md",
            "MOVE launch/pad.sh from tools/pad.sh",
            "MODIFY art/patch.svgz",
            "MODIFY VERSION",
            "ADD engine/.keep",
            "MODIFY launch/go",
            "COPY engine/copy.go from engine/igniter.go",
            "MODIFY vendor/fuel",
        ]
    );
}
