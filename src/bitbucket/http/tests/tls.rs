//! TLS with the certificates of `fixtures/certs`: each way it can go wrong is told apart.

use super::server::{Client, Server, json, tls};
use super::{ask, certificate, connection, http};
use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::{ClientFiles, Connection};
use crate::bitbucket::error::Fault;
use crate::bitbucket::http::Http;
use rustls::version::{TLS12, TLS13};
use rustls::{ALL_VERSIONS, SupportedProtocolVersion};

const CA: &str = "ca.pem";

fn trusting(server: &Server, ca: Option<&str>) -> Connection {
    Connection {
        ca_file: ca.map(certificate),
        ..connection(server)
    }
}

fn showing(server: &Server, cert: &str, key: &str) -> Connection {
    let client = ClientFiles {
        cert: certificate(cert),
        key: certificate(key),
    };
    Connection {
        client: Some(client),
        ..trusting(server, Some(CA))
    }
}

#[track_caller]
fn check_refused(connection: &Connection, words: &str) {
    let error = ask(&http(connection)).expect_err("no TLS");
    assert_eq!(error.fault(), Fault::TlsRefused, "{error}");
    assert!(
        error.to_string().contains(words),
        "{error}\nwanted: {words}"
    );
}

#[test]
fn a_server_that_the_ca_file_vouches_for_is_trusted() {
    for (version, name) in [(&TLS12, "TLS 1.2"), (&TLS13, "TLS 1.3")] {
        let server = Server::start_tls(tls("server", Client::Ignored, &[version]), |_, _| {
            json(200, "{}")
        });
        let http = http(&trusting(&server, Some(CA)));
        for _ in 0..3 {
            ask(&http).expect("an answer");
        }
        assert_eq!(server.connections(), 1);
        let handshake = http.handshake().expect("one");
        assert_eq!(
            (handshake.version.as_str(), handshake.client_wanted),
            (name, false)
        );
        assert_eq!(handshake.chain[0].subject.as_deref(), Some("localhost"));
        assert_eq!(
            handshake.chain[0].issuer.as_deref(),
            Some("Rocket Works Test CA")
        );
    }
}

#[test]
fn an_unknown_issuer_is_named_with_the_flag_that_adds_it() {
    let server = Server::start_tls(tls("server", Client::Ignored, ALL_VERSIONS), |_, _| {
        json(200, "{}")
    });
    let other = trusting(&server, Some("other-ca.pem"));
    check_refused(
        &other,
        "its issuer `Rocket Works Test CA` is not among the certificates that this machine trusts, nor in the CA file",
    );
    check_refused(
        &other,
        "other-ca.pem` (does it hold that issuer? --ca-file, BB_CA_FILE)",
    );
    assert!(server.asked().is_empty());
}

#[test]
fn a_wrong_name_and_a_time_that_is_over_are_told() {
    let server = Server::start_tls(tls("other-name", Client::Ignored, ALL_VERSIONS), |_, _| {
        json(200, "{}")
    });
    check_refused(
        &trusting(&server, Some(CA)),
        "is for other names: code.example.com (is --host, BITBUCKET_URL",
    );
    let server = Server::start_tls(tls("expired", Client::Ignored, ALL_VERSIONS), |_, _| {
        json(200, "{}")
    });
    check_refused(
        &trusting(&server, Some(CA)),
        "has expired (its administrators have to renew it",
    );
}

#[test]
fn a_server_without_tls_is_told() {
    let server = Server::start(|_, _| json(200, "{}"));
    let base = BaseUrl::parse(&format!("https://localhost:{}", server.port())).expect("an address");
    let connection = Connection {
        base,
        ..trusting(&server, Some(CA))
    };
    let error = ask(&http(&connection)).expect_err("no TLS");
    assert_eq!(error.fault(), Fault::TlsRefused, "{error}");
}

#[test]
fn a_client_certificate_is_shown_in_every_form_of_key() {
    for (cert, key) in [
        ("client.pem", "client.key"),
        ("client.pem", "client.pkcs1.key"),
        ("client.both.pem", "client.both.pem"),
        ("client-ec.pem", "client-ec.key"),
        ("client-ec.pem", "client-ec.sec1.key"),
    ] {
        for version in [&TLS12, &TLS13] {
            let server = demanding(version, "ca");
            let http = http(&showing(&server, cert, key));
            ask(&http).expect(key);
            assert!(http.handshake().is_some_and(|h| h.client_wanted));
        }
    }
}

#[test]
fn a_server_that_demands_a_client_certificate_is_told_apart() {
    for version in [&TLS12, &TLS13] {
        let server = demanding(version, "ca");
        check_refused(
            &trusting(&server, Some(CA)),
            "wants a client certificate (--client-cert and --client-key, BB_CLIENT_CERT",
        );
    }
}

#[test]
fn a_client_certificate_that_is_not_taken_is_told() {
    for version in [&TLS12, &TLS13] {
        let server = demanding(version, "other-ca");
        check_refused(
            &showing(&server, "client.pem", "client.key"),
            "did not take the client certificate: ",
        );
    }
}

fn demanding(version: &'static SupportedProtocolVersion, ca: &'static str) -> Server {
    Server::start_tls(tls("server", Client::Demanded(ca), &[version]), |_, _| {
        json(200, "{}")
    })
}

#[track_caller]
fn check_files(ca: Option<&str>, client: Option<(&str, &str)>, wanted: &[&str]) {
    let server = Server::start(|_, _| json(200, "{}"));
    let client = client.map(|(cert, key)| ClientFiles {
        cert: certificate(cert),
        key: certificate(key),
    });
    let connection = Connection {
        client,
        ..trusting(&server, ca)
    };
    let error = Http::new(&connection).expect_err("a problem");
    assert_eq!(error.problems().len(), wanted.len(), "{error}");
    for (problem, wanted) in error.problems().iter().zip(wanted) {
        assert!(problem.contains(wanted), "{problem}\nwanted: {wanted}");
        assert!(
            !problem.contains("BEGIN RSA") && !problem.contains('\n'),
            "{problem}"
        );
    }
}

#[test]
fn files_that_cannot_be_used_are_refused_at_start_all_at_once() {
    check_files(
        Some("none.pem"),
        None,
        &["--ca-file, BB_CA_FILE: cannot read `"],
    );
    check_files(Some("server.key"), None, &["holds no PEM certificate"]);
    check_files(
        Some("client.der"),
        None,
        &["`openssl x509 -inform der -in "],
    );
    check_files(
        None,
        Some(("client.pem", "unrelated.key")),
        &["unrelated.key` does not belong to the first certificate in `"],
    );
    check_files(
        None,
        Some(("client.pem", "client-ec.key")),
        &["does not belong to the first certificate"],
    );
    check_files(
        None,
        Some(("client.pem", "client.encrypted.key")),
        &["is encrypted, and bb asks for no passphrase: `openssl pkey -in "],
    );
    check_files(
        None,
        Some(("client.pem", "client.encrypted-pkcs1.key")),
        &["is encrypted, and bb asks for no passphrase"],
    );
    check_files(
        None,
        Some(("client.p12", "client.p12")),
        &["is a PKCS#12 file, and bb reads PEM: `openssl pkcs12 -in "],
    );
    check_files(
        None,
        Some(("client.pem", "client.pem")),
        &["holds no PEM private key"],
    );
    check_files(
        Some("none.pem"),
        Some(("none.pem", "client.encrypted.key")),
        &[
            "--ca-file, BB_CA_FILE",
            "--client-cert, BB_CLIENT_CERT",
            "--client-key, BB_CLIENT_KEY",
        ],
    );
}
