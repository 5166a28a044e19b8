//! The part of JSON Schema that bb enforces: which keywords a manifest may use, and whether a value fits.
//!
//! Never follows a reference to another schema: there are none. Start reading at [`check`] for a schema that somebody
//! wrote, and at [`Fit`] for a value.

use crate::manifests::findings::{Code, Findings, Place, quoted};
use crate::manifests::json::Json;
use crate::manifests::templates::is_forbidden;
use std::collections::HashSet;

/// The deepest schema, below its root.
const MAX_DEPTH: usize = 16;
/// The most values of one `enum`.
const MAX_ENUM: usize = 1_000;
/// The most branches of one `anyOf`, `oneOf` or `allOf`.
const MAX_BRANCHES: usize = 32;
/// How much work one check of a value may be, in schemas looked at.
const MAX_VISITS: usize = 200_000;
/// How many problems of a value are told.
const MAX_PROBLEMS: usize = 20;

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

/// Whether a schema takes values of this sort.
fn is_of_type(schema: &Json, sort: &str) -> bool {
    match schema.get("type") {
        Some(Json::Text(one)) => accepts(&[one], sort),
        Some(Json::List(list)) => list
            .iter()
            .filter_map(Json::text)
            .any(|one| accepts(&[one], sort)),
        _ => true,
    }
}

/// Whether a value of this sort is of one of these types.
pub fn accepts(types: &[&str], sort: &str) -> bool {
    types.contains(&sort) || (sort == "integer" && types.contains(&"number"))
}

/// How a value is held against a schema.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    is_closed: bool,
    has_enum: bool,
}

struct Looking {
    fit: Fit,
    visits: usize,
    problems: Vec<(String, String)>,
}

impl Fit {
    /// As JSON Schema has it: what is not said about a property is allowed.
    pub fn open() -> Self {
        Self {
            is_closed: false,
            has_enum: true,
        }
    }

    /// As bb's tools have it: an object that lists properties has no others, unless it says so.
    pub fn closed() -> Self {
        Self {
            is_closed: true,
            has_enum: true,
        }
    }

    fn without_enum(self) -> Self {
        Self {
            has_enum: false,
            ..self
        }
    }

    /// What keeps `value` from fitting: a place and a phrase each, at most 20.
    pub fn problems(self, schema: &Json, value: &Json, place: &Place) -> Vec<(String, String)> {
        let mut looking = Looking {
            fit: self,
            visits: 0,
            problems: Vec::new(),
        };
        looking.look(schema, value, place, self.has_enum);
        // Also where it ran out inside a choice: what was not looked at is not known to fit.
        if looking.visits > MAX_VISITS {
            looking.problems.truncate(MAX_PROBLEMS - 1);
            looking.refuse(place, "checking it is more work than bb does for one call");
        }
        looking.problems
    }
}

impl Looking {
    fn refuse(&mut self, place: &Place, why: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push((place.to_string(), why.into()));
        }
    }

    fn fits(&mut self, schema: &Json, value: &Json) -> bool {
        let mut inner = Looking {
            fit: self.fit,
            visits: self.visits,
            problems: Vec::new(),
        };
        inner.look(schema, value, &Place::TOP, true);
        self.visits = inner.visits;
        inner.problems.is_empty()
    }

    fn look(&mut self, schema: &Json, value: &Json, place: &Place, has_enum: bool) {
        self.visits += 1;
        if self.visits > MAX_VISITS {
            return;
        }
        if !is_of_type(schema, value.sort())
            && let Some(types) = types(schema)
        {
            self.refuse(
                place,
                format!("expected {}, found {}", types.join(" or "), value.sort()),
            );
            return;
        }
        if let Some(only) = schema.get("const")
            && !only.is(value)
        {
            self.refuse(place, format!("expected {}", quoted(&only.compact())));
        }
        if let (Some(set), true) = (schema.get("enum").and_then(Json::list), has_enum)
            && !set.iter().any(|each| each.is(value))
        {
            let known: Vec<String> = set
                .iter()
                .take(20)
                .map(|each| quoted(&each.compact()))
                .collect();
            self.refuse(place, format!("expected one of {}", known.join(", ")));
        }
        match value {
            Json::Number(_) => self.number(schema, value, place),
            Json::Text(text) => {
                let count = text.chars().count() as u64;
                self.length(schema, ("minLength", "maxLength"), count, place);
            }
            Json::List(list) => {
                self.length(schema, ("minItems", "maxItems"), list.len() as u64, place);
                if let Some(items) = schema.get("items") {
                    for (i, value) in list.iter().enumerate() {
                        self.look(items, value, &place.at(i), true);
                    }
                }
            }
            Json::Object(members) => self.object(schema, members, place),
            Json::Null | Json::Bool(_) => {}
        }
        self.branches(schema, value, place);
    }

    fn number(&mut self, schema: &Json, value: &Json, place: &Place) {
        let Some(number) = value.number() else { return };
        type Holds = fn(f64, f64) -> bool;
        let bounds: [(&str, Holds); 4] = [
            ("minimum", |n, bound| n >= bound),
            ("maximum", |n, bound| n <= bound),
            ("exclusiveMinimum", |n, bound| n > bound),
            ("exclusiveMaximum", |n, bound| n < bound),
        ];
        for (name, holds) in bounds {
            if let Some(bound) = schema.get(name).and_then(Json::number)
                && !holds(number, bound)
            {
                self.refuse(place, format!("{number} is out of bounds: {name} {bound}"));
            }
        }
    }

    fn length(&mut self, schema: &Json, (least, most): (&str, &str), count: u64, place: &Place) {
        if let Some(bound) = schema.get(least).and_then(Json::count)
            && count < bound
        {
            self.refuse(place, format!("it has {count}, under {least} {bound}"));
        }
        if let Some(bound) = schema.get(most).and_then(Json::count)
            && count > bound
        {
            self.refuse(place, format!("it has {count}, over {most} {bound}"));
        }
    }

    fn object(&mut self, schema: &Json, members: &[(String, Json)], place: &Place) {
        let properties = schema.get("properties");
        let rest = schema.get("additionalProperties");
        for (name, value) in members {
            let place = place.member(name);
            match (properties.and_then(|all| all.get(name)), rest) {
                (Some(schema), _) => self.look(schema, value, &place, true),
                (None, Some(Json::Object(_))) => {
                    if let Some(rest) = rest {
                        self.look(rest, value, &place, true);
                    }
                }
                (None, Some(Json::Bool(false))) => self.unknown(name, properties, &place),
                (None, None) if self.fit.is_closed && properties.is_some() => {
                    self.unknown(name, properties, &place);
                }
                _ => {}
            }
        }
        for name in schema
            .get("required")
            .and_then(Json::list)
            .unwrap_or_default()
        {
            if let Some(name) = name.text()
                && !members.iter().any(|(each, _)| each == name)
            {
                self.refuse(&place.member(name), "it is required, and missing");
            }
        }
    }

    fn unknown(&mut self, name: &str, properties: Option<&Json>, place: &Place) {
        let known = properties.and_then(Json::members).unwrap_or_default();
        let known: Vec<&str> = known
            .iter()
            .take(20)
            .map(|(name, _)| name.as_str())
            .collect();
        let why = match known.as_slice() {
            [] => format!("{} is not known here; nothing is", quoted(name)),
            known => format!(
                "{} is not known here; what is: {}",
                quoted(name),
                known.join(", ")
            ),
        };
        self.refuse(place, why);
    }

    fn branches(&mut self, schema: &Json, value: &Json, place: &Place) {
        let of = |name| schema.get(name).and_then(Json::list);
        if let Some(all) = of("allOf") {
            for branch in all {
                self.look(branch, value, place, true);
            }
        }
        if let Some(any) = of("anyOf")
            && !any.iter().any(|branch| self.fits(branch, value))
        {
            self.refuse(place, "it fits none of the forms that are accepted");
        }
        if let Some(one) = of("oneOf") {
            let fitting = one.iter().filter(|branch| self.fits(branch, value)).count();
            if fitting != 1 {
                self.refuse(
                    place,
                    format!("it must fit exactly one of the accepted forms and fits {fitting}"),
                );
            }
        }
    }
}

/// Fills in the defaults of every level that is there; a missing object is never invented.
pub fn with_defaults(schema: &Json, value: Json) -> Json {
    match value {
        Json::Object(mut members) => {
            let properties = schema
                .get("properties")
                .and_then(Json::members)
                .unwrap_or_default();
            let missing = properties.iter().filter_map(|(name, schema)| {
                let is_missing = !members.iter().any(|(each, _)| each == name);
                let default = schema.get("default").filter(|_| is_missing)?;
                Some((name.clone(), default.clone()))
            });
            let missing: Vec<(String, Json)> = missing.collect();
            members.extend(missing);
            let filled = members.into_iter().map(|(name, value)| {
                let value = match schema.get("properties").and_then(|all| all.get(&name)) {
                    Some(schema) => with_defaults(schema, value),
                    None => value,
                };
                (name, value)
            });
            Json::Object(filled.collect())
        }
        Json::List(list) => match schema.get("items") {
            Some(items) => Json::List(
                list.into_iter()
                    .map(|value| with_defaults(items, value))
                    .collect(),
            ),
            None => Json::List(list),
        },
        other => other,
    }
}
