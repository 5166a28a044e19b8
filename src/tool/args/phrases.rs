//! Phrases that refuse arguments.
//!
//! Never repeats a long value. Start reading at [`described`].

use super::Arg;
use serde_json::Value;

/// The phrase for an argument that a tool does not take.
pub(super) fn unknown(name: &str, known: &[&Arg]) -> String {
    let names: Vec<&str> = known.iter().map(|arg| arg.name).collect();
    let name = crate::clean::line(name, 60);
    if names.is_empty() {
        format!("`{name}` is unknown: this tool takes no arguments")
    } else {
        format!("`{name}` is unknown: accepted are {}", names.join(", "))
    }
}

/// A value as a phrase may quote it.
pub(super) fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if text.chars().count() > 60 => {
            format!("a text of {} characters", text.chars().count())
        }
        Value::String(text) => format!("\"{}\"", crate::clean::line(text, 60)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}
