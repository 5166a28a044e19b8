//! The part of JSON Schema that bb enforces: which keywords a manifest may use, and whether a value fits.
//!
//! Never follows a reference to another schema: there are none. Start reading at [`check`] for a schema that somebody
//! wrote, and at [`Fit`] for a value.

use crate::manifests::findings::{Code, Findings, Place, quoted};
use crate::manifests::json::Json;
use crate::manifests::templates::is_forbidden;
use std::collections::HashSet;

mod value;

pub use value::{Fit, TOO_MUCH_WORK, with_defaults};

/// The deepest schema, below its root.
const MAX_DEPTH: usize = 16;
/// The most values of one `enum`.
const MAX_ENUM: usize = 1_000;
/// The most branches of one `anyOf`, `oneOf` or `allOf`.
const MAX_BRANCHES: usize = 32;

const TYPES: &[&str] = &[
    "string", "number", "integer", "boolean", "object", "array", "null",
];

const CARRIED: &[&str] = &[
    "description",
    "title",
    "examples",
    "$comment",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// Looks at a schema whose values are objects: the one of a tool's arguments or of its result.
pub fn check(schema: &Json, place: &Place, findings: &mut Findings) {
    if schema.members().is_none() {
        findings.add(place, Code::WrongType, "expected a JSON Schema: an object");
        return;
    }
    if schema.get("type").and_then(Json::text) != Some("object") {
        let why = "expected `\"type\": \"object\"`: arguments and results are always objects";
        findings.add(&place.member("type"), Code::BadSchema, why);
    }
    part(schema, place, 0, findings);
}

fn part(schema: &Json, place: &Place, depth: usize, findings: &mut Findings) {
    let Some(members) = schema.members() else {
        findings.add(place, Code::WrongType, "expected a JSON Schema: an object");
        return;
    };
    if depth > MAX_DEPTH {
        let why = format!("a schema is at most {MAX_DEPTH} levels deep");
        findings.add(place, Code::TooDeep, why);
        return;
    }
    let before = findings.problems.len();
    for (keyword, value) in members {
        self::keyword(schema, keyword, value, place, depth, findings);
    }
    // Values are held against a schema that is sound.
    if findings.problems.len() == before {
        values(schema, place, findings);
    }
}

fn keyword(
    schema: &Json,
    keyword: &str,
    value: &Json,
    above: &Place,
    depth: usize,
    findings: &mut Findings,
) {
    let place = &above.member(keyword);
    let mut refuse = |why: &str| findings.add(place, Code::BadSchema, why);
    match keyword {
        "type" => {
            let is_type = |value: &Json| value.text().is_some_and(|text| TYPES.contains(&text));
            let is_sound = match value {
                Json::List(list) => !list.is_empty() && list.iter().all(is_type),
                one => is_type(one),
            };
            if !is_sound {
                refuse(&format!(
                    "expected one of {}, or a list of them",
                    TYPES.join(", ")
                ));
            }
        }
        "properties" => match value.members() {
            Some(members) => {
                for (name, value) in members {
                    let place = place.member(name);
                    if is_forbidden(name) {
                        findings.add(
                            &place,
                            Code::BadName,
                            format!("{} cannot be a property's name", quoted(name)),
                        );
                    }
                    part(value, &place, depth + 1, findings);
                }
            }
            None => refuse("expected an object of schemas"),
        },
        "required" => match value.list() {
            Some(names) => {
                let properties = schema
                    .get("properties")
                    .and_then(Json::members)
                    .unwrap_or_default();
                let known: HashSet<&str> =
                    properties.iter().map(|(name, _)| name.as_str()).collect();
                for name in names {
                    match name.text() {
                        Some(name) if known.contains(name) => {}
                        Some(name) => refuse(&format!(
                            "{} is required and not among `properties`",
                            quoted(name)
                        )),
                        None => refuse("expected names of properties"),
                    }
                }
            }
            None => refuse("expected a list of names"),
        },
        "additionalProperties" => match value {
            Json::Bool(_) => {}
            schema => part(schema, place, depth + 1, findings),
        },
        "items" => part(value, place, depth + 1, findings),
        "enum" => match value.list().map(<[_]>::len) {
            Some(1..=MAX_ENUM) => {}
            Some(count) => refuse(&format!(
                "it has {count} values; 1 to {MAX_ENUM} may stand here"
            )),
            None => refuse("expected a list of values"),
        },
        "anyOf" | "oneOf" | "allOf" => match value.list() {
            Some(branches) if (1..=MAX_BRANCHES).contains(&branches.len()) => {
                for (i, branch) in branches.iter().enumerate() {
                    part(branch, &place.at(i), depth + 1, findings);
                }
            }
            _ => refuse(&format!("expected a list of 1 to {MAX_BRANCHES} schemas")),
        },
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            if value.number().is_none_or(|number| !number.is_finite()) {
                refuse("expected a number");
            }
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" => {
            if value.count().is_none() {
                refuse("expected a whole number of zero or more");
            }
        }
        "const" | "default" => {}
        known if CARRIED.contains(&known) => {}
        unknown => refuse(&format!(
            "{} is not enforced by bb, so it may not stand here; bounds, `enum`, `const`, `required`, `items` and \
             `anyOf` are",
            quoted(unknown)
        )),
    }
}

/// The values that a schema itself names.
fn values(schema: &Json, place: &Place, findings: &mut Findings) {
    if let Some(default) = schema.get("default") {
        for problem in Fit::open().problems(schema, default, &place.member("default")) {
            findings.problems.push(crate::manifests::findings::Finding {
                place: place.member("default").to_string(),
                code: Code::BadSchema,
                message: format!("a default fits its own schema: {}", problem.1),
            });
        }
    }
    for (i, value) in schema
        .get("enum")
        .and_then(Json::list)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let list = place.member("enum");
        let place = list.at(i);
        if let Some((_, why)) = Fit::open()
            .without_enum()
            .problems(schema, value, &place)
            .first()
        {
            findings.add(
                &place,
                Code::BadSchema,
                format!("it does not fit the rest of its schema: {why}"),
            );
        }
    }
}

/// The types that a schema names; `None` if it leaves them open.
pub fn types(schema: &Json) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Json::Text(one) => Some(vec![one]),
        Json::List(list) => Some(list.iter().filter_map(Json::text).collect()),
        _ => None,
    }
}

/// Whether a value of this sort is of one of these types.
pub fn accepts(types: &[&str], sort: &str) -> bool {
    types.contains(&sort) || (sort == "integer" && types.contains(&"number"))
}
