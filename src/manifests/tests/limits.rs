//! Each limit of the format one below, at, and one over.

use super::table;
use crate::cancel::Cancel;
use crate::manifests::findings::Place;
use crate::manifests::json::Json;
use crate::manifests::manifest::check;
use crate::manifests::schema::{Fit, with_defaults};
use crate::manifests::templates::{MAX_FILLED_CHARS, Room, Template, Values};
use crate::manifests::uris;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

fn words(count: usize) -> String {
    "a".repeat(count)
}

fn manifest(sections: Value) -> Value {
    let mut manifest = json!({"manifest": 1, "app": {"id": "t", "name": "T", "version": "1"}});
    for (name, section) in sections.as_object().into_iter().flatten() {
        manifest[name] = section.clone();
    }
    manifest
}

fn view(members: Value) -> Value {
    let mut view = json!({"name": "v", "html": "<p>"});
    for (name, member) in members.as_object().into_iter().flatten() {
        view[name] = member.clone();
    }
    manifest(json!({"ui": [view]}))
}

fn tool(members: Value) -> Value {
    let mut tool = json!({
        "name": "tool",
        "description": "d",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
        "tool": {"name": "list_builds", "args": {"commit": "abcdef1"}},
    });
    for (name, member) in members.as_object().into_iter().flatten() {
        tool[name] = member.clone();
    }
    tool
}

fn with_tool(members: Value) -> Value {
    manifest(json!({"tools": [tool(members)]}))
}

fn page(bytes: usize) -> String {
    format!("<{}", words(bytes - 1))
}

/// As many pages of this size as it takes, none over the bound of one.
fn pages(bytes: usize) -> Value {
    let whole = 512 * KIB;
    let mut views = Vec::new();
    let mut left = bytes;
    while left > 0 {
        // A page has two bytes at the least.
        let now = if left > whole && left - whole < 2 {
            whole - 2
        } else {
            left.min(whole)
        };
        views.push(json!({"name": format!("v{}", views.len()), "html": page(now)}));
        left -= now;
    }
    manifest(json!({"ui": views}))
}

/// A manifest of so many bytes, no page in it.
fn without_pages(bytes: usize) -> Value {
    let of = |filled: &[usize]| {
        let tools = filled.iter().enumerate().map(|(i, chars)| {
            let schema = json!({"type": "object", "description": words(*chars)});
            tool(json!({"name": format!("tool{i:02}"), "inputSchema": schema}))
        });
        manifest(json!({"tools": tools.collect::<Vec<_>>()}))
    };
    let mut filled = [60_000; 18];
    filled[17] = 0;
    let empty = of(&filled).to_string().len();
    filled[17] = bytes - empty;
    of(&filled)
}

/// A manifest of so many bytes, nearly all of them pages: a quote takes two bytes here and one of the page's own.
fn whole(bytes: usize) -> Value {
    let quotes = |count: usize| format!("<{}", "\"".repeat(count));
    let of = |last: String| {
        manifest(json!({"ui": [
            {"name": "a", "html": quotes(505_000)}, {"name": "b", "html": quotes(505_000)}, {"name": "c", "html": last},
        ]}))
    };
    let left = bytes - of("<".to_owned()).to_string().len();
    of(format!("{}{}", quotes(left / 2), words(left % 2)))
}

fn nested_schema(deep: usize) -> Value {
    (0..deep).fold(json!({}), |schema, _| json!({"items": schema}))
}

fn nested_template(deep: usize) -> Value {
    (0..deep).fold(json!(1), |template, _| json!({"a": template}))
}

fn domains(count: usize) -> Value {
    let entries: Vec<String> = (0..count)
        .map(|n| format!("https://h{n}.example.org"))
        .collect();
    json!({"csp": {"frameDomains": entries}})
}

fn entry(chars: usize) -> Value {
    // Labels of at most 63 characters; the last one takes what is left.
    let mut host = String::new();
    let left = chars - "https://".len() - ".example.org".len();
    for at in 0..left {
        host.push(if at % 60 == 59 && at + 1 < left {
            '.'
        } else {
            'a'
        });
    }
    json!({"csp": {"resourceDomains": [format!("https://{host}.example.org")]}})
}

/// A definition of so many bytes of compact JSON; what says how it is shown does not count.
fn definition(bytes: usize) -> Value {
    let of = |chars: usize| {
        let schema = json!({"type": "object", "description": words(chars)});
        tool(json!({"inputSchema": schema}))
    };
    let mut tool = of(bytes - of(0).to_string().len());
    tool["annotations"] = json!({"title": words(100)});
    manifest(json!({"tools": [tool]}))
}

type Make = fn(usize) -> Value;

/// What is limited, how much of it there may be, a manifest with so much of it, and what more is refused with.
const LIMITS: &[(&str, usize, Make, &str)] = &[
    ("the whole, in bytes", 2 * MIB, whole, ": too-large"),
    (
        "the whole beside pages, in bytes",
        MIB,
        without_pages,
        ": too-large",
    ),
    (
        "views",
        8,
        |n| {
            let views = (0..n).map(|i| json!({"name": format!("v{i}"), "html": "<p>"}));
            manifest(json!({"ui": views.collect::<Vec<_>>()}))
        },
        "ui: too-many",
    ),
    (
        "bytes of a page",
        512 * KIB,
        |n| view(json!({"html": page(n)})),
        "ui.0.html: too-large",
    ),
    ("bytes of all pages", MIB, pages, "ui: too-large"),
    (
        "a view's name",
        64,
        |n| view(json!({"name": words(n)})),
        "ui.0.name: bad-name",
    ),
    (
        "a view's title",
        120,
        |n| view(json!({"title": words(n)})),
        "ui.0.title: too-long",
    ),
    (
        "a view's title, past the first plane",
        60,
        |n| view(json!({"title": "\u{1f680}".repeat(n)})),
        "ui.0.title: too-long",
    ),
    (
        "domains of a list",
        32,
        |n| view(domains(n)),
        "ui.0.csp.frameDomains: too-many",
    ),
    (
        "one domain",
        267,
        |n| view(entry(n)),
        "ui.0.csp.resourceDomains.0: bad-domain",
    ),
    (
        "an app's id",
        32,
        |n| manifest(json!({"app": {"id": words(n), "name": "T", "version": "1"}})),
        "app.id: bad-name",
    ),
    (
        "an app's name",
        200,
        |n| manifest(json!({"app": {"id": "t", "name": words(n), "version": "1"}})),
        "app.name: too-long",
    ),
    (
        "a version",
        64,
        |n| manifest(json!({"app": {"id": "t", "name": "T", "version": words(n)}})),
        "app.version: bad-name",
    ),
    (
        "tools",
        100,
        |n| {
            let tools = (0..n).map(|i| tool(json!({"name": format!("tool{i}")})));
            manifest(json!({"tools": tools.collect::<Vec<_>>()}))
        },
        "tools: too-many",
    ),
    // The app's id and an underscore stand before it.
    (
        "a tool's name",
        64 - 2,
        |n| with_tool(json!({"name": words(n)})),
        "tools.0.name: too-long",
    ),
    (
        "a tool's description",
        8_000,
        |n| with_tool(json!({"description": words(n)})),
        "tools.0.description: too-long",
    ),
    (
        "a tool's title",
        120,
        |n| with_tool(json!({"annotations": {"title": words(n)}})),
        "tools.0.annotations.title: too-long",
    ),
    (
        "bytes of a definition",
        64 * KIB,
        definition,
        "tools.0: too-large",
    ),
    (
        "levels of a schema",
        16,
        |n| {
            // `deep` is the first level.
            with_tool(
                json!({"inputSchema": {"type": "object", "properties": {"deep": nested_schema(n - 1)}}}),
            )
        },
        "too-deep",
    ),
    (
        "levels of a template",
        16,
        |n| with_tool(json!({"result": nested_template(n)})),
        "too-deep",
    ),
    (
        "values of an enum",
        1_000,
        |n| {
            let values: Vec<usize> = (0..n).collect();
            with_tool(
                json!({"inputSchema": {"type": "object", "properties": {"a": {"enum": values}}}}),
            )
        },
        "tools.0.inputSchema.properties.a.enum: bad-schema",
    ),
    (
        "branches of a choice",
        32,
        |n| {
            let branches = vec![json!({}); n];
            with_tool(
                json!({"inputSchema": {"type": "object", "properties": {"a": {"anyOf": branches}}}}),
            )
        },
        "tools.0.inputSchema.properties.a.anyOf: bad-schema",
    ),
    (
        "references of a tool",
        128,
        |n| with_tool(json!({"result": {"a": "{{input.a}} ".repeat(n)}})),
        "tools.0: too-many",
    ),
];

#[test]
fn each_limit_holds_at_it_and_not_one_over() {
    let mut wrong = Vec::new();
    for (what, limit, make, refusal) in LIMITS {
        for count in [limit - 1, *limit] {
            let (sound, findings) = check(make(count).to_string().as_bytes(), &table());
            if sound.is_none() {
                wrong.push(format!(
                    "{what}, {count} of {limit}: {:?}",
                    findings.problems.first()
                ));
            }
        }
        let (sound, findings) = check(make(limit + 1).to_string().as_bytes(), &table());
        let told = findings
            .problems
            .iter()
            .map(|one| format!("{}: {}", one.place, one.code.name()));
        let told: Vec<String> = told.collect();
        if sound.is_some() || told.len() != 1 || !told[0].ends_with(refusal) {
            wrong.push(format!("{what}, one over {limit}: {told:?}, not {refusal}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn one_domain_may_have_the_longest_host_and_a_port() {
    for (port, is_ok) in [(":65535", true), (":655350", false)] {
        let mut longest = view(entry(267 - 6));
        let entries = &mut longest["ui"][0]["csp"]["resourceDomains"];
        let with_port = format!("{}{port}", entries[0].as_str().expect("a text"));
        assert_eq!(with_port.len() <= 267, is_ok);
        entries[0] = json!(with_port);
        let (sound, findings) = check(longest.to_string().as_bytes(), &table());
        assert_eq!(sound.is_some(), is_ok, "{:?}", findings.problems);
    }
}

#[test]
fn white_space_between_tokens_does_not_count() {
    let spaced = format!("{:#}", without_pages(MIB));
    assert!(spaced.len() > MIB);
    assert!(check(spaced.as_bytes(), &table()).0.is_some());
}

#[test]
fn what_a_call_writes_is_bounded_over_arguments_and_result_together() {
    let mut findings = Default::default();
    let template = Template::read(
        &json!({"a": "<{{input.x}}"}).into(),
        &Place::TOP,
        &mut findings,
    );
    for (chars, fits) in [
        (MAX_FILLED_CHARS - 2, true),
        (MAX_FILLED_CHARS - 1, true),
        (MAX_FILLED_CHARS, false),
    ] {
        let input = json!({"x": words(chars)}).into();
        let values = Values {
            input: &input,
            tool: &Json::Null,
        };
        let mut room = Room::new(MAX_FILLED_CHARS);
        assert_eq!(template.fill(values, &mut room).is_ok(), fits, "{chars}");
        // What is left is shared.
        assert!(template.fill(values, &mut room).is_err());
    }
}

#[test]
fn a_check_of_a_value_is_bounded_in_work_and_in_what_it_tells() {
    let schema: Json =
        json!({"type": "object", "properties": {"a": {"items": {"type": "string"}}}}).into();
    let problems = |value: Value| {
        let place = Place::TOP.member("input");
        Fit::open().problems(&schema, &value.into(), &place)
    };
    // The object and the list are looked at too.
    for (elements, is_looked_through) in [(199_997, true), (199_998, true), (199_999, false)] {
        let told = problems(json!({"a": vec!["x"; elements]}));
        assert_eq!(told.is_empty(), is_looked_through, "{elements}: {told:?}");
    }
    for (wrong, told) in [(19, 19), (20, 20), (21, 20)] {
        assert_eq!(problems(json!({"a": vec![7; wrong]})).len(), told);
    }
}

/// So many properties, each taking anything, every second with a default.
fn many_properties(count: usize) -> Json {
    let each = (0..count).map(|at| {
        let schema = match at % 2 {
            0 => json!({"default": at}),
            _ => json!({}),
        };
        (format!("p{at}"), schema)
    });
    json!({"type": "object", "properties": each.collect::<serde_json::Map<_, _>>()}).into()
}

#[test]
fn what_a_call_brings_is_looked_at_in_time_that_grows_with_it_alone() {
    let began = Instant::now();
    let top = Place::TOP;
    let place = top.member("input");
    let wide = many_properties(2_400);
    let strange = |count: usize| -> Json {
        let each = (0..count).map(|at| (format!("x{at}"), json!(1)));
        Value::Object(each.collect()).into()
    };
    // Names that nobody knows are work too.
    let filled = with_defaults(&wide, strange(300_000)).expect("one object");
    assert_eq!(filled.members().map(<[_]>::len), Some(301_200));
    let told = Fit::open().problems(&wide, &filled, &place);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].1.contains("more work"), "{told:?}");
    let told = Fit::closed().problems(&wide, &strange(300_000), &place);
    assert_eq!(told.len(), 20);
    // Few enough are looked through, each where it stands.
    let filled = with_defaults(&wide, strange(100_000)).expect("one object");
    assert!(Fit::open().problems(&wide, &filled, &place).is_empty());
    // A name that is required is found among many.
    let names: Vec<String> = (0..4_000).map(|at| format!("x{at}")).collect();
    let required = json!({"type": "object", "required": names}).into();
    assert!(
        Fit::open()
            .problems(&required, &strange(100_000), &place)
            .is_empty()
    );
    // What no form takes is not worded for each, and a long text is counted for few.
    let long = words(30_000);
    let forms =
        json!({"items": {"anyOf": [{"const": long}, {"const": format!("{long}.")}]}}).into();
    let told = Fit::open().problems(&forms, &json!(vec![1; 60_000]).into(), &place);
    assert_eq!(told.len(), 20);
    let counted: Vec<Value> = (0..3_000).map(|_| json!({"maxLength": 1})).collect();
    let counted = json!({"allOf": counted}).into();
    let told = Fit::open().problems(&counted, &json!("é".repeat(2_000_000)).into(), &place);
    assert!(
        told.last().expect("one").1.contains("more work"),
        "{told:?}"
    );
    // Objects of many members are one whatever their order.
    let backwards: Vec<(String, Json)> = strange(5_000)
        .members()
        .expect("an object")
        .iter()
        .rev()
        .cloned()
        .collect();
    let set = Json::Object(vec![("const".to_owned(), Json::Object(backwards))]);
    let items = Json::Object(vec![("items".to_owned(), set)]);
    let list = Json::List(vec![strange(5_000); 30]);
    assert!(Fit::open().problems(&items, &list, &place).is_empty());
    // Unoptimised on a busy machine; looked through name by name it is minutes.
    let took = began.elapsed();
    assert!(took < Duration::from_secs(30), "{took:?}");
}

#[test]
fn defaults_are_filled_in_up_to_a_bound() {
    let items: Json = json!({"items": {"properties": {"a": {"default": words(10_000)}}}}).into();
    let objects = |count: usize| Json::List(vec![json!({}).into(); count]);
    assert!(with_defaults(&items, objects(100)).is_some());
    // Each costs what its ten thousand characters are worth.
    assert!(with_defaults(&items, objects(100_000)).is_none());
    // Of two names the one that is there stays.
    let given = with_defaults(&many_properties(40), json!({"p0": 7, "p1": 8}).into());
    let given = given.expect("little work").into_value();
    assert_eq!(given["p0"], 7);
    assert_eq!(given["p38"], 38);
    assert!(given.get("p39").is_none());
}

#[test]
fn a_check_for_which_nobody_waits_any_more_ends() {
    let cancel = Cancel::new();
    let schema: Json = json!({"items": {"type": "string"}}).into();
    let value: Json = json!(vec!["x"; 100]).into();
    let fit = Fit::open().until(&cancel);
    assert!(fit.problems(&schema, &value, &Place::TOP).is_empty());
    cancel.cancel();
    assert_eq!(fit.problems(&schema, &value, &Place::TOP).len(), 1);
}

#[test]
fn looking_values_up_is_paid_for() {
    let mut findings = Default::default();
    let template = Template::read(
        &json!(vec!["{{input.x}}"; 2_000]).into(),
        &Place::TOP,
        &mut findings,
    );
    for (members, fits) in [(1_000, true), (100_000, false)] {
        let each = (0..members).map(|at| (format!("a{at}"), json!(1)));
        let input = Value::Object(each.collect()).into();
        let values = Values {
            input: &input,
            tool: &Json::Null,
        };
        let mut room = Room::new(MAX_FILLED_CHARS);
        assert_eq!(template.fill(values, &mut room).is_ok(), fits, "{members}");
    }
}

#[test]
fn work_that_runs_out_inside_a_choice_is_told_too() {
    // Whether the first form fits is not known; that the second does settles nothing.
    let schema: Json = json!({"type": "object", "properties": {"a": {"anyOf": [{"items": {"type": "string"}}, {}]}}}).into();
    let value: Json = json!({"a": vec!["x"; 200_000]}).into();
    let told = Fit::open().problems(&schema, &value, &Place::TOP.member("input"));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].1.contains("more work"), "{told:?}");
}

#[test]
fn a_long_address_is_of_no_view() {
    let page = uris::of(&words(32), &words(64), "<p>");
    assert!(uris::parts(&page).is_some());
    assert!(uris::parts(&format!("ui://{}/v-00000000", words(33))).is_none());
    for chars in [255, 256, 257] {
        assert!(uris::parts(&format!("ui://t/{}-00000000", words(chars - 16))).is_none());
    }
}
