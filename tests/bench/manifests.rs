//! How long `bb ai mcp manifest check` takes on the largest manifest there may be, from its start to its end.
//!
//! Start at [`check`]. The manifest is sound: one with findings would end sooner.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use crate::reading::{Missing, Reading, Unit, median, ms};
use crate::server::bare;
use crate::subject::Subject;

/// How often it is checked.
const CHECKS: usize = 21;
/// The most that a manifest may be, as compact JSON.
const MOST: usize = 2 * 1024 * 1024;
/// What a tool's definition is filled up to; its bound is 64 KiB.
const TOOL: usize = 62 * 1024;
/// Leaves less than a tool of the mebibyte beside the pages.
const TOOLS: usize = 16;
/// The most references that a tool may have, but for those of its arguments.
const REFERENCES: usize = 120;

/// Two pages of half a mebibyte, and a mebibyte of tools: properties by the thousand, references as many as may be.
pub fn check(subject: &Subject) -> Result<Reading, Missing> {
    let told = |error: std::io::Error| Missing(format!("it cannot be checked: {error}"));
    let text = largest();
    let file = File::write(&text).map_err(told)?;
    let mut times = Vec::new();
    for _ in 0..CHECKS {
        let started = Instant::now();
        let output = bare(Command::new(&subject.path).args(["ai", "mcp", "manifest", "check"]))
            .arg(&file.0)
            .output()
            .map_err(told)?;
        times.push(started.elapsed());
        if !output.status.success() {
            return Err(Missing("the largest manifest is not sound".to_owned()));
        }
    }
    let detail = format!("{} bytes, {TOOLS} tools", text.len());
    Ok(Reading::new(Unit::Ms, ms(median(times)), 50.0, detail))
}

fn largest() -> String {
    let page =
        |name: &str| json!({"name": name, "html": format!("<{}", "x".repeat(512 * 1024 - 1))});
    let tools: Vec<Value> = (0..TOOLS).map(tool).collect();
    let mut manifest = json!({
        "manifest": 1,
        "app": {"id": "bench", "name": "Bench", "version": "1"},
        "ui": [page("a"), page("b")],
        "tools": tools,
    });
    // What is left goes into small tools' descriptions.
    for at in 0.. {
        let left = MOST.saturating_sub(manifest.to_string().len());
        let mut more = small(at, 1);
        let chars = left.saturating_sub(more.to_string().len() + 1).min(7_999);
        if chars == 0 {
            break;
        }
        more = small(at, 1 + chars);
        if let Some(tools) = manifest["tools"].as_array_mut() {
            tools.push(more);
        }
    }
    manifest.to_string()
}

fn tool(at: usize) -> Value {
    let mut properties = json!({"project": {"type": "string"}, "repo": {"type": "string"}});
    let references: Vec<String> = (0..REFERENCES)
        .map(|n| format!("{{{{input.property_{n:05}}}}}"))
        .collect();
    let mut tool = json!({
        "name": format!("tool_{at:02}"),
        "description": "Lists what is open.",
        "inputSchema": {"type": "object", "properties": {}, "required": ["project", "repo"]},
        "tool": {"name": "list_pull_requests", "args":
            {"project": "{{input.project}}", "repo": "{{input.repo}}", "state": "OPEN"}},
        "result": {"pull_requests": "{{tool.pull_requests}}", "more": references},
        "ui": {"resource": "a"},
    });
    let one = json!({"type": ["string", "null"], "minLength": 1, "default": "d"});
    let each = one.to_string().len() + "\"property_00000\":,".len();
    let count = (TOOL - tool.to_string().len()) / each;
    for n in 0..count {
        properties[format!("property_{n:05}")] = one.clone();
    }
    tool["inputSchema"]["properties"] = properties;
    tool
}

fn small(at: usize, chars: usize) -> Value {
    json!({
        "name": format!("small_{at:02}"),
        "description": "d".repeat(chars),
        "inputSchema": {"type": "object"},
        "tool": {"name": "list_pull_requests"},
    })
}

/// A file that is gone when dropped.
struct File(PathBuf);

impl File {
    fn write(text: &str) -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("bb-bench-{}.json", std::process::id()));
        fs::write(&path, text)?;
        Ok(Self(path))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // The system's own folder is swept by others.
        let _ = fs::remove_file(&self.0);
    }
}
