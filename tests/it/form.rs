//! The form of a pull request that is not there yet, and what could stand in its fields (R33, R36 to R40).

use crate::support::text;
use crate::support::views::{drawing, refreshed, rendering, rendering_with};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn};

pub const API: &str = "/rest/api/latest/projects/ACME/repos/rocket";

/// The form of a branch of which nobody has opened a pull request.
pub fn steam(more: Value) -> Value {
    with(
        json!({"kind": "create_pull_request", "project": "ACME", "repo": "rocket", "source_branch": "feature/steam"}),
        more,
    )
}

/// The form of three commits.
fn igniter(more: Value) -> Value {
    let target = json!({"source_branch": "feature/igniter", "target_branch": "release/2.0"});
    with(steam(target), more)
}

/// The form of a fork's branch.
pub fn fork(more: Value) -> Value {
    let place = json!({
        "source_branch": "red-nose", "source_repo": "~idris.vale/rocket", "target_branch": "release/2.0",
    });
    with(steam(place), more)
}

pub fn with(mut arguments: Value, more: Value) -> Value {
    if let (Value::Object(arguments), Value::Object(more)) = (&mut arguments, more) {
        arguments.extend(more);
    }
    arguments
}

#[track_caller]
fn facts(stand_in: &StandIn, arguments: Value) -> Value {
    drawing(&mut rendering(stand_in), "show", arguments)["facts"].clone()
}

pub fn names(people: &Value) -> Vec<&str> {
    let people = people.as_array().map(Vec::as_slice).unwrap_or_default();
    people
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect()
}

pub fn writes(stand_in: &StandIn) -> usize {
    let log = stand_in.log();
    log.iter().filter(|one| one.method != "GET").count()
}

#[test]
fn what_the_model_leaves_out_stands_there_as_in_bitbuckets_own_form() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let result = bb.call("show", steam(json!({})));
    assert_eq!(
        text(&result),
        "Put on the person's screen: a form of a pull request from feature/steam to main of ACME/rocket: 1 commit, \
         1 changed file. Nothing is created before they submit it; do not create it yourself meanwhile. If the person \
         sees no view, answer in words."
    );
    let view = &result["_meta"]["bb/view"];
    let facts = &view["facts"];
    assert_eq!(facts["target"], json!({"branch": "main"}));
    assert_eq!(facts["source"], json!({"branch": "feature/steam"}));
    assert_eq!(
        (&facts["title"], &facts["description"]),
        (&json!("Fly on steam"), &json!(""))
    );
    assert_eq!(names(&facts["reviewers"]), ["idris.vale", "mira.solano"]);
    assert_eq!(facts["draft"], false);
    assert_eq!(facts["commits"]["count"], json!({"n": 1, "exact": true}));
    assert_eq!(facts["commits"]["listed"][0]["subject"], "Fly on steam");
    assert_eq!(facts["files"], json!({"n": 1, "exact": true}));
    assert_eq!(
        (&facts["stop"], &facts["open"], &facts["merges"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert_eq!(
        (&facts["notes"], &facts["suggests"]),
        (&json!([]), &json!(true))
    );
    assert_eq!(
        view["motion"], "still",
        "a form is not read again by itself"
    );
    let page = facts["address"].as_str().expect("a page");
    assert!(page.ends_with("/projects/ACME/repos/rocket/pull-requests?create=&sourceBranch=refs%2Fheads%2Ffeature%2Fsteam\
        &targetBranch=refs%2Fheads%2Fmain"), "{page}");
    assert_eq!(writes(&stand_in), 0);
}

#[test]
fn several_commits_give_the_branchs_name_and_a_line_each() {
    let stand_in = StandIn::start(Options::default());
    let facts = facts(&stand_in, igniter(json!({})));
    assert_eq!(facts["title"], "Feature/igniter");
    let description = facts["description"].as_str().expect("a text");
    assert!(
        description.starts_with(
            "* Open the valve when the pump stops\n* Move the pad to launch\n* Add the igniter\n"
        ),
        "{description}"
    );
    // By a condition on the target; who creates it is no reviewer.
    assert_eq!(
        names(&facts["reviewers"]),
        ["idris.vale", "mira.solano", "petra.quill"]
    );
}

#[test]
fn that_it_merges_is_said_where_it_must_and_that_it_conflicts_where_bitbucket_says_so() {
    let stand_in = StandIn::start(Options::default());
    // The fork's main has nothing that this branch has not.
    let ahead = steam(json!({
        "project": "~idris.vale", "source_repo": "ACME/rocket", "source_branch": "feature/kinds",
    }));
    assert_eq!(facts(&stand_in, ahead)["merges"], "clean");
    let conflict = json!({"ourChange": {"type": "MODIFY"}});
    let changes = format!("{API}/compare/changes");
    let effect = Effect::replace("/values/0/conflict", conflict);
    stand_in.fault(Fault::on("GET", &changes, effect));
    assert_eq!(facts(&stand_in, steam(json!({})))["merges"], "conflicts");
}

#[test]
fn what_the_model_drafts_stands_there_and_whom_nobody_knows_is_marked() {
    let stand_in = StandIn::start(Options::default());
    let drafted = steam(json!({
        "title": "Steam", "description": "*All* of it.", "draft": true,
        "reviewers": ["tomas.lindqvist", "nobody.here"],
    }));
    let mut bb = rendering(&stand_in);
    let view = drawing(&mut bb, "show", drafted);
    let facts = &view["facts"];
    assert_eq!(
        (&facts["title"], &facts["draft"]),
        (&json!("Steam"), &json!(true))
    );
    assert_eq!(facts["description"], Value::Null, "it stands in the call");
    assert_eq!(view["show"]["description"], "*All* of it.");
    assert_eq!(facts["reviewers"][0]["display_name"], "Tomas Lindqvist");
    assert_eq!(facts["reviewers"][1]["unknown"], true);
    let nobody = drawing(&mut bb, "show", steam(json!({"reviewers": []})));
    assert_eq!(
        nobody["facts"]["reviewers"],
        json!([]),
        "nobody is somebody's choice too"
    );
}

#[test]
fn the_model_is_told_whom_bitbucket_would_not_take_for_a_reviewer() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let result = bb.call(
        "show",
        steam(json!({"reviewers": ["nobody.here", "Wren.Okafor", "tomas.lindqvist"]})),
    );
    let said = text(&result);
    for part in [
        "Nobody who may read it is called nobody.here.",
        "wren.okafor creates it and so cannot review it.",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let notes = &result["_meta"]["bb/view"]["facts"]["notes"];
    assert_eq!(
        notes,
        &json!(["wren.okafor creates it and so cannot review it."])
    );
}

#[test]
fn a_source_in_another_repository_is_named_and_leads_to_bitbuckets_form_of_both() {
    let stand_in = StandIn::start(Options::default());
    let result = rendering(&stand_in).call("show", fork(json!({})));
    let said = text(&result);
    let named = "from red-nose of ~idris.vale/rocket to release/2.0 of ACME/rocket";
    assert!(said.contains(named), "{said}");
    let page = result["_meta"]["bb/view"]["facts"]["address"].to_string();
    assert!(
        page.contains("/users/idris.vale/repos/rocket/pull-requests?create=")
            && page.contains("&targetBranch=refs%2Fheads%2Frelease%2F2.0&targetRepoId="),
        "{page}"
    );
}

#[test]
fn a_forks_branch_is_compared_across_the_two_repositories() {
    let stand_in = StandIn::start(Options::default());
    let facts = facts(&stand_in, fork(json!({})));
    assert_eq!(
        facts["source"],
        json!({"branch": "red-nose", "repository": {"project": "~idris.vale", "repo": "rocket"}})
    );
    assert!(
        facts["commits"]["listed"]
            .to_string()
            .contains("Paint the nose red")
    );
    // The stand-in refuses a question that names other numbers than the two repositories'.
    assert_eq!(facts["notes"], json!([]));
    assert_eq!(
        names(&facts["reviewers"]),
        ["idris.vale", "mira.solano", "petra.quill"]
    );
    assert_eq!(writes(&stand_in), 0);
}

#[test]
fn what_bitbucket_would_refuse_cannot_be_submitted_and_says_why() {
    let stand_in = StandIn::start(Options::default());
    for (arguments, stop) in [
        (
            steam(json!({"source_branch": "feature/igniter"})),
            "Pull request #42 is open between the two already, and Bitbucket allows one.",
        ),
        (
            steam(json!({"source_branch": "main"})),
            "Source and target are the same branch.",
        ),
        (
            steam(json!({"source_branch": "main", "target_branch": "feature/kinds"})),
            "There is nothing to merge: feature/kinds has every commit of main.",
        ),
        (
            steam(json!({"source_repo": "FLEET/fleet", "source_branch": "main"})),
            "FLEET/fleet is no fork of ACME/rocket, nor of one family with it: Bitbucket merges among forks alone.",
        ),
        (
            steam(json!({"repo": "old-gantry", "source_branch": "x"})),
            "ACME/old-gantry is archived: nothing can be merged into it.",
        ),
    ] {
        let facts = facts(&stand_in, arguments.clone());
        assert_eq!(facts["stop"], stop, "{arguments}");
        assert_eq!(
            facts["open"]["id"].as_u64(),
            stop.contains("#42").then_some(42)
        );
    }
    let open = facts(
        &stand_in,
        steam(json!({"source_branch": "red-nose", "source_project": "~idris.vale"})),
    );
    assert_eq!(open["open"]["id"], 45, "of a fork too");
    let page = open["open"]["address"].as_str().expect("a page");
    assert!(
        page.ends_with("/projects/ACME/repos/rocket/pull-requests/45"),
        "{page}"
    );
}

#[test]
fn a_part_that_cannot_be_read_is_said_in_its_place() {
    let stand_in = StandIn::start(Options::default());
    for path in ["compare/commits", "compare/changes", "pull-requests"] {
        stand_in.fault(Fault::on(
            "GET",
            &format!("{API}/{path}"),
            Effect::status(500),
        ));
    }
    let reviewers = "/rest/default-reviewers/latest/projects/ACME/repos/rocket/reviewers";
    stand_in.fault(Fault::on("GET", reviewers, Effect::status(403)));
    let facts = facts(&stand_in, steam(json!({"title": "T"})));
    assert_eq!(
        (&facts["title"], &facts["stop"]),
        (&json!("T"), &Value::Null)
    );
    for part in ["commits", "files"] {
        let said = facts[part]["unread"].as_str().expect("a sentence");
        assert!(said.contains("Bitbucket answered 500"), "{said}");
    }
    assert_eq!(facts["notes"].as_array().map(Vec::len), Some(2), "{facts}");
    assert_eq!(facts["reviewers"], json!([]));

    let nowhere = StandIn::start(Options::default());
    let mut bb = rendering(&nowhere);
    let result = bb.call("show", steam(json!({"repo": "nowhere"})));
    assert_eq!(result["isError"], true, "{result}");
    let unknown = bb.call(
        "show",
        json!({"kind": "create_pull_request", "repo": "ACME/rocket", "source_branch": "nope"}),
    );
    let stop = "Bitbucket does not find nope or main: check the names of the branches.";
    assert_eq!(unknown["_meta"]["bb/view"]["facts"]["stop"], json!(stop));
    assert!(text(&unknown).contains(stop), "{unknown}");
    let missing = bb.call(
        "show",
        json!({"kind": "create_pull_request", "repo": "ACME/rocket"}),
    );
    assert!(
        text(&missing).contains("`source_branch` is missing"),
        "{missing}"
    );
}

#[test]
fn an_older_bitbucket_has_no_drafts() {
    let stand_in = StandIn::start(Options {
        version: "8.9.14".to_owned(),
        ..Options::default()
    });
    assert_eq!(
        facts(&stand_in, steam(json!({"draft": true})))["draft"],
        Value::Null
    );
}

#[test]
fn a_form_has_one_fingerprint_and_a_long_draft_fits() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for arguments in [
        steam(json!({})),
        igniter(json!({})),
        fork(json!({"reviewers": ["x"]})),
    ] {
        let first = drawing(&mut bb, "show", arguments);
        assert_eq!(
            refreshed(&mut bb, &first)["unchanged"],
            true,
            "{}",
            first["show"]
        );
    }
    let names: Vec<String> = (0..100)
        .map(|at| format!("{at:03}{}", "n".repeat(100)))
        .collect();
    drawing(
        &mut bb,
        "show",
        steam(json!({"description": "é\n".repeat(16_000), "reviewers": names})),
    );
    let hostile = bb.call(
        "show",
        steam(json!({"description": "\u{1}".repeat(30_000)})),
    );
    assert!(
        text(&hostile).contains("shorten the description"),
        "{}",
        text(&hostile)
    );
}

/// What is suggested, in at most two requests once the form was read.
#[track_caller]
#[test]
fn the_form_is_offered_while_a_pull_request_can_be_created() {
    let stand_in = StandIn::start(Options::default());
    for arguments in [
        ["--exclude", "create_pull_request"],
        ["--tools", "get_pull_request"],
    ] {
        let mut bb = rendering_with(&stand_in, &arguments);
        let result = bb.call("show", steam(json!({})));
        assert!(
            text(&result).contains("`kind` is \"create_pull_request\""),
            "{result}"
        );
    }
    let mut without = rendering_with(&stand_in, &["--exclude", "suggest_form_values"]);
    assert_eq!(
        drawing(&mut without, "show", steam(json!({})))["facts"]["suggests"],
        false
    );
    let answer = without.ask(
        "tools/call",
        json!({"name": "suggest_form_values", "arguments": {}}),
    );
    let said = answer["error"]["message"].as_str().expect("an error");
    assert!(said.contains("--exclude withholds it"), "{said}");
}
