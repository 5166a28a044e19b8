//! Whom Bitbucket's own form of a new pull request suggests to ask: default reviewers, and groups of reviewers.
//!
//! Never adds anybody: Bitbucket leaves that to the form. Start reading at [`Bitbucket::default_reviewers`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::avatars::AVATAR_PX;
use crate::bitbucket::compare::Pair;
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing};
use crate::bitbucket::wire::User;
use crate::cancel::Cancel;
use crate::domain::person::Person;
use crate::domain::repository::RepositoryId;
use serde::Deserialize;

/// Some people who review together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewerGroup {
    /// What a page calls it.
    pub name: String,
    /// One line; empty if there is none.
    pub description: String,
    /// Who is in it.
    pub people: Vec<Person>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct WireGroup {
    name: Option<String>,
    description: Option<String>,
    users: Option<Vec<User>>,
}

impl Bitbucket {
    /// Reads whom Bitbucket would ask to review, by the conditions of the target's repository that the two branches
    /// meet. `numbers` are those of the source's and the target's repository.
    ///
    /// # Errors
    /// Whatever keeps them from being read.
    ///
    /// Source: `GET /rest/default-reviewers/latest/projects/{key}/repos/{slug}/reviewers`, a plain array
    pub fn default_reviewers(
        &self,
        pair: &Pair,
        (source, target): (u64, u64),
        cancel: &Cancel,
    ) -> Result<Vec<Person>, ApiError> {
        let at = pair.repository;
        let path = Path::rest("default-reviewers")
            .within(&at.project, &at.slug)
            .segment("reviewers")
            .query("sourceRepoId", source)
            .query("targetRepoId", target)
            .query("sourceRefId", pair.source)
            .query("targetRefId", pair.target)
            .query("avatarSize", AVATAR_PX);
        let request = Request::get(format!("read the default reviewers of {at}"), path);
        let users: Vec<User> = self.http().get(request, cancel)?.json_list()?;
        let is_active = |user: &User| user.active != Some(false);
        Ok(users
            .into_iter()
            .filter(is_active)
            .map(Into::into)
            .collect())
    }

    /// Reads the groups of reviewers of a repository, its project's among them; none where this Bitbucket has no
    /// such thing.
    ///
    /// # Errors
    /// Whatever else keeps them from being read.
    ///
    /// Source: `GET …/settings/reviewer-groups`
    pub fn reviewer_groups(
        &self,
        at: &RepositoryId,
        cancel: &Cancel,
    ) -> Result<Listing<ReviewerGroup>, ApiError> {
        let path = Path::repository(&at.project, &at.slug)
            .segment("settings")
            .segment("reviewer-groups");
        let request = Request::get(format!("list the reviewer groups of {at}"), path);
        match listing::read::<WireGroup>(self.http(), &request, Ask::first(100).at_most(1), cancel)
        {
            Ok(listing) => Ok(listing.map(WireGroup::into_domain)),
            Err(error) if error.fault() == Fault::NotFound => Ok(Listing::whole(Vec::new())),
            Err(error) => Err(error),
        }
    }
}

impl WireGroup {
    fn into_domain(self) -> ReviewerGroup {
        let users = self.users.unwrap_or_default().into_iter();
        ReviewerGroup {
            name: self.name.unwrap_or_default(),
            description: self.description.unwrap_or_default(),
            people: users
                .filter(|user| user.active != Some(false))
                .map(Into::into)
                .collect(),
        }
    }
}
