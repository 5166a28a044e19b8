//! Builds: what a pull request's page lists, and what there is of a commit.
//!
//! Never mixes the two: what is known of a commit alone says so. Start reading at
//! [`Bitbucket::listed_builds`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, End, Listing, Page};
use crate::bitbucket::wire::{Each, Moment, Whole};
use crate::cancel::Cancel;
use crate::domain::build::{Build, BuildCounts, BuildState, BuildSummary, BuildsOf, TestCounts};
use crate::domain::repository::{PullRequestId, RepositoryId};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// Bitbucket's page reads at most 500 builds at once, and at most 2000 in all.
const PAGE_BUILDS: u64 = 500;
const MAX_BUILDS: usize = 2000;
/// A server may clamp what is asked for at once to less, so more than four pages are followed.
const MAX_PAGES: usize = 80;
/// Each commit adds 50 characters to an address; servers take one of 8,192.
const MAX_SUMMED: usize = 100;
/// The old listing tells the newest hundred and no more.
const MAX_OLD_BUILDS: usize = 100;

/// What a pull request's page lists.
#[derive(Clone, Debug)]
pub struct ListedBuilds {
    /// In Bitbucket's order.
    pub builds: Listing<Build>,
    /// The newest commit of the source branch as this listing knows it; it may be newer than the pull request that
    /// was read before.
    pub commit: Option<String>,
}

impl ListedBuilds {
    /// Whether these are all: a list that ends at Bitbucket's own cap may have lost its end there.
    pub fn is_whole(&self) -> bool {
        self.builds.end == End::Reached && self.builds.values.len() < MAX_BUILDS
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wrapped {
    page: Page<Each<Wire>>,
    pull_request: Option<Echo>,
}

/// The pull request as the listing knows it.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Echo {
    from_ref: Option<Tip>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Tip {
    latest_commit: Option<String>,
}

/// A build in either listing: the old one has `dateAdded`, and neither a parent nor a branch.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Wire {
    key: Option<String>,
    name: Option<String>,
    state: Option<String>,
    parent: Option<String>,
    #[serde(rename = "ref")]
    reference: Option<String>,
    #[serde(deserialize_with = "loose")]
    build_number: Option<String>,
    url: Option<String>,
    updated_date: Moment,
    date_added: Moment,
    duration: Whole,
    test_results: Option<WireTests>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireTests {
    failed: Whole,
    skipped: Whole,
    successful: Whole,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Stats {
    successful: Whole,
    failed: Whole,
    in_progress: Whole,
    cancelled: Whole,
    unknown: Whole,
}

impl Bitbucket {
    /// Lists the builds that a pull request's page lists: the source commit's, for its branch or for none. At most
    /// 2000, as the page does. `None` where this Bitbucket, or a proxy before it, does not give that listing.
    ///
    /// # Errors
    /// Whatever else keeps the listing from being read.
    ///
    /// Source: `GET /rest/ui/latest/projects/{key}/repos/{slug}/pull-requests/{id}/builds`
    pub fn listed_builds(
        &self,
        id: &PullRequestId,
        cancel: &Cancel,
    ) -> Result<Option<ListedBuilds>, ApiError> {
        let path = Path::rest("ui")
            .within(&id.repository.project, &id.repository.slug)
            .segment("pull-requests")
            .segment(&id.number.to_string())
            .segment("builds");
        let request = Request::get(format!("read the builds of {id}"), path);
        let ask = Ask::first(MAX_BUILDS)
            .pages_of(PAGE_BUILDS)
            .at_most(MAX_PAGES);
        let mut commit = None;
        let read = listing::read_inside(&self.http, &request, ask, cancel, |wrapped: Wrapped| {
            let tip = wrapped.pull_request.and_then(|echo| echo.from_ref);
            // A push between two pages leaves the newest word of it.
            commit = tip.and_then(|tip| tip.latest_commit).or(commit.take());
            wrapped.page
        });
        match read {
            Ok(listing) => Ok(Some(ListedBuilds {
                builds: listing.filter_map(|build| Some(build.salvaged()?.into_domain())),
                commit,
            })),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sums up what [`Self::listed_builds`] lists.
    ///
    /// # Errors
    /// The same.
    pub fn builds_of_pull_request(
        &self,
        id: &PullRequestId,
        cancel: &Cancel,
    ) -> Result<Option<BuildSummary>, ApiError> {
        let listed = self.listed_builds(id, cancel)?;
        Ok(listed.map(|listed| BuildSummary {
            is_whole: listed.is_whole(),
            counts: listed
                .builds
                .values
                .into_iter()
                .map(|build| build.state)
                .collect(),
            of: BuildsOf::PullRequest,
        }))
    }

    /// Sums up the builds of each of these commits in one request, as Bitbucket's own lists do. A commit without
    /// builds is not in it; nothing is where this Bitbucket, or a proxy before it, does not give the sums.
    ///
    /// # Errors
    /// Whatever else keeps the sums from being read.
    ///
    /// Source: `GET /rest/ui/latest/projects/{key}/repos/{slug}/build-summaries?commitId=…&commitId=…`
    pub fn builds_of_commits(
        &self,
        repository: &RepositoryId,
        commits: &[&str],
        cancel: &Cancel,
    ) -> Result<BTreeMap<String, BuildCounts>, ApiError> {
        if commits.is_empty() {
            return Ok(BTreeMap::new());
        }
        let path = Path::rest("ui")
            .within(&repository.project, &repository.slug)
            .segment("build-summaries");
        let path = commits
            .iter()
            .take(MAX_SUMMED)
            .fold(path, |path, commit| path.query("commitId", commit));
        let what = format!("sum up the builds of commits of {repository}");
        let sums: BTreeMap<String, Each<Stats>> =
            match self.http.get(Request::get(what, path), cancel) {
                Ok(answer) => answer.json()?,
                Err(error) if is_absent(&error) => return Ok(BTreeMap::new()),
                Err(error) => return Err(error),
            };
        let counted = sums
            .into_iter()
            .filter_map(|(commit, sum)| Some((commit, sum.salvaged()?.into_domain())));
        Ok(counted
            .filter(|(_, counts)| *counts != BuildCounts::default())
            .collect())
    }

    /// Lists the newest builds of a commit, wherever they were built for: at most 100, which say neither what they
    /// report under nor for which branch.
    ///
    /// # Errors
    /// Whatever keeps the list from being read.
    ///
    /// Source: `GET /rest/build-status/latest/commits/{commit}`
    pub fn builds_of_commit_listed(
        &self,
        commit: &str,
        cancel: &Cancel,
    ) -> Result<Listing<Build>, ApiError> {
        let path = Path::rest("build-status")
            .segment("commits")
            .segment(commit);
        let what = format!("list the builds of commit {}", short(commit));
        let listing: Listing<Wire> = listing::read_each(
            &self.http,
            &Request::get(what, path),
            Ask::first(MAX_OLD_BUILDS),
            cancel,
        )?;
        let listing = listing.map(Wire::into_domain);
        // A hundred may be all that there are, or all that are told.
        Ok(match listing.values.len() < MAX_OLD_BUILDS {
            true => listing,
            false => Listing::cut(listing.values),
        })
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
        let short = short(commit);
        let path = Path::rest("build-status")
            .segment("commits")
            .segment("stats")
            .segment(commit);
        let request = Request::get(format!("read the builds of commit {short}"), path);
        let answer = self.http.get(request, cancel)?;
        let stats: Stats = answer.json()?;
        let told = [
            stats.successful,
            stats.failed,
            stats.in_progress,
            stats.cancelled,
            stats.unknown,
        ];
        if told.iter().all(|count| count.0.is_none()) {
            return Err(answer.lacking("successful"));
        }
        Ok(BuildSummary {
            counts: stats.into_domain(),
            of: BuildsOf::Commit(short.to_owned()),
            is_whole: true,
        })
    }
}

impl Stats {
    fn into_domain(self) -> BuildCounts {
        BuildCounts {
            successful: self.successful.0.unwrap_or(0),
            failed: self.failed.0.unwrap_or(0),
            in_progress: self.in_progress.0.unwrap_or(0),
            cancelled: self.cancelled.0.unwrap_or(0),
            unknown: self.unknown.0.unwrap_or(0),
        }
    }
}

impl Wire {
    fn into_domain(self) -> Build {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        Build {
            key: self.key.unwrap_or_default(),
            name: self.name.unwrap_or_default(),
            state: BuildState::read(&self.state.unwrap_or_default()),
            parent: given(self.parent),
            reference: given(self.reference),
            number: given(self.build_number),
            address: given(self.url),
            updated: self.updated_date.0.or(self.date_added.0),
            duration_ms: self.duration.0,
            tests: self.test_results.map(|tests| TestCounts {
                failed: tests.failed.0.unwrap_or(0),
                skipped: tests.skipped.0.unwrap_or(0),
                successful: tests.successful.0.unwrap_or(0),
            }),
        }
    }
}

/// A text, or a number written as one; anything else is none, and no fault. Only Bitbucket's own pages read this
/// field, so nothing public says which it is.
fn loose<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(match value {
        serde_json::Value::String(text) => Some(text),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

fn short(commit: &str) -> &str {
    commit.get(..11).unwrap_or(commit)
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
