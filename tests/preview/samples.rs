//! Arguments to try each kind with. Which kinds there are, the server says.
//!
//! Start at [`of`]. A new kind needs no row: its own example is used until it has some.

use serde_json::{Value, json};

/// Something worth looking at.
pub struct Sample {
    /// What a person picks.
    pub title: String,
    /// The arguments of `show`.
    pub arguments: Value,
}

/// Pull requests of the world: repository, id, what is special.
const PULL_REQUESTS: &[(&str, u64, &str)] = &[
    ("ACME/rocket", 42, "Busy: failed build, vetoes, tasks"),
    ("ACME/rocket", 54, "Ready to merge"),
    ("ACME/rocket", 55, "In motion: auto-merge waits"),
    ("ACME/rocket", 41, "Merged"),
    ("ACME/rocket", 39, "Declined"),
    ("ACME/rocket", 43, "Draft"),
    ("ACME/rocket", 44, "Conflicts"),
    ("ACME/rocket", 45, "From a fork"),
    ("ACME/rocket", 46, "From a repository not to be seen"),
    ("ACME/rocket", 47, "60 reviewers, no description"),
    ("ACME/rocket", 48, "A description of 200 KB"),
    ("ACME/rocket", 49, "200 builds"),
    ("ACME/rocket", 50, "Hostile text"),
    ("ACME/gantry", 7, "You may not merge"),
    ("FLEET/fleet", 1, "1,000 files changed"),
    ("~wren.okafor/notes", 3, "In a personal repository"),
];

/// The other kinds' samples: kind, arguments beside it, what is special.
const OTHERS: &[(&str, &str, &str)] = &[
    ("pull_requests", r#"{"repo":"ACME/rocket"}"#, "Open"),
    (
        "pull_requests",
        r#"{"repo":"ACME/rocket","state":"ALL"}"#,
        "In every state",
    ),
    ("pull_requests", r#"{"role":"reviewer"}"#, "Yours to review"),
    (
        "pull_requests",
        r#"{"repo":"ACME/gantry","state":"DECLINED"}"#,
        "None",
    ),
    ("diff", r#"{"repo":"ACME/rocket","id":42}"#, "With comments"),
    (
        "diff",
        r#"{"repo":"ACME/rocket","id":51}"#,
        "Every type of change",
    ),
    ("diff", r#"{"repo":"ACME/rocket","id":44}"#, "Conflicts"),
    (
        "diff",
        r#"{"repo":"ACME/rocket","id":52}"#,
        "Cut by Bitbucket",
    ),
    (
        "diff",
        r#"{"repo":"ACME/rocket","id":53}"#,
        "Long lines, odd characters",
    ),
    ("diff", r#"{"repo":"ACME/rocket","id":50}"#, "Hostile text"),
    ("diff", r#"{"repo":"FLEET/fleet","id":1}"#, "1,000 files"),
    (
        "diff",
        r#"{"repo":"ACME/rocket","from":"feature/igniter","to":"main"}"#,
        "Two branches",
    ),
    (
        "commits",
        r#"{"repo":"ACME/rocket","id":42}"#,
        "Of a pull request",
    ),
    ("commits", r#"{"repo":"ACME/rocket"}"#, "Of a repository"),
    (
        "builds",
        r#"{"repo":"ACME/rocket","id":42}"#,
        "Failed, and one missing",
    ),
    ("builds", r#"{"repo":"ACME/rocket","id":49}"#, "200 of them"),
    ("builds", r#"{"repo":"ACME/rocket","id":55}"#, "Under way"),
];

/// What to try a kind with, the most telling first.
pub fn of(kind: &str) -> Vec<Sample> {
    if kind == "pull_request" {
        return PULL_REQUESTS.iter().map(pull_request).collect();
    }
    let others: Vec<Sample> = OTHERS
        .iter()
        .filter(|(of, _, _)| *of == kind)
        .map(other)
        .collect();
    if !others.is_empty() {
        return others;
    }
    let known = bb::show::kinds::KINDS.iter().find(|one| one.name == kind);
    let arguments = known.and_then(|one| serde_json::from_str(one.example).ok());
    vec![Sample {
        title: "The example of its description".to_owned(),
        arguments: arguments.unwrap_or_else(|| json!({"kind": kind})),
    }]
}

fn other((kind, arguments, what): &(&str, &str, &str)) -> Sample {
    let mut arguments: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
    arguments["kind"] = json!(kind);
    Sample {
        title: (*what).to_owned(),
        arguments,
    }
}

fn pull_request((repository, id, what): &(&str, u64, &str)) -> Sample {
    let (project, repo) = repository.split_once('/').unwrap_or((repository, ""));
    Sample {
        title: (*what).to_owned(),
        arguments: json!({"kind": "pull_request", "project": project, "repo": repo, "id": id}),
    }
}
