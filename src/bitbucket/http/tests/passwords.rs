//! A password is tried once, and one refusal on the way is not taken for Bitbucket's.

use super::server::{Server, answer, json};
use super::{connection, http};
use crate::bitbucket::address::Path;
use crate::bitbucket::connection::{Connection, Credentials};
use crate::bitbucket::error::Fault;
use crate::bitbucket::http::{Http, Request};
use crate::cancel::Cancel;
use crate::secret::Secret;

fn with_password(server: &Server) -> Http {
    http(&Connection {
        credentials: Some(Credentials::Basic {
            username: "wren".to_owned(),
            password: Secret::new("open-sesame"),
        }),
        ..connection(server)
    })
}

/// Bitbucket behind a gateway that lets nobody to internal addresses.
fn gateway(is_right: bool) -> Server {
    Server::start(move |asked, _| match asked.line.contains("/rest/api/") {
        true if is_right => json(200, "{}"),
        _ => json(401, "{}"),
    })
}

fn fault(http: &Http, path: Path) -> Option<Fault> {
    let asked = http.get(Request::get("ask", path), &Cancel::new());
    asked.err().map(|error| error.fault())
}

#[test]
fn a_password_that_was_taken_outlives_a_refusal_of_an_internal_address() {
    let server = gateway(true);
    let http = with_password(&server);
    for _ in 0..2 {
        assert_eq!(fault(&http, Path::api()), None);
        assert_eq!(fault(&http, Path::rest("ui")), Some(Fault::NotSignedIn));
    }
    assert_eq!(server.asked().len(), 4, "{:?}", server.lines());
}

#[test]
fn an_internal_address_that_is_asked_first_spoils_no_public_one() {
    let server = gateway(true);
    let http = with_password(&server);
    for _ in 0..3 {
        assert_eq!(fault(&http, Path::rest("ui")), Some(Fault::NotSignedIn));
    }
    // Nobody knows yet whether the password is right, so it was not sent again.
    assert_eq!(server.asked().len(), 1, "{:?}", server.lines());
    assert_eq!(fault(&http, Path::api()), None);
    assert_eq!(fault(&http, Path::rest("ui")), Some(Fault::NotSignedIn));
    assert_eq!(server.asked().len(), 3, "{:?}", server.lines());
}

#[test]
fn a_password_that_is_wrong_is_sent_once_to_public_addresses() {
    let server = gateway(false);
    let http = with_password(&server);
    for path in [Path::rest("ui"), Path::api(), Path::api(), Path::rest("ui")] {
        assert_eq!(fault(&http, path), Some(Fault::NotSignedIn));
    }
    assert_eq!(server.asked().len(), 2, "{:?}", server.lines());
}

#[test]
fn a_captcha_is_bitbuckets_word_wherever_it_is_asked_for() {
    let captcha = "X-Authentication-Denied-Reason: CAPTCHA_CHALLENGE\r\n";
    let server = Server::start(move |_, before| match before {
        0 => json(200, "{}"),
        _ => answer(401, captcha, ""),
    });
    let http = with_password(&server);
    assert_eq!(fault(&http, Path::api()), None);
    for path in [Path::rest("ui"), Path::api(), Path::rest("ui")] {
        assert_eq!(fault(&http, path), Some(Fault::NotSignedIn));
    }
    assert_eq!(server.asked().len(), 2, "{:?}", server.lines());
}
