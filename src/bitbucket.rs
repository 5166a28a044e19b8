//! The client: HTTP in, domain values out.
//!
//! Never writes JSON for a view and never knows of MCP. Start reading at [`Bitbucket`]; below it lie
//! [`connection`], [`http`] and [`listing`], beside it one file for each area of Bitbucket's REST.

use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::http::Http;

pub mod activities;
pub mod address;
pub mod avatars;
pub mod builds;
pub mod comments;
pub mod commits;
pub mod compare;
pub mod connection;
pub mod diffs;
pub mod error;
pub mod files;
pub mod http;
pub mod listing;
pub mod people;
pub mod pull_requests;
pub mod refs;
pub mod repositories;
pub mod required_builds;
pub mod reviewers;
pub mod search;
pub mod tls;
mod wire;
pub mod writes;

/// One Bitbucket, and the way to it. Clones share connections and what was learnt.
#[derive(Clone, Debug)]
pub struct Bitbucket {
    http: Http,
    known: people::Known,
}

impl Bitbucket {
    /// The Bitbucket at the end of a way.
    pub fn new(http: Http) -> Self {
        Self {
            http,
            known: people::Known::default(),
        }
    }

    /// The same Bitbucket, reached in another way: one that records what it sends, say.
    #[must_use]
    pub fn by(&self, http: Http) -> Self {
        Self {
            http,
            known: self.known.clone(),
        }
    }

    /// The way.
    pub fn http(&self) -> &Http {
        &self.http
    }

    /// The address that everything is below.
    pub fn base(&self) -> &BaseUrl {
        self.http.base()
    }
}

#[cfg(test)]
mod tests;
