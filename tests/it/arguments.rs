//! What a call with arguments that cannot be used is told: one walk over the whole catalogue.
//!
//! Bitbucket is nowhere: whatever would ask it would answer with another sentence.

use crate::support::Bb;
use crate::support::views::rendering;
use bb::catalog::TOOLS;
use bb::tool::Tool;
use bb::tool::args::{Arg, Kind, Target};
use serde_json::{Map, Value, json};
use standin::{Options, StandIn};

/// Arguments that work, as the tool's own example has them.
fn example(tool: &Tool) -> Map<String, Value> {
    serde_json::from_str(tool.example)
        .unwrap_or_else(|error| panic!("the example of {} is no JSON object: {error}", tool.name))
}

fn args(tool: &'static Tool) -> impl Iterator<Item = &'static Arg> {
    tool.target.args().iter().chain(tool.args)
}

/// The tool refuses these arguments before anything is asked, and says why in one line.
#[track_caller]
fn check(bb: &mut Bb, tool: &Tool, arguments: Map<String, Value>, why: &str) {
    let sent = Value::Object(arguments.clone()).to_string();
    let said = bb.failure(tool.name, Value::Object(arguments));
    let sent: String = sent.chars().take(300).collect();
    assert!(
        said.starts_with(&format!("{} was not called: ", tool.name)),
        "{} {sent}\nsaid: {said}",
        tool.name
    );
    assert!(
        said.contains(why) && said.contains("Example: {") && !said.contains('\n'),
        "{} {sent}\nsaid: {said}\nnot: {why}",
        tool.name
    );
}

/// The example with one argument replaced is refused for that argument, with what it accepts.
#[track_caller]
fn check_value(bb: &mut Bb, tool: &Tool, arg: &Arg, value: Value) {
    let mut arguments = example(tool);
    arguments.insert(arg.name.to_owned(), value);
    check(bb, tool, arguments, &format!("`{}`", arg.name));
}

#[test]
fn the_example_of_each_tool_works() {
    let mut bb = Bb::alone();
    for tool in TOOLS {
        let result = bb.call(tool.name, Value::Object(example(tool)));
        let said = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(!said.contains("was not called"), "{}: {said}", tool.name);
    }
}

/// Names that mean another thing in one tool than in the next.
const OF_SEVERAL_MEANINGS: &[&str] = &["description", "limit", "name", "state", "text"];

#[test]
fn an_argument_of_one_name_accepts_the_same_in_every_tool() {
    use std::collections::{BTreeMap, BTreeSet};
    let mut kinds: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for arg in TOOLS.iter().flat_map(|tool| args(tool)) {
        let kind = format!("{:?}", arg.kind);
        kinds.entry(arg.name).or_default().insert(kind);
    }
    kinds.retain(|_, kinds| kinds.len() > 1);
    let several: Vec<&str> = kinds.keys().copied().collect();
    assert_eq!(several, OF_SEVERAL_MEANINGS, "{kinds:#?}");
}

#[test]
fn an_argument_of_the_wrong_type_is_refused_by_its_name() {
    let mut bb = Bb::alone();
    for tool in TOOLS {
        for arg in args(tool) {
            // No argument is an object, so this one is wrong for each.
            check_value(&mut bb, tool, arg, json!({"x": [1, {"y": null}]}));
            let other = match arg.kind {
                Kind::Flag => json!("yes please"),
                Kind::Whole { .. } => json!("one"),
                Kind::PullRequest => json!(true),
                Kind::OneOf(_) => json!("something else"),
                _ => json!(7),
            };
            check_value(&mut bb, tool, arg, other);
        }
    }
}

#[test]
fn an_argument_that_is_out_of_range_is_refused_with_the_range() {
    let mut bb = Bb::alone();
    for tool in TOOLS {
        for arg in args(tool) {
            let values: Vec<Value> = match arg.kind {
                Kind::Whole { min, max } => {
                    let mut values = vec![json!(max + 1), json!(-1), json!(1.5), json!(1e300)];
                    values.extend(min.checked_sub(1).map(Value::from));
                    values
                }
                Kind::Text { max_chars } => vec![json!("x".repeat(max_chars + 1))],
                Kind::Ref => vec![
                    json!("a..b"),
                    json!("a\nb"),
                    json!("\u{0}"),
                    json!("x".repeat(600)),
                ],
                Kind::Path => vec![
                    json!("../etc/passwd"),
                    json!("a/../../b"),
                    json!("a/./b"),
                    json!("a//b"),
                    json!(".."),
                    json!("x".repeat(5_000)),
                ],
                Kind::Commit => vec![
                    json!("main"),
                    json!("abc"),
                    json!("f".repeat(65)),
                    json!(""),
                ],
                Kind::PullRequest => vec![json!(0), json!(-3), json!(2.5), json!("x")],
                _ => Vec::new(),
            };
            for value in values {
                check_value(&mut bb, tool, arg, value);
            }
        }
    }
}

#[test]
fn a_missing_argument_is_told_with_what_it_must_be() {
    let mut bb = Bb::alone();
    for tool in TOOLS {
        let needs_place = matches!(tool.target, Target::Repository | Target::PullRequest);
        let needed = args(tool).filter(|arg| {
            arg.is_required || (needs_place && matches!(arg.name, "project" | "repo"))
        });
        for arg in needed {
            let why = format!("`{}` is missing: it must be ", arg.name);
            let mut without = example(tool);
            without.remove(arg.name);
            check(&mut bb, tool, without, &why);
            let mut null = example(tool);
            null.insert(arg.name.to_owned(), Value::Null);
            check(&mut bb, tool, null, &why);
            if matches!(arg.kind, Kind::Text { .. } | Kind::Ref | Kind::Path) {
                let mut blank = example(tool);
                blank.insert(arg.name.to_owned(), json!("  "));
                check(&mut bb, tool, blank, &why);
            }
        }
    }
}

#[test]
fn an_unknown_argument_is_refused_with_those_that_are_known() {
    let mut bb = Bb::alone();
    for tool in TOOLS {
        let mut arguments = example(tool);
        arguments.insert("pull_request\u{202e}\n".to_owned(), json!(1));
        let names: Vec<&str> = args(tool).map(|arg| arg.name).collect();
        let accepted = match names.is_empty() {
            true => "takes no arguments".to_owned(),
            false => format!("accepted are {}", names.join(", ")),
        };
        check(&mut bb, tool, arguments, &format!("is unknown: {accepted}"));
    }
}

#[test]
fn what_names_a_place_must_name_all_of_it() {
    let mut bb = Bb::alone();
    let find = |name: &str| TOOLS.iter().find(|tool| tool.name == name).expect("there");
    for (name, arguments, why) in [
        (
            "search_code",
            json!({"query": "x", "repo": "rocket"}),
            "`project` is missing: it must be a project's key beside `repo`",
        ),
        (
            "search_users",
            json!({"text": "x", "project": "ACME"}),
            "`repo` is missing: it must be a repository's slug beside `project`",
        ),
        (
            "get_repository",
            json!({"project": "  ", "repo": "rocket"}),
            "`project` is missing",
        ),
        (
            "list_branches",
            json!({"project": "ACME", "repo": "FLEET/fleet"}),
            "`repo` names another project than `project`",
        ),
    ] {
        let Value::Object(arguments) = arguments else {
            panic!("an object")
        };
        check(&mut bb, find(name), arguments, why);
    }
}

#[test]
fn a_commit_id_is_one_wherever_it_is_asked_for() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    stand_in.clear_log();
    for (tool, arguments) in [
        ("get_commit", json!({})),
        ("get_build_status", json!({})),
        ("show", json!({"kind": "builds"})),
        ("show", json!({"kind": "diff"})),
    ] {
        let mut all = json!({"repo": "ACME/rocket", "commit_id": "main"});
        for (name, value) in arguments.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        let failure = bb.failure(tool, all);
        assert!(
            failure
                .contains("`commit_id` is \"main\": it must be a commit's id, 4 to 64 hex digits"),
            "{tool} {arguments}: {failure}"
        );
    }
    assert_eq!(stand_in.log().len(), 0);
}
