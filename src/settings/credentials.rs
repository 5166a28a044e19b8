//! Who asks: the first level that names anybody, and one kind only at that level.
//!
//! Never shows a token or password, not even its length. Start reading at [`choose`].

use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::Credentials;
use crate::secret::Secret;
use crate::settings::error::{BYTE_ORDER_MARK, MARKED, SettingsError, io_trouble};
use crate::settings::git::Git;
use crate::settings::levels::{Environment, Given, Levels, Source, read_variable};
use crate::settings::values;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The variable of the token.
pub const TOKEN: &str = "BITBUCKET_TOKEN";
/// The variable of the user name.
pub const USERNAME: &str = "BITBUCKET_USERNAME";
/// The variable of the password.
pub const PASSWORD: &str = "BITBUCKET_PASSWORD";

/// Tokens have some dozens of characters; a log named by mistake is not read to its end.
const MAX_TOKEN_BYTES: u64 = 16 * 1024;

/// Credentials that can be sent, or why they cannot.
type Checked = Result<Credentials, &'static str>;

/// One way to say who asks, as it was given and before anything is opened or asked.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The token itself.
    Token(Checked),
    /// The token's file.
    TokenFile(Given),
    /// A user name and a password.
    Basic(Checked),
    /// git's credential helpers.
    Git(Source),
}

impl Kind {
    /// Where it was given, for a phrase.
    pub fn from(&self) -> Source {
        match self {
            Self::Token(_) => Source::Variable(TOKEN.to_owned()),
            Self::TokenFile(given) => given.from.clone(),
            Self::Basic(_) => Source::Variable(format!("{USERNAME} and {PASSWORD}")),
            Self::Git(from) => from.clone(),
        }
    }
}

/// The kind that the first level with any gives. Problems are added to `problems`.
pub fn choose(
    levels: &Levels,
    env: Environment,
    problems: &mut Vec<SettingsError>,
) -> Option<Kind> {
    let token_file = levels.one("token-file");
    let git = levels.one("git-credentials").filter(|given| is_on(given));
    let is_flag = |given: &&Given| matches!(given.from, Source::Flag(_));
    let is_variable = |given: &&Given| matches!(given.from, Source::Variable(_));
    let is_file = |given: &&Given| matches!(given.from, Source::File { .. });

    let at = |is_level: &dyn Fn(&&Given) -> bool| {
        let mut kinds = Vec::new();
        kinds.extend(token_file.filter(is_level).cloned().map(Kind::TokenFile));
        kinds.extend(
            git.filter(is_level)
                .map(|given| Kind::Git(given.from.clone())),
        );
        kinds
    };
    let mut kinds = at(&is_flag);
    if kinds.is_empty() {
        let (own, is_broken) = of_variables(env, problems);
        kinds = own;
        kinds.extend(at(&is_variable));
        if is_broken {
            return None;
        }
    }
    if kinds.is_empty() {
        kinds = at(&is_file);
    }
    if let [one, other, ..] = kinds.as_slice() {
        problems.push(SettingsError::TwoKinds {
            one: one.from().to_string(),
            other: other.from().to_string(),
        });
        return None;
    }
    kinds.pop()
}

/// The kinds that only variables give, and whether one of them is broken.
fn of_variables(env: Environment, problems: &mut Vec<SettingsError>) -> (Vec<Kind>, bool) {
    let before = problems.len();
    let mut kinds = Vec::new();
    if let Some(token) = read_variable(env, TOKEN, problems) {
        kinds.push(Kind::Token(sendable(token)));
    }
    let username = read_variable(env, USERNAME, problems);
    let password = read_variable(env, PASSWORD, problems);
    if problems.len() == before {
        match (username, password) {
            (Some(username), Some(password)) => {
                kinds.push(Kind::Basic(basic(username, password)));
            }
            (Some(_), None) => problems.push(SettingsError::HalfBasic {
                set: USERNAME,
                missing: PASSWORD,
            }),
            (None, Some(_)) => problems.push(SettingsError::HalfBasic {
                set: PASSWORD,
                missing: USERNAME,
            }),
            (None, None) => {}
        }
    }
    (kinds, problems.len() > before)
}

fn is_on(given: &Given) -> bool {
    matches!(given.from, Source::Flag(_)) || values::switch(&given.text) == Some(true)
}

/// Opens the token's file, asks git, and checks that what came can be sent. Without an address git is not asked.
///
/// # Errors
/// What stopped it.
pub fn obtain(
    kind: Kind,
    base: Option<&BaseUrl>,
    home: Option<&str>,
    git: &Git,
) -> Result<Option<Credentials>, SettingsError> {
    let from = kind.from();
    let credentials = match kind {
        Kind::Token(checked) | Kind::Basic(checked) => checked,
        Kind::TokenFile(given) => {
            let path = values::path(&given.text, home);
            sendable(read_token(&path, &given.from)?)
        }
        Kind::Git(_) => {
            let Some(base) = base else {
                return Ok(None);
            };
            let unanswered = |trouble| SettingsError::Git {
                address: base.origin(),
                trouble,
            };
            let (username, password) = git.ask(base).map_err(unanswered)?;
            basic(username, password)
        }
    };
    credentials
        .map(Some)
        .map_err(|trouble| SettingsError::Secret { from, trouble })
}

fn basic(username: String, password: String) -> Checked {
    if username.contains(':') {
        return Err("a user name with a `:` cannot be sent");
    }
    if username
        .chars()
        .chain(password.chars())
        .any(char::is_control)
    {
        return Err("its user name or password holds a line break or another control character");
    }
    let password = Secret::new(password);
    Ok(Credentials::Basic { username, password })
}

fn sendable(token: String) -> Checked {
    if token.is_empty() {
        return Err("the token is empty");
    }
    if token.contains(['\n', '\r']) {
        return Err("the token has more than one line");
    }
    if !token.chars().all(|c| c.is_ascii_graphic()) {
        return Err("the token holds a blank or a character that cannot be sent in a header");
    }
    Ok(Credentials::Token(Secret::new(token)))
}

/// A token's file without its final line break.
fn read_token(path: &Path, from: &Source) -> Result<String, SettingsError> {
    let unread = |trouble: String| SettingsError::File {
        from: from.clone(),
        path: path.to_owned(),
        trouble,
    };
    let stopped = |error: io::Error| unread(io_trouble(&error));
    // Opening a pipe that nobody writes to would wait for ever.
    if !fs::metadata(path).map_err(stopped)?.is_file() {
        return Err(unread("it is not a regular file".to_owned()));
    }
    let file = File::open(path).map_err(stopped)?;
    let metadata = file.metadata().map_err(stopped)?;
    refuse_open_mode(&metadata, path, from)?;
    if metadata.len() > MAX_TOKEN_BYTES {
        return Err(unread("it is over 16 KiB, which is no token".to_owned()));
    }
    let mut text = String::new();
    file.take(MAX_TOKEN_BYTES)
        .read_to_string(&mut text)
        .map_err(stopped)?;
    if text.starts_with(BYTE_ORDER_MARK) {
        return Err(unread(MARKED.to_owned()));
    }
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

#[cfg(unix)]
fn refuse_open_mode(
    metadata: &fs::Metadata,
    path: &Path,
    from: &Source,
) -> Result<(), SettingsError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = metadata.permissions().mode() & 0o7777;
    // Whoever may write it could put another token there, so that is refused with reading.
    if mode & 0o066 == 0 {
        return Ok(());
    }
    Err(SettingsError::TokenFileIsOpen {
        from: from.clone(),
        path: path.to_owned(),
        mode,
    })
}

#[cfg(not(unix))]
fn refuse_open_mode(_: &fs::Metadata, _: &Path, _: &Source) -> Result<(), SettingsError> {
    Ok(())
}
