//! Builds: what a pull request's page lists, and what there is of a commit.

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::Request;
use crate::cancel::Cancel;
use crate::domain::build::{BuildCounts, BuildState, BuildSummary, BuildsOf};
use crate::domain::repository::PullRequestId;
use serde::Deserialize;

/// Bitbucket's page reads at most 500 builds at once, and at most 2000 in all.
const PAGE_BUILDS: u64 = 500;
const MAX_PAGES: usize = 4;

#[derive(Deserialize)]
struct Wrapped {
    page: Page,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    #[serde(default = "Vec::new")]
    values: Vec<Build>,
    next_page_start: Option<u64>,
}

#[derive(Deserialize)]
struct Build {
    #[serde(default)]
    state: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Stats {
    successful: Option<u64>,
    failed: Option<u64>,
    in_progress: Option<u64>,
    cancelled: Option<u64>,
    unknown: Option<u64>,
}

impl Bitbucket {
    /// Sums up the builds that a pull request's page lists: the source commit's, for its branch or for none.
    /// `None` where this Bitbucket, or a proxy before it, does not give that listing.
    ///
    /// # Errors
    /// Whatever else keeps the listing from being read.
    ///
    /// Source: `GET /rest/ui/latest/projects/{key}/repos/{slug}/pull-requests/{id}/builds`
    pub fn builds_of_pull_request(
        &self,
        id: &PullRequestId,
        cancel: &Cancel,
    ) -> Result<Option<BuildSummary>, ApiError> {
        let path = Path::rest("ui")
            .within(&id.repository.project, &id.repository.slug)
            .segment("pull-requests")
            .segment(&id.number.to_string())
            .segment("builds");
        let request = Request::get(format!("read the builds of {id}"), path);
        let mut counts = BuildCounts::default();
        let mut start = 0;
        for _ in 0..MAX_PAGES {
            let page = match self.http.get(request.at_page(start, PAGE_BUILDS), cancel) {
                Ok(answer) => answer.json::<Wrapped>()?.page,
                Err(error) if is_absent(&error) => return Ok(None),
                Err(error) => return Err(error),
            };
            for build in &page.values {
                counts.add(&BuildState::read(
                    build.state.as_deref().unwrap_or_default(),
                ));
            }
            match page.next_page_start {
                Some(next) if next > start => start = next,
                _ => {
                    let of = BuildsOf::PullRequest;
                    return Ok(Some(BuildSummary {
                        counts,
                        of,
                        is_whole: true,
                    }));
                }
            }
        }
        let of = BuildsOf::PullRequest;
        Ok(Some(BuildSummary {
            counts,
            of,
            is_whole: false,
        }))
    }

    /// Sums up every build of a commit, wherever it was built for.
    ///
    /// # Errors
    /// Whatever keeps the counts from being read.
    ///
    /// Source: `GET /rest/build-status/latest/commits/stats/{commit}`
    pub fn builds_of_commit(
        &self,
        commit: &str,
        cancel: &Cancel,
    ) -> Result<BuildSummary, ApiError> {
        let short = commit.get(..11).unwrap_or(commit);
        let path = Path::rest("build-status")
            .segment("commits")
            .segment("stats")
            .segment(commit);
        let request = Request::get(format!("read the builds of commit {short}"), path);
        let stats: Stats = self.http.get(request, cancel)?.json()?;
        Ok(BuildSummary {
            counts: BuildCounts {
                successful: stats.successful.unwrap_or(0),
                failed: stats.failed.unwrap_or(0),
                in_progress: stats.in_progress.unwrap_or(0),
                cancelled: stats.cancelled.unwrap_or(0),
                unknown: stats.unknown.unwrap_or(0),
            },
            of: BuildsOf::Commit(short.to_owned()),
            is_whole: true,
        })
    }
}

/// An internal address: older versions lack it, and a proxy may let public ones through alone.
fn is_absent(error: &ApiError) -> bool {
    matches!(
        error.fault(),
        Fault::NotFound
            | Fault::NotAllowed
            | Fault::NotSignedIn
            | Fault::NotBitbucket
            | Fault::NotUnderstood
    )
}
