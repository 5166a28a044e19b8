//! Flags, variables and the configuration file read into values, checked once.
//!
//! Never prints a secret and never opens a socket. Start reading at [`Settings::read`]; `table` lists all of them.

pub mod authority;
pub mod credentials;
pub mod error;
pub mod file;
pub mod git;
pub mod levels;
pub mod no_proxy;
pub mod proxy;
mod reader;
pub mod table;
pub mod values;

pub use error::SettingsError;
pub use levels::{Environment, Flags};
pub use values::{AuditFailure, LogLevel, ScopeEntry, Views};

use crate::bitbucket::connection::{ClientFiles, Connection};
use git::Git;
use levels::{Given, Levels};
use reader::Reader;
use std::path::PathBuf;
use std::time::Duration;

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
    /// Hosts that no view of a manifest may reach.
    pub reserved_hosts: Vec<String>,
    /// Each setting as a person may see it, and where it came from.
    pub told: Vec<Told>,
}

/// What judges and keeps a team's manifests.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    /// Where approvals are kept; `None` where there is no home folder.
    pub state_dir: Option<PathBuf>,
    /// Hosts that no view may reach.
    pub reserved_hosts: Vec<String>,
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

/// What can be judged of settings that are refused, so that all that is wrong is told at once.
#[derive(Clone, Debug)]
pub struct Local {
    /// What there is to offer.
    pub offer: Offer,
    /// The files that are opened, for a command that opens any.
    pub files: Option<Files>,
}

/// Files that are there, whatever is in them.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Where calls are recorded; this one may not be there yet.
    pub audit: Option<PathBuf>,
    /// A PEM bundle.
    pub ca_file: Option<PathBuf>,
    /// A certificate and its key.
    pub client: Option<ClientFiles>,
}

/// What there is to offer a client: bb's own tools, or an approved manifest's.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    /// Which of them may run.
    pub exposure: Exposure,
    /// The manifest's id.
    pub manifest: Option<String>,
    /// Where it is kept.
    pub manifests: Manifests,
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
    /// The flag without dashes, or `credentials`.
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
        let host = reader.host();
        let base = host.and_then(|given| reader.base(given));
        let proxy = proxy::choose(&reader.levels, env, base.as_ref(), &mut reader.problems);
        reader.tell("proxy", &proxy.told, &proxy.from);
        let ca_file = reader.readable("ca-file");
        let client = reader.client();
        let plain = reader.plain();
        let exposure = reader.exposure();
        let state_dir = reader.state_dir();
        let reserved_hosts = reader.reserved_hosts();
        // Last, because git is asked only for settings that are otherwise sound.
        let credentials = reader.credentials(env, base.as_ref(), git);
        let told = reader.end()?;
        // With no problem found there is an address.
        let base = base.ok_or_else(|| vec![SettingsError::NoHost])?;
        Ok(Self {
            connection: Connection {
                base,
                credentials,
                ca_file,
                client,
                proxy: proxy.proxy,
                request_timeout: plain.request_timeout,
            },
            views: plain.views,
            log_level: plain.log_level,
            exposure,
            audit: plain.audit,
            highlight: plain.highlight,
            manifest: plain.manifest,
            state_dir,
            reserved_hosts,
            told,
        })
    }

    /// Reads what decides which tools are exposed, for a command that asks Bitbucket nothing.
    ///
    /// # Errors
    /// Every problem there is with these settings.
    pub fn read_offer(flags: &Flags, env: Environment) -> Result<Offer, Vec<SettingsError>> {
        let mut reader = Reader::new(flags, env);
        reader.choose_only_host();
        let offer = reader.offer();
        reader.end()?;
        Ok(offer)
    }

    /// What can be judged of settings that are refused; `None` where it cannot be told which of them hold.
    pub fn local(flags: &Flags, env: Environment) -> Option<Local> {
        let mut reader = Reader::new(flags, env);
        reader.choose_only_host();
        if !reader.problems.iter().all(SettingsError::is_of_one) {
            return None;
        }
        let files = Files {
            audit: reader.plain().audit.file,
            ca_file: reader.readable("ca-file"),
            client: reader.client(),
        };
        Some(Local {
            offer: reader.offer(),
            files: Some(files),
        })
    }

    /// Reads what judges and keeps a team's manifests, for a command that asks Bitbucket nothing.
    ///
    /// # Errors
    /// Every problem there is with these settings.
    pub fn read_manifests(
        flags: &Flags,
        env: Environment,
    ) -> Result<Manifests, Vec<SettingsError>> {
        let mut reader = Reader::new(flags, env);
        // Only where approvals are kept is a host's own.
        match reader.hosts_say("state-dir") {
            true => drop(reader.choose_only_host()),
            false => drop(reader.choose_host()),
        }
        let manifests = reader.manifests();
        reader.end()?;
        Ok(manifests)
    }

    /// What was given, with the address it is about, for a command that only writes settings down: no credential is
    /// opened, no file but the configuration's is looked at, and a missing address is none rather than a problem.
    ///
    /// # Errors
    /// Every problem that can be seen without those.
    pub fn given(
        flags: &Flags,
        env: Environment,
    ) -> Result<(Levels, Option<Given>), Vec<SettingsError>> {
        let mut reader = Reader::new(flags, env);
        let host = match reader.has_host() {
            true => reader.host(),
            false => None,
        };
        let base = host.clone().and_then(|given| reader.base(given));
        proxy::choose(&reader.levels, env, base.as_ref(), &mut reader.problems);
        reader.plain();
        reader.exposure();
        credentials::choose(&reader.levels, env, &mut reader.problems);
        let levels = reader.levels.clone();
        reader.end()?;
        Ok((levels, host))
    }
}

#[cfg(test)]
mod tests;
