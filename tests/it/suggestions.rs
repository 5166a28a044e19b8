//! What could stand in a form's fields, and the scope that a form stays within (R38, R39).

use crate::form::{API, fork, names, steam, with, writes};
use crate::support::text;
use crate::support::views::{drawing, rendering, rendering_with, requests};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn};

fn suggested(stand_in: &StandIn, form: Value, asked: Value) -> Value {
    let mut bb = rendering(stand_in);
    drawing(&mut bb, "show", form.clone());
    stand_in.clear_log();
    let view = drawing(
        &mut bb,
        "suggest_form_values",
        with(json!({"form": form}), asked.clone()),
    );
    let sent = requests(stand_in);
    assert!(sent.len() <= 2, "{asked}: {sent:?}");
    assert_eq!(writes(stand_in), 0);
    assert_eq!(
        (&view["format"], &view["field"]),
        (&json!(1), &asked["field"])
    );
    view
}

fn values(view: &Value) -> Vec<&str> {
    let options = view["options"].as_array().expect("a list");
    options
        .iter()
        .filter_map(|one| one["value"].as_str())
        .collect()
}

#[test]
fn what_could_stand_in_a_field_is_suggested_with_its_count() {
    let stand_in = StandIn::start(Options::default());
    let branches = suggested(
        &stand_in,
        steam(json!({})),
        json!({"field": "source_branch", "text": "docs/"}),
    );
    assert_eq!(values(&branches), ["docs/ready", "docs/vote", "docs/year"]);
    assert_eq!(branches["count"], json!({"n": 3, "exact": true}));
    let of_fork = json!({"field": "source_branch", "text": "", "values": {"source_repo": "~idris.vale/rocket"}});
    let of_fork = suggested(&stand_in, steam(json!({})), of_fork);
    assert_eq!(values(&of_fork), ["main", "red-nose"]);
    assert_eq!(of_fork["options"][0]["more"], "default");
    let family = suggested(&stand_in, steam(json!({})), json!({"field": "source_repo"}));
    assert_eq!(
        values(&family),
        ["ACME/rocket", "~idris.vale/rocket"],
        "what this token may not see is not told"
    );
    let idris = suggested(
        &stand_in,
        steam(json!({})),
        json!({"field": "source_repo", "text": "IDRIS"}),
    );
    assert_eq!(values(&idris), ["~idris.vale/rocket"]);

    let people = suggested(
        &stand_in,
        steam(json!({})),
        json!({"field": "reviewers", "text": "pro"}),
    );
    assert_eq!(values(&people), ["Propulsion"]);
    assert_eq!(people["options"][0]["more"], "3 reviewers");
    assert_eq!(
        names(&people["options"][0]["people"]),
        ["idris.vale", "tomas.lindqvist", "noor.haddad"]
    );
    let one = suggested(
        &stand_in,
        steam(json!({})),
        json!({"field": "reviewers", "text": "solano"}),
    );
    assert_eq!(
        one["options"],
        json!([{"value": "mira.solano", "words": "Mira Solano", "more": "mira.solano"}])
    );
    let defaults =
        json!({"field": "default_reviewers", "values": {"target_branch": "release/2.0"}});
    let defaults = suggested(&stand_in, steam(json!({})), defaults);
    assert_eq!(
        values(&defaults),
        ["idris.vale", "mira.solano", "petra.quill"]
    );
    let of_fork = suggested(
        &stand_in,
        fork(json!({})),
        json!({"field": "default_reviewers"}),
    );
    assert_eq!(
        values(&of_fork),
        ["idris.vale", "mira.solano", "petra.quill"]
    );
    let drawn = suggested(
        &stand_in,
        steam(json!({})),
        json!({"field": "description", "text": "**b** <i>"}),
    );
    assert_eq!(
        drawn["nodes"],
        json!([["p", {}, ["strong", {}, "b"], " <i>"]])
    );
    assert_eq!(requests(&stand_in), Vec::<String>::new());
}

#[test]
fn a_list_that_is_not_whole_says_of_how_many_and_one_that_bitbucket_lacks_is_empty() {
    let stand_in = StandIn::start(Options::default());
    let everybody = suggested(
        &stand_in,
        steam(json!({})),
        json!({"field": "reviewers", "text": "a"}),
    );
    let count = everybody["count"]["n"].as_u64().expect("a number");
    assert_eq!(values(&everybody).len(), 20);
    assert!(count > 20, "{count}");
    stand_in.fault(Fault::on(
        "GET",
        &format!("{API}/settings/reviewer-groups"),
        Effect::status(404),
    ));
    let none = suggested(
        &stand_in,
        steam(json!({})),
        json!({"field": "reviewers", "text": "prop"}),
    );
    assert_eq!(
        (values(&none).len(), &none["count"]),
        (0, &json!({"n": 0, "exact": true}))
    );
}

#[test]
fn a_group_says_how_many_of_it_are_added_and_leaves_people_a_place() {
    let stand_in = StandIn::start(Options::default());
    let groups: Vec<Value> = (0..20)
        .map(|at| {
            let name = "\u{1}".repeat(40);
            let users: Vec<Value> = (0..150)
                .map(|nth| json!({"name": format!("{nth}{name}"), "displayName": name}))
                .collect();
            json!({"id": at, "name": format!("group a{at}"), "users": users})
        })
        .collect();
    let page = json!({"values": groups, "size": 20, "isLastPage": true, "start": 0, "limit": 100});
    stand_in.fault(Fault::on(
        "GET",
        &format!("{API}/settings/reviewer-groups"),
        Effect::Answer(page.to_string().into_bytes()),
    ));
    let found = suggested(
        &stand_in,
        steam(json!({})),
        json!({"field": "reviewers", "text": "a"}),
    );
    let options = found["options"].as_array().expect("a list");
    assert_eq!(options.len(), 20);
    let of_groups: Vec<&Value> = options
        .iter()
        .filter(|one| one["people"].is_array())
        .collect();
    assert_eq!(of_groups.len(), 5);
    for group in of_groups {
        let added = group["people"].as_array().map_or(0, Vec::len);
        assert!((1..=100).contains(&added), "{added}");
        assert_eq!(group["more"], format!("{added} of 150 reviewers"));
    }
    let chars = found.to_string().chars().count();
    assert!(chars < 140_000, "{chars} characters");
}

#[test]
fn a_suggestion_that_cannot_be_made_is_told_by_its_argument() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering(&stand_in);
    let card = json!({"kind": "pull_request", "repo": "ACME/rocket", "id": 42});
    for (arguments, said) in [
        (json!({}), "`form` must be an object"),
        (
            json!({"form": steam(json!({}))}),
            "`field` is missing: it must be one of source_branch",
        ),
        (
            json!({"form": steam(json!({})), "field": "reviewer"}),
            "did you mean `reviewers`",
        ),
        (
            json!({"form": steam(json!({})), "field": "reviewers", "text": 1}),
            "`text` must be a text",
        ),
        (
            json!({"form": steam(json!({})), "field": "reviewers", "what": 1}),
            "`what` is unknown",
        ),
        (
            json!({"form": card, "field": "reviewers"}),
            "`form` is of kind pull_request, which has no fields",
        ),
    ] {
        let result = bb.call("suggest_form_values", arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert!(text(&result).contains(said), "{}", text(&result));
        assert!(
            text(&result).contains("Example: {\"form\":{\"kind\":\"create_pull_request\""),
            "{result}"
        );
    }
    assert_eq!(requests(&stand_in), Vec::<String>::new());
}

#[test]
fn a_form_and_its_suggestions_stay_within_the_scope() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = rendering_with(&stand_in, &["--repo", "ACME/rocket"]);
    let places = json!({"source_repo": "~idris.vale/rocket"});
    for (tool, arguments) in [
        ("show", fork(json!({}))),
        (
            "suggest_form_values",
            json!({"form": fork(json!({})), "field": "source_branch"}),
        ),
        (
            "suggest_form_values",
            json!({"form": steam(json!({})), "field": "source_branch", "values": places}),
        ),
        (
            "suggest_form_values",
            json!({"form": steam(json!({})), "field": "source_repo"}),
        ),
    ] {
        let result = bb.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        assert!(
            text(&result).contains("bb was started for ACME/rocket alone"),
            "{}",
            text(&result)
        );
    }
    assert_eq!(requests(&stand_in), Vec::<String>::new());
    let within = drawing(
        &mut bb,
        "suggest_form_values",
        json!({"form": steam(json!({})), "field": "target_branch", "text": "main"}),
    );
    assert_eq!(values(&within), ["main"]);
}
