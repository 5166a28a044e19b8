//! The check of a server's chain, with what a phrase needs to name when it is refused.
//!
//! Never decides anything of its own: rustls's verifier over the roots does. Start reading at [`Verifier`].

use super::certificate::{self, Described};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme,
};
use std::fmt;
use std::sync::Arc;

/// Why a chain was refused, and what it was.
#[derive(Clone, Debug)]
pub(crate) struct RefusedChain {
    /// rustls's reason.
    pub(crate) why: CertificateError,
    /// The server's certificates, its own first, as they came.
    pub(crate) chain: Vec<Described>,
}

impl fmt::Display for RefusedChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.why)
    }
}

impl std::error::Error for RefusedChain {}

/// rustls's verifier; a refusal carries the chain.
#[derive(Debug)]
pub(super) struct Verifier(Arc<WebPkiServerVerifier>);

impl Verifier {
    pub(super) fn new(
        roots: RootCertStore,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Self, rustls::client::VerifierBuilderError> {
        let verifier =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider));
        Ok(Self(verifier.build()?))
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.0
            .verify_server_cert(own, others, name, ocsp, now)
            .map_err(|e| match e {
                Error::InvalidCertificate(why) => {
                    let chain = std::iter::once(own)
                        .chain(others)
                        .map(|c| certificate::describe(c));
                    let refused = RefusedChain {
                        why,
                        chain: chain.collect(),
                    };
                    Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(
                        refused,
                    ))))
                }
                other => other,
            })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
