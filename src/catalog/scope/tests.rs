use super::{Entry, Scope};
use crate::bitbucket::address::BaseUrl;
use crate::tool::args::{Arg, Input, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::{Effect, Group, Tool, ToolError};
use serde_json::{Map, Value, json};

const TEXT: Kind = Kind::Text { max_chars: 200 };
const ARGS: &[Arg] = &[
    Arg::optional("query", TEXT, ""),
    Arg::optional("source_project", TEXT, ""),
    Arg::optional("source_repo", TEXT, ""),
];
const FORK: Reach = Reach::TargetAnd {
    project: "source_project",
    repo: "source_repo",
};

fn tool(target: Target, reach: Reach) -> Tool {
    const PROJECT: &[Arg] = &[Arg::optional("project", TEXT, "")];
    Tool {
        name: "a_tool",
        title: "",
        group: Group::PullRequests,
        description: "",
        effect: Effect::Reads,
        target,
        reach,
        args: if target == Target::Nothing {
            PROJECT
        } else {
            ARGS
        },
        example: "{}",
        result: || Value::Null,
        run: |_| Err(ToolError::Arguments(Vec::new())),
    }
}

fn scope(entries: &str) -> Scope {
    Scope::new(entries.split_whitespace().map(|entry| {
        let mut parts = entry.split('/').map(str::to_owned);
        Entry {
            project: parts.next().unwrap_or_default(),
            repo: parts.next(),
        }
    }))
}

/// `within` is what is told of the call: `ok`, or a part of the refusal; and where it goes when it is let through.
#[track_caller]
fn check(entries: &str, target: Target, reach: Reach, given: Value, within: &str) {
    let (scope, tool) = (scope(entries), tool(target, reach));
    let base = BaseUrl::parse("https://code.example.com/bitbucket").expect("an address");
    let mut arguments: Map<String, Value> = serde_json::from_value(given.clone()).expect("one");
    scope.fill(target, reach, &mut arguments);
    let said = match Input::read(arguments, tool.target, tool.args, &base) {
        Err(problems) => problems.join("; "),
        Ok(input) => match scope.admits(reach, &input, &base) {
            Err(why) => why,
            Ok(()) => match (input.repository(), input.text("project")) {
                (Some(repository), _) => format!("ok {repository}"),
                (None, Some(project)) => format!("ok {project}"),
                (None, None) => "ok".to_owned(),
            },
        },
    };
    let fits = match within.starts_with("ok") {
        true => said == within,
        false => said.contains(within),
    };
    assert!(
        fits,
        "{given} within {entries:?}\nsaid: {said}\nnot: {within}"
    );
}

const ADDRESS: &str =
    "https://code.example.com/bitbucket/projects/FLEET/repos/dock/pull-requests/7";

#[test]
fn a_call_stays_within_its_scope() {
    use Target::{PullRequest, Repository};
    let out = "is out of scope; bb was started for ACME/rocket, FLEET, ~wren alone";
    let scope = "acme/Rocket FLEET ~WREN";
    let out = out.replace("ACME/rocket", "ACME/Rocket");
    for (given, within) in [
        (
            json!({"project": "acme", "repo": "ROCKET", "id": 1}),
            "ok ACME/ROCKET",
        ),
        (
            json!({"project": "fleet", "repo": "any", "id": 1}),
            "ok FLEET/any",
        ),
        (
            json!({"project": "~Wren", "repo": "notes", "id": 1}),
            "ok ~wren/notes",
        ),
        (json!({"repo": "~WREN/notes", "id": "2"}), "ok ~wren/notes"),
        (json!({"id": ADDRESS}), "ok FLEET/dock"),
        (
            json!({"project": "ACME", "repo": "boosters", "id": 1}),
            out.as_str(),
        ),
        (json!({"repo": "HQ/rocket", "id": 1}), &out),
        (json!({"project": "~ivy", "repo": "notes", "id": 1}), &out),
        (json!({"project": "WREN", "repo": "notes", "id": 1}), &out),
        (json!({"id": ADDRESS.replace("FLEET", "HQ")}), &out),
        (
            json!({"id": ADDRESS.replace("projects/FLEET", "users/ivy")}),
            &out,
        ),
        (
            json!({"project": "FLEET", "id": ADDRESS.replace("FLEET", "HQ")}),
            "another project",
        ),
        (json!({"repo": "rocket", "id": 1}), "`project` is missing"),
    ] {
        check(scope, PullRequest, Reach::Target, given, within);
    }
    check(
        "",
        Repository,
        Reach::Target,
        json!({"repo": "HQ/x"}),
        "ok HQ/x",
    );
}

#[test]
fn what_a_call_leaves_out_is_filled_in_where_one_place_is_within_reach() {
    use Target::{MaybeProject, MaybeRepository, Nothing, PullRequest, Repository};
    let (target, query) = (Reach::Target, Reach::Query("query"));
    for (entries, kind, reach, given, within) in [
        (
            "acme/rocket",
            Repository,
            target,
            json!({}),
            "ok ACME/rocket",
        ),
        (
            "acme/rocket",
            Repository,
            target,
            json!({"project": "Acme", "repo": null}),
            "ok ACME/rocket",
        ),
        (
            "acme/rocket",
            PullRequest,
            target,
            json!({"id": 4}),
            "ok ACME/rocket",
        ),
        (
            "acme/rocket",
            PullRequest,
            target,
            json!({"id": "4", "repo": " "}),
            "ok ACME/rocket",
        ),
        (
            "acme/rocket",
            PullRequest,
            target,
            json!({"id": ADDRESS}),
            "FLEET/dock is out of scope",
        ),
        (
            "acme/rocket",
            Repository,
            target,
            json!({"repo": "dock"}),
            "ACME/dock is out of scope",
        ),
        (
            "acme/rocket",
            Repository,
            target,
            json!({"project": "FLEET"}),
            "`repo` is missing",
        ),
        (
            "acme/rocket",
            MaybeRepository,
            target,
            json!({}),
            "ok ACME/rocket",
        ),
        (
            "acme/rocket",
            MaybeProject,
            query,
            json!({}),
            "ok ACME/rocket",
        ),
        (
            "acme",
            Repository,
            target,
            json!({"repo": "dock"}),
            "ok ACME/dock",
        ),
        ("acme", Repository, target, json!({}), "`repo` is missing"),
        (
            "acme",
            MaybeRepository,
            target,
            json!({"repo": "dock"}),
            "ok ACME/dock",
        ),
        (
            "acme",
            MaybeRepository,
            target,
            json!({}),
            "reads across all repositories; bb was started for ACME",
        ),
        ("acme", MaybeProject, query, json!({}), "ok ACME"),
        ("acme", Nothing, Reach::Project, json!({}), "ok ACME"),
        (
            "acme",
            Nothing,
            Reach::Project,
            json!({"project": "acme"}),
            "ok acme",
        ),
        (
            "acme",
            Nothing,
            Reach::Project,
            json!({"project": "FLEET"}),
            "all of FLEET is out of scope",
        ),
        (
            "acme/rocket",
            Nothing,
            Reach::Project,
            json!({"project": "acme"}),
            "all of acme is out of scope",
        ),
        (
            "acme fleet",
            Nothing,
            Reach::Project,
            json!({}),
            "reads across all projects",
        ),
        (
            "acme fleet",
            MaybeRepository,
            target,
            json!({}),
            "reads across all repositories",
        ),
        (
            "acme fleet",
            Repository,
            target,
            json!({"repo": "dock"}),
            "`project` is missing",
        ),
        (
            "acme",
            Repository,
            target,
            json!({"repo": 7}),
            "`repo` is 7",
        ),
    ] {
        check(entries, kind, reach, given, within);
    }
}

#[test]
fn a_query_names_no_place_of_its_own() {
    for (given, within) in [
        (json!({"query": "valve", "project": "acme"}), "ok ACME"),
        (
            json!({"query": "valve", "project": "acme", "repo": "x"}),
            "ok ACME/x",
        ),
        (
            json!({"query": "valve", "project": "FLEET"}),
            "all of FLEET is out of scope",
        ),
        (
            json!({"query": "valve", "project": "FLEET", "repo": "x"}),
            "FLEET/x is out of scope",
        ),
        (
            json!({"query": "valve Project:FLEET"}),
            "`query` has `project:` in it",
        ),
        (
            json!({"query": "-repo:ACME/x valve"}),
            "`query` has `repo:` in it",
        ),
    ] {
        check(
            "acme",
            Target::MaybeProject,
            Reach::Query("query"),
            given,
            within,
        );
    }
}

#[test]
fn a_fork_counts_as_a_repository_that_is_named() {
    for (given, within) in [
        (json!({}), "ok ACME/rocket"),
        (json!({"source_project": "acme"}), "ok ACME/rocket"),
        (
            json!({"source_project": "~wren", "source_repo": "rocket"}),
            "ok ACME/rocket",
        ),
        (json!({"source_repo": "~Wren/rocket"}), "ok ACME/rocket"),
        (
            json!({"source_project": "~ivy"}),
            "~ivy/rocket is out of scope",
        ),
        (
            json!({"source_repo": "secret"}),
            "ACME/secret is out of scope",
        ),
        (
            json!({"source_repo": "HQ/rocket"}),
            "HQ/rocket is out of scope",
        ),
        (
            json!({"source_project": "~ivy", "source_repo": "ACME/rocket"}),
            "~ivy/rocket is out of scope",
        ),
        (
            json!({"source_project": "~wren", "source_repo": "HQ/x"}),
            "HQ/x is out of scope",
        ),
        (
            json!({"source_repo": ADDRESS}),
            "FLEET/dock is out of scope",
        ),
    ] {
        let mut given = given;
        given["repo"] = json!("ACME/rocket");
        check("acme/rocket ~wren", Target::Repository, FORK, given, within);
    }
}

#[test]
fn a_tool_that_reads_whole_projects_needs_one_within_reach() {
    let search = tool(Target::Nothing, Reach::Project);
    for (entries, by) in [
        ("", None),
        ("acme", None),
        ("acme/rocket fleet", None),
        ("acme/rocket", Some("--repo")),
    ] {
        assert_eq!(scope(entries).withholds(&search), by, "{entries}");
        assert_eq!(
            scope(entries).withholds(&tool(Target::Repository, Reach::Target)),
            None
        );
    }
}
