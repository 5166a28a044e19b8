//! Sources beside their trees in `fixtures/markdown/`, and texts made to hurt.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{MAX_DEPTH, MAX_NODES, MAX_SOURCE_BYTES, Node, tree, web_address};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Compares a source's tree with the file beside it; `BB_UPDATE=1` writes that file.
#[track_caller]
fn check(source: &Path, expected: &Path) {
    let text = fs::read_to_string(source).expect("a source is UTF-8");
    let mut written = String::from("[\n");
    let nodes = tree(&text).nodes;
    for (at, node) in nodes.iter().enumerate() {
        let line = serde_json::to_string(node).expect("a node is JSON");
        let comma = if at + 1 < nodes.len() { "," } else { "" };
        writeln!(written, "  {line}{comma}").expect("a string takes text");
    }
    written.push_str("]\n");
    if std::env::var_os("BB_UPDATE").is_some() {
        fs::write(expected, &written).expect("the expectation can be written");
    }
    let known = fs::read_to_string(expected).unwrap_or_default();
    assert_eq!(
        written,
        known,
        "{} (BB_UPDATE=1 rewrites)",
        source.display()
    );
}

#[test]
fn each_source_reads_as_the_tree_beside_it() {
    let mut seen = 0;
    for entry in fs::read_dir(folder().join("markdown")).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|kind| kind == "md") {
            check(&path, &path.with_extension("json"));
            seen += 1;
        }
    }
    assert!(seen >= 12, "only {seen} sources");
}

#[test]
fn hostile_markdown_reads_as_harmless_nodes() {
    let case = folder().join("cases/09-hostile-markdown");
    let source = case.join("description.md");
    check(&source, &case.join("expected.json"));
    let written =
        serde_json::to_string(&tree(&fs::read_to_string(&source).expect("UTF-8"))).expect("JSON");
    for (href, _) in written.match_indices("\"href\":\"") {
        assert!(
            written[href..].starts_with("\"href\":\"https://"),
            "{}",
            &written[href..href + 40]
        );
    }
    assert!(!written.contains("\\r"), "a carriage return is left");
    assert!(
        written.contains("\u{202e}"),
        "the override is for the page to show, not for bb to hide"
    );
}

#[test]
fn only_a_web_address_opens() {
    let rows = [
        ("https://example.com/a", Some("https://example.com/a")),
        ("HTTP://example.com", Some("http://example.com")),
        (
            " https://example.com/a b ",
            Some("https://example.com/a%20b"),
        ),
        ("ht\ttps://example.com", Some("https://example.com")),
        ("\u{1}https://example.com", Some("https://example.com")),
        ("java\nscript:alert(1)", None),
        ("javascript://example.com/%0aalert(1)", None),
        ("data:text/html,x", None),
        ("attachment:5/9c1e%2Freport.pdf", None),
        ("file:///etc/passwd", None),
        ("../other", None),
        ("//example.com", None),
        ("https:example.com", None),
        ("https://", None),
        ("https:///path", None),
        ("https://a b/", None),
        ("https://good.example\\@evil.example", None),
        ("", None),
    ];
    for (address, expected) in rows {
        assert_eq!(web_address(address).as_deref(), expected, "{address:?}");
    }
}

#[test]
fn a_bare_address_ends_where_its_sentence_ends() {
    let rows = [
        ("see https://example.com/a.", "https://example.com/a"),
        ("(https://example.com/a_(b))", "https://example.com/a_(b)"),
        (
            "https://example.com/?q=1&r=2, and",
            "https://example.com/?q=1&r=2",
        ),
        ("at http://example.com:7990/x!", "http://example.com:7990/x"),
    ];
    for (text, expected) in rows {
        let found: Vec<_> = super::addresses::pieces(text)
            .into_iter()
            .filter(|(_, is)| *is)
            .map(|(part, _)| part)
            .collect();
        assert_eq!(found, [expected], "{text}");
    }
    for text in [
        "xhttps://example.com",
        "https://",
        "http:/example.com",
        "https",
    ] {
        assert!(
            super::addresses::pieces(text).iter().all(|(_, is)| !is),
            "{text}"
        );
    }
}

#[test]
fn a_text_made_to_hurt_is_read_soon_and_stays_shallow() {
    let fill = |piece: &str| piece.repeat(MAX_SOURCE_BYTES / piece.len());
    let rows = [
        ("quotes", ">".repeat(10_000)),
        ("quotes to the cap", fill(">")),
        ("quotes in lines", fill(&format!("{}\n", ">".repeat(300)))),
        ("lists", fill("- ")),
        ("numbered lists", fill("1. ")),
        (
            "stairs",
            (0..250).fold(String::new(), |text, at| {
                format!("{text}{}* x\n", " ".repeat(at))
            }),
        ),
        ("brackets", fill("[")),
        ("links in links", fill("[a](")),
        ("pictures", fill("![")),
        ("stars", fill("*a ")),
        ("stars and lines", fill("*_a_")),
        ("ticks", fill("`a``b")),
        (
            "bars",
            format!(
                "{}\n{}\n{}",
                "|a".repeat(3_000),
                "|-".repeat(3_000),
                fill("|\n")
            ),
        ),
        ("tags", fill("<a ")),
        ("entities", fill("&#x61;")),
        ("addresses", fill("http://a.b ")),
        ("strikes", fill("~~a")),
        ("closing brackets", format!("http://a{}", fill(")"))),
        ("closing square brackets", format!("http://a{}", fill("]"))),
        (
            "closing brackets of both kinds",
            format!("http://a{}", fill(")].")),
        ),
    ];
    let signs = (' '..='~').filter(|sign| !sign.is_alphanumeric());
    let alone = signs.chain(['\n', '\t']).flat_map(|sign| {
        let row = fill(&sign.to_string());
        [
            ("a sign", row.clone()),
            ("a sign behind an address", format!("http://a{row}")),
        ]
    });
    for (name, text) in rows.into_iter().chain(alone) {
        let start = Instant::now();
        let nodes = tree(&text).nodes;
        let took = start.elapsed();
        assert!(
            took < Duration::from_secs(3),
            "{name} took {took:?}: {text:.20}"
        );
        assert!(
            nodes.iter().map(depth).max().unwrap_or(0) <= MAX_DEPTH + 4,
            "{name} is deep"
        );
        let bytes = serde_json::to_string(&nodes).expect("JSON").len();
        assert!(bytes < 40 * MAX_SOURCE_BYTES, "{name} weighs {bytes} bytes");
    }
}

fn depth(node: &Node) -> usize {
    match node {
        Node::Text(_) => 1,
        Node::Element(_, _, children) => 1 + children.iter().map(depth).max().unwrap_or(0),
    }
}

#[test]
fn a_text_over_the_cap_is_cut_at_a_line_and_says_so() {
    let line = "twenty-one characters\n";
    let text = line.repeat(2_000);
    let read = tree(&text);
    let cut = read.cut.expect("it is over the cap");
    assert_eq!(cut.total, 44_000);
    assert!(
        cut.shown <= MAX_SOURCE_BYTES && cut.shown > MAX_SOURCE_BYTES - 30,
        "{cut:?}"
    );
    assert!(tree("short").cut.is_none());
    let wide = tree(&"é".repeat(MAX_SOURCE_BYTES));
    assert_eq!(
        wide.cut.map(|cut| (cut.shown, cut.total)),
        Some((MAX_SOURCE_BYTES / 2, MAX_SOURCE_BYTES))
    );
}

#[test]
fn a_text_of_more_pieces_than_are_drawn_says_how_much_of_it_is_there() {
    let text = "*a* ".repeat(8_000);
    let read = tree(&text);
    let cut = read.cut.expect("it is too many pieces");
    assert_eq!(cut.total, 32_000);
    let shown = 4 * MAX_NODES / 3;
    assert!(cut.shown.abs_diff(shown) < 10, "{cut:?}, not {shown}");
    let drawn = serde_json::to_string(&read.nodes).expect("JSON");
    assert_eq!(drawn.matches("[\"em\"").count(), cut.shown.div_ceil(4));
}
