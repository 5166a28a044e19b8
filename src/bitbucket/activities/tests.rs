use super::activity_of_json;
use crate::domain::activity::{Action, Activity};
use crate::domain::comment::{Comment, TaskState, Thread};
use crate::domain::diff::Side;
use crate::words;

const CASE: &str = include_str!("../../../fixtures/cases/06-kinds-of-activities/activities.json");

fn threads(entries: &[Activity]) -> Vec<&Thread> {
    entries.iter().filter_map(Activity::thread).collect()
}

#[test]
fn every_activity_is_told_in_bitbuckets_words() {
    let entries = activity_of_json(CASE);
    let told: Vec<String> = entries
        .iter()
        .map(|entry| {
            let by = entry.by.as_ref().map_or("", |by| &*by.name);
            format!("{by} {}", words::activity(entry))
        })
        .collect();
    // Thirteen were read; the reply that came as one of its own is told in its thread.
    assert_eq!(
        told,
        [
            "idris merged the pull request",
            "ci.bot auto merge enabled by something new",
            "wren approved the pull request",
            "idris added 12 commits and removed 1 commit",
            "wren requested changes",
            "wren commented on engine/burn.go",
            "wren created a task",
            "idris added wren (Wren Okafor) as a reviewer",
            "wren unapproved the pull request",
            "idris reopened the pull request",
            "idris declined the pull request",
            "idris opened the pull request",
        ]
    );
    assert!(entries.iter().all(|entry| entry.at.is_some()));
}

#[test]
fn a_comment_that_comes_twice_is_there_once_in_its_thread() {
    let entries = activity_of_json(CASE);
    let ids =
        |thread: &Thread| -> Vec<u64> { thread.root.all().iter().map(|one| one.id).collect() };
    let all: Vec<Vec<u64>> = threads(&entries).into_iter().map(ids).collect();
    assert_eq!(all, [vec![44, 45, 46], vec![43]]);
}

#[test]
fn a_thread_stands_where_the_diff_marks_it_and_not_at_its_anchors_number() {
    let entries = activity_of_json(CASE);
    let thread = threads(&entries)[0];
    let anchor = thread.anchor.as_ref().expect("an anchor");
    assert_eq!((anchor.side, anchor.line), (Side::Old, Some(30)));
    assert_eq!(thread.spot(), Some((Side::New, 34)));
    // An excerpt that marks no line still tells which new line the old one is.
    let unmarked = CASE.replace(r#""commentIds""#, r#""nobody""#);
    let unmarked = activity_of_json(&unmarked);
    assert_eq!(threads(&unmarked)[0].spot(), Some((Side::New, 34)));
    // Without its excerpt nothing tells the new line, so the old side's is told as that.
    let bare = Thread {
        excerpt: None,
        ..thread.clone()
    };
    assert_eq!(bare.spot(), Some((Side::Old, 30)));
}

#[test]
fn a_task_counts_as_open_until_it_is_resolved() {
    let entries = activity_of_json(CASE);
    let task = threads(&entries)[1];
    assert_eq!(task.root.task, Some(TaskState::Open));
    assert!(!task.is_resolved());
    let done = |root: Comment| Thread {
        root,
        ..task.clone()
    };
    let resolved = Comment {
        task: Some(TaskState::Resolved),
        ..task.root.clone()
    };
    assert!(done(resolved.clone()).is_resolved());
    let with_an_open_reply = Comment {
        replies: vec![task.root.clone()],
        ..resolved
    };
    assert!(!done(with_an_open_reply).is_resolved());
}

#[test]
fn an_entry_that_is_not_understood_costs_nothing_beside_it() {
    let entries = activity_of_json(
        r#"{"values":[
            {"id":"9","createdDate":0,"user":{"name":"wren"},"action":"COMMENTED","comment":"lost"},
            {"id":8,"createdDate":"2026-03-05T11:21:00+0000","user":"wren","action":["X"]},
            null, 7, {},
            {"action":"RESCOPED","added":{"commits":null,"total":-1},"removed":null},
            {"action":"COMMENTED","commentAction":"DELETED"},
            {"action":"COMMENTED","comment":{"text":"a"}}, {"action":"COMMENTED","comment":{"text":"b"}},
            {"action":"UPDATED","draft":false}, {"action":"MERGED","commit":null}
        ]}"#,
    );
    let told: Vec<String> = entries.iter().map(words::activity).collect();
    assert_eq!(
        told,
        [
            "commented",
            "did something that is not told",
            "did something that is not told",
            "did something that is not told",
            "did something that is not told",
            "updated the branches; no commits were added or removed",
            "deleted a comment",
            "commented",
            "commented",
            "marked the pull request as ready for review",
            "merged the pull request remotely",
        ]
    );
    assert_eq!(entries[0].id, Some(9));
    assert_eq!(entries[0].action, Action::Other("COMMENTED".to_owned()));
    assert_eq!(
        entries[1].at.expect("a time").to_string(),
        "2026-03-05T11:21:00Z"
    );
}

#[test]
fn replies_nested_without_end_cost_their_entry_alone() {
    let depth = 20_000;
    let deep = format!(
        "{}{}",
        r#"{"id":1,"comments":["#.repeat(depth),
        "]}".repeat(depth)
    );
    let entries = activity_of_json(&format!(
        r#"{{"values":[{{"action":"COMMENTED","comment":{deep}}},{{"action":"OPENED"}}]}}"#
    ));
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[1].action, Action::Opened);
}

#[test]
fn reviewers_are_added_and_removed_by_name_or_by_themselves() {
    let told = |json: &str| {
        let json =
            format!(r#"{{"values":[{{"action":"UPDATED","user":{{"name":"wren"}},{json}}}]}}"#);
        words::activity(&activity_of_json(&json)[0])
    };
    let of = |name: &str, people: &[&str]| {
        let people: Vec<String> = people
            .iter()
            .map(|name| format!(r#"{{"name":"{name}"}}"#))
            .collect();
        format!(r#""{name}":[{}]"#, people.join(","))
    };
    for (json, words) in [
        (of("addedReviewers", &["wren"]), "joined as a reviewer"),
        (of("removedReviewers", &["wren"]), "left as a reviewer"),
        (
            of("addedReviewers", &["a", "b", "c"]),
            "added a, b and c as reviewers",
        ),
        (
            format!(
                "{},{}",
                of("addedReviewers", &["a"]),
                of("removedReviewers", &["b"])
            ),
            "added a as a reviewer and removed b as a reviewer",
        ),
        (
            r#""draft":true"#.to_owned(),
            "marked the pull request as draft",
        ),
        (r#""x":1"#.to_owned(), "updated the pull request"),
    ] {
        assert_eq!(told(&json), words);
    }
}
