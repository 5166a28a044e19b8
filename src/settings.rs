//! Flags, variables and the configuration file read into values, checked once.
//!
//! Never prints a secret and never opens a socket. Start reading at [`Settings::read`]; `table` lists all of them.

pub mod credentials;
pub mod error;
pub mod file;
pub mod git;
pub mod levels;
pub mod no_proxy;
pub mod origin;
pub mod proxy;
pub mod table;
pub mod values;

pub use error::SettingsError;
pub use levels::{Environment, Flags};
pub use values::{AuditFailure, LogLevel, ScopeEntry, Views};

use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::{ClientFiles, Connection};
use file::ConfigFile;
use git::Git;
use levels::{Given, Levels, Source};
use origin::Origin;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One request, from resolving the name to the last byte of the body.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// How long code may be colored, a result.
const HIGHLIGHT_DEADLINE: Duration = Duration::from_millis(200);

/// All that `serve` is told, every value checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How to reach Bitbucket.
    pub connection: Connection,
    /// When views are offered.
    pub views: Views,
    /// How much is told on stderr.
    pub log_level: LogLevel,
    /// Which tools may run, and on what.
    pub exposure: Exposure,
    /// What is recorded of each call.
    pub audit: Audit,
    /// How code is colored.
    pub highlight: Highlight,
    /// The team's manifest that is served instead of bb's own tools.
    pub manifest: Option<String>,
    /// Where approvals are kept; `None` where there is no home folder.
    pub state_dir: Option<PathBuf>,
    /// Each setting as a person may see it, and where it came from.
    pub told: Vec<Told>,
}

/// Which tools may run, and on what.
#[derive(Clone, Debug, Default)]
pub struct Exposure {
    /// The projects and repositories within reach; empty is all of them.
    pub scope: Vec<ScopeEntry>,
    /// The tools and groups that are exposed; empty is all of them.
    pub tools: Vec<String>,
    /// The tools that are withheld, whatever `tools` says.
    pub exclude: Vec<String>,
    /// Only tools that read.
    pub read_only: bool,
    /// Tools that ask do not ask.
    pub no_confirm: bool,
}

/// What is recorded of each call.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// The file that lines are appended to.
    pub file: Option<PathBuf>,
    /// What becomes of a writing call that cannot be recorded.
    pub failure: AuditFailure,
}

/// How code is colored.
#[derive(Clone, Debug)]
pub struct Highlight {
    /// How long it may take, a result; zero is off.
    pub deadline: Duration,
    /// Whether the grammars of templates are used too.
    pub templates: bool,
}

/// One setting as a person may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The flag without dashes, or the variable of a secret.
    pub name: String,
    /// The value; a secret is `(hidden)`.
    pub value: String,
    /// The flag, variable or file that gave it, or `default`.
    pub from: String,
}

impl Settings {
    /// Reads everything, opens the token's file and asks git where that is wanted.
    ///
    /// # Errors
    /// Every problem there is, not only the first.
    pub fn read(flags: &Flags, env: Environment) -> Result<Self, Vec<SettingsError>> {
        Self::read_with(flags, env, &Git::default())
    }

    fn read_with(flags: &Flags, env: Environment, git: &Git) -> Result<Self, Vec<SettingsError>> {
        let mut reader = Reader::new(flags, env);
        let given_host = reader.host();
        let host = given_host.and_then(|given| reader.base(given));
        let kind = credentials::choose(&reader.levels, env, &mut reader.problems);
        let who = kind.as_ref().map(|kind| kind.from().to_string());
        let exposure = reader.exposure();
        let connection = host.and_then(|(base, origin)| {
            let proxy = proxy::choose(&reader.levels, env, &origin, &mut reader.problems);
            reader.tell("proxy", &proxy.told, &proxy.from);
            let home = reader.home.as_deref();
            let obtained = kind
                .map(|kind| credentials::obtain(kind, &origin, home, git))
                .transpose();
            let credentials = obtained
                .map_err(|problem| reader.problems.push(problem))
                .ok()?;
            Some((base, credentials, proxy.proxy))
        });
        let ca_file = reader.readable("ca-file");
        let client = reader.client();
        let request_timeout = reader.duration(
            "request-timeout",
            REQUEST_TIMEOUT,
            Duration::from_millis(100)..=Duration::from_secs(600),
            "a duration from 100ms to 10m, such as `20s`",
        );
        let views = reader.word("views", Views::ACCEPTED, Views::parse);
        let log_level = reader.word("log-level", LogLevel::ACCEPTED, LogLevel::parse);
        let audit = reader.audit();
        let highlight = reader.highlight();
        let manifest = reader
            .levels
            .one("manifest")
            .map(|given| given.text.clone());
        let state_dir = reader
            .path("state-dir")
            .or_else(|| reader.in_home(".local/state/bb"));
        reader.tell_all(who);
        let told = reader.end()?;
        // With no problem found there is a host, and whatever it needs.
        let Some((base, credentials, proxy)) = connection else {
            return Err(vec![SettingsError::NoHost]);
        };
        let connection = Connection {
            base,
            credentials,
            ca_file,
            client,
            proxy,
            request_timeout,
        };
        Ok(Self {
            connection,
            views,
            log_level,
            exposure,
            audit,
            highlight,
            manifest,
            state_dir,
            told,
        })
    }

    /// Reads what decides which tools are exposed, for a command that asks Bitbucket nothing.
    ///
    /// # Errors
    /// Every problem there is with these settings.
    pub fn read_exposure(flags: &Flags, env: Environment) -> Result<Exposure, Vec<SettingsError>> {
        let mut reader = Reader::new(flags, env);
        reader.choose_host();
        let exposure = reader.exposure();
        reader.end()?;
        Ok(exposure)
    }
}

/// What is being read: the levels, and what was found so far.
struct Reader {
    levels: Levels,
    file: Option<ConfigFile>,
    home: Option<String>,
    problems: Vec<SettingsError>,
    told: Vec<Told>,
}

impl Reader {
    fn new(flags: &Flags, env: Environment) -> Self {
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
    fn end(mut self) -> Result<Vec<Told>, Vec<SettingsError>> {
        self.problems.extend(self.levels.not_yet());
        if self.problems.is_empty() {
            Ok(self.told)
        } else {
            Err(self.problems)
        }
    }

    /// The address that was given; without one, the only one of the configuration file.
    fn host(&mut self) -> Option<Given> {
        let chosen = self.choose_host();
        let is_ambiguous = self
            .file
            .as_ref()
            .is_some_and(|file| file.hosts().len() > 1);
        if chosen.is_none() {
            let several = self.file.as_ref().filter(|_| is_ambiguous);
            self.problems
                .push(
                    several.map_or(SettingsError::NoHost, |file| SettingsError::SeveralHosts {
                        file: file.path.clone(),
                        hosts: file.hosts(),
                    }),
                );
        }
        chosen
    }

    /// Chooses a host and lays what the configuration file says of it under flags and variables.
    fn choose_host(&mut self) -> Option<Given> {
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

    fn base(&mut self, given: Given) -> Option<(BaseUrl, Origin)> {
        let accepted = "expected an http or https address with a host, such as https://code.example.com/bitbucket";
        let base = BaseUrl::parse(&given.text);
        let origin = Origin::parse(&given.text);
        let (base, origin) = match (base, origin) {
            (Ok(base), Some(origin)) => (base, origin),
            (Err(reason), _) => {
                self.problems.push(SettingsError::Host {
                    from: given.from,
                    reason,
                });
                return None;
            }
            (Ok(_), None) => {
                self.problems.push(SettingsError::Host {
                    from: given.from,
                    reason: accepted.to_owned(),
                });
                return None;
            }
        };
        self.tell("host", &given.text, &given.from);
        let is_allowed = self.switch("allow-http");
        if origin.scheme == "http" && !origin.is_loopback() && !is_allowed {
            self.problems.push(SettingsError::PlainHttp {
                from: given.from,
                host: origin.host,
            });
            return None;
        }
        Some((base, origin))
    }

    fn exposure(&mut self) -> Exposure {
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

    fn audit(&mut self) -> Audit {
        Audit {
            file: self.path("audit-file"),
            failure: self.word("audit-failure", AuditFailure::ACCEPTED, AuditFailure::parse),
        }
    }

    fn highlight(&mut self) -> Highlight {
        Highlight {
            deadline: self.duration(
                "highlight-deadline",
                HIGHLIGHT_DEADLINE,
                Duration::ZERO..=Duration::from_secs(10),
                "a duration up to 10s, such as `200ms`, or `0` for no colors",
            ),
            templates: self.switch("highlight-templates"),
        }
    }

    fn client(&mut self) -> Option<ClientFiles> {
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
    fn readable(&mut self, name: &str) -> Option<PathBuf> {
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

    fn in_home(&self, below: &str) -> Option<PathBuf> {
        Some(Path::new(self.home.as_deref()?).join(below))
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

    fn tell(&mut self, name: &str, value: &str, from: &Source) {
        self.told.push(Told {
            name: name.to_owned(),
            value: value.to_owned(),
            from: from.to_string(),
        });
    }

    /// Tells every setting that was given and is not told yet, and the defaults a person may wonder about.
    fn tell_all(&mut self, who: Option<String>) {
        let credentials = if who.is_some() {
            "(hidden)"
        } else {
            "none: requests are anonymous"
        };
        self.told.push(Told {
            name: "credentials".to_owned(),
            value: credentials.to_owned(),
            from: who.unwrap_or_else(|| Source::Default.to_string()),
        });
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

#[cfg(test)]
mod tests;
