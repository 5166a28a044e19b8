//! The license notices of everything that is in the binary: what `bb --licenses` prints.
//!
//! Never decides what may be in it: `deny.toml` does. The notices of the crates are made from their own files by
//! `tests/it/supply.rs`. Start reading at [`text`].

use crate::highlight;
use std::collections::BTreeMap;

/// bb's own.
const OWN: &str = include_str!("../LICENSE");
/// The crates', each text once.
const CRATES: &str = include_str!("licenses/crates.txt");
/// What a linker adds: the standard library and, in a static build, the C library and the unwinder.
const SYSTEM: &str = include_str!("licenses/system.txt");

/// Every notice, for a person or a program that scans: bb's own, the crates', the system's, the grammars'.
pub fn text() -> String {
    let grammars = grammars();
    let parts = [
        ("bb", OWN),
        ("The crates in it", CRATES),
        ("What is linked besides crates", SYSTEM),
        ("The grammars that color code", grammars.as_str()),
    ];
    let under = |name: &str| "=".repeat(name.len());
    let parts =
        parts.map(|(name, text)| format!("{name}\n{}\n\n{}\n", under(name), text.trim_end()));
    parts.join("\n")
}

/// Each text once, before it the files of the grammars that it covers.
fn grammars() -> String {
    let mut covered: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for notice in highlight::notices() {
        covered.entry(notice.text).or_default().push(notice.path);
    }
    let mut texts: Vec<(Vec<String>, String)> = covered
        .into_iter()
        .map(|(text, paths)| (paths, text))
        .collect();
    texts.sort();
    let rule = "-".repeat(80);
    let texts = texts
        .into_iter()
        .map(|(paths, text)| format!("{rule}\n{}\n\n{}\n\n", paths.join("\n"), text.trim()));
    texts.collect()
}
