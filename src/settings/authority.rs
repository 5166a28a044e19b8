//! Host and port as proxies and lists of hosts write them.
//!
//! Never reads the address of a Bitbucket: `BaseUrl` does. Start reading at [`host_and_port`].

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
