//! A scope over the real binary: what lies outside it is refused before anything is asked.

use crate::support::{Bb, command, text};
use bb::catalog::TOOLS;
use serde_json::{Map, Value, json};
use standin::{Effect, Fault, Options, StandIn};

fn within(stand_in: &StandIn, flags: &str) -> Bb {
    Bb::with_args(stand_in, &flags.split_whitespace().collect::<Vec<_>>())
}

fn is_refused(said: &str) -> bool {
    said.contains("out of scope") || said.contains("it reads across all")
}

/// The repositories that a search found.
fn places(found: &Value) -> Vec<&str> {
    found["repositories"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["repository"].as_str())
        .collect()
}

#[test]
fn no_tool_of_the_catalogue_leaves_the_scope() {
    let stand_in = StandIn::start(Options::default());
    // One project, so that what a call leaves out is filled in; nothing of the examples lies in it.
    for flags in [
        "--project ZZZ",
        "--repo ZZZ/zzz",
        "--project ZZZ --repo YYY/yyy",
    ] {
        let mut bb = within(&stand_in, flags);
        for tool in TOOLS {
            let example: Map<String, Value> = serde_json::from_str(tool.example).expect("one");
            let answer = bb.ask(
                "tools/call",
                json!({"name": tool.name, "arguments": example}),
            );
            let sent = stand_in.log();
            let is_withheld = answer["error"]["message"]
                .as_str()
                .is_some_and(|why| why.contains("withholds it"));
            let is_refused =
                answer["result"]["isError"] == true && is_refused(text(&answer["result"]));
            // A search that names no place looks only where it may.
            let is_narrowed = example.get("project").is_none()
                && sent.iter().all(|request| request.path.contains("ZZZ"));
            assert!(
                (sent.is_empty() && (is_withheld || is_refused)) || is_narrowed,
                "{flags}: {} answered {answer} after {sent:?}",
                tool.name
            );
            stand_in.clear_log();
        }
    }
}

#[test]
fn a_refusal_names_what_was_asked_and_what_is_within_reach() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = within(&stand_in, "--repo ACME/rocket --project FLEET");
    let address = format!("{}/projects/HQ/repos/x/pull-requests/7", stand_in.url());
    for (arguments, asked) in [
        (json!({"project": "HQ", "repo": "x", "id": 1}), "HQ/x"),
        (json!({"repo": "acme/boosters", "id": 1}), "ACME/boosters"),
        (json!({"id": address}), "HQ/x"),
    ] {
        assert_eq!(
            bb.failure("get_pull_request", arguments),
            format!(
                "get_pull_request was not called: {asked} is out of scope; bb was started for FLEET, ACME/rocket \
                 alone (--project, --repo or BB_SCOPE)"
            )
        );
    }
    assert_eq!(stand_in.log().len(), 0);
}

#[test]
fn what_lies_within_is_reached_and_may_be_left_out() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = within(&stand_in, "--repo acme/ROCKET");
    assert_eq!(bb.value("get_pull_request", json!({"id": 42}))["id"], 42);
    // Without a repository it would list the person's own, wherever they are.
    let listed = bb.value("list_pull_requests", json!({}));
    assert!(
        listed["pull_requests"][0].get("repository").is_none(),
        "{listed}"
    );
    let token = stand_in.token();
    let mut bb = Bb::start(
        &[],
        &[
            ("BITBUCKET_URL", stand_in.url()),
            ("BITBUCKET_TOKEN", &token),
            ("BB_SCOPE", "acme"),
        ],
    );
    assert_eq!(
        bb.value("get_pull_request", json!({"repo": "rocket", "id": 42}))["id"],
        42
    );
    let found = bb.value("search_repositories", json!({}));
    let places = places(&found);
    assert!(
        places.len() > 1 && places.iter().all(|place| place.starts_with("ACME/")),
        "{places:?}"
    );
    assert!(is_refused(&bb.failure("list_pull_requests", json!({}))));
}

#[test]
fn repositories_of_a_project_are_its_own_whatever_the_version_of_bitbucket() {
    for version in ["7.21.0", "9.4.0"] {
        let stand_in = StandIn::start(Options {
            version: version.to_owned(),
            ..Options::default()
        });
        for (flags, arguments) in [
            ("--project ACME", json!({})),
            ("--project ACME", json!({"name": "ROCK"})),
            ("", json!({"project": "acme"})),
            ("", json!({"project": "ACME", "name": "rock", "limit": 1})),
        ] {
            let found = within(&stand_in, flags).value("search_repositories", arguments.clone());
            let places = places(&found);
            let is_wanted = |place: &&str| {
                place.starts_with("ACME/")
                    && (arguments["name"].is_null() || place.contains("rocket"))
            };
            assert!(
                !places.is_empty() && places.iter().all(is_wanted),
                "{version} {flags} {arguments}: {found}"
            );
            assert_eq!(found["total"], places.len(), "{version}: {found}");
        }
    }
    let stand_in = StandIn::start(Options::default());
    let said = within(&stand_in, "").failure("search_repositories", json!({"project": "NOWHERE"}));
    assert!(
        said.contains("cannot list the repositories of NOWHERE"),
        "{said}"
    );
    within(&stand_in, "--project ACME").value("search_repositories", json!({"name": "rocket"}));
    let log = stand_in.log();
    let elsewhere = |path: &str| path.starts_with("/rest/api/latest/repos");
    assert!(log.iter().all(|sent| !elsewhere(&sent.path)), "{log:?}");
}

#[test]
fn builds_of_a_commit_are_told_only_where_the_commit_is_within_reach() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = within(&stand_in, "--repo FLEET/fleet");
    let elsewhere = stand_in.commit("igniter-3");
    let said = bb.failure("get_build_status", json!({"commit_id": elsewhere}));
    assert!(said.contains("of FLEET/fleet"), "{said}");
    let log = stand_in.log();
    assert!(
        log.iter().all(|sent| !sent.path.contains("build-status")),
        "{log:?}"
    );
    let mut bb = within(&stand_in, "--repo ACME/rocket");
    let found = bb.value("get_build_status", json!({"commit_id": elsewhere}));
    assert!(
        found["builds"]
            .as_array()
            .is_some_and(|builds| !builds.is_empty())
    );
}

#[test]
fn a_merge_deletes_no_branch_of_a_fork_that_is_out_of_scope() {
    let stand_in = StandIn::start(Options::default());
    let arguments = json!({"repo": "ACME/rocket", "id": 45, "delete_source_branch": true});
    let mut bb = within(&stand_in, "--repo ACME/rocket --no-confirm");
    let said = bb.failure("merge_pull_request", arguments.clone());
    assert!(
        said.contains("a branch of ~idris.vale/rocket, which is out of the scope"),
        "{said}"
    );
    assert!(stand_in.log().iter().all(|sent| sent.method == "GET"));
    // Bitbucket names no repository that this user may not see, and its key is no more than a part of its place.
    for hidden in ["/fromRef/repository", "/fromRef/repository/project/key"] {
        let path = "*/rocket/pull-requests/45";
        let hiding = Fault::on("GET", path, Effect::remove(hidden)).times(1);
        stand_in.fault(hiding);
        let said = bb.failure("merge_pull_request", arguments.clone());
        assert!(
            said.contains(
                "a repository that Bitbucket does not name, which may be out of the scope"
            ),
            "{said}"
        );
    }
    assert!(stand_in.log().iter().all(|sent| sent.method == "GET"));
    let mut bb = within(
        &stand_in,
        "--project ~Idris.Vale --project ACME --no-confirm",
    );
    let said = bb.call("merge_pull_request", arguments).to_string();
    assert!(!said.contains("out of the scope"), "{said}");
}

#[test]
fn the_catalogue_says_which_tool_a_scope_withholds() {
    let out = command(
        &["ai", "mcp", "tools", "--json", "--repo", "ACME/rocket"],
        &[],
    )
    .output()
    .expect("bb runs");
    let tools: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    for tool in tools.as_array().expect("a list") {
        let by = match tool["name"].as_str() {
            Some("search_repositories") => json!("--repo"),
            _ => Value::Null,
        };
        assert_eq!(tool["withheld_by"], by, "{}", tool["name"]);
        assert_eq!(tool["exposed"], by.is_null());
    }
}
