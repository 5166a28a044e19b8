//! What a caller sends stays data wherever a template puts it: every position, every sort of hostile text.

use super::filled;
use crate::manifests::json::Json;

/// Texts that would mean something if anybody read them again.
const HOSTILE: &[&str] = &[
    "{{tool.secret}}",
    "{{input.x}}",
    "{{ input.other }}",
    "{{{input.x}}}",
    "{{",
    "}}",
    "\"",
    "\",\"admin\":true,\"x\":\"",
    "'; drop table pulls; --",
    "\\",
    "\\\"",
    "../../etc/passwd",
    "/projects/OTHER/repos/vault",
    "..%2f..%2f",
    "a?b=c&d#e",
    "one\ntwo\r\nthree",
    "\u{2028}\u{202e}\u{0}\u{7f}",
    "__proto__",
    "constructor",
    "-1",
    "null",
    "[1,2]",
    "{\"a\":1}",
    "",
    " ",
    "\u{1f680}\u{fe0f}",
];

/// A template, and the place of its value in what comes of it; the texts around it, where it stands inside one.
type Position = (
    &'static str,
    &'static [&'static str],
    Option<(&'static str, &'static str)>,
);

/// Each sort of place that a reference may stand in.
const POSITIONS: &[Position] = &[
    (r#"{"a":"{{input.x}}"}"#, &["a"], None),
    (r#"{"a":"{{ input.x }}"}"#, &["a"], None),
    (r#"{"a":{"b":{"c":"{{input.x}}"}}}"#, &["a", "b", "c"], None),
    (r#"{"a":["{{input.x}}"]}"#, &["a", "0"], None),
    (r#"{"a":["k","{{input.x}}","l"]}"#, &["a", "1"], None),
    (r#"{"a":[["{{input.x}}"]]}"#, &["a", "0", "0"], None),
    (r#"{"a":[{"b":"{{input.x}}"}]}"#, &["a", "0", "b"], None),
    (r#"{"_meta":{"a":"{{input.x}}"}}"#, &["_meta", "a"], None),
    (r#"{"a":"{{input.deep.y}}"}"#, &["a"], None),
    (r#"{"a":"{{input.list.0}}"}"#, &["a"], None),
    (r#"{"a":"{{tool.x}}"}"#, &["a"], None),
    (r#"{"a":"{{input.x}} "}"#, &["a"], Some(("", " "))),
    (r#"{"a":" {{input.x}}"}"#, &["a"], Some((" ", ""))),
    (r#"{"a":"<{{input.x}}>"}"#, &["a"], Some(("<", ">"))),
    (r#"{"a":"{{{input.x}}}"}"#, &["a"], Some(("{", "}"))),
    (r#"{"a":"{{ {{input.x}}"}"#, &["a"], Some(("{{ ", ""))),
    (
        r#"{"a":"refs/heads/{{input.x}}"}"#,
        &["a"],
        Some(("refs/heads/", "")),
    ),
    (
        r#"{"a":"{{input.none}}{{input.x}}{{tool.none}}"}"#,
        &["a"],
        Some(("", "")),
    ),
    (
        r#"{"a":{"b":["{{input.x}}!"]}}"#,
        &["a", "b", "0"],
        Some(("", "!")),
    ),
];

fn at<'a>(value: &'a Json, path: &[&str]) -> Option<&'a Json> {
    path.iter().try_fold(value, |value, step| match value {
        Json::List(list) => list.get(step.parse::<usize>().ok()?),
        _ => value.get(step),
    })
}

/// The names and the lengths of a value, without what its texts say.
fn shape(value: &Json) -> String {
    match value {
        Json::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{name}:{}", shape(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Json::List(list) => {
            let list: Vec<String> = list.iter().map(shape).collect();
            format!("[{}]", list.join(","))
        }
        other => other.sort().to_owned(),
    }
}

fn sources(text: &str) -> Json {
    let text = serde_json::json!(text);
    serde_json::json!({
        "input": {"x": text, "other": "OTHER", "deep": {"y": text}, "list": [text]},
        "tool": {"x": text, "secret": "SECRET"},
    })
    .into()
}

#[test]
fn a_text_stays_data_in_every_position() {
    for (template, path, around) in POSITIONS {
        let template = Json::read(template.as_bytes()).expect("JSON");
        let plain = filled(&template, &sources("plain")).0.expect("a value");
        for text in HOSTILE {
            let (value, findings) = filled(&template, &sources(text));
            assert!(findings.problems.is_empty(), "{findings:?}");
            // As the next reader gets it.
            let written = value.expect("a value").compact();
            let value = Json::read(written.as_bytes()).expect("JSON");
            let expected = match around {
                None => (*text).to_owned(),
                Some((before, after)) => format!("{before}{text}{after}"),
            };
            let found = at(&value, path).and_then(Json::text);
            assert_eq!(found, Some(expected.as_str()), "{}", template.compact());
            assert_eq!(
                shape(&value),
                shape(&plain),
                "{}: {text:?}",
                template.compact()
            );
            assert!(
                !written.contains("SECRET") && !written.contains("OTHER\""),
                "{written}"
            );
        }
    }
}

#[test]
fn a_list_or_an_object_inside_a_text_is_json_that_cannot_be_left() {
    let template = Json::read(br#"{"a":"{\"ids\": {{input.list}}, \"deep\": {{input.deep}}}"}"#)
        .expect("JSON");
    for text in HOSTILE {
        let (value, _) = filled(&template, &sources(text));
        let value = value.expect("a value");
        let written = value.get("a").and_then(Json::text).expect("a text");
        let inside =
            Json::read(written.as_bytes()).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(shape(&inside), "{ids:[string],deep:{y:string}}");
        assert_eq!(at(&inside, &["ids", "0"]).and_then(Json::text), Some(*text));
        assert_eq!(
            at(&inside, &["deep", "y"]).and_then(Json::text),
            Some(*text)
        );
    }
}

#[test]
fn a_value_of_another_sort_keeps_it_and_brings_no_member() {
    let template = Json::read(br#"{"a":"{{input.x}}","b":"<{{input.x}}>","c":1}"#).expect("JSON");
    for (value, inside) in [
        ("null", ""),
        ("true", "true"),
        ("-0.5", "-0.5"),
        ("[\"{{tool.secret}}\"]", "[\"{{tool.secret}}\"]"),
        (
            r#"{"c":2,"__proto__":{"d":1}}"#,
            r#"{"c":2,"__proto__":{"d":1}}"#,
        ),
    ] {
        let sources = format!(r#"{{"input":{{"x":{value}}},"tool":{{"secret":"SECRET"}}}}"#);
        let (filled, _) = filled(&template, &Json::read(sources.as_bytes()).expect("JSON"));
        let expected = format!(
            r#"{{"a":{value},"b":{},"c":1}}"#,
            serde_json::json!(format!("<{inside}>"))
        );
        assert_eq!(filled.map(|value| value.compact()), Some(expected));
    }
}
