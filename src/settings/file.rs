//! The configuration file: what it says of each host.
//!
//! Never holds a secret: keys and values that would carry one are refused. Start reading at [`ConfigFile::read`].

use crate::bitbucket::address::BaseUrl;
use crate::near;
use crate::settings::error::{BYTE_ORDER_MARK, MARKED, SettingsError, io_trouble};
use crate::settings::levels::{AT_LEAST_ONE, LIMITS};
use crate::settings::table::{SECRET_KEYS, SETTINGS, Setting, Sort, setting};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Far more than settings need; a device or a log named by mistake is not read to its end.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// What one host's part says, a list of texts a key, as flags would give them.
pub type HostValues = BTreeMap<String, Vec<String>>;

/// The file's hosts, in the order of their spelling.
#[derive(Debug, Default)]
pub struct ConfigFile {
    /// Where it was read.
    pub path: PathBuf,
    /// Hosts that no manifest's view may reach, besides those of Bitbucket.
    pub reserved_hosts: Vec<String>,
    hosts: Vec<(String, HostValues)>,
}

impl ConfigFile {
    /// Reads a file; every problem in it is added to `problems`, and what is sound is kept.
    ///
    /// # Errors
    /// The file cannot be opened or read.
    pub fn read(path: &Path, problems: &mut Vec<SettingsError>) -> io::Result<Self> {
        let mut text = String::new();
        File::open(path)?
            .take(MAX_FILE_BYTES + 1)
            .read_to_string(&mut text)?;
        let mut reading = Reading { path, problems };
        if text.len() as u64 > MAX_FILE_BYTES {
            reading.refuse("it is over 1 MiB".to_owned());
            return Ok(Self::default());
        }
        let (hosts, reserved_hosts) = reading.top(&text);
        Ok(Self {
            path: path.to_owned(),
            reserved_hosts,
            hosts,
        })
    }

    /// The hosts as they are written.
    pub fn hosts(&self) -> Vec<String> {
        self.hosts.iter().map(|(host, _)| host.clone()).collect()
    }

    /// What the file says of one host, whatever the spelling of its address.
    pub fn values(&self, host: &str) -> Option<&HostValues> {
        let wanted = BaseUrl::parse(host).ok()?;
        self.hosts
            .iter()
            .find(|(each, _)| BaseUrl::parse(each).as_ref() == Ok(&wanted))
            .map(|(_, values)| values)
    }
}

/// What stopped the reading of a file that had to be there.
pub fn unreadable(path: &Path, error: &io::Error) -> SettingsError {
    SettingsError::Config {
        path: path.to_owned(),
        trouble: io_trouble(error),
    }
}

struct Reading<'a> {
    path: &'a Path,
    problems: &'a mut Vec<SettingsError>,
}

impl Reading<'_> {
    fn top(&mut self, text: &str) -> (Vec<(String, HostValues)>, Vec<String>) {
        if text.starts_with(BYTE_ORDER_MARK) {
            self.refuse(MARKED.to_owned());
            return Default::default();
        }
        if text.trim().is_empty() {
            self.refuse("it is empty: expected an object with `hosts`".to_owned());
            return Default::default();
        }
        let top = match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(top)) => top,
            Ok(_) => {
                self.refuse("expected an object with `hosts`".to_owned());
                return Default::default();
            }
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                self.refuse(format!(
                    "it is not JSON from line {line}, column {column} on"
                ));
                return Default::default();
            }
        };
        let (mut hosts, mut reserved) = (Vec::new(), Vec::new());
        for (key, value) in top {
            match (key.as_str(), value) {
                ("hosts", Value::Object(each)) => hosts = self.hosts(each),
                ("manifests", Value::Object(each)) => reserved = self.reserved(each),
                ("hosts" | "manifests", _) => self.refuse(format!("`{key}`: expected an object")),
                _ => {
                    let hint = near::hint(&key, ["hosts", "manifests"]);
                    self.refuse(format!("unknown key `{}`{hint}", key.escape_debug()));
                }
            }
        }
        (hosts, reserved)
    }

    fn reserved(&mut self, manifests: Map<String, Value>) -> Vec<String> {
        let mut reserved = Vec::new();
        for (key, value) in manifests {
            match (key.as_str(), value) {
                ("reserved_hosts", Value::Array(entries)) => match texts(&key, entries) {
                    Ok(hosts) => reserved = hosts,
                    Err(trouble) => self.refuse(format!("manifests: {trouble}")),
                },
                ("reserved_hosts", _) => {
                    self.refuse(
                        "manifests: `reserved_hosts`: expected an array of texts".to_owned(),
                    );
                }
                _ => {
                    let hint = near::hint(&key, ["reserved_hosts"]);
                    self.refuse(format!(
                        "manifests: unknown key `{}`{hint}",
                        key.escape_debug()
                    ));
                }
            }
        }
        reserved
    }

    fn hosts(&mut self, hosts: Map<String, Value>) -> Vec<(String, HostValues)> {
        let mut read: Vec<(String, HostValues)> = Vec::new();
        for (host, value) in hosts {
            let base = match BaseUrl::parse(&host) {
                Ok(base) => base,
                Err(reason) => {
                    // The key is not repeated: somebody may have written a password into it.
                    self.refuse(format!("hosts: {reason}"));
                    continue;
                }
            };
            let twin = read
                .iter()
                .find(|(each, _)| BaseUrl::parse(each).as_ref() == Ok(&base));
            if let Some((twin, _)) = twin {
                self.refuse(format!(
                    "hosts: `{twin}` and `{host}` are one address; keep one of them"
                ));
                continue;
            }
            match value {
                Value::Object(values) => {
                    let values = self.values(&host, values);
                    read.push((host, values));
                }
                _ => self.refuse(format!("hosts: `{host}`: expected an object")),
            }
        }
        read
    }

    fn values(&mut self, host: &str, values: Map<String, Value>) -> HostValues {
        let mut read = HostValues::new();
        for (key, value) in values {
            match self.value(&key, value) {
                Ok(texts) => {
                    read.extend(texts.map(|texts| (key, texts)));
                }
                Err(trouble) => self.refuse(format!("hosts: `{host}`: {trouble}")),
            }
        }
        read
    }

    /// One key's texts, or nothing for a switch that is off.
    fn value(&self, key: &str, value: Value) -> Result<Option<Vec<String>>, String> {
        if SECRET_KEYS.contains(&key.to_lowercase().as_str()) {
            return Err(format!(
                "`{key}` may not stand here; write the token into a file of its own and name it as `token-file`"
            ));
        }
        let known = || {
            SETTINGS
                .iter()
                .filter(|each| each.in_file)
                .map(|each| each.name)
        };
        let Some(setting) = setting(key).filter(|each| each.in_file) else {
            return Err(format!(
                "unknown key `{}`{}",
                key.escape_debug(),
                near::hint(key, known())
            ));
        };
        let texts = match (setting.sort, value) {
            (Sort::Switch, Value::Bool(is_on)) => return Ok(Some(vec![is_on.to_string()])),
            (Sort::Switch, _) => return Err(format!("`{key}`: expected true or false")),
            (Sort::List, Value::Array(entries)) => texts(key, entries)?,
            (Sort::List, Value::String(text)) => {
                text.split(',').map(|each| each.trim().to_owned()).collect()
            }
            (_, Value::String(text)) => vec![text],
            (Sort::List, _) => return Err(format!("`{key}`: expected an array of texts")),
            _ => return Err(format!("`{key}`: expected a text")),
        };
        if LIMITS.contains(&setting.name) && texts.iter().all(|text| text.trim().is_empty()) {
            return Err(format!("`{key}`: expected {AT_LEAST_ONE}"));
        }
        if setting.name == "proxy" && texts.iter().any(|text| text.contains('@')) {
            return Err(
                "`proxy` may not hold a user and password here; set BB_PROXY instead".to_owned(),
            );
        }
        Ok(Some(self.relative(setting, texts)))
    }

    /// A relative path means a file beside this one: the folder a client starts bb in is anybody's guess.
    fn relative(&self, setting: &Setting, texts: Vec<String>) -> Vec<String> {
        let folder = self.path.parent();
        let joined = |text: String| match folder {
            Some(folder) if !text.starts_with("~/") => {
                folder.join(&text).to_str().map_or(text, str::to_owned)
            }
            _ => text,
        };
        match setting.sort {
            Sort::Path => texts.into_iter().map(joined).collect(),
            _ => texts,
        }
    }

    fn refuse(&mut self, trouble: String) {
        self.problems.push(SettingsError::Config {
            path: self.path.to_owned(),
            trouble,
        });
    }
}

fn texts(key: &str, entries: Vec<Value>) -> Result<Vec<String>, String> {
    let text = |entry| match entry {
        Value::String(text) => Ok(text),
        _ => Err(format!("`{key}`: expected an array of texts")),
    };
    entries.into_iter().map(text).collect()
}
