//! The bargain that lets plain modules be joined by dropping lines, and what the page may never contain.

use std::collections::HashMap;

use super::{MAX_DOCUMENT_BYTES, SCRIPTS, STYLES, document};

/// What turns a string into elements, or a string into code, in any of a browser's ways.
const FORBIDDEN: &[&str] = &[
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "setHTML",
    "setHTMLUnsafe",
    "parseHTML",
    "parseHTMLUnsafe",
    "srcdoc",
    "document.write",
    "DOMParser",
    "createContextualFragment",
    "XSLTProcessor",
    "eval",
    "Function(",
    "import(",
    "<form",
    "javascript:",
    "localStorage",
    "sessionStorage",
    "indexedDB",
    "document.cookie",
    "fetch(",
    "XMLHttpRequest",
    "WebSocket",
    "EventSource",
    "sendBeacon",
    "serviceWorker",
    "new Worker",
    "window.open",
    "history.pushState",
    "createPolicy",
    "location.href",
    "location.assign",
    "location.replace",
    "confirm(",
    "alert(",
    "prompt(",
    "100vh",
];

#[test]
fn the_document_has_one_style_one_script_and_its_own_policy() {
    let page = document();
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">\n<head>\n"));
    assert_eq!(page.matches("<style>").count(), 1);
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</script").count(), 1);
    assert!(!page.contains("<!--"));
    assert!(page.contains("require-trusted-types-for 'script'; trusted-types 'none'"));
    assert!(!page.contains("/*styles*/") && !page.contains("/*scripts*/"));
    assert!(page.len() <= MAX_DOCUMENT_BYTES, "{} bytes", page.len());
}

#[test]
fn no_script_builds_html_from_strings_or_reaches_past_the_host() {
    for (name, text) in SCRIPTS {
        for word in FORBIDDEN {
            assert!(!text.contains(word), "{name} contains `{word}`");
        }
        for (number, line) in text.lines().enumerate() {
            assert!(
                !has_event_attribute(line),
                "{name}:{}: an on…= attribute: {line}",
                number + 1
            );
        }
    }
}

/// Whether a line names an attribute such as `onclick`, quoted or assigned.
fn has_event_attribute(line: &str) -> bool {
    ["\"on", "'on", ".on", "`on"].iter().any(|lead| {
        line.match_indices(lead).any(|(at, _)| {
            let name: String = line[at + lead.len()..]
                .chars()
                .take_while(char::is_ascii_lowercase)
                .collect();
            let after = &line[at + lead.len() + name.len()..];
            name.len() >= 3 && after.trim_start().starts_with(['"', '\'', '=', '`'])
        })
    })
}

#[test]
fn the_page_names_no_network_domain() {
    let allowed = ["http://www.w3.org/2000/svg"];
    let mut page = document().to_owned();
    for address in allowed {
        page = page.replace(address, "");
    }
    assert!(!page.contains("http://") && !page.contains("https://"));
    assert!(!page.contains("url(") && !page.contains("@import"));
}

#[test]
fn an_import_names_what_an_earlier_file_exports_and_renames_nothing() {
    let mut exported: HashMap<String, Vec<String>> = HashMap::new();
    for (name, text) in SCRIPTS {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        for import in imports(text) {
            assert!(
                !import.contains(" as ") && !import.contains('*'),
                "{name}: `{import}` renames"
            );
            let (names, from) =
                parts(&import).expect("an import is of names, on a line of its own");
            let from = match (from.strip_prefix("../"), from.strip_prefix("./")) {
                (Some(above), _) if !folder.is_empty() => above.to_owned(),
                (_, Some(beside)) if folder.is_empty() => beside.to_owned(),
                (_, Some(beside)) => format!("{folder}/{beside}"),
                _ => String::new(),
            };
            assert!(
                exported.contains_key(&from),
                "{name}: `{import}` names no file before it"
            );
            for one in names {
                assert!(
                    exported[&from].contains(&one),
                    "{name} imports `{one}`, which {from} does not export"
                );
                assert!(
                    uses(text, &one) > 1,
                    "{name} imports `{one}` and does not use it"
                );
            }
        }
        assert!(
            !text.contains("export default") && !text.contains("export {"),
            "{name} exports otherwise than by the word"
        );
        let all = declared(text).into_iter();
        let names = all
            .filter(|(_, is_exported)| *is_exported)
            .map(|(one, _)| one);
        exported.insert((*name).to_owned(), names.collect());
    }
}

#[test]
fn a_top_level_name_stands_in_one_file_only() {
    let mut owners: HashMap<String, &str> = HashMap::new();
    for (name, text) in SCRIPTS {
        for (one, _) in declared(text) {
            let other = owners.insert(one.clone(), name);
            assert_eq!(
                other, None,
                "`{one}` is declared in two files, the second {name}"
            );
        }
    }
    assert!(owners.contains_key("el") && owners.contains_key("listener"));
}

#[test]
fn what_is_left_out_as_bb_is_compiled_is_nothing_that_the_page_says() {
    for (name, text) in SCRIPTS.iter().chain(STYLES) {
        let mut spare = vec![0; super::spare::length(text.as_bytes())];
        super::spare::copy(text.as_bytes(), &mut spare);
        let spare = String::from_utf8(spare).expect("UTF-8");
        assert!(spare.len() < text.len(), "{name}");
        let (whole, left) = match name.ends_with(".css") {
            true => (super::trimmed(text), super::trimmed(&spare)),
            false => (super::joined(text), super::joined(&spare)),
        };
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.is_empty());
            lines.map(str::to_owned).collect()
        };
        assert_eq!(lines(&left), lines(&whole), "{name}");
        assert!(!spare.contains("\n//") && !spare.contains("/*"), "{name}");
    }
}

#[test]
fn only_the_tokens_have_colours() {
    for (name, text) in STYLES {
        let is_coloured = text.contains("rgb(")
            || text.contains("hsl(")
            || text.contains("light-dark(")
            || text.contains('#');
        assert_eq!(is_coloured, *name == "tokens.css", "{name}");
    }
    for (name, text) in SCRIPTS {
        assert!(
            !text.contains("rgb(") && !text.contains("light-dark("),
            "{name} has a colour"
        );
        assert!(
            !text.contains("--bb-") && !text.contains("--tone-"),
            "{name} names a property whose name the page shortens"
        );
    }
}

#[test]
fn a_template_or_a_string_never_holds_what_joining_would_drop() {
    // Joining drops whole lines; inside a text of several lines that would change it.
    for (name, text) in SCRIPTS {
        for (number, line) in text.lines().enumerate() {
            assert!(
                line.matches('`').count() % 2 == 0,
                "{name}:{}: a text over several lines",
                number + 1
            );
        }
    }
}

fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = String::new();
    for line in text.lines() {
        if open.is_empty() && !line.starts_with("import ") {
            continue;
        }
        open.push_str(line.trim());
        open.push(' ');
        if line.ends_with(';') {
            found.push(std::mem::take(&mut open));
        }
    }
    found
}

fn parts(import: &str) -> Option<(Vec<String>, String)> {
    let rest = import.trim().strip_prefix("import {")?;
    let (names, from) = rest.split_once("} from \"")?;
    let names = names
        .split(',')
        .map(|one| one.trim().to_owned())
        .filter(|one| !one.is_empty());
    Some((names.collect(), from.strip_suffix("\";")?.to_owned()))
}

/// The names declared at the start of a line, and whether they are exported.
fn declared(text: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let (line, is_exported) = line
            .strip_prefix("export ")
            .map_or((line, false), |rest| (rest, true));
        for word in ["const ", "let ", "function ", "async function ", "class "] {
            if let Some(rest) = line.strip_prefix(word) {
                let name: String = rest
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '$')
                    .collect();
                found.push((name, is_exported));
            }
        }
    }
    found
}

fn uses(text: &str, name: &str) -> usize {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| *word == name)
        .count()
}

#[test]
fn a_text_in_a_style_sheet_holds_no_blank_that_joining_would_drop() {
    for (name, text) in STYLES {
        for line in text.lines() {
            let texts = line.split('"').skip(1).step_by(2);
            for text in texts {
                let is_kept = [": ", ", ", " {", "{ ", "; "]
                    .iter()
                    .all(|one| !text.contains(one));
                assert!(is_kept, "{name}: {line}");
            }
        }
    }
}
