//! Whether a value fits a schema, and what the schema's defaults add to it. The work of both is counted.
//!
//! Never judges a schema: `check` has. Start reading at [`Fit`].

use crate::cancel::Cancel;
use crate::manifests::findings::{Place, quoted};
use crate::manifests::json::Json;
use crate::manifests::schema::{accepts, types};
use std::collections::{HashMap, HashSet};

/// How much work one check of a value may be, in schemas looked at.
const MAX_VISITS: usize = 200_000;
/// How many problems of a value are told.
const MAX_PROBLEMS: usize = 20;
/// What is as much work as looking at a schema: so many values of an `enum`, names that are required.
const NAMES_A_VISIT: usize = 32;
/// The same of a text whose length is counted, in bytes.
const BYTES_A_VISIT: usize = 1_024;
/// The same of a default that is copied: twelve megabytes of them at most.
const COPIED_BYTES_A_VISIT: usize = 64;
/// A list of names that is no longer is looked through.
const FEW: usize = 16;

/// What is said where a value would take more work.
pub const TOO_MUCH_WORK: &str = "checking it is more work than bb does for one call";

/// How a value is held against a schema.
#[derive(Clone, Copy)]
pub struct Fit<'c> {
    is_closed: bool,
    has_enum: bool,
    cancel: Option<&'c Cancel>,
}

impl<'c> Fit<'c> {
    /// As JSON Schema has it: what is not said about a property is allowed.
    pub fn open() -> Self {
        Self {
            is_closed: false,
            has_enum: true,
            cancel: None,
        }
    }

    /// As bb's tools have it: an object that lists properties has no others, unless it says so.
    pub fn closed() -> Self {
        Self {
            is_closed: true,
            has_enum: true,
            cancel: None,
        }
    }

    pub(super) fn without_enum(self) -> Self {
        Self {
            has_enum: false,
            ..self
        }
    }

    /// Gives up once nobody waits for it: then it does not fit.
    pub fn until(self, cancel: &'c Cancel) -> Self {
        Self {
            cancel: Some(cancel),
            ..self
        }
    }

    /// What keeps `value` from fitting: a place and a phrase each, at most 20.
    pub fn problems(self, schema: &Json, value: &Json, place: &Place) -> Vec<(String, String)> {
        let mut looking = Looking {
            fit: self,
            visits: 0,
            is_asking: false,
            has_failed: false,
            problems: Vec::new(),
            properties: Properties::default(),
        };
        looking.look(schema, value, place, self.has_enum);
        // Also where it ran out inside a choice: what was not looked at is not known to fit.
        if looking.visits > MAX_VISITS {
            looking.problems.truncate(MAX_PROBLEMS - 1);
            looking.refuse(place, || TOO_MUCH_WORK.to_owned());
        }
        looking.problems
    }
}

/// Properties by their names, for lists of them that are long, by where each list stands in memory.
#[derive(Default)]
struct Properties<'a>(HashMap<*const Json, HashMap<&'a str, &'a Json>>);

impl<'a> Properties<'a> {
    fn get(&mut self, all: &'a Json, name: &str) -> Option<&'a Json> {
        let members = all.members()?;
        if members.len() <= FEW {
            return all.get(name);
        }
        let by_name = self.0.entry(std::ptr::from_ref(all)).or_insert_with(|| {
            // Of two of one name the first counts, as in `Json::get`.
            let last_first = members.iter().rev();
            last_first
                .map(|(name, value)| (name.as_str(), value))
                .collect()
        });
        by_name.get(name).copied()
    }
}

struct Looking<'a> {
    fit: Fit<'a>,
    visits: usize,
    /// Only whether it fits is wanted, not why not.
    is_asking: bool,
    has_failed: bool,
    problems: Vec<(String, String)>,
    properties: Properties<'a>,
}

impl<'a> Looking<'a> {
    fn refuse(&mut self, place: &Place, why: impl FnOnce() -> String) {
        self.has_failed = true;
        if !self.is_asking && self.problems.len() < MAX_PROBLEMS {
            self.problems.push((place.to_string(), why()));
        }
    }

    fn fits(&mut self, schema: &'a Json, value: &Json) -> bool {
        let before = (self.is_asking, self.has_failed);
        (self.is_asking, self.has_failed) = (true, false);
        self.look(schema, value, &Place::TOP, true);
        let fits = !self.has_failed;
        (self.is_asking, self.has_failed) = before;
        fits
    }

    fn is_over(&self) -> bool {
        self.visits > MAX_VISITS || (self.is_asking && self.has_failed)
    }

    fn look(&mut self, schema: &'a Json, value: &Json, place: &Place, has_enum: bool) {
        self.visits += 1;
        if self.fit.cancel.is_some_and(Cancel::is_cancelled) {
            self.visits = MAX_VISITS + 1;
        }
        if self.is_over() {
            return;
        }
        if !is_of_type(schema, value.sort())
            && let Some(types) = types(schema)
        {
            self.refuse(place, || {
                format!("expected {}, found {}", types.join(" or "), value.sort())
            });
            return;
        }
        if let Some(only) = schema.get("const")
            && !only.is(value)
        {
            self.refuse(place, || format!("expected {}", quoted(&only.compact())));
        }
        if let (Some(set), true) = (schema.get("enum").and_then(Json::list), has_enum) {
            self.visits += set.len() / NAMES_A_VISIT;
            if !set.iter().any(|each| each.is(value)) {
                self.refuse(place, || {
                    let known = set.iter().take(20).map(|each| quoted(&each.compact()));
                    format!(
                        "expected one of {}",
                        known.collect::<Vec<String>>().join(", ")
                    )
                });
            }
        }
        match value {
            Json::Number(_) => self.number(schema, value, place),
            Json::Text(text) => {
                let bounds = ("minLength", "maxLength");
                if schema.get(bounds.0).is_some() || schema.get(bounds.1).is_some() {
                    self.visits += text.len() / BYTES_A_VISIT;
                    self.length(schema, bounds, text.chars().count() as u64, place);
                }
            }
            Json::List(list) => {
                self.length(schema, ("minItems", "maxItems"), list.len() as u64, place);
                if let Some(items) = schema.get("items") {
                    for (i, value) in list.iter().enumerate() {
                        if self.is_over() {
                            return;
                        }
                        self.look(items, value, &place.at(i), true);
                    }
                }
            }
            Json::Object(members) => self.object(schema, members, place),
            Json::Null | Json::Bool(_) => {}
        }
        self.branches(schema, value, place);
    }

    fn number(&mut self, schema: &'a Json, value: &Json, place: &Place) {
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
                self.refuse(place, || {
                    format!("{number} is out of bounds: {name} {bound}")
                });
            }
        }
    }

    fn length(&mut self, schema: &Json, (least, most): (&str, &str), count: u64, place: &Place) {
        if let Some(bound) = schema.get(least).and_then(Json::count)
            && count < bound
        {
            self.refuse(place, || format!("it has {count}, under {least} {bound}"));
        }
        if let Some(bound) = schema.get(most).and_then(Json::count)
            && count > bound
        {
            self.refuse(place, || format!("it has {count}, over {most} {bound}"));
        }
    }

    fn object(&mut self, schema: &'a Json, members: &[(String, Json)], place: &Place) {
        let properties = schema.get("properties");
        let rest = schema.get("additionalProperties");
        for (name, value) in members {
            if self.is_over() {
                return;
            }
            let place = place.member(name);
            let known = properties.and_then(|all| self.properties.get(all, name));
            match (known, rest) {
                (Some(schema), _) => self.look(schema, value, &place, true),
                (None, Some(rest @ Json::Object(_))) => self.look(rest, value, &place, true),
                (None, Some(Json::Bool(false))) => self.unknown(name, properties, &place),
                (None, None) if self.fit.is_closed && properties.is_some() => {
                    self.unknown(name, properties, &place);
                }
                _ => self.visits += 1,
            }
        }
        let required = schema.get("required").and_then(Json::list);
        let required = required.unwrap_or_default();
        self.visits += required.len() / NAMES_A_VISIT;
        let is_long = required.len().min(members.len()) > FEW;
        let all: Option<HashSet<&str>> =
            is_long.then(|| members.iter().map(|(name, _)| name.as_str()).collect());
        for name in required.iter().filter_map(Json::text) {
            let is_there = match &all {
                Some(all) => all.contains(name),
                None => members.iter().any(|(each, _)| each == name),
            };
            if !is_there {
                self.refuse(&place.member(name), || {
                    "it is required, and missing".to_owned()
                });
            }
        }
    }

    fn unknown(&mut self, name: &str, properties: Option<&Json>, place: &Place) {
        self.visits += 1;
        self.refuse(place, || {
            let known = properties.and_then(Json::members).unwrap_or_default();
            let known = known.iter().take(20).map(|(name, _)| name.as_str());
            match known.collect::<Vec<_>>().as_slice() {
                [] => format!("{} is not known here; nothing is", quoted(name)),
                known => format!(
                    "{} is not known here; what is: {}",
                    quoted(name),
                    known.join(", ")
                ),
            }
        });
    }

    fn branches(&mut self, schema: &'a Json, value: &Json, place: &Place) {
        let of = |name| schema.get(name).and_then(Json::list);
        if let Some(all) = of("allOf") {
            for branch in all {
                self.look(branch, value, place, true);
            }
        }
        if let Some(any) = of("anyOf")
            && !any.iter().any(|branch| self.fits(branch, value))
        {
            self.refuse(place, || {
                "it fits none of the forms that are accepted".to_owned()
            });
        }
        if let Some(one) = of("oneOf") {
            let fitting = one.iter().filter(|branch| self.fits(branch, value)).count();
            if fitting != 1 {
                self.refuse(place, || {
                    format!("it must fit exactly one of the accepted forms and fits {fitting}")
                });
            }
        }
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

/// Fills in the defaults of every level that is there; a missing object is never invented. `None` where that is more
/// work than bb does for one call.
pub fn with_defaults(schema: &Json, value: Json) -> Option<Json> {
    let mut filling = Filling {
        left: MAX_VISITS,
        properties: Properties::default(),
        defaults: HashMap::new(),
    };
    filling.fill(schema, value)
}

/// A property that has a default: its name, its schema, the default.
type Default<'a> = (&'a str, &'a Json, &'a Json);

struct Filling<'a> {
    left: usize,
    properties: Properties<'a>,
    defaults: HashMap<*const Json, Vec<Default<'a>>>,
}

impl<'a> Filling<'a> {
    fn spend(&mut self, work: usize) -> Option<()> {
        self.left = self.left.checked_sub(work)?;
        Some(())
    }

    fn fill(&mut self, schema: &'a Json, value: Json) -> Option<Json> {
        self.spend(1)?;
        match (value, schema.get("properties"), schema.get("items")) {
            (Json::Object(members), Some(properties), _) => {
                let missing = self.missing(properties, &members)?;
                let mut filled = Vec::with_capacity(members.len() + missing.len());
                for (name, value) in members {
                    let value = match self.properties.get(properties, &name) {
                        Some(schema) => self.fill(schema, value)?,
                        None => value,
                    };
                    filled.push((name, value));
                }
                for (name, schema, default) in missing {
                    self.spend(default.compact_bytes() / COPIED_BYTES_A_VISIT)?;
                    filled.push((name.to_owned(), self.fill(schema, default.clone())?));
                }
                Some(Json::Object(filled))
            }
            (Json::List(list), _, Some(items)) => {
                let filled = list.into_iter().map(|value| self.fill(items, value));
                filled.collect::<Option<_>>().map(Json::List)
            }
            (other, ..) => Some(other),
        }
    }

    /// The properties with a default that `members` has not.
    fn missing(
        &mut self,
        properties: &'a Json,
        members: &[(String, Json)],
    ) -> Option<Vec<Default<'a>>> {
        let all = properties.members().unwrap_or_default().iter();
        let all =
            all.filter_map(|(name, schema)| Some((name.as_str(), schema, schema.get("default")?)));
        let place = std::ptr::from_ref(properties);
        let all = self.defaults.entry(place).or_insert_with(|| all.collect());
        if all.is_empty() {
            return Some(Vec::new());
        }
        self.left = self.left.checked_sub(all.len())?;
        let there: HashSet<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
        let missing = all.iter().filter(|(name, ..)| !there.contains(name));
        Some(missing.copied().collect())
    }
}
