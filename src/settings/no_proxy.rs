//! One entry of a list of hosts that are reached without a proxy.
//!
//! Never resolves a name: an address in the list covers a host that is written as that address.

use crate::settings::authority::host_and_port;
use std::net::{IpAddr, Ipv6Addr};

/// One entry, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProxy {
    /// Every host.
    All,
    /// A name and every name under it, at one port or at all.
    Name(String, Option<u16>),
    /// An address, at one port or at all.
    Address(IpAddr, Option<u16>),
    /// A network: the address and how many of its first bits count.
    Network(IpAddr, u8),
}

impl NoProxy {
    /// Reads `*`, `name`, `.name`, `*.name`, an address or a network; a name or an address may end in a port.
    pub fn parse(entry: &str) -> Option<Self> {
        if entry == "*" {
            return Some(Self::All);
        }
        if let Some((address, bits)) = entry.split_once('/') {
            let address: IpAddr = address.parse().ok()?;
            let bits: u8 = bits.parse().ok()?;
            let most = if address.is_ipv4() { 32 } else { 128 };
            return (bits <= most).then_some(Self::Network(address, bits));
        }
        if let Ok(address) = entry.parse::<Ipv6Addr>() {
            return Some(Self::Address(address.into(), None));
        }
        let bare = entry
            .strip_prefix('*')
            .filter(|rest| rest.starts_with('.'))
            .unwrap_or(entry);
        let bare = bare.strip_prefix('.').unwrap_or(bare);
        let (host, port) = host_and_port(bare)?;
        match host.parse::<IpAddr>() {
            Ok(address) => Some(Self::Address(address, port)),
            Err(_) => Some(Self::Name(host.trim_end_matches('.').to_owned(), port)),
        }
    }

    /// Whether a host, in lower case, is covered; an IPv6 address may have its brackets.
    pub fn covers(&self, host: &str, port: u16) -> bool {
        let host = host.trim_end_matches('.').trim_matches(['[', ']']);
        match self {
            Self::All => true,
            Self::Name(name, only) => {
                let is_under = host
                    .strip_suffix(name.as_str())
                    .is_some_and(|before| before.is_empty() || before.ends_with('.'));
                is_under && only.is_none_or(|only| only == port)
            }
            Self::Address(address, only) => {
                host.parse() == Ok(*address) && only.is_none_or(|only| only == port)
            }
            Self::Network(network, bits) => host
                .parse::<IpAddr>()
                .is_ok_and(|address| first_bits(address, *bits) == first_bits(*network, *bits)),
        }
    }
}

/// An address's first bits and its family, to compare.
fn first_bits(address: IpAddr, bits: u8) -> (bool, u128) {
    match address {
        IpAddr::V4(v4) => {
            let kept = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
            (true, u128::from(u32::from(v4) & kept))
        }
        IpAddr::V6(v6) => {
            let kept = u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0);
            (false, u128::from(v6) & kept)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NoProxy;

    #[test]
    fn an_entry_covers_what_other_programs_take_it_to_cover() {
        for (entry, host, port, covers) in [
            ("*", "code.example.com", 443, true),
            ("example.com", "example.com", 443, true),
            ("example.com", "code.example.com", 443, true),
            ("Example.COM", "code.example.com", 443, true),
            (".example.com", "code.example.com", 443, true),
            (".example.com", "example.com", 443, true),
            ("*.example.com", "code.example.com", 443, true),
            ("example.com", "badexample.com", 443, false),
            ("code.example.com", "example.com", 443, false),
            ("example.com.", "code.example.com", 443, true),
            ("example.com", "code.example.com.", 443, true),
            ("example.com:8443", "code.example.com", 8443, true),
            ("example.com:8443", "code.example.com", 443, false),
            ("10.1.2.3", "10.1.2.3", 443, true),
            ("10.1.2.3:80", "10.1.2.3", 443, false),
            ("10.1.2.3", "10.1.2.30", 443, false),
            ("::1", "::1", 443, true),
            ("[2001:db8::1]:443", "2001:db8:0::1", 443, true),
            ("10.0.0.0/8", "10.200.0.1", 443, true),
            ("10.0.0.0/8", "11.0.0.1", 443, false),
            ("0.0.0.0/0", "11.0.0.1", 443, true),
            ("0.0.0.0/0", "::1", 443, false),
            ("2001:db8::/32", "2001:db8:1::1", 443, true),
            ("2001:db8::/32", "2001:db9::1", 443, false),
            ("2001:db8::/32", "[2001:db8:1::1]", 443, true),
            ("10.0.0.0/8", "ten.example.com", 443, false),
        ] {
            let rule = NoProxy::parse(entry).expect(entry);
            assert_eq!(rule.covers(host, port), covers, "{entry} {host}:{port}");
        }
        for entry in [
            "",
            "10.0.0.0/33",
            "::/129",
            "a/b",
            "a b",
            "host:x",
            "<local>",
        ] {
            assert_eq!(NoProxy::parse(entry), None, "{entry}");
        }
    }
}
