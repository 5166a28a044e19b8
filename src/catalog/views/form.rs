//! A call of `suggest_form_values`: which form, which field, and what stands in its other fields.
//!
//! Never asks Bitbucket. Start reading at [`read`].

use crate::clean;
use crate::near;
use crate::show::suggest::Field;
use serde_json::{Map, Value, json};

/// What a form asks.
pub(super) struct Asked {
    /// The arguments of `show`, with what stands in the fields over them.
    pub(super) form: Map<String, Value>,
    pub(super) field: Field,
    /// What is typed there.
    pub(super) text: String,
}

/// JSON Schema of the arguments: short, since no model calls with them, and [`read`] says what is wrong.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "form": {"type": "object"},
            "field": {"type": "string"},
            "text": {"type": "string"},
            "values": {"type": "object"},
        },
        "required": ["form", "field"],
        "additionalProperties": false,
    })
}

/// Reads the arguments of a call.
///
/// # Errors
/// Every problem, a phrase each.
pub(super) fn read(mut given: Map<String, Value>) -> Result<Asked, Vec<String>> {
    let mut problems = Vec::new();
    let mut object = |name: &str, is_required: bool| match given.remove(name) {
        Some(Value::Object(object)) => object,
        None | Some(Value::Null) if !is_required => Map::new(),
        _ => {
            problems.push(format!(
                "`{name}` must be an object: arguments of the `show` call"
            ));
            Map::new()
        }
    };
    let mut form = object("form", true);
    let values = object("values", false);
    let names: Vec<&str> = Field::ALL.iter().map(|(name, _)| *name).collect();
    let accepted = format!("it must be one of {}", names.join(", "));
    let field = match given.remove("field") {
        Some(Value::String(name)) => {
            let field = Field::ALL.iter().find(|(known, _)| *known == name);
            if field.is_none() {
                let hint = near::hint(&name, names.iter().copied());
                let name = clean::line(&name, 60);
                problems.push(format!("`field` is \"{name}\": {accepted}{hint}"));
            }
            field.map(|(_, field)| *field)
        }
        _ => {
            problems.push(format!("`field` is missing: {accepted}"));
            None
        }
    };
    let text = match given.remove("text") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text,
        Some(_) => {
            problems.push("`text` must be a text: what is typed".to_owned());
            String::new()
        }
    };
    problems.extend(given.keys().map(|name| {
        let name = clean::line(name, 60);
        format!("`{name}` is unknown: accepted are form, field, text, values")
    }));
    // What the source lies in is one place, told by two arguments: one given anew replaces both.
    if values.contains_key("source_repo") {
        form.remove("source_project");
    }
    form.extend(values);
    match (field, problems.is_empty()) {
        (Some(field), true) => Ok(Asked { form, field, text }),
        _ => Err(problems),
    }
}
