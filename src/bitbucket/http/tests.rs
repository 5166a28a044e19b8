//! The client against real sockets on loopback. `server.rs` is the other side; each file tests one
//! side of ours.

mod answers;
mod cancelling;
mod passwords;
mod proxies;
mod secrets;
pub(crate) mod server;
mod tls;
mod writes;

use super::retry::Patience;
use super::{Answer, Http, Request};
use crate::bitbucket::address::{BaseUrl, Path};
use crate::bitbucket::connection::{Connection, Credentials};
use crate::bitbucket::error::ApiError;
use crate::cancel::Cancel;
use crate::secret::Secret;
use server::Server;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A connection to `server` with a token and nothing else.
pub(crate) fn connection(server: &Server) -> Connection {
    Connection {
        base: BaseUrl::parse(&server.address()).expect("an address"),
        credentials: Some(Credentials::Token(Secret::new("the-token"))),
        ca_file: None,
        client: None,
        proxy: None,
        request_timeout: Duration::from_secs(10),
    }
}

/// The client that tests use: its waits before retries are short.
pub(crate) fn http(connection: &Connection) -> Http {
    let short = Duration::from_millis(4);
    let patience = Patience {
        rate_limit: short,
        server: short,
        drop: short,
    };
    Http::with_patience(connection, patience).expect("a usable connection")
}

fn read_rocket() -> Request {
    Request::get(
        "read repository ACME/rocket",
        Path::repository("ACME", "rocket"),
    )
}

fn ask(http: &Http) -> Result<Answer, ApiError> {
    http.get(read_rocket(), &Cancel::new())
}

fn certificate(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/certs")).join(name)
}

/// Waits until `is_so`, ten seconds at most.
#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !is_so() {
        assert!(Instant::now() < deadline, "not within 10 s: {what}");
        std::thread::yield_now();
    }
}
