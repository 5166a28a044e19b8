//! `list_required_builds`: which builds a repository wants before a pull request is merged.

use crate::domain::ref_matcher::{Branches, RefMatcher};
use crate::domain::repository::RepositoryId;
use crate::domain::required_builds::Condition;
use crate::tool::answer::{Answer, Paging};
use crate::tool::args::{Arg, Kind, Target};
use crate::tool::reach::Reach;
use crate::tool::source::branch_id;
use crate::tool::{Call, Effect, Group, Tool, ToolError};
use crate::tools::shapes;
use crate::words;
use serde_json::{Value, json};

/// The catalogue's entry.
pub const TOOL: Tool = Tool {
    name: "list_required_builds",
    title: "List required builds",
    group: Group::Builds,
    description: "Which builds a repository requires before a pull request into a branch is merged: for each condition the \
                  target branches, the exempt source branches and the keys (a build's parent). Whether they are met: \
                  get_build_status.",
    effect: Effect::Reads,
    target: Target::Repository,
    reach: Reach::Target,
    args: &[Arg::optional(
        "target_branch",
        Kind::Ref,
        "Only what holds for this branch",
    )],
    example: r#"{"project":"ACME","repo":"rocket","target_branch":"main"}"#,
    result,
    run,
};

fn run(call: &Call) -> Result<Answer, ToolError> {
    let Some(repository) = call.input.repository() else {
        return Err(ToolError::Arguments(vec!["`repo` is missing".to_owned()]));
    };
    (call.step)("reading the required builds");
    let conditions = call.bitbucket.required_builds(repository, call.cancel)?;
    let target = call.input.text("target_branch").map(branch_id);
    let listing = match target {
        None => conditions.map(|condition| (condition, Some(true))),
        Some(target) => {
            let branches = branches(call, repository, &conditions.values);
            conditions
                .map(|condition| {
                    let is_about = condition.target.matches(&target, &branches);
                    (condition, is_about)
                })
                .keep(|(_, is_about)| *is_about != Some(false))
        }
    };
    Ok(Answer::list("conditions", &listing, Paging::Whole, entry))
}

/// Reads of the repository what its matchers need; what cannot be read leaves those undecided.
fn branches(call: &Call, repository: &RepositoryId, conditions: &[Condition]) -> Branches {
    let targets = || conditions.iter().map(|condition| &condition.target);
    let (bitbucket, cancel) = (call.bitbucket, call.cancel);
    Branches {
        model: targets()
            .any(RefMatcher::needs_model)
            .then(|| bitbucket.branch_model(repository, cancel).ok())
            .flatten(),
        default: targets()
            .any(RefMatcher::needs_default)
            .then(|| {
                bitbucket
                    .default_branch(repository, cancel)
                    .ok()
                    .flatten()
                    .map(|branch| branch.id)
            })
            .flatten(),
    }
}

fn entry((condition, is_about): &(Condition, Option<bool>)) -> Value {
    let is_unsure = is_about.is_none();
    json!({
        "branches": words::matcher(&condition.target),
        "exemptSourceBranches": condition.exempt.as_ref().map(words::matcher),
        "keys": condition.keys,
        "forPullRequests": Some(false).filter(|_| !condition.is_for_pull_requests),
        "unsure": Some("bb cannot tell whether this holds for the branch").filter(|_| is_unsure),
    })
}

fn result() -> Value {
    let text = json!({"type": "string"});
    shapes::list_schema(
        "conditions",
        shapes::object(json!({
            "branches": text, "exemptSourceBranches": text,
            "keys": {"type": "array", "items": text},
            "forPullRequests": {"type": "boolean"}, "unsure": text,
        })),
    )
}
