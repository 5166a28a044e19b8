//! Texts read into values: durations, switches, one word of several, scopes, paths.
//!
//! Never knows which setting it reads for. Start reading at [`duration`].

use std::path::PathBuf;
use std::time::Duration;

/// Reads `200ms`, `20s` or `2m`; nothing for any other text.
pub fn duration(text: &str) -> Option<Duration> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit())?;
    let number: u64 = text[..unit_at].parse().ok()?;
    match &text[unit_at..] {
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(Duration::from_secs(number)),
        "m" => number.checked_mul(60).map(Duration::from_secs),
        _ => None,
    }
}

/// Reads a switch of a variable or of the configuration file.
pub fn switch(text: &str) -> Option<bool> {
    match text {
        "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

/// When views are offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Views {
    /// As the client declares.
    #[default]
    Auto,
    /// Whatever the client declares, they are rendered.
    Always,
    /// Whatever the client declares, none are rendered.
    Never,
}

impl Views {
    /// The words accepted, for a phrase.
    pub const ACCEPTED: &str = "auto, always or never";

    /// Reads one of the accepted words.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Self::Auto),
            "always" => Some(Self::Always),
            "never" => Some(Self::Never),
            _ => None,
        }
    }
}

/// How much is told on stderr; each level includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// What went wrong.
    #[default]
    Error,
    /// What may go wrong.
    Warn,
    /// What happens.
    Info,
    /// What happens inside.
    Debug,
}

impl LogLevel {
    /// The words accepted, for a phrase.
    pub const ACCEPTED: &str = "error, warn, info or debug";

    /// Reads one of the accepted words.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "error" => Some(Self::Error),
            "warn" => Some(Self::Warn),
            "info" => Some(Self::Info),
            "debug" => Some(Self::Debug),
            _ => None,
        }
    }
}

/// What becomes of a writing call that cannot be recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuditFailure {
    /// It does not run.
    #[default]
    Deny,
    /// It runs, and stderr is told.
    Warn,
}

impl AuditFailure {
    /// The words accepted, for a phrase.
    pub const ACCEPTED: &str = "deny or warn";

    /// Reads one of the accepted words.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "deny" => Some(Self::Deny),
            "warn" => Some(Self::Warn),
            _ => None,
        }
    }
}

/// A project, or one repository of it, that bb may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeEntry {
    /// A project key, or `~user`, as it was written.
    pub project: String,
    /// One repository's slug, or all of the project.
    pub repo: Option<String>,
}

impl ScopeEntry {
    /// Reads `KEY`.
    pub fn project(text: &str) -> Option<Self> {
        is_key(text).then(|| Self {
            project: text.to_owned(),
            repo: None,
        })
    }

    /// Reads `KEY/SLUG`.
    pub fn repo(text: &str) -> Option<Self> {
        let (project, slug) = text.split_once('/')?;
        (is_key(project) && is_slug(slug)).then(|| Self {
            project: project.to_owned(),
            repo: Some(slug.to_owned()),
        })
    }
}

fn is_key(text: &str) -> bool {
    match text.strip_prefix('~') {
        Some(user) => is_slug(user),
        None => is_slug(text),
    }
}

fn is_slug(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    !text.is_empty() && text.chars().all(is_part)
}

/// A path; a leading `~/` is the home folder, because no shell stands between a client's configuration and bb.
pub fn path(text: &str, home: Option<&str>) -> PathBuf {
    match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(text),
    }
}
