//! The document of a manifest: its sizes, its sections, who it is, its views.
//!
//! Never looks into tools: `tools_section` does. Start reading at [`read`].

use crate::manifests::domains;
use crate::manifests::fields::Fields;
use crate::manifests::findings::{Code, Findings, Place, quoted};
use crate::manifests::json::{Json, quoted_bytes};
use crate::manifests::manifest::{App, DomainKind, Manifest, Permission, View};
use crate::manifests::names;
use crate::manifests::table::Table;
use crate::manifests::tools_section;
use std::collections::HashSet;
use std::net::Ipv4Addr;

/// The largest manifest, as compact JSON.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;
/// The same without its pages.
const MAX_BYTES_BESIDE_PAGES: usize = 1024 * 1024;
/// The most views.
const MAX_VIEWS: usize = 8;
/// The largest page.
const MAX_PAGE_BYTES: usize = 512 * 1024;
/// All pages together.
const MAX_PAGES_BYTES: usize = 1024 * 1024;
/// The most entries of one list of domains.
const MAX_DOMAINS: usize = 32;
/// The longest title.
const MAX_TITLE_CHARS: usize = 120;
/// The most members of an object whose names are compared one with the other.
const SMALL: usize = 8;

const SECTIONS: &[&str] = &[
    "manifest",
    "app",
    "ui",
    "tools",
    "objects",
    "actions",
    "base_tools",
    "builtin_tools",
    "analysis",
    "access",
    "instructions",
    "skill",
];

/// Sections that configure something that bb does not have.
const FOREIGN: &[&str] = &[
    "objects",
    "actions",
    "base_tools",
    "builtin_tools",
    "analysis",
    "access",
    "instructions",
    "skill",
];

/// Reads a document. What is gathered may be unsound where there are problems.
pub fn read(bytes: &[u8], table: &Table, findings: &mut Findings) -> Option<Manifest> {
    let top = &Place::TOP;
    let mut document = match Json::read(bytes) {
        Ok(document) => document,
        Err(error) => {
            findings.add(
                top,
                Code::NotJson,
                format!("it is not JSON that can be read: {error}"),
            );
            return None;
        }
    };
    if !has_room(&document, findings) {
        return None;
    }
    no_repeats(&document, top, findings);
    let mut manifest = gather(&document, table, findings)?;
    if findings.problems.is_empty() {
        give(&mut manifest, &mut document);
    }
    Some(manifest)
}

/// What is long moves from the document into the manifest, which has a view and a tool for each that stands there.
fn give(manifest: &mut Manifest, document: &mut Json) {
    let mut elements = |name| match document.take(name) {
        Some(Json::List(list)) => list,
        _ => Vec::new(),
    };
    for (view, mut read) in manifest.views.iter_mut().zip(elements("ui")) {
        if let Some(Json::Text(html)) = read.take("html") {
            view.html = html;
        }
    }
    for (tool, mut read) in manifest.tools.iter_mut().zip(elements("tools")) {
        tool.input_schema = read.take("inputSchema").unwrap_or(Json::Null);
        tool.output_schema = read.take("outputSchema");
    }
}

/// All of a document but what [`give`] moves.
fn gather(document: &Json, table: &Table, findings: &mut Findings) -> Option<Manifest> {
    let top = &Place::TOP;
    let fields = Fields::of(document, top, SECTIONS, findings)?;
    if fields
        .required("manifest", findings)
        .is_some_and(|format| format.number() != Some(1.0))
    {
        let why = "expected the number 1, the only format there is";
        findings.add(&top.member("manifest"), Code::WrongType, why);
    }
    for name in FOREIGN {
        foreign(name, fields.get(name), findings);
    }
    let app = fields
        .required("app", findings)
        .and_then(|app| read_app(app, findings));
    let views = views(&fields, table, findings);
    let tools = match (&app, fields.get("tools")) {
        (_, None | Some(Json::Null)) => Some(Vec::new()),
        // Their names depend on it.
        (None, _) => None,
        (Some(app), _) => Some(tools_section::read(
            &fields, &app.id, &views, table, findings,
        )),
    };
    Some(Manifest {
        app: app?,
        views,
        tools: tools?,
    })
}

fn has_room(document: &Json, findings: &mut Findings) -> bool {
    let whole = document.compact_bytes();
    let pages = document.get("ui").and_then(Json::list).unwrap_or_default();
    let pages = pages.iter().filter_map(|view| view.get("html")?.text());
    let beside = whole.saturating_sub(pages.map(quoted_bytes).sum());
    let why = if whole > MAX_BYTES {
        format!(
            "as compact JSON it has {whole} bytes, over {MAX_BYTES}; load libraries from a declared domain"
        )
    } else if beside > MAX_BYTES_BESIDE_PAGES {
        format!("beside its pages it has {beside} bytes, over {MAX_BYTES_BESIDE_PAGES}")
    } else {
        return true;
    };
    findings.add(&Place::TOP, Code::TooLarge, why);
    false
}

/// Two readers could take either of two members of one name.
fn no_repeats(value: &Json, place: &Place, findings: &mut Findings) {
    match value {
        Json::List(list) => {
            for (i, value) in list.iter().enumerate() {
                no_repeats(value, &place.at(i), findings);
            }
        }
        Json::Object(members) => {
            let mut seen = HashSet::new();
            for (i, (name, value)) in members.iter().enumerate() {
                let place = place.member(name);
                // Nearly every object is small, and there are thousands of them.
                let is_repeated = match members.len() {
                    0..=SMALL => members[..i].iter().any(|(before, _)| before == name),
                    _ => !seen.insert(name),
                };
                if is_repeated {
                    let why = format!("{} comes twice in one object", quoted(name));
                    findings.add(&place, Code::RepeatedName, why);
                }
                no_repeats(value, &place, findings);
            }
        }
        _ => {}
    }
}

fn foreign(name: &str, value: Option<&Json>, findings: &mut Findings) {
    let may_be_empty = ["objects", "actions", "base_tools"].contains(&name);
    let is_nothing = match value {
        None => true,
        Some(Json::Null) => may_be_empty,
        Some(Json::List(list)) => may_be_empty && list.is_empty(),
        Some(_) => false,
    };
    if !is_nothing {
        let why = format!("`{name}` needs a Wire container, which bb does not have; leave it out");
        findings.add(&Place::TOP.member(name), Code::Unsupported, why);
    }
}

fn read_app(app: &Json, findings: &mut Findings) -> Option<App> {
    let top = Place::TOP;
    let place = &top.member("app");
    let fields = Fields::of(
        app,
        place,
        &["id", "name", "version", "privacy_policy_url"],
        findings,
    )?;
    let id = fields.required_text("id", findings).filter(|id| {
        let place = place.member("id");
        let is_sound = names::is_app_id(id);
        if !is_sound {
            let why = format!(
                "{} is no id: a lowercase letter, then lowercase letters, digits and underscores, at most 32 in all",
                quoted(id)
            );
            findings.add(&place, Code::BadName, why);
        } else if names::is_reserved_id(id) {
            findings.add(&place, Code::Reserved, format!("{} is kept for bb", quoted(id)));
        }
        is_sound && !names::is_reserved_id(id)
    });
    let name = fields.required_words("name", 200, findings);
    let version = fields.required_text("version", findings);
    if let Some(version) = version.filter(|version| !names::is_version(version)) {
        let why = format!(
            "{} is no version: a letter or digit, then letters, digits and `.` `+` `_` `-`, at most 64 in all",
            quoted(version)
        );
        findings.add(&place.member("version"), Code::BadName, why);
    }
    let privacy = fields.text("privacy_policy_url", findings);
    if privacy.is_some_and(|url| !is_public_address(url)) {
        let why = "expected an https address on a public host, without user or fragment";
        findings.add(&place.member("privacy_policy_url"), Code::BadAddress, why);
    }
    // With the id alone the tools can be checked; the rest was told of.
    Some(App {
        id: id?.to_owned(),
        name: name.unwrap_or_default().to_owned(),
        version: version.unwrap_or_default().to_owned(),
        privacy_policy_url: privacy.map(str::to_owned),
    })
}

fn is_public_address(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else {
        return false;
    };
    let authority = rest.split(['/', '?']).next().unwrap_or(rest);
    let host = authority.split(':').next().unwrap_or(authority);
    let is_public = match host.parse::<Ipv4Addr>() {
        Ok(address) => {
            !(address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_unspecified())
        }
        Err(_) => domains::host_refusal(host).is_none(),
    };
    is_public
        && !url.contains(|c: char| c == '#' || c == '\\' || c.is_whitespace())
        && !authority.contains('@')
}

fn views(fields: &Fields, table: &Table, findings: &mut Findings) -> Vec<View> {
    let top = Place::TOP;
    let place = &top.member("ui");
    let list = fields.list("ui", MAX_VIEWS, findings).unwrap_or_default();
    let mut views: Vec<View> = Vec::new();
    let mut bytes = 0;
    for (i, value) in list.iter().enumerate() {
        let place = &place.at(i);
        bytes += value.get("html").and_then(Json::text).map_or(0, str::len);
        let Some(view) = view(value, place, table, findings) else {
            continue;
        };
        if views.iter().any(|other| other.name == view.name) {
            let why = format!("there is a view {} already", quoted(&view.name));
            findings.add(&place.member("name"), Code::Duplicate, why);
        }
        views.push(view);
    }
    if bytes > MAX_PAGES_BYTES {
        let why = format!(
            "its pages together have {bytes} bytes, over {MAX_PAGES_BYTES}; load libraries from a declared domain"
        );
        findings.add(place, Code::TooLarge, why);
    }
    views
}

fn view(value: &Json, place: &Place, table: &Table, findings: &mut Findings) -> Option<View> {
    let known = [
        "name",
        "title",
        "html",
        "csp",
        "permissions",
        "prefersBorder",
    ];
    let fields = Fields::of(value, place, &known, findings)?;
    let name = fields.required_text("name", findings);
    if let Some(name) = name.filter(|name| !names::is_view_name(name)) {
        let why = format!(
            "{} is no view's name: lowercase letters and digits, joined by single hyphens, at most 64",
            quoted(name)
        );
        findings.add(&place.member("name"), Code::BadName, why);
    }
    let html = fields.required_text("html", findings);
    if let Some(html) = html {
        let place = place.member("html");
        if html.len() > MAX_PAGE_BYTES {
            let why = format!(
                "the page has {} bytes, over {MAX_PAGE_BYTES}; load libraries from a declared domain",
                html.len()
            );
            findings.add(&place, Code::TooLarge, why);
        } else if names::is_blank(html) || !html.contains('<') {
            findings.add(
                &place,
                Code::NotAPage,
                "expected a page: there is no tag in it",
            );
        } else if html.contains('\0') {
            findings.add(&place, Code::NotAPage, "a page has no NUL character in it");
        }
    }
    let title = fields.words("title", MAX_TITLE_CHARS, findings);
    let csp = fields.get("csp").map(|csp| {
        let place = place.member("csp");
        csp_lists(csp, &place, table, findings)
    });
    let permissions = fields.get("permissions").map(|asked| {
        let place = place.member("permissions");
        permissions(asked, &place, findings)
    });
    Some(View {
        // Still a name that a tool can mean, whatever else is wrong with the view.
        name: name?.to_owned(),
        title: title.map(str::to_owned),
        html: String::new(),
        csp,
        permissions,
        prefers_border: fields.flag("prefersBorder", findings),
    })
}

fn csp_lists(
    csp: &Json,
    place: &Place,
    table: &Table,
    findings: &mut Findings,
) -> Vec<(DomainKind, Vec<String>)> {
    let known = DomainKind::ALL.map(DomainKind::name);
    let Some(fields) = Fields::of(csp, place, &known, findings) else {
        return Vec::new();
    };
    let mut lists = Vec::new();
    for kind in DomainKind::ALL {
        let place = &place.member(kind.name());
        let Some(list) = fields.list(kind.name(), MAX_DOMAINS, findings) else {
            continue;
        };
        let mut entries: Vec<String> = Vec::new();
        let mut folded = HashSet::new();
        for (i, entry) in list.iter().enumerate() {
            let place = &place.at(i);
            let Some(entry) = entry.text() else {
                findings.add(
                    place,
                    Code::WrongType,
                    format!("expected a text, found {}", entry.sort()),
                );
                continue;
            };
            if let Some(why) = domains::refusal(entry) {
                findings.add(
                    place,
                    Code::BadDomain,
                    format!("{} cannot be declared: {why}", quoted(entry)),
                );
            } else if table.hosts.iter().any(|host| domains::reaches(entry, host)) {
                let why = format!(
                    "{} reaches the Bitbucket that bb serves, which no view may",
                    quoted(entry)
                );
                findings.add(place, Code::ReservedHost, why);
            } else if !folded.insert(entry.to_ascii_lowercase()) {
                findings.add(
                    place,
                    Code::Duplicate,
                    format!("{} is in this list already", quoted(entry)),
                );
            } else {
                if entry.contains('*') {
                    let why = format!(
                        "{} lets every host under it in; name the ones that are needed",
                        quoted(entry)
                    );
                    findings.warn(place, Code::Wildcard, why);
                }
                let why = format!(
                    "the client's page must reach {} by itself: bb fetches nothing for a view",
                    quoted(entry)
                );
                findings.warn(place, Code::ReachedByClient, why);
                entries.push(entry.to_owned());
            }
        }
        lists.push((kind, entries));
    }
    lists
}

fn permissions(asked: &Json, place: &Place, findings: &mut Findings) -> Vec<Permission> {
    let known = Permission::ALL.map(Permission::name);
    let Some(fields) = Fields::of(asked, place, &known, findings) else {
        return Vec::new();
    };
    let mut permissions = Vec::new();
    for permission in Permission::ALL {
        match fields.get(permission.name()) {
            None => {}
            Some(Json::Object(members)) if members.is_empty() => permissions.push(permission),
            Some(_) => {
                let why = "a permission is asked for with an empty object, `{}`";
                findings.add(&place.member(permission.name()), Code::WrongType, why);
            }
        }
    }
    permissions
}
