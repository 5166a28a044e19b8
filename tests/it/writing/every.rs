//! What holds for every tool that writes: walks over the catalogue, which fail on a tool that nobody thought of here;
//! and two people who write at the same moment.

use super::{API, Scene, UNASKED, of};
use crate::support::{Bb, PATIENCE, text};
use bb::catalog::TOOLS;
use serde_json::{Map, Value, json};
use standin::{Effect, Fault, Options, StandIn, Step};

/// A repository of which nothing is refused before it is asked for: it is archived.
const ARCHIVE: &str = "ACME/old-gantry";

/// Arguments for each tool that writes, in the archive.
fn in_archive(tool: &str, commit: &str) -> Map<String, Value> {
    let arguments = match tool {
        "create_pull_request" => json!({"title": "x", "source_branch": "bugfix/let-go"}),
        "update_pull_request" => json!({"id": 7, "title": "x"}),
        "add_pr_comment" => json!({"id": 7, "text": "x"}),
        "submit_pr_review" => json!({"id": 7, "action": "needs_work"}),
        "merge_pull_request" | "decline_pull_request" | "reopen_pull_request" => json!({"id": 7}),
        "set_auto_merge" => json!({"id": 7, "enabled": true}),
        "update_pr_comment" => json!({"id": 7, "comment_id": 1, "text": "x"}),
        "create_branch" | "create_tag" => json!({"name": "x", "start_point": "main"}),
        "set_build_status" => json!({"commit_id": commit, "key": "K", "state": "FAILED",
            "url": "https://ci.example.com/1"}),
        other => panic!("no arguments for {other} stand in this walk"),
    };
    arguments.as_object().expect("arguments").clone()
}

/// The names of all tools that write.
fn writing() -> impl Iterator<Item = &'static str> {
    TOOLS
        .iter()
        .filter(|tool| !tool.effect.is_reading())
        .map(|tool| tool.name)
}

/// A pull request of the archive that is declined, and a comment on it, as Bitbucket would tell them.
fn prepare(stand_in: &StandIn, tool: &str) -> Option<u64> {
    let repository = ARCHIVE.to_owned();
    stand_in.step(Step::AllowAutoMerge {
        repository: repository.clone(),
        allowed: true,
    });
    if tool == "reopen_pull_request" {
        stand_in.step(Step::Decline {
            repository,
            id: 7,
            user: "mira.solano".to_owned(),
        });
        return None;
    }
    (tool == "update_pr_comment").then(|| {
        stand_in.step(Step::Comment {
            repository,
            id: 7,
            user: "wren.okafor".to_owned(),
            text: "Mine.".to_owned(),
            parent: None,
        });
        let mut bb = Bb::with(stand_in);
        let listed = bb.value("list_pr_comments", json!({"repo": ARCHIVE, "id": 7}));
        listed["threads"][0]["id"].as_u64().expect("an id")
    })
}

/// Calls a tool that must not write; gives its phrase.
#[track_caller]
fn refused_in(scene: &mut Scene, tool: &str) -> String {
    let newest = json!({"repo": ARCHIVE, "limit": 1});
    let newest = scene.bb.value("list_commits", newest);
    let commit = newest["commits"][0]["id"].as_str().expect("a commit");
    let mut arguments = in_archive(tool, commit);
    if let Some(comment) = prepare(&scene.stand_in, tool) {
        arguments.insert("comment_id".to_owned(), json!(comment));
    }
    arguments.insert("repo".to_owned(), json!(ARCHIVE));
    scene.stand_in.clear_log();
    scene.refused(tool, Value::Object(arguments)).0
}

#[test]
fn nothing_is_written_in_an_archive() {
    for tool in writing() {
        let mut scene = Scene::of("wren.okafor");
        let phrase = refused_in(&mut scene, tool);
        assert!(phrase.contains("is archived"), "{tool}: {phrase}");
        assert!(scene.writes().len() <= 1, "{tool}: {:?}", scene.writes());
    }
}

#[test]
fn a_token_that_may_only_read_is_told_for_what_it_is() {
    for tool in writing() {
        let mut scene = Scene::of("wren.okafor");
        for method in ["POST", "PUT", "DELETE"] {
            let said = "You are not permitted to access this resource";
            let body = standin::Body::Errors(said.to_owned());
            let user = ("X-AUSERNAME".to_owned(), "wren.okafor".to_owned());
            let effect = Effect::Status(401, body, vec![user]);
            scene.stand_in.fault(Fault::on(method, "*", effect));
        }
        let phrase = refused_in(&mut scene, tool);
        assert!(
            phrase.contains("signed in as `wren.okafor`, who may not"),
            "{tool}: {phrase}"
        );
        assert_eq!(scene.writes().len(), 1, "{tool}: sent once");
    }
}

/// Two people's bbs, each of which has read what is there before either writes: the results of both, sorted so that
/// the one that was done comes first.
fn at_once(calls: [(&str, &str, Value); 2]) -> (StandIn, [Value; 2]) {
    let stand_in = StandIn::start(Options::default());
    for method in ["POST", "PUT"] {
        let path = format!("{API}/pull-requests/*");
        stand_in.fault(Fault::on(method, &path, Effect::Stall(None)).times(2));
    }
    let mut both = calls.map(|(user, tool, arguments)| {
        let token = stand_in.token_of(user);
        let variables = [
            ("BITBUCKET_URL", stand_in.url()),
            ("BITBUCKET_TOKEN", token.as_str()),
        ];
        let mut bb = Bb::start(UNASKED, &variables);
        let id = bb.request("tools/call", json!({"name": tool, "arguments": arguments}));
        (bb, id)
    });
    let are_writing =
        |log: &[standin::Logged]| log.iter().filter(|sent| sent.method != "GET").count() == 2;
    assert!(
        stand_in.wait_for(are_writing, PATIENCE),
        "{}",
        both[0].0.story()
    );
    stand_in.release();
    let mut results = both
        .each_mut()
        .map(|(bb, id)| bb.answer(*id)["result"].clone());
    results.sort_by_key(|result| result["isError"] == true);
    (stand_in, results)
}

#[test]
fn of_two_who_rename_at_once_one_is_told_that_the_other_did() {
    let title = |user, title| (user, "update_pull_request", of(42, json!({"title": title})));
    let (stand_in, [done, told]) = at_once([
        title("wren.okafor", "Light it twice"),
        title("idris.vale", "Light it thrice"),
    ]);
    assert_ne!(done["isError"], true, "{done}");
    assert!(
        text(&told).contains("somebody changed its title meanwhile"),
        "{told}"
    );
    let written = stand_in
        .log()
        .iter()
        .filter(|sent| sent.status == Some(200) && sent.method == "PUT")
        .count();
    assert_eq!(written, 1);
}

#[test]
fn of_two_who_change_different_things_at_once_neither_loses_theirs() {
    let change = |user, more| (user, "update_pull_request", of(42, more));
    let (stand_in, results) = at_once([
        change("wren.okafor", json!({"title": "Light it twice"})),
        change("idris.vale", json!({"add_reviewers": ["ada.byrne"]})),
    ]);
    let one = Bb::with(&stand_in).value("get_pull_request", of(42, json!({})));
    let is_renamed = one["title"] == "Light it twice";
    let is_asked = one["reviewers"].to_string().contains("ada.byrne");
    let done = results
        .iter()
        .filter(|result| result["isError"] != true)
        .count();
    assert_eq!(
        done,
        usize::from(is_renamed) + usize::from(is_asked),
        "{results:?} of {one}"
    );
    // A reviewer more is nothing that another title minds; a new title is for a person to see first.
    assert!(is_renamed, "{one}");
    if done == 1 {
        assert!(
            text(&results[1]).contains("somebody changed its title meanwhile"),
            "{results:?}"
        );
    }
}

#[test]
fn of_two_who_merge_at_once_one_merges() {
    let merge = |user| (user, "merge_pull_request", of(54, json!({})));
    let (stand_in, [done, told]) = at_once([merge("wren.okafor"), merge("idris.vale")]);
    assert_ne!(done["isError"], true, "{done}");
    assert!(
        told["isError"] == true && text(&told).contains("somebody changed it meanwhile"),
        "{told}"
    );
    let merges = stand_in
        .log()
        .iter()
        .filter(|sent| sent.method == "POST" && sent.status == Some(200))
        .count();
    assert_eq!(merges, 1);
}
