use super::{Condition, Required, decide};
use crate::domain::build::{Build, BuildState};
use crate::domain::ref_matcher::{Branches, RefMatcher};

const SOURCE: &str = "refs/heads/feature/igniter";
const TARGET: &str = "refs/heads/main";

fn build(parent: Option<&str>, state: &str, reference: Option<&str>) -> Build {
    Build {
        key: format!("{parent:?} {state} {reference:?}"),
        name: String::new(),
        state: BuildState::read(state),
        parent: parent.map(str::to_owned),
        reference: reference.map(str::to_owned),
        number: None,
        address: None,
        updated: None,
        duration_ms: None,
        tests: None,
    }
}

fn condition(keys: &[&str], target: RefMatcher, exempt: Option<RefMatcher>) -> Condition {
    Condition {
        keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        target,
        exempt,
        is_for_pull_requests: true,
    }
}

/// What is decided, in words: `key met STATE`, a line each.
fn decided(conditions: &[Condition], builds: &[Build]) -> String {
    match decide(conditions, SOURCE, TARGET, &Branches::default(), builds) {
        Required::CannotTell => "cannot tell".to_owned(),
        Required::Known(all) => {
            let lines = all.iter().map(|one| {
                let met = if one.is_met { "met" } else { "unmet" };
                let state = one.state.as_ref().map_or("-", BuildState::word);
                format!("{} {met} {state}", one.key)
            });
            lines.collect::<Vec<_>>().join(", ")
        }
    }
}

#[test]
fn a_key_is_met_by_one_successful_build_under_it_for_the_branch_or_for_none() {
    let wanted = [condition(&["ci"], RefMatcher::Any, None)];
    for (builds, expected) in [
        (vec![], "ci unmet -"),
        (
            vec![build(Some("ci"), "SUCCESSFUL", Some(SOURCE))],
            "ci met SUCCESSFUL",
        ),
        (
            vec![build(Some("ci"), "SUCCESSFUL", None)],
            "ci met SUCCESSFUL",
        ),
        (
            vec![build(Some("ci"), "SUCCESSFUL", Some(TARGET))],
            "ci unmet -",
        ),
        (vec![build(Some("CI"), "SUCCESSFUL", None)], "ci unmet -"),
        (vec![build(None, "SUCCESSFUL", None)], "ci unmet -"),
        (
            vec![build(Some("ci"), "INPROGRESS", None)],
            "ci unmet INPROGRESS",
        ),
        (
            vec![
                build(Some("ci"), "FAILED", None),
                build(Some("ci"), "SUCCESSFUL", None),
            ],
            "ci met SUCCESSFUL",
        ),
        (
            vec![
                build(Some("ci"), "UNKNOWN", None),
                build(Some("ci"), "FAILED", None),
                build(Some("ci"), "INPROGRESS", None),
            ],
            "ci unmet FAILED",
        ),
    ] {
        assert_eq!(decided(&wanted, &builds), expected, "{builds:?}");
    }
}

#[test]
fn the_keys_of_all_conditions_that_hold_are_wanted_once_each() {
    let conditions = [
        condition(&["b", "a"], RefMatcher::Any, None),
        condition(&["a", "c"], RefMatcher::Branch("main".to_owned()), None),
        condition(&["d"], RefMatcher::Branch("other".to_owned()), None),
        condition(
            &["e"],
            RefMatcher::Any,
            Some(RefMatcher::Pattern("feature/*".to_owned())),
        ),
        Condition {
            is_for_pull_requests: false,
            ..condition(&["f"], RefMatcher::Unknown, None)
        },
    ];
    assert_eq!(decided(&conditions, &[]), "a unmet -, b unmet -, c unmet -");
    assert_eq!(decided(&[], &[]), "");
}

#[test]
fn what_cannot_be_told_of_one_condition_cannot_be_told_at_all() {
    let braces = || RefMatcher::Pattern("{x}".to_owned());
    let elsewhere = || RefMatcher::Branch("other".to_owned());
    for (one, expected) in [
        (condition(&["a"], RefMatcher::Unknown, None), "cannot tell"),
        (condition(&["a"], braces(), None), "cannot tell"),
        (
            condition(&["a"], RefMatcher::Development, None),
            "cannot tell",
        ),
        (
            condition(&["a"], RefMatcher::Any, Some(braces())),
            "cannot tell",
        ),
        (condition(&["a"], elsewhere(), Some(braces())), "z unmet -"),
        (
            condition(&["a"], braces(), Some(RefMatcher::Any)),
            "z unmet -",
        ),
    ] {
        let all = [condition(&["z"], RefMatcher::Any, None), one];
        assert_eq!(decided(&all, &[]), expected, "{:?}", all[1]);
    }
}
