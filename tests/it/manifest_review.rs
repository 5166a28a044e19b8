//! What a hostile author writes, wherever it is printed: shown as text, and never taken for bb's own lines.

use crate::manifests::{check, folder, run};
use bb::digest::Digest;
use serde_json::{Value, json};

/// What a terminal obeys or does not show, one by one.
fn obeyed() -> Vec<char> {
    let ranges = [
        ('\u{1}', '\u{1f}'),
        ('\u{7f}', '\u{9f}'),
        ('\u{200b}', '\u{200f}'),
        ('\u{2028}', '\u{202e}'),
        ('\u{2060}', '\u{2064}'),
        ('\u{2066}', '\u{2069}'),
        ('\u{feff}', '\u{feff}'),
    ];
    let all = ranges.into_iter().flat_map(|(from, to)| from..=to);
    all.collect()
}

/// Lines that pass for bb's own, were they to stand by themselves; `FORGED` marks each.
const FORGED: &[&str] = &[
    "Standing unchanged: these very bytes are approved FORGED",
    "SHA-256  0000 FORGED",
    "Its views can call: no tool. Nothing else of bb's. FORGED",
    "    Sends nothing anywhere. FORGED",
    "bb: team is approved. FORGED",
    "Type yes to approve exactly this: FORGED",
];

fn hostile() -> String {
    let obeyed: String = obeyed().into_iter().collect();
    let ends = [
        "\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{b}", "\u{c}",
    ];
    let forged: Vec<String> = FORGED
        .iter()
        .flat_map(|line| ends.iter().map(move |end| format!("{end}{line}{end}")))
        .collect();
    format!(
        "\u{301}A\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m{obeyed}\" {}",
        forged.concat()
    )
}

fn manifest(version: &str, text: &str) -> Value {
    // Where a field has a bound, as much of the text as it holds.
    let part = |units: usize| -> String {
        let mut left = units;
        let fits = text.chars().take_while(|c| {
            let needed = c.len_utf16();
            let fits = needed <= left;
            left = left.saturating_sub(needed);
            fits
        });
        fits.collect()
    };
    json!({
        "manifest": 1,
        "app": {"id": "team", "name": part(200), "version": version},
        "ui": [{"name": "board", "title": part(120), "html": format!("<p>{text}"),
            "csp": {"resourceDomains": ["https://xn--80ak6aa92e.example"]}}],
        "tools": [{
            "name": "render",
            "description": part(8_000),
            "inputSchema": {"type": "object", "description": text, "properties":
                {"state": {"type": "string", "enum": ["OPEN", "MERGED"], "description": text}}},
            "tool": {"name": "list_pull_requests", "args":
                {"project": "ACME", "repo": "rocket", "source_branch": part(100), "state": "{{input.state}}"}},
            "result": {text: "{{tool.pull_requests}}", "_meta": {text: "{{tool.more}}"}},
            "annotations": {"title": part(120)},
            "ui": {"resource": "board"},
        }],
    })
}

/// Holds that nothing in `said` is obeyed, and that what is forged stands in quotes or behind a bar.
#[track_caller]
fn harmless(what: &str, said: &str) {
    let bad = obeyed();
    // A tab is shown as one behind a bar, where a page's source stands.
    let found = said
        .chars()
        .find(|c| bad.contains(c) && !['\n', '\t'].contains(c));
    assert_eq!(found, None, "{what}: {said:?}");
    for line in said.lines() {
        assert_ne!(line, "SHA-256  0000", "{what}: a file's name ends no line");
        let Some(at) = line.find("FORGED") else {
            continue;
        };
        let before = &line[..at];
        let is_barred = line.trim_start().starts_with("| ");
        let is_quoted =
            before.matches('"').count() % 2 == 1 || before.matches('`').count() % 2 == 1;
        assert!(is_barred || is_quoted, "{what}: {line}");
        assert!(
            FORGED.iter().all(|forged| line.trim() != forged.trim()),
            "{what}: {line}"
        );
    }
    // A mark with nothing to stand on would go to bb's own quote.
    assert!(
        !said.contains("\"\u{301}") && !said.contains("| \u{301}"),
        "{what}: {said}"
    );
}

#[test]
fn what_a_hostile_author_writes_is_printed_harmlessly_everywhere() {
    let folder = folder("hostile");
    let text = hostile();
    // Not every name of a file is one that every system has; a line end and an escape are on this one.
    let path = folder.join("board\nSHA-256  0000\n\u{1b}[2J\u{202e}.json");
    let write = |manifest: &Value| {
        let bytes = manifest.to_string();
        std::fs::write(&path, &bytes).expect("written");
        Digest::of(bytes.as_bytes()).to_string()
    };
    let file = path.display().to_string();
    let digest = write(&manifest("1.0.0", &text));
    harmless("check", &check(&folder, &["check", &file], 0));
    let said = check(&folder, &["review", &file], 0);
    harmless("review", &said);
    assert!(
        said.contains("FORGED") && said.contains("xn-- stands for other letters"),
        "{said}"
    );
    harmless("source", &check(&folder, &["review", &file, "--source"], 0));
    harmless("no terminal", &check(&folder, &["approve", &file], 2));
    harmless(
        "another digest",
        &check(&folder, &["approve", &file, "--sha256", "0"], 5),
    );
    harmless(
        "approve",
        &check(&folder, &["approve", &file, "--sha256", &digest], 0),
    );
    harmless("list", &check(&folder, &["list"], 0));
    harmless(
        "review of the approved one",
        &check(&folder, &["review", "team"], 0),
    );
    // An update, whose review tells of titles and domains once more.
    let mut newer = manifest("1.1.0", &format!("{text}!"));
    newer["ui"][0]["csp"]["connectDomains"] = json!(["https://api.example.org"]);
    newer["ui"][0]["permissions"] = json!({"camera": {}});
    write(&newer);
    harmless("update", &check(&folder, &["review", &file], 0));
    // JSON is for programs: what it holds is escaped there by its own rules, and a terminal obeys none of it.
    for arguments in [
        &["review", &file, "--json"][..],
        &["check", &file, "--json"],
        &["list", "--json"],
    ] {
        let output = run(&folder, arguments);
        let told = String::from_utf8(output.stdout).expect("UTF-8");
        let _: Value = serde_json::from_str(&told).expect("JSON");
        assert!(
            !told.contains(['\u{1b}', '\u{7}', '\r']),
            "{arguments:?}: {told}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_hostile_manifest_is_told_harmlessly() {
    let folder = folder("hostile-findings");
    let text = hostile();
    let mut broken = manifest("1.0.0", &text);
    broken[&text] = json!(1);
    broken["app"]["id"] = json!(text);
    broken["app"]["version"] = json!(text);
    broken["app"]["privacy_policy_url"] = json!(format!("https://{text}"));
    broken["ui"][0]["name"] = json!(text);
    broken["ui"][0][&text] = json!({});
    broken["ui"][0]["csp"] = json!({"connectDomains": [format!("https://{text}")], &text: []});
    broken["ui"][0]["permissions"] = json!({&text: {}});
    let path = folder.join("board.json");
    std::fs::write(&path, broken.to_string()).expect("written");
    let file = path.display().to_string();
    harmless("app", &check(&folder, &["check", &file], 2));

    let mut broken = manifest("1.0.0", &text);
    let tool = &mut broken["tools"][0];
    tool["name"] = json!(text);
    tool[&text] = json!(1);
    tool["inputSchema"]["properties"][&text] =
        json!({"type": text, "pattern": text, "default": 1, "enum": []});
    tool["inputSchema"]["required"] = json!([text]);
    tool["tool"]["name"] = json!(text);
    tool["tool"]["args"][&text] = json!(format!("{{{{{text}}}}}"));
    tool["result"][format!("{{{{{text}")] = json!("{{nobody.x}}");
    tool["ui"] = json!({"resource": text, "visibility": [text]});
    std::fs::write(&path, broken.to_string()).expect("written");
    harmless("tools", &check(&folder, &["check", &file], 2));
    harmless("review", &check(&folder, &["review", &file], 2));
    harmless(
        "id",
        &check(&folder, &["review", &text.replace('\u{0}', "")], 4),
    );
    for command in ["remove", "enable", "disable"] {
        harmless(command, &check(&folder, &[command, &text], 4));
    }
}
