//! Repositories, their names for commits, their files and who works on them, over the real pipe.

use crate::support::Bb;
use serde_json::{Value, json};
use standin::{Body, Effect, Fault, Options, StandIn, Step};

const ROCKET: &str = "/rest/api/latest/projects/ACME/repos/rocket";

fn started() -> (StandIn, Bb) {
    let stand_in = StandIn::start(Options::default());
    let bb = Bb::with(&stand_in);
    (stand_in, bb)
}

/// Arguments about ACME/rocket, with more.
fn rocket(more: Value) -> Value {
    let mut arguments = json!({"project": "ACME", "repo": "rocket"});
    if let (Value::Object(all), Value::Object(more)) = (&mut arguments, more) {
        all.extend(more);
    }
    arguments
}

/// A push to the main branch of ACME/rocket.
fn push(stand_in: &StandIn, files: &[(&str, &str)]) {
    stand_in.step(Step::Push {
        repository: "ACME/rocket".to_owned(),
        branch: "refs/heads/main".to_owned(),
        user: "mallory".to_owned(),
        message: "Push".to_owned(),
        files: files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())))
            .collect(),
    });
}

fn names<'a>(value: &'a Value, list: &str, field: &str) -> Vec<&'a str> {
    let list = value[list].as_array().expect("a list");
    list.iter().filter_map(|one| one[field].as_str()).collect()
}

#[test]
fn a_repository_is_told_with_its_default_branch_and_clone_links() {
    let (stand_in, mut bb) = started();
    let one = bb.value("get_repository", rocket(json!({})));
    assert_eq!(
        one,
        json!({
            "repository": "ACME/rocket", "name": "Rocket", "project": "Acme Rockets",
            "description": "The engine, the pad and the papers.", "defaultBranch": "main", "archived": false,
            "clone": {
                "http": format!("{}/scm/acme/rocket.git", stand_in.url()),
                "ssh": "ssh://git@bitbucket.example.com:7999/acme/rocket.git",
            },
            "url": format!("{}/projects/ACME/repos/rocket/browse", stand_in.url()),
        })
    );
    let fork = bb.value("get_repository", json!({"repo": "~IDRIS.VALE/rocket"}));
    assert_eq!(
        (&fork["origin"], &fork["repository"]),
        (&json!("ACME/rocket"), &json!("~idris.vale/rocket"))
    );
    let old = bb.value("get_repository", json!({"repo": "ACME/old-gantry"}));
    assert_eq!(old["archived"], true);
}

#[test]
fn a_default_branch_that_cannot_be_read_says_so_and_a_missing_one_is_left_out() {
    let (stand_in, mut bb) = started();
    let default_branch = format!("{ROCKET}/default-branch");
    stand_in.fault(Fault::on("GET", &default_branch, Effect::status(401)));
    let one = bb.value("get_repository", rocket(json!({})));
    assert_eq!(one["name"], "Rocket");
    let unread = one["defaultBranch"]["unread"].as_str().unwrap_or_default();
    assert!(
        unread.starts_with("cannot read the default branch of ACME/rocket: "),
        "{one}"
    );
    for status in [404, 204] {
        stand_in.fault(Fault::on(
            "GET",
            &default_branch,
            Effect::Status(status, Body::Empty, Vec::new()),
        ));
        let one = bb.value("get_repository", rocket(json!({})));
        assert_eq!(one.get("defaultBranch"), None, "{status}");
    }
}

#[test]
fn a_repository_that_is_not_there_is_told_in_bitbuckets_words() {
    let (_stand_in, mut bb) = started();
    for (tool, arguments) in [
        ("get_repository", json!({})),
        ("list_branches", json!({})),
        ("list_tags", json!({})),
        ("resolve_ref", json!({"ref": "main"})),
        ("list_files", json!({})),
        ("get_file", json!({"path": "README.md"})),
        ("create_branch", json!({"name": "x", "start_point": "main"})),
    ] {
        let mut arguments = rocket(arguments);
        arguments["repo"] = json!("nope");
        let said = bb.failure(tool, arguments);
        assert!(
            said.starts_with("cannot ") && said.contains("Repository ACME/nope does not exist."),
            "{tool}: {said}"
        );
    }
}

#[test]
fn branches_and_tags_are_listed_and_filtered() {
    let (stand_in, mut bb) = started();
    let all = bb.value("list_branches", rocket(json!({})));
    assert_eq!((&all["shown"], &all["total"]), (&json!(15), &json!(15)));
    let main = all["branches"]
        .as_array()
        .and_then(|all| all.iter().find(|one| one["displayId"] == "main"))
        .expect("main");
    assert_eq!(
        main,
        &json!({"displayId": "main", "latestCommit": stand_in.commit("rocket-4"), "isDefault": true})
    );
    let some = bb.value("list_branches", rocket(json!({"filter": "FLIGHT"})));
    assert_eq!(
        names(&some, "branches", "displayId"),
        ["feature/flight-code"]
    );
    let tags = bb.value("list_tags", rocket(json!({"filter": "v1"})));
    assert_eq!(names(&tags, "tags", "displayId"), ["v1.4.0", "v1.5.0"]);
    // The text of a filter is one, whatever it holds.
    for filter in ["\"><b>x", "a b+c%20d#e?f&g=h", "ö\u{202e}", "--help"] {
        let found = bb.value("list_branches", rocket(json!({"filter": filter})));
        let expected = usize::from(filter == "\"><b>x");
        assert_eq!(
            names(&found, "branches", "displayId").len(),
            expected,
            "{filter}"
        );
    }
}

#[test]
fn a_long_list_says_how_to_go_on_and_every_branch_comes_once() {
    let stand_in = StandIn::start(Options {
        cap: Some(7),
        ..Options::default()
    });
    let mut bb = Bb::with(&stand_in);
    let mut seen = Vec::new();
    let mut next = json!(0);
    loop {
        let page = bb.value(
            "list_branches",
            json!({"repo": "FLEET/fleet", "start": next, "limit": 50}),
        );
        seen.extend(
            names(&page, "branches", "displayId")
                .iter()
                .map(ToString::to_string),
        );
        match page.get("next") {
            Some(start) => next = start.clone(),
            None => break,
        }
        assert_eq!(page["more"], true, "{page}");
    }
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!((count, seen.len()), (132, 132));
}

#[test]
fn a_name_of_a_branch_and_a_tag_is_told_to_be_both() {
    let (stand_in, mut bb) = started();
    let both = bb.value("resolve_ref", rocket(json!({"ref": "main"})));
    assert_eq!(both["branch"]["id"], "refs/heads/main");
    assert_eq!(
        both["branch"]["latestCommit"]["id"],
        stand_in.commit("rocket-4")
    );
    assert_eq!(
        both["tag"],
        json!({"id": "refs/tags/main", "latestCommit": stand_in.commit("rocket-2")})
    );
    assert_eq!(
        both["note"],
        "a branch and a tag are called `main`: say refs/heads/main or refs/tags/main where one is meant"
    );
    for (name, kept, left_out) in [
        ("refs/heads/main", "branch", "tag"),
        ("refs/tags/main", "tag", "branch"),
        ("v1.5.0", "tag", "branch"),
        ("feature/igniter", "branch", "tag"),
        ("feature/\"><b>x", "branch", "tag"),
    ] {
        let one = bb.value("resolve_ref", rocket(json!({"ref": name})));
        assert!(
            one.get(kept).is_some() && one.get(left_out).is_none(),
            "{name}: {one}"
        );
        assert!(
            one.get("note").is_none() && one.get("commit").is_none(),
            "{name}: {one}"
        );
    }
}

#[test]
fn a_commits_id_is_resolved_and_a_name_of_nothing_is_told() {
    let (stand_in, mut bb) = started();
    let id = stand_in.commit("rocket-3");
    for given in [id.clone(), id[..11].to_owned(), id[..11].to_uppercase()] {
        let one = bb.value("resolve_ref", rocket(json!({"ref": given.to_lowercase()})));
        assert_eq!(one["commit"]["id"], id, "{given}");
    }
    for name in [
        "nothing",
        "a b+c%20#?&",
        "ö",
        "-x",
        "refs/tags/v9",
        "0000000",
    ] {
        let said = bb.failure("resolve_ref", rocket(json!({"ref": name})));
        assert!(
            said.starts_with(&format!("cannot read what `{name}` is in ACME/rocket: ")),
            "{name}: {said}"
        );
    }
}

#[test]
fn a_branch_is_created_and_a_second_of_that_name_is_a_conflict() {
    let (stand_in, mut bb) = started();
    let arguments = rocket(json!({"name": "feature/ö-1", "start_point": "v1.5.0"}));
    let made = bb.value("create_branch", arguments.clone());
    assert_eq!(
        made,
        json!({"id": "refs/heads/feature/ö-1", "latestCommit": stand_in.commit("rocket-3")})
    );
    let found = bb.value("resolve_ref", rocket(json!({"ref": "feature/ö-1"})));
    assert_eq!(found["branch"]["id"], "refs/heads/feature/ö-1");
    let said = bb.failure("create_branch", arguments);
    assert!(
        said.starts_with("cannot create branch `feature/ö-1` in ACME/rocket: ")
            && said.contains("already exists"),
        "{said}"
    );
    // The full name is taken for the short one.
    let full = rocket(json!({"name": "refs/heads/full", "start_point": "refs/heads/main"}));
    assert_eq!(bb.value("create_branch", full)["id"], "refs/heads/full");
}

#[test]
fn a_tag_is_created_and_resolves_from_then_on() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = Bb::with_args(&stand_in, &["--no-confirm"]);
    let arguments = rocket(json!({"name": "v9", "start_point": "main", "message": "Fly \"far\""}));
    let made = bb.value("create_tag", arguments);
    assert_eq!(made["id"], "refs/tags/v9");
    let found = bb.value("resolve_ref", rocket(json!({"ref": "v9"})));
    assert_eq!(found["tag"]["latestCommit"], made["latestCommit"]);
    let said = bb.failure(
        "create_tag",
        rocket(json!({"name": "refs/tags/v9", "start_point": "main"})),
    );
    assert!(
        said.starts_with("cannot create tag `v9` in ACME/rocket: ")
            && said.contains("already exists"),
        "{said}"
    );
    let said = bb.failure(
        "create_tag",
        rocket(json!({"name": "refs/heads/v9", "start_point": "main"})),
    );
    assert!(said.contains("`name` is \"refs/heads/v9\""), "{said}");
}

#[test]
fn what_bitbucket_says_against_a_new_name_is_quoted() {
    let (_stand_in, mut bb) = started();
    for (tool, name, start_point, said) in [
        ("create_branch", "a b", "main", "'a b' is not a valid name."),
        (
            "create_branch",
            "x",
            "nowhere",
            "Commit 'nowhere' does not exist",
        ),
        (
            "create_branch",
            "refs/tags/x",
            "main",
            "`name` is \"refs/tags/x\": it must be a short name",
        ),
        (
            "create_branch",
            "refs/heads/",
            "main",
            "with something before and after each `/`",
        ),
    ] {
        let arguments = rocket(json!({"name": name, "start_point": start_point}));
        let answer = bb.failure(tool, arguments);
        assert!(answer.contains(said), "{tool} {name}: {answer}");
    }
    let said = bb.failure(
        "create_branch",
        json!({"repo": "ACME/old-gantry", "name": "x", "start_point": "main"}),
    );
    assert!(said.contains("is archived and cannot be changed"), "{said}");
}

#[test]
fn a_branch_whose_creation_was_not_answered_may_be_there_and_is_not_asked_for_twice() {
    let (stand_in, mut bb) = started();
    let branches = format!("{ROCKET}/branches");
    stand_in.fault(Fault::on("POST", &branches, Effect::HalfBody));
    let said = bb.failure(
        "create_branch",
        rocket(json!({"name": "feature/half", "start_point": "main"})),
    );
    let look = format!(
        "it may have happened all the same: look at {}/projects/ACME/repos/rocket/branches before trying again",
        stand_in.url()
    );
    assert!(said.contains(&look), "{said}");
    let posts = stand_in
        .log()
        .iter()
        .filter(|one| one.method == "POST")
        .count();
    assert_eq!(posts, 1, "{:?}", stand_in.log());
}

#[test]
fn code_is_found_as_plain_text_with_its_line_numbers() {
    let (stand_in, mut bb) = started();
    push(
        &stand_in,
        &[(
            "web/page.html",
            "<em>one</em>\n&lt;b&gt; zyxw && <script>alert('zyxw')</script>\n",
        )],
    );
    let found = bb.value("search_code", rocket(json!({"query": "zyxw"})));
    assert_eq!(
        found["files"],
        json!([{
            "repository": "ACME/rocket", "path": "web/page.html", "hitCount": 1,
            "lines": ["2\t&lt;b&gt; zyxw && <script>alert('zyxw')</script>"],
        }])
    );
    // A project, and everything: more repositories than one hold this.
    let all = bb.value("search_code", json!({"query": "600 kPa"}));
    let project = bb.value(
        "search_code",
        json!({"query": "600 kPa", "project": "acme"}),
    );
    assert!(all["total"].as_u64() >= project["total"].as_u64());
    assert!(
        names(&project, "files", "repository")
            .iter()
            .all(|repository| repository.starts_with("ACME/")),
        "{project}"
    );
    let none = bb.value("search_code", rocket(json!({"query": "no such words"})));
    assert_eq!((&none["shown"], &none["total"]), (&json!(0), &json!(0)));
}

#[test]
fn a_query_that_names_another_place_finds_nothing_there() {
    let (stand_in, mut bb) = started();
    let said = bb.failure(
        "search_code",
        json!({"project": "ACME", "repo": "x project:FLEET", "query": "fit"}),
    );
    assert!(
        said.contains("`repo` is \"ACME/x project:FLEET\""),
        "{said}"
    );
    // A server that heeds such a query answers with other places: they are left out.
    let query = rocket(json!({"query": "kPa repo:ACME/vault"}));
    let all = bb.value("search_code", query.clone());
    assert!(all["shown"].as_u64() > Some(0), "{all}");
    stand_in.fault(Fault::on(
        "POST",
        "/rest/search/latest/search",
        Effect::replace("/code/values/0/repository/slug", json!("vault")),
    ));
    let found = bb.value("search_code", query);
    assert!(!found.to_string().contains("ACME/vault"), "{found}");
    assert_eq!(
        found["shown"].as_u64(),
        all["shown"].as_u64().map(|all| all - 1)
    );
}

#[test]
fn where_no_search_server_is_that_is_said() {
    let (stand_in, mut bb) = started();
    let search = "/rest/search/latest/search";
    stand_in.fault(Fault::on("POST", search, Effect::status(404)));
    let said = bb.failure("search_code", json!({"query": "x"}));
    assert!(
        said.starts_with("cannot search the code: ") && said.contains("needs a search server"),
        "{said}"
    );
    // A search changes nothing, so nothing may have happened.
    stand_in.fault(Fault::on("POST", search, Effect::HalfBody));
    let said = bb.failure("search_code", json!({"query": "x"}));
    assert!(!said.contains("may have happened"), "{said}");
}

#[test]
fn people_are_found_for_a_review_and_services_and_leavers_are_not() {
    let (_stand_in, mut bb) = started();
    let found = bb.value("search_users", json!({"text": "WREN"}));
    assert_eq!(found["users"], json!(["wren.okafor (Wren Okafor)"]));
    for text in ["ci", "sam.gone", "old.hand"] {
        let found = bb.value("search_users", json!({"text": text}));
        let said = found.to_string();
        assert!(
            !said.contains("ci.bot") && !said.contains("gone") && !said.contains("old.hand"),
            "{said}"
        );
    }
    let few = bb.value("search_users", json!({"text": "crew", "limit": 10}));
    assert_eq!(
        (&few["shown"], &few["more"], few.get("next")),
        (&json!(10), &json!(true), None)
    );
    assert!(
        few["note"]
            .as_str()
            .is_some_and(|note| note.contains("no further"))
    );
    // Only who may read a repository.
    let shadow = bb.value(
        "search_users",
        json!({"text": "solano", "repo": "FLEET/shadow"}),
    );
    assert_eq!(shadow["users"], json!(["mira.solano (Mira Solano)"]));
    let shadow = bb.value(
        "search_users",
        json!({"text": "tomas", "repo": "FLEET/shadow"}),
    );
    assert_eq!(shadow["shown"], 0, "{shadow}");
    let hostile = bb.value("search_users", json!({"text": "mallory"}));
    assert!(!hostile.to_string().contains('\u{202e}'), "{hostile}");
}

#[test]
fn a_new_name_that_would_be_read_as_another_is_refused_before_anything_is_sent() {
    let (stand_in, mut bb) = started();
    stand_in.clear_log();
    for name in ["a\u{202e}b", "refs/heads/a\u{200b}b", "\u{feff}a"] {
        let arguments = json!({"name": name, "start_point": "main"});
        let failure = bb.failure("create_branch", rocket(arguments));
        assert!(
            failure.contains("`name` is \"") && failure.contains("no hidden or reordering"),
            "{name:?}: {failure}"
        );
        assert!(!failure.contains(['\u{202e}', '\u{200b}']), "{failure}");
    }
    assert_eq!(stand_in.log().len(), 0);
    let plain = json!({"name": "feature/ö-1_x.y@2", "start_point": "main"});
    bb.value("create_branch", rocket(plain));
}

#[test]
fn what_an_answer_leaves_out_costs_no_more_than_that() {
    let (stand_in, mut bb) = started();
    for (tool, arguments, path) in [
        ("get_repository", json!({}), "/slug"),
        (
            "create_branch",
            json!({"name": "x", "start_point": "main"}),
            "/id",
        ),
        ("get_file", json!({"path": "VERSION"}), "/start"),
        ("search_code", json!({"query": "x"}), "/code/count"),
        (
            "get_commit",
            json!({"commit_id": stand_in.commit("rocket-1")}),
            "/id",
        ),
    ] {
        stand_in.clear_faults();
        let without = Effect::Patch(vec![(path.to_owned(), None)]);
        stand_in.fault(Fault::on("*", "*", without));
        let result = bb.call(tool, rocket(arguments));
        assert_ne!(result["isError"], true, "{tool}: {result}");
    }
}

#[test]
fn a_name_of_which_a_part_vanishes_is_no_name() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = Bb::with(&stand_in);
    for name in [
        "refs/tags/",
        "refs/heads/",
        "/v1.4.0",
        "v1.4.0/",
        "feature//igniter",
        "a/./b",
        "/",
    ] {
        for (tool, arguments) in [
            ("resolve_ref", json!({"ref": name})),
            ("compare_refs", json!({"from": name, "to": "main"})),
            ("list_commits", json!({"until": name})),
        ] {
            let said = bb.failure(tool, rocket(arguments));
            assert!(
                said.contains("something before and after each `/`"),
                "{said}"
            );
        }
    }
    assert_eq!(stand_in.log().len(), 0);
}

#[test]
fn what_bitbucket_gives_for_a_tag_is_one_only_if_it_says_which() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = Bb::with(&stand_in);
    let page = Effect::Patch(vec![
        ("/id".to_owned(), None),
        ("/displayId".to_owned(), None),
    ]);
    stand_in.fault(Fault::on("GET", "*/tags/v1.4.0", page));
    let said = bb.failure("resolve_ref", rocket(json!({"ref": "refs/tags/v1.4.0"})));
    assert!(said.contains("`id` is missing"), "{said}");
}
