//! Which proxy, if any, stands between this machine and the host.
//!
//! Never shows what a proxy's address holds: there may be a password in it. Start reading at [`choose`].

use crate::bitbucket::address::{BaseUrl, Scheme};
use crate::bitbucket::connection::{Proxy, ProxyKind};
use crate::secret::Secret;
use crate::settings::authority::host_and_port;
use crate::settings::error::SettingsError;
use crate::settings::levels::{Environment, Given, Levels, Source, read_variable};
use crate::settings::no_proxy::NoProxy;

/// The proxy that was chosen, and where the choice came from.
pub struct Choice {
    /// The proxy, or none for a direct connection.
    pub proxy: Option<Proxy>,
    /// What `check` says of it, without a password.
    pub told: String,
    /// Where it came from.
    pub from: Source,
}

/// Chooses the proxy for `base`; while that is not known, only what was given to bb is looked at. Problems are added to `problems`.
pub fn choose(
    levels: &Levels,
    env: Environment,
    base: Option<&BaseUrl>,
    problems: &mut Vec<SettingsError>,
) -> Choice {
    let direct = |told: &str, from| Choice {
        proxy: None,
        told: told.to_owned(),
        from,
    };
    let given = match levels.one("proxy") {
        Some(given) => Some(given.clone()),
        None => base
            .filter(|base| !base.is_loopback())
            .and_then(|base| usual(env, base, problems)),
    };
    let Some(given) = given else {
        return direct("none", Source::Default);
    };
    if given.text == "none" {
        return direct("none", given.from);
    }
    let proxy = match parse(&given.text) {
        Ok(proxy) => proxy,
        Err(trouble) => {
            let from = given.from.clone();
            problems.push(SettingsError::Proxy { from, trouble });
            return direct("none", given.from);
        }
    };
    match reached_directly(levels, env, base, problems) {
        Some(from) => direct(&format!("none, because of {from}"), from),
        None => Choice {
            told: told(&proxy),
            proxy: Some(proxy),
            from: given.from,
        },
    }
}

/// The proxy of the machine's other programs: what variables that bb did not name say.
///
/// `http_proxy` counts in lower case alone: a web server sets `HTTP_PROXY` from a request's header.
pub fn usual(env: Environment, base: &BaseUrl, problems: &mut Vec<SettingsError>) -> Option<Given> {
    let names: &[&str] = match base.scheme() {
        Scheme::Https => &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
        Scheme::Http => &["http_proxy", "all_proxy", "ALL_PROXY"],
    };
    names.iter().find_map(|name| given_by(env, name, problems))
}

/// The list of hosts without a proxy, from bb's own settings or else from the machine's.
pub fn no_proxy_list(
    levels: &Levels,
    env: Environment,
    problems: &mut Vec<SettingsError>,
) -> Vec<Given> {
    let own = levels.all("no-proxy");
    if !own.is_empty() {
        return own.to_vec();
    }
    let usual = ["no_proxy", "NO_PROXY"]
        .iter()
        .find_map(|name| given_by(env, name, problems));
    let Some(usual) = usual else {
        return Vec::new();
    };
    let entry = |text: &str| Given {
        text: text.to_owned(),
        from: usual.from.clone(),
    };
    // Other programs also accept blanks between entries.
    usual
        .text
        .split([',', ' '])
        .filter(|each| !each.is_empty())
        .map(entry)
        .collect()
}

fn given_by(env: Environment, name: &str, problems: &mut Vec<SettingsError>) -> Option<Given> {
    let text = read_variable(env, name, problems)?;
    let from = Source::Variable(name.to_owned());
    Some(Given { text, from })
}

/// Where it is said that the host is reached without a proxy.
fn reached_directly(
    levels: &Levels,
    env: Environment,
    base: Option<&BaseUrl>,
    problems: &mut Vec<SettingsError>,
) -> Option<Source> {
    let mut found = None;
    for entry in no_proxy_list(levels, env, problems) {
        match NoProxy::parse(&entry.text) {
            Some(rule) if base.is_some_and(|base| rule.covers(base.host(), base.port())) => {
                found = found.or(Some(entry.from));
            }
            Some(_) => {}
            // What bb cannot read in a list made for every program is not worth refusing to start.
            None if matches!(&entry.from, Source::Variable(name) if !name.starts_with("BB_")) => {}
            None => problems.push(SettingsError::Value {
                from: entry.from,
                value: entry.text,
                expected: "a host name, `.suffix`, an address, a network such as 10.0.0.0/8, or `*`",
            }),
        }
    }
    found
}

/// Reads a proxy's address.
///
/// # Errors
/// What is wrong with it, in words that show nothing of it but its scheme.
pub fn parse(text: &str) -> Result<Proxy, String> {
    // `proxy.example.com:3128` is what many machines carry; every program reads it as http.
    let (scheme, rest) = text
        .trim()
        .split_once("://")
        .unwrap_or(("http", text.trim()));
    let (kind, usual_port) = match scheme.to_ascii_lowercase().as_str() {
        "http" => (ProxyKind::Http, 80),
        "https" => (ProxyKind::Https, 443),
        "socks5" | "socks5h" => (ProxyKind::Socks5, 1080),
        other if other.len() <= 8 && other.chars().all(|c| c.is_ascii_alphanumeric()) => {
            return Err(format!("its scheme is `{other}`"));
        }
        _ => return Err("it has no scheme that bb knows".to_owned()),
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if rest.contains(['/', '?', '#']) {
        return Err(
            "there is a path after its host (a `/` in a password is written %2F)".to_owned(),
        );
    }
    let (user, authority) = match rest.rsplit_once('@') {
        Some((user, authority)) => (Some(user), authority),
        None => (None, rest),
    };
    let (host, port) = host_and_port(authority).ok_or("its host or port cannot be read")?;
    let credentials = user.map(credentials).transpose()?;
    Ok(Proxy {
        kind,
        host,
        port: port.unwrap_or(usual_port),
        credentials,
    })
}

/// A proxy as a person may see it.
pub fn told(proxy: &Proxy) -> String {
    match &proxy.credentials {
        Some(_) => format!("{} with a user and password (hidden)", address(proxy)),
        None => address(proxy),
    }
}

/// A proxy's address without its user and password.
pub fn address(proxy: &Proxy) -> String {
    let scheme = match proxy.kind {
        ProxyKind::Http => "http",
        ProxyKind::Https => "https",
        ProxyKind::Socks5 => "socks5",
    };
    let host = &proxy.host;
    let port = proxy.port;
    match host.contains(':') {
        true => format!("{scheme}://[{host}]:{port}"),
        false => format!("{scheme}://{host}:{port}"),
    }
}

fn credentials(user: &str) -> Result<(String, Secret), String> {
    let (name, password) = user.split_once(':').unwrap_or((user, ""));
    let decoded = |text| percent_decoded(text).filter(|text| !text.chars().any(char::is_control));
    match (decoded(name), decoded(password)) {
        (Some(name), Some(password)) if !name.is_empty() && !name.contains(':') => {
            Ok((name, Secret::new(password)))
        }
        (Some(_), Some(_)) => Err("its user name is empty or holds a `:`".to_owned()),
        _ => Err("its user or password is not percent-encoded (a `%` is written %25)".to_owned()),
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}
