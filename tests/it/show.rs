//! `show` and `refresh_view` (contract 4; R1 to R10, R21 to R24, R29, R34, R37, R40), over the real binary.

use crate::support::{Bb, modern, text};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn, Step};
use std::time::Duration;

const ROCKET: &str = "ACME/rocket";

/// A client that renders views, as the legacy handshake says it.
fn rendering(stand_in: &StandIn) -> Bb {
    rendering_with(stand_in, &[])
}

fn rendering_with(stand_in: &StandIn, arguments: &[&str]) -> Bb {
    let mut bb = Bb::with_args(stand_in, arguments);
    bb.ask(
        "initialize",
        json!({
            "protocolVersion": "2025-11-25",
            "clientInfo": {"name": "test", "version": "1"},
            "capabilities": {"extensions": {
                "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]},
            }},
        }),
    );
    bb
}

fn call(id: u64) -> Value {
    json!({"kind": "pull_request", "project": "ACME", "repo": "rocket", "id": id})
}

/// What `show` puts on screen.
#[track_caller]
fn shown(bb: &mut Bb, id: u64) -> Value {
    drawing(bb, "show", call(id))
}

#[track_caller]
fn drawing(bb: &mut Bb, tool: &str, arguments: Value) -> Value {
    let result = bb.call(tool, arguments);
    assert_ne!(result["isError"], true, "{result}\n{}", bb.story());
    let chars = result.to_string().chars().count();
    assert!(chars <= 140_000, "a result of {chars} characters");
    let said = text(&result).chars().count();
    assert!(said <= 600, "a text of {said} characters");
    result["_meta"]["bb/view"].clone()
}

/// What a view that holds `held` is told.
#[track_caller]
fn refreshed(bb: &mut Bb, held: &Value) -> Value {
    let fingerprint = &held["fingerprint"];
    drawing(
        bb,
        "refresh_view",
        json!({"show": held["show"], "fingerprint": fingerprint}),
    )
}

fn requests(stand_in: &StandIn) -> Vec<String> {
    let log = stand_in.log();
    log.into_iter().map(|one| one.path).collect()
}

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
    assert_eq!(view["offers"]["kinds"], json!(["pull_request"]));
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
fn a_state_has_one_fingerprint_and_a_poll_of_it_is_short() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let first = shown(&mut bb, 42);
    let second = shown(&mut bb, 42);
    assert_eq!(first["fingerprint"], second["fingerprint"]);
    assert_eq!(first["facts"], second["facts"]);

    let arguments = json!({"show": first["show"], "fingerprint": first["fingerprint"]});
    let meta = modern(json!({"extensions": {"io.modelcontextprotocol/ui": {}}}));
    let answer = bb.ask(
        "tools/call",
        json!({"name": "refresh_view", "arguments": arguments, "_meta": meta}),
    );
    let result = &answer["result"];
    assert_eq!(result["_meta"]["bb/view"]["unchanged"], true, "{answer}");
    assert_eq!(result["_meta"]["bb/view"]["motion"], "moving");
    assert_eq!(result["resultType"], "complete");
    let bytes = result.to_string().len();
    assert!(bytes <= 300, "{bytes} bytes: {result}");

    let whole = drawing(&mut bb, "refresh_view", json!({"show": first["show"]}));
    assert_eq!(whole["facts"], first["facts"]);
}

#[test]
fn whatever_changes_in_bitbucket_changes_the_fingerprint() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let mut held = shown(&mut bb, 42);
    let steps = [
        Step::Review {
            repository: ROCKET.to_owned(),
            id: 42,
            user: "tomas.lindqvist".to_owned(),
            status: "APPROVED".to_owned(),
        },
        Step::Task {
            repository: ROCKET.to_owned(),
            id: 42,
            comment: 405,
            user: "wren.okafor".to_owned(),
            state: "RESOLVED".to_owned(),
        },
        Step::Build {
            repository: ROCKET.to_owned(),
            commit: stand_in.commit("igniter-3"),
            fields: json!({"key": "lint-77", "parent": "ci/lint", "state": "SUCCESSFUL", "url": "https://ci.example.com/lint/77"}),
        },
        Step::Push {
            repository: ROCKET.to_owned(),
            branch: "refs/heads/feature/igniter".to_owned(),
            user: "wren.okafor".to_owned(),
            message: "Try again".to_owned(),
            files: vec![("again.md".to_owned(), Some("again\n".to_owned()))],
        },
        Step::Decline {
            repository: ROCKET.to_owned(),
            id: 42,
            user: "wren.okafor".to_owned(),
        },
    ];
    for step in steps {
        let what = format!("{step:?}");
        stand_in.step(step);
        let now = refreshed(&mut bb, &held);
        assert_ne!(now["fingerprint"], held["fingerprint"], "{what}");
        assert_eq!(refreshed(&mut bb, &now)["unchanged"], true, "{what}");
        held = now;
    }
    assert_eq!(held["facts"]["state"], "DECLINED");
    assert_eq!(held["facts"]["merge_checks"], Value::Null);
    assert_eq!(held["motion"], "still");
}

#[test]
fn a_view_asks_for_the_merge_check_once_a_minute() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let held = shown(&mut bb, 54);
    for _ in 0..3 {
        assert_eq!(refreshed(&mut bb, &held)["unchanged"], true);
    }
    let is_check = |path: &&String| path.ends_with("/pull-requests/54/merge");
    assert_eq!(requests(&stand_in).iter().filter(is_check).count(), 1);
    shown(&mut bb, 54);
    assert_eq!(requests(&stand_in).iter().filter(is_check).count(), 2);
}

#[test]
fn motion_says_how_soon_asking_again_is_worth_it() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for (id, motion) in [
        (42, "moving"),
        (54, "quiet"),
        (55, "moving"),
        (41, "still"),
        (39, "still"),
        (43, "quiet"),
    ] {
        assert_eq!(shown(&mut bb, id)["motion"], motion, "{id}");
    }
    // Nothing builds any more, and it still waits to merge itself.
    stand_in.step(Step::Build {
        repository: ROCKET.to_owned(),
        commit: stand_in.commit("queued-1"),
        fields: json!({"key": "build-321", "parent": "ci/build", "state": "FAILED", "url": "https://ci.example.com/"}),
    });
    let waits = shown(&mut bb, 55);
    assert_eq!(waits["facts"]["merge_checks"]["auto_merge"], true);
    assert_eq!(waits["motion"], "moving");
}

#[test]
fn every_pull_request_of_the_world_fits_and_has_one_fingerprint() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    for id in 39..=55 {
        let one = shown(&mut bb, id);
        assert_eq!(one["facts"]["id"], id);
        let again = refreshed(&mut bb, &one);
        assert_eq!(again["unchanged"], true, "{id}: {}", one["facts"]);
    }
    let asked_all = shown(&mut bb, 47);
    assert_eq!(asked_all["facts"]["reviewers"]["count"]["n"], 60);
    let long = shown(&mut bb, 48);
    let cut = &long["facts"]["description"]["cut"];
    assert!(cut["shown"].as_u64() < cut["total"].as_u64(), "{cut}");
    let machines = shown(&mut bb, 49);
    assert_eq!(
        machines["facts"]["builds"]["count"],
        json!({"n": 200, "exact": true})
    );
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
fn what_cannot_be_read_at_all_is_said_and_when_to_try_again() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let said = bb.failure("show", call(9_999));
    assert!(
        said.starts_with("cannot read pull request 9999 of ACME/rocket"),
        "{said}"
    );
    let held = shown(&mut bb, 54);
    stand_in.fault(Fault::on("GET", "*", Effect::rate_limited(Some("30"))));
    let result = bb.call(
        "refresh_view",
        json!({"show": held["show"], "fingerprint": held["fingerprint"]}),
    );
    assert_eq!(result["isError"], true);
    assert_eq!(
        result["_meta"]["bb/view"],
        json!({"format": 1, "retry_after_ms": 30_000})
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
    assert_eq!(asked, 4);
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
    // What stalls is answered late, and is there for the next drawing.
    stand_in.clear_faults();
    stand_in.release();
    let all_came = |log: &[standin::Logged]| {
        let pictures = log.iter().filter(|one| one.path.contains("/avatar.png"));
        pictures.filter(|one| one.status == Some(200)).count() == 4
    };
    assert!(stand_in.wait_for(all_came, Duration::from_secs(30)));
    let with = shown(&mut bb, 42);
    assert_eq!(with["fingerprint"], without["fingerprint"]);
    assert_eq!(
        with["dressing"]["avatars"].as_object().map(|all| all.len()),
        Some(4)
    );
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
            "`x` is unknown: accepted are project, repo, id",
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

/// The tools that `tools/list` has.
#[track_caller]
fn listed(arguments: &[&str]) -> Vec<Value> {
    let variables = [
        ("BITBUCKET_URL", crate::support::NOWHERE),
        ("BITBUCKET_TOKEN", "nobody"),
    ];
    let mut bb = Bb::start(arguments, &variables);
    let answer = bb.ask("tools/list", json!({}));
    answer["result"]["tools"]
        .as_array()
        .expect("a list")
        .clone()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect()
}

#[test]
fn show_alone_has_a_page_and_no_data_tool_has_any_sign_of_one() {
    for tool in listed(&[]) {
        let meta = tool.get("_meta");
        match tool["name"].as_str() {
            Some("show") => assert_eq!(
                tool["_meta"],
                json!({
                    "ui": {"resourceUri": "ui://bb/view", "visibility": ["model"]},
                    "ui/resourceUri": "ui://bb/view",
                })
            ),
            Some("refresh_view") => {
                assert_eq!(tool["_meta"], json!({"ui": {"visibility": ["app"]}}));
                let about = tool["description"].as_str().expect("a text");
                assert!(about.starts_with("For views alone"), "{about}");
            }
            _ => assert_eq!(meta, None, "{tool}"),
        }
    }
}

#[test]
fn a_kind_is_offered_while_the_tool_is_whose_answer_it_shows() {
    for (arguments, offered) in [
        (vec![], vec!["show", "refresh_view"]),
        (
            vec!["--tools", "get_pull_request"],
            vec!["show", "refresh_view"],
        ),
        (
            vec!["--tools", "pull-requests"],
            vec!["show", "refresh_view"],
        ),
        (vec!["--read-only"], vec!["show", "refresh_view"]),
        (vec!["--tools", "search_repositories"], vec![]),
        (vec!["--exclude", "get_pull_request"], vec![]),
        (vec!["--exclude", "show"], vec![]),
        (vec!["--exclude", "refresh_view"], vec!["show"]),
    ] {
        let tools = listed(&arguments);
        let of_views: Vec<&str> = names(&tools)
            .into_iter()
            .filter(|name| ["show", "refresh_view"].contains(name))
            .collect();
        assert_eq!(of_views, offered, "{arguments:?}");
        if let Some(show) = tools.iter().find(|tool| tool["name"] == "show") {
            assert_eq!(
                show["inputSchema"]["properties"]["kind"]["enum"],
                json!(["pull_request"])
            );
        }
    }
}

#[test]
fn a_tool_of_views_that_is_withheld_cannot_be_called() {
    let stand_in = StandIn::start(Options::default());
    for (arguments, tool, by) in [
        (["--exclude", "show"], "show", "--exclude withholds it"),
        (
            ["--exclude", "show"],
            "refresh_view",
            "--exclude withholds it",
        ),
        (
            ["--exclude", "refresh_view"],
            "refresh_view",
            "--exclude withholds it",
        ),
        (
            ["--tools", "search_repositories"],
            "show",
            "the lack of a tool whose answer it shows withholds it",
        ),
    ] {
        let mut bb = rendering_with(&stand_in, &arguments);
        let answer = bb.ask("tools/call", json!({"name": tool, "arguments": call(42)}));
        let said = answer["error"]["message"].as_str().expect("an error");
        assert_eq!(said, format!("`{tool}` is not offered here: {by}"));
    }
    assert_eq!(requests(&stand_in), Vec::<String>::new());
}

#[test]
fn the_page_is_read_whole_is_for_everyone_and_stands_in_no_list() {
    let mut bb = Bb::alone();
    let meta = modern(json!({}));
    let answer = bb.ask(
        "resources/read",
        json!({"uri": "ui://bb/view", "_meta": meta}),
    );
    let contents = &answer["result"]["contents"][0];
    assert_eq!(contents["uri"], "ui://bb/view");
    assert_eq!(contents["mimeType"], "text/html;profile=mcp-app");
    assert_eq!(contents["_meta"], json!({"ui": {"prefersBorder": true}}));
    assert_eq!(contents["text"], bb::page::document());
    assert_eq!(answer["result"]["cacheScope"], "public");
    let list = bb.ask("resources/list", json!({}));
    assert_eq!(list["result"]["resources"], json!([]));
    let other = bb.ask("resources/read", json!({"uri": "ui://bb/other"}));
    assert!(other.get("error").is_some(), "{other}");
}

#[test]
fn the_instructions_say_whom_show_is_for_while_it_is_offered() {
    for (arguments, is_said) in [(vec![], true), (vec!["--exclude", "show"], false)] {
        let variables = [
            ("BITBUCKET_URL", crate::support::NOWHERE),
            ("BITBUCKET_TOKEN", "nobody"),
        ];
        let mut bb = Bb::start(&arguments, &variables);
        let answer = bb.ask(
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": {}}),
        );
        let said = answer["result"]["instructions"].as_str().expect("a text");
        assert!(
            said.chars().count() < 1_200,
            "{} characters",
            said.chars().count()
        );
        assert_eq!(said.contains("`show` is for the person"), is_said, "{said}");
    }
}

#[test]
fn the_list_of_tools_stays_within_its_bounds() {
    for (arguments, most) in [(vec![], 28_000), (vec!["--tools", "pull-requests"], 15_000)] {
        let bytes = json!(listed(&arguments)).to_string().len();
        assert!(bytes <= most, "{bytes} bytes of {most} for {arguments:?}");
    }
}
