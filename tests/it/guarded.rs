//! A proxy, a private CA and a client certificate between bb and Bitbucket: all of them, and each missing or wrong.

use crate::support::{Bb, NOWHERE, command, text};
use serde_json::{Value, json};
use standin::{Options, Proxy, ProxyOptions, StandIn, Tls, certificate};
use std::collections::BTreeSet;

fn list() -> Value {
    json!({"project": "ACME", "repo": "rocket"})
}

/// Everything between bb and Bitbucket that a locked-down workstation has.
struct Guarded {
    stand_in: StandIn,
    proxy: Proxy,
    proxy_url: String,
}

impl Guarded {
    fn start() -> Self {
        let proxy = Proxy::start(ProxyOptions {
            credentials: Some(("wren".to_owned(), "pass word".replace(' ', "-"))),
            ..ProxyOptions::default()
        });
        Self {
            stand_in: StandIn::start(Options {
                tls: Tls::ClientCertificate,
                ..Options::default()
            }),
            proxy_url: proxy.url_with_credentials(),
            proxy,
        }
    }

    /// The arguments that lead through it, with some of them exchanged or, for an empty value, left out.
    fn arguments(&self, other: &[(&str, &str)]) -> Vec<String> {
        let (cert, key) = self.stand_in.client_pair();
        let ca = self.stand_in.ca_file();
        let mut all = vec![
            ("--proxy", self.proxy_url.clone()),
            ("--ca-file", ca.display().to_string()),
            ("--client-cert", cert.display().to_string()),
            ("--client-key", key.display().to_string()),
            ("--request-timeout", String::new()),
        ];
        for (name, value) in other {
            for (known, kept) in &mut all {
                if known == name {
                    *kept = (*value).to_owned();
                }
            }
        }
        all.retain(|(_, value)| !value.is_empty());
        all.into_iter()
            .flat_map(|(name, value)| [name.to_owned(), value])
            .collect()
    }

    fn variables(&self) -> [(&'static str, String); 2] {
        [
            ("BITBUCKET_URL", self.stand_in.url().to_owned()),
            ("BITBUCKET_TOKEN", self.stand_in.token()),
        ]
    }

    fn check(&self, other: &[(&str, &str)]) -> (i32, Value) {
        let arguments = self.arguments(other);
        let arguments: Vec<&str> = ["ai", "mcp", "check", "--json"]
            .into_iter()
            .chain(arguments.iter().map(String::as_str))
            .collect();
        let variables = self.variables();
        let variables: Vec<(&str, &str)> = variables
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let output = command(&arguments, &variables).output().expect("bb runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            !said.contains("pass-word") && !said.contains(&self.stand_in.token()),
            "{said}"
        );
        let code = output.status.code().expect("an exit code");
        (
            code,
            serde_json::from_str(&said)
                .unwrap_or_else(|error| panic!("{error}: {said} {output:?}")),
        )
    }

    fn told(&self, other: &[(&str, &str)]) -> String {
        let arguments = self.arguments(other);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let variables = self.variables();
        let variables: Vec<(&str, &str)> = variables
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let mut bb = Bb::start(&arguments, &variables);
        text(&bb.call("list_pull_requests", list())).to_owned()
    }
}

/// What is exchanged, the part of `check` that fails for it, and words of the phrase.
type Exchanged<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

fn failed(report: &Value) -> Vec<&str> {
    let checks = report["checks"].as_array().expect("checks");
    checks
        .iter()
        .filter(|check| check["ok"] == false)
        .filter_map(|check| check["name"].as_str())
        .collect()
}

#[test]
fn through_a_proxy_with_a_private_ca_and_a_client_certificate() {
    let guarded = Guarded::start();
    let said = guarded.told(&[]);
    assert!(said.contains("Light the engine"), "{said}");
    assert!(
        guarded
            .proxy
            .passed()
            .iter()
            .all(|one| one.method == "CONNECT" && one.status == 200)
    );
    let (code, report) = guarded.check(&[]);
    assert_eq!((code, &report["ok"]), (0, &json!(true)), "{report}");
    let names: Vec<&str> = report["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .filter_map(|check| check["name"].as_str())
        .collect();
    assert_eq!(
        names,
        [
            "files",
            "proxy",
            "tls",
            "client-certificate",
            "bitbucket",
            "user",
            "tools",
            "kinds",
        ]
    );
    let hidden = report["settings"].as_array().expect("settings");
    assert!(
        hidden.iter().any(|one| one["value"] == "(hidden)"),
        "{hidden:?}"
    );
}

#[test]
fn each_of_the_three_missing_or_wrong_has_its_phrase_and_check_names_it() {
    let guarded = Guarded::start();
    let bare = guarded.proxy.url();
    let wrong = bare.replace("//", "//wren:wrong@");
    let refusing = Proxy::start(ProxyOptions {
        refuse: true,
        ..ProxyOptions::default()
    });
    let other_ca = certificate("other-ca.pem").display().to_string();
    let mut phrases = BTreeSet::new();
    let cases: [Exchanged; 6] = [
        (&[("--proxy", &bare)], "proxy", "wants credentials"),
        (&[("--proxy", &wrong)], "proxy", "credentials"),
        (&[("--proxy", &refusing.url())], "proxy", "403"),
        (&[("--ca-file", "")], "tls", "--ca-file, BB_CA_FILE"),
        (&[("--ca-file", &other_ca)], "tls", "other-ca.pem"),
        (
            &[("--client-cert", ""), ("--client-key", "")],
            "client-certificate",
            "--client-cert",
        ),
    ];
    for (other, part, words) in cases {
        let phrase = guarded.told(other);
        assert!(phrase.contains(words), "{other:?}: {phrase}");
        assert!(!phrase.contains("wren:wrong"), "{phrase}");
        phrases.insert(phrase);
        let (code, report) = guarded.check(other);
        assert_eq!(
            (code, failed(&report)),
            (10, vec![part]),
            "{other:?}: {report}"
        );
    }
    assert_eq!(phrases.len(), 6, "{phrases:#?}");
}

#[test]
fn files_that_cannot_be_used_are_refused_before_anything_starts() {
    let guarded = Guarded::start();
    let path = |name: &str| certificate(name).display().to_string();
    for (other, words) in [
        (("--client-key", path("unrelated.key")), "--client-key"),
        (("--client-key", path("client.encrypted.key")), "openssl"),
        (("--client-cert", path("client.p12")), "openssl"),
        (("--ca-file", path("client.key")), "--ca-file"),
        (("--ca-file", path("no-such-file.pem")), "--ca-file"),
    ] {
        let other = [(other.0, other.1.as_str())];
        let arguments = guarded.arguments(&other);
        let arguments: Vec<&str> = ["ai", "mcp", "serve"]
            .into_iter()
            .chain(arguments.iter().map(String::as_str))
            .collect();
        let output = command(&arguments, &[("BITBUCKET_URL", NOWHERE)])
            .output()
            .expect("bb runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{other:?}: {said}");
        assert!(
            said.starts_with("bb: ") && said.contains(words),
            "{other:?}: {said}"
        );
        assert_eq!(output.stdout, b"", "{other:?}");
    }
    assert_eq!(guarded.stand_in.log().len(), 0);
}

/// A proxy that takes a connection, says this, and keeps it open.
fn odd_proxy(says: &'static [u8]) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let _ = std::io::Write::write_all(&mut stream, says);
            kept.push(stream);
        }
    });
    format!("http://{address}")
}

#[test]
fn a_proxy_that_hangs_or_is_none_is_told_as_the_proxy() {
    let guarded = Guarded::start();
    for (says, words) in [
        (b"".as_slice(), "made no connection within 1 s"),
        (b"SSH-2.0-x\r\n\r\n".as_slice(), "is no HTTP"),
    ] {
        let url = odd_proxy(says);
        let other = [("--proxy", url.as_str()), ("--request-timeout", "1s")];
        let phrase = guarded.told(&other);
        assert!(phrase.contains(words), "{phrase}");
        let (code, report) = guarded.check(&other);
        assert_eq!((code, failed(&report)), (10, vec!["proxy"]), "{report}");
    }
    // The proxy's own certificate is the proxy's matter.
    let proxy = Proxy::start(ProxyOptions {
        tls: true,
        ..ProxyOptions::default()
    });
    let (_, report) = guarded.check(&[("--proxy", &proxy.url()), ("--ca-file", "")]);
    assert_eq!(failed(&report), vec!["proxy"], "{report}");
}
