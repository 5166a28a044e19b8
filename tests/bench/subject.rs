//! The binary that is measured: the static one where `.ci/static` made it, else the release build.
//!
//! Never builds it. Start at [`Subject::find`].

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The binary, and whether it is the static one.
pub struct Subject {
    /// Where it lies.
    pub path: PathBuf,
    /// Whether it is the one that `.ci/static` makes.
    pub is_static: bool,
}

impl Subject {
    /// Takes the static binary if there is one.
    pub fn find() -> Self {
        let path = root().join("target/static/bb");
        if path.exists() {
            return Self {
                path,
                is_static: true,
            };
        }
        Self {
            path: PathBuf::from(env!("CARGO_BIN_EXE_bb")),
            is_static: false,
        }
    }

    /// One line for the head of the table: which binary, and what a reader should know of it.
    pub fn told(&self) -> String {
        let path = self
            .path
            .strip_prefix(root())
            .unwrap_or(&self.path)
            .display();
        match (self.is_static, self.is_stale()) {
            (true, false) => format!("measured: {path}, static"),
            (true, true) => format!(
                "measured: {path}, static, OLDER THAN THE SOURCES: .ci/static makes it anew"
            ),
            (false, _) => {
                format!("measured: {path}, NOT STATIC: .ci/static makes the one that is released")
            }
        }
    }

    fn is_stale(&self) -> bool {
        let built = changed(&self.path);
        ["src", "view", "Cargo.toml", "Cargo.lock"]
            .iter()
            .any(|part| newest(&root().join(part)) > built)
    }
}

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
}

/// When the youngest file at or below `path` was changed; nothing if there is none.
fn newest(path: &Path) -> Option<SystemTime> {
    let Ok(entries) = fs::read_dir(path) else {
        return changed(path);
    };
    entries
        .flatten()
        .filter_map(|entry| newest(&entry.path()))
        .max()
}
