//! ureq, with every default that matters here set on purpose.
//!
//! Never reads the environment. The reasons stand at each setting in [`build`]. Start reading there.

use super::connector::Reach;
use super::names::Names;
use super::request::{Method, Request, Takes};
use super::{CONNECT_TIMEOUT, MAX_IN_FLIGHT};
use crate::bitbucket::connection::{Credentials, Proxy, ProxyKind};
use std::time::Duration;
use ureq::config::AutoHeaderValue;
use ureq::http::{self, HeaderValue, header};
use ureq::{Agent, Body, Error, ProxyProtocol};

const USER_AGENT: &str = concat!("bb/", env!("CARGO_PKG_VERSION"));
/// A view that is quiet asks every five minutes at the slowest, and need not shake hands anew each
/// time.
const MAX_IDLE_AGE: Duration = Duration::from_secs(5 * 60);

/// The agent of one Bitbucket.
pub(super) fn build(
    proxy: Option<ureq::Proxy>,
    request_timeout: Duration,
    connector: Reach,
    names: Names,
) -> Agent {
    let config = Agent::config_builder()
        // The body of a refusal holds Bitbucket's own words.
        .http_status_as_error(false)
        // Ours are bounded to the origin: `redirect.rs`.
        .max_redirects(0)
        .max_redirects_will_error(false)
        // None would be asked of the environment if this were left alone.
        .proxy(proxy)
        .timeout_global(Some(request_timeout))
        .timeout_resolve(Some(CONNECT_TIMEOUT.min(request_timeout)))
        .timeout_connect(Some(CONNECT_TIMEOUT.min(request_timeout)))
        .max_idle_connections(MAX_IN_FLIGHT)
        .max_idle_connections_per_host(MAX_IN_FLIGHT)
        .max_idle_age(MAX_IDLE_AGE)
        .user_agent(USER_AGENT)
        .accept(AutoHeaderValue::None)
        .accept_encoding(AutoHeaderValue::None)
        .build();
    Agent::with_parts(config, connector, names)
}

/// Sends one request and reads the head of its answer. ureq sends it once: it takes a pooled
/// connection only after looking whether the other side has closed it, and never tries another one
/// when that turns out wrong.
pub(super) fn run(
    agent: &Agent,
    request: &Request,
    address: &str,
    authorization: Option<&HeaderValue>,
) -> Result<http::Response<Body>, Error> {
    let mut builder = http::Request::builder()
        .method(request.method.as_str())
        .uri(address);
    let accept = match request.takes {
        Takes::Json => "application/json",
        Takes::Anything => "*/*",
    };
    builder = builder.header(header::ACCEPT, accept);
    if let Some(authorization) = authorization {
        builder = builder.header(header::AUTHORIZATION, authorization);
    }
    if request.method != Method::Get {
        // Bitbucket takes a write without these for a form that another site made a browser send.
        builder = builder
            .header(header::CONTENT_TYPE, "application/json")
            .header("X-Atlassian-Token", "no-check");
    }
    match request.method {
        Method::Get | Method::Delete => agent.run(builder.body(())?),
        Method::Post | Method::Put => agent.run(builder.body(request.body.as_slice())?),
    }
}

/// The header that says who asks.
///
/// # Errors
/// The token or the name has signs that no header carries.
pub(super) fn authorization(
    credentials: Option<&Credentials>,
) -> Result<Option<HeaderValue>, String> {
    let (value, setting) = match credentials {
        None => return Ok(None),
        Some(Credentials::Token(token)) => (
            format!("Bearer {}", token.open()),
            "the token (BITBUCKET_TOKEN, or --token-file, BITBUCKET_TOKEN_FILE)",
        ),
        Some(Credentials::Basic { username, password }) => {
            if username.contains(':') {
                return Err(
                    "BITBUCKET_USERNAME has a colon in it, which Basic cannot carry".to_owned(),
                );
            }
            let pair = format!("{username}:{}", password.open());
            (
                format!("Basic {}", base64(pair.as_bytes())),
                "BITBUCKET_USERNAME",
            )
        }
    };
    let is_sendable = value.bytes().all(|b| (0x20..0x7f).contains(&b));
    let mut value = HeaderValue::from_str(&value)
        .ok()
        .filter(|_| is_sendable)
        .ok_or_else(|| {
            format!("{setting} holds signs that cannot be sent: a line end, or one outside ASCII")
        })?;
    value.set_sensitive(true);
    Ok(Some(value))
}

/// ureq's form of our proxy; the name of the target is looked up by the proxy, not here.
///
/// # Errors
/// The host or the credentials cannot be a proxy's.
pub(super) fn proxy(proxy: Option<&Proxy>) -> Result<Option<ureq::Proxy>, String> {
    let Some(proxy) = proxy else {
        return Ok(None);
    };
    let mut builder = ureq::Proxy::builder(match proxy.kind {
        ProxyKind::Http => ProxyProtocol::Http,
        ProxyKind::Https => ProxyProtocol::Https,
        ProxyKind::Socks5 => ProxyProtocol::Socks5,
    })
    .host(&match proxy.host.contains(':') {
        // An address of IPv6 stands in brackets.
        true => format!("[{}]", proxy.host.trim_matches(['[', ']'])),
        false => proxy.host.clone(),
    })
    .port(proxy.port)
    .resolve_target(false);
    if let Some((username, password)) = &proxy.credentials {
        builder = builder.username(username).password(password.open());
    }
    match builder.build() {
        Ok(proxy) => Ok(Some(proxy)),
        Err(_) => Err(
            "--proxy, BB_PROXY: expected a proxy such as `http://proxy.example.com:3128`"
                .to_owned(),
        ),
    }
}

/// Source: RFC 4648 4.
pub(super) fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let three = [
            chunk[0],
            chunk.get(1).copied().unwrap_or(0),
            chunk.get(2).copied().unwrap_or(0),
        ];
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for place in 0..4 {
            let sign = (bits >> (18 - 6 * place)) & 63;
            out.push(if place <= chunk.len() {
                char::from(SIGNS[sign as usize])
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
mod tests;
