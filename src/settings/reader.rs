//! One reading of all settings: values checked, problems gathered, told for people.
//!
//! Never stops at a problem. Start reading at [`Reader::new`], then `Settings::read`, which drives it.

use crate::bitbucket::address::{BaseUrl, Scheme};
use crate::bitbucket::connection::{ClientFiles, Credentials};
use crate::settings::credentials;
use crate::settings::error::{self, SettingsError};
use crate::settings::file::{self, ConfigFile};
use crate::settings::git::Git;
use crate::settings::levels::{self, Environment, Flags, Given, Levels, Source};
use crate::settings::table;
use crate::settings::values::{self, AuditFailure, LogLevel, ScopeEntry, Views};
use crate::settings::{Audit, Exposure, Highlight, Manifests, Offer, Told};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One request, from resolving the name to the last byte of the body.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// How long code may be colored, a result.
const HIGHLIGHT_DEADLINE: Duration = Duration::from_millis(200);

/// The settings that are what their text says and no more.
pub struct Plain {
    pub views: Views,
    pub log_level: LogLevel,
    pub request_timeout: Duration,
    pub audit: Audit,
    pub highlight: Highlight,
    pub manifest: Option<String>,
}

/// What is being read: the levels, and what was found so far.
pub struct Reader {
    pub levels: Levels,
    file: Option<ConfigFile>,
    home: Option<String>,
    pub problems: Vec<SettingsError>,
    told: Vec<Told>,
}

impl Reader {
    /// Lays flags, variables and the configuration file ready.
    pub fn new(flags: &Flags, env: Environment) -> Self {
        let mut problems = Vec::new();
        let home = levels::read_variable(env, "HOME", &mut problems);
        let levels = Levels::read(flags, env, &mut problems);
        let file = config_file(&levels, home.as_deref(), &mut problems);
        Self {
            levels,
            file,
            home,
            problems,
            told: Vec::new(),
        }
    }

    /// All problems, or what is told of each setting.
    pub fn end(mut self) -> Result<Vec<Told>, Vec<SettingsError>> {
        self.tell_rest();
        if self.problems.is_empty() {
            Ok(self.told)
        } else {
            Err(self.problems)
        }
    }

    /// Whether any address was given, even if none of several is chosen.
    pub fn has_host(&self) -> bool {
        let in_file = self.file.as_ref().map_or(0, |file| file.hosts().len());
        self.levels.one("host").is_some() || in_file > 0
    }

    /// The address that was given; without one, the only one of the configuration file.
    pub fn host(&mut self) -> Option<Given> {
        let before = self.problems.len();
        let chosen = self.choose_only_host();
        if chosen.is_none() && self.problems.len() == before {
            self.problems.push(SettingsError::NoHost);
        }
        chosen
    }

    /// Chooses as [`Self::choose_host`] does. None of several is a problem: each may say something else.
    pub fn choose_only_host(&mut self) -> Option<Given> {
        let chosen = self.choose_host();
        if let (None, Some(file)) = (&chosen, &self.file)
            && file.hosts().len() > 1
        {
            self.problems.push(SettingsError::SeveralHosts {
                file: file.path.clone(),
                hosts: file.hosts(),
            });
        }
        chosen
    }

    /// Whether any host of the configuration file says something of a setting.
    pub fn hosts_say(&self, name: &str) -> bool {
        self.file.as_ref().is_some_and(|file| {
            let mut hosts = file.hosts().into_iter();
            hosts.any(|host| file.values(&host).is_some_and(|all| all.contains_key(name)))
        })
    }

    /// Chooses a host and lays what the configuration file says of it under flags and variables.
    pub fn choose_host(&mut self) -> Option<Given> {
        let from_file = self
            .file
            .as_ref()
            .and_then(|file| match file.hosts().as_slice() {
                [only] => Some(Given {
                    text: only.clone(),
                    from: Source::File {
                        key: "hosts".to_owned(),
                        path: file.path.clone(),
                    },
                }),
                _ => None,
            });
        let host = self.levels.one("host").cloned().or(from_file)?;
        if let Some(file) = &self.file
            && let Some(values) = file.values(&host.text)
        {
            self.levels.add_file(&file.path, values.clone());
        }
        Some(host)
    }

    /// The base address, checked; a plain http one only where that is safe or allowed.
    pub fn base(&mut self, given: Given) -> Option<BaseUrl> {
        let from = given.from;
        let base = match BaseUrl::parse(&given.text) {
            Ok(base) => base,
            Err(reason) => {
                self.problems.push(SettingsError::Host { from, reason });
                return None;
            }
        };
        self.tell("host", &given.text, &from);
        let is_allowed = self.switch("allow-http");
        if base.scheme() == Scheme::Http && !base.is_loopback() && !is_allowed {
            let host = base.host().to_owned();
            self.problems.push(SettingsError::PlainHttp { from, host });
            return None;
        }
        Some(base)
    }

    /// What decides which tools may run.
    pub fn exposure(&mut self) -> Exposure {
        let mut scope = self.scope(
            "project",
            ScopeEntry::project,
            "a project key, such as `ACME` or `~wren`",
        );
        scope.extend(self.scope(
            "repo",
            ScopeEntry::repo,
            "a project key and a repository, such as `ACME/rocket`",
        ));
        Exposure {
            scope,
            tools: self.list("tools"),
            exclude: self.list("exclude"),
            read_only: self.switch("read-only"),
            no_confirm: self.switch("no-confirm"),
        }
    }

    /// The settings that are what their text says and no more.
    pub fn plain(&mut self) -> Plain {
        Plain {
            views: self.word("views", Views::ACCEPTED, Views::parse),
            log_level: self.word("log-level", LogLevel::ACCEPTED, LogLevel::parse),
            request_timeout: self.duration(
                "request-timeout",
                REQUEST_TIMEOUT,
                Duration::from_millis(100)..=Duration::from_secs(600),
                "a duration from 100ms to 10m, such as `20s`",
            ),
            audit: Audit {
                file: self.path("audit-file"),
                failure: self.word("audit-failure", AuditFailure::ACCEPTED, AuditFailure::parse),
            },
            highlight: Highlight {
                deadline: self.duration(
                    "highlight-deadline",
                    HIGHLIGHT_DEADLINE,
                    Duration::ZERO..=Duration::from_secs(10),
                    "a duration up to 10s, such as `200ms`, or `0` for no colors",
                ),
                templates: self.switch("highlight-templates"),
            },
            manifest: self.manifest(),
        }
    }

    /// The id of the manifest that is served.
    pub fn manifest(&self) -> Option<String> {
        self.levels.one("manifest").map(|given| given.text.clone())
    }

    /// What there is to offer.
    pub fn offer(&mut self) -> Offer {
        Offer {
            exposure: self.exposure(),
            manifest: self.manifest(),
            manifests: self.manifests(),
        }
    }

    /// What judges and keeps manifests.
    pub fn manifests(&self) -> Manifests {
        Manifests {
            state_dir: self.state_dir(),
            reserved_hosts: self.reserved_hosts(),
        }
    }

    /// Where approvals are kept.
    pub fn state_dir(&self) -> Option<PathBuf> {
        self.path("state-dir").or_else(|| {
            let home = self.home.as_deref()?;
            Some(Path::new(home).join(".local/state/bb"))
        })
    }

    /// Hosts that no view of a manifest may reach: those of every Bitbucket that is configured, and those that are
    /// named besides.
    pub fn reserved_hosts(&self) -> Vec<String> {
        let file = self.file.iter();
        let configured = file.clone().flat_map(ConfigFile::hosts);
        let configured = configured.chain(self.levels.one("host").map(|given| given.text.clone()));
        let configured =
            configured.filter_map(|host| Some(BaseUrl::parse(&host).ok()?.host().to_owned()));
        let named = file.flat_map(|file| file.reserved_hosts.iter().cloned());
        configured.chain(named).collect()
    }

    /// Who asks; git is not asked once any problem was found.
    pub fn credentials(
        &mut self,
        env: Environment,
        base: Option<&BaseUrl>,
        git: &Git,
    ) -> Option<Credentials> {
        let kind = credentials::choose(&self.levels, env, &mut self.problems);
        let (value, from) = match &kind {
            Some(kind) => ("(hidden)", kind.from()),
            None => ("none, so requests are anonymous", Source::Default),
        };
        self.tell("credentials", value, &from);
        let base = base.filter(|_| self.problems.is_empty());
        let obtained = credentials::obtain(kind?, base, self.home.as_deref(), git);
        obtained.unwrap_or_else(|problem| {
            self.problems.push(problem);
            None
        })
    }

    /// The client certificate's files.
    pub fn client(&mut self) -> Option<ClientFiles> {
        let cert = self.readable("client-cert");
        let key = self.readable("client-key");
        match (cert, key) {
            (Some(cert), Some(key)) => Some(ClientFiles { cert, key }),
            // One file that holds both.
            (Some(cert), None) => Some(ClientFiles {
                key: cert.clone(),
                cert,
            }),
            (None, _) => {
                let key = self.levels.one("client-key");
                let key = key.filter(|_| self.levels.one("client-cert").is_none());
                let from = key.map(|key| key.from.clone());
                self.problems
                    .extend(from.map(|from| SettingsError::KeyWithoutCertificate { from }));
                None
            }
        }
    }

    /// A file that must be there, opened once to see that it can be.
    pub fn readable(&mut self, name: &str) -> Option<PathBuf> {
        let path = self.path(name)?;
        let opened = File::open(&path).and_then(|file| file.metadata());
        let trouble = match opened {
            Ok(metadata) if metadata.is_dir() => "it is a folder".to_owned(),
            Ok(_) => return Some(path),
            Err(error) => error::io_trouble(&error),
        };
        let from = self.from(name);
        self.problems.push(SettingsError::File {
            from,
            path,
            trouble,
        });
        None
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        let given = self.levels.one(name)?;
        Some(values::path(&given.text, self.home.as_deref()))
    }

    fn list(&self, name: &str) -> Vec<String> {
        self.levels
            .all(name)
            .iter()
            .map(|given| given.text.clone())
            .collect()
    }

    fn scope(
        &mut self,
        name: &str,
        parse: fn(&str) -> Option<ScopeEntry>,
        expected: &'static str,
    ) -> Vec<ScopeEntry> {
        let mut entries = Vec::new();
        for given in self.levels.all(name) {
            match parse(&given.text) {
                Some(entry) => entries.push(entry),
                None => self.problems.push(refused(given, expected)),
            }
        }
        entries
    }

    fn switch(&mut self, name: &str) -> bool {
        let Some(given) = self.levels.one(name) else {
            return false;
        };
        if matches!(given.from, Source::Flag(_)) {
            return true;
        }
        values::switch(&given.text).unwrap_or_else(|| {
            let problem = refused(given, "1 or 0");
            // The same switch may be looked at twice.
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
            false
        })
    }

    fn word<T: Default>(
        &mut self,
        name: &str,
        accepted: &'static str,
        parse: fn(&str) -> Option<T>,
    ) -> T {
        let Some(given) = self.levels.one(name) else {
            return T::default();
        };
        parse(&given.text).unwrap_or_else(|| {
            self.problems.push(refused(given, accepted));
            T::default()
        })
    }

    fn duration(
        &mut self,
        name: &str,
        usual: Duration,
        within: std::ops::RangeInclusive<Duration>,
        expected: &'static str,
    ) -> Duration {
        let Some(given) = self.levels.one(name) else {
            return usual;
        };
        let read = match given.text.as_str() {
            "0" => Some(Duration::ZERO),
            text => values::duration(text),
        };
        read.filter(|duration| within.contains(duration))
            .unwrap_or_else(|| {
                self.problems.push(refused(given, expected));
                usual
            })
    }

    fn from(&self, name: &str) -> Source {
        self.levels
            .one(name)
            .map_or(Source::Default, |given| given.from.clone())
    }

    /// Keeps what a person may see of one setting.
    pub fn tell(&mut self, name: &str, value: &str, from: &Source) {
        self.told.push(Told {
            name: name.to_owned(),
            value: value.to_owned(),
            from: from.to_string(),
        });
    }

    /// Tells every setting that was given and is not told yet, and the defaults a person may wonder about.
    fn tell_rest(&mut self) {
        for setting in table::SETTINGS {
            if self.told.iter().any(|told| told.name == setting.name) {
                continue;
            }
            let given = self.levels.all(setting.name);
            let (value, from) = match (given.first(), usual(setting.name)) {
                (Some(first), _) if setting.sort == table::Sort::Switch => {
                    let is_flag = matches!(first.from, Source::Flag(_));
                    let is_on = is_flag || values::switch(&first.text) == Some(true);
                    (
                        if is_on { "on" } else { "off" }.to_owned(),
                        first.from.clone(),
                    )
                }
                (Some(first), _) => (self.list(setting.name).join(","), first.from.clone()),
                (None, Some(usual)) => (usual.to_owned(), Source::Default),
                (None, None) => continue,
            };
            self.tell(setting.name, &value, &from);
        }
    }
}

/// What holds where nothing was given, for the settings whose absence is not plain by itself.
fn usual(name: &str) -> Option<&'static str> {
    match name {
        "request-timeout" => Some("20s"),
        "views" => Some("auto"),
        "log-level" => Some("error"),
        _ => None,
    }
}

fn refused(given: &Given, expected: &'static str) -> SettingsError {
    SettingsError::Value {
        from: given.from.clone(),
        value: given.text.clone(),
        expected,
    }
}

/// The configuration file: the one that is named, else the usual one if it is there.
fn config_file(
    levels: &Levels,
    home: Option<&str>,
    problems: &mut Vec<SettingsError>,
) -> Option<ConfigFile> {
    let named = levels
        .one("config")
        .map(|given| values::path(&given.text, home));
    let is_named = named.is_some();
    let path = named.or_else(|| Some(Path::new(home?).join(".config/bb/config.json")))?;
    match ConfigFile::read(&path, problems) {
        Ok(file) => Some(file),
        // Below a home folder that is a file there is no usual configuration file either.
        Err(error)
            if !is_named
                && matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
        {
            None
        }
        Err(error) => {
            problems.push(file::unreadable(&path, &error));
            None
        }
    }
}
