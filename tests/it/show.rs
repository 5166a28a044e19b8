//! What `show` puts on screen (contract 4.3; R5, R6, R9, R13, R21 to R24), over the real binary.

use crate::support::views::{ROCKET, call, drawing, rendering, rendering_with, requests, shown};
use crate::support::{Bb, text};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn, Step};

#[test]
fn a_client_that_renders_nothing_is_told_so_and_nothing_is_asked_of_bitbucket() {
    let stand_in = StandIn::start(Options::default());
    let silent = Bb::with(&stand_in);
    let never = rendering_with(&stand_in, &["--views", "never"]);
    for mut bb in [silent, never] {
        for (tool, arguments) in [
            ("show", call(42)),
            ("show", json!({})),
            ("refresh_view", json!({"show": call(42)})),
            (
                "suggest_form_values",
                json!({"form": {}, "field": "reviewers"}),
            ),
        ] {
            let result = bb.call(tool, arguments);
            let said = text(&result);
            assert!(said.starts_with("Nothing was shown"), "{said}");
            assert!(result.get("_meta").is_none(), "{result}");
        }
    }
    assert_eq!(requests(&stand_in), Vec::<String>::new());
    let mut always = Bb::with_args(&stand_in, &["--views", "always"]);
    assert_eq!(shown(&mut always, 42)["facts"]["id"], 42);
}

#[test]
fn the_card_counts_and_lists_what_bitbuckets_page_does() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let result = bb.call("show", call(42));
    let said = text(&result);
    assert_eq!(
        said,
        "Put on the person's screen: pull request 42 of ACME/rocket \"Light the engine with a real igniter\", \
         open; 1 of 4 reviewers approved, 1 requested changes; 4 merge checks fail; 2 open tasks; 6 builds \
         (2 failed, 1 in progress, 1 cancelled, 1 unknown, 1 successful). If the person sees no view, answer in words."
    );
    let view = &result["_meta"]["bb/view"];
    assert_eq!(view["format"], 1);
    assert_eq!(view["show"], call(42));
    assert_eq!(view["motion"], "moving");
    assert_eq!(view["offers"]["kinds"][0], "pull_request");
    let facts = &view["facts"];
    let builds = &facts["builds"];
    assert_eq!(builds["of"], "pull_request");
    assert_eq!(builds["commit"], json!(stand_in.commit("igniter-3")));
    assert_eq!(builds["count"], json!({"n": 6, "exact": true}));
    assert_eq!(
        builds["states"],
        json!({"FAILED": 2, "INPROGRESS": 1, "CANCELLED": 1, "UNKNOWN": 1, "SUCCESSFUL": 1})
    );
    assert_eq!(
        builds["required"],
        json!([
            {"key": "ci/build", "met": true, "state": "SUCCESSFUL"},
            {"key": "ci/lint", "met": false, "state": "INPROGRESS"},
            {"key": "ci/test", "met": false, "state": "FAILED"},
        ])
    );
    let reviewers = facts["reviewers"]["listed"].as_array().expect("a list");
    let first = &reviewers[0];
    assert_eq!(first["person"]["name"], "idris.vale");
    assert_eq!(first["status"], "APPROVED");
    assert_eq!(first["reviewed_older"], true);
    assert_eq!(reviewers[1]["status"], "NEEDS_WORK");
    assert_eq!(facts["tasks"]["open"], json!({"n": 2, "exact": true}));
    assert_eq!(facts["tasks"]["listed"].as_array().map(Vec::len), Some(2));
    assert_eq!(facts["description"]["nodes"][0][0], "p");
}

#[test]
fn without_the_pages_listing_builds_are_of_the_commit_and_nothing_is_said_of_requirements() {
    let stand_in = StandIn::start(Options {
        ui_listing: false,
        ..Options::default()
    });
    let mut bb = rendering(&stand_in);
    let builds = shown(&mut bb, 42)["facts"]["builds"].clone();
    assert_eq!(builds["of"], "commit");
    assert_eq!(builds["required"], Value::Null);
    // One more than the page counts: it was made for another branch.
    assert_eq!(builds["count"], json!({"n": 7, "exact": true}));
    assert!(builds["listed"].to_string().contains("test-main"));
}

#[test]
fn where_bb_cannot_tell_the_card_says_nothing_of_requirements() {
    let conditions = "/rest/required-builds/latest/projects/ACME/repos/rocket/conditions";
    let listing = "/rest/ui/latest/projects/ACME/repos/rocket/pull-requests/42/builds";
    let matcher = "/values/0/refMatcher";
    let unknown = json!({"id": "x", "type": {"id": "SOMETHING_NEW"}});
    let braces = json!({"id": "m{a}in", "type": {"id": "PATTERN"}});
    let parents: Vec<(String, Option<Value>)> = (0..6)
        .map(|at| (format!("/page/values/{at}/parent"), None))
        .collect();
    let faults = [
        (
            "conditions that may not be read",
            Fault::on("GET", conditions, Effect::status(401)),
        ),
        (
            "conditions that break",
            Fault::on("GET", conditions, Effect::status(500)),
        ),
        (
            "a matcher that nobody knows",
            Fault::on("GET", conditions, Effect::replace(matcher, unknown)),
        ),
        (
            "braces",
            Fault::on("GET", conditions, Effect::replace(matcher, braces)),
        ),
        (
            "builds without parents",
            Fault::on("GET", listing, Effect::Patch(parents)),
        ),
        (
            "a listing of another commit",
            Fault::on(
                "GET",
                listing,
                Effect::replace("/pullRequest/fromRef/latestCommit", json!("0".repeat(40))),
            ),
        ),
        (
            "no branch model",
            Fault::on(
                "GET",
                "/rest/branch-utils/latest/projects/ACME/repos/rocket/branchmodel",
                Effect::status(403),
            ),
        ),
    ];
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for (what, fault) in faults {
        stand_in.fault(fault);
        let facts = shown(&mut bb, 42)["facts"].clone();
        assert_eq!(facts["builds"]["required"], Value::Null, "{what}");
        stand_in.clear_faults();
    }
    assert_ne!(
        shown(&mut bb, 42)["facts"]["builds"]["required"],
        Value::Null
    );
}

#[test]
fn the_branch_model_is_read_where_a_matcher_needs_it_alone() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let any = json!({"id": "ANY_REF_MATCHER_ID", "type": {"id": "ANY_REF"}});
    let category = json!({"id": "HOTFIX", "type": {"id": "MODEL_CATEGORY"}});
    for (exempt, is_read) in [(Value::Null, false), (category, true)] {
        stand_in.step(Step::Conditions {
            repository: ROCKET.to_owned(),
            conditions: vec![json!({
                "buildParentKeys": ["ci/lint"], "refMatcher": any, "exemptRefMatcher": exempt,
            })],
        });
        stand_in.clear_log();
        let required = shown(&mut bb, 42)["facts"]["builds"]["required"].clone();
        assert_eq!(required[0]["key"], "ci/lint");
        let asked = requests(&stand_in);
        let is_asked = asked.iter().any(|path| path.ends_with("/branchmodel"));
        assert_eq!(is_asked, is_read, "{asked:?}");
    }
}

#[test]
fn a_push_between_two_requests_is_read_once_more() {
    let stand_in = StandIn::start(Options::default());
    let listing = "/rest/ui/latest/projects/ACME/repos/rocket/pull-requests/42/builds";
    let moved = Effect::replace("/pullRequest/fromRef/latestCommit", json!("0".repeat(40)));
    stand_in.fault(Fault::on("GET", listing, moved).times(1));
    let mut bb = rendering(&stand_in);
    let facts = shown(&mut bb, 42)["facts"].clone();
    assert_ne!(facts["builds"]["required"], Value::Null);
    let asked = requests(&stand_in);
    let is_listing = |path: &&String| path.contains("/pull-requests/42/builds");
    assert_eq!(asked.iter().filter(is_listing).count(), 2);
}

#[test]
fn a_part_that_cannot_be_read_says_so_in_its_place() {
    let stand_in = StandIn::start(Options::default());
    let at = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42/merge";
    stand_in.fault(Fault::on("GET", at, Effect::status(403)));
    let mut bb = rendering(&stand_in);
    let facts = shown(&mut bb, 42)["facts"].clone();
    let unread = facts["merge_checks"]["unread"]
        .as_str()
        .expect("a sentence");
    assert!(
        unread.starts_with("Cannot read the merge checks of pull request 42"),
        "{unread}"
    );
    assert!(unread.ends_with('.') && !unread.ends_with(".."), "{unread}");
    assert_eq!(facts["builds"]["count"]["n"], 6);
}

#[test]
fn a_list_that_cannot_be_read_says_so_beside_its_count() {
    let stand_in = StandIn::start(Options {
        ui_listing: false,
        ..Options::default()
    });
    let builds = format!(
        "/rest/build-status/latest/commits/{}",
        stand_in.commit("igniter-3")
    );
    stand_in.fault(Fault::on("GET", &builds, Effect::status(500)));
    let tasks = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42/blocker-comments?*states=OPEN*";
    stand_in.fault(Fault::on("GET", tasks, Effect::status(500)));
    let mut bb = rendering(&stand_in);
    let facts = shown(&mut bb, 42)["facts"].clone();
    for (part, count, reason) in [
        (
            &facts["builds"],
            &facts["builds"]["count"],
            "Cannot list the builds of commit ",
        ),
        (
            &facts["tasks"],
            &facts["tasks"]["open"],
            "Cannot list the tasks of pull request 42",
        ),
    ] {
        assert_eq!(part["listed"], json!([]), "{part}");
        assert!(count["n"].as_u64() > Some(0), "{part}");
        let said = part["list_unread"].as_str().expect("a sentence");
        assert!(said.starts_with(reason), "{said}");
    }
    let call = json!({"kind": "builds", "repo": "ACME/rocket", "id": 42});
    let facts = drawing(&mut bb, "show", call)["facts"].clone();
    assert_eq!(facts["count"]["n"], 7);
    assert!(facts["list_unread"].is_string(), "{facts}");
    // Where there is nothing to list, nothing is missing.
    stand_in.fault(Fault::on(
        "GET",
        "/rest/build-status/latest/commits/*",
        Effect::status(500),
    ));
    stand_in.fault(Fault::on(
        "GET",
        "/rest/build-status/latest/commits/stats/*",
        Effect::Answer(br#"{"successful":0,"failed":0,"inProgress":0}"#.to_vec()),
    ));
    let none = shown(&mut bb, 42)["facts"]["builds"].clone();
    assert_eq!(
        (&none["count"]["n"], none.get("list_unread")),
        (&json!(0), None)
    );
}

#[test]
fn the_activity_is_below_the_card_and_goes_on_where_it_is_asked_to() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let activity = shown(&mut bb, 42)["facts"]["activity"].clone();
    assert_eq!(activity["count"], json!({"n": 24, "exact": true}));
    assert_eq!(activity["listed"].as_array().map(Vec::len), Some(24));
    let mut older = call(42);
    older["activity_start"] = json!(20);
    let view = drawing(&mut bb, "show", older.clone());
    assert_eq!(view["show"], older);
    let rest = &view["facts"]["activity"];
    assert_eq!(rest["start"], 20);
    assert_eq!(rest["count"]["exact"], false);
    let last = |activity: &Value| {
        activity["listed"]
            .as_array()
            .and_then(|all| all.last().cloned())
    };
    assert_eq!(last(rest), last(&activity));
    let at = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42/activities";
    stand_in.fault(Fault::on("GET", at, Effect::status(403)));
    let unread = shown(&mut bb, 42)["facts"]["activity"]["unread"].clone();
    let said = unread.as_str().expect("a sentence");
    assert!(
        said.starts_with("Cannot list the activity of pull request 42"),
        "{said}"
    );
}

#[test]
fn pictures_travel_with_the_result_from_bitbuckets_own_host_alone() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let view = shown(&mut bb, 42);
    let avatars = view["dressing"]["avatars"].as_object().expect("an object");
    let names: Vec<&str> = avatars.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "ci.bot",
            "idris.vale",
            "mira.solano",
            "tomas.lindqvist",
            "wren.okafor"
        ]
    );
    for picture in avatars.values() {
        assert_eq!(picture["type"], "image/png");
    }
    // Whose picture is elsewhere has none, and no request tells anybody of them.
    let somebody = |name: &str| {
        let listed = view["facts"]["reviewers"]["listed"]
            .as_array()
            .expect("a list");
        let found = listed.iter().find(|one| one["person"]["name"] == name);
        found.expect("a reviewer")["person"].clone()
    };
    assert_eq!(somebody("jane@example").get("avatar"), None);
    assert_eq!(somebody("mira.solano")["avatar"], "mira.solano");
    let is_picture = |path: &&String| path.contains("/avatar.png");
    let asked = requests(&stand_in).iter().filter(is_picture).count();
    // One of them has no picture, which is asked for once.
    assert_eq!(asked, 6);
    shown(&mut bb, 42);
    assert_eq!(requests(&stand_in).iter().filter(is_picture).count(), asked);
}

#[test]
fn a_picture_that_does_not_come_holds_up_nothing_and_changes_no_fingerprint() {
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("GET", "/users/*/avatar.png", Effect::Stall(None)));
    let mut bb = rendering(&stand_in);
    let without = shown(&mut bb, 42);
    assert_eq!(without["dressing"]["avatars"], json!({}));
    // What hangs is not asked for again at once: twelve more of them a drawing would leave no request a place.
    let asked = |log: &[standin::Logged]| {
        let pictures = log.iter().filter(|one| one.path.contains("/avatar.png"));
        pictures.count()
    };
    let again = shown(&mut bb, 42);
    assert_eq!(again["dressing"]["avatars"], json!({}));
    assert!(
        (1..=6).contains(&asked(&stand_in.log())),
        "{:?}",
        stand_in.log()
    );
    // Another process has them, where the machine is not too busy to get them in time.
    stand_in.clear_faults();
    stand_in.release();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let mut with = shown(&mut rendering(&stand_in), 42);
    while avatars(&with) < 5 && std::time::Instant::now() < until {
        with = shown(&mut rendering(&stand_in), 42);
    }
    assert_eq!(avatars(&with), 5);
    assert_eq!(with["fingerprint"], without["fingerprint"]);
}

fn avatars(view: &Value) -> usize {
    let all = view["dressing"]["avatars"].as_object();
    all.map_or(0, serde_json::Map::len)
}

#[test]
fn arguments_that_cannot_be_used_are_named_with_what_is_accepted_and_an_example() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let example = r#"{"kind":"pull_request","project":"ACME","repo":"rocket","id":42}"#;
    for (tool, arguments, said) in [
        (
            "show",
            json!({}),
            "`kind` is missing: it must be one of pull_request",
        ),
        (
            "show",
            json!({"kind": "pull_reqest"}),
            "`kind` is \"pull_reqest\": it must be one of pull_request",
        ),
        (
            "show",
            json!({"kind": 1}),
            "`kind` is not a text: it must be one of pull_request",
        ),
        (
            "show",
            json!({"kind": "pull_request", "project": "ACME", "repo": "rocket"}),
            "`id` is missing: it must be a pull request's number",
        ),
        (
            "show",
            json!({"kind": "pull_request", "project": "ACME", "repo": "rocket", "id": 1, "x": 1}),
            "`x` is unknown: accepted are project, repo, id, activity_start",
        ),
        (
            "refresh_view",
            json!({}),
            "`show` is missing: it must be the arguments of the `show` call",
        ),
        (
            "refresh_view",
            json!({"show": 1, "fingerprint": 2, "x": 3}),
            "`show` must be an object: the arguments of the `show` call; `fingerprint` must be a text: that of what the view draws; `x` is unknown: accepted are show, fingerprint",
        ),
    ] {
        let found = bb.failure(tool, arguments);
        assert!(
            found.starts_with(&format!("{tool} was not called: {said}")),
            "{found}"
        );
        assert!(found.contains(example), "{found}");
    }
    assert_eq!(requests(&stand_in), Vec::<String>::new());
}

#[test]
fn an_address_names_a_pull_request_to_show_as_to_any_tool() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let address = format!(
        "{}/projects/ACME/repos/rocket/pull-requests/54/overview",
        stand_in.url()
    );
    let view = drawing(
        &mut bb,
        "show",
        json!({"kind": "pull_request", "id": address}),
    );
    assert_eq!(view["show"], call(54));
}
