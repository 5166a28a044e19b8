//! Makes `src/licenses/crates.txt`: each license text once, before it the crates that it covers and their copyright.
//!
//! Reads the crates' own files. Where a crate lets one choose, the MIT license is chosen. Start at [`text`].

use super::lock::Package;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Where a license itself begins; what stands above is whose it is.
const BEGINNINGS: [&str; 3] = [
    "Permission is hereby granted",
    "Permission to use, copy",
    "Redistribution and use",
];

/// A heading names the license, which its text does as well.
const HEADINGS: [&str; 5] = [
    "MIT License",
    "The MIT License (MIT)",
    "The MIT License",
    "ISC License:",
    "BSD 3-Clause License",
];

/// The notices of these packages.
pub fn text(packages: &[&Package]) -> String {
    // By the text without its line breaks: the text as its first crate has it, and whom it covers.
    let mut texts: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for package in packages {
        let files = files(package);
        assert!(!files.is_empty(), "{} has no license file", package.name);
        for file in files {
            let written = fs::read_to_string(&file).expect("a license");
            let (whose, body) = parted(&written);
            let key: Vec<&str> = body.split_whitespace().collect();
            let (_, covered) = texts.entry(key.join(" ")).or_insert((body, Vec::new()));
            let entry = covers(package, &file, &whose);
            if !covered.contains(&entry) {
                covered.push(entry);
            }
        }
    }
    // The text that covers most comes first.
    let mut texts: Vec<(String, Vec<String>)> = texts.into_values().collect();
    texts.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.1.cmp(&b.1)));
    let mut out = String::new();
    for (body, covered) in texts {
        let _ = writeln!(out, "{}\n{}\n{body}\n", "-".repeat(80), covered.concat());
    }
    out
}

/// One entry of the list above a text: the package, where its own file is not at the top, and whose it is.
fn covers(package: &Package, file: &Path, whose: &[String]) -> String {
    let mut entry = format!("{} {}", package.name, package.version);
    let below = file.strip_prefix(&package.folder).expect("its own");
    if let Some(part) = below.parent().filter(|part| !part.as_os_str().is_empty()) {
        let _ = write!(entry, ", {}", part.display());
    }
    entry.push('\n');
    for line in whose {
        let _ = writeln!(entry, "    {line}");
    }
    if whose.is_empty() && !package.authors.is_empty() {
        let _ = writeln!(entry, "    by {}", package.authors.join(", "));
    }
    entry
}

/// The lines that say whose it is, and the license itself.
fn parted(written: &str) -> (Vec<String>, String) {
    let lines: Vec<&str> = written
        .lines()
        .map(|line| line.trim_end().trim_start_matches("//"))
        .collect();
    let begins = lines
        .iter()
        .position(|line| BEGINNINGS.iter().any(|beginning| line.contains(beginning)));
    let (head, body) = lines.split_at(begins.unwrap_or(0));
    let whose = head
        .iter()
        .map(|line| line.trim().trim_matches('#').trim())
        .filter(|line| !line.is_empty() && !HEADINGS.contains(line));
    let body: Vec<&str> = body.iter().map(|line| line.trim_end()).collect();
    (
        whose.map(str::to_owned).collect(),
        body.join("\n").trim().to_owned(),
    )
}

/// The files that hold the license that is chosen, and every notice.
fn files(package: &Package) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find(&package.folder, 0, &mut found);
    found.sort();
    let is_mit = |path: &PathBuf| name(path).starts_with("license-mit");
    // Beside a license that can be chosen, the others of the same folder are left.
    let chosen: Vec<PathBuf> = found.iter().filter(|path| is_mit(path)).cloned().collect();
    found.retain(|path| {
        let has_choice = chosen.iter().any(|mit| mit.parent() == path.parent());
        let name = name(path);
        let holds_it = || {
            let text = fs::read_to_string(path).unwrap_or_default();
            name.split('.').next() == Some("license") && text.contains(BEGINNINGS[0])
        };
        !has_choice || is_mit(path) || name.starts_with("notice") || holds_it()
    });
    found
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().to_lowercase()
}

/// The license files of a folder and those below it, where what was taken from elsewhere has its own.
fn find(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    const DEEPEST: usize = 4;
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), name(&entry.path()));
        let is_of_tests = ["tests", "benches", "examples", "fuzz", "third-party"];
        if path.is_dir() && depth < DEEPEST && !is_of_tests.contains(&name.as_str()) {
            find(&path, depth + 1, found);
        } else if path.is_file()
            && ["license", "licence", "copying", "notice"]
                .iter()
                .any(|start| name.starts_with(start))
            && !name.ends_with(".rs")
        {
            found.push(path);
        }
    }
}
