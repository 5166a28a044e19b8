//! What is fuzzed: each target takes any bytes and must neither panic nor break what it promises.
//!
//! Shared by the coverage-guided fuzzer (`tests/fuzz/run`) and by the short run of `cargo test` on fixed seeds.
//! Start at [`TARGETS`]; a new target is a file and its line there.

mod answers;
mod lines;
mod manifest;
mod markdown;
mod templates;

use std::path::{Path, PathBuf};

/// One thing that reads what others wrote.
pub struct Target {
    /// Its name, and that of its corpus.
    pub name: &'static str,
    /// Inputs from the fixtures, to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads an input and panics where a promise is broken.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target {
        name: "lines",
        seeds: lines::seeds,
        run: lines::run,
    },
    Target {
        name: "answers",
        seeds: answers::seeds,
        run: answers::run,
    },
    Target {
        name: "diff",
        seeds: answers::diff_seeds,
        run: answers::run_diff,
    },
    Target {
        name: "markdown",
        seeds: markdown::seeds,
        run: markdown::run,
    },
    Target {
        name: "manifest",
        seeds: manifest::seeds,
        run: manifest::run,
    },
    Target {
        name: "templates",
        seeds: templates::seeds,
        run: templates::run,
    },
];

/// The fixtures' folder.
fn fixtures() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let roots = [here.to_owned(), here.join("../..")];
    let found = roots.iter().map(|root| root.join("fixtures"));
    found
        .into_iter()
        .find(|folder| folder.is_dir())
        .expect("the fixtures")
}

/// The files below a folder of the fixtures whose names end so, by name.
fn files(below: &str, ending: &str) -> Vec<Vec<u8>> {
    fn walk(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, ending, found);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&fixtures().join(below), ending, &mut found);
    found.sort();
    let read = found
        .iter()
        .map(|path| std::fs::read(path).expect("a file"));
    read.collect()
}
