//! What a person may paste for a project, a repository or a pull request.
//!
//! Never asks Bitbucket: the text alone decides. Never repeats a name or password that stands before a host. Start reading at [`Given::read`].

use super::path::decode;
use super::{BaseUrl, host_in_one_spelling, split_port, split_scheme};
use crate::clean;

/// The most characters that a phrase repeats of what was given.
const MAX_SHOWN_CHARS: usize = 200;

/// What a pasted text names; what it does not name is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// A project key in upper case, or a personal project as `~user` in lower case.
    pub project: Option<String>,
    /// A repository's slug, as it was written.
    pub repo: Option<String>,
    /// A pull request's number.
    pub id: Option<u64>,
}

impl Given {
    /// Reads `https://host/context/projects/KEY/repos/slug/pull-requests/7`, anything below or
    /// above that, the same under `/users/name`, a clone address under `/scm`, `KEY/slug`,
    /// `~user/slug`, or a key alone.
    ///
    /// # Errors
    /// A phrase that says what was found: an address on another host, or a text that is none of
    /// these.
    pub fn read(text: &str, base: &BaseUrl) -> Result<Self, String> {
        let text = text.trim();
        if text.contains("://") {
            return Self::from_address(text, base);
        }
        let mut pieces = text.split('/');
        let (key, repo, rest) = (pieces.next(), pieces.next(), pieces.next());
        let project = project_key(key.unwrap_or_default())?;
        match (repo, rest) {
            (None, _) => Ok(Self {
                project: Some(project),
                ..Self::default()
            }),
            (Some(repo), None) => Ok(Self {
                project: Some(project),
                repo: Some(slug(repo)?),
                id: None,
            }),
            (Some(_), Some(_)) => Err(format!(
                "`{}` is neither `KEY/slug` nor an address on {base}",
                shown(text)
            )),
        }
    }

    fn from_address(text: &str, base: &BaseUrl) -> Result<Self, String> {
        let not_ours = || format!("`{}` is not an address on {base}", shown(text));
        let (scheme, rest) = split_scheme(text).ok_or_else(not_ours)?;
        let rest = without_query(rest);
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        // A name before the host is what clone addresses have; it says nothing about where the
        // thing is.
        let authority = authority.rsplit('@').next().unwrap_or_default();
        let (host, port) = split_port(authority).map_err(|_| not_ours())?;
        let host = host_in_one_spelling(host).map_err(|_| not_ours())?;
        let port = port.unwrap_or_else(|| scheme.default_port());
        let is_same_port = port == base.port()
            || (port == scheme.default_port() && base.port() == base.scheme().default_port());
        if host != base.host() || !is_same_port {
            return Err(format!(
                "`{host}` is another host than the configured {base}"
            ));
        }
        let below = path.strip_prefix(base.context()).ok_or_else(not_ours)?;
        let pieces: Vec<String> = below
            .split('/')
            .filter(|p| !p.is_empty())
            .map(decode)
            .collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        Self::from_pieces(&pieces).unwrap_or_else(|| {
            Err(format!(
                "`{}` names no project, repository or pull request",
                shown(text)
            ))
        })
    }

    fn from_pieces(pieces: &[&str]) -> Option<Result<Self, String>> {
        let (project, rest) = match pieces {
            ["projects", key, rest @ ..] => ((*key).to_owned(), rest),
            ["users", user, rest @ ..] => (format!("~{user}"), rest),
            ["scm", key, repo] => {
                return Some(Self::of(
                    key,
                    Some(repo.strip_suffix(".git").unwrap_or(repo)),
                    None,
                ));
            }
            _ => return None,
        };
        Some(match rest {
            ["repos", repo, "pull-requests", id, ..] => {
                Self::of(&project, Some(repo), id.parse().ok())
            }
            ["repos", repo, ..] => Self::of(&project, Some(repo), None),
            _ => Self::of(&project, None, None),
        })
    }

    fn of(project: &str, repo: Option<&str>, id: Option<u64>) -> Result<Self, String> {
        Ok(Self {
            project: Some(project_key(project)?),
            repo: repo.map(slug).transpose()?,
            id,
        })
    }
}

/// Brings a project key into the spelling that keys are compared in: upper case, a personal `~user`
/// in lower case.
///
/// # Errors
/// A phrase, when the text has signs that no key has.
pub fn project_key(text: &str) -> Result<String, String> {
    let text = text.trim();
    let (name, is_personal) = match text.strip_prefix('~').or_else(|| text.strip_prefix("%7E")) {
        Some(name) => (name, true),
        None => (text, false),
    };
    if !is_name(name) {
        return Err(format!(
            "`{}` is no project key: a key is letters, digits and `_-.`, a personal project is `~user`",
            shown(text)
        ));
    }
    Ok(if is_personal {
        format!("~{}", name.to_lowercase())
    } else {
        name.to_uppercase()
    })
}

fn slug(text: &str) -> Result<String, String> {
    if is_name(text) {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "`{}` is no repository: a slug is letters, digits and `_-.`",
            shown(text)
        ))
    }
}

fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    !text.is_empty() && text != "." && text != ".." && text.chars().all(fits)
}

/// What was given, for a phrase: one line, without a query and without what stands before an `@`, which may be a
/// password.
fn shown(text: &str) -> String {
    let text = without_query(text);
    let from = text.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = text.split_at(from);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    clean::line(&format!("{scheme}{rest}"), MAX_SHOWN_CHARS)
}

fn without_query(text: &str) -> &str {
    text.split(['?', '#']).next().unwrap_or_default()
}
