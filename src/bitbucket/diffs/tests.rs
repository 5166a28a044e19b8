use super::{changes_of_json, diff_of_json};
use crate::domain::diff::{Content, Diff, LineKind, Node, Side};

const DIFF: &str = include_str!("../../../fixtures/cases/05-kinds-of-files-in-a-diff/diff.json");
const CHANGES: &str =
    include_str!("../../../fixtures/cases/05-kinds-of-files-in-a-diff/changes.json");

fn joined() -> Diff {
    let mut diff = diff_of_json(DIFF);
    diff.join(&changes_of_json(CHANGES));
    diff
}

#[test]
fn every_file_is_there_with_its_kind_and_both_its_names() {
    let diff = joined();
    let found: Vec<(&str, &str, Option<&str>)> = diff
        .files
        .iter()
        .map(|file| {
            let change = &file.change;
            (
                change.kind.word(),
                &*change.path,
                change.source_path.as_deref(),
            )
        })
        .collect();
    let expected = [
        ("Added", "engine/igniter.go", None),
        ("Deleted", "engine/old_valve.go", None),
        ("Deleted", "docs/start.md", None),
        ("Moved", "launch/pad.sh", Some("tools/pad.sh")),
        ("Modified", "art/patch.svgz", None),
        ("Modified", "VERSION", None),
        ("Added", "engine/.keep", None),
        ("Modified", "launch/go", None),
        ("Copied", "engine/copy.go", Some("engine/igniter.go")),
        ("Modified", "vendor/fuel", None),
    ];
    assert_eq!(found, expected);
    assert!(changes_of_json(CHANGES).count.is_exact());
}

#[test]
fn the_kind_of_a_file_is_known_without_the_list_of_changes() {
    let words: Vec<String> = diff_of_json(DIFF)
        .files
        .iter()
        .map(|file| file.change.kind.word().to_owned())
        .collect();
    assert_eq!(
        words,
        [
            "Added", "Deleted", "Deleted", "Moved", "Modified", "Modified", "Added", "Modified"
        ]
    );
}

#[test]
fn a_line_has_numbers_on_the_sides_where_it_exists() {
    for line in joined().files.iter().flat_map(|file| file.lines()) {
        let (source, destination) = (line.source.is_some(), line.destination.is_some());
        let expected = match line.kind {
            LineKind::Context => (true, true),
            LineKind::Added => (false, true),
            LineKind::Removed => (true, false),
        };
        assert_eq!((source, destination), expected, "{line:?}");
        assert!(line.source != Some(0) && line.destination != Some(0));
    }
}

#[test]
fn a_cut_diff_is_known_as_cut_and_the_files_behind_the_cut_are_named() {
    let diff = joined();
    assert!(diff.is_truncated);
    let is_there = |file: &&crate::domain::diff::FileDiff| file.content != Content::NotCarried;
    assert_eq!(diff.files.iter().filter(is_there).count(), 8);
    assert_eq!(diff.files[9].change.node, Node::Submodule);
    assert!(!diff.files[8].is_whole());
}

#[test]
fn a_file_of_a_whole_diff_that_is_not_in_it_has_no_lines() {
    let mut diff = diff_of_json(r#"{"diffs":[],"truncated":false}"#);
    diff.join(&changes_of_json(CHANGES));
    assert!(
        diff.files
            .iter()
            .all(|file| file.content == Content::NoLines)
    );
}

#[test]
fn truncation_is_kept_on_each_level() {
    let of = |file: &str, hunk: &str, segment: &str, line: &str| {
        diff_of_json(&format!(
            r#"{{"diffs":[{{"destination":"a","hunks":[{{"segments":[{{"type":"ADDED",
               "lines":[{{"destination":1,"line":"x"{line}}}]{segment}}}]{hunk}}}]{file}}}]}}"#
        ))
        .files
        .remove(0)
    };
    const CUT: &str = r#","truncated":true"#;
    assert!(of("", "", "", "").is_whole());
    assert!(!of(CUT, "", "", "").is_whole());
    assert!(!of("", CUT, "", "").is_whole());
    assert!(!of("", "", CUT, "").is_whole());
    let line = of("", "", "", CUT);
    assert!(line.is_whole() && line.hunks()[0].lines[0].is_truncated);
}

#[test]
fn one_file_that_is_not_understood_costs_no_other() {
    let diff = diff_of_json(
        r#"{"diffs":[{"source":{"toString":"a.go"},"destination":{"toString":"a.go"},"hunks":"many"},
                     7, {"destination":{"components":["x","b.go"]},"hunks":[{"segments":[
                        {"type":"MOVED_HERE","lines":[{"source":0,"destination":"4","line":null,"commentIds":[null,7]}]}]}]}]}"#,
    );
    let found: Vec<(&str, &Content)> = diff
        .files
        .iter()
        .map(|file| (&*file.change.path, &file.content))
        .collect();
    assert_eq!(
        found[..2],
        [
            ("a.go", &Content::NotUnderstood),
            ("", &Content::NotUnderstood)
        ]
    );
    let file = &diff.files[2];
    let line = &file.hunks()[0].lines[0];
    assert_eq!(file.change.path, "x/b.go");
    assert_eq!((line.source, line.spot()), (None, Some((Side::New, 4))));
    assert_eq!(line.comment_ids, [7]);
}

#[test]
fn a_list_of_changes_that_is_full_may_not_be_all() {
    let full = CHANGES.replace(r#""limit": 25"#, r#""limit": 10"#);
    assert!(!changes_of_json(&full).count.is_exact());
    let not_last = CHANGES.replace(r#""isLastPage": true"#, r#""isLastPage": false"#);
    assert!(!changes_of_json(&not_last).count.is_exact());
    let strange = changes_of_json(r#"{"values":[{"path":"a","type":"ADD","properties":1},null]}"#);
    assert_eq!(strange.files.len(), 2);
    assert_eq!(strange.files[0].path, "a");
}
