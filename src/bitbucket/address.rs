//! Addresses: the base, what is asked below it, and what a person may paste.
//!
//! Never opens a connection and never guesses: a text that could mean two things is refused.
//! Start reading at [`BaseUrl`]; [`Path`] builds what is asked, [`Given`] reads what was pasted.

mod given;
mod path;

pub use given::{Given, project_key};
pub use path::Path;
pub(crate) use path::decode;

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Where Bitbucket is: scheme, host, port and context path, in one spelling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BaseUrl {
    scheme: Scheme,
    /// Lower case; an IPv6 address keeps its brackets.
    host: String,
    port: u16,
    /// Empty, or begins with a slash and ends without one.
    context: String,
}

/// How an address is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// In the clear.
    Http,
    /// Inside TLS.
    Https,
}

impl Scheme {
    /// `http` or `https`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// The port that an address without one means.
    pub fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// What every refusal of a base address ends with.
const ACCEPTED: &str =
    "expected an http or https address with a host, such as `https://code.example.com/bitbucket`";

impl BaseUrl {
    /// Reads a base address; the error is a phrase that says what is accepted and never repeats
    /// user information.
    ///
    /// # Errors
    /// The text is not an http or https address with a host, or has user information, a query or a
    /// fragment.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (scheme, rest) = split_scheme(text).ok_or_else(|| ACCEPTED.to_owned())?;
        if rest.contains(['?', '#']) {
            return Err(format!("the address has a query or a fragment; {ACCEPTED}"));
        }
        let (authority, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        if authority.contains('@') {
            return Err(format!(
                "the address has a user name in it; {ACCEPTED}, and credentials in their own settings"
            ));
        }
        let (host, port) = split_port(authority)?;
        let port = port.unwrap_or_else(|| scheme.default_port());
        Ok(Self {
            scheme,
            host: host_in_one_spelling(host)?,
            port,
            context: context_in_one_spelling(path)?,
        })
    }

    /// How it is spoken to.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The host in lower case; an IPv6 address keeps its brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, the scheme's own if the address names none.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The path that the instance lives under: empty, or with a leading slash and no trailing one.
    pub fn context(&self) -> &str {
        &self.context
    }

    /// Whether the host is this machine: `localhost`, a name below it, or a loopback address.
    pub fn is_loopback(&self) -> bool {
        let host = self.host.trim_end_matches('.');
        if host == "localhost" || host.ends_with(".localhost") {
            return true;
        }
        if let Some(inner) = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')) {
            return inner.parse::<Ipv6Addr>().is_ok_and(|ip| ip.is_loopback());
        }
        host.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// Scheme, host and port, without the context path: `https://code.example.com`.
    pub fn origin(&self) -> String {
        if self.port == self.scheme.default_port() {
            format!("{}://{}", self.scheme.as_str(), self.host)
        } else {
            format!("{}://{}:{}", self.scheme.as_str(), self.host, self.port)
        }
    }

    /// The whole address of `path` below this base.
    pub fn join(&self, path: &Path) -> String {
        format!("{}{}{}", self.origin(), self.context, path)
    }

    /// Whether `address` is a web address on this host, whatever its port and its scheme.
    pub fn has(&self, address: &str) -> bool {
        split_scheme(address).is_some_and(|(_, rest)| {
            let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
            split_port(authority)
                .ok()
                .and_then(|(host, _)| host_in_one_spelling(host).ok())
                .is_some_and(|host| host == self.host())
        })
    }

    /// The address that Bitbucket gives for a page, if it is a web address on this host; else the one built here.
    pub fn page_or(&self, given: Option<&String>, built: String) -> String {
        let given = given.filter(|address| self.has(address));
        given.cloned().unwrap_or(built)
    }

    /// Where a person sees a repository.
    ///
    /// Source: `links.self` of a repository: `/projects/KEY/repos/slug/browse`, personal ones
    /// `/users/slug/...`.
    pub fn repository_page(&self, project: &str, repo: &str) -> String {
        self.join(&repository(project, repo).segment("browse"))
    }

    /// Where a person sees the files of a branch, by its full name.
    pub fn branch_page(&self, project: &str, repo: &str, branch: &str) -> String {
        self.join(
            &repository(project, repo)
                .segment("browse")
                .query("at", branch),
        )
    }

    /// Where a person sees a pull request.
    ///
    /// Source: `links.self` of a pull request, which ends with its number.
    pub fn pull_request_page(&self, project: &str, repo: &str, id: u64) -> String {
        self.join(
            &repository(project, repo)
                .segment("pull-requests")
                .segment(&id.to_string()),
        )
    }

    /// Where a person sees the pull requests of a repository that are in this state, `ALL` among them.
    pub fn pull_requests_page(&self, project: &str, repo: &str, state: &str) -> String {
        let path = repository(project, repo).segment("pull-requests");
        self.join(&path.query("state", state))
    }

    /// Where a person sees their own pull requests, across repositories.
    pub fn dashboard_page(&self) -> String {
        self.join(&Path::root().segment("dashboard"))
    }

    /// Where a person sees the commits that a branch, tag or commit leads back to.
    pub fn commits_page(&self, project: &str, repo: &str, until: Option<&str>) -> String {
        let path = repository(project, repo).segment("commits");
        self.join(&path.query_if("until", until))
    }

    /// Where a person sees a repository's branches.
    pub fn branches_page(&self, project: &str, repo: &str) -> String {
        self.join(&repository(project, repo).segment("branches"))
    }

    /// Where a person sees one commit of a repository.
    pub fn commit_page(&self, project: &str, repo: &str, commit: &str) -> String {
        self.join(&repository(project, repo).segment("commits").segment(commit))
    }

    /// Where a person sees what a pull request changes.
    pub fn pull_request_diff_page(&self, project: &str, repo: &str, id: u64) -> String {
        let page = repository(project, repo)
            .segment("pull-requests")
            .segment(&id.to_string());
        self.join(&page.segment("diff"))
    }

    /// Where a person sees what one ref has and another lacks.
    pub fn compare_page(&self, project: &str, repo: &str, from: &str, to: &str) -> String {
        let page = repository(project, repo).segment("compare").segment("diff");
        self.join(&page.query("sourceBranch", from).query("targetBranch", to))
    }

    /// Where a person fills in Bitbucket's own form of a new pull request. The branches by their full names; the
    /// target's repository by its number, where it is another.
    ///
    /// Source: what Bitbucket answers a `git push` of a new branch; the target's names are those of its compare page.
    pub fn new_pull_request_page(
        &self,
        (project, repo): (&str, &str),
        branch: &str,
        target: &str,
        target_repository: Option<u64>,
    ) -> String {
        let page = repository(project, repo)
            .segment("pull-requests")
            .query("create", "")
            .query("sourceBranch", branch)
            .query("targetBranch", target)
            .query_if("targetRepoId", target_repository);
        self.join(&page)
    }

    /// Where a person sees another person, by slug.
    pub fn user_page(&self, slug: &str) -> String {
        self.join(&Path::root().segment("users").segment(slug))
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.context)
    }
}

fn repository(project: &str, repo: &str) -> Path {
    let path = match project.strip_prefix('~') {
        Some(user) => Path::root().segment("users").segment(user),
        None => Path::root().segment("projects").segment(project),
    };
    path.segment("repos").segment(repo)
}

/// Splits `scheme://` off, when it is one of ours.
fn split_scheme(text: &str) -> Option<(Scheme, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    match scheme.to_ascii_lowercase().as_str() {
        "http" => Some((Scheme::Http, rest)),
        "https" => Some((Scheme::Https, rest)),
        _ => None,
    }
}

fn split_port(authority: &str) -> Result<(&str, Option<u16>), String> {
    // The colons of an IPv6 address stand inside its brackets.
    let after_bracket = authority.rfind(']').map_or(0, |at| at + 1);
    let Some(colon) = authority[after_bracket..].rfind(':') else {
        return Ok((authority, None));
    };
    let colon = after_bracket + colon;
    let (host, port) = (&authority[..colon], &authority[colon + 1..]);
    if port.is_empty() {
        return Ok((host, None));
    }
    let is_number = port.bytes().all(|b| b.is_ascii_digit());
    match port.parse::<u16>() {
        Ok(port) if is_number && port != 0 => Ok((host, Some(port))),
        _ => Err(format!(
            "the address has a port that is not between 1 and 65535; {ACCEPTED}"
        )),
    }
}

fn host_in_one_spelling(host: &str) -> Result<String, String> {
    if let Some(inner) = host.strip_prefix('[') {
        return inner
            .strip_suffix(']')
            .and_then(|inner| inner.parse::<Ipv6Addr>().ok())
            .map(|ip| format!("[{ip}]"))
            .ok_or_else(|| {
                format!("the address has brackets around what is not an IPv6 address; {ACCEPTED}")
            });
    }
    if !host.is_ascii() {
        return Err(format!(
            "the address has a host with signs outside ASCII, which is written in its `xn--` form; {ACCEPTED}"
        ));
    }
    let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    if host.is_empty() || !host.bytes().all(is_name) || host.starts_with('.') || host.contains("..")
    {
        return Err(ACCEPTED.to_owned());
    }
    Ok(host.to_ascii_lowercase())
}

fn context_in_one_spelling(path: &str) -> Result<String, String> {
    let mut context = String::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@%".contains(&b);
        let dots = decode(segment);
        if !segment.bytes().all(is_plain) || dots == "." || dots == ".." {
            return Err(format!(
                "the address has a path that no instance lives under; {ACCEPTED}"
            ));
        }
        context.push('/');
        context.push_str(segment);
    }
    Ok(context)
}

#[cfg(test)]
mod tests;
