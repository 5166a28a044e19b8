//! What a person reads before they decide: what a manifest is, shows, reaches and calls.
//!
//! Never renders or runs anything. What the author wrote stands in quotes or behind a bar, cleaned, so that it cannot
//! pass for a line of bb's. Start reading at [`Review::text`].

use crate::clean;
use crate::digest::Digest;
use crate::manifests::approvals::Standing;
use crate::manifests::json::Json;
use crate::manifests::manifest::{DomainKind, Manifest, Tool, View};
use crate::manifests::templates::Template;
use crate::manifests::updates::{self, Changes};
use crate::manifests::uris;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The longest text of the author's that is printed.
const MAX_TEXT_CHARS: usize = 10_000;

/// A manifest, and what is known of it besides.
pub struct Review<'a> {
    /// What is reviewed.
    pub manifest: &'a Manifest,
    /// The digest of its exact bytes.
    pub digest: Digest,
    /// Where it came from.
    pub source: &'a str,
    /// How it stands to what is approved.
    pub standing: &'a Standing,
    /// The approved version, where there is one that can be read.
    pub installed: Option<&'a Manifest>,
}

/// A text of the author's on one line: in quotes, with nothing in it that a terminal obeys.
pub fn shown(text: &str) -> String {
    format!(
        "\"{}\"",
        bare(&clean::line(text, MAX_TEXT_CHARS)).replace('"', "'")
    )
}

/// A value of the author's on one line: a text in quotes, as it is.
pub(super) fn fixed(value: &Json) -> String {
    match value {
        Json::Text(text) => shown(text),
        Json::List(_) | Json::Object(_) => shown(&value.compact()),
        plain => plain.compact(),
    }
}

/// A text of the author's on lines of its own, each behind a bar.
fn barred(text: &str, indent: &str) -> String {
    let text = clean::text(text, usize::MAX);
    text.lines()
        .map(|line| format!("{indent}| {}\n", bare(line)))
        .collect()
}

/// Joiners, and a mark with nothing to stand on, escaped too.
fn bare(text: &str) -> String {
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        let is_mark = matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
        if matches!(c, '\u{200b}'..='\u{200f}') || (i == 0 && is_mark) {
            // A text in memory can always be written to.
            let _ = write!(out, "<U+{:04X}>", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// A host, with a note where its letters stand for others.
fn host(entry: &str) -> String {
    match entry.to_ascii_lowercase().contains("xn--") {
        true => format!("{entry} (xn-- stands for other letters)"),
        false => entry.to_owned(),
    }
}

/// The page of one view, or of each, as text.
pub fn source(manifest: &Manifest, view: Option<&str>) -> Option<String> {
    let mut out = String::new();
    let wanted = |each: &&View| view.is_none_or(|name| name == each.name);
    for view in manifest.views.iter().filter(wanted) {
        let _ = writeln!(out, "View {}: {} bytes", view.name, view.html.len());
        out.push_str(&barred(&view.html, ""));
    }
    (!out.is_empty() || view.is_none()).then_some(out)
}

impl Review<'_> {
    /// For a person.
    pub fn text(&self) -> String {
        let app = &self.manifest.app;
        let mut out = String::new();
        let _ = writeln!(
            out,
            "Manifest {}: {}, version {}",
            app.id,
            shown(&app.name),
            app.version
        );
        let _ = writeln!(out, "From     {}", shown(self.source));
        let _ = writeln!(out, "SHA-256  {}", self.digest);
        let _ = writeln!(out, "Standing {}", self.standing);
        if let Some(url) = &app.privacy_policy_url {
            let _ = writeln!(out, "Privacy  {}", shown(url));
        }
        if let Some(installed) = self.installed {
            out.push_str("\nWhat changes\n");
            for line in self.changes(installed) {
                let _ = writeln!(out, "  {line}");
            }
        }
        if let (Standing::Update { .. }, None) = (self.standing, self.installed) {
            out.push_str(
                "\nWhat changes is not known: the approved version cannot be read. All of this is as if new.\n",
            );
        }
        out.push_str("\nViews\n");
        if self.manifest.views.is_empty() {
            out.push_str("  None.\n");
        }
        for view in &self.manifest.views {
            self.view(view, &mut out);
        }
        let app_only: Vec<&str> = self
            .tools()
            .filter(|tool| tool.is_app_only())
            .map(|tool| tool.name.as_str())
            .collect();
        if !app_only.is_empty() {
            let _ = writeln!(
                out,
                "\nTools that only views may call: {}",
                app_only.join(", ")
            );
        }
        out.push_str("\nTools\n");
        if self.manifest.tools.is_empty() {
            out.push_str("  None.\n");
        }
        for tool in &self.manifest.tools {
            describe(tool, &mut out);
        }
        if !self.manifest.views.is_empty() {
            let callable = self.tools().filter(|tool| tool.is_for_views());
            let callable: Vec<String> = callable
                .map(|tool| match tool.writes {
                    true => format!("{} (writes)", tool.name),
                    false => tool.name.clone(),
                })
                .collect();
            let callable = match callable.is_empty() {
                true => "no tool".to_owned(),
                false => callable.join(", "),
            };
            let _ = writeln!(
                out,
                "\nIts views can call: {callable}. Nothing else of bb's."
            );
        }
        out
    }

    fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.manifest.tools.iter().filter(|tool| tool.is_on)
    }

    fn view(&self, view: &View, out: &mut String) {
        let title = view.title.as_deref().unwrap_or(&view.name);
        let _ = writeln!(
            out,
            "  {} ({}), {} bytes",
            shown(title),
            view.name,
            view.html.len()
        );
        let shows = self
            .manifest
            .tools
            .iter()
            .filter(|tool| tool.view.as_deref() == Some(&view.name));
        let shows: Vec<&str> = shows.map(|tool| tool.name.as_str()).collect();
        let _ = match shows.as_slice() {
            [] => writeln!(out, "    No tool shows it."),
            names => writeln!(out, "    Shown by: {}", names.join(", ")),
        };
        for kind in DomainKind::ALL {
            let entries = view.domains(kind);
            if !entries.is_empty() {
                let entries: Vec<String> = entries.iter().map(|entry| host(entry)).collect();
                let _ = writeln!(out, "    It can {} {}", kind.words(), entries.join(", "));
            } else if kind == DomainKind::Connect {
                out.push_str("    Sends nothing anywhere.\n");
            }
        }
        for permission in view.permissions.as_deref().unwrap_or_default() {
            let _ = writeln!(out, "    It asks to {}", permission.words());
        }
    }

    /// A line each: the views that came, changed and went, each new domain and permission, then the tools.
    fn changes(&self, installed: &Manifest) -> Vec<String> {
        let changes = Changes::between(&installed.views, &self.manifest.views);
        let title = |name: &str| {
            let view = self.manifest.views.iter().find(|view| view.name == name);
            shown(view.and_then(|view| view.title.as_deref()).unwrap_or(name))
        };
        let mut lines: Vec<String> = Vec::new();
        lines.extend(
            changes
                .added
                .iter()
                .map(|name| format!("Added: view {name}.")),
        );
        for changed in &changes.changed {
            let (name, title) = (&changed.name, title(&changed.name));
            lines.push(format!("Changed: view {name}."));
            for (kind, entries) in &changed.new_domains {
                lines.extend(entries.iter().map(|entry| {
                    format!(
                        "New: the {title} ({name}) view {} {}.",
                        kind.news(),
                        host(entry)
                    )
                }));
            }
            lines.extend(changed.new_permissions.iter().map(|permission| {
                format!(
                    "New: the {title} ({name}) view can now {}.",
                    permission.words()
                )
            }));
        }
        lines.extend(
            changes
                .removed
                .iter()
                .map(|name| format!("Removed: view {name}.")),
        );
        lines.extend(updates::of_tools(&installed.tools, &self.manifest.tools));
        if lines.is_empty() {
            lines.push("No view and no tool.".to_owned());
        }
        lines
    }

    /// For a program: the same facts.
    pub fn json(&self) -> Value {
        let app = &self.manifest.app;
        let views = self.manifest.views.iter().map(|view| {
            let shows = self.manifest.tools.iter().filter(|tool| tool.view.as_deref() == Some(&view.name));
            let domains = DomainKind::ALL.map(|kind| (kind.name().to_owned(), json!(view.domains(kind))));
            json!({
                "name": view.name,
                "title": view.title,
                "bytes": view.html.len(),
                "uri": uris::of(&app.id, &view.name, &view.html),
                "tools": shows.map(|tool| &tool.name).collect::<Vec<_>>(),
                "domains": Value::Object(domains.into_iter().collect()),
                "permissions": view.permissions.iter().flatten().map(|one| one.name()).collect::<Vec<_>>(),
            })
        });
        let tools = self.manifest.tools.iter().map(|tool| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "wraps": tool.wraps,
                "reads": !tool.writes,
                "destroys": tool.writes && tool.hints.destructive,
                "app_only": tool.is_app_only(),
                "view": tool.view,
                "on": tool.is_on,
            })
        });
        json!({
            "app": {"id": app.id, "name": app.name, "version": app.version, "privacy_policy_url": app.privacy_policy_url},
            "source": self.source,
            "sha256": self.digest.to_string(),
            "standing": self.standing.name(),
            "views": views.collect::<Vec<_>>(),
            "tools": tools.collect::<Vec<_>>(),
            "changes": self.installed.map(|installed| self.changes(installed)),
        })
    }
}

fn describe(tool: &Tool, out: &mut String) {
    let does = match (tool.writes, tool.hints.destructive) {
        (false, _) => "reads",
        (true, false) => "WRITES",
        (true, true) => "WRITES, and may destroy",
    };
    let off = if tool.is_on {
        ""
    } else {
        ", switched off by its author"
    };
    let _ = writeln!(out, "  {} wraps {}: it {does}{off}", tool.name, tool.wraps);
    out.push_str(&barred(&tool.description, "    "));
    if let Template::Object(members) = &tool.args {
        for (name, template) in members {
            let _ = match template.fixed() {
                Some(value) => writeln!(out, "    {} is always {}", shown(name), fixed(&value)),
                None => writeln!(out, "    {} is filled from the call", shown(name)),
            };
        }
    }
    let Some(Template::Object(members)) = &tool.result else {
        let _ = writeln!(out, "    The model gets all that {} answers.", tool.wraps);
        return;
    };
    let names = |is_meta: bool| -> Vec<String> {
        let members =
            members
                .iter()
                .filter_map(|(name, template)| match (name.as_str(), template) {
                    ("_meta", Template::Object(inner)) if is_meta => {
                        Some(inner.iter().map(|(name, _)| shown(name)).collect())
                    }
                    ("_meta", _) => None,
                    _ if is_meta => None,
                    _ => Some(vec![shown(name)]),
                });
        let members: Vec<Vec<String>> = members.collect();
        members.concat()
    };
    for (who, names) in [
        ("The model gets", names(false)),
        ("Only the view gets", names(true)),
    ] {
        if !names.is_empty() {
            let _ = writeln!(out, "    {who} {}", names.join(", "));
        }
    }
}
