//! The tools of views in the catalogue: `show` for the model, `refresh_view` and `suggest_form_values` for views.
//!
//! Never reads anything of Bitbucket for a caller that renders nothing. Start reading at [`ViewTool`], then `Views`.

use crate::bitbucket::Bitbucket;
use crate::catalog::audit::{self, Entry};
use crate::catalog::exposure::{Exposure, Withheld};
use crate::catalog::scope::Scope;
use crate::mcp::caller::Caller;
use crate::mcp::calls::Handle;
use crate::mcp::wire::{self, CallResult, Page};
use crate::near;
use crate::page;
use crate::settings;
use crate::show::drawing::{META_KEY, Offers};
use crate::show::kinds::create_pull_request::KIND;
use crate::show::kinds::{KINDS, Kind};
use crate::show::memory::Memory;
use crate::show::refresh::refresh;
use crate::show::suggest::{Field, suggest};
use crate::show::{AskedBy, Outcome, REFRESH_VIEW, Reading, SHOW, SUGGEST_FORM_VALUES, show};
use crate::tool::Tool;
use crate::tool::args::{Arg, Input};
use crate::tool::problems::Problems;
use serde_json::{Map, Value, json};

mod form;

/// What a caller that renders nothing is told.
const NOT_SHOWN: &str = "Nothing was shown, and nothing was read: this client renders no views. Answer the person \
                         in words; the other tools have what the view would have shown.";

/// One of the tools of views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewTool {
    /// What the model calls.
    Show,
    /// What a view calls to read itself again.
    Refresh,
    /// What a form calls for what may stand in its fields.
    Suggest,
}

impl ViewTool {
    /// All, in the order in which `tools/list` has them behind the data tools.
    pub const ALL: [Self; 3] = [Self::Show, Self::Refresh, Self::Suggest];

    /// What a call names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Show => SHOW,
            Self::Refresh => REFRESH_VIEW,
            Self::Suggest => SUGGEST_FORM_VALUES,
        }
    }

    /// What it does, and for whom.
    pub fn description(self, kinds: &[&Kind]) -> String {
        match self {
            Self::Show => {
                let kinds: Vec<String> = kinds
                    .iter()
                    .map(|kind| format!("`{}`: {}", kind.name, kind.about))
                    .collect();
                format!(
                    "Puts an interactive view in front of the person, where the client renders views. Call it once \
                     an answer is ready and somebody is there to see it; it tells you no data. Kinds: {}.",
                    kinds.join("; ")
                )
            }
            Self::Refresh => {
                "For views alone, never for the model: reads one again. Changes nothing.".to_owned()
            }
            Self::Suggest => {
                "For views alone, never for the model: what could stand in a form's field."
                    .to_owned()
            }
        }
    }

    /// JSON Schema of its arguments.
    pub fn input_schema(self, kinds: &[&Kind]) -> Value {
        match self {
            Self::Show => show_schema(kinds),
            Self::Refresh => json!({
                "type": "object",
                "properties": {
                    "show": {"type": "object"},
                    "fingerprint": {"type": "string"},
                },
                "required": ["show"],
                "additionalProperties": false,
            }),
            Self::Suggest => form::schema(),
        }
    }

    fn declaration(self, kinds: &[&Kind]) -> wire::Tool {
        let meta = match self {
            // Some clients know the flat key alone.
            Self::Show => json!({
                "ui": {"resourceUri": page::ADDRESS, "visibility": ["model"]},
                "ui/resourceUri": page::ADDRESS,
            }),
            Self::Refresh | Self::Suggest => json!({"ui": {"visibility": ["app"]}}),
        };
        wire::Tool {
            name: self.name().to_owned(),
            title: match self {
                Self::Show => "Show to the person",
                Self::Refresh => "Refresh a view",
                Self::Suggest => "Suggest values of a form",
            }
            .to_owned(),
            description: self.description(kinds),
            input_schema: self.input_schema(kinds),
            output_schema: None,
            annotations: wire::Annotations {
                read_only: true,
                destructive: false,
                idempotent: true,
                open_world: true,
            },
            meta: Some(meta),
        }
    }
}

/// The kinds that are offered: each while a tool is whose answer it shows.
pub fn offered(tools: &[&Tool], exposure: &Exposure) -> Vec<&'static Kind> {
    let is_exposed = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name);
        tool.is_some_and(|tool| exposure.withholds(tool).is_none())
    };
    let kinds = KINDS.iter().copied();
    let is_offered = |kind: &&Kind| kind.answers.iter().any(|name| is_exposed(name));
    kinds.filter(is_offered).collect()
}

/// Why a tool of views is not offered; `None` if it is.
pub fn withholds(tool: ViewTool, kinds: &[&Kind], exposure: &Exposure) -> Option<Withheld> {
    let by = exposure.withholds_view(tool.name());
    by.or_else(|| kinds.is_empty().then_some(Withheld::NothingToShow))
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It ran, or could not with these arguments.
    Ran,
    /// It would have left the scope.
    OutOfScope,
}

/// What the server offers of views, and what their readings leave behind.
pub(super) struct Views {
    kinds: Vec<&'static Kind>,
    tools: Vec<(ViewTool, Option<Withheld>)>,
    offers: Offers,
    setting: settings::Views,
    memory: Memory,
}

impl Views {
    pub(super) fn new(
        tools: &[&'static Tool],
        exposure: &Exposure,
        setting: settings::Views,
        memory: Memory,
    ) -> Self {
        let kinds = offered(tools, exposure);
        let exposed = tools
            .iter()
            .filter(|tool| exposure.withholds(tool).is_none());
        Self {
            offers: Offers {
                kinds: kinds.iter().map(|kind| kind.name).collect(),
                tools: exposed.map(|tool| tool.name).collect(),
                suggests: withholds(ViewTool::Suggest, &kinds, exposure).is_none(),
            },
            tools: ViewTool::ALL
                .iter()
                .map(|tool| (*tool, withholds(*tool, &kinds, exposure)))
                .collect(),
            kinds,
            setting,
            memory,
        }
    }

    /// Whether the model has `show`.
    pub(super) fn are_offered(&self) -> bool {
        self.exposed().any(|tool| tool == ViewTool::Show)
    }

    /// Whether a form is among the kinds.
    pub(super) fn have_form(&self) -> bool {
        self.kinds.iter().any(|kind| kind.is_form)
    }

    pub(super) fn exposed(&self) -> impl Iterator<Item = ViewTool> {
        let offered = self.tools.iter().filter(|(_, by)| by.is_none());
        offered.map(|(tool, _)| *tool)
    }

    pub(super) fn declarations(&self) -> impl Iterator<Item = wire::Tool> {
        self.exposed().map(|tool| tool.declaration(&self.kinds))
    }

    /// The tool of this name, and what withholds it.
    pub(super) fn find(&self, name: &str) -> Option<(ViewTool, Option<Withheld>)> {
        let mut tools = self.tools.iter().copied();
        tools.find(|(tool, _)| tool.name() == name)
    }

    /// What is recorded of the arguments of a call: those of `show` as a tool's are.
    pub(super) fn kept(&self, tool: ViewTool, arguments: &Map<String, Value>) -> Value {
        let of_show = |show: &Map<String, Value>| {
            let name = show.get("kind").and_then(Value::as_str).unwrap_or_default();
            let Some(kind) = self.kind(name) else {
                return audit::all_digested(show);
            };
            kept_of_show(kind, show)
        };
        let within = match tool {
            ViewTool::Show => return of_show(arguments),
            ViewTool::Refresh => "show",
            ViewTool::Suggest => "form",
        };
        let mut kept = audit::all_digested(arguments);
        if let Some(Value::Object(show)) = arguments.get(within) {
            kept[within] = of_show(show);
        }
        if tool == ViewTool::Refresh && arguments.get(within).is_some_and(Value::is_object) {
            return json!({within: kept[within]});
        }
        kept
    }

    fn kind(&self, name: &str) -> Option<&'static Kind> {
        let mut kinds = self.kinds.iter().copied();
        kinds.find(|kind| kind.name.eq_ignore_ascii_case(name.trim()))
    }

    /// Runs a call within a scope. What it asks of Bitbucket, and with which arguments in the end, is written into
    /// `entry`.
    pub(super) fn call(
        &self,
        tool: ViewTool,
        arguments: Map<String, Value>,
        scope: &Scope,
        bitbucket: &Bitbucket,
        handle: &Handle,
        entry: &mut Entry,
    ) -> (Outcome, End) {
        if !self.renders(&handle.caller) {
            return (Outcome::text(NOT_SHOWN), End::Ran);
        }
        let (call, asked_by) = match tool {
            ViewTool::Show => (Ok((arguments, Wish::Show)), AskedBy::Model),
            ViewTool::Refresh => (refresh_arguments(arguments), AskedBy::View),
            ViewTool::Suggest => (suggest_arguments(arguments), AskedBy::View),
        };
        let (given, wish) = match call {
            Ok(call) => call,
            Err(problems) => return (self.refusal(tool, None, &problems), End::Ran),
        };
        let kind = match self.kind_of(&given) {
            Ok(kind) => kind,
            Err(problem) => return (self.refusal(tool, None, &[problem]), End::Ran),
        };
        if matches!(wish, Wish::Suggest(..)) && !kind.is_form {
            let problem = format!("`form` is of kind {}, which has no fields", kind.name);
            return (self.refusal(tool, None, &[problem]), End::Ran);
        }
        let input = match arguments_of(kind, given, scope, bitbucket) {
            Ok(input) => input,
            Err(problems) => return (self.refusal(tool, Some(kind), &problems), End::Ran),
        };
        let kept = kept_of_show(kind, input.values());
        match tool {
            ViewTool::Show => entry.arguments = kept,
            ViewTool::Refresh => entry.arguments = json!({"show": kept}),
            ViewTool::Suggest => entry.arguments["form"] = kept,
        }
        let mut admitted = scope.admits(kind.reach, &input, bitbucket.base());
        if let Wish::Suggest(field, _) = &wish {
            entry.arguments["field"] = json!(field.name());
            if field.is_across() && admitted.is_ok() {
                admitted = scope.admits_all(field.name());
            }
        }
        if let Err(why) = admitted {
            let why = format!("{} was not called: {why}", tool.name());
            return (
                Outcome {
                    is_error: true,
                    ..Outcome::text(why)
                },
                End::OutOfScope,
            );
        }
        let bitbucket = bitbucket.by(bitbucket.http().recording(entry.sent.clone()));
        let reading = Reading {
            bitbucket: &bitbucket,
            input: &input,
            cancel: &handle.cancel,
            step: &|what| handle.step(what),
            memory: &self.memory,
            offers: &self.offers,
            asked_by,
        };
        let outcome = match wish {
            Wish::Show => show(kind, &reading),
            Wish::Refresh(held) => refresh(kind, &reading, held.as_deref()),
            Wish::Suggest(field, text) => suggest(&reading, field, &text),
        };
        (outcome, End::Ran)
    }

    /// What a call that writes was about is asked for anew, whatever became of the call.
    pub(super) fn written(&self, input: &Input) {
        if let Some(id) = input.pull_request() {
            self.memory.forget_merge_check(&id);
        }
    }

    /// A client is taken at its word unless the operator says otherwise.
    fn renders(&self, caller: &Caller) -> bool {
        match self.setting {
            settings::Views::Auto => caller.renders_views,
            settings::Views::Always => true,
            settings::Views::Never => false,
        }
    }

    /// The kind that a call of `show` names.
    fn kind_of(&self, given: &Map<String, Value>) -> Result<&'static Kind, String> {
        let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name).collect();
        let accepted = format!("it must be one of {}", names.join(", "));
        match given.get("kind") {
            None | Some(Value::Null) => Err(format!("`kind` is missing: {accepted}")),
            Some(Value::String(name)) => self.kind(name).ok_or_else(|| {
                let hint = near::hint(name, names.iter().copied());
                let name = crate::clean::line(name, 60);
                format!("`kind` is \"{name}\": {accepted}{hint}")
            }),
            Some(_) => Err(format!("`kind` is not a text: {accepted}")),
        }
    }

    /// The example is one of the `kind` that was meant, if it is known.
    fn refusal(&self, tool: ViewTool, kind: Option<&Kind>, problems: &[String]) -> Outcome {
        let kind = kind.or(self.kinds.first().copied());
        let example = kind.map_or("{}", |kind| kind.example);
        let example = match tool {
            ViewTool::Show => example.to_owned(),
            ViewTool::Refresh => format!("{{\"show\":{example}}}"),
            ViewTool::Suggest => {
                format!("{{\"form\":{},\"field\":\"reviewers\"}}", KIND.example)
            }
        };
        Outcome {
            is_error: true,
            ..Outcome::text(format!(
                "{} was not called: {}. Example: {example}",
                tool.name(),
                problems.join("; ")
            ))
        }
    }
}

fn kept_of_show(kind: &Kind, show: &Map<String, Value>) -> Value {
    let mut kept = audit::kept_of(&[kind.target.args(), kind.args], show);
    kept["kind"] = json!(kind.name);
    kept
}

/// The page that draws every view.
pub(super) fn page_at(uri: &str) -> Option<Page> {
    (uri == page::ADDRESS).then(|| Page {
        text: page::document().to_owned(),
        mime_type: page::MIME_TYPE,
        meta: json!({"ui": {"prefersBorder": true}}),
        is_public: true,
    })
}

/// A call's result as MCP has it.
pub(super) fn result(outcome: Outcome) -> CallResult {
    CallResult {
        text: outcome.text,
        is_error: outcome.is_error,
        structured: None,
        meta: outcome
            .view
            .map(|view| Map::from_iter([(META_KEY.to_owned(), view)]))
            .unwrap_or_default(),
    }
}

/// What a kind is to show: each takes its own arguments, and no other kind's.
fn arguments_of(
    kind: &Kind,
    mut given: Map<String, Value>,
    scope: &Scope,
    bitbucket: &Bitbucket,
) -> Result<Input, Vec<String>> {
    given.remove("kind");
    scope.fill(kind.target, kind.reach, &mut given);
    Input::read(given, kind.target, kind.args, bitbucket.base())
}

/// What a call is for.
enum Wish {
    Show,
    /// Unless this is the fingerprint of what is drawn already.
    Refresh(Option<String>),
    /// What could stand in a field, by what is typed there.
    Suggest(Field, String),
}

/// The arguments of `show`, and what is wished for.
type Wanted = (Map<String, Value>, Wish);

/// The form that a view asks for, and what it asks.
fn suggest_arguments(given: Map<String, Value>) -> Result<Wanted, Vec<String>> {
    let form::Asked { form, field, text } = form::read(given)?;
    Ok((form, Wish::Suggest(field, text)))
}

/// The call of `show` that a view answers, and the fingerprint of what it draws.
fn refresh_arguments(mut given: Map<String, Value>) -> Result<Wanted, Vec<String>> {
    let mut problems = Problems::default();
    let show = match given.remove("show") {
        Some(Value::Object(show)) => show,
        None | Some(Value::Null) => {
            problems.add(|| {
                "`show` is missing: it must be the arguments of the `show` call".to_owned()
            });
            Map::new()
        }
        Some(_) => {
            problems
                .add(|| "`show` must be an object: the arguments of the `show` call".to_owned());
            Map::new()
        }
    };
    let fingerprint = match given.remove("fingerprint") {
        None | Some(Value::Null) => None,
        Some(Value::String(fingerprint)) => Some(fingerprint),
        Some(_) => {
            problems.add(|| "`fingerprint` must be a text: that of what the view draws".to_owned());
            None
        }
    };
    for name in given.keys() {
        problems.add(|| {
            let name = crate::clean::line(name, 60);
            format!("`{name}` is unknown: accepted are show, fingerprint")
        });
    }
    match problems.is_empty() {
        true => Ok((show, Wish::Refresh(fingerprint))),
        false => Err(problems.end()),
    }
}

/// `kind`, and what the offered kinds take: required is what all of them require.
fn show_schema(kinds: &[&Kind]) -> Value {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    let mut properties = Map::new();
    properties.insert("kind".to_owned(), json!({"type": "string", "enum": names}));
    let mut required = vec!["kind"];
    for arg in kinds
        .iter()
        .flat_map(|kind| kind.target.args().iter().chain(kind.args))
    {
        let is_required_by = |kind: &&Kind| {
            let mut args = kind.target.args().iter().chain(kind.args);
            args.any(|one| one.name == arg.name && one.is_required)
        };
        if !properties.contains_key(arg.name) && kinds.iter().all(is_required_by) {
            required.push(arg.name);
        }
        // What it means is said once, at the tool whose answer the kind shows, and a bound to whoever meets it.
        let schema = || {
            let mut schema = Arg { about: "", ..*arg }.schema();
            if let Value::Object(schema) = &mut schema {
                schema.retain(|word, _| !["minimum", "maximum"].contains(&word.as_str()));
            }
            schema
        };
        properties.entry(arg.name).or_insert_with(schema);
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
