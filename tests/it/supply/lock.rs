//! What the lock file and cargo say of the packages that bb is made of.
//!
//! Asks cargo of this checkout alone, never a registry. Start at [`Packages::read`].

use crate::support::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

/// What bb is released for (contract 1).
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];

/// Name and version.
pub type Id = (String, String);

/// One package of the lock file that bb is built from, bb itself not among them.
pub struct Package {
    pub name: String,
    pub version: String,
    /// As an SPDX expression.
    pub license: String,
    pub authors: Vec<String>,
    /// Where its sources lie.
    pub folder: PathBuf,
    /// SHA-256 of the file that the registry hands out, in hex.
    pub checksum: String,
    /// What it needs, of the packages here.
    pub needs: Vec<Id>,
    /// Whether it is in the binary; the others run while it is built.
    pub is_linked: bool,
}

/// All that bb is built from.
pub struct Packages {
    /// By name and version.
    pub all: Vec<Package>,
    /// What bb itself needs.
    pub of_bb: Vec<Id>,
    /// bb's own version.
    pub version: String,
}

impl Packages {
    /// Reads the lock file, and asks cargo which packages bb's binary for Linux needs.
    pub fn read() -> Self {
        let linked = tree("normal,no-proc-macro");
        let built = tree("normal,build");
        let locked = locked();
        let said = metadata();
        let within = |ids: &[Id]| -> Vec<Id> {
            let found = ids.iter().filter(|id| built.contains(id));
            found.cloned().collect()
        };
        let bb = |id: &Id| id.0 == "bb";
        let all = built.iter().filter(|id| !bb(id)).map(|id| {
            let package = said
                .get(id)
                .unwrap_or_else(|| panic!("no cargo package {id:?}"));
            let locked = locked
                .get(id)
                .unwrap_or_else(|| panic!("{id:?} is not locked"));
            let manifest = package["manifest_path"].as_str().expect("a path");
            let authors = package["authors"].as_array().into_iter().flatten();
            Package {
                name: id.0.clone(),
                version: id.1.clone(),
                // The older way to write a choice.
                license: package["license"]
                    .as_str()
                    .expect("a license")
                    .replace(" / ", " OR ")
                    .replace('/', " OR "),
                authors: authors
                    .filter_map(Value::as_str)
                    .map(|author| author.split(" <").next().unwrap_or(author).to_owned())
                    .collect(),
                folder: PathBuf::from(manifest)
                    .parent()
                    .expect("a folder")
                    .to_owned(),
                checksum: locked.checksum.clone(),
                needs: within(&locked.needs),
                is_linked: linked.contains(id),
            }
        });
        let all = all.collect();
        let (id, locked) = locked.iter().find(|(id, _)| bb(id)).expect("bb is locked");
        Self {
            all,
            of_bb: within(&locked.needs),
            version: id.1.clone(),
        }
    }
}

struct Locked {
    checksum: String,
    needs: Vec<Id>,
}

/// The packages of `Cargo.lock`, each with what it needs.
fn locked() -> BTreeMap<Id, Locked> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).expect("a lock file");
    let mut packages = BTreeMap::new();
    for block in lock.split("[[package]]\n").skip(1) {
        let value = |name: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.strip_prefix(" = \"")?.strip_suffix('"'))
                .unwrap_or_default()
                .to_owned()
        };
        let needs = block.lines().filter_map(|line| {
            let named = line.strip_prefix(" \"")?.strip_suffix("\",")?;
            // A version stands there only where the lock file has two.
            let (name, version) = named.split_once(' ').unwrap_or((named, ""));
            Some((name.to_owned(), version.to_owned()))
        });
        let locked = Locked {
            checksum: value("checksum"),
            needs: needs.collect(),
        };
        packages.insert((value("name"), value("version")), locked);
    }
    let ids: Vec<Id> = packages.keys().cloned().collect();
    for locked in packages.values_mut() {
        for (name, version) in &mut locked.needs {
            if version.is_empty() {
                let only = ids.iter().find(|id| id.0 == *name);
                *version = only.expect("a locked package").1.clone();
            }
        }
    }
    packages
}

/// Names and versions of what bb's binary for Linux needs by these edges, itself included.
fn tree(edges: &str) -> BTreeSet<Id> {
    let mut found = BTreeSet::new();
    for target in TARGETS {
        let flags = ["--package", "bb", "--prefix", "none", "--format", "{p}"];
        let of = ["--edges", edges, "--target", target];
        let listed = cargo("tree", &[&flags[..], &of[..]].concat());
        found.extend(listed.lines().filter_map(|line| {
            let (name, rest) = line.split_once(" v")?;
            let version = rest.split_whitespace().next()?;
            Some((name.to_owned(), version.to_owned()))
        }));
    }
    found
}

fn metadata() -> BTreeMap<Id, Value> {
    let flags = ["--format-version", "1", "--filter-platform", TARGETS[0]];
    let mut said: Value = serde_json::from_str(&cargo("metadata", &flags)).expect("JSON");
    let packages = said["packages"].as_array_mut().expect("packages");
    let each = packages.drain(..).map(|package| {
        let text = |name: &str| package[name].as_str().expect("text").to_owned();
        ((text("name"), text("version")), package)
    });
    each.collect()
}

fn cargo(command: &str, flags: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args([command, "--locked"])
        .args(flags)
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}
