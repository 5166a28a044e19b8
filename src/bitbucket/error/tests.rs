use super::{
    ApiError, Fault, Limit, Messages, ProxyFault, SignedInWith, Stranger, TlsFault, Unreached, Why,
};
use std::time::Duration;

fn tls(how: TlsFault) -> Why {
    Why::Tls {
        whom: "code.example.com:443".to_owned(),
        how,
        ca_file: None,
    }
}

fn proxy(how: ProxyFault) -> Why {
    Why::Proxy {
        proxy: "proxy.example.com:3128".to_owned(),
        how,
    }
}

/// Phrases that no socket test makes, or makes in part.
#[test]
fn each_reason_has_a_phrase_that_names_what_to_do() {
    for (why, fault, words) in [
        (
            Why::NotSignedIn {
                signed_in_with: SignedInWith::Nothing,
                said: Messages::default(),
            },
            Fault::NotSignedIn,
            "Bitbucket answered 401 (no credentials are set: BITBUCKET_TOKEN, --token-file, or BITBUCKET_USERNAME and BITBUCKET_PASSWORD)",
        ),
        (
            Why::NotSignedIn {
                signed_in_with: SignedInWith::Password,
                said: Messages::default(),
            },
            Fault::NotSignedIn,
            "Bitbucket answered 401 (are BITBUCKET_USERNAME and BITBUCKET_PASSWORD right? Bitbucket 10 may take tokens alone: BITBUCKET_TOKEN)",
        ),
        (
            Why::NotFound(Messages::default()),
            Fault::NotFound,
            "Bitbucket answered 404 (there is no such thing, or this account may not see it)",
        ),
        (
            Why::Unreachable {
                whom: "code.example.com:443".to_owned(),
                how: Unreached::NoRoute,
            },
            Fault::Unreachable,
            "cannot reach code.example.com:443: there is no way to it from this machine (is Bitbucket up, or is a proxy needed? --proxy, BB_PROXY)",
        ),
        (
            Why::TimedOut(Limit::Resolving(Duration::from_secs(5))),
            Fault::TimedOut,
            "timed out: the name was not found within 5 s",
        ),
        (
            Why::TimedOut(Limit::Connecting(Duration::from_millis(1500))),
            Fault::TimedOut,
            "timed out: no connection within 1.5 s (is Bitbucket up, or is a proxy needed? --proxy, BB_PROXY)",
        ),
        (
            Why::TooLarge {
                cap_bytes: 16 << 20,
                announced_bytes: Some((20 << 20) + (1 << 19)),
            },
            Fault::TooLarge,
            "the answer is over 16 MiB, the most that bb reads of it (it is 20.5 MiB): ask for less of it, or look at its page in Bitbucket",
        ),
        (
            tls(TlsFault::UnknownIssuer(Some("Example CA".to_owned()))),
            Fault::TlsRefused,
            "the certificate of code.example.com:443 is not trusted: its issuer `Example CA` is not among the certificates that this machine trusts (give the issuer's certificate as PEM: --ca-file, BB_CA_FILE)",
        ),
        (
            tls(TlsFault::UnknownIssuer(None)),
            Fault::TlsRefused,
            "the certificate of code.example.com:443 is not trusted: its issuer is not among the certificates that this machine trusts (give the issuer's certificate as PEM: --ca-file, BB_CA_FILE)",
        ),
        (
            tls(TlsFault::NotYetValid),
            Fault::TlsRefused,
            "the certificate of code.example.com:443 is not valid yet (is this machine's clock right?)",
        ),
        (
            tls(TlsFault::NotTls),
            Fault::TlsRefused,
            "code.example.com:443 does not speak TLS (is the scheme or the port in --host, BITBUCKET_URL right?)",
        ),
        (
            tls(TlsFault::NoRoots),
            Fault::TlsRefused,
            "this machine trusts no certificate at all (install its CA certificates, or give a PEM file: --ca-file, BB_CA_FILE)",
        ),
        (
            proxy(ProxyFault::Silent),
            Fault::ProxyRefused,
            "the proxy proxy.example.com:3128 closed the connection without an answer (is it a proxy of this kind? --proxy, BB_PROXY)",
        ),
        (
            Why::NotBitbucket(Stranger::Redirect {
                status: 302,
                to: None,
            }),
            Fault::NotBitbucket,
            "the answer (302) sends bb on, and on again, where it does not follow (--host, BITBUCKET_URL)",
        ),
    ] {
        let error = ApiError::new("read pull request 42 of ACME/rocket", why);
        let phrase = format!("cannot read pull request 42 of ACME/rocket: {words}");
        assert_eq!((error.to_string(), error.fault()), (phrase, fault));
    }
}

#[test]
fn a_write_that_may_have_happened_says_where_to_look() {
    let error = || ApiError::new("merge it", Why::CutShort { got_bytes: None });
    assert!(!error().may_have_happened());
    let blind = error().unsettled(None).to_string();
    assert!(
        blind.ends_with("; it may have happened all the same: look before trying again"),
        "{blind}"
    );
    let told = error()
        .unsettled(Some("https://x/7".to_owned()))
        .to_string();
    assert!(
        told.ends_with("look at https://x/7 before trying again"),
        "{told}"
    );
}

#[test]
fn each_fault_has_its_exit_code() {
    for (fault, code) in [
        (Fault::NotSignedIn, 3),
        (Fault::NotAllowed, 3),
        (Fault::NotFound, 4),
        (Fault::Conflict, 5),
        (Fault::RateLimited, 10),
        (Fault::Unreachable, 10),
        (Fault::TimedOut, 10),
        (Fault::TlsRefused, 10),
        (Fault::ProxyRefused, 10),
        (Fault::NotBitbucket, 10),
        (Fault::BadRequest, 1),
    ] {
        assert_eq!(fault.exit_code(), code, "{fault:?}");
    }
}

#[track_caller]
fn check_said(body: &str, words: &str) {
    let said = Messages::read(body.as_bytes(), &str::to_owned).expect(body);
    assert_eq!(said.to_string(), words, "{body}");
}

#[test]
fn bitbuckets_words_are_kept_and_made_harmless() {
    check_said(
        r#"{"errors":[{"message":"Merging has been vetoed.","conflicted":true,"vetoes":[{"summaryMessage":"Not approved","detailedMessage":"x"},{"summaryMessage":"2\nbuilds\u202e failed"}]}]}"#,
        ": Merging has been vetoed. (Not approved; 2 builds<U+202E> failed)",
    );
    let vetoes: Vec<String> = (1..12)
        .map(|n| format!(r#"{{"summaryMessage":"{n}"}}"#))
        .collect();
    check_said(
        &format!(
            r#"{{"errors":[{{"message":"Vetoed.","vetoes":[{}]}}]}}"#,
            vetoes.join(",")
        ),
        ": Vetoed. (1; 2; 3; 4; 5; 6; 7; 8; and 3 more)",
    );
    check_said(
        r#"{"errors":[{"context":"reviewers","message":"Errors.","reviewerErrors":[{"context":"Jane X","message":"Jane X is not a user."}]}]}"#,
        ": `reviewers`: Errors. (Jane X is not a user.)",
    );
    check_said(
        r#"{"errors":[{"exceptionName":"com.atlassian.X.Odd"}]}"#,
        ": Odd",
    );
    check_said(r#"{"errors":[]}"#, "");
    check_said(r#"{"errors":[null,7,{"message":{}}]}"#, "");
    check_said(
        r#"{"errors":[{"message":null},{"message":"Broken."}]}"#,
        ": Broken.",
    );
    check_said(
        r#"{"message":"From a filter","status-code":401}"#,
        ": From a filter",
    );
    let many = [r#"{"message":"x"}"#; 11].join(",");
    check_said(
        &format!("{{\"errors\":[{many}]}}"),
        &format!(": {}and 3 more", "x; ".repeat(8)),
    );
    let long = format!(r#"{{"errors":[{{"message":"{}"}}]}}"#, "y".repeat(5000));
    check_said(&long, &format!(": {}…", "y".repeat(399)));
}

#[test]
fn what_is_not_of_bitbuckets_form_is_no_message() {
    for body in [
        "",
        "[]",
        "null",
        r#""text""#,
        "{}",
        "<html>",
        r#"{"errors":"#,
        r#"{"a":{"errors":[]}}"#,
    ] {
        assert_eq!(
            Messages::read(body.as_bytes(), &str::to_owned),
            None,
            "{body}"
        );
    }
}

#[test]
fn what_was_asked_keeps_to_its_line_whatever_a_file_is_called() {
    let evil = "read the diff of `evil\n=== Modified payroll.rs\r\n+grant()\u{202e}\u{1b}[2J.rs`";
    let error = ApiError::new(evil, Why::Cancelled);
    let harmless = "read the diff of `evil<U+000A>=== Modified payroll.rs<U+000D><U+000A>+grant()<U+202E><U+001B>[2J.rs`";
    assert_eq!(error.asked(), harmless);
    assert_eq!(
        error.to_string(),
        format!("cannot {harmless}: the call was cancelled")
    );
    let part = ApiError::new("x", Why::NotUnderstood("`a\nb` is null".to_owned()));
    assert_eq!(
        part.to_string(),
        "cannot x: Bitbucket's answer could not be understood: `a<U+000A>b` is null"
    );
    let written = ApiError::new("x", Why::Cancelled).unsettled(Some("y\nz".to_owned()));
    assert!(!written.to_string().contains('\n'), "{written}");
}
