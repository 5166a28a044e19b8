//! Whom bb trusts over TLS, and what it shows of itself.
//!
//! Never trusts less than the chain, the name and the time: there is no switch that turns checking
//! off. Start reading at `Identity::read`, which reads files at start, and `Identity::config`,
//! which reads the machine's trust store when the first connection needs it.

mod certificate;
mod files;
mod verifier;

pub use certificate::Described;
pub(crate) use certificate::describe as certificate_names;
pub(crate) use verifier::RefusedChain;

use crate::bitbucket::connection::ClientFiles;
use rustls::client::ResolvesClientCert;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::sign::CertifiedKey;
use rustls::{ClientConfig, RootCertStore, SignatureScheme};
use std::cell::Cell;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// What the files of a connection hold, read and checked once.
#[derive(Debug)]
pub(crate) struct Identity {
    provider: Arc<CryptoProvider>,
    extra_roots: Vec<CertificateDer<'static>>,
    client: Option<Arc<CertifiedKey>>,
}

/// Why there can be no TLS configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoConfig {
    /// Neither the machine nor the CA file trusts anything.
    NoRoots,
    /// Something else, in words.
    Other(String),
}

impl fmt::Display for NoConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoots => f.write_str("no trusted certificates"),
            Self::Other(how) => f.write_str(how),
        }
    }
}

impl std::error::Error for NoConfig {}

impl Identity {
    /// Reads the CA file and the client pair, and checks the pair: a key that does not fit its
    /// certificate would otherwise be found out by the server alone.
    ///
    /// # Errors
    /// Every problem at once, each a phrase that names the flag and the variable.
    pub(crate) fn read(
        ca_file: Option<&Path>,
        client: Option<&ClientFiles>,
    ) -> Result<Self, Vec<String>> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut problems = Vec::new();
        let extra_roots = match ca_file {
            Some(file) => files::ca_bundle(file).unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            }),
            None => Vec::new(),
        };
        let client = match client {
            Some(client) => match files::client_pair(client, &provider) {
                Ok(pair) => Some(Arc::new(pair)),
                Err(more) => {
                    problems.extend(more);
                    None
                }
            },
            None => None,
        };
        if problems.is_empty() {
            Ok(Self {
                provider,
                extra_roots,
                client,
            })
        } else {
            Err(problems)
        }
    }

    /// Whether a client certificate is set.
    pub(crate) fn has_client(&self) -> bool {
        self.client.is_some()
    }

    /// Builds the configuration; reads the machine's trust store, which takes some milliseconds.
    ///
    /// # Errors
    /// Nothing is trusted, or the certificates cannot be used.
    pub(crate) fn config(&self) -> Result<ClientConfig, NoConfig> {
        let mut roots = RootCertStore::empty();
        // Files in the store that are no certificates are the machine's affair; what is left is
        // what it trusts.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        roots.add_parsable_certificates(self.extra_roots.iter().cloned());
        if roots.is_empty() {
            return Err(NoConfig::NoRoots);
        }
        let other = |e: &dyn fmt::Display| NoConfig::Other(e.to_string());
        let verifier = verifier::Verifier::new(roots, &self.provider).map_err(|e| other(&e))?;
        Ok(
            ClientConfig::builder_with_provider(Arc::clone(&self.provider))
                .with_safe_default_protocol_versions()
                .map_err(|e| other(&e))?
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(verifier))
                .with_client_cert_resolver(Arc::new(Pair(self.client.clone()))),
        )
    }
}

thread_local! {
    static CLIENT_WANTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a handshake on this thread and tells whether the server asked for a client certificate
/// during it.
pub(crate) fn noticing_client_wanted<T>(handshake: impl FnOnce() -> T) -> (T, bool) {
    CLIENT_WANTED.set(false);
    let done = handshake();
    (done, CLIENT_WANTED.replace(false))
}

/// Shows the client pair to whoever asks, and notes that somebody did.
#[derive(Debug)]
struct Pair(Option<Arc<CertifiedKey>>);

impl ResolvesClientCert for Pair {
    fn resolve(&self, _hints: &[&[u8]], _schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        CLIENT_WANTED.set(true);
        self.0.clone()
    }

    fn has_certs(&self) -> bool {
        // Also without a pair: a resolver that says no is never asked, and then nobody learns what
        // the server wants.
        true
    }
}

/// What a handshake came to, as far as it can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handshake {
    /// With whom: `host:port`. Over plain HTTP that is a proxy, if anybody.
    pub with: String,
    /// `TLS 1.3` or `TLS 1.2`.
    pub version: String,
    /// The server's certificates, its own first.
    pub chain: Vec<Described>,
    /// Whether the server asked for a client certificate.
    pub client_wanted: bool,
}

impl fmt::Display for Handshake {
    /// `TLS 1.3 with code.example.com:443; 2 certificates: `code.example.com` by `Example CA`, …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}; ", self.version, self.with)?;
        match self.chain.len() {
            1 => f.write_str("1 certificate: ")?,
            n => write!(f, "{n} certificates: ")?,
        }
        for (at, certificate) in self.chain.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { ", " })?;
            write!(f, "{certificate}")?;
        }
        if self.client_wanted {
            f.write_str("; it asked for a client certificate")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
