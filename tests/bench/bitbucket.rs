//! The Bitbucket that bb is measured against.
//!
//! The only file of the bench that will name the stand-in, which cannot be started yet: every row that needs it says so.
//! Start at [`Bitbucket::start`].

use std::time::Duration;

use serde_json::Value;

use crate::reading::Missing;

/// A running Bitbucket.
pub struct Bitbucket {
    /// Where it is and how to sign in.
    pub address: Address,
}

/// What bb must be told to reach a Bitbucket.
pub struct Address {
    /// The base URL.
    pub url: String,
    /// The access token.
    pub token: String,
}

/// A pull request, as bb's tools are asked for it and as it is read over REST.
pub struct PullRequest {
    /// `project`, `repo` and `id`.
    pub arguments: Value,
    /// Its address below the base URL.
    pub path: String,
}

impl Address {
    /// Of a Bitbucket that nobody asks anything.
    pub fn nowhere() -> Self {
        Self {
            url: "http://127.0.0.1:9".to_owned(),
            token: "none".to_owned(),
        }
    }
}

impl Bitbucket {
    /// Starts one that lets each request wait for `latency`.
    pub fn start(_latency: Duration) -> Self {
        Self {
            address: Address::nowhere(),
        }
    }

    /// One GET by ureq alone, its body read to the end and not parsed.
    pub fn get(&self, _path: &str) -> Result<String, Missing> {
        Err(none())
    }

    /// The first open pull request of the person's own.
    pub fn some_pull_request(&self) -> Result<PullRequest, Missing> {
        Err(none())
    }

    /// From now on the person's own pull requests are `count`.
    pub fn list_many(&self, _count: usize) -> Result<(), Missing> {
        Err(none())
    }
}

fn none() -> Missing {
    Missing("there is no stand-in to measure against".to_owned())
}
