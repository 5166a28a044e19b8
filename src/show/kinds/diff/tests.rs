use super::asked::Asked;
use super::read::{Head, Read};
use super::{facts, motion};
use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::Connection;
use crate::bitbucket::diffs::{changes_of_json, diff_of_json};
use crate::bitbucket::http::Http;
use crate::bitbucket::listing::Listing;
use crate::cancel::Cancel;
use crate::domain::comment::{Comment, Permitted, Thread};
use crate::domain::diff::{
    Change, ChangeKind, Content, FileDiff, Hunk, Line, LineKind, Node, Span,
};
use crate::domain::repository::{PullRequestId, RepositoryId};
use crate::highlight::{Highlighter, Templates};
use crate::show::drawing::{Facts, Motion, Offers};
use crate::show::memory::Memory;
use crate::show::shapes::People;
use crate::show::{AskedBy, Reading};
use crate::tool::args::Input;
use serde_json::{Map, Value, json};
use std::time::Duration;

const CHANGES: &str =
    include_str!("../../../../fixtures/cases/05-kinds-of-files-in-a-diff/changes.json");
const DIFF: &str = include_str!("../../../../fixtures/cases/05-kinds-of-files-in-a-diff/diff.json");

fn offers(tools: &[&'static str]) -> Offers {
    Offers {
        kinds: vec!["diff"],
        tools: tools.to_vec(),
        suggests: false,
    }
}

fn input(arguments: Value) -> Input {
    let base = BaseUrl::parse("http://127.0.0.1:9/bitbucket").expect("an address");
    let Value::Object(given) = arguments else {
        return Input::default();
    };
    let (target, args) = (super::KIND.target, super::KIND.args);
    Input::read(given, target, args, &base).expect("arguments")
}

fn asked() -> Asked {
    Asked::PullRequest(PullRequestId {
        repository: RepositoryId {
            project: "ACME".to_owned(),
            slug: "rocket".to_owned(),
        },
        number: 5,
    })
}

fn read(files: Vec<FileDiff>) -> Read {
    let paths: Vec<&str> = files.iter().map(|file| file.change.path.as_str()).collect();
    Read {
        head: Head::Refs,
        count: Listing::whole(paths).count(),
        files,
        first: 0,
        from_commit: String::new(),
        to_commit: String::new(),
        is_cut: false,
        notes: Vec::new(),
    }
}

/// The facts as the page reads them. Nothing is asked of this Bitbucket.
fn facts_of(read: &Read) -> Value {
    let connection = Connection {
        base: BaseUrl::parse("http://127.0.0.1:9/bitbucket").expect("an address"),
        credentials: None,
        ca_file: None,
        client: None,
        proxy: None,
        request_timeout: Duration::from_secs(1),
    };
    let bitbucket = Bitbucket::new(Http::new(&connection).expect("nothing to read"));
    let reading = Reading {
        bitbucket: &bitbucket,
        input: &Input::default(),
        cancel: &Cancel::new(),
        step: &|_| (),
        memory: &Memory::new(Highlighter::new(Duration::ZERO, Templates::Plain)),
        offers: &offers(&["get_pr_diff"]),
        asked_by: AskedBy::Model,
    };
    let facts = facts::of(read, &asked(), &reading, &mut People::new(&bitbucket));
    Facts::of(&facts).value().clone()
}

fn file(path: &str, lines: usize, text: &str) -> FileDiff {
    let lines = (1..=lines as u64).map(|number| Line {
        kind: LineKind::Added,
        source: None,
        destination: Some(number),
        text: text.to_owned(),
        comment_ids: Vec::new(),
        is_truncated: false,
    });
    let change = Change {
        kind: ChangeKind::Added,
        path: path.to_owned(),
        source_path: None,
        node: Node::File,
        executable: None,
        is_conflicting: false,
        comments: None,
        outdated_comments: None,
    };
    FileDiff {
        content: Content::Hunks(vec![Hunk {
            destination: Span { line: 1, lines: 1 },
            lines: lines.collect(),
            ..Hunk::default()
        }]),
        ..FileDiff::not_carried(change)
    }
}

#[test]
fn every_kind_of_file_is_there_with_its_kind_and_what_is_cut_is_said() {
    let mut diff = diff_of_json(DIFF);
    let changes = changes_of_json(CHANGES);
    diff.join(&changes);
    let is_cut = diff.is_truncated;
    let read = Read {
        is_cut,
        count: changes.count,
        ..read(diff.files)
    };
    let facts = facts_of(&read);
    assert_eq!(facts["count"], json!({"n": 10, "exact": true}));
    assert_eq!(facts["cut"], true);
    let told: Vec<String> = facts["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| {
            let kind = file["kind"].as_str().unwrap_or("Modified");
            let what = match (&file["why"], &file["hunks"]) {
                (Value::String(why), _) => why.as_str(),
                (_, Value::Array(_)) => "lines",
                _ => "not carried",
            };
            format!("{} {kind} {what}", file["name"].as_str().expect("a name"))
        })
        .collect();
    for expected in [
        "igniter.go Added lines",
        "old_valve.go Deleted lines",
        "start.md Deleted lines",
        "pad.sh Moved lines",
        "patch.svgz Modified binary",
        "VERSION Modified lines",
        ".keep Added same",
        "go Modified same",
        "fuel",
        "copy.go",
    ] {
        let is_told = told.iter().any(|one| one.starts_with(expected));
        assert!(is_told, "{expected} is not in {told:#?}");
    }
    let not_carried = told.iter().filter(|one| one.ends_with("not carried"));
    assert_eq!(not_carried.count(), 2, "{told:#?}");
}

#[test]
fn a_thousand_files_and_a_hundred_thousand_lines_stay_within_their_bounds() {
    for files in [
        vec![file("a/long.rs", 100_000, "let part = fit(1);")],
        (0..1_000)
            .map(|n| file(&format!("some/folder_{}/file_{n}.rs", n % 97), 100, "fit"))
            .collect(),
        (0..1_000)
            .map(|n| file(&format!("{}/{n}.rs", "deep".repeat(60)), 1, "fit"))
            .collect(),
        vec![file("a/min.js", 1, &"x".repeat(1_000_000))],
    ] {
        let (first, all) = (files[0].change.path.clone(), files.len());
        let facts = facts_of(&read(files));
        let chars = facts.to_string().chars().count();
        assert!(chars < 120_000, "{first}: {chars}");
        assert!(facts["files"][0]["hunks"][0]["lines"][0] != Value::Null);
        let named = facts["files"].as_array().expect("files").len();
        let unnamed = facts["unnamed"].as_array().into_iter().flatten();
        let unnamed: u64 = unnamed.filter_map(|one| one[1].as_u64()).sum();
        assert_eq!(named as u64 + unnamed, all as u64, "{first}");
    }
}

#[test]
fn the_file_asked_for_comes_whole_before_the_others() {
    let mut read = read(
        (0..40)
            .map(|n| file(&format!("{n}.rs"), 200, "let part = fit(1);"))
            .collect(),
    );
    read.first = 30;
    let facts = facts_of(&read);
    let files = facts["files"].as_array().expect("files");
    assert_eq!(facts["first"], 30);
    assert_eq!(
        files[30]["hunks"][0]["lines"].as_array().map(Vec::len),
        Some(200)
    );
    assert!(files[30].get("left_out").is_none());
    assert!(files[0].get("hunks").is_some());
    assert!(files[39].get("hunks").is_none());
}

/// A file whose threads, each of one comment, stand on it as a whole.
fn discussed(path: &str, threads: u64, text: &str) -> FileDiff {
    let thread = |id| Thread {
        root: Comment {
            id,
            version: Some(0),
            text: text.to_owned(),
            author: None,
            created: None,
            updated: None,
            task: None,
            is_pending: false,
            is_thread_resolved: None,
            resolver: None,
            resolved: None,
            may: Permitted::default(),
            replies: Vec::new(),
        },
        anchor: None,
        excerpt: None,
    };
    FileDiff {
        file_comments: (0..threads).map(thread).collect(),
        ..file(path, 3, "x")
    }
}

#[test]
fn every_thread_on_a_file_is_carried_or_counted() {
    let threads = |file: &Value| file["file_threads"].as_array().map_or(0, Vec::len);
    // A short file leaves its comments the place that its lines do not need.
    let facts = facts_of(&read(vec![discussed("VERSION", 6, &"long ".repeat(1_400))]));
    let only = &facts["files"][0];
    assert_eq!((threads(only), only.get("more_threads")), (6, None));

    let many = || discussed("b", 60, &"long ".repeat(1_400));
    let facts = facts_of(&read(vec![many()]));
    let only = &facts["files"][0];
    let carried = threads(only);
    assert!((6..60).contains(&carried), "{carried} threads");
    assert_eq!(only["more_threads"], 60 - carried);

    // Beside another file it comes whole or not at all, and is asked for alone.
    let facts = facts_of(&read(vec![file("a", 3, "x"), many(), file("c", 3, "x")]));
    let files = &facts["files"];
    assert_eq!((files[1].get("hunks"), threads(&files[1])), (None, 0));
    assert_ne!(files[2].get("hunks"), None);

    // Nothing names the threads of lines that are not carried.
    let mut on_lines = many();
    on_lines.comments = std::mem::take(&mut on_lines.file_comments);
    let facts = facts_of(&read(vec![on_lines]));
    let only = &facts["files"][0];
    let carried = only["threads"].as_object().map_or(0, Map::len);
    assert_eq!(only["more_threads"], 60 - carried);
}

#[test]
fn a_hunk_whose_numbers_skip_becomes_two() {
    let mut odd = file("a.rs", 4, "x");
    if let Content::Hunks(hunks) = &mut odd.content {
        hunks[0].lines[2].destination = Some(9);
        hunks[0].lines[3].destination = Some(10);
    }
    let hunks = &facts_of(&read(vec![odd]))["files"][0]["hunks"];
    assert_eq!(hunks[0]["at"], json!([0, 1]));
    assert_eq!(hunks[1]["at"], json!([0, 9]));
    assert_eq!(hunks[1]["lines"], json!(["+x", "+x"]));
}

#[test]
fn what_is_asked_for_names_one_thing_and_needs_its_tool() {
    let check = |arguments: Value, tools: &[&'static str]| {
        let mut given = Map::from_iter([("repo".to_owned(), json!("ACME/rocket"))]);
        given.extend(arguments.as_object().cloned().unwrap_or_default());
        let asked = Asked::read(&input(Value::Object(given)), &offers(tools));
        asked
            .map(|asked| asked.of().to_string())
            .map_err(|error| error.to_string())
    };
    let all = &["get_pr_diff", "compare_refs", "get_commit"];
    assert_eq!(
        check(json!({"id": 42}), all).as_deref(),
        Ok("pull request 42 of ACME/rocket")
    );
    let refs = json!({"from": "a", "to": "b"});
    assert_eq!(
        check(refs.clone(), all).as_deref(),
        Ok("`a` against `b` in ACME/rocket")
    );
    let commit = json!({"commit_id": "3f2504e04f8"});
    assert_eq!(
        check(commit, all).as_deref(),
        Ok("commit 3f2504e04f8 of ACME/rocket")
    );
    for wrong in [
        json!({}),
        json!({"from": "a"}),
        json!({"id": 42, "commit_id": "3f2504e04f8"}),
    ] {
        let said = check(wrong, all).expect_err("refused");
        assert!(said.contains("one of these alone"), "{said}");
    }
    let said = check(refs, &["get_pr_diff"]).expect_err("refused");
    assert!(said.contains("compare_refs"), "{said}");
}

#[test]
fn between_fixed_commits_nothing_moves() {
    let at = RepositoryId {
        project: "ACME".to_owned(),
        slug: "rocket".to_owned(),
    };
    let refs = |from: &str, to: &str| Asked::Refs {
        repository: at.clone(),
        from: from.to_owned(),
        to: to.to_owned(),
    };
    let (one, other) = ("a".repeat(40), "b".repeat(40));
    let none = read(Vec::new());
    assert_eq!(motion(&none, &refs(&one, &other)), Motion::Still);
    assert_eq!(motion(&none, &refs(&one, "main")), Motion::Quiet);
    assert_eq!(motion(&none, &asked()), Motion::Quiet);
}
