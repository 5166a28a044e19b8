//! Merging: at once, or when the checks pass; how a repository lets it be done; what becomes of the source branch.
//!
//! Never asks whether a merge would go through: `pull_requests.rs` does. Start reading at
//! [`Bitbucket::merge`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::Request;
use crate::bitbucket::pull_requests::{Wire, path};
use crate::cancel::Cancel;
use crate::domain::pull_request::PullRequest;
use crate::domain::repository::{PullRequestId, RepositoryId};
use serde::{Deserialize, Serialize};

/// How a merge is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Merge<'a> {
    /// The version that was seen.
    pub version: i64,
    /// A strategy's id; the repository's default without one.
    pub strategy: Option<&'a str>,
    /// The merge commit's whole message; Bitbucket's own without one.
    pub message: Option<&'a str>,
    /// Whether it waits for the checks to pass.
    pub waits: bool,
}

/// A way to merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Such as `no-ff`.
    pub id: String,
    /// Whether the repository allows it.
    pub is_enabled: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    version: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_subject: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_merge: Option<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cleanup {
    delete_source_ref: bool,
    retarget_dependents: bool,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Settings {
    merge_config: Option<MergeConfig>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct MergeConfig {
    strategies: Option<Vec<WireStrategy>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireStrategy {
    id: Option<String>,
    enabled: Option<bool>,
}

#[derive(Deserialize)]
struct AutoMergeSettings {
    enabled: bool,
}

impl Bitbucket {
    /// Reads the ways to merge into a repository, in Bitbucket's order; none where it does not tell.
    ///
    /// # Errors
    /// Whatever keeps the settings from being read.
    ///
    /// Source: `GET …/settings/pull-requests`, `mergeConfig`
    pub fn merge_strategies(
        &self,
        at: &RepositoryId,
        cancel: &Cancel,
    ) -> Result<Vec<Strategy>, ApiError> {
        let path = Path::repository(&at.project, &at.slug)
            .segment("settings")
            .segment("pull-requests");
        let request = Request::get(format!("read the merge strategies of {at}"), path);
        let settings: Settings = self.http.get(request, cancel)?.json()?;
        let strategies = settings
            .merge_config
            .and_then(|config| config.strategies)
            .unwrap_or_default();
        Ok(strategies
            .into_iter()
            .filter_map(|wire| {
                Some(Strategy {
                    id: wire.id?,
                    is_enabled: wire.enabled.unwrap_or(true),
                })
            })
            .collect())
    }

    /// Whether a repository allows merges that wait for the checks; `None` where this Bitbucket has no such thing.
    ///
    /// # Errors
    /// Whatever else keeps the setting from being read.
    ///
    /// Source: `GET …/settings/auto-merge`, since 8.15
    pub fn allows_auto_merge(
        &self,
        at: &RepositoryId,
        cancel: &Cancel,
    ) -> Result<Option<bool>, ApiError> {
        let path = Path::repository(&at.project, &at.slug)
            .segment("settings")
            .segment("auto-merge");
        let request = Request::get(format!("read whether {at} allows auto-merge"), path);
        match self.http.get(request, cancel) {
            Ok(answer) => Ok(Some(answer.json::<AutoMergeSettings>()?.enabled)),
            Err(error) if error.fault() == Fault::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Merges a pull request, or asks that it be merged when the checks pass: then it may come back open.
    ///
    /// # Errors
    /// A conflict if the version moved on, something vetoes it, the branches conflict, or it is not open.
    ///
    /// Source: `POST …/pull-requests/{id}/merge`
    pub fn merge(
        &self,
        id: &PullRequestId,
        how: Merge,
        cancel: &Cancel,
    ) -> Result<PullRequest, ApiError> {
        let body = Body {
            version: how.version,
            strategy_id: how.strategy,
            message: how.message,
            // Else Bitbucket puts a subject of its own before the message.
            auto_subject: how.message.map(|_| false),
            auto_merge: Some(true).filter(|_| how.waits),
        };
        let what = match how.waits {
            true => format!("set auto-merge of {id}"),
            false => format!("merge {id}"),
        };
        let path = path(id).segment("merge").query("version", how.version);
        let request = Request::post(what, path).json(&body);
        let wire: Wire = self.write(request, "id", self.page_of(id), cancel)?;
        Ok(self.pull_request_of(wire, Some(id)))
    }

    /// Takes back the wish that a pull request be merged when the checks pass; says whether there was one.
    ///
    /// # Errors
    /// Whatever keeps it from being taken back.
    ///
    /// Source: `DELETE …/pull-requests/{id}/auto-merge`
    pub fn cancel_auto_merge(&self, id: &PullRequestId, cancel: &Cancel) -> Result<bool, ApiError> {
        let request = Request::delete(
            format!("cancel auto-merge of {id}"),
            path(id).segment("auto-merge"),
        );
        match self.write_only(request, self.page_of(id), cancel) {
            Ok(()) => Ok(true),
            Err(error) if error.fault() == Fault::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Deletes the source branch of a merged pull request; pull requests into that branch get another target, as
    /// when Bitbucket's page does it.
    ///
    /// # Errors
    /// Whatever keeps the branch.
    ///
    /// Source: `POST /rest/pull-request-cleanup/latest/projects/{key}/repos/{slug}/pull-requests/{id}`
    pub fn delete_source_branch(
        &self,
        id: &PullRequestId,
        cancel: &Cancel,
    ) -> Result<(), ApiError> {
        let path = Path::rest("pull-request-cleanup")
            .within(&id.repository.project, &id.repository.slug)
            .segment("pull-requests")
            .segment(&id.number.to_string());
        let body = Cleanup {
            delete_source_ref: true,
            retarget_dependents: true,
        };
        let request = Request::post(format!("delete the source branch of {id}"), path).json(&body);
        self.write_only(request, self.page_of(id), cancel)
    }
}
