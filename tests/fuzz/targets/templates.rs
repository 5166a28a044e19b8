//! Templates: whatever values fill one, they never change its shape and never write more than there is room for.

use bb::manifests::findings::{Findings, Place};
use bb::manifests::json::Json;
use bb::manifests::templates::{Room, Template, Values};
use serde_json::Value;

const ROOM: usize = 64 * 1024;

/// No text in UTF-8 holds it, so it parts the template, the arguments and the tool's answer.
const PART: u8 = 0xFF;

pub fn seeds() -> Vec<Vec<u8>> {
    let cases = super::files("manifests/vectors", "templates.jsonl").concat();
    let mut lines = cases
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    // The first line has the values that every template after it is filled with.
    let sources = lines.next().expect("a first line");
    let seed = |case: Value| {
        let parts = [
            &case["template"],
            &sources["sources"]["input"],
            &sources["sources"]["tool"],
        ];
        parts.map(|part| part.to_string().into_bytes()).join(&PART)
    };
    lines.map(seed).collect()
}

pub fn run(data: &[u8]) {
    let mut parts = data.splitn(3, |byte| *byte == PART);
    let mut next = || Json::read(parts.next().unwrap_or_default()).ok();
    let Some(written) = next() else {
        return;
    };
    let (input, tool) = (next().unwrap_or(Json::Null), next().unwrap_or(Json::Null));
    let template = Template::read(&written, &Place::TOP, &mut Findings::default());
    let mut has_references = false;
    template.references(&Place::TOP, &mut |reference, _| {
        has_references = true;
        assert!(!reference.written().is_empty());
    });
    assert_eq!(template.is_fixed(), !has_references);
    let values = Values {
        input: &input,
        tool: &tool,
    };
    if let Ok(Some(filled)) = template.fill(values, &mut Room::new(ROOM)) {
        assert!(
            keeps_its_shape(&template, &filled),
            "{template:?} became {filled:?}"
        );
    }
}

/// Whether data fills places alone: lists and objects are the template's own.
fn keeps_its_shape(template: &Template, filled: &Json) -> bool {
    match (template, filled) {
        (Template::Fixed(value), filled) => value.is(filled),
        (Template::Whole(_), _) | (Template::Text(_), Json::Text(_)) => true,
        (Template::List(templates), Json::List(values)) => values.len() <= templates.len(),
        // A name that stands there twice is told elsewhere, and kept here.
        (Template::Object(templates), Json::Object(values)) => {
            values.iter().all(|(name, value)| {
                templates
                    .iter()
                    .any(|(own, template)| own == name && keeps_its_shape(template, value))
            })
        }
        _ => false,
    }
}
