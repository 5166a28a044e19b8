//! Documents that no author means to write: a finding each, and never a crash.

use super::table;
use crate::manifests::manifest::check;

const APP: &str = r#""app":{"id":"t","name":"T","version":"1"}"#;

#[track_caller]
fn codes(document: &[u8]) -> Vec<&'static str> {
    let (sound, findings) = check(document, &table());
    assert!(sound.is_none());
    findings
        .problems
        .iter()
        .map(|finding| finding.code.name())
        .collect()
}

#[test]
fn a_document_that_cannot_be_read_is_one_finding() {
    let nested = |open: &str, close: &str, deep: usize| {
        let (open, close) = (open.repeat(deep), close.repeat(deep));
        format!("{{\"manifest\":1,{APP},\"ui\":{open}1{close}}}").into_bytes()
    };
    for (what, document) in [
        ("nothing", Vec::new()),
        ("white space", b" \n\t ".to_vec()),
        ("a word", b"manifest".to_vec()),
        ("a million brackets", b"[".repeat(1_000_000)),
        ("a million braces", b"{\"a\":".repeat(1_000_000)),
        ("a million brackets that close", nested("[", "]", 1_000_000)),
        ("200 levels that close", nested("[", "]", 200)),
        ("200 objects that close", nested("{\"a\":", "}", 200)),
        ("half of it", format!("{{\"manifest\":1,{APP}").into_bytes()),
        (
            "two of them",
            format!("{{\"manifest\":1,{APP}}}{{}}").into_bytes(),
        ),
        (
            "a comma too many",
            format!("{{\"manifest\":1,{APP},}}").into_bytes(),
        ),
        (
            "bytes that are no UTF-8",
            b"{\"manifest\":1,\"\xff\":1}".to_vec(),
        ),
        (
            "no UTF-8 in a page",
            [
                format!("{{\"manifest\":1,{APP},\"ui\":[{{\"name\":\"v\",\"html\":\"<p>")
                    .as_bytes(),
                b"\xc3\x28\"}]}",
            ]
            .concat(),
        ),
        (
            "UTF-16",
            "\u{feff}{}"
                .encode_utf16()
                .flat_map(u16::to_be_bytes)
                .collect(),
        ),
        (
            "a mark of the byte order",
            format!("\u{feff}{{\"manifest\":1,{APP}}}").into_bytes(),
        ),
        (
            "half of a character",
            format!("{{\"manifest\":1,{APP},\"ui\":[{{\"name\":\"v\",\"html\":\"<p>\\ud800\"}}]}}")
                .into_bytes(),
        ),
        (
            "a bare NUL",
            format!("{{\"manifest\":1,{APP}}}\0").into_bytes(),
        ),
        (
            "a NUL in a text",
            format!("{{\"manifest\":1,{APP},\"ui\":\"\0\"}}").into_bytes(),
        ),
        (
            "a number past all bounds",
            format!("{{\"manifest\":1e999,{APP}}}").into_bytes(),
        ),
    ] {
        assert_eq!(codes(&document), ["not-json"], "{what}");
    }
}

#[test]
fn a_document_that_is_read_and_odd_is_told_at_its_place() {
    let with = |section: &str| format!("{{\"manifest\":1,{APP},{section}}}");
    for (document, expected) in [
        (
            format!("{{\"manifest\":1,\"manifest\":1,{APP}}}"),
            &["manifest: repeated-name"][..],
        ),
        (
            with(r#""ui":[{"name":"v","html":"<p>","name":"w"}]"#),
            &["ui.0.name: repeated-name"],
        ),
        (
            with(
                r#""ui":[{"name":"v","html":"<p>","csp":{"connectDomains":[],"connectDomains":["https://a.example.org"]}}]"#,
            ),
            &["ui.0.csp.connectDomains: repeated-name"],
        ),
        // A name written in two ways is one name.
        (
            format!("{{\"manifest\":1,\"m\\u0061nifest\":1,{APP}}}"),
            &["manifest: repeated-name"],
        ),
        (
            with(r#""ui":[{"name":"v","html":"<p>\u0000"}]"#),
            &["ui.0.html: not-a-page"],
        ),
        (with(r#""ui":null"#), &["ui: wrong-type"]),
        (
            with(r#""ui":[[],7,"x",null]"#),
            &[
                "ui.0: wrong-type",
                "ui.1: wrong-type",
                "ui.2: wrong-type",
                "ui.3: wrong-type",
            ],
        ),
        (
            with(r#""tools":[[],{}]"#),
            &[
                "tools.0: wrong-type",
                "tools.1.name: missing",
                "tools.1.description: missing",
                "tools.1.inputSchema: missing",
                "tools.1.tool: missing",
            ],
        ),
        ("[]".to_owned(), &["the document: wrong-type"]),
        ("null".to_owned(), &["the document: wrong-type"]),
        ("{}".to_owned(), &["manifest: missing", "app: missing"]),
    ] {
        let (sound, findings) = check(document.as_bytes(), &table());
        assert!(sound.is_none(), "{document}");
        let told: Vec<String> = findings.problems.iter().map(ToString::to_string).collect();
        let is_each = told.len() == expected.len()
            && told
                .iter()
                .zip(expected)
                .all(|(told, expected)| told.starts_with(expected));
        assert!(is_each, "{document}: {told:#?}");
    }
}
