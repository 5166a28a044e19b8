//! Which diff a call names: a pull request's, of two refs, of one commit.
//!
//! Never shows what the tool that answers it could not: each needs its own. Start reading at [`Asked::read`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::diffs::DiffOf;
use crate::domain::repository::{PullRequestId, RepositoryId};
use crate::show::drawing::Offers;
use crate::tool::ToolError;
use crate::tool::args::Input;

/// The tool that answers for a pull request's diff.
pub(super) const OF_PULL_REQUEST: &str = "get_pr_diff";
/// The tool that answers for that of two refs.
pub(super) const OF_REFS: &str = "compare_refs";
/// The tool that answers for a commit's.
pub(super) const OF_COMMIT: &str = "get_commit";

/// What a diff is wanted of.
#[derive(Debug)]
pub(super) enum Asked {
    PullRequest(PullRequestId),
    Refs {
        repository: RepositoryId,
        from: String,
        to: String,
    },
    Commit {
        repository: RepositoryId,
        commit: String,
    },
}

impl Asked {
    /// Reads the arguments, of which exactly one way may be given.
    pub(super) fn read(input: &Input, offers: &Offers) -> Result<Self, ToolError> {
        let text = |name| input.text(name).map(|text| text.trim().to_owned());
        let repository = input.repository().cloned();
        let asked = match (
            input.pull_request(),
            text("from"),
            text("to"),
            text("commit_id"),
            repository,
        ) {
            (Some(id), None, None, None, _) => Self::PullRequest(id),
            (None, Some(from), Some(to), None, Some(repository)) => Self::Refs {
                repository,
                from,
                to,
            },
            (None, None, None, Some(commit), Some(repository)) => {
                Self::Commit { repository, commit }
            }
            _ => {
                let ways = super::KIND.ways_in_words(&|tool| offers.tools.contains(&tool));
                return refused(format!("give one of these alone: {ways}"));
            }
        };
        let tool = asked.tool();
        if !offers.tools.contains(&tool) {
            let names = match asked {
                Self::PullRequest(_) => "`id`",
                Self::Refs { .. } => "`from` and `to`",
                Self::Commit { .. } => "`commit_id`",
            };
            return refused(format!(
                "{names}: such a diff is shown only while {tool} is offered, which it is not here: ask in another way"
            ));
        }
        Ok(asked)
    }

    fn tool(&self) -> &'static str {
        match self {
            Self::PullRequest(_) => OF_PULL_REQUEST,
            Self::Refs { .. } => OF_REFS,
            Self::Commit { .. } => OF_COMMIT,
        }
    }

    /// As Bitbucket is asked for it.
    pub(super) fn of(&self) -> DiffOf<'_> {
        match self {
            Self::PullRequest(id) => DiffOf::PullRequest(id),
            Self::Refs {
                repository,
                from,
                to,
            } => DiffOf::Refs {
                repository,
                from,
                to,
            },
            Self::Commit { repository, commit } => DiffOf::Commit { repository, commit },
        }
    }

    pub(super) fn repository(&self) -> &RepositoryId {
        match self {
            Self::PullRequest(id) => &id.repository,
            Self::Refs { repository, .. } | Self::Commit { repository, .. } => repository,
        }
    }

    /// Where a person sees it in Bitbucket.
    pub(super) fn page(&self, bitbucket: &Bitbucket) -> String {
        let at = self.repository();
        let (base, project, slug) = (bitbucket.base(), at.project.as_str(), at.slug.as_str());
        match self {
            Self::PullRequest(id) => base.pull_request_diff_page(project, slug, id.number),
            Self::Refs { from, to, .. } => base.compare_page(project, slug, from, to),
            Self::Commit { commit, .. } => base.commit_page(project, slug, commit),
        }
    }
}

fn refused<T>(problem: String) -> Result<T, ToolError> {
    Err(ToolError::Arguments(vec![problem]))
}
