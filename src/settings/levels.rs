//! Flags, variables and the configuration file laid over each other: the first that has a value wins.
//!
//! Never judges a value beyond its being text: `settings` does. Start reading at [`Levels`].

use crate::settings::error::{self, SettingsError};
use crate::settings::table::{SCOPE_VARIABLE, SETTINGS, Setting, Sort, setting};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// Looks one variable up. Tests pass their own; `run` passes the process's.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// What was typed: the flag's name without dashes, and its values in order. A switch holds one empty value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags(BTreeMap<String, Vec<String>>);

impl Flags {
    /// Keeps what was typed for one flag; an empty list is a flag that was not typed.
    pub fn put(&mut self, name: &str, values: Vec<String>) {
        if !values.is_empty() {
            self.0.insert(name.to_owned(), values);
        }
    }
}

/// Where a value came from, worded so that a person finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The flag of this name.
    Flag(&'static str),
    /// The variable of this name.
    Variable(String),
    /// A key of the configuration file.
    File {
        /// The setting's name, as it is written there.
        key: String,
        /// The file.
        path: PathBuf,
    },
    /// bb's own choice.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "--{name}"),
            Self::Variable(name) => f.write_str(name),
            Self::File { key, path } => write!(f, "`{key}` in `{}`", error::shown(path)),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A text and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The text.
    pub text: String,
    /// Where it came from.
    pub from: Source,
}

/// Every setting that was given, from the strongest level that gave it.
#[derive(Clone, Debug, Default)]
pub struct Levels(BTreeMap<&'static str, Vec<Given>>);

impl Levels {
    /// What flags and variables give. Problems are added to `problems`.
    pub fn read(flags: &Flags, env: Environment, problems: &mut Vec<SettingsError>) -> Self {
        let mut levels = Self::default();
        for setting in SETTINGS {
            if let Some(values) = flags.0.get(setting.name) {
                let from = Source::Flag(setting.name);
                if LIMITS.contains(&setting.name) {
                    let blank = values.iter().filter(|value| says_nothing(value));
                    problems.extend(blank.map(|value| no_limit(from.clone(), value)));
                }
                let texts = values.iter().flat_map(|value| split(setting.sort, value));
                levels.put(setting, texts, &from);
                continue;
            }
            let Some(variable) = setting.variable else {
                continue;
            };
            if let Some(text) = read_variable(env, variable, problems) {
                let from = Source::Variable(variable.to_owned());
                levels.put(setting, split(setting.sort, &text), &from);
            }
        }
        if levels.all("project").is_empty() && levels.all("repo").is_empty() {
            levels.read_scope(env, problems);
        }
        levels
    }

    /// Adds what the configuration file says of the chosen host, where nothing stronger said anything.
    pub fn add_file(&mut self, path: &std::path::Path, values: BTreeMap<String, Vec<String>>) {
        // A scope is one thing said with two keys, so a stronger half keeps the file's other half out.
        let is_scoped = !(self.all("project").is_empty() && self.all("repo").is_empty());
        for (key, texts) in values {
            let Some(setting) = setting(&key) else {
                continue;
            };
            let is_scope = matches!(setting.name, "project" | "repo");
            if self.0.contains_key(setting.name) || (is_scope && is_scoped) {
                continue;
            }
            let from = Source::File {
                key,
                path: path.to_owned(),
            };
            self.put(setting, texts.into_iter(), &from);
        }
    }

    /// The one value of a setting.
    pub fn one(&self, name: &str) -> Option<&Given> {
        self.all(name).first()
    }

    /// All values of a setting, in order.
    pub fn all(&self, name: &str) -> &[Given] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    fn put(&mut self, setting: &Setting, texts: impl Iterator<Item = String>, from: &Source) {
        let given = texts.map(|text| Given {
            text,
            from: from.clone(),
        });
        self.0.insert(setting.name, given.collect());
    }

    fn read_scope(&mut self, env: Environment, problems: &mut Vec<SettingsError>) {
        let Some(text) = read_variable(env, SCOPE_VARIABLE, problems) else {
            return;
        };
        if says_nothing(&text) {
            problems.push(no_limit(Source::Variable(SCOPE_VARIABLE.to_owned()), &text));
        }
        for entry in split(Sort::List, &text) {
            let name = if entry.contains('/') {
                "repo"
            } else {
                "project"
            };
            self.0.entry(name).or_default().push(Given {
                text: entry,
                from: Source::Variable(SCOPE_VARIABLE.to_owned()),
            });
        }
    }
}

/// A variable's text; one that is empty counts as not set, because a client's configuration often cannot
/// take a variable away.
pub fn read_variable(
    env: Environment,
    name: &str,
    problems: &mut Vec<SettingsError>,
) -> Option<String> {
    let value = env(name).filter(|value| !value.is_empty())?;
    match value.into_string() {
        Ok(text) => Some(text),
        Err(_) => {
            problems.push(SettingsError::NotText {
                variable: name.to_owned(),
            });
            None
        }
    }
}

/// Lists that limit what bb may do. One that is given and names nothing is a mistake, such as a variable of a shell that
/// is not set, and must not be taken for no limit.
const LIMITS: [&str; 4] = ["project", "repo", "tools", "exclude"];

fn says_nothing(value: &str) -> bool {
    split(Sort::List, value).next().is_none()
}

fn no_limit(from: Source, value: &str) -> SettingsError {
    SettingsError::Value {
        from,
        value: value.to_owned(),
        expected: "at least one name (for no limit, leave it out)",
    }
}

/// A value as its setting's texts: a list at its commas, anything else whole.
fn split(sort: Sort, value: &str) -> std::vec::IntoIter<String> {
    let texts: Vec<String> = match sort {
        Sort::List => value
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
            .map(str::to_owned)
            .collect(),
        _ => vec![value.to_owned()],
    };
    texts.into_iter()
}
