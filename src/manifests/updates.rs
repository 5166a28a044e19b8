//! How one version of a manifest differs from another.
//!
//! Never says whether the newer may be approved: `approvals` does. Start reading at [`Changes::between`].

use crate::manifests::manifest::{DomainKind, Permission, Tool, View};
use crate::manifests::review;
use crate::manifests::templates::Template;

/// The views of a candidate beside those of the installed version, by name.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// In the candidate's order.
    pub added: Vec<String>,
    /// In the candidate's order.
    pub changed: Vec<Changed>,
    /// In the installed version's order.
    pub removed: Vec<String>,
    /// In the candidate's order.
    pub unchanged: Vec<String>,
}

/// A view that differs.
#[derive(Clone, Debug)]
pub struct Changed {
    /// Its name.
    pub name: String,
    /// The page differs.
    pub html: bool,
    /// A list of domains differs.
    pub csp: bool,
    /// What it asks of the browser differs.
    pub permissions: bool,
    /// Domains that no entry of their kind was before, letter case aside.
    pub new_domains: Vec<(DomainKind, Vec<String>)>,
    /// Permissions that it did not ask for before.
    pub new_permissions: Vec<Permission>,
}

impl Changes {
    /// What became of each view.
    pub fn between(installed: &[View], candidate: &[View]) -> Self {
        let mut changes = Self::default();
        for view in candidate {
            let name = view.name.clone();
            match installed.iter().find(|old| old.name == view.name) {
                None => changes.added.push(name),
                Some(old) => match changed(old, view) {
                    Some(changed) => changes.changed.push(changed),
                    None => changes.unchanged.push(name),
                },
            }
        }
        let is_gone = |old: &&View| !candidate.iter().any(|view| view.name == old.name);
        changes.removed = installed
            .iter()
            .filter(is_gone)
            .map(|old| old.name.clone())
            .collect();
        changes
    }
}

fn changed(old: &View, new: &View) -> Option<Changed> {
    let lists = DomainKind::ALL.map(|kind| (kind, old.domains(kind), new.domains(kind)));
    let asked = |view: &View| view.permissions.clone().unwrap_or_default();
    let (had, has) = (asked(old), asked(new));
    let csp = lists.iter().any(|(_, old, new)| old != new);
    let (html, permissions) = (old.html != new.html, had != has);
    let is_dressed_anew = old.title != new.title || old.prefers_border != new.prefers_border;
    if !(html || csp || permissions || is_dressed_anew) {
        return None;
    }
    let new_domains = lists.into_iter().filter_map(|(kind, old, new)| {
        let is_new = |entry: &&String| !old.iter().any(|had| had.eq_ignore_ascii_case(entry));
        let entries: Vec<String> = new.iter().filter(is_new).cloned().collect();
        (!entries.is_empty()).then_some((kind, entries))
    });
    Some(Changed {
        name: new.name.clone(),
        html,
        csp,
        permissions,
        new_domains: new_domains.collect(),
        new_permissions: has.into_iter().filter(|one| !had.contains(one)).collect(),
    })
}

/// What became of the tools: a phrase each, the news first in it.
pub fn of_tools(installed: &[Tool], candidate: &[Tool]) -> Vec<String> {
    let mut told = Vec::new();
    for tool in candidate {
        let name = &tool.name;
        let Some(old) = installed.iter().find(|old| old.name == *name) else {
            told.push(format!("Added: tool {name}."));
            continue;
        };
        let mut news = Vec::new();
        if old.wraps != tool.wraps {
            news.push(format!("now wraps {} instead of {}", tool.wraps, old.wraps));
        }
        if tool.writes && !old.writes {
            news.push("now writes".to_owned());
        }
        if old.is_app_only() && !tool.is_app_only() {
            news.push("is no longer for views only".to_owned());
        }
        if tool.is_on != old.is_on {
            let now = if tool.is_on { "on" } else { "off" };
            news.push(format!("is switched {now} now"));
        }
        match (&old.view, &tool.view) {
            (Some(before), Some(view)) if before != view => {
                news.push(format!("now shows the view {view} instead of {before}"));
            }
            (None, Some(view)) => news.push(format!("now shows the view {view}")),
            (Some(_), None) => news.push("shows no view any more".to_owned()),
            _ => {}
        }
        if !news.is_empty() {
            told.push(format!("New: tool {name} {}.", news.join(", and ")));
        } else if format!("{old:?}") != format!("{tool:?}") {
            told.push(format!("Changed: tool {name}."));
        }
        told.extend(of_arguments(old, tool));
    }
    let is_gone = |old: &&Tool| !candidate.iter().any(|tool| tool.name == old.name);
    told.extend(
        installed
            .iter()
            .filter(is_gone)
            .map(|old| format!("Removed: tool {}.", old.name)),
    );
    told
}

/// What the wrapped tool is given otherwise than before, the old beside the new.
fn of_arguments(old: &Tool, new: &Tool) -> Vec<String> {
    let had = |name: &str| members(old).iter().find(|(each, _)| each == name);
    let has = |name: &str| members(new).iter().find(|(each, _)| each == name);
    let gone = members(old).iter().filter(|(name, _)| has(name).is_none());
    let mut told = Vec::new();
    for (name, _) in members(new).iter().chain(gone) {
        let (before, now) = (had(name), has(name));
        if format!("{before:?}") == format!("{now:?}") {
            continue;
        }
        let (before, now) = (given(before), given(now));
        let what = match before == now {
            true => "is filled from the call in another way".to_owned(),
            false => format!("is {now} and was {before}"),
        };
        let (tool, name) = (&new.name, review::shown(name));
        told.push(format!("New: tool {tool}'s argument {name} {what}."));
    }
    told
}

fn members(tool: &Tool) -> &[(String, Template)] {
    match &tool.args {
        Template::Object(members) => members,
        _ => &[],
    }
}

fn given(member: Option<&(String, Template)>) -> String {
    match member.map(|(_, template)| template.fixed()) {
        None => "not given".to_owned(),
        Some(Some(value)) => format!("always {}", review::fixed(&value)),
        Some(None) => "filled from the call".to_owned(),
    }
}
