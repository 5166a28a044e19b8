//! The tools of views in the catalogue: `show` for the model, `refresh_view` for views.
//!
//! Never reads anything of Bitbucket for a caller that renders nothing. Start reading at [`ViewTool`], then `Views`.

use crate::bitbucket::Bitbucket;
use crate::bitbucket::http::RequestLog;
use crate::catalog::exposure::{Exposure, Withheld};
use crate::mcp::caller::Caller;
use crate::mcp::calls::Handle;
use crate::mcp::wire::{self, CallResult, Page};
use crate::near;
use crate::page;
use crate::settings;
use crate::show::drawing::{META_KEY, Offers};
use crate::show::kinds::{KINDS, Kind};
use crate::show::memory::Memory;
use crate::show::refresh::refresh;
use crate::show::{AskedBy, Outcome, REFRESH_VIEW, Reading, SHOW, show};
use crate::tool::Tool;
use crate::tool::args::Input;
use serde_json::{Map, Value, json};

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
}

impl ViewTool {
    /// Both, in the order in which `tools/list` has them behind the data tools.
    pub const ALL: [Self; 2] = [Self::Show, Self::Refresh];

    /// What a call names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Show => SHOW,
            Self::Refresh => REFRESH_VIEW,
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
                     an answer is ready and somebody is there to see it. Its answer holds no data for you: the other \
                     tools have that. Kinds: {}.",
                    kinds.join("; ")
                )
            }
            Self::Refresh => "For views alone, never for the model: a view of `show` calls it to read itself again. \
                              Changes nothing."
                .to_owned(),
        }
    }

    /// JSON Schema of its arguments.
    pub fn input_schema(self, kinds: &[&Kind]) -> Value {
        match self {
            Self::Show => show_schema(kinds),
            Self::Refresh => json!({
                "type": "object",
                "properties": {
                    "show": {"type": "object", "description": "The arguments of the `show` call that the view answers"},
                    "fingerprint": {"type": "string", "description": "Of what the view draws"},
                },
                "required": ["show"],
                "additionalProperties": false,
            }),
        }
    }

    fn declaration(self, kinds: &[&Kind]) -> wire::Tool {
        let meta = match self {
            // Some clients know the flat key alone.
            Self::Show => json!({
                "ui": {"resourceUri": page::ADDRESS, "visibility": ["model"]},
                "ui/resourceUri": page::ADDRESS,
            }),
            Self::Refresh => json!({"ui": {"visibility": ["app"]}}),
        };
        wire::Tool {
            name: self.name().to_owned(),
            title: match self {
                Self::Show => "Show to the person",
                Self::Refresh => "Refresh a view",
            }
            .to_owned(),
            description: self.description(kinds),
            input_schema: self.input_schema(kinds),
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

/// The kinds that are offered: each while the tool is whose answer it shows.
pub fn offered(tools: &[&Tool], exposure: &Exposure) -> Vec<&'static Kind> {
    let is_exposed = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name);
        tool.is_some_and(|tool| exposure.withholds(tool).is_none())
    };
    let kinds = KINDS.iter().copied();
    kinds.filter(|kind| is_exposed(kind.answers)).collect()
}

/// Why a tool of views is not offered; `None` if it is.
pub fn withholds(tool: ViewTool, kinds: &[&Kind], exposure: &Exposure) -> Option<Withheld> {
    let by = exposure.withholds_view(tool.name());
    by.or_else(|| kinds.is_empty().then_some(Withheld::NothingToShow))
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
    ) -> Self {
        let kinds = offered(tools, exposure);
        let exposed = tools
            .iter()
            .filter(|tool| exposure.withholds(tool).is_none());
        Self {
            offers: Offers {
                kinds: kinds.iter().map(|kind| kind.name).collect(),
                tools: exposed.map(|tool| tool.name).collect(),
            },
            tools: ViewTool::ALL
                .iter()
                .map(|tool| (*tool, withholds(*tool, &kinds, exposure)))
                .collect(),
            kinds,
            setting,
            memory: Memory::default(),
        }
    }

    /// Whether the model has `show`.
    pub(super) fn are_offered(&self) -> bool {
        self.exposed().any(|tool| tool == ViewTool::Show)
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

    /// Runs a call. What it asks of Bitbucket is written into `sent`.
    pub(super) fn call(
        &self,
        tool: ViewTool,
        arguments: Map<String, Value>,
        bitbucket: &Bitbucket,
        handle: &Handle,
        sent: &RequestLog,
    ) -> Outcome {
        if !self.renders(&handle.caller) {
            return Outcome::text(NOT_SHOWN);
        }
        let (call, asked_by) = match tool {
            ViewTool::Show => (Ok((arguments, None)), AskedBy::Model),
            ViewTool::Refresh => (refresh_arguments(arguments), AskedBy::View),
        };
        let (wanted, fingerprint) = match call {
            Ok(call) => call,
            Err(problems) => return self.refusal(tool, None, &problems),
        };
        let kind = match self.kind(&wanted) {
            Ok(kind) => kind,
            Err(problem) => return self.refusal(tool, None, &[problem]),
        };
        let input = match arguments_of(kind, wanted, bitbucket) {
            Ok(input) => input,
            Err(problems) => return self.refusal(tool, Some(kind), &problems),
        };
        let bitbucket = bitbucket.by(bitbucket.http().recording(sent.clone()));
        let reading = Reading {
            bitbucket: &bitbucket,
            input: &input,
            cancel: &handle.cancel,
            step: &|what| handle.step(what),
            memory: &self.memory,
            asked_by,
        };
        match asked_by {
            AskedBy::Model => show(kind, &reading, &self.offers),
            AskedBy::View => refresh(kind, &reading, &self.offers, fingerprint.as_deref()),
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
    fn kind(&self, given: &Map<String, Value>) -> Result<&'static Kind, String> {
        let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name).collect();
        let accepted = format!("it must be one of {}", names.join(", "));
        match given.get("kind") {
            None | Some(Value::Null) => Err(format!("`kind` is missing: {accepted}")),
            Some(Value::String(name)) => {
                let mut kinds = self.kinds.iter();
                let found = kinds.find(|kind| kind.name.eq_ignore_ascii_case(name.trim()));
                found.copied().ok_or_else(|| {
                    let hint = near::hint(name, names.iter().copied());
                    let name = crate::clean::line(name, 60);
                    format!("`kind` is \"{name}\": {accepted}{hint}")
                })
            }
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
    bitbucket: &Bitbucket,
) -> Result<Input, Vec<String>> {
    given.remove("kind");
    Input::read(given, kind.target, kind.args, bitbucket.base())
}

/// The arguments of `show`, and the fingerprint of what is drawn already.
type Wanted = (Map<String, Value>, Option<String>);

/// The call of `show` that a view answers, and the fingerprint of what it draws.
fn refresh_arguments(mut given: Map<String, Value>) -> Result<Wanted, Vec<String>> {
    let mut problems = Vec::new();
    let show = match given.remove("show") {
        Some(Value::Object(show)) => show,
        None | Some(Value::Null) => {
            problems
                .push("`show` is missing: it must be the arguments of the `show` call".to_owned());
            Map::new()
        }
        Some(_) => {
            problems.push("`show` must be an object: the arguments of the `show` call".to_owned());
            Map::new()
        }
    };
    let fingerprint = match given.remove("fingerprint") {
        None | Some(Value::Null) => None,
        Some(Value::String(fingerprint)) => Some(fingerprint),
        Some(_) => {
            problems.push("`fingerprint` must be a text: that of what the view draws".to_owned());
            None
        }
    };
    problems.extend(given.keys().map(|name| {
        let name = crate::clean::line(name, 60);
        format!("`{name}` is unknown: accepted are show, fingerprint")
    }));
    match problems.is_empty() {
        true => Ok((show, fingerprint)),
        false => Err(problems),
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
        properties.entry(arg.name).or_insert_with(|| arg.schema());
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
