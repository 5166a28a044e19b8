//! Scheme, host, port and path of a base address, for the settings that depend on them.
//!
//! Never decides what a base address may be: `BaseUrl` does, and once it tells its parts, this goes.

use std::net::IpAddr;

/// The parts of a base address in one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// `http` or `https`.
    pub scheme: &'static str,
    /// A name in lower case, or an address without brackets.
    pub host: String,
    /// The port, given or usual.
    pub port: u16,
    /// The context path without a final slash.
    path: String,
}

impl Origin {
    /// The parts of an http or https address with a host and without a user; nothing otherwise.
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.trim().split_once("://")?;
        let (scheme, usual_port) = match scheme.to_ascii_lowercase().as_str() {
            "http" => ("http", 80),
            "https" => ("https", 443),
            _ => return None,
        };
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let (host, port) = host_and_port(authority)?;
        Some(Self {
            scheme,
            host,
            port: port.unwrap_or(usual_port),
            path: path.trim_end_matches('/').to_owned(),
        })
    }

    /// Whether the host is this machine.
    pub fn is_loopback(&self) -> bool {
        let by_address = self
            .host
            .parse::<IpAddr>()
            .map(|address| address.is_loopback());
        by_address.unwrap_or(self.host == "localhost" || self.host.ends_with(".localhost"))
    }

    /// Host and port as git and addresses write them; a usual port is left out.
    pub fn authority(&self) -> String {
        let host = if self.host.contains(':') {
            format!("[{}]", self.host)
        } else {
            self.host.clone()
        };
        match (self.scheme, self.port) {
            ("http", 80) | ("https", 443) => host,
            (_, port) => format!("{host}:{port}"),
        }
    }
}

/// A host in lower case, without brackets, and a port where one is written; nothing if there is no host.
pub fn host_and_port(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, rest) = rest.split_once(']')?;
            address.parse::<std::net::Ipv6Addr>().ok()?;
            match rest.strip_prefix(':') {
                Some(port) => (address, Some(port)),
                None if rest.is_empty() => (address, None),
                None => return None,
            }
        }
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    let is_sound = !host.is_empty()
        && host
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':'));
    let port = match port {
        None => None,
        Some(digits) => Some(digits.parse::<u16>().ok().filter(|port| *port > 0)?),
    };
    is_sound.then(|| (host.to_lowercase(), port))
}
