//! One change of the approvals at a time, whichever process makes it.
//!
//! Never kept longer than a change takes. Start reading at [`Lock::take`].

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long another change is waited for: each takes some milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);
/// How soon it is tried again.
const PAUSE: Duration = Duration::from_millis(5);

/// A file that stands while a change is under way, gone when dropped.
#[derive(Debug)]
pub struct Lock(PathBuf);

impl Lock {
    /// Waits for its turn.
    ///
    /// # Errors
    /// A phrase: the file cannot be made, or was there for 3 s. One that a crash left behind has to be removed by hand,
    /// since nothing tells it from one that is held.
    pub fn take(path: &Path) -> Result<Self, String> {
        let end = Instant::now() + PATIENCE;
        loop {
            match OpenOptions::new().write(true).create_new(true).open(path) {
                Ok(_) => return Ok(Self(path.to_owned())),
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(error.to_string());
                }
                Err(_) if Instant::now() > end => {
                    return Err(format!(
                        "another bb is changing them; if none is, remove `{}`",
                        path.display()
                    ));
                }
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Who comes next says so if it is still there.
        let _ = fs::remove_file(&self.0);
    }
}
