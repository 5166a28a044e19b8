//! What can be wrong with the settings, one phrase each.
//!
//! Never holds a secret: a value that may carry one is not kept. Start reading at [`SettingsError`].

use crate::settings::levels::Source;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// One thing wrong with the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// A variable's bytes are not text.
    NotText {
        /// The variable.
        variable: String,
    },
    /// Nobody said where Bitbucket is.
    NoHost,
    /// The configuration file has several hosts and none was chosen.
    SeveralHosts {
        /// The configuration file.
        file: PathBuf,
        /// The hosts as they are written there.
        hosts: Vec<String>,
    },
    /// The base address cannot be used.
    Host {
        /// Where it was given.
        from: Source,
        /// What is accepted, or what is wrong.
        reason: String,
    },
    /// Credentials would travel unencrypted to another machine.
    PlainHttp {
        /// Where the address was given.
        from: Source,
        /// The host.
        host: String,
    },
    /// A value outside what is accepted.
    Value {
        /// Where it was given.
        from: Source,
        /// The value.
        value: String,
        /// What is accepted.
        expected: &'static str,
    },
    /// A file that is named but cannot be read.
    File {
        /// Where it was named.
        from: Source,
        /// The file.
        path: PathBuf,
        /// What stopped it.
        trouble: String,
    },
    /// A token's file that others may read.
    TokenFileIsOpen {
        /// Where it was named.
        from: Source,
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// A token or password that cannot be sent.
    Secret {
        /// Where it was given.
        from: Source,
        /// What is wrong with it, without showing it.
        trouble: &'static str,
    },
    /// Two ways to say who asks, equally strong.
    TwoKinds {
        /// One of them.
        one: String,
        /// The other.
        other: String,
    },
    /// A user name without a password, or the other way round.
    HalfBasic {
        /// The variable that is set.
        set: &'static str,
        /// The variable that is not.
        missing: &'static str,
    },
    /// A key, but no certificate.
    KeyWithoutCertificate {
        /// Where the key was given.
        from: Source,
    },
    /// A proxy that cannot be understood. Its value may hold a password and is not kept.
    Proxy {
        /// Where it was given.
        from: Source,
        /// What is wrong with it.
        trouble: String,
    },
    /// git knew nobody, or could not be asked.
    Git {
        /// The address it was asked about.
        address: String,
        /// What stopped it.
        trouble: String,
    },
    /// The configuration file as a whole, or one place in it.
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its place.
        trouble: String,
    },
}

impl SettingsError {
    /// Whether it is about one setting, and all others are known.
    pub fn is_of_one(&self) -> bool {
        !matches!(
            self,
            Self::NotText { .. } | Self::SeveralHosts { .. } | Self::Config { .. }
        )
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText { variable } => {
                write!(f, "cannot use {variable}: its value is not UTF-8 text")
            }
            Self::NoHost => f.write_str(
                "cannot tell which Bitbucket to ask: give --host URL, or set BITBUCKET_URL",
            ),
            Self::SeveralHosts { file, hosts } => write!(
                f,
                "cannot tell which Bitbucket to ask: `{}` has {}; give one of them with --host URL or BITBUCKET_URL",
                shown(file),
                quoted(hosts)
            ),
            Self::Host { from, reason } => write!(f, "cannot use {from}: {reason}"),
            Self::PlainHttp { from, host } => write!(
                f,
                "cannot use {from}: credentials would travel to `{host}` unencrypted; use https, or allow it with \
                 --allow-http or BB_ALLOW_HTTP=1"
            ),
            Self::Value {
                from,
                value,
                expected,
            } => {
                write!(
                    f,
                    "cannot use {from} `{}`: expected {expected}",
                    one_line(value)
                )
            }
            Self::File {
                from,
                path,
                trouble,
            } => {
                write!(f, "cannot read `{}` of {from}: {trouble}", shown(path))
            }
            Self::TokenFileIsOpen { from, path, mode } => write!(
                f,
                "cannot use `{path}` of {from}: others may read it (its mode is {mode:04o}); run `chmod 600 {path}`",
                path = shown(path)
            ),
            Self::Secret { from, trouble } => write!(f, "cannot use {from}: {trouble}"),
            Self::TwoKinds { one, other } => {
                write!(
                    f,
                    "cannot tell who asks: {one} and {other} are both given; keep one of them"
                )
            }
            Self::HalfBasic { set, missing } => {
                write!(
                    f,
                    "cannot use {set}: {missing} is not set; set both or neither"
                )
            }
            Self::KeyWithoutCertificate { from } => write!(
                f,
                "cannot use {from}: there is no certificate for it; give --client-cert or BB_CLIENT_CERT"
            ),
            Self::Proxy { from, trouble } => write!(
                f,
                "cannot use {from}: {trouble}; expected `http://`, `https://` or `socks5://` with a host and a port, \
                 or `none`"
            ),
            Self::Git { address, trouble } => {
                write!(
                    f,
                    "cannot get credentials for `{address}` from git: {trouble}"
                )
            }
            Self::Config { path, trouble } => {
                write!(f, "cannot use `{}`: {trouble}", shown(path))
            }
        }
    }
}

impl std::error::Error for SettingsError {}

/// What stopped the reading of a file, in words.
pub fn io_trouble(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "this user may not read it".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
        _ => one_line(&error.to_string()),
    }
}

/// Texts in backticks, joined by commas.
pub fn quoted(texts: &[String]) -> String {
    let each: Vec<String> = texts
        .iter()
        .map(|text| format!("`{}`", one_line(text)))
        .collect();
    each.join(", ")
}

/// A path fit for a phrase, whole: control characters shown as escapes.
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().chars().flat_map(escaped).collect()
}

/// A value fit for a phrase: control characters shown as escapes, at most 80 characters.
fn one_line(text: &str) -> String {
    let mut shown: String = text.chars().take(80).flat_map(escaped).collect();
    if text.chars().count() > 80 {
        shown.push_str("...");
    }
    shown
}

fn escaped(c: char) -> Vec<char> {
    if c.is_control() {
        c.escape_default().collect()
    } else {
        vec![c]
    }
}
