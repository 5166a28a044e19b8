//! Whoever stands before Bitbucket and repeats a request in its refusal: no credential comes back in a phrase.

use super::server::{Reply, Server, answer, json};
use super::{ask, connection, http};
use crate::bitbucket::connection::{Connection, Credentials, Proxy, ProxyKind};
use crate::bitbucket::error::ApiError;
use crate::secret::Secret;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Listed {
    #[serde(rename = "values")]
    _values: Vec<BTreeMap<String, String>>,
}

const TEXT: &str = "Content-Type: text/plain\r\n";
const HTML: &str = "Content-Type: text/html\r\n";

/// Every place that a server's own words are taken from, with `secret` in each.
fn echoes(secret: &str) -> Vec<Reply> {
    let in_json = serde_json::Value::from(secret).to_string();
    let in_html = secret.replace('&', "&amp;").replace('"', "&quot;");
    let errors = |one: String| format!(r#"{{"errors":[{one}]}}"#);
    vec![
        answer(400, TEXT, &format!("Blocked: Authorization: {secret}")),
        // Where the words are cut, a part of it is as bad.
        answer(400, TEXT, &format!("{}{secret}", "x".repeat(110))),
        answer(400, TEXT, &format!(r#"{{"authorization": {in_json}"#)),
        json(403, &errors(format!(r#"{{"message":{in_json}}}"#))),
        json(
            400,
            &errors(format!(r#"{{"context":{in_json},"message":"x"}}"#)),
        ),
        json(
            409,
            &errors(format!(
                r#"{{"message":"x","vetoes":[{{"summaryMessage":{in_json}}}]}}"#
            )),
        ),
        json(409, &errors(format!(r#"{{"exceptionName":{in_json}}}"#))),
        json(401, &format!(r#"{{"message":{in_json}}}"#)),
        answer(503, HTML, &format!("<html><title>{in_html}</title>")),
        answer(200, HTML, &format!("<html><title>{in_html}</title>")),
        answer(200, TEXT, secret),
        json(200, &format!(r#"{{"values":[{{{in_json}:7}}]}}"#)),
    ]
}

/// The same in headers, which not every sign fits into.
fn header_echoes(secret: &str) -> Vec<Reply> {
    vec![
        answer(200, &format!("Content-Type: {secret}\r\n"), "x"),
        answer(403, &format!("X-AUSERNAME: {secret}\r\n"), ""),
        answer(
            302,
            &format!("Location: https://{secret}.example.com/\r\n"),
            "",
        ),
    ]
}

#[track_caller]
fn check(with: &dyn Fn(Connection) -> Connection, echoed: Vec<Reply>, hidden: &[&str]) {
    for reply in echoed {
        let (name, told) = (format!("{reply:?}"), reply.clone());
        let server = Server::start(move |_, _| told.clone());
        let error: ApiError = match ask(&http(&with(connection(&server)))) {
            Ok(answer) => answer.json::<Listed>().err().expect(&name),
            Err(error) => error,
        };
        let said = error.said().map(|said| format!("{said:?}"));
        let phrase = format!("{error} {}", said.unwrap_or_default());
        for secret in hidden {
            assert!(!phrase.contains(secret), "{secret}: {phrase}");
        }
    }
}

#[test]
fn a_token_that_is_repeated_is_hidden_wherever_it_stands() {
    let same = |connection| connection;
    check(&same, echoes("Bearer the-token"), &["the-tok"]);
    check(&same, header_echoes("the-token"), &["the-tok"]);
}

#[test]
fn a_password_is_hidden_in_each_spelling_that_a_request_carries_it_in() {
    let basic = |password: &'static str| {
        move |connection| Connection {
            credentials: Some(Credentials::Basic {
                username: "wren".to_owned(),
                password: Secret::new(password),
            }),
            ..connection
        }
    };
    let encoded = "d3JlbjpvcGVuICJzZXNhbWUi";
    for spelled in ["open \"sesame\"", "open%20%22sesame%22", encoded] {
        check(
            &basic("open \"sesame\""),
            echoes(spelled),
            &["sesame", "d3JlbjpvcGVu"],
        );
    }
    check(
        &basic("open \"sesame\""),
        header_echoes(encoded),
        &["d3JlbjpvcGVu"],
    );
}

#[test]
fn what_a_proxy_was_told_is_hidden_as_well() {
    // The proxy itself is never asked: its refusal would be told by its status alone.
    let with = |connection: Connection| Connection {
        proxy: Some(Proxy {
            kind: ProxyKind::Http,
            host: "localhost".to_owned(),
            port: 1,
            credentials: Some(("wren".to_owned(), Secret::new("open-sesame"))),
        }),
        ..connection
    };
    let server = Server::start(|_, _| json(200, "{}"));
    let http = http(&with(connection(&server)));
    let told = http.hide("wren:open-sesame d3JlbjpvcGVuLXNlc2FtZQ== d3JlbjpvcGVuLXNlc2FtZQ");
    assert_eq!(told, "wren:(hidden) (hidden) (hidden)");
}
