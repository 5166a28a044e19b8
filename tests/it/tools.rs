//! What the model is told of each tool: one file each in `fixtures/tools`, rewritten with `BB_UPDATE=1`.

use crate::support::{Bb, fixture};
use bb::catalog::TOOLS;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The tools that are about views, which no row of the catalogue's table is.
const OF_VIEWS: [&str; 3] = ["show", "refresh_view", "suggest_form_values"];

/// What a client is told by `tools/list`, by name.
fn declared() -> BTreeMap<String, Value> {
    let answer = Bb::alone().ask("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().expect("tools");
    tools
        .iter()
        .map(|tool| {
            (
                tool["name"].as_str().expect("a name").to_owned(),
                tool.clone(),
            )
        })
        .collect()
}

#[test]
fn what_the_model_is_told_of_each_tool_is_as_it_was_agreed() {
    let is_updating = std::env::var_os("BB_UPDATE").is_some();
    let mut differing = Vec::new();
    let declared = declared();
    for (name, tool) in &declared {
        let path = fixture(&format!("tools/{name}.json"));
        let text = format!("{tool:#}\n");
        if is_updating {
            std::fs::write(&path, text).expect("the fixture can be written");
        } else if std::fs::read_to_string(&path).ok() != Some(text) {
            differing.push(format!("{name}.json"));
        }
    }
    // A file that no tool has any more would seem to promise one.
    for file in std::fs::read_dir(fixture("tools")).expect("fixtures/tools") {
        let file = file
            .expect("a file")
            .file_name()
            .into_string()
            .expect("UTF-8");
        let name = file.strip_suffix(".json").unwrap_or(&file);
        if !declared.contains_key(name) {
            differing.push(file);
        }
    }
    assert!(
        differing.is_empty(),
        "these files in fixtures/tools differ from what bb tells, or are missing or left over: {differing:?}; \
         BB_UPDATE=1 rewrites them, and `git diff` shows what changed for the model"
    );
}

#[test]
fn each_tool_of_the_catalogue_is_told_once_with_title_and_hints() {
    let declared = declared();
    let names: BTreeSet<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(names.len(), TOOLS.len(), "a name is there twice");
    let is_told: BTreeSet<&str> = declared.keys().map(String::as_str).collect();
    assert_eq!(&is_told - &BTreeSet::from(OF_VIEWS), names);
    for (name, tool) in &declared {
        for hint in [
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
        ] {
            assert!(tool["annotations"][hint].is_boolean(), "{name}: {hint}");
        }
        assert!(
            tool["title"]
                .as_str()
                .is_some_and(|title| !title.is_empty())
        );
        // What a client cannot read, or would show to the model instead of the text.
        for absent in ["oneOf", "anyOf", "allOf", "$ref"] {
            assert!(
                tool["inputSchema"].get(absent).is_none(),
                "{name}: {absent}"
            );
        }
        assert!(tool.get("outputSchema").is_none(), "{name}");
    }
}

#[test]
fn no_data_tool_has_a_view() {
    for (name, tool) in declared() {
        let is_for_views = ["show", "refresh_view", "suggest_form_values"].contains(&name.as_str());
        assert!(
            is_for_views || tool.pointer("/_meta/ui").is_none(),
            "{name}"
        );
    }
}
