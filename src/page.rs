//! The one document that draws every view: `view/` joined, the same for everyone.
//!
//! Never holds anything of Bitbucket's, and never reads a file while it runs. Start reading at [`document`];
//! [`SCRIPTS`] is the order in which the modules stand, and so who may import whom.

use std::sync::OnceLock;

mod short;
#[cfg_attr(test, allow(dead_code))]
mod spare;
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

/// A source of the page: whole in bb's own tests, which hold what it says; elsewhere what a browser needs of it.
macro_rules! source {
    ($path:literal) => {{
        #[cfg(test)]
        {
            include_str!($path)
        }
        #[cfg(not(test))]
        {
            const TEXT: &[u8] = include_bytes!($path);
            const SPARE: [u8; spare::length(TEXT)] = spare::of(TEXT);
            match std::str::from_utf8(&SPARE) {
                Ok(text) => text,
                // A line is left out whole, so nothing else can come of text.
                Err(_) => "",
            }
        }
    }};
}

/// The style sheets, name and text: tokens first, what one kind alone has last.
pub const STYLES: &[(&str, &str)] = &[
    ("tokens.css", source!("../view/styles/tokens.css")),
    ("base.css", source!("../view/styles/base.css")),
    ("parts.css", source!("../view/styles/parts.css")),
    ("diff.css", source!("../view/styles/diff.css")),
    ("code.css", source!("../view/styles/code.css")),
    ("list.css", source!("../view/styles/list.css")),
    ("kinds.css", source!("../view/styles/kinds.css")),
    ("form.css", source!("../view/styles/form.css")),
];

/// The modules, name and text. Each may import from those above it alone.
pub const SCRIPTS: &[(&str, &str)] = &[
    ("el.js", source!("../view/el.js")),
    ("words.js", source!("../view/words.js")),
    ("icons.js", source!("../view/icons.js")),
    ("time.js", source!("../view/time.js")),
    ("parts.js", source!("../view/parts.js")),
    ("regions.js", source!("../view/regions.js")),
    ("desk.js", source!("../view/desk.js")),
    ("deeds.js", source!("../view/deeds.js")),
    ("combobox.js", source!("../view/combobox.js")),
    ("spots.js", source!("../view/spots.js")),
    ("diff_rows.js", source!("../view/diff_rows.js")),
    ("code.js", source!("../view/code.js")),
    ("markdown.js", source!("../view/markdown.js")),
    ("list.js", source!("../view/list.js")),
    ("paint.js", source!("../view/paint.js")),
    ("threads.js", source!("../view/threads.js")),
    ("diff.js", source!("../view/diff.js")),
    ("result.js", source!("../view/result.js")),
    ("states.js", source!("../view/states.js")),
    ("surround.js", source!("../view/surround.js")),
    (
        "kinds/pull_request_room.js",
        source!("../view/kinds/pull_request_room.js"),
    ),
    (
        "kinds/pull_request_told.js",
        source!("../view/kinds/pull_request_told.js"),
    ),
    (
        "kinds/pull_request_sections.js",
        source!("../view/kinds/pull_request_sections.js"),
    ),
    (
        "kinds/pull_request_deeds.js",
        source!("../view/kinds/pull_request_deeds.js"),
    ),
    (
        "kinds/pull_request_activity.js",
        source!("../view/kinds/pull_request_activity.js"),
    ),
    (
        "kinds/pull_request.js",
        source!("../view/kinds/pull_request.js"),
    ),
    (
        "kinds/diff_files.js",
        source!("../view/kinds/diff_files.js"),
    ),
    ("kinds/diff_told.js", source!("../view/kinds/diff_told.js")),
    (
        "kinds/diff_writing.js",
        source!("../view/kinds/diff_writing.js"),
    ),
    ("kinds/diff.js", source!("../view/kinds/diff.js")),
    (
        "kinds/pull_requests.js",
        source!("../view/kinds/pull_requests.js"),
    ),
    ("kinds/commits.js", source!("../view/kinds/commits.js")),
    ("kinds/builds.js", source!("../view/kinds/builds.js")),
    (
        "kinds/create_pull_request.js",
        source!("../view/kinds/create_pull_request.js"),
    ),
    ("host.js", source!("../view/host.js")),
    ("frame.js", source!("../view/frame.js")),
    ("poller.js", source!("../view/poller.js")),
    ("telling.js", source!("../view/telling.js")),
    ("suggest.js", source!("../view/suggest.js")),
    ("trail.js", source!("../view/trail.js")),
    ("alone.js", source!("../view/alone.js")),
    ("main.js", source!("../view/main.js")),
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
