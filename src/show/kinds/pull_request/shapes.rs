//! The JSON of a pull request's facts, as `view/kinds/pull_request.js` documents it.
//!
//! Never decides what they hold: [`super::facts`] does. Start reading at [`PullRequestFacts`].

use super::activity::ActivityFacts;
use crate::markdown::Node;
use crate::show::kinds::list::{States, is_zero};
use crate::show::shapes::{Counted, Part, Repository, Somebody, is_false};
use crate::show::text::Text;
use serde::Serialize;

/// `PullRequestFacts`
#[derive(Serialize)]
pub(super) struct PullRequestFacts {
    pub(super) address: String,
    pub(super) repository: Repository,
    pub(super) id: u64,
    pub(super) title: String,
    pub(super) state: String,
    pub(super) draft: bool,
    pub(super) locked: bool,
    pub(super) source: End,
    pub(super) target: End,
    pub(super) author: Option<Somebody>,
    pub(super) created_at: Option<String>,
    pub(super) updated_at: Option<String>,
    pub(super) closed_at: Option<String>,
    pub(super) merged: Option<Merged>,
    pub(super) description: Option<Text>,
    pub(super) reviewers: Reviewers,
    pub(super) merge_checks: Option<Part<MergeChecks>>,
    pub(super) tasks: Part<TaskFacts>,
    pub(super) builds: Part<BuildFacts>,
    pub(super) comments: Option<Counted>,
    pub(super) version: Option<i64>,
    pub(super) me: Option<Me>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) merge_strategies: Vec<StrategyFact>,
    pub(super) activity: Part<ActivityFacts>,
}

/// A way to merge, by Bitbucket's name.
#[derive(Serialize)]
pub(super) struct StrategyFact {
    pub(super) id: String,
    pub(super) name: String,
}

/// Who looks, and what they have said of it.
#[derive(Serialize)]
pub(super) struct Me {
    pub(super) name: String,
    pub(super) author: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<String>,
}

#[derive(Serialize)]
pub(super) struct End {
    pub(super) branch: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    /// Only where it is another than the target's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) repository: Option<Repository>,
}

#[derive(Serialize)]
pub(super) struct Merged {
    pub(super) commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<Somebody>,
}

#[derive(Serialize)]
pub(super) struct Reviewers {
    pub(super) count: Counted,
    pub(super) approved: usize,
    pub(super) listed: Vec<Reviewer>,
}

#[derive(Serialize)]
pub(super) struct Reviewer {
    pub(super) person: Somebody,
    pub(super) status: String,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) reviewed_older: bool,
}

#[derive(Serialize)]
pub(super) struct MergeChecks {
    pub(super) can_merge: bool,
    pub(super) conflicted: bool,
    pub(super) vetoes: Vec<VetoFact>,
    /// How many more there are, which do not fit.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) left_out: usize,
    pub(super) auto_merge: bool,
}

#[derive(Serialize)]
pub(super) struct VetoFact {
    pub(super) summary: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) detail: String,
}

#[derive(Serialize)]
pub(super) struct TaskFacts {
    pub(super) open: Counted,
    pub(super) resolved: Option<Counted>,
    pub(super) listed: Vec<TaskFact>,
    /// Why none is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) list_unread: Option<String>,
}

#[derive(Serialize)]
pub(super) struct TaskFact {
    pub(super) text: Vec<Node>,
    pub(super) author: Option<Somebody>,
}

#[derive(Serialize)]
pub(super) struct BuildFacts {
    pub(super) of: &'static str,
    pub(super) commit: String,
    pub(super) count: Counted,
    pub(super) states: States,
    pub(super) listed: Vec<BuildFact>,
    /// Why none is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) list_unread: Option<String>,
    pub(super) required: Option<Vec<RequiredFact>>,
}

#[derive(Serialize)]
pub(in crate::show::kinds) struct BuildFact {
    pub(super) key: String,
    pub(super) name: String,
    pub(super) state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) updated_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tests: Option<Tests>,
}

#[derive(Serialize)]
pub(in crate::show::kinds) struct Tests {
    pub(super) failed: u64,
    pub(super) skipped: u64,
    pub(super) successful: u64,
}

#[derive(Serialize)]
pub(in crate::show::kinds) struct RequiredFact {
    pub(super) key: String,
    pub(in crate::show::kinds) met: bool,
    pub(super) state: Option<&'static str>,
}
