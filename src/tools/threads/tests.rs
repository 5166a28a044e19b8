use super::thread;
use crate::bitbucket::activities::activity_of_json;
use crate::bitbucket::listing::Listing;
use crate::domain::activity::Activity;
use crate::tool::answer::{Answer, MAX_TEXT_CHARS};
use serde_json::{Value, json};

fn told(json: &str) -> Answer {
    let entries = activity_of_json(json);
    let threads: Vec<_> = entries
        .iter()
        .filter_map(Activity::thread)
        .cloned()
        .collect();
    Answer::list_in_full("threads", &Listing::of_test(threads, None), 0, thread)
}

#[test]
fn a_thread_says_where_it_stands_and_nests_its_replies() {
    let case = include_str!("../../../fixtures/cases/06-kinds-of-activities/activities.json");
    assert_eq!(
        told(case).value()["threads"][0],
        json!({
            "id": 44, "author": "wren (Wren Okafor)", "createdDate": "2025-11-30T23:59:53Z", "text": "Why 30?",
            "path": "engine/burn.go", "line": 34, "side": "new",
            "comments": [{
                "id": 45, "author": "wren (Wren Okafor)", "createdDate": "2025-11-30T23:59:56Z", "text": "Done.",
                "comments": [{
                    "id": 46, "author": "idris (Idris Vale)", "createdDate": "2025-11-30T23:59:56Z", "text": "Thanks!"
                }]
            }]
        })
    );
    assert_eq!(told(case).value()["threads"][1]["task"], "OPEN");
}

#[test]
fn a_thread_of_many_long_replies_is_shown_as_far_as_it_fits() {
    let replies: Vec<Value> = (2..202)
        .map(|id| json!({"id": id, "text": "x".repeat(32_000)}))
        .collect();
    let comment = json!({"id": 1, "text": "y".repeat(32_000), "comments": replies});
    let page = json!({"values": [{"action": "COMMENTED", "comment": comment}]});
    let answer = told(&page.to_string());
    assert!(answer.text().chars().count() <= MAX_TEXT_CHARS);
    let thread = &answer.value()["threads"][0];
    assert_eq!(
        (&thread["repliesNotShown"], &thread["cut"]),
        (&json!(100), &json!(true))
    );
    assert_eq!(answer.value()["shown"], 1);
}

#[test]
fn what_users_wrote_cannot_hide_or_command() {
    let comment = json!({"id": 1, "text": "\u{202e}gnp.exe\u{1b}[2J", "author": {"name": "a\nb", "displayName": "\u{200b}"}});
    let anchor = json!({"path": "a\u{202e}b"});
    let page =
        json!({"values": [{"action": "COMMENTED", "comment": comment, "commentAnchor": anchor}]});
    let text = told(&page.to_string()).text();
    for sign in ['\u{202e}', '\u{1b}', '\u{200b}'] {
        assert!(!text.contains(sign), "{text}");
    }
    assert!(text.contains("<U+202E>gnp.exe<U+001B>[2J"), "{text}");
}

#[test]
fn the_first_of_several_lines_counts_on_the_side_of_the_last() {
    let line = |source: u64, destination: u64| json!({"source": source, "destination": destination, "line": "x"});
    let told = |anchor: Value, segments: Value| {
        let page = json!({"values": [{
            "action": "COMMENTED", "commentAction": "ADDED", "comment": {"id": 1, "text": "Why?"},
            "commentAnchor": anchor,
            "diff": {"hunks": [{"segments": segments}]},
        }]});
        let thread = told(&page.to_string()).value()["threads"][0].clone();
        (
            thread["line"].clone(),
            thread["side"].clone(),
            thread["startLine"].clone(),
        )
    };
    let anchor = |line_type: &str, file_type: &str, line: u64| {
        json!({"path": "a", "line": line, "lineType": line_type, "fileType": file_type,
            "multilineMarker": {"startLine": 7, "startLineType": line_type}})
    };
    let context = json!([{"type": "CONTEXT", "lines": [line(7, 27), line(8, 28), line(9, 29)]}]);
    let removed = json!([
        {"type": "REMOVED", "lines": [line(7, 27)]}, {"type": "CONTEXT", "lines": [line(8, 27), line(9, 28)]},
    ]);
    for (anchor, segments, expected) in [
        (
            anchor("CONTEXT", "FROM", 9),
            &context,
            (json!(29), json!("new"), json!(27)),
        ),
        (
            anchor("CONTEXT", "FROM", 9),
            &removed,
            (json!(28), json!("new"), Value::Null),
        ),
        (
            anchor("CONTEXT", "FROM", 9),
            &json!([]),
            (json!(9), json!("old"), json!(7)),
        ),
        (
            anchor("ADDED", "TO", 9),
            &json!([]),
            (json!(9), json!("new"), json!(7)),
        ),
    ] {
        assert_eq!(told(anchor.clone(), segments.clone()), expected, "{anchor}");
    }
}
