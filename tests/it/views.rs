//! What is offered of views, and to whom (contract 4.1, 4.4; R2 to R4, R12, R40).

use crate::support::views::{call, rendering_with, requests};
use crate::support::{Bb, NOWHERE, modern};
use serde_json::{Value, json};
use standin::{Options, StandIn};

/// The tools that `tools/list` has.
#[track_caller]
fn listed(arguments: &[&str]) -> Vec<Value> {
    let variables = [("BITBUCKET_URL", NOWHERE), ("BITBUCKET_TOKEN", "nobody")];
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
            Some("refresh_view" | "suggest_form_values") => {
                assert_eq!(tool["_meta"], json!({"ui": {"visibility": ["app"]}}));
                let about = tool["description"].as_str().expect("a text");
                assert!(about.starts_with("For views alone"), "{about}");
            }
            _ => assert_eq!(meta, None, "{tool}"),
        }
    }
}

#[test]
fn a_kind_is_offered_while_a_tool_is_whose_answer_it_shows() {
    let all = [
        "pull_request",
        "pull_requests",
        "diff",
        "commits",
        "builds",
        "create_pull_request",
    ];
    for (arguments, kinds) in [
        (vec![], &all[..]),
        (vec!["--tools", "get_pull_request"], &["pull_request"]),
        (vec!["--tools", "get_pr_diff"], &["diff"]),
        (vec!["--tools", "compare_refs"], &["diff"]),
        (vec!["--tools", "get_commit"], &["diff"]),
        (vec!["--tools", "list_pull_requests"], &["pull_requests"]),
        (vec!["--tools", "list_commits"], &["commits"]),
        (vec!["--tools", "get_build_status"], &["builds"]),
        (
            vec!["--tools", "create_pull_request"],
            &["create_pull_request"],
        ),
        (
            vec!["--tools", "pull-requests"],
            &[
                "pull_request",
                "pull_requests",
                "diff",
                "create_pull_request",
            ],
        ),
        (vec!["--tools", "commits"], &["diff", "commits"]),
        (vec!["--exclude", "create_pull_request"], &all[..5]),
        (vec!["--read-only"], &all[..5]),
        (vec!["--tools", "search_repositories"], &[]),
        (vec!["--exclude", "get_pull_request"], &all[1..]),
        (
            vec![
                "--exclude",
                "get_pull_request,get_pr_diff,compare_refs,get_commit,list_pull_requests,list_commits,get_build_status,create_pull_request",
            ],
            &[],
        ),
        (vec!["--exclude", "show"], &[]),
        (vec!["--exclude", "refresh_view"], &all),
    ] {
        let tools = listed(&arguments);
        let show = tools.iter().find(|tool| tool["name"] == "show");
        let offered = show.map_or(json!([]), |show| {
            show["inputSchema"]["properties"]["kind"]["enum"].clone()
        });
        assert_eq!(offered, json!(kinds), "{arguments:?}");
        let is_withheld = kinds.is_empty() || arguments == ["--exclude", "refresh_view"];
        let has_refresh = names(&tools).contains(&"refresh_view");
        assert_eq!(has_refresh, !is_withheld, "{arguments:?}");
        let has_suggest = names(&tools).contains(&"suggest_form_values");
        assert_eq!(
            has_suggest,
            show.is_some(),
            "it goes with show: {arguments:?}"
        );
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
        let variables = [("BITBUCKET_URL", NOWHERE), ("BITBUCKET_TOKEN", "nobody")];
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
        assert_eq!(said.contains("show its form only where"), is_said, "{said}");
    }
}

#[test]
fn the_instructions_say_nothing_that_is_untrue_of_what_is_offered() {
    let changes = "Reads and changes Bitbucket";
    let asks = "Where a tool asks the person first";
    let search = "call search_repositories";
    for (arguments, said_of) in [
        (&[][..], [true, true, true]),
        (&["--read-only"], [false, false, true]),
        (&["--no-confirm"], [true, false, true]),
        (&["--tools", "add_pr_comment"], [true, false, false]),
        (&["--tools", "merge_pull_request"], [true, true, false]),
        (&["--tools", "get_file"], [false, false, false]),
    ] {
        let variables = [("BITBUCKET_URL", NOWHERE), ("BITBUCKET_TOKEN", "nobody")];
        let mut bb = Bb::start(arguments, &variables);
        let answer = bb.ask(
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": {}}),
        );
        let said = answer["result"]["instructions"].as_str().expect("a text");
        let found = [changes, asks, search].map(|words| said.contains(words));
        assert_eq!(found, said_of, "{arguments:?}: {said}");
        assert!(said.starts_with("Reads "), "{said}");
        assert!(!said.contains("  "), "{said}");
    }
}

#[test]
fn the_list_of_tools_stays_within_its_bounds() {
    for (arguments, most) in [(vec![], 28_000), (vec!["--tools", "pull-requests"], 15_000)] {
        let bytes = json!(listed(&arguments)).to_string().len();
        assert!(bytes <= most, "{bytes} bytes of {most} for {arguments:?}");
    }
}
