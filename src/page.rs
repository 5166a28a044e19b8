//! The one document that draws every view: `view/` joined, the same for everyone.
//!
//! Never holds anything of Bitbucket's, and never reads a file while it runs. Start reading at [`document`];
//! [`SCRIPTS`] is the order in which the modules stand, and so who may import whom.

use std::sync::OnceLock;

mod short;
mod tight;

/// Where a host finds the page.
pub const ADDRESS: &str = "ui://bb/view";

/// What the page's resource is.
pub const MIME_TYPE: &str = "text/html;profile=mcp-app";

/// The most that the document may weigh, for all kinds (contract 4.4).
pub const MAX_DOCUMENT_BYTES: usize = 120 * 1024;

const SHELL: &str = include_str!("../view/page.html");
const STYLES_GO_HERE: &str = "/*styles*/";
const SCRIPTS_GO_HERE: &str = "/*scripts*/";

/// The style sheets, name and text: tokens first, what one kind alone has last.
pub const STYLES: &[(&str, &str)] = &[
    ("tokens.css", include_str!("../view/styles/tokens.css")),
    ("base.css", include_str!("../view/styles/base.css")),
    ("parts.css", include_str!("../view/styles/parts.css")),
    ("diff.css", include_str!("../view/styles/diff.css")),
    ("code.css", include_str!("../view/styles/code.css")),
    ("list.css", include_str!("../view/styles/list.css")),
    ("kinds.css", include_str!("../view/styles/kinds.css")),
    ("form.css", include_str!("../view/styles/form.css")),
];

/// The modules, name and text. Each may import from those above it alone.
pub const SCRIPTS: &[(&str, &str)] = &[
    ("el.js", include_str!("../view/el.js")),
    ("words.js", include_str!("../view/words.js")),
    ("icons.js", include_str!("../view/icons.js")),
    ("time.js", include_str!("../view/time.js")),
    ("parts.js", include_str!("../view/parts.js")),
    ("regions.js", include_str!("../view/regions.js")),
    ("desk.js", include_str!("../view/desk.js")),
    ("deeds.js", include_str!("../view/deeds.js")),
    ("combobox.js", include_str!("../view/combobox.js")),
    ("spots.js", include_str!("../view/spots.js")),
    ("markdown.js", include_str!("../view/markdown.js")),
    ("list.js", include_str!("../view/list.js")),
    ("paint.js", include_str!("../view/paint.js")),
    ("threads.js", include_str!("../view/threads.js")),
    ("diff_rows.js", include_str!("../view/diff_rows.js")),
    ("diff.js", include_str!("../view/diff.js")),
    ("result.js", include_str!("../view/result.js")),
    ("states.js", include_str!("../view/states.js")),
    ("surround.js", include_str!("../view/surround.js")),
    (
        "kinds/pull_request_room.js",
        include_str!("../view/kinds/pull_request_room.js"),
    ),
    (
        "kinds/pull_request_told.js",
        include_str!("../view/kinds/pull_request_told.js"),
    ),
    (
        "kinds/pull_request_sections.js",
        include_str!("../view/kinds/pull_request_sections.js"),
    ),
    (
        "kinds/pull_request_deeds.js",
        include_str!("../view/kinds/pull_request_deeds.js"),
    ),
    (
        "kinds/pull_request_activity.js",
        include_str!("../view/kinds/pull_request_activity.js"),
    ),
    (
        "kinds/pull_request.js",
        include_str!("../view/kinds/pull_request.js"),
    ),
    (
        "kinds/diff_files.js",
        include_str!("../view/kinds/diff_files.js"),
    ),
    (
        "kinds/diff_told.js",
        include_str!("../view/kinds/diff_told.js"),
    ),
    (
        "kinds/diff_writing.js",
        include_str!("../view/kinds/diff_writing.js"),
    ),
    ("kinds/diff.js", include_str!("../view/kinds/diff.js")),
    (
        "kinds/pull_requests.js",
        include_str!("../view/kinds/pull_requests.js"),
    ),
    ("kinds/commits.js", include_str!("../view/kinds/commits.js")),
    ("kinds/builds.js", include_str!("../view/kinds/builds.js")),
    (
        "kinds/create_pull_request.js",
        include_str!("../view/kinds/create_pull_request.js"),
    ),
    ("host.js", include_str!("../view/host.js")),
    ("frame.js", include_str!("../view/frame.js")),
    ("poller.js", include_str!("../view/poller.js")),
    ("telling.js", include_str!("../view/telling.js")),
    ("suggest.js", include_str!("../view/suggest.js")),
    ("trail.js", include_str!("../view/trail.js")),
    ("alone.js", include_str!("../view/alone.js")),
    ("main.js", include_str!("../view/main.js")),
];

/// The page as one HTML document, in UTF-8, at most [`MAX_DOCUMENT_BYTES`]. Built at its first use.
pub fn document() -> &'static str {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        let styles: String = STYLES.iter().map(|(_, text)| trimmed(text)).collect();
        let scripts: String = SCRIPTS.iter().map(|(_, text)| joined(text)).collect();
        SHELL
            .replacen(STYLES_GO_HERE, &tight::styles(&styles), 1)
            .replacen(SCRIPTS_GO_HERE, &tight::script(&scripts), 1)
    })
}

/// A style sheet without comments that fill a line.
fn trimmed(styles: &str) -> String {
    let lines = styles
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("/*"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A module as it stands in the one joined module: without its imports, indentation, comments that fill a line,
/// and `export`. No text in a module spans lines (a test holds it), so indentation is never part of one.
fn joined(module: &str) -> String {
    let mut text = String::with_capacity(module.len());
    let mut in_import = false;
    let mut in_comment = false;
    for line in module.lines() {
        let start = line.trim_start();
        if in_import || line.starts_with("import ") {
            in_import = !line.ends_with(';');
            continue;
        }
        if in_comment || start.starts_with("/**") {
            in_comment = !line.contains("*/");
            continue;
        }
        if start.is_empty() || start.starts_with("//") {
            continue;
        }
        text.push_str(start.strip_prefix("export ").unwrap_or(start));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests;
