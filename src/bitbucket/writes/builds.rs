//! Builds: what somebody says of one.
//!
//! Never reads any: `bitbucket/builds.rs` does. Start reading at [`Bitbucket::set_build`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::cancel::Cancel;
use crate::domain::repository::RepositoryId;
use serde::Serialize;

/// A build as it is posted: the same key on the same commit replaces the one before.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NewBuild<'a> {
    /// At most 255 characters.
    pub key: &'a str,
    /// `SUCCESSFUL`, `FAILED`, `INPROGRESS`, `CANCELLED` or `UNKNOWN`.
    pub state: &'a str,
    /// Where it can be looked at; at most 450 characters.
    pub url: &'a str,
    /// What a page calls it; a build without one is missing from the page of old versions.
    pub name: &'a str,
    /// One line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<&'a str>,
    /// What a required build is named by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<&'a str>,
    /// The full name of the branch or tag that it was for.
    #[serde(skip_serializing_if = "Option::is_none", rename = "ref")]
    pub reference: Option<&'a str>,
}

impl Bitbucket {
    /// Posts a build of a commit.
    ///
    /// # Errors
    /// Whatever keeps it from being stored.
    ///
    /// Source: `POST …/commits/{commit}/builds`, since 7.4: of the server-wide endpoint, which drops the parent, no
    /// required build ever knows.
    pub fn set_build(
        &self,
        at: &RepositoryId,
        commit: &str,
        build: &NewBuild,
        cancel: &Cancel,
    ) -> Result<(), ApiError> {
        let path = Path::repository(&at.project, &at.slug)
            .segment("commits")
            .segment(commit)
            .segment("builds");
        let what = format!("set build `{}` of commit {commit} of {at}", build.key);
        let page = self.base().commit_page(&at.project, &at.slug, commit);
        self.write_only(Request::post(what, path).json(build), page, cancel)
    }
}
