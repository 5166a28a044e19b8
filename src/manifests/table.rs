//! The tools that a manifest's tools may wrap: bb's own, or a table that somebody gives to judge against.
//!
//! Never says which of them may run: the door does. Start reading at [`Table::of_bb`].

use crate::manifests::json::Json;
use crate::show::{REFRESH_VIEW, SHOW, SUGGEST_FORM_VALUES};
use crate::tool::reach::Reach;
use crate::tool::{Effect, Tool};

/// The argument of a table's schema that takes only a fixed value.
pub const LITERAL: &str = "x-bb-literal";

/// What can be wrapped, and what cannot though it is a tool.
#[derive(Clone, Debug)]
pub struct Table {
    /// The tools that can be wrapped.
    pub tools: Vec<Base>,
    /// Names of tools that cannot.
    pub not_wrappable: Vec<String>,
    /// Hosts that no view may reach.
    pub hosts: Vec<String>,
}

/// One tool that can be wrapped.
#[derive(Clone, Debug)]
pub struct Base {
    /// Its name.
    pub name: String,
    /// Whether it changes anything.
    pub writes: bool,
    /// What a client is told of it.
    pub hints: Hints,
    /// JSON Schema of its arguments.
    pub input_schema: Json,
}

/// What a client is told of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    /// Changes nothing.
    pub read_only: bool,
    /// May destroy or overwrite.
    pub destructive: bool,
    /// Talks to something outside this machine.
    pub open_world: bool,
}

impl Table {
    /// bb's own tools; no view may reach `hosts`.
    pub fn of_bb(tools: &[&Tool], hosts: Vec<String>) -> Self {
        Self {
            tools: tools.iter().map(|tool| Base::of(tool)).collect(),
            not_wrappable: [SHOW, REFRESH_VIEW, SUGGEST_FORM_VALUES]
                .map(str::to_owned)
                .to_vec(),
            hosts,
        }
    }

    /// Reads a table: `{bitbucket_hosts, tools: [{name, mutates, annotations, inputSchema}], not_wrappable}`.
    ///
    /// # Errors
    /// A phrase about what is not so.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let top = Json::read(bytes).map_err(|error| format!("it is not JSON: {error}"))?;
        let texts = |name: &str| -> Vec<String> {
            let list = top.get(name).and_then(Json::list).unwrap_or_default();
            list.iter()
                .filter_map(Json::text)
                .map(str::to_owned)
                .collect()
        };
        let tools = top
            .get("tools")
            .and_then(Json::list)
            .ok_or("it has no list `tools`")?;
        Ok(Self {
            tools: tools.iter().map(Base::read).collect::<Result<_, _>>()?,
            not_wrappable: texts("not_wrappable"),
            hosts: texts("bitbucket_hosts"),
        })
    }

    /// The tool of this name.
    pub fn find(&self, name: &str) -> Option<&Base> {
        self.tools.iter().find(|base| base.name == name)
    }

    /// All names that are taken.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = self.tools.iter().map(|base| base.name.as_str());
        own.chain(self.not_wrappable.iter().map(String::as_str))
    }
}

impl Base {
    fn of(tool: &Tool) -> Self {
        let mut schema = tool.input_schema();
        // A query is a language: a caller's text in it could ask for something else.
        if let Reach::Query(argument) = tool.reach {
            schema["properties"][argument][LITERAL] = true.into();
        }
        Self {
            name: tool.name.to_owned(),
            writes: !tool.effect.is_reading(),
            hints: Hints {
                read_only: tool.effect.is_reading(),
                destructive: matches!(
                    tool.effect,
                    Effect::Writes {
                        is_destructive: true,
                        ..
                    }
                ),
                open_world: true,
            },
            input_schema: schema.into(),
        }
    }

    fn read(tool: &Json) -> Result<Self, String> {
        let name = tool
            .get("name")
            .and_then(Json::text)
            .ok_or("a tool has no `name`")?;
        let writes = tool.get("mutates").and_then(Json::flag).unwrap_or(false);
        let hint = |name: &str, otherwise| {
            let hints = tool.get("annotations");
            hints
                .and_then(|hints| hints.get(name)?.flag())
                .unwrap_or(otherwise)
        };
        Ok(Self {
            name: name.to_owned(),
            writes,
            hints: Hints {
                read_only: hint("readOnlyHint", !writes),
                destructive: hint("destructiveHint", writes),
                open_world: hint("openWorldHint", true),
            },
            input_schema: tool
                .get("inputSchema")
                .cloned()
                .ok_or_else(|| format!("`{name}` has no `inputSchema`"))?,
        })
    }
}
