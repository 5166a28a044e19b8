//! How to reach one Bitbucket: plain values, read from the settings, used by `http`.
//!
//! Never opens a file or a socket. Start reading at [`Connection`].

use crate::bitbucket::address::BaseUrl;
use crate::secret::Secret;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that decides how a request leaves this machine.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Scheme, host, port and context path.
    pub base: BaseUrl,
    /// Who asks; `None` is anonymous.
    pub credentials: Option<Credentials>,
    /// A PEM bundle added to the machine's own trust store.
    pub ca_file: Option<PathBuf>,
    /// What a server that demands a client certificate is shown.
    pub client: Option<ClientFiles>,
    /// The proxy for this host, after every rule about which hosts go without one.
    pub proxy: Option<Proxy>,
    /// One request, from resolving the name to the last byte of the body.
    pub request_timeout: Duration,
}

/// One way to say who asks.
#[derive(Clone, Debug)]
pub enum Credentials {
    /// An HTTP access token, sent as Bearer.
    Token(Secret),
    /// A user name and a password, sent as Basic.
    Basic {
        /// The user name.
        username: String,
        /// The password.
        password: Secret,
    },
}

/// PEM files of a client certificate: the chain, and its key. Both may be the same file.
#[derive(Clone, Debug)]
pub struct ClientFiles {
    /// The chain, leaf first.
    pub cert: PathBuf,
    /// The key: PKCS#8, PKCS#1 or SEC1.
    pub key: PathBuf,
}

/// A proxy between this machine and Bitbucket.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// How to talk to it.
    pub kind: ProxyKind,
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// What it wants to know before it lets a request through.
    pub credentials: Option<(String, Secret)>,
}

/// How a proxy is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyKind {
    /// HTTP, with CONNECT for TLS.
    Http,
    /// HTTP inside TLS.
    Https,
    /// SOCKS 5.
    Socks5,
}
