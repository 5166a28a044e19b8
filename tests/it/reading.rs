//! The first tools over the real pipe, against a stand-in that answers over HTTP.

use crate::support::{Bb, text};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn};
use std::collections::BTreeMap;

const P42: &str = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests/42";
const LIST: &str = "/rest/api/latest/projects/ACME/repos/rocket/pull-requests";
const BUILDS_42: &str = "/rest/ui/latest/projects/ACME/repos/rocket/pull-requests/42/builds";

fn started() -> (StandIn, Bb) {
    let stand_in = StandIn::start(Options::default());
    let bb = Bb::with(&stand_in);
    (stand_in, bb)
}

fn p42() -> Value {
    json!({"project": "ACME", "repo": "rocket", "id": 42})
}

#[test]
fn a_pull_request_is_told_with_all_that_stands_in_its_way() {
    let (stand_in, mut bb) = started();
    let one = bb.value("get_pull_request", p42());
    assert_eq!(one["title"], "Light the engine with a real igniter");
    assert_eq!(
        (&one["state"], &one["author"]),
        (&json!("OPEN"), &json!("wren.okafor (Wren Okafor)"))
    );
    assert_eq!(one["createdDate"], "2026-03-02T09:00:00Z");
    assert_eq!(one["fromRef"]["displayId"], "feature/igniter");
    assert_eq!(
        one["fromRef"]["latestCommit"].as_str().map(str::len),
        Some(40)
    );
    let statuses: Vec<&str> = one["reviewers"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|r| r["status"].as_str())
        .collect();
    assert_eq!(
        statuses,
        ["APPROVED", "NEEDS_WORK", "UNAPPROVED", "UNAPPROVED"]
    );
    assert_eq!(one["merge"]["canMerge"], false);
    let vetoes = one["merge"]["vetoes"].as_array().expect("vetoes");
    assert!(
        vetoes
            .iter()
            .any(|veto| veto["summaryMessage"] == "Code Insights report failed"),
        "{vetoes:?}"
    );
    assert_eq!(
        (&one["openTaskCount"], &one["resolvedTaskCount"]),
        (&json!(2), &json!(1))
    );
    assert!(
        one["builds"]["failed"]
            .as_u64()
            .is_some_and(|failed| failed > 0),
        "{}",
        one["builds"]
    );
    assert!(one["builds"].get("of").is_none());
    assert_eq!(
        one["url"],
        format!(
            "{}/projects/ACME/repos/rocket/pull-requests/42",
            stand_in.url()
        )
    );
    // Three requests answer it, and none is asked twice.
    assert_eq!(stand_in.log().len(), 3, "{:?}", stand_in.log());
    let said = one.to_string();
    assert!(!said.contains("null") && !said.contains("avatar"), "{said}");
}

#[test]
fn each_way_to_name_a_pull_request_leads_to_it() {
    let stand_in = StandIn::start(Options {
        context_path: "/bitbucket".to_owned(),
        ..Options::default()
    });
    let mut bb = Bb::with(&stand_in);
    let url = format!(
        "{}/projects/ACME/repos/rocket/pull-requests/42/overview",
        stand_in.url()
    );
    for arguments in [
        p42(),
        json!({"project": "acme", "repo": "rocket", "id": "42"}),
        json!({"repo": "ACME/rocket", "id": 42.0}),
        json!({"id": url}),
        json!({"project": "ACME", "id": url, "repo": null}),
    ] {
        assert_eq!(bb.value("get_pull_request", arguments)["id"], 42);
    }
    let personal = bb.value(
        "get_pull_request",
        json!({"project": "~WREN.OKAFOR", "repo": "notes", "id": 3}),
    );
    assert_eq!(
        personal["url"],
        format!(
            "{}/users/wren.okafor/repos/notes/pull-requests/3",
            stand_in.url()
        )
    );
    for (arguments, said) in [
        (
            json!({"id": "https://other.example.com/projects/ACME/repos/rocket/pull-requests/7"}),
            "another host",
        ),
        (
            json!({"id": url, "project": "FLEET"}),
            "`id` names another project than `project`",
        ),
        (
            json!({"repo": "ACME/rocket", "id": 0}),
            "`id` must be a pull request's number",
        ),
        (
            json!({"repo": "ACME/rocket", "id": -1}),
            "`id` must be a pull request's number",
        ),
        (
            json!({"repo": "ACME/rocket", "id": 1.5}),
            "`id` must be a pull request's number",
        ),
        (
            json!({"repo": "ACME/rocket", "id": "x"}),
            "`id` must be a pull request's number",
        ),
        (
            json!({"repo": "ACME/rocket", "id": true}),
            "`id` is true: it must be a pull request's number",
        ),
        (
            json!({"repo": "ACME/rocket", "id": 42, "ids": 1}),
            "`ids` is unknown: accepted are project, repo, id",
        ),
        (json!({"repo": "a/b/c", "id": 42}), "`repo`: "),
        (
            json!({"project": "..", "repo": "rocket", "id": 42}),
            "`project`: ",
        ),
        (json!({"project": "ACME", "repo": "..", "id": 42}), ""),
    ] {
        let failure = bb.failure("get_pull_request", arguments.clone());
        assert!(failure.contains(said), "{arguments}: {failure}");
    }
    let asked = stand_in
        .log()
        .iter()
        .filter(|one| !one.path.starts_with("/bitbucket/rest/"))
        .count();
    assert_eq!(asked, 0, "{:?}", stand_in.log());
}

#[test]
fn a_closed_pull_request_has_no_merge_check_and_a_part_that_cannot_be_read_says_so() {
    let (stand_in, mut bb) = started();
    let merged = bb.value("get_pull_request", json!({"repo": "ACME/rocket", "id": 41}));
    assert_eq!(
        (&merged["state"], merged.get("merge")),
        (&json!("MERGED"), None)
    );
    assert!(merged["closedDate"].is_string());
    let draft = bb.value("get_pull_request", json!({"repo": "ACME/rocket", "id": 43}));
    assert_eq!(draft["draft"], true);
    let conflicted = bb.value("get_pull_request", json!({"repo": "ACME/rocket", "id": 44}));
    assert_eq!(conflicted["merge"]["conflicted"], true);
    stand_in.fault(Fault::on(
        "GET",
        &format!("{P42}/merge"),
        Effect::status(500),
    ));
    let one = bb.value("get_pull_request", p42());
    let unread = one["merge"]["unread"].as_str().expect("said in its place");
    assert!(
        unread.starts_with("cannot read the merge checks of pull request 42 of ACME/rocket: "),
        "{unread}"
    );
    assert_eq!(one["title"], "Light the engine with a real igniter");
}

#[test]
fn without_the_listing_of_the_page_the_builds_are_the_commits() {
    let stand_in = StandIn::start(Options {
        ui_listing: false,
        ..Options::default()
    });
    let one = Bb::with(&stand_in).value("get_pull_request", p42());
    let of = one["builds"]["of"].as_str().expect("said what they are of");
    assert!(
        of.starts_with("commit ") && of.ends_with(", for any branch"),
        "{of}"
    );
    stand_in.clear_log();
    let stand_in = StandIn::start(Options::default());
    stand_in.fault(Fault::on("GET", BUILDS_42, Effect::SignInPage));
    let one = Bb::with(&stand_in).value("get_pull_request", p42());
    assert!(one["builds"]["of"].is_string(), "{}", one["builds"]);
}

#[test]
fn shapes_that_bitbucket_has_not_promised_are_tolerated() {
    let (stand_in, mut bb) = started();
    stand_in.fault(Fault::on(
        "GET",
        P42,
        Effect::Patch(vec![
            ("/state".to_owned(), Some(json!("QUEUED"))),
            ("/reviewers/0/status".to_owned(), Some(json!("PONDERING"))),
            ("/properties".to_owned(), None),
            ("/author".to_owned(), None),
            ("/links".to_owned(), Some(json!({"self": [null]}))),
            (
                "/updatedDate".to_owned(),
                Some(json!("2026-05-24T14:11:04.000Z")),
            ),
            ("/createdDate".to_owned(), Some(json!({"odd": true}))),
            ("/unheardOf".to_owned(), Some(json!([1, 2]))),
        ]),
    ));
    let one = bb.value("get_pull_request", p42());
    assert_eq!(
        (&one["state"], &one["reviewers"][0]["status"]),
        (&json!("QUEUED"), &json!("PONDERING"))
    );
    assert_eq!(
        (&one["updatedDate"], one.get("createdDate")),
        (&json!("2026-05-24T14:11:04Z"), None)
    );
    // Counts that the answer does not give are asked for.
    assert_eq!(
        (&one["openTaskCount"], &one["resolvedTaskCount"]),
        (&json!(2), &json!(1))
    );
    assert!(
        one["url"]
            .as_str()
            .is_some_and(|url| url.ends_with("/pull-requests/42"))
    );
    stand_in.clear_faults();
    stand_in.fault(Fault::on(
        "GET",
        P42,
        Effect::replace("/title", json!(["no", "text"])),
    ));
    let failure = bb.failure("get_pull_request", p42());
    assert!(
        failure.contains("`title`") && !failure.contains("invalid type"),
        "{failure}"
    );
    let iso = StandIn::start(Options {
        iso_dates: true,
        ..Options::default()
    });
    assert_eq!(
        Bb::with(&iso).value("get_pull_request", p42())["createdDate"],
        "2026-03-02T09:00:00Z"
    );
}

#[test]
fn hostile_text_is_shown_and_never_obeyed() {
    let (_stand_in, mut bb) = started();
    let one = bb.value("get_pull_request", json!({"repo": "ACME/rocket", "id": 50}));
    let said = one.to_string();
    assert!(
        said.contains("<script>") && said.contains("<U+202E>"),
        "{said}"
    );
    for hidden in ['\u{202E}', '\u{202C}', '\u{200B}', '\u{1B}', '\r'] {
        assert!(!said.contains(hidden), "{hidden:?} in {said}");
    }
}

#[test]
fn a_description_of_200_kb_is_cut_aloud() {
    let (_stand_in, mut bb) = started();
    let result = bb.call("get_pull_request", json!({"repo": "ACME/rocket", "id": 48}));
    let said = text(&result);
    assert!(said.chars().count() <= 60_000, "{}", said.len());
    let one: Value = serde_json::from_str(said).expect("JSON");
    assert!(
        one["cut"]
            .as_str()
            .is_some_and(|cut| cut.contains("is cut at that")),
        "{}",
        one["cut"]
    );
    assert!(one["url"].is_string());
    let many = bb.value("get_pull_request", json!({"repo": "ACME/rocket", "id": 47}));
    assert_eq!(many["reviewers"].as_array().map(Vec::len), Some(60));
}

#[test]
fn a_list_says_how_many_it_shows_and_how_to_go_on() {
    let (_stand_in, mut bb) = started();
    let mut seen = Vec::new();
    let mut start = json!(0);
    loop {
        let page = bb.value(
            "list_pull_requests",
            json!({"repo": "ACME/rocket", "state": "all", "limit": 5, "start": start}),
        );
        let entries = page["pull_requests"].as_array().expect("a list");
        assert_eq!(page["shown"], entries.len());
        assert!(entries.len() <= 5, "{page}");
        seen.extend(
            entries
                .iter()
                .map(|one| one["id"].as_u64().expect("a number")),
        );
        if page["more"] != true {
            assert!(page.get("next").is_none());
            break;
        }
        // Further on, the place is no count.
        let at_least = (start == 0).then_some(seen.len());
        assert_eq!(
            page.get("at_least").and_then(Value::as_u64),
            at_least.map(|n| n as u64)
        );
        start = page["next"].clone();
    }
    let whole = bb.value(
        "list_pull_requests",
        json!({"repo": "ACME/rocket", "state": "ALL", "limit": 100}),
    );
    let ids: Vec<u64> = whole["pull_requests"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["id"].as_u64())
        .collect();
    assert_eq!(
        (whole["total"].as_u64(), whole.get("more")),
        (Some(ids.len() as u64), None)
    );
    assert_eq!(seen, ids);
    let none = bb.value(
        "list_pull_requests",
        json!({"repo": "ACME/rocket", "source_branch": "main"}),
    );
    assert_eq!((&none["shown"], &none["total"]), (&json!(0), &json!(0)));
}

#[test]
fn low_caps_cost_pages_and_nothing_else() {
    let capped = StandIn::start(Options {
        caps: BTreeMap::from([("pull-requests".to_owned(), 3)]),
        ..Options::default()
    });
    let listed = |stand_in: &StandIn| {
        Bb::with(stand_in).value(
            "list_pull_requests",
            json!({"repo": "ACME/rocket", "limit": 12}),
        )
    };
    let plain = StandIn::start(Options::default());
    assert_eq!(
        listed(&capped)["pull_requests"],
        listed(&plain)["pull_requests"]
    );
    assert!(capped.log().len() >= 4, "{:?}", capped.log());
}

#[test]
fn each_filter_of_the_list_is_bitbuckets() {
    let (stand_in, mut bb) = started();
    let mut ids = |arguments: Value| -> Vec<u64> {
        let listed = bb.value("list_pull_requests", arguments);
        listed["pull_requests"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|one| one["id"].as_u64())
            .collect()
    };
    assert_eq!(
        ids(json!({"repo": "ACME/rocket", "state": "MERGED"})),
        [41, 40]
    );
    assert_eq!(
        ids(json!({"repo": "ACME/rocket", "state": "declined"})),
        [39]
    );
    assert_eq!(
        ids(json!({"repo": "ACME/rocket", "source_branch": "feature/igniter"})),
        [42]
    );
    assert_eq!(
        ids(
            json!({"repo": "ACME/rocket", "source_branch": "refs/heads/feature/igniter", "target_branch": "other"})
        ),
        [0; 0]
    );
    assert_eq!(
        ids(json!({"repo": "ACME/rocket", "source_branch": "red-nose"})),
        [45],
        "it comes from a fork"
    );
    assert_eq!(
        ids(json!({"repo": "ACME/rocket", "text": "real igniter"})),
        [42]
    );
    assert!(ids(json!({"repo": "ACME/rocket", "role": "author"})).contains(&42));
    assert!(!ids(json!({"repo": "ACME/rocket", "role": "reviewer"})).contains(&42));
    let newest = ids(json!({"repo": "ACME/rocket", "limit": 100}));
    let mut oldest = ids(json!({"repo": "ACME/rocket", "limit": 100, "order": "OLDEST"}));
    oldest.reverse();
    assert_eq!(newest, oldest);
    let own = bb.value(
        "list_pull_requests",
        json!({"role": "author", "state": "OPEN"}),
    );
    let own = own["pull_requests"].as_array().expect("a list");
    assert!(
        own.iter()
            .any(|one| one["repository"] == "~wren.okafor/notes"),
        "{own:?}"
    );
    assert!(
        own.iter()
            .all(|one| one["author"] == "wren.okafor (Wren Okafor)"),
        "{own:?}"
    );
    for (arguments, said) in [
        (json!({"text": "x"}), "`text` needs a repository"),
        (json!({"project": "ACME"}), "`repo` is missing"),
        (json!({"repo": "rocket"}), "`project` is missing"),
        (
            json!({"state": "closed"}),
            "`state` is \"closed\": it must be one of OPEN, MERGED, DECLINED, ALL",
        ),
        (
            json!({"limit": 0}),
            "`limit` is 0: it must be a whole number from 1 to 100",
        ),
        (json!({"limit": "25"}), "`limit` is \"25\""),
        (
            json!({"start": -1, "role": 5}),
            "`role` is 5: it must be one of author, reviewer, participant; `start` is -1",
        ),
    ] {
        let failure = bb.failure("list_pull_requests", arguments.clone());
        assert!(failure.contains(said), "{arguments}: {failure}");
    }
    assert!(
        stand_in.log().iter().all(|one| one.status == Some(200)),
        "{:?}",
        stand_in.log()
    );
}

#[test]
fn a_page_that_points_back_ends_the_list_and_says_that_it_may_not_be_whole() {
    let (stand_in, mut bb) = started();
    stand_in.fault(Fault::on(
        "GET",
        LIST,
        Effect::replace("/nextPageStart", json!(0)),
    ));
    let listed = bb.value(
        "list_pull_requests",
        json!({"repo": "ACME/rocket", "limit": 5}),
    );
    assert!(
        listed["note"]
            .as_str()
            .is_some_and(|note| note.contains("may not be whole")),
        "{listed}"
    );
    assert_eq!(stand_in.log().len(), 1);
}

#[test]
fn repositories_are_found_by_a_part_of_their_name() {
    let (_stand_in, mut bb) = started();
    let found = bb.value("search_repositories", json!({"name": "rocket"}));
    let names: Vec<&str> = found["repositories"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["repository"].as_str())
        .collect();
    assert!(names.contains(&"ACME/rocket"), "{found}");
    assert_eq!(
        bb.value("search_repositories", json!({"name": "no such thing"}))["shown"],
        0
    );
}
