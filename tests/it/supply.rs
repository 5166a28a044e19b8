//! What bb is made of, for those who must answer for it: license notices and the bill of materials.
//!
//! Both files are made here from the lock file and the crates' own files; `BB_UPDATE=1` writes them anew.

mod lock;
mod notices;
mod sbom;

use crate::support::{command, root};
use lock::{Package, Packages};
use serde_json::Value;
use std::collections::BTreeSet;

const NOTICES: &str = "src/licenses/crates.txt";
const SBOM: &str = "tests/supply/bb.cdx.json";

#[track_caller]
fn check_made(path: &str, made: &str) {
    let whole = root().join(path);
    if std::env::var_os("BB_UPDATE").is_some() {
        std::fs::create_dir_all(whole.parent().expect("a folder")).expect("a folder");
        std::fs::write(&whole, made).expect("written");
    }
    let kept = std::fs::read_to_string(&whole).unwrap_or_default();
    assert!(
        kept == made,
        "{path} is not what the lock file gives: BB_UPDATE=1 cargo test --test it supply:: makes it anew"
    );
}

fn linked(packages: &Packages) -> Vec<&Package> {
    let all = packages.all.iter();
    all.filter(|package| package.is_linked).collect()
}

fn printed() -> String {
    let output = command(&["--licenses"], &[]).output().expect("bb runs");
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_notices_are_those_of_the_lock_file() {
    let packages = Packages::read();
    check_made(NOTICES, &notices::text(&linked(&packages)));
}

#[test]
fn the_bill_of_materials_is_that_of_the_lock_file() {
    check_made(SBOM, &sbom::text(&Packages::read()));
}

#[test]
fn each_crate_in_the_binary_is_named_with_its_license() {
    let (printed, packages) = (printed(), Packages::read());
    let lines: BTreeSet<&str> = printed.lines().collect();
    let linked = linked(&packages);
    assert!(linked.len() > 40, "{}", linked.len());
    for package in linked {
        let named = format!("{} {}", package.name, package.version);
        assert!(lines.contains(named.as_str()), "{named} is not named");
    }
}

#[test]
fn the_printed_notices_hold_what_is_linked_besides_crates() {
    let printed = printed();
    for words in [
        "the bb authors",
        "The Rust Standard Library",
        "musl",
        "LLVM Exceptions to the Apache 2.0 License",
        "Apache License",
        "01_Packages/Rust",
    ] {
        assert!(printed.contains(words), "nothing of {words}");
    }
    // For people and for programs that scan: no markup, and nothing that a terminal obeys.
    assert!(!printed.contains('\u{1b}') && !printed.contains("<details>"));
    for theme in ["themes/", "TextMate Themes"] {
        assert!(!printed.contains(theme), "{theme}: bb has no themes");
    }
}

#[test]
fn every_license_is_one_that_deny_toml_allows() {
    let deny = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let allowed: BTreeSet<&str> = deny
        .split_once("\nallow = [")
        .and_then(|(_, rest)| rest.split_once(']'))
        .map(|(list, _)| list.split('"').skip(1).step_by(2).collect())
        .expect("a list of licenses");
    for package in Packages::read().all {
        // Every part of an `AND`, one of an `OR`.
        let is_allowed = package.license.split(" AND ").all(|part| {
            part.trim_matches(['(', ')'])
                .split(" OR ")
                .any(|license| allowed.contains(license))
        });
        assert!(is_allowed, "{}: {}", package.name, package.license);
    }
}

#[test]
fn the_bill_of_materials_is_whole() {
    let text = std::fs::read_to_string(root().join(SBOM)).expect("the bill");
    let bill: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(bill["bomFormat"], "CycloneDX");
    assert_eq!(bill["specVersion"], "1.5");
    assert_eq!(
        bill["metadata"]["component"]["version"],
        env!("CARGO_PKG_VERSION")
    );
    let components = bill["components"].as_array().expect("components");
    let mut refs: BTreeSet<&str> = components
        .iter()
        .map(|component| {
            assert_eq!(component["type"], "library", "{component}");
            let digest = component["hashes"][0]["content"]
                .as_str()
                .expect("a digest");
            assert!(
                digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{component}"
            );
            let license = component["licenses"][0]["expression"].as_str();
            assert!(
                license.is_some_and(|text| !text.contains('/')),
                "{component}"
            );
            assert!(
                ["required", "excluded"].contains(&component["scope"].as_str().expect("a scope"))
            );
            component["bom-ref"].as_str().expect("a reference")
        })
        .collect();
    assert_eq!(refs.len(), components.len(), "each stands there once");
    refs.insert(
        bill["metadata"]["component"]["bom-ref"]
            .as_str()
            .expect("its own"),
    );
    // Everything that is needed is there, and everything that is there is needed, from bb on.
    let mut needed: BTreeSet<&str> = BTreeSet::new();
    let dependencies = bill["dependencies"].as_array().expect("dependencies");
    assert_eq!(dependencies.len(), refs.len());
    for dependency in dependencies {
        assert!(refs.contains(dependency["ref"].as_str().expect("a reference")));
        for on in dependency["dependsOn"].as_array().expect("a list") {
            let on = on.as_str().expect("a reference");
            assert!(refs.contains(on), "{on} is not in the bill");
            needed.insert(on);
        }
    }
    let left: Vec<&&str> = refs
        .iter()
        .filter(|each| !needed.contains(**each) && !each.starts_with("pkg:cargo/bb@"))
        .collect();
    assert!(left.is_empty(), "nothing needs {left:?}");
}
