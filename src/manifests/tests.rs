//! The vectors of the format, and tables for what they leave open.

use super::domains;
use super::findings::{Findings, Place};
use super::json::Json;
use super::manifest::check;
use super::manifest::{DomainKind, Permission};
use super::table::Table;
use super::templates::{Room, Template, Values};
use super::updates::Changes;
use super::{uris, versions};

mod broken;
mod limits;
mod positions;

fn vectors(name: &str) -> Vec<u8> {
    let path = format!(
        "{}/fixtures/manifests/vectors/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn lines(name: &str) -> Vec<Json> {
    let bytes = vectors(name);
    let lines = bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    lines.map(|line| Json::read(line).expect("JSON")).collect()
}

fn table() -> Table {
    Table::read(&vectors("base-tools.json")).expect("a table")
}

fn text<'a>(line: &'a Json, name: &str) -> &'a str {
    line.get(name)
        .and_then(Json::text)
        .unwrap_or_else(|| panic!("{name}: {}", line.compact()))
}

/// The short notation of the cases written out.
fn expanded(value: &Json) -> Json {
    if let Some(fill) = value.get("$fill") {
        let part = |name, usual| fill.get(name).and_then(Json::text).unwrap_or(usual);
        let (prefix, unit, suffix) = (part("prefix", ""), part("unit", "x"), part("suffix", ""));
        let bytes = usize::try_from(fill.get("bytes").and_then(Json::count).expect("bytes"))
            .expect("small");
        let times = (bytes - prefix.len() - suffix.len()) / unit.len();
        return Json::Text(format!("{prefix}{}{suffix}", unit.repeat(times)));
    }
    match value {
        Json::List(list) => Json::List(list.iter().flat_map(repeated).collect()),
        Json::Object(members) => Json::Object(
            members
                .iter()
                .map(|(name, value)| (name.clone(), expanded(value)))
                .collect(),
        ),
        other => other.clone(),
    }
}

fn repeated(value: &Json) -> Vec<Json> {
    let Some(repeat) = value.get("$repeat") else {
        return vec![expanded(value)];
    };
    let count = repeat.get("count").and_then(Json::count).expect("count");
    let item = expanded(repeat.get("item").expect("item")).compact();
    (0..count)
        .map(|n| Json::read(item.replace("{n}", &n.to_string()).as_bytes()).expect("JSON"))
        .collect()
}

#[test]
fn each_manifest_of_the_vectors_is_judged_as_they_say() {
    let table = table();
    let mut wrong = Vec::new();
    for case in lines("cases.jsonl") {
        let manifest = expanded(case.get("manifest").expect("a manifest")).compact();
        let (sound, findings) = check(manifest.as_bytes(), &table);
        let is_ok = case.get("ok").and_then(Json::flag).expect("ok");
        let at = case.get("at").and_then(Json::list).unwrap_or_default();
        let has_places = at.iter().all(|place| {
            findings
                .problems
                .iter()
                .any(|finding| Some(finding.place.as_str()) == place.text())
        });
        if sound.is_some() != is_ok || !has_places {
            wrong.push(format!("{}: {:?}", text(&case, "name"), findings.problems));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_domain_of_the_vectors_is_judged_as_they_say() {
    let hosts = table().hosts;
    let mut wrong = Vec::new();
    for case in lines("domains.jsonl") {
        let entry = text(&case, "entry");
        let refusal = domains::refusal(entry);
        let is_ok = refusal.is_none() && !hosts.iter().any(|host| domains::reaches(entry, host));
        if Some(is_ok) != case.get("ok").and_then(Json::flag) {
            wrong.push(format!("{entry}: {refusal:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn filled(template: &Json, sources: &Json) -> (Option<Json>, Findings) {
    let mut findings = Findings::default();
    let template = Template::read(template, &Place::TOP, &mut findings);
    let values = Values {
        input: sources.get("input").expect("input"),
        tool: sources.get("tool").unwrap_or(&Json::Null),
    };
    let filled = template
        .fill(values, &mut Room::new(1_000_000))
        .expect("room");
    (filled, findings)
}

#[test]
fn each_template_of_the_vectors_is_filled_as_they_say() {
    let lines = lines("templates.jsonl");
    let sources = lines[0].get("sources").expect("sources");
    for case in &lines[1..] {
        let (filled, findings) = filled(case.get("template").expect("a template"), sources);
        assert!(findings.problems.is_empty(), "{findings:?}");
        let expected = case.get("expect").map(Json::compact);
        assert_eq!(
            filled.map(|value| value.compact()),
            expected,
            "{}",
            text(case, "name")
        );
    }
}

#[test]
fn each_address_of_the_vectors_is_built_and_read_as_they_say() {
    for case in lines("uris.jsonl") {
        if let Some(build) = case.get("build") {
            let uri = uris::of(
                text(build, "app_id"),
                text(build, "view"),
                text(build, "html"),
            );
            assert_eq!(uri, text(&case, "uri"));
            continue;
        }
        let parts = uris::parts(text(&case, "parse"));
        let expected = case.get("ok").and_then(Json::flag) == Some(true);
        let expected = expected.then(|| {
            (
                text(&case, "app_id"),
                text(&case, "view"),
                text(&case, "hash"),
            )
        });
        assert_eq!(parts, expected, "{}", text(&case, "parse"));
    }
}

#[test]
fn each_pair_of_versions_is_ordered_as_the_vectors_say() {
    for case in lines("versions.jsonl") {
        let (installed, candidate) = (text(&case, "installed"), text(&case, "candidate"));
        let expected = case.get("higher").and_then(Json::flag);
        assert_eq!(
            Some(versions::is_higher(installed, candidate)),
            expected,
            "{installed} {candidate}"
        );
    }
}

#[test]
fn a_text_is_measured_as_it_is_written() {
    let all: String = ('\u{0}'..='\u{2ff}')
        .chain(['\u{2028}', '\u{1f680}'])
        .collect();
    for text in [
        String::new(),
        "plain".repeat(200),
        all.clone(),
        format!("{}{all}", "x".repeat(250)),
    ] {
        let written = Json::Text(text).compact();
        let read = Json::read(written.as_bytes()).expect("JSON");
        assert_eq!(read.compact_bytes(), written.len(), "{written}");
    }
    // Every character at every place of eight bytes, between neighbours that a sum over eight could carry into.
    for (char, beside) in all
        .chars()
        .flat_map(|char| [(char, '!'), (char, ' '), (char, '\u{7f}'), (char, '\u{ff}')])
    {
        for before in 0..8 {
            let side = |count| String::from(beside).repeat(count);
            let text = format!("{}{char}{}", side(before), side(16 - before));
            let written = Json::Text(text.clone()).compact().len();
            assert_eq!(super::json::quoted_bytes(&text), written, "{text:?}");
        }
    }
    for number in ["0", "9", "10", "18446744073709551615", "-1", "0.5", "1e300"] {
        let read = Json::read(number.as_bytes()).expect("JSON");
        assert_eq!(read.compact_bytes(), read.compact().len(), "{number}");
    }
}

#[test]
fn every_problem_is_told_at_once() {
    let manifest = br#"{"manifest":1,"app":{"id":"t","name":" ","version":"1"},"ui":[{"name":"v","html":"x","csp":
        {"connectDomains":["http://a.example","https://bitbucket.example.com"]}}],
        "tools":[{"name":"show","description":"d","inputSchema":{"type":"object"},"tool":{"name":"nothing"}}]}"#;
    let (_, findings) = check(manifest, &table());
    let told: Vec<String> = findings
        .problems
        .iter()
        .map(|f| format!("{} {}", f.place, f.code.name()))
        .collect();
    assert_eq!(
        told,
        [
            "app.name blank",
            "ui.0.html not-a-page",
            "ui.0.csp.connectDomains.0 bad-domain",
            "ui.0.csp.connectDomains.1 reserved-host",
            "tools.0.name reserved-name",
            "tools.0.tool.name unknown-tool",
        ]
    );
}

#[test]
fn each_update_of_the_vectors_differs_as_they_say() {
    let table = table();
    let views = |case: &Json, name: &str| {
        let views = case.get(name).expect("views").compact();
        let document =
            format!(r#"{{"manifest":1,"app":{{"id":"t","name":"T","version":"1"}},"ui":{views}}}"#);
        check(document.as_bytes(), &table).0.expect("sound").views
    };
    for case in lines("updates.jsonl") {
        let changes = Changes::between(&views(&case, "installed"), &views(&case, "candidate"));
        let changed = changes.changed.iter().map(|changed| {
            let domains = changed.new_domains.iter();
            let domains = domains.map(|(kind, list)| (DomainKind::name(*kind).to_owned(), serde_json::json!(list)));
            let permissions = changed.new_permissions.iter().map(|one| Permission::name(*one));
            serde_json::json!({
                "name": changed.name, "html": changed.html, "csp": changed.csp, "permissions": changed.permissions,
                "newDomains": serde_json::Value::Object(domains.collect()),
                "newPermissions": permissions.collect::<Vec<_>>(),
            })
        });
        let told = serde_json::json!({
            "added": changes.added, "removed": changes.removed, "unchanged": changes.unchanged,
            "changed": changed.collect::<Vec<_>>(),
        });
        let expected = case.get("expect").expect("expect").clone().into_value();
        assert_eq!(told, expected, "{}", text(&case, "name"));
    }
}

/// The codes that a manifest of one tool over `base_schema` is refused with.
fn codes(base_schema: &str, input: &str, args: &str) -> Vec<String> {
    let table =
        format!(r#"{{"tools":[{{"name":"base","mutates":false,"inputSchema":{base_schema}}}]}}"#);
    let table = Table::read(table.as_bytes()).expect("a table");
    let manifest = format!(
        r#"{{"manifest":1,"app":{{"id":"t","name":"T","version":"1"}},"tools":[{{"name":"tool","description":"d",
        "inputSchema":{input},"tool":{{"name":"base","args":{args}}}}}]}}"#
    );
    let (_, findings) = check(manifest.as_bytes(), &table);
    findings
        .problems
        .iter()
        .map(|finding| finding.code.name().to_owned())
        .collect()
}

#[test]
fn what_a_template_builds_fits_the_wrapped_tool_or_is_refused() {
    let forms = r#"{"type":"object","properties":{"id":{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"string"}}]},
        "query":{"type":"string","x-bb-literal":true},"box":{"type":"object","properties":{"a":{"type":"string"}},
        "required":["a"]}}}"#;
    let input = r#"{"type":"object","properties":{"text":{"type":"string"},"id":{"type":"integer"},"any":{},
        "both":{"type":["integer","array"],"items":{"type":"string"}},
        "box":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false},
        "loose":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},
        "list":{"type":"array","items":{"type":"integer"}}},"required":["text"]}"#;
    for (args, expected) in [
        (r#"{"id":"{{input.id}}"}"#, vec![]),
        (r#"{"id":"{{input.both}}"}"#, vec![]),
        (r#"{"id":["{{input.text}}","b"]}"#, vec![]),
        (r#"{"id":"n{{input.id}}"}"#, vec!["unfit"]),
        (r#"{"id":"{{input.text}}"}"#, vec!["unfit"]),
        (r#"{"id":"{{input.any}}"}"#, vec!["unfit"]),
        (r#"{"id":"{{input.list}}"}"#, vec!["unfit"]),
        (r#"{"id":"text"}"#, vec!["unfit"]),
        (r#"{"query":"fixed"}"#, vec![]),
        (r#"{"query":"a {{input.text}}"}"#, vec!["code-argument"]),
        (r#"{"box":"{{input.box}}"}"#, vec![]),
        (r#"{"box":"{{input.loose}}"}"#, vec!["unfit"]),
        (r#"{"box":{"a":"{{input.text}}"}}"#, vec![]),
        (
            r#"{"box":{"a":"{{input.box.a}}"}}"#,
            vec!["uncertain-argument"],
        ),
        (
            r#"{"box":{"b":"{{input.text}}"}}"#,
            vec!["unknown-argument", "missing-argument"],
        ),
        (r#"{"box":"{{input.text.length}}"}"#, vec!["bad-reference"]),
        (
            r#"{"box":{"{{input.text}}":"x","a":"y"}}"#,
            vec!["bad-name", "unknown-argument"],
        ),
    ] {
        assert_eq!(codes(forms, input, args), expected, "{args}");
    }
}
