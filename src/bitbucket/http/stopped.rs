//! A request that did not end in an answer: ureq's, rustls's and the system's errors sorted into
//! ours.
//!
//! Never passes on ureq's words, which name its types. Start reading at [`explain`].

use super::CONNECT_TIMEOUT;
use super::hold::Hold;
use super::request::{Method, Request};
use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::{Proxy, ProxyKind};
use crate::bitbucket::error::{ApiError, Limit, ProxyFault, Stranger, TlsFault, Unreached, Why};
use crate::bitbucket::tls::{NoConfig, RefusedChain};
use crate::clean;
use rustls::{AlertDescription, CertificateError};
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::Duration;
use ureq::{Error, Timeout};

/// A request without an answer.
#[derive(Debug)]
pub(super) struct Stopped {
    why: Why,
    /// Whether the connection was dropped before an answer: asking again may help.
    pub(super) is_dropped: bool,
    /// Whether bytes of the request itself went out.
    is_sent: bool,
}

/// What the phrases name.
pub(super) struct Surroundings<'a> {
    pub(super) base: &'a BaseUrl,
    pub(super) proxy: Option<&'a Proxy>,
    pub(super) ca_file: Option<&'a PathBuf>,
    pub(super) has_client: bool,
    pub(super) request_timeout: Duration,
}

impl Stopped {
    /// The call was cancelled.
    pub(super) fn cancelled(hold: &Hold) -> Self {
        Self::after_head(Why::Cancelled, hold)
    }

    /// Something stopped it that asking again does not mend.
    pub(super) fn after_head(why: Why, hold: &Hold) -> Self {
        Self {
            why,
            is_dropped: false,
            is_sent: hold.is_sent(),
        }
    }

    /// Whether nobody answered at the address, so that another one may be worth looking up.
    pub(super) fn is_unreached(&self) -> bool {
        matches!(
            self.why,
            Why::Unreachable { .. } | Why::Proxy { .. } | Why::TimedOut(Limit::Connecting(_))
        )
    }

    /// The error for whoever asked.
    pub(super) fn into_error(self, request: &Request) -> ApiError {
        let error = ApiError::new(request.what.as_str(), self.why);
        if request.method != Method::Get && self.is_sent {
            error.unsettled(request.look_at.clone())
        } else {
            error
        }
    }
}

/// Sorts an error of ureq's.
pub(super) fn explain(error: Error, hold: &Hold, around: &Surroundings<'_>) -> Stopped {
    let is_dropped = hold.is_sent() && is_drop(&error);
    Stopped {
        why: why(error, hold, around),
        is_dropped,
        is_sent: hold.is_sent(),
    }
}

/// Whether a connection that was there was closed by the other side.
pub(super) fn is_drop(error: &Error) -> bool {
    let Error::Io(error) = error else {
        return false;
    };
    let is_closed = matches!(
        error.kind(),
        ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
    );
    is_closed && rustls_error(error).is_none()
}

fn why(error: Error, hold: &Hold, around: &Surroundings<'_>) -> Why {
    let limit = around.request_timeout;
    if let Some(how) = proxy_why(&error, hold, around) {
        return proxy(around, how);
    }
    match error {
        Error::Timeout(Timeout::Resolve) if limit > CONNECT_TIMEOUT => {
            Why::TimedOut(Limit::Resolving(CONNECT_TIMEOUT))
        }
        Error::Timeout(Timeout::Connect) if limit > CONNECT_TIMEOUT => {
            Why::TimedOut(Limit::Connecting(CONNECT_TIMEOUT))
        }
        Error::Timeout(_) => Why::TimedOut(Limit::Request(limit)),
        Error::HostNotFound => unreached(Unreached::NameUnknown, around),
        Error::ConnectProxyFailed(answer) => proxy(around, connect_refusal(&answer, around)),
        Error::Io(error) => io_why(&error, hold, around),
        Error::Rustls(error) => tls(tls_fault(&error, hold, around), hold, around),
        Error::Tls(how) => tls(TlsFault::Other(how.to_owned()), hold, around),
        Error::TlsRequired => tls(
            TlsFault::Other("the connection stayed in the clear".to_owned()),
            hold,
            around,
        ),
        Error::Other(other) => match other.downcast_ref::<NoConfig>() {
            Some(NoConfig::NoRoots) => tls(TlsFault::NoRoots, hold, around),
            _ => tls(
                TlsFault::Other(clean::line(&other.to_string(), 200)),
                hold,
                around,
            ),
        },
        Error::Protocol(_) => Why::NotBitbucket(Stranger::NotHttp),
        Error::LargeResponseHeader(_, cap) => Why::TooLarge {
            cap_bytes: cap as u64,
            announced_bytes: None,
        },
        Error::BadUri(_) | Error::Http(_) => {
            Why::NotSent("its address is longer than an address can be".to_owned())
        }
        _ => unreached(
            Unreached::Other("no connection came about".to_owned()),
            around,
        ),
    }
}

/// What a proxy did wrong before anything could be asked of Bitbucket: that it hung, or is none.
fn proxy_why(error: &Error, hold: &Hold, around: &Surroundings<'_>) -> Option<ProxyFault> {
    let proxy = around.proxy?;
    let target = format!("{}:{}", around.base.host(), around.base.port());
    let is_past = hold.is_sent() || hold.tls_with().is_some_and(|with| with == target);
    match error {
        _ if is_past => None,
        Error::Timeout(Timeout::Resolve) => None,
        Error::Timeout(_) => Some(ProxyFault::Hung(
            CONNECT_TIMEOUT.min(around.request_timeout),
        )),
        Error::Protocol(_) if proxy.kind != ProxyKind::Socks5 => Some(ProxyFault::Refused(
            "what it answered is no HTTP".to_owned(),
        )),
        _ => None,
    }
}

fn io_why(error: &io::Error, hold: &Hold, around: &Surroundings<'_>) -> Why {
    if let Some(error) = rustls_error(error) {
        return tls(tls_fault(error, hold, around), hold, around);
    }
    let is_closed = is_closed(error);
    // A server that refuses a client closes at once, and what it says first is often lost with the
    // connection.
    if is_closed && hold.is_client_wanted() {
        let how = match around.has_client {
            true => TlsFault::ClientCertificateRejected("it closed the connection".to_owned()),
            false => TlsFault::ClientCertificateWanted,
        };
        return tls(how, hold, around);
    }
    if hold.is_sent() {
        return Why::CutShort { got_bytes: None };
    }
    if is_closed && hold.tls_with().is_some() {
        let how = "the connection was closed during the handshake".to_owned();
        return tls(TlsFault::Other(how), hold, around);
    }
    if let Some(proxy_settings) = around.proxy {
        if is_closed {
            return proxy(around, ProxyFault::Silent);
        }
        if proxy_settings.kind == ProxyKind::Socks5
            && let Some(fault) = socks_refusal(error, around)
        {
            return proxy(around, fault);
        }
    }
    unreached(how_unreached(error), around)
}

fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
    )
}

fn how_unreached(error: &io::Error) -> Unreached {
    // The standard library has no kind for this; the words before the colon are its own, not the
    // system's.
    if error
        .to_string()
        .starts_with("failed to lookup address information")
    {
        return Unreached::NameUnknown;
    }
    match error.kind() {
        ErrorKind::ConnectionRefused => Unreached::Refused,
        ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::NetworkDown
        | ErrorKind::AddrNotAvailable => Unreached::NoRoute,
        _ => {
            let words = error.to_string();
            let words = words.split(" (os error").next().unwrap_or_default();
            Unreached::Other(clean::line(&words.to_lowercase(), 120))
        }
    }
}

fn unreached(how: Unreached, around: &Surroundings<'_>) -> Why {
    match around.proxy {
        Some(_) => proxy(around, ProxyFault::Unreached(how)),
        None => Why::Unreachable {
            whom: whom(around.base),
            how,
        },
    }
}

fn whom(base: &BaseUrl) -> String {
    format!("{}:{}", base.host(), base.port())
}

fn proxy(around: &Surroundings<'_>, how: ProxyFault) -> Why {
    let proxy = around
        .proxy
        .map(|proxy| format!("{}:{}", proxy.host, proxy.port))
        .unwrap_or_default();
    Why::Proxy { proxy, how }
}

/// Reads ureq's words about a CONNECT that was not answered with 200: `proxy server responded
/// 407/407`.
fn connect_refusal(answer: &str, around: &Surroundings<'_>) -> ProxyFault {
    let status = answer
        .rsplit(' ')
        .next()
        .and_then(|last| last.split('/').next()?.parse::<u16>().ok());
    match status {
        Some(407) => ProxyFault::Credentials {
            given: around
                .proxy
                .is_some_and(|proxy| proxy.credentials.is_some()),
        },
        Some(403) => ProxyFault::Refused("it answered 403, forbidden".to_owned()),
        Some(502..=504) => {
            ProxyFault::Refused("it answered that it cannot reach Bitbucket".to_owned())
        }
        Some(status) => ProxyFault::Refused(format!("it answered {status}")),
        None => ProxyFault::Silent,
    }
}

/// Reads ureq's words about a SOCKS 5 proxy that said no.
fn socks_refusal(error: &io::Error, around: &Surroundings<'_>) -> Option<ProxyFault> {
    let given = around
        .proxy
        .is_some_and(|proxy| proxy.credentials.is_some());
    let words = error.to_string();
    Some(match words.as_str() {
        "password authentication failed" | "no acceptable auth methods" | "unknown auth method" => {
            ProxyFault::Credentials { given }
        }
        "connection not allowed by ruleset"
        | "general SOCKS server failure"
        | "TTL expired"
        | "network unreachable"
        | "host unreachable"
        | "connection refused"
        | "command not supported"
        | "address kind not supported"
        | "unknown error" => ProxyFault::Refused(format!("it answered \"{words}\"")),
        "invalid response version" => ProxyFault::Refused("it does not speak SOCKS 5".to_owned()),
        _ => return None,
    })
}

fn tls(how: TlsFault, hold: &Hold, around: &Surroundings<'_>) -> Why {
    Why::Tls {
        whom: hold.tls_with().unwrap_or_else(|| whom(around.base)),
        how,
        ca_file: around.ca_file.cloned(),
    }
}

fn rustls_error(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref::<rustls::Error>()
}

fn tls_fault(error: &rustls::Error, hold: &Hold, around: &Surroundings<'_>) -> TlsFault {
    use rustls::Error as E;
    match error {
        E::InvalidCertificate(CertificateError::Other(other)) => {
            match other.0.downcast_ref::<RefusedChain>() {
                Some(refused) => chain_fault(refused),
                None => TlsFault::Refused("its check broke off".to_owned()),
            }
        }
        E::AlertReceived(alert) => alert_fault(*alert, hold, around),
        E::InvalidMessage(_) | E::InappropriateMessage { .. } if !hold.is_sent() => {
            TlsFault::NotTls
        }
        E::PeerIncompatible(_) => {
            TlsFault::Other("it speaks neither TLS 1.2 nor TLS 1.3 as bb does".to_owned())
        }
        _ => TlsFault::Other("the handshake broke off".to_owned()),
    }
}

fn chain_fault(refused: &RefusedChain) -> TlsFault {
    use CertificateError as C;
    match &refused.why {
        C::UnknownIssuer => {
            TlsFault::UnknownIssuer(refused.chain.last().and_then(|top| top.issuer.clone()))
        }
        C::Expired | C::ExpiredContext { .. } => TlsFault::Expired,
        C::NotValidYet | C::NotValidYetContext { .. } => TlsFault::NotYetValid,
        C::NotValidForName => TlsFault::WrongName(Vec::new()),
        C::NotValidForNameContext { presented, .. } => TlsFault::WrongName(
            presented
                .iter()
                .take(5)
                .map(|name| presented_name(name))
                .collect(),
        ),
        C::BadSignature => TlsFault::Refused("a signature in its chain is wrong".to_owned()),
        C::Revoked => TlsFault::Refused("it was revoked".to_owned()),
        C::InvalidPurpose | C::InvalidPurposeContext { .. } => {
            TlsFault::Refused("it is not one for servers".to_owned())
        }
        C::BadEncoding => TlsFault::Refused("it cannot be read".to_owned()),
        C::UnsupportedSignatureAlgorithmContext { .. }
        | C::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
            TlsFault::Refused("it is signed in a way that bb does not accept".to_owned())
        }
        _ => TlsFault::Refused("its chain does not hold".to_owned()),
    }
}

/// rustls writes a name as `DnsName("code.example.com")`; a phrase has no type names.
fn presented_name(name: &str) -> String {
    let inner = name
        .split('(')
        .nth(1)
        .map_or(name, |inner| inner.trim_end_matches(')'));
    clean::line(inner.trim_matches('"'), 100)
}

fn alert_fault(alert: AlertDescription, hold: &Hold, around: &Surroundings<'_>) -> TlsFault {
    use AlertDescription as A;
    if alert == A::CertificateRequired || (hold.is_client_wanted() && !around.has_client) {
        return TlsFault::ClientCertificateWanted;
    }
    let how = match alert {
        A::UnknownCA => "its issuer is not known there",
        A::CertificateExpired => "it has expired",
        A::CertificateRevoked => "it was revoked",
        A::BadCertificate => "it is not a good one",
        A::UnsupportedCertificate => "it is of a kind not accepted there",
        A::CertificateUnknown => "it is not acceptable there",
        A::AccessDenied => "its owner has no access",
        A::DecryptError => "its signature did not verify",
        A::HandshakeFailure if hold.is_client_wanted() => "the handshake was refused",
        A::ProtocolVersion => {
            return TlsFault::Other("it speaks neither TLS 1.2 nor TLS 1.3".to_owned());
        }
        A::UnrecognisedName => return TlsFault::Other("it does not know that name".to_owned()),
        A::HandshakeFailure => return TlsFault::Other("it refused the handshake".to_owned()),
        _ => return TlsFault::Other("it broke the handshake off".to_owned()),
    };
    if hold.is_client_wanted() && around.has_client {
        TlsFault::ClientCertificateRejected(how.to_owned())
    } else {
        TlsFault::Other(format!("it did not take a certificate: {how}"))
    }
}
