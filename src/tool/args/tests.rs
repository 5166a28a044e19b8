use super::{Arg, Input, Kind, Target};
use crate::bitbucket::address::BaseUrl;
use crate::catalog::TOOLS;
use serde_json::{Map, Value, json};

const ARGS: &[Arg] = &[
    Arg::required("title", Kind::Text { max_chars: 5 }, ""),
    Arg::optional("state", Kind::OneOf(&["OPEN", "ALL"]), ""),
    Arg::optional("draft", Kind::Flag, ""),
    Arg::START,
    Arg::LIMIT,
];

fn read(target: Target, args: &[Arg], given: Value) -> Result<Input, Vec<String>> {
    let base = BaseUrl::parse("https://code.example.com/bitbucket").expect("an address");
    let given: Map<String, Value> = serde_json::from_value(given).expect("an object");
    Input::read(given, target, args, &base)
}

#[track_caller]
fn check_problems(given: Value, expected: &[&str]) {
    let problems = read(Target::Nothing, ARGS, given).expect_err("problems");
    assert_eq!(problems, expected);
}

#[test]
fn every_problem_is_told_at_once() {
    check_problems(
        json!({"title": "too long", "state": 5, "draft": "yes", "start": -1, "limit": 101, "odd": 1}),
        &[
            "`draft` is \"yes\": it must be true or false",
            "`limit` is 101: it must be a whole number from 1 to 100",
            "`odd` is unknown: accepted are title, state, draft, start, limit",
            "`start` is -1: it must be a whole number from 0 to 10000000",
            "`state` is 5: it must be one of OPEN, ALL",
            "`title` is \"too long\": it must be a text of at most 5 characters",
        ],
    );
    check_problems(
        json!({}),
        &["`title` is missing: it must be a text of at most 5 characters"],
    );
    check_problems(
        json!({"title": null}),
        &["`title` is missing: it must be a text of at most 5 characters"],
    );
}

#[test]
fn a_list_of_people_tells_which_entry_is_wrong_and_how_many_there_are() {
    const WHO: &[Arg] = &[Arg::optional("reviewers", Kind::People, "")];
    let many: Vec<String> = (0..101).map(|n| format!("person.{n}")).collect();
    for (given, found) in [
        (json!(["wren", " "]), "a list whose entry 2 is \"\""),
        (json!(["wren", "a\nb"]), "a list whose entry 2 is \"a b\""),
        (json!([["x"]]), "a list whose entry 1 is a list"),
        (json!(many), "a list of 101"),
        (json!(7), "7"),
    ] {
        let problems = read(Target::Nothing, WHO, json!({"reviewers": given}));
        let expected = format!(
            "`reviewers` is {found}: it must be a list of at most 100 user names (search_users finds them)"
        );
        assert_eq!(problems.expect_err("a problem"), [expected]);
    }
}

#[test]
fn a_title_is_one_line() {
    const TITLE: &[Arg] = &[Arg::optional("title", Kind::Line { max_chars: 20 }, "")];
    for title in ["two\nlines", "a\0b", "bell\u{7}", "next\u{85}line"] {
        let problems = read(Target::Nothing, TITLE, json!({"title": title})).expect_err(title);
        assert!(
            problems[0].ends_with(
                "it must be one line of at most 20 characters, none of them a control character"
            ),
            "{problems:?}"
        );
    }
    assert!(read(Target::Nothing, TITLE, json!({"title": "one line, ü\n"})).is_ok());
}

#[test]
fn what_is_quoted_back_is_made_safe() {
    let problems = read(Target::Nothing, &[], json!({"a\u{202E}\n": 1})).expect_err("unknown");
    assert_eq!(
        problems,
        ["`a<U+202E>` is unknown: this tool takes no arguments"]
    );
}

#[test]
fn values_are_brought_into_one_form() {
    let input = read(
        Target::Nothing,
        ARGS,
        json!({"title": "x", "state": " all", "start": 25.0, "draft": true}),
    )
    .expect("sound");
    assert_eq!(
        (input.text("state"), input.start(), input.limit()),
        (Some("ALL"), 25, 25)
    );
    assert_eq!(
        (input.flag("draft"), input.text("title")),
        (Some(true), Some("x"))
    );
    // A blank text names nothing.
    check_problems(
        json!({"title": "  "}),
        &["`title` is missing: it must be a text of at most 5 characters"],
    );
}

#[test]
fn names_of_things_in_a_repository_are_brought_into_one_form() {
    const NAMES: &[Arg] = &[
        Arg::optional("ref", Kind::Ref, ""),
        Arg::optional("commit", Kind::Commit, ""),
        Arg::optional("path", Kind::Path, ""),
    ];
    let read = |given| read(Target::Nothing, NAMES, given);
    for (name, given, kept) in [
        ("ref", " feature/ö#% ", Some("feature/ö#%")),
        ("ref", "-x", Some("-x")),
        ("ref", " ", None),
        ("commit", " ABCDEF12", Some("abcdef12")),
        ("path", "/docs/a b.md/", Some("docs/a b.md")),
        ("path", "...", Some("...")),
        ("path", "a..b/c", Some("a..b/c")),
        ("path", "//", None),
    ] {
        let input = read(json!({name: given})).expect("sound");
        assert_eq!(input.text(name), kept, "{given}");
    }
    for (name, given) in [
        ("ref", "main..x"),
        ("ref", "a\u{7f}b"),
        ("commit", "main"),
        ("commit", "abc"),
        ("path", "a/../b"),
        ("path", "./a"),
        ("path", "a//b"),
        ("path", "a\0"),
    ] {
        assert!(read(json!({name: given})).is_err(), "{given:?}");
    }
}

#[test]
fn a_project_may_stand_alone_where_a_repository_need_not_be_named() {
    let read = |given| read(Target::MaybeProject, &[], given);
    let project = read(json!({"project": "acme"})).expect("sound");
    assert_eq!(
        (project.project(), project.repository()),
        (Some("ACME"), None)
    );
    let both = read(json!({"repo": "acme/rocket"})).expect("sound");
    assert_eq!(both.project(), Some("ACME"));
    assert!(both.repository().is_some());
    assert_eq!(
        read(json!({"repo": "rocket"})).expect_err("half a place"),
        ["`project` is missing: it must be a project's key beside `repo`, or leave out both"]
    );
    assert!(read(json!({})).is_ok());
}

#[test]
fn the_place_comes_from_whichever_argument_tells_it() {
    let address =
        "https://code.example.com/bitbucket/projects/ACME/repos/rocket/pull-requests/7/diff";
    for given in [
        json!({"project": "acme", "repo": "rocket", "id": 7}),
        json!({"repo": "ACME/rocket", "id": "#7"}),
        json!({"id": address}),
        json!({"project": "Acme", "id": address}),
    ] {
        let input = read(Target::PullRequest, &[], given).expect("sound");
        assert_eq!(
            input.pull_request().expect("one").to_string(),
            "pull request 7 of ACME/rocket"
        );
    }
    let own = read(Target::MaybeRepository, &[], json!({})).expect("sound");
    assert_eq!(own.repository(), None);
}

#[test]
fn a_place_that_is_told_twice_and_differently_is_refused() {
    let address = "https://code.example.com/bitbucket/projects/ACME/repos/rocket/pull-requests/7";
    for (given, problem) in [
        (
            json!({"project": "FLEET", "id": address}),
            "`id` names another project than `project`: give one of them",
        ),
        (
            json!({"repo": "other", "id": address}),
            "`id` names another repository than `repo`: give one of them",
        ),
        (
            json!({"project": "A", "repo": "B/c", "id": 1}),
            "`repo` names another project than `project`: give one of them",
        ),
    ] {
        assert_eq!(
            read(Target::PullRequest, &[], given).expect_err("refused"),
            [problem]
        );
    }
}

#[test]
fn the_example_of_each_tool_is_accepted_by_it() {
    for tool in TOOLS {
        let given = serde_json::from_str(tool.example).expect("JSON");
        let base = BaseUrl::parse("https://code.example.com").expect("an address");
        let read = Input::read(given, tool.target, tool.args, &base);
        assert!(read.is_ok(), "{}: {read:?}", tool.name);
    }
}
