//! The tools of a manifest: each read, and held against the tool that it wraps.
//!
//! Never calls one. Start reading at [`read`].

use crate::manifests::fields::Fields;
use crate::manifests::findings::{Code, Findings, Place, quoted};
use crate::manifests::fits::Fitting;
use crate::manifests::json::Json;
use crate::manifests::manifest::{DomainKind, Tool, View, Visibility};
use crate::manifests::names;
use crate::manifests::schema;
use crate::manifests::table::{Base, Hints, Table};
use crate::manifests::templates::{Piece, Reference, Source, Template};

/// The most tools.
const MAX_TOOLS: usize = 100;
/// The longest description.
const MAX_DESCRIPTION_CHARS: usize = 8_000;
/// The largest definition, as compact JSON, without what says how it is shown.
const MAX_TOOL_BYTES: usize = 64 * 1024;
/// The most references of one tool.
const MAX_REFERENCES: usize = 128;
/// The longest title.
const MAX_TITLE_CHARS: usize = 120;

const KNOWN: &[&str] = &[
    "name",
    "description",
    "inputSchema",
    "tool",
    "result",
    "outputSchema",
    "annotations",
    "ui",
    "enabled",
    "transports",
];

/// Reads `tools`; what is gathered may be unsound where there are problems.
pub fn read(
    fields: &Fields,
    app_id: &str,
    views: &[View],
    table: &Table,
    findings: &mut Findings,
) -> Vec<Tool> {
    let top = Place::TOP;
    let section = &top.member("tools");
    let list = fields
        .list("tools", MAX_TOOLS, findings)
        .unwrap_or_default();
    let mut tools: Vec<Tool> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for (i, value) in list.iter().enumerate() {
        let place = &section.at(i);
        if let Some(name) = value.get("name").and_then(Json::text) {
            if names.contains(&name) {
                let why = format!("there is a tool {} already", quoted(name));
                findings.add(&place.member("name"), Code::Duplicate, why);
            }
            names.push(name);
        }
        let reading = Reading {
            app_id,
            views,
            table,
            place,
        };
        if let Some(tool) = reading.tool(value, findings) {
            tools.push(tool);
            places.push(i);
        }
    }
    for (tool, i) in tools.iter().zip(places) {
        warn_of_search(tool, &tools, &section.at(i), findings);
    }
    // A tool that could not be read may show any.
    if tools.len() == list.len() {
        warn_of_views(&tools, views, findings);
    }
    tools
}

struct Reading<'a> {
    app_id: &'a str,
    views: &'a [View],
    table: &'a Table,
    place: &'a Place<'a>,
}

impl Reading<'_> {
    fn tool(&self, value: &Json, findings: &mut Findings) -> Option<Tool> {
        let place = self.place;
        if let Some(members) = value.members() {
            for (step, _) in members
                .iter()
                .filter(|(name, _)| name == "before" || name == "after")
            {
                let why = format!(
                    "`{step}` calls a service of the author's, which bb does not do for a manifest"
                );
                findings.add(&place.member(step), Code::Unsupported, why);
            }
            let shown = ["ui", "annotations", "enabled", "transports"];
            let bytes = members
                .iter()
                .filter(|(name, _)| !shown.contains(&name.as_str()));
            let bytes: usize = bytes
                .map(|(name, value)| name.len() + 4 + value.compact_bytes())
                .sum::<usize>()
                + 1;
            if bytes > MAX_TOOL_BYTES {
                let why = format!("its definition has {bytes} bytes, over {MAX_TOOL_BYTES}");
                findings.add(place, Code::TooLarge, why);
                return None;
            }
        }
        let known: Vec<&str> = KNOWN.iter().copied().chain(["before", "after"]).collect();
        let fields = Fields::of(value, place, &known, findings)?;
        let name = fields.required_text("name", findings);
        if let Some(name) = name {
            self.name(name, findings);
        }
        let description = fields.required_words("description", MAX_DESCRIPTION_CHARS, findings);
        let before = findings.problems.len();
        let input_schema = fields.required("inputSchema", findings);
        if let Some(schema) = input_schema {
            schema::check(schema, &place.member("inputSchema"), findings);
        }
        let is_schema_sound = findings.problems.len() == before;
        let output_schema = fields.get("outputSchema");
        if let Some(schema) = output_schema {
            schema::check(schema, &place.member("outputSchema"), findings);
        }
        let wrapped = fields.required("tool", findings);
        let wrapped = wrapped.and_then(|tool| self.wrapped(tool, findings));
        let result = fields
            .get("result")
            .and_then(|result| self.result(result, findings));
        if let (Some(input), true) = (input_schema, is_schema_sound) {
            self.templates(input, wrapped.as_ref(), result.as_ref(), findings);
        }
        let base = wrapped.as_ref().and_then(|(base, _)| *base);
        let (title, hints) = self.annotations(&fields, base, findings);
        let (view, visibility) = self.ui(&fields, findings);
        let is_on = self.is_on(&fields, findings);
        let base = base?;
        let tool = Tool {
            name: name?.to_owned(),
            description: description?.to_owned(),
            title,
            // The document gives both, once all of it is known to be sound.
            input_schema: input_schema.map(|_| Json::Null)?,
            output_schema: output_schema.map(|_| Json::Null),
            wraps: base.name.clone(),
            writes: base.writes,
            args: wrapped?.1,
            result,
            hints: hints?,
            view,
            visibility,
            is_on,
        };
        self.warn(&tool, findings);
        Some(tool)
    }

    fn name(&self, name: &str, findings: &mut Findings) {
        let place = &self.place.member("name");
        let taken = self
            .table
            .names()
            .find(|taken| taken.eq_ignore_ascii_case(name));
        let has_prefix = name
            .get(..3)
            .is_some_and(|start| start.eq_ignore_ascii_case("bb_"));
        let qualified = self.app_id.len() + 1 + name.len();
        if !names::is_tool_name(name) {
            let why = format!(
                "{} is no tool's name: an ASCII letter, then letters, digits and underscores, at most 64 in all",
                quoted(name)
            );
            findings.add(place, Code::BadName, why);
        } else if qualified > names::MAX_TOOL_CHARS {
            let why = format!(
                "with the app's id before it, it has {qualified} characters, over {}",
                names::MAX_TOOL_CHARS
            );
            findings.add(place, Code::TooLong, why);
        } else if let Some(taken) = taken {
            findings.add(
                place,
                Code::Reserved,
                format!("{} is the name of bb's own `{taken}`", quoted(name)),
            );
        } else if has_prefix {
            findings.add(
                place,
                Code::Reserved,
                format!(
                    "{}: names that begin with bb_ are kept for bb",
                    quoted(name)
                ),
            );
        }
    }

    /// The tool that is wrapped, where it can be, and the template of its arguments.
    fn wrapped(&self, tool: &Json, findings: &mut Findings) -> Option<(Option<&Base>, Template)> {
        let place = &self.place.member("tool");
        let fields = Fields::of(tool, place, &["name", "args"], findings)?;
        let base = fields.required_text("name", findings).and_then(|name| {
            let base = self.table.find(name);
            if base.is_none() {
                let place = place.member("name");
                match self.table.not_wrappable.iter().any(|each| each == name) {
                    true => {
                        let why = format!(
                            "{} belongs to bb's own views and cannot be wrapped",
                            quoted(name)
                        );
                        findings.add(&place, Code::NotWrappable, why);
                    }
                    false => {
                        let known: Vec<&str> = self
                            .table
                            .tools
                            .iter()
                            .map(|base| base.name.as_str())
                            .collect();
                        let why = format!(
                            "there is no tool {} to wrap; there are {}",
                            quoted(name),
                            known.join(", ")
                        );
                        findings.add(&place, Code::UnknownTool, why);
                    }
                }
            }
            base
        });
        let place = place.member("args");
        let args = match fields.get("args") {
            None => Template::Object(Vec::new()),
            Some(args @ Json::Object(_)) => Template::read(args, &place, findings),
            Some(other) => {
                findings.add(
                    &place,
                    Code::WrongType,
                    format!("expected an object, found {}", other.sort()),
                );
                return None;
            }
        };
        Some((base, args))
    }

    fn result(&self, result: &Json, findings: &mut Findings) -> Option<Template> {
        let place = &self.place.member("result");
        if result.members().is_none() {
            findings.add(
                place,
                Code::WrongType,
                format!("expected an object, found {}", result.sort()),
            );
            return None;
        }
        if result
            .get("_meta")
            .is_some_and(|meta| meta.members().is_none())
        {
            let why = "what is for the view alone is an object";
            findings.add(&place.member("_meta"), Code::WrongType, why);
        }
        Some(Template::read(result, place, findings))
    }

    fn templates(
        &self,
        input: &Json,
        wrapped: Option<&(Option<&Base>, Template)>,
        result: Option<&Template>,
        findings: &mut Findings,
    ) {
        let fitting = Fitting { input };
        let tool = self.place.member("tool");
        let (of_args, of_result) = (tool.member("args"), self.place.member("result"));
        let mut count = 0;
        if let Some((base, args)) = wrapped {
            args.references(&of_args, &mut |_, _| count += 1);
            fitting.references(args, false, &of_args, findings);
            if let Some(base) = base {
                fitting.arguments(args, base, &of_args, findings);
            }
            warn_of_texts(args, input, &of_args, findings);
        }
        if let Some(result) = result {
            result.references(&of_result, &mut |_, _| count += 1);
            fitting.references(result, true, &of_result, findings);
            warn_of_texts(result, input, &of_result, findings);
        }
        if count > MAX_REFERENCES {
            let why = format!("it has {count} references, over {MAX_REFERENCES}");
            findings.add(self.place, Code::TooMany, why);
        }
    }

    fn annotations(
        &self,
        fields: &Fields,
        base: Option<&Base>,
        findings: &mut Findings,
    ) -> (Option<String>, Option<Hints>) {
        let inherited = base.map(|base| base.hints);
        let place = &self.place.member("annotations");
        let Some(annotations) = fields.get("annotations") else {
            return (None, inherited);
        };
        let known = ["title", "readOnlyHint", "destructiveHint", "openWorldHint"];
        let Some(fields) = Fields::of(annotations, place, &known, findings) else {
            return (None, inherited);
        };
        let title = fields
            .words("title", MAX_TITLE_CHARS, findings)
            .map(str::to_owned);
        let read_only = fields.flag("readOnlyHint", findings);
        let destructive = fields.flag("destructiveHint", findings);
        let open_world = fields.flag("openWorldHint", findings);
        let hints = base.map(|base| {
            let had = base.hints;
            let does = match (base.writes, had.destructive) {
                (false, _) => "reads",
                (true, false) => "writes",
                (true, true) => "writes and may destroy",
            };
            let less = [
                ("readOnlyHint", read_only == Some(true) && !had.read_only),
                (
                    "destructiveHint",
                    destructive == Some(false) && had.destructive,
                ),
                ("openWorldHint", open_world == Some(false) && had.open_world),
            ];
            for (name, _) in less.iter().filter(|(_, is_less)| *is_less) {
                let why = format!(
                    "`{name}` makes it look safer than `{}`, which {does}; leave it out",
                    base.name
                );
                findings.add(&place.member(name), Code::LessCautious, why);
            }
            Hints {
                read_only: read_only.unwrap_or(had.read_only),
                destructive: destructive.unwrap_or(had.destructive),
                open_world: open_world.unwrap_or(had.open_world),
            }
        });
        (title, hints)
    }

    fn ui(&self, fields: &Fields, findings: &mut Findings) -> (Option<String>, Option<Visibility>) {
        let place = &self.place.member("ui");
        let Some(ui) = fields.get("ui") else {
            return (None, None);
        };
        let Some(fields) = Fields::of(ui, place, &["resource", "visibility"], findings) else {
            return (None, None);
        };
        let view = fields.required_text("resource", findings);
        if let Some(view) = view.filter(|name| !self.views.iter().any(|view| view.name == *name)) {
            let known: Vec<&str> = self.views.iter().map(|view| view.name.as_str()).collect();
            let why = match known.as_slice() {
                [] => format!("there is no view {}: the manifest has none", quoted(view)),
                known => format!(
                    "there is no view {}; the manifest has {}",
                    quoted(view),
                    known.join(", ")
                ),
            };
            findings.add(&place.member("resource"), Code::UnknownView, why);
        }
        let place = &place.member("visibility");
        let visibility = fields.list("visibility", usize::MAX, findings).map(|list| {
            if list.is_empty() {
                let why = "expected `model`, `app` or both: nobody could call it";
                findings.add(place, Code::Missing, why);
            }
            for (i, who) in list.iter().enumerate() {
                if !matches!(who.text(), Some("model" | "app")) {
                    findings.add(&place.at(i), Code::WrongType, "expected `model` or `app`");
                }
            }
            let has = |word| list.iter().any(|who| who.text() == Some(word));
            Visibility {
                model: has("model"),
                app: has("app"),
            }
        });
        (view.map(str::to_owned), visibility)
    }

    fn is_on(&self, fields: &Fields, findings: &mut Findings) -> bool {
        let is_enabled = fields.flag("enabled", findings) != Some(false);
        let place = self.place.member("transports");
        let transports = fields.get("transports");
        let transports =
            transports.and_then(|value| Fields::of(value, &place, &["mcp", "rest"], findings));
        let is_over_mcp = transports.is_none_or(|fields| {
            fields.flag("rest", findings);
            fields.flag("mcp", findings) != Some(false)
        });
        is_enabled && is_over_mcp
    }

    fn warn(&self, tool: &Tool, findings: &mut Findings) {
        let Some(view) = &tool.view else { return };
        if tool.result.is_none() {
            let why = "it shows a view and shapes no result: see that the text says what the view would have shown";
            findings.warn(self.place, Code::ViewWithoutResult, why);
        }
        let view = self.views.iter().find(|each| each.name == *view);
        if tool.is_app_only()
            && view.is_some_and(|view| !view.domains(DomainKind::Connect).is_empty())
        {
            let why = "what it answers reaches a view that may send data out, and the model never sees it";
            findings.warn(self.place, Code::AppOnlySends, why);
        }
    }
}

/// A client shows a view at each call, and a search is called often: unless another tool finds without showing.
fn warn_of_search(tool: &Tool, tools: &[Tool], place: &Place, findings: &mut Findings) {
    let finds = |other: &Tool| other.wraps == tool.wraps && other.view.is_none() && other.is_on;
    if tool.view.is_some() && tool.wraps.starts_with("search_") && !tools.iter().any(finds) {
        let why = format!(
            "`{}` is called often, and each call shows a view: let one tool find and another show",
            tool.wraps
        );
        findings.warn(place, Code::LiveView, why);
    }
}

fn warn_of_views(tools: &[Tool], views: &[View], findings: &mut Findings) {
    let top = Place::TOP;
    let section = top.member("ui");
    for (i, view) in views.iter().enumerate() {
        if !tools
            .iter()
            .any(|tool| tool.view.as_deref() == Some(&view.name))
        {
            findings.warn(&section.at(i), Code::UnshownView, "no tool shows this view");
        }
    }
}

/// The two ways in which a template surprises: a text between quotes that can close them, and a list that shifts.
fn warn_of_texts(template: &Template, input: &Json, place: &Place, findings: &mut Findings) {
    match template {
        Template::Fixed(_) | Template::Whole(_) => {}
        Template::Text(pieces) => {
            for window in pieces.windows(3) {
                if let [
                    Piece::Text(before),
                    Piece::Reference(reference),
                    Piece::Text(after),
                ] = window
                    && before.ends_with('"')
                    && after.starts_with('"')
                {
                    let why = format!(
                        "{} stands between quotes, and a text is not escaped there: pass it inside a list or an object",
                        quoted(&reference.written())
                    );
                    findings.warn(place, Code::QuotedText, why);
                }
            }
        }
        Template::List(list) => {
            for (i, template) in list.iter().enumerate() {
                if let Template::Whole(reference) = template
                    && is_optional(reference, input)
                    && i + 1 < list.len()
                {
                    let why = format!(
                        "where {} is absent, what comes after it moves up",
                        quoted(&reference.written())
                    );
                    findings.warn(&place.at(i), Code::ShiftingList, why);
                }
                warn_of_texts(template, input, &place.at(i), findings);
            }
        }
        Template::Object(members) => {
            for (name, template) in members {
                warn_of_texts(template, input, &place.member(name), findings);
            }
        }
    }
}

fn is_optional(reference: &Reference, input: &Json) -> bool {
    let [name] = reference.path.as_slice() else {
        return true;
    };
    let required = input
        .get("required")
        .and_then(Json::list)
        .unwrap_or_default();
    let has_default = input
        .get("properties")
        .and_then(|all| all.get(name)?.get("default"))
        .is_some();
    reference.source == Source::Input
        && !has_default
        && !required.iter().any(|each| each.text() == Some(name))
}
