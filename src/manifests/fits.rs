//! Whether what a template builds is what the wrapped tool takes, for every input that the tool lets through.
//!
//! Never runs anything: it is known before a call that its shape is right. Bounds of numbers and lengths are left to
//! the wrapped tool. Start reading at [`Fitting::arguments`].

use crate::manifests::findings::{Code, Findings, Place, quoted};
use crate::manifests::json::Json;
use crate::manifests::schema::{self, Fit};
use crate::manifests::table::{Base, LITERAL};
use crate::manifests::templates::{Reference, Source, Template, position};

/// One tool's template held against the tool that it wraps.
pub struct Fitting<'a> {
    /// The schema of the manifest's tool.
    pub input: &'a Json,
}

/// What a reference leads to.
struct Found<'a> {
    schema: &'a Json,
    /// Whether there is a value in every call.
    is_certain: bool,
}

impl<'a> Fitting<'a> {
    /// Holds the arguments that a template builds against those that `base` takes.
    pub fn arguments(
        &self,
        template: &Template,
        base: &Base,
        place: &Place,
        findings: &mut Findings,
    ) {
        self.fit(template, &base.input_schema, place, findings);
    }

    /// Looks up every reference of a template; one to the wrapped tool's answer may stand in a result alone.
    pub fn references(
        &self,
        template: &Template,
        may_read_tool: bool,
        place: &Place,
        findings: &mut Findings,
    ) {
        template.references(place, &mut |reference, place| match reference.source {
            Source::Tool if may_read_tool => {}
            Source::Tool => {
                let why = format!(
                    "{} cannot be read here: the wrapped tool has not run when its arguments are built",
                    quoted(&reference.written())
                );
                findings.add(place, Code::BadReference, why);
            }
            Source::Input => {
                if let Err(why) = self.find(reference) {
                    let why = format!("{} names nothing: {why}", quoted(&reference.written()));
                    findings.add(place, Code::BadReference, why);
                }
            }
        });
    }

    fn find(&self, reference: &Reference) -> Result<Found<'a>, String> {
        let mut found = Found {
            schema: self.input,
            is_certain: true,
        };
        for step in &reference.path {
            let schema = found.schema;
            if has_several_shapes(schema) {
                return Err(format!(
                    "{} would reach inside a value of several shapes",
                    quoted(step)
                ));
            }
            let types = schema::types(schema).unwrap_or_default();
            if let Some(property) = schema.get("properties").and_then(|all| all.get(step)) {
                let required = schema
                    .get("required")
                    .and_then(Json::list)
                    .unwrap_or_default();
                let is_required = required.iter().any(|name| name.text() == Some(step));
                found = Found {
                    schema: property,
                    is_certain: found.is_certain
                        && types == ["object"]
                        && (is_required || property.get("default").is_some()),
                };
            } else if let (Some(items), Some(_)) = (schema.get("items"), position(step)) {
                found = Found {
                    schema: items,
                    is_certain: false,
                };
            } else {
                let known = schema
                    .get("properties")
                    .and_then(Json::members)
                    .unwrap_or_default();
                let known: Vec<&str> = known
                    .iter()
                    .take(20)
                    .map(|(name, _)| name.as_str())
                    .collect();
                return Err(match known.as_slice() {
                    [] => format!("{} is not declared in `inputSchema`", quoted(step)),
                    known => format!(
                        "{} is not declared in `inputSchema`; what is: {}",
                        quoted(step),
                        known.join(", ")
                    ),
                });
            }
        }
        Ok(found)
    }

    fn fit(&self, template: &Template, wanted: &Json, place: &Place, findings: &mut Findings) {
        if let Some(value) = template.fixed() {
            for (place, why) in Fit::closed().problems(wanted, &value, place) {
                let code = match why.starts_with("it is required") {
                    true => Code::MissingArgument,
                    false if why.contains("is not known here") => Code::UnknownArgument,
                    false => Code::Unfit,
                };
                findings.problems.push(crate::manifests::findings::Finding {
                    place,
                    code,
                    message: why,
                });
            }
            return;
        }
        if wanted.get(LITERAL).and_then(Json::flag) == Some(true) {
            let why = "this argument is code to the wrapped tool: it takes a fixed value and no reference";
            findings.add(place, Code::CodeArgument, why);
            return;
        }
        if let (Some(forms), false) = (branches(wanted), matches!(template, Template::Whole(_))) {
            let mut first: Option<Findings> = None;
            for form in forms {
                let mut of_form = Findings::default();
                self.fit(template, form, place, &mut of_form);
                if of_form.problems.is_empty() {
                    return;
                }
                first.get_or_insert(of_form);
            }
            findings.problems.extend(first.unwrap_or_default().problems);
            return;
        }
        match template {
            Template::Fixed(_) => {}
            Template::Whole(reference) => {
                // One that cannot be looked up is told of elsewhere.
                if let (Source::Input, Ok(found)) = (reference.source, self.find(reference)) {
                    if holds_literal(wanted) {
                        let why = "it holds an argument that is code to the wrapped tool: build the object member by member";
                        findings.add(place, Code::CodeArgument, why);
                        return;
                    }
                    let mut of_this = Findings::default();
                    schema_fits(found.schema, wanted, place, &mut of_this);
                    for mut problem in of_this.problems {
                        problem.message =
                            format!("{}: {}", quoted(&reference.written()), problem.message);
                        findings.problems.push(problem);
                    }
                }
            }
            Template::Text(_) => {
                let is_text = schema::types(wanted).is_none_or(|types| types.contains(&"string"));
                if !is_text {
                    let why = "a text with a reference inside it is always a string, and a string is not accepted here";
                    findings.add(place, Code::Unfit, why);
                } else if closed_set(wanted).is_some() {
                    let why = "a text with a reference inside it can be anything, and only certain values are accepted here";
                    findings.add(place, Code::Unfit, why);
                }
            }
            Template::List(list) => {
                if schema::types(wanted).is_some_and(|types| !types.contains(&"array")) {
                    findings.add(place, Code::Unfit, "a list is not accepted here");
                    return;
                }
                if wanted
                    .get("maxItems")
                    .and_then(Json::count)
                    .is_some_and(|most| list.len() as u64 > most)
                {
                    findings.add(
                        place,
                        Code::Unfit,
                        "the list is longer than the wrapped tool takes",
                    );
                }
                for (i, template) in list.iter().enumerate() {
                    if let Some(items) = wanted.get("items") {
                        self.fit(template, items, &place.at(i), findings);
                    }
                }
            }
            Template::Object(members) => self.fit_object(members, wanted, place, findings),
        }
    }

    fn fit_object(
        &self,
        members: &[(String, Template)],
        wanted: &Json,
        place: &Place,
        findings: &mut Findings,
    ) {
        if schema::types(wanted).is_some_and(|types| !types.contains(&"object")) {
            findings.add(place, Code::Unfit, "an object is not accepted here");
            return;
        }
        let properties = wanted.get("properties");
        let rest = wanted.get("additionalProperties");
        for (name, template) in members {
            let place = place.member(name);
            match (properties.and_then(|all| all.get(name)), rest) {
                (Some(wanted), _) => self.fit(template, wanted, &place, findings),
                (None, Some(rest @ Json::Object(_))) => self.fit(template, rest, &place, findings),
                (None, Some(Json::Bool(true))) => {}
                (None, None) if properties.is_none() => {}
                _ => {
                    let known = properties.and_then(Json::members).unwrap_or_default();
                    let known: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
                    let why = format!(
                        "the wrapped tool has no argument {}; it takes {}",
                        quoted(name),
                        known.join(", ")
                    );
                    findings.add(&place, Code::UnknownArgument, why);
                }
            }
        }
        for name in wanted
            .get("required")
            .and_then(Json::list)
            .unwrap_or_default()
        {
            let Some(name) = name.text() else { continue };
            let place = place.member(name);
            match members.iter().find(|(each, _)| each == name) {
                None => findings.add(
                    &place,
                    Code::MissingArgument,
                    "the wrapped tool requires this argument",
                ),
                Some((_, Template::Whole(reference))) if reference.source == Source::Input => {
                    if self.find(reference).is_ok_and(|found| !found.is_certain) {
                        let why = format!(
                            "the wrapped tool requires this argument, and {} may be absent: require that input at \
                             every level, or give it a default",
                            quoted(&reference.written())
                        );
                        findings.add(&place, Code::UncertainArgument, why);
                    }
                }
                Some(_) => {}
            }
        }
    }
}

fn branches(schema: &Json) -> Option<&[Json]> {
    let of = |name| schema.get(name).and_then(Json::list);
    of("anyOf").or_else(|| of("oneOf"))
}

fn has_several_shapes(schema: &Json) -> bool {
    branches(schema).is_some() || schema.get("allOf").is_some()
}

fn holds_literal(schema: &Json) -> bool {
    let of_members = schema
        .get("properties")
        .and_then(Json::members)
        .unwrap_or_default();
    schema.get(LITERAL).and_then(Json::flag) == Some(true)
        || of_members.iter().any(|(_, schema)| holds_literal(schema))
        || schema.get("items").is_some_and(holds_literal)
        || branches(schema)
            .unwrap_or_default()
            .iter()
            .any(holds_literal)
}

/// The values that alone are accepted.
fn closed_set(schema: &Json) -> Option<Vec<&Json>> {
    match (schema.get("const"), schema.get("enum").and_then(Json::list)) {
        (Some(only), _) => Some(vec![only]),
        (None, Some(set)) => Some(set.iter().collect()),
        (None, None) => None,
    }
}

/// The types that a value can be of, through its forms; `None` if they are open.
fn possible_types(schema: &Json) -> Option<Vec<&str>> {
    if let Some(types) = schema::types(schema) {
        return Some(types);
    }
    let mut all = Vec::new();
    for branch in branches(schema)? {
        all.extend(possible_types(branch)?);
    }
    Some(all)
}

/// Whether everything that `input` lets through is accepted by `wanted`.
fn schema_fits(input: &Json, wanted: &Json, place: &Place, findings: &mut Findings) {
    let is_open = [
        "type",
        "anyOf",
        "oneOf",
        "allOf",
        "enum",
        "const",
        "properties",
        "items",
    ]
    .iter()
    .all(|keyword| wanted.get(keyword).is_none());
    if is_open {
        return;
    }
    let Some(types) = possible_types(input) else {
        findings.add(
            place,
            Code::Unfit,
            "this input says no type, so it can be anything",
        );
        return;
    };
    if let Some(forms) = branches(wanted) {
        for one in types {
            let is_taken = forms.iter().any(|form| {
                let mut of_form = Findings::default();
                schema_fits(&of_type(input, one), form, place, &mut of_form);
                of_form.problems.is_empty()
            });
            if !is_taken {
                let why =
                    format!("it can be {one}, which fits none of the forms that are accepted");
                findings.add(place, Code::Unfit, why);
            }
        }
        return;
    }
    if let Some(accepted) = schema::types(wanted) {
        let stray = types.iter().find(|one| !schema::accepts(&accepted, one));
        if let Some(stray) = stray {
            let why = format!(
                "it can be {stray}, and what is accepted is {}",
                accepted.join(" or ")
            );
            findings.add(place, Code::Unfit, why);
            return;
        }
    }
    if let Some(accepted) = closed_set(wanted) {
        let is_within = closed_set(input).is_some_and(|set| {
            set.iter()
                .all(|value| accepted.iter().any(|each| each.is(value)))
        });
        if !is_within {
            let words: Vec<String> = accepted.iter().map(|value| value.compact()).collect();
            let why = format!(
                "only certain values are accepted: give the input an `enum` of some of {}, or fix the value",
                words.join(", ")
            );
            findings.add(place, Code::Unfit, why);
        }
    }
    inside_fits(input, wanted, &types, place, findings);
}

/// The same schema for one of its types.
fn of_type(input: &Json, one: &str) -> Json {
    if schema::types(input).is_none() {
        // A form of several; the one of that type stands for it.
        let form = branches(input)
            .unwrap_or_default()
            .iter()
            .find(|form| possible_types(form).is_some_and(|types| types.contains(&one)));
        return form.map_or_else(|| input.clone(), |form| of_type(form, one));
    }
    let members = input.members().unwrap_or_default().iter();
    let members = members.map(|(name, value)| match name.as_str() {
        "type" => (name.clone(), Json::Text(one.to_owned())),
        _ => (name.clone(), value.clone()),
    });
    Json::Object(members.collect())
}

/// What a whole list or object holds, where the wrapped tool says what it wants inside.
fn inside_fits(
    input: &Json,
    wanted: &Json,
    types: &[&str],
    place: &Place,
    findings: &mut Findings,
) {
    let declares = |keyword: &str| wanted.get(keyword).is_some();
    let has_inside = (types.contains(&"array") && declares("items"))
        || (types.contains(&"object") && declares("properties"));
    if has_inside && has_several_shapes(input) {
        findings.add(
            place,
            Code::Unfit,
            "an input of several shapes cannot be given whole where the inside matters",
        );
        return;
    }
    if types.contains(&"array")
        && let Some(wanted) = wanted.get("items")
    {
        match input.get("items") {
            Some(items) => schema_fits(items, wanted, place, findings),
            None => findings.add(
                place,
                Code::Unfit,
                "this input must say what its `items` are",
            ),
        }
    }
    let (true, Some(properties)) = (types.contains(&"object"), wanted.get("properties")) else {
        return;
    };
    if input.get("additionalProperties").and_then(Json::flag) != Some(false) {
        findings.add(
            place,
            Code::Unfit,
            "this input must set `additionalProperties` to false",
        );
    }
    let is_loose = matches!(
        wanted.get("additionalProperties"),
        Some(Json::Bool(true) | Json::Object(_))
    );
    for (name, schema) in input
        .get("properties")
        .and_then(Json::members)
        .unwrap_or_default()
    {
        match properties.get(name) {
            Some(wanted) => schema_fits(schema, wanted, place, findings),
            None if is_loose => {}
            None => {
                let why = format!(
                    "this input can have {}, which the wrapped tool does not know",
                    quoted(name)
                );
                findings.add(place, Code::Unfit, why);
            }
        }
    }
    let of = |schema: &Json| -> Vec<String> {
        let list = schema
            .get("required")
            .and_then(Json::list)
            .unwrap_or_default();
        list.iter()
            .filter_map(Json::text)
            .map(str::to_owned)
            .collect()
    };
    let required = of(input);
    for name in of(wanted).iter().filter(|name| !required.contains(name)) {
        findings.add(
            place,
            Code::Unfit,
            format!("this input must require {}", quoted(name)),
        );
    }
}
