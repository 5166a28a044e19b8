//! How fast the page draws in Chromium: the browser tests that measure it, run once, and what they print.
//!
//! Never installs anything: without the packages of `tests/host/browser`, which `tests/run` installs, a row says so.

use std::process::Command;
use std::sync::OnceLock;

use crate::reading::{Missing, Reading, Unit};
use crate::subject::{Subject, root};

/// What the tests print: `first screen 80 ms, all 400 ms, longest task 40 ms`, and `file switch 20 ms`.
fn printed(subject: &Subject) -> Result<&'static str, Missing> {
    static PRINTED: OnceLock<Result<String, String>> = OnceLock::new();
    PRINTED
        .get_or_init(|| {
            let ran = Command::new("node")
                .args([
                    "--test",
                    "--test-reporter=tap",
                    "--test-name-pattern=1,200 lines|another file",
                ])
                .arg("diff.test.mjs")
                .current_dir(root().join("tests/host/browser"))
                .env("BB_BIN", &subject.path)
                .output()
                .map_err(|error| format!("node does not run: {error}"))?;
            let text = String::from_utf8_lossy(&ran.stdout).into_owned();
            match ran.status.success() {
                true => Ok(text),
                false => Err("the browser tests do not pass: run tests/run first".to_owned()),
            }
        })
        .as_deref()
        .map_err(|why| Missing(why.clone()))
}

/// The number after some words.
fn after(subject: &Subject, words: &str, at_most: f64) -> Result<Reading, Missing> {
    let text = printed(subject)?;
    let number = text
        .split_once(words)
        .and_then(|(_, rest)| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| Missing(format!("the browser tests did not print `{words}`")))?;
    Ok(Reading::new(Unit::Ms, number, at_most, ""))
}

/// From the result's message to the first screen.
pub fn first_screen(subject: &Subject) -> Result<Reading, Missing> {
    after(subject, "first screen ", 100.0)
}

/// From the result's message to the last line.
pub fn all_lines(subject: &Subject) -> Result<Reading, Missing> {
    after(subject, " ms, all ", 1_000.0)
}

/// The longest the page did not answer.
pub fn longest_task(subject: &Subject) -> Result<Reading, Missing> {
    after(subject, "longest task ", 50.0)
}

/// From the press to the other file's first screen.
pub fn file_switch(subject: &Subject) -> Result<Reading, Missing> {
    after(subject, "file switch ", 50.0)
}
