use super::{Answer, MAX_TEXT_CHARS};
use crate::bitbucket::listing::Listing;
use serde_json::{Value, json};

#[track_caller]
fn listed(values: usize, next: Option<u64>, chars: usize) -> Value {
    let listing = Listing::of_test((0..values).collect(), next);
    let answer = Answer::list(
        "things",
        &listing,
        0,
        |n| json!({"n": n, "text": "é".repeat(chars)}),
    );
    assert!(answer.text().chars().count() <= MAX_TEXT_CHARS);
    serde_json::from_str(&answer.text()).expect("JSON")
}

#[test]
fn a_whole_list_has_a_total_and_another_says_how_to_go_on() {
    let whole = listed(3, None, 1);
    assert_eq!(
        (&whole["shown"], &whole["total"], whole.get("next")),
        (&json!(3), &json!(3), None)
    );
    let part = listed(3, Some(7), 1);
    assert_eq!(
        (
            &part["shown"],
            &part["more"],
            &part["at_least"],
            &part["next"]
        ),
        (&json!(3), &json!(true), &json!(3), &json!(7))
    );
}

#[test]
fn a_list_over_the_bound_is_cut_at_a_whole_entry_and_says_so() {
    let gapless = listed(100, Some(100), 1_500);
    let shown = gapless["shown"].as_u64().expect("a number");
    assert!(shown < 100 && shown > 30, "{shown}");
    assert_eq!(gapless["next"], shown);
    assert!(
        gapless["cut"]
            .as_str()
            .is_some_and(|cut| cut.ends_with(&format!("go on with start {shown}")))
    );
    // Where Bitbucket left entries out, only a smaller page leads to the next entry.
    let gaps = listed(100, Some(140), 1_500);
    assert_eq!(gaps.get("next"), None);
    assert!(
        gaps["cut"]
            .as_str()
            .is_some_and(|cut| cut.contains("ask again with limit"))
    );
}

#[test]
fn one_thing_is_cut_in_its_texts_and_says_so() {
    let texts: Vec<String> = (0..40).map(|_| "x".repeat(30_000)).collect();
    let answer = Answer::one(json!({"texts": texts, "nothing": null, "id": 7}));
    assert!(answer.text().chars().count() <= MAX_TEXT_CHARS);
    assert!(
        answer.value()["cut"]
            .as_str()
            .is_some_and(|cut| cut.contains("40 texts")),
        "{}",
        answer.value()["cut"]
    );
    assert_eq!(
        (answer.value().get("nothing"), &answer.value()["id"]),
        (None, &json!(7))
    );
}

#[test]
fn names_of_members_are_made_safe_too() {
    let told = Answer::one(json!({"reviewers": {"A\u{202e}\nB": 1, "NEEDS_WORK": 2}}));
    assert_eq!(
        told.value()["reviewers"],
        json!({"A<U+202E> B": 1, "NEEDS_WORK": 2})
    );
}

#[test]
fn every_text_is_made_safe() {
    let answer = Answer::one(json!({"a": ["x\u{202E}y\r\nz"]}));
    assert_eq!(answer.value()["a"][0], "x<U+202E>y\nz");
}

#[test]
fn lists_that_are_too_long_are_cut_at_a_whole_entry_wherever_they_are() {
    let vetoes: Vec<String> = (0..2_000)
        .map(|n| format!("{n} {}", "v".repeat(200)))
        .collect();
    let answer =
        Answer::one(json!({"merge": {"vetoes": vetoes}, "reviewers": ["a", "b"], "id": 7}));
    assert!(
        answer.text().chars().count() <= MAX_TEXT_CHARS,
        "{}",
        answer.text().len()
    );
    let shown = answer.value()["merge"]["vetoes"]
        .as_array()
        .expect("a list")
        .len();
    let cut = answer.value()["cut"].as_str().expect("said");
    assert!(
        shown > 100 && cut.contains(&format!("vetoes shows {shown} of 2000")),
        "{cut}"
    );
    assert_eq!(answer.value()["reviewers"], json!(["a", "b"]));
}
