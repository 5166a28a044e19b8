//! What is told of a pull request besides itself: diff, comments, tasks, activity, builds.

use crate::support::{Bb, text};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn};
use std::collections::BTreeMap;

const P: &str = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests";
const UI: &str = "/rest/ui/latest/projects/ACME/repos/rocket/pull-requests";

fn started() -> (StandIn, Bb) {
    let stand_in = StandIn::start(Options::default());
    let bb = Bb::with(&stand_in);
    (stand_in, bb)
}

/// One list of the stand-in capped at so many.
fn capped(list: &str, most: usize) -> (StandIn, Bb) {
    let stand_in = StandIn::start(Options {
        caps: BTreeMap::from([(list.to_owned(), most)]),
        ..Options::default()
    });
    let bb = Bb::with(&stand_in);
    (stand_in, bb)
}

/// The arguments of a call about one of the rocket's pull requests.
pub fn of(id: u64, more: Value) -> Value {
    let mut arguments = json!({"project": "ACME", "repo": "rocket", "id": id});
    for (name, value) in more.as_object().expect("arguments") {
        arguments[name] = value.clone();
    }
    arguments
}

/// The text of a call that is answered.
#[track_caller]
fn told(bb: &mut Bb, tool: &str, arguments: Value) -> String {
    let result = bb.call(tool, arguments);
    assert_ne!(result["isError"], true, "{result}\n{}", bb.story());
    text(&result).to_owned()
}

/// The members `name` of a list, in order.
fn each<'a>(list: &'a Value, name: &str) -> Vec<&'a Value> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|one| &one[name])
        .collect()
}

fn openings(diff: &str) -> Vec<&str> {
    diff.lines()
        .filter(|line| line.starts_with("=== "))
        .collect()
}

#[test]
fn a_diff_opens_each_file_with_one_line() {
    let (stand_in, mut bb) = started();
    let diff = told(&mut bb, "get_pr_diff", of(42, json!({})));
    assert!(
        diff.starts_with("pull request 42 of ACME/rocket: 7 changed files\n\n=== "),
        "{diff}"
    );
    assert_eq!(
        openings(&diff),
        [
            "=== Modified VERSION (+1 -1): only line ends differ, or the one at the end of the file",
            "=== Renamed docs/manual.md from docs/guide.md: its content is the same",
            "=== Added engine/igniter.go (+10 -0, 2 comments)",
            "=== Deleted engine/old_valve.go (+0 -4)",
            "=== Modified engine/pump.rs (+5 -5, 4 comments)",
            "=== Modified launch/go: made executable; no lines differ",
            "=== Moved launch/pad.sh from tools/pad.sh (+1 -1, 1 comment)",
        ]
    );
    assert!(diff.contains("\n@@ -0,0 +1,10 @@\n+package engine\n+\n+// Ignite"));
    assert!(diff.contains("\n-    run tools/pad\n+    run launch/pad\n     exit 0\n"));
    assert_eq!(stand_in.log().len(), 2, "{:?}", stand_in.log());
}

#[test]
fn one_file_is_asked_for_with_the_name_that_it_had() {
    let (stand_in, mut bb) = started();
    let path = json!({"path": "launch/pad.sh", "context_lines": 0});
    let diff = told(&mut bb, "get_pr_diff", of(42, path));
    assert_eq!(
        diff,
        "pull request 42 of ACME/rocket: 1 changed file\n\n\
         === Moved launch/pad.sh from tools/pad.sh (+1 -1, 1 comment)\n\
         @@ -5,1 +5,1 @@ main() {\n-    run tools/pad\n+    run launch/pad"
    );
    // The name that it had leads to it as well, and a folder to what is in it.
    let old = json!({"path": "tools/pad.sh", "context_lines": 0});
    assert_eq!(told(&mut bb, "get_pr_diff", of(42, old)), diff);
    let folder = told(&mut bb, "get_pr_diff", of(42, json!({"path": "launch/"})));
    assert_eq!(openings(&folder).len(), 2);
    let asked = stand_in.log();
    assert!(
        asked
            .iter()
            .any(|one| format!("{one:?}").contains("srcPath=tools%2Fpad.sh")),
        "{asked:?}"
    );
    let wrong = bb.failure("get_pr_diff", of(42, json!({"path": "launch/pad.s"})));
    assert_eq!(
        wrong,
        "`path`: pull request 42 of ACME/rocket changes no file `launch/pad.s`, did you mean `launch/pad.sh`? \
         Without `path`, all changed files are told"
    );
}

#[test]
fn files_behind_bitbuckets_cut_are_asked_for_one_by_one() {
    let (stand_in, mut bb) = capped("diff-lines", 12);
    let diff = told(&mut bb, "get_pr_diff", of(42, json!({"context_lines": 0})));
    assert!(
        diff.contains("7 changed files\nBitbucket cut this diff at its own limit of lines, after "),
        "{diff}"
    );
    let whole = openings(&diff);
    assert_eq!(whole.len(), 7);
    assert!(!diff.contains("not in this diff"), "{diff}");
    assert!(diff.contains("\n+    run launch/pad"));
    let singles = stand_in
        .log()
        .iter()
        .filter(|one| format!("{one:?}").contains("/diff/"))
        .count();
    assert!((1..=7).contains(&singles), "{singles}");
    // A list of changes that is cut as well says so.
    let (_stand_in, mut bb) = capped("changes", 3);
    let diff = told(&mut bb, "get_pr_diff", of(42, json!({})));
    assert!(
        diff.starts_with(
            "pull request 42 of ACME/rocket: at least 7 changed files\nBitbucket lists no more"
        ),
        "{diff}"
    );
    assert_eq!(openings(&diff).len(), 7);
}

#[test]
fn a_diff_that_is_long_says_how_to_go_on() {
    let (_stand_in, mut bb) = started();
    let first = told(&mut bb, "get_pr_diff", of(52, json!({})));
    assert!(first.chars().count() <= 60_000);
    assert!(
        first.contains("go on with start_file 1"),
        "{}",
        &first[..400]
    );
    assert!(first.ends_with("Changed as well, not shown here:\n=== Added zz/last.txt (+1 -0)"));
    let rest = told(&mut bb, "get_pr_diff", of(52, json!({"start_file": 1})));
    assert!(rest.starts_with("pull request 52 of ACME/rocket: 2 changed files; shown is file 1,"));
    assert_eq!(openings(&rest), ["=== Added zz/last.txt (+1 -0)"]);
}

#[test]
fn a_pull_request_of_a_thousand_files_is_told_within_the_bound() {
    // A list of changes that is as long as its limit may lack some; the limit of lines lets 48 files through.
    let (stand_in, mut bb) = started();
    let thousand =
        |start: u64| json!({"project": "FLEET", "repo": "fleet", "id": 1, "start_file": start});
    for (start, shown) in [(0, "files 0 to "), (990, "files 990 to 995")] {
        stand_in.clear_log();
        let diff = told(&mut bb, "get_pr_diff", thousand(start));
        let head: String = diff.chars().take(600).collect();
        assert!(diff.chars().count() <= 60_000);
        assert!(
            head.starts_with(
                "pull request 1 of FLEET/fleet: at least 1000 changed files; shown are "
            ),
            "{head}"
        );
        assert!(head.contains(shown), "{head}");
        assert!(stand_in.log().len() <= 22, "{head}");
    }
}

#[test]
fn a_diff_is_answered_without_the_list_of_changes_and_the_other_way_round() {
    let (stand_in, mut bb) = started();
    stand_in.fault(Fault::on(
        "GET",
        &format!("{P}/42/changes"),
        Effect::status(404),
    ));
    let diff = told(&mut bb, "get_pr_diff", of(42, json!({})));
    assert!(
        diff.starts_with("pull request 42 of ACME/rocket: 7 changed files\n\n"),
        "{diff}"
    );
    stand_in.clear_faults();
    stand_in.fault(Fault::on(
        "GET",
        &format!("{P}/42/diff"),
        Effect::Huge(17 << 20),
    ));
    let diff = told(&mut bb, "get_pr_diff", of(42, json!({})));
    assert!(diff.contains("over 16 MiB"), "{diff}");
    assert!(
        diff.contains("; files were read one by one instead"),
        "{diff}"
    );
    assert!(diff.contains("\n+    run launch/pad"), "{diff}");
    stand_in.clear_faults();
    let fault = bb.failure("get_pr_diff", of(4_000, json!({})));
    assert!(fault.starts_with("cannot read the diff of pull request 4000 of ACME/rocket: "));
}

#[test]
fn a_thread_is_told_with_the_line_that_it_stands_on() {
    let (_stand_in, mut bb) = started();
    let all = bb.value("list_pr_comments", of(42, json!({"limit": 100})));
    assert_eq!(all["total"], 13);
    let spots: Vec<(u64, String, Value, Value)> = all["threads"]
        .as_array()
        .expect("threads")
        .iter()
        .filter(|one| one.get("path").is_some())
        .map(|one| {
            let id = one["id"].as_u64().expect("an id");
            let path = one["path"].as_str().expect("a path").to_owned();
            (id, path, one["side"].clone(), one["line"].clone())
        })
        .collect();
    let pump = "engine/pump.rs".to_owned();
    let igniter = "engine/igniter.go".to_owned();
    assert_eq!(
        spots,
        [
            (419, igniter.clone(), json!("new"), json!(7)),
            (418, igniter.clone(), Value::Null, Value::Null),
            (414, pump.clone(), json!("new"), json!(37)),
            (413, pump.clone(), json!("new"), json!(37)),
            // Written on line 51 of the file before, which is line 50 of the file as it would be.
            (412, pump.clone(), json!("new"), json!(50)),
            (410, "launch/pad.sh".to_owned(), json!("new"), json!(5)),
            (415, pump, json!("old"), json!(36)),
            (417, igniter, json!("new"), json!(12)),
        ]
    );
    let outdated: Vec<&Value> = all["threads"]
        .as_array()
        .expect("threads")
        .iter()
        .filter(|one| one["outdated"] == true)
        .map(|one| &one["id"])
        .collect();
    assert_eq!(outdated, [417]);
}

#[test]
fn threads_are_chosen_by_state_and_path_and_counted_as_chosen() {
    let (_stand_in, mut bb) = capped("activities", 3);
    for (more, ids, total) in [
        (json!({"state": "resolved"}), &[415, 406][..], 2),
        (
            json!({"path": "engine", "state": "open"}),
            &[419, 418, 414, 413, 412, 417],
            6,
        ),
        (json!({"path": "tools/pad.sh"}), &[410], 1),
        (json!({"path": "eng"}), &[], 0),
        (
            json!({"path": "engine/pump.rs", "limit": 2}),
            &[414, 413],
            4,
        ),
        (
            json!({"path": "engine/pump.rs", "limit": 2, "start": 2}),
            &[412, 415],
            4,
        ),
    ] {
        let found = bb.value("list_pr_comments", of(42, more.clone()));
        assert_eq!(each(&found["threads"], "id"), ids, "{more}");
        assert_eq!(found["total"], total, "{more}");
        let next = if more.get("start").is_none() && more.get("limit").is_some() {
            json!(2)
        } else {
            Value::Null
        };
        assert_eq!(found["next"], next, "{more}");
    }
}

#[test]
fn tasks_are_told_open_and_resolved() {
    let (_stand_in, mut bb) = started();
    for (more, ids, states) in [
        (
            json!({}),
            &[405, 406, 411][..],
            &["OPEN", "RESOLVED", "OPEN"][..],
        ),
        (json!({"state": "open"}), &[405, 411], &["OPEN", "OPEN"]),
        (json!({"state": "RESOLVED"}), &[406], &["RESOLVED"]),
    ] {
        let found = bb.value("list_pr_tasks", of(42, more));
        assert_eq!(each(&found["tasks"], "id"), ids);
        assert_eq!(each(&found["tasks"], "task"), states);
    }
}

#[test]
fn activity_is_told_in_bitbuckets_words_and_page_by_page() {
    let (_stand_in, mut bb) = started();
    let all = bb.value("list_pr_activity", of(42, json!({"limit": 100})));
    let what: Vec<&str> = each(&all["activity"], "what")
        .into_iter()
        .filter_map(Value::as_str)
        .collect();
    for words in [
        "auto merge enabled by something new",
        "requested changes",
        "added 12 commits and removed 1 commit",
        "added idris.vale (Idris Vale) and jane@example (Jane Ferrow) as reviewers and removed noor.haddad (نور حداد) as a reviewer",
        "commented on engine/pump.rs",
        "created a task",
        "opened the pull request",
    ] {
        assert!(what.contains(&words), "{words}: {what:?}");
    }
    let ids = |list: &Value| -> Vec<Value> {
        each(&list["activity"], "id").into_iter().cloned().collect()
    };
    let mut found = Vec::new();
    let mut start = json!(0);
    while !start.is_null() {
        let page = bb.value(
            "list_pr_activity",
            of(42, json!({"limit": 7, "start": start})),
        );
        found.extend(ids(&page));
        start = page["next"].clone();
    }
    assert!(found.len() >= ids(&all).len(), "{found:?}");
    assert!(ids(&all).iter().all(|id| found.contains(id)));
}

#[test]
fn a_reply_that_comes_as_an_activity_of_its_own_is_told_in_its_thread_alone() {
    let (_stand_in, mut bb) = started();
    let all = bb.value("list_pr_activity", of(42, json!({"limit": 100})));
    let roots: Vec<&Value> = all["activity"]
        .as_array()
        .expect("activity")
        .iter()
        .map(|one| &one["comment"]["id"])
        .collect();
    assert!(
        roots.contains(&&json!(402)) && !roots.contains(&&json!(403)),
        "{roots:?}"
    );
    assert_eq!(all.to_string().matches("Ask away.").count(), 1);
}

#[test]
fn builds_are_those_of_the_pull_requests_page_and_the_worst_come_first() {
    let (_stand_in, mut bb) = started();
    let found = bb.value("get_build_status", of(42, json!({})));
    assert_eq!(
        each(&found["builds"], "state"),
        [
            "FAILED",
            "FAILED",
            "INPROGRESS",
            "CANCELLED",
            "UNKNOWN",
            "SUCCESSFUL"
        ]
    );
    assert_eq!(found["builds"][0]["parent"], "ci/test");
    assert_eq!(
        (&found["counts"]["failed"], &found["total"]),
        (&json!(2), &json!(6))
    );
    assert!(found["counts"].get("of").is_none());
    let many = bb.value("get_build_status", of(49, json!({"limit": 2})));
    assert_eq!((&many["shown"], &many["next"]), (&json!(2), &json!(2)));
    assert!(
        many["total"].as_u64().is_some_and(|total| total >= 200),
        "{many}"
    );
}

#[test]
fn without_the_pages_listing_builds_are_said_to_be_the_commits() {
    let (stand_in, mut bb) = started();
    let commit = bb.value("get_pull_request", of(42, json!({})))["fromRef"]["latestCommit"].clone();
    stand_in.fault(Fault::on(
        "GET",
        &format!("{UI}/42/builds"),
        Effect::SignInPage,
    ));
    let by_id = bb.value("get_build_status", of(42, json!({})));
    let short: String = commit
        .as_str()
        .expect("a commit")
        .chars()
        .take(11)
        .collect();
    assert_eq!(
        by_id["counts"]["of"],
        format!("commit {short}, for any branch")
    );
    assert!(by_id["builds"][0].get("parent").is_none());
    let by_commit = bb.value("get_build_status", json!({"commit_id": commit}));
    assert_eq!(by_commit, by_id);
    for (arguments, problem) in [
        (
            json!({}),
            "give `id` for the builds of a pull request, or `commit_id` for a commit's",
        ),
        (
            json!({"id": 42}),
            "`id` needs `project` and `repo` beside it, or give its address",
        ),
        (
            json!({"id": 42, "commit_id": commit}),
            "`commit_id` and `id` are both given: give one of them",
        ),
        (
            json!({"commit_id": short}),
            "`commit_id` must be a whole commit id of 40 hex digits: get_commit tells \
                                      it of a short one, resolve_ref of a branch or tag",
        ),
    ] {
        assert_eq!(bb.failure("get_build_status", arguments), problem);
    }
}

#[test]
fn required_builds_are_told_in_words_for_a_branch_or_for_all() {
    let (stand_in, mut bb) = started();
    let repository = |more: Value| {
        let mut arguments = json!({"repo": "ACME/rocket"});
        if let Some(branch) = more.as_str() {
            arguments["target_branch"] = json!(branch);
        }
        arguments
    };
    let all = bb.value("list_required_builds", repository(Value::Null));
    assert_eq!(
        each(&all["conditions"], "branches"),
        [
            "branch main",
            "every branch",
            "branches that match release/*",
            "the production branch of the branch model"
        ]
    );
    assert_eq!(
        all["conditions"][0],
        json!({
            "branches": "branch main", "keys": ["ci/build", "ci/test"],
            "exemptSourceBranches": "HOTFIX branches of the branch model",
        })
    );
    for (branch, keys) in [
        ("main", json!([["ci/build", "ci/test"], ["ci/lint"]])),
        ("refs/heads/release/2", json!([["ci/lint"], ["ci/release"]])),
    ] {
        let found = bb.value("list_required_builds", repository(json!(branch)));
        assert_eq!(json!(each(&found["conditions"], "keys")), keys, "{branch}");
    }
    stand_in.fault(Fault::on(
        "GET",
        "/rest/branch-utils/latest/projects/ACME/repos/rocket/branchmodel",
        Effect::status(500),
    ));
    let unsure = bb.value("list_required_builds", repository(json!("main")));
    assert_eq!(
        unsure["conditions"][2]["unsure"],
        "bb cannot tell whether this holds for the branch"
    );
}

#[test]
fn what_users_wrote_stays_text_in_every_answer() {
    let (_stand_in, mut bb) = started();
    for (tool, arguments) in [
        ("get_pr_diff", of(50, json!({}))),
        ("get_pr_diff", of(51, json!({}))),
        ("list_pr_comments", of(50, json!({}))),
        ("list_pr_activity", of(50, json!({}))),
        ("list_pr_tasks", of(50, json!({}))),
        ("get_build_status", of(50, json!({}))),
    ] {
        let text = told(&mut bb, tool, arguments);
        for sign in ['\u{202e}', '\u{202c}', '\u{200b}', '\u{1b}', '\r'] {
            assert!(!text.contains(sign), "{tool}: {sign:?} in {text}");
        }
    }
    let diff = told(&mut bb, "get_pr_diff", of(51, json!({})));
    assert!(
        diff.contains("=== Added docs/<U+202E>gnp.exe (+1 -0)"),
        "{diff}"
    );
}
