//! `get_build_status`: the builds of a pull request as its page lists them, or of a commit.

use crate::beside::beside;
use crate::bitbucket::listing::Listing;
use crate::domain::build::{Build, BuildState, BuildSummary, BuildsOf};
use crate::domain::repository::PullRequestId;
use crate::tool::answer::Answer;
use crate::tool::args::Target;
use crate::tool::lists::BuildsAsked;
use crate::tool::reach::Reach;
use crate::tool::{Call, Effect, Group, Tool, ToolError, lists};
use crate::tools::shapes;
use serde_json::{Value, json};
use std::thread::scope;

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "get_build_status",
    title: "Get build status",
    group: Group::Builds,
    description: "Builds of a pull request (id) as its page lists them, or of a commit (commit_id): counts of all, then each \
                  with name, state, url, and as parent the required key that it reports under; the worst first.",
    effect: Effect::Reads,
    target: Target::MaybeRepository,
    reach: Reach::Target,
    args: lists::BUILDS_ARGS,
    example: r#"{"project":"ACME","repo":"rocket","id":42}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    (call.step)("reading the builds");
    let found = match lists::builds_of(&call.asking())? {
        BuildsAsked::Commit(commit) => of_commit(call, &commit)?,
        BuildsAsked::PullRequest(id) => of_pull_request(call, &id)?,
    };
    Ok(answer(call, found))
}

/// Builds, of what, and what they are of in Bitbucket's sense.
struct Found {
    builds: Listing<Build>,
    summary: BuildSummary,
    commit: Option<String>,
}

fn of_pull_request(call: &Call, id: &PullRequestId) -> Result<Found, ToolError> {
    if let Some(listed) = call.bitbucket.listed_builds(id, call.cancel)? {
        let states = listed.builds.values.iter().map(|build| build.state.clone());
        return Ok(Found {
            summary: BuildSummary {
                counts: states.collect(),
                of: BuildsOf::PullRequest,
                is_whole: listed.is_whole(),
            },
            builds: listed.builds,
            commit: listed.commit,
        });
    }
    let one = call.bitbucket.pull_request(id, call.cancel)?;
    match one.source.latest_commit.as_str() {
        "" => Err(ToolError::Arguments(vec![format!(
            "`id`: Bitbucket does not tell the newest commit of {id}, so give `commit_id`"
        )])),
        commit => of_commit(call, commit),
    }
}

/// The counts of every build of the commit, and the newest of them: the list ends at a hundred.
fn of_commit(call: &Call, commit: &str) -> Result<Found, ToolError> {
    let (bitbucket, cancel) = (call.bitbucket, call.cancel);
    let (summary, builds) = scope(|threads| {
        let builds = beside(threads, || {
            bitbucket.builds_of_commit_listed(commit, cancel)
        });
        let summary = bitbucket.builds_of_commit(commit, cancel);
        (summary, builds.get())
    });
    let (summary, builds) = (summary?, builds?.values);
    Ok(Found {
        builds: match summary.counts.all() > builds.len() as u64 {
            true => Listing::cut(builds),
            false => Listing::whole(builds),
        },
        summary,
        commit: Some(commit.to_owned()),
    })
}

fn answer(call: &Call, found: Found) -> Answer {
    let listing = found.builds.regroup(|mut builds| {
        // States stand in the order of how bad they are; within one, Bitbucket's order stays.
        builds.sort_by(|one, other| one.state.cmp(&other.state));
        builds
    });
    let start = call.input.start();
    Answer::list(
        "builds",
        &listing.part(start, call.input.limit()),
        start,
        entry,
    )
    .with("counts", shapes::builds(&found.summary))
    .with("commit", json!(found.commit))
}

fn entry(build: &Build) -> Value {
    json!({
        "key": build.key,
        "name": Some(&build.name).filter(|name| !name.is_empty()),
        "state": build.state.word(),
        "parent": build.parent,
        "ref": build.reference,
        "buildNumber": build.number,
        "url": build.address,
        "updatedDate": shapes::time(build.updated),
        "duration": build.duration_ms,
        "testResults": build.tests.filter(|_| build.state != BuildState::InProgress).map(|tests| json!({
            "failed": tests.failed, "skipped": tests.skipped, "successful": tests.successful,
        })),
    })
}

fn result() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    let mut schema = shapes::list_schema(
        "builds",
        shapes::object(json!({
            "key": text, "name": text, "state": text, "parent": text, "ref": text, "buildNumber": text,
            "url": text, "updatedDate": text, "duration": number,
            "testResults": shapes::object(json!({"failed": number, "skipped": number, "successful": number})),
        })),
    );
    schema["properties"]["commit"] = text.clone();
    schema["properties"]["counts"] = shapes::object(json!({
        "successful": number, "failed": number, "inProgress": number, "cancelled": number, "unknown": number,
        "of": text, "more": {"type": "boolean"},
    }));
    schema
}
