//! `bb ai mcp tools --manifest ID`: a manifest's tools, and which of them these flags leave.
//!
//! Never says more than the review does. Start reading at [`tell`].

use crate::catalog::exposure::Exposure;
use crate::clean;
use crate::exit::Answer;
use crate::manifests::json::Json;
use crate::manifests::manifest::{Manifest, Tool};
use crate::manifests::served::{Bar, Named};
use crate::tool;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The table, or the same as JSON: as for bb's own tools, the app's id for a group.
pub fn tell(
    manifest: &Manifest,
    named: &Named,
    exposure: &Exposure,
    tools: &[&'static tool::Tool],
    as_json: bool,
) -> Answer {
    let rows = manifest.tools.iter().map(|tool| {
        let base = tools.iter().copied().find(|base| base.name == tool.wraps);
        let bar = Bar::to(tool, base, named, |base| exposure.withholds(base));
        (tool, base, bar)
    });
    if as_json {
        let entries = rows.map(|(tool, base, bar)| entry(&manifest.app.id, tool, base, bar));
        return Answer::text(format!("{:#}\n", entries.collect::<Value>()));
    }
    let mut lines = String::new();
    for (tool, base, bar) in rows {
        let effect = match (tool.writes, asks(base)) {
            (false, _) => "reads",
            (true, false) => "writes",
            (true, true) => "writes, asks",
        };
        let exposed = bar.map_or("exposed".to_owned(), |by| format!("withheld by {by}"));
        // A text in memory can always be written to.
        let _ = writeln!(
            lines,
            "{:<24} {effect:<13} {exposed:<24} wraps {}: \"{}\"",
            tool.name,
            tool.wraps,
            clean::line(&tool.description, 80).replace('"', "'")
        );
    }
    Answer::text(lines)
}

fn asks(base: Option<&tool::Tool>) -> bool {
    base.is_some_and(|base| base.effect.may_ask())
}

fn entry(app_id: &str, tool: &Tool, base: Option<&tool::Tool>, bar: Option<Bar>) -> Value {
    let mut entry = json!({
        "name": tool.name,
        "group": app_id,
        "reads": !tool.writes,
        "asks": asks(base),
        "exposed": bar.is_none(),
        "description": tool.description,
        "wraps": tool.wraps,
        "input_schema": tool.input_schema.clone().into_value(),
        "result": match &tool.output_schema {
            Some(schema) => schema.clone().into_value(),
            None => Json::Object(vec![("type".to_owned(), Json::Text("object".to_owned()))]).into_value(),
        },
    });
    if let Some(by) = bar {
        entry["withheld_by"] = json!(by.to_string());
    }
    entry
}
