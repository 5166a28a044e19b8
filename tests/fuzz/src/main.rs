//! The engine around the targets: `BB_FUZZ` names the one to run, or `seeds:FOLDER` writes what each begins with.
//!
//! Never decides what is fuzzed: `targets` does. Started by `tests/fuzz/run`.

#![no_main]

use std::path::Path;
use std::sync::OnceLock;
use targets::{TARGETS, Target};

#[path = "../targets/mod.rs"]
mod targets;

static TARGET: OnceLock<&'static Target> = OnceLock::new();

fn begin() {
    let wanted = std::env::var("BB_FUZZ").unwrap_or_default();
    if let Some(folder) = wanted.strip_prefix("seeds:") {
        for target in TARGETS {
            let folder = Path::new(folder).join(target.name);
            std::fs::create_dir_all(&folder).expect("a folder");
            for (number, seed) in (target.seeds)().iter().enumerate() {
                std::fs::write(folder.join(format!("seed-{number:04}")), seed).expect("written");
            }
        }
        std::process::exit(0);
    }
    let target = TARGETS.iter().find(|target| target.name == wanted);
    TARGET.get_or_init(|| target.unwrap_or_else(|| panic!("BB_FUZZ names no target: `{wanted}`")));
}

libfuzzer_sys::fuzz_target!(init: begin(), |data: &[u8]| {
    if let Some(target) = TARGET.get() {
        (target.run)(data);
    }
});
