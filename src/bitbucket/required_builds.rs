//! Required builds: the conditions of a repository, and what its matchers are read against.
//!
//! Never decides anything: [`crate::domain::required_builds`] does. Start reading at
//! [`Bitbucket::required_builds`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire::Ref;
use crate::cancel::Cancel;
use crate::domain::ref_matcher::{BranchModel, RefMatcher};
use crate::domain::repository::RepositoryId;
use crate::domain::required_builds::Condition;
use serde::Deserialize;

/// More conditions than any repository has. One that has more is not read to its end, and nothing is said of it.
const MAX_CONDITIONS: usize = 1000;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireCondition {
    build_parent_keys: Option<Vec<String>>,
    ref_matcher: Option<WireMatcher>,
    exempt_ref_matcher: Option<WireMatcher>,
    required_for_pull_request: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireMatcher {
    id: Option<String>,
    #[serde(rename = "type")]
    kind: Option<WireKind>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireKind {
    id: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireModel {
    development: Option<Ref>,
    production: Option<Ref>,
    types: Option<Vec<WireCategory>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireCategory {
    id: Option<String>,
    prefix: Option<String>,
}

impl Bitbucket {
    /// Reads the conditions of a repository: what must have been built for which branches.
    ///
    /// # Errors
    /// [`crate::bitbucket::error::Fault::NotFound`] before Bitbucket 7.14.
    ///
    /// Source: `GET /rest/required-builds/latest/projects/{key}/repos/{slug}/conditions`
    pub fn required_builds(
        &self,
        repository: &RepositoryId,
        cancel: &Cancel,
    ) -> Result<Listing<Condition>, ApiError> {
        let path = Path::rest("required-builds")
            .within(&repository.project, &repository.slug)
            .segment("conditions");
        let request = Request::get(format!("read the required builds of {repository}"), path);
        let listing: Listing<WireCondition> =
            listing::read(&self.http, &request, Ask::first(MAX_CONDITIONS), cancel)?;
        Ok(listing.map(WireCondition::into_domain))
    }

    /// Reads the branch model of a repository: one in which nothing is configured, where it has none.
    ///
    /// # Errors
    /// Whatever keeps the model from being read. No model and no such repository may both be [`crate::bitbucket::error::Fault::NotFound`].
    ///
    /// Source: `GET /rest/branch-utils/latest/projects/{key}/repos/{slug}/branchmodel`, which tells enabled
    /// categories and existing branches alone, and nothing (204) where there is no model.
    pub fn branch_model(
        &self,
        repository: &RepositoryId,
        cancel: &Cancel,
    ) -> Result<BranchModel, ApiError> {
        let path = Path::rest("branch-utils")
            .within(&repository.project, &repository.slug)
            .segment("branchmodel");
        let request = Request::get(format!("read the branch model of {repository}"), path);
        let answer = self.http.get(request, cancel)?;
        if answer.bytes().is_empty() {
            return Ok(BranchModel::default());
        }
        let wire: WireModel = answer.json()?;
        Ok(BranchModel {
            development: wire.development.and_then(|branch| branch.id),
            production: wire.production.and_then(|branch| branch.id),
            categories: wire
                .types
                .unwrap_or_default()
                .into_iter()
                .filter_map(|category| Some((category.id?, category.prefix?)))
                .collect(),
        })
    }
}

impl WireCondition {
    fn into_domain(self) -> Condition {
        Condition {
            keys: self.build_parent_keys.unwrap_or_default(),
            // Without a matcher there is no telling what it is about.
            target: self
                .ref_matcher
                .map_or(RefMatcher::Unknown, WireMatcher::into_domain),
            exempt: self.exempt_ref_matcher.map(WireMatcher::into_domain),
            is_for_pull_requests: self.required_for_pull_request.unwrap_or(true),
        }
    }
}

impl WireMatcher {
    fn into_domain(self) -> RefMatcher {
        let kind = self.kind.and_then(|kind| kind.id).unwrap_or_default();
        match (kind.as_str(), self.id) {
            ("ANY_REF", _) => RefMatcher::Any,
            ("DEFAULT_BRANCH", _) => RefMatcher::DefaultBranch,
            ("BRANCH", Some(name)) if !name.is_empty() => RefMatcher::Branch(name),
            ("PATTERN", Some(pattern)) => RefMatcher::Pattern(pattern),
            ("MODEL_BRANCH", Some(id)) if id == "development" => RefMatcher::Development,
            ("MODEL_BRANCH", Some(id)) if id == "production" => RefMatcher::Production,
            ("MODEL_CATEGORY", Some(id)) if !id.is_empty() => RefMatcher::Category(id),
            _ => RefMatcher::Unknown,
        }
    }
}
