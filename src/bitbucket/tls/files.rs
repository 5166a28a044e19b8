//! The PEM files that an operator names: a CA bundle, a client certificate and its key.
//!
//! Never puts what a file holds into a phrase, only its name and what bb looked for in it. Start reading at
//! [`client_pair`].

use crate::bitbucket::connection::ClientFiles;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys, RootCertStore};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most that is read of one file: the bundle of all public CAs is a quarter of this.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

const CA: &str = "--ca-file, BB_CA_FILE";
const CERT: &str = "--client-cert, BB_CLIENT_CERT";
const KEY: &str = "--client-key, BB_CLIENT_KEY";

/// Reads a bundle of CA certificates.
///
/// # Errors
/// A phrase: the file cannot be read, is not PEM, or holds what cannot be trusted.
pub(super) fn ca_bundle(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let bytes = read(file, CA)?;
    let certificates = certificates(&bytes, file, CA)?;
    for certificate in &certificates {
        if RootCertStore::empty().add(certificate.clone()).is_err() {
            return Err(format!(
                "{CA}: `{}` holds a certificate that cannot be read as one",
                file.display()
            ));
        }
    }
    Ok(certificates)
}

/// Reads a client certificate and its key, and checks them against each other.
///
/// # Errors
/// Every problem as a phrase.
pub(super) fn client_pair(
    files: &ClientFiles,
    provider: &CryptoProvider,
) -> Result<CertifiedKey, Vec<String>> {
    let chain = read(&files.cert, CERT).and_then(|bytes| certificates(&bytes, &files.cert, CERT));
    let key = read(&files.key, KEY).and_then(|bytes| private_key(&bytes, &files.key));
    let (chain, key) = match (chain, key) {
        (Ok(chain), Ok(key)) => (chain, key),
        (chain, key) => {
            let mut problems: Vec<String> = chain.err().into_iter().chain(key.err()).collect();
            // One file that holds both and cannot be read is one problem.
            if files.cert == files.key {
                problems.truncate(1);
            }
            return Err(problems);
        }
    };
    let signing_key = provider.key_provider.load_private_key(key).map_err(|_| {
        vec![format!(
            "{KEY}: `{}` holds a key that bb cannot use: it uses RSA from 2048 bits, ECDSA on P-256 and P-384, \
             and Ed25519",
            files.key.display()
        )]
    })?;
    let pair = CertifiedKey::new(chain, signing_key);
    match pair.keys_match() {
        Ok(()) | Err(Error::InconsistentKeys(InconsistentKeys::Unknown)) => Ok(pair),
        Err(Error::InconsistentKeys(_)) => Err(vec![format!(
            "the key in `{}` does not belong to the first certificate in `{}` ({CERT}; {KEY})",
            files.key.display(),
            files.cert.display()
        )]),
        Err(_) => Err(vec![format!(
            "{CERT}: `{}` begins with a certificate that cannot be read as one",
            files.cert.display()
        )]),
    }
}

fn read(file: &Path, setting: &str) -> Result<Vec<u8>, String> {
    let shown = file.display();
    let cannot =
        |e: std::io::Error| format!("{setting}: cannot read `{shown}`: {}", system_words(&e));
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|f| f.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(cannot)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!(
            "{setting}: `{shown}` is over 1 MiB, more than certificates take"
        ));
    }
    Ok(bytes)
}

/// The system's words without the number that Rust puts behind them.
fn system_words(error: &std::io::Error) -> String {
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or_default();
    let mut chars = words.chars();
    chars
        .next()
        .map(|c| c.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}

fn certificates(
    bytes: &[u8],
    file: &Path,
    setting: &str,
) -> Result<Vec<CertificateDer<'static>>, String> {
    let shown = file.display();
    if let Some(convert) = binary_form(bytes, file) {
        return Err(format!("{setting}: {convert}"));
    }
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(bytes).collect();
    match certificates {
        Ok(certificates) if certificates.is_empty() => Err(format!(
            "{setting}: `{shown}` holds no PEM certificate (`-----BEGIN CERTIFICATE-----`)"
        )),
        Ok(certificates) => Ok(certificates),
        Err(_) => Err(format!(
            "{setting}: `{shown}` holds PEM that is broken off or damaged"
        )),
    }
}

fn private_key(bytes: &[u8], file: &Path) -> Result<PrivateKeyDer<'static>, String> {
    let shown = file.display();
    if let Some(convert) = binary_form(bytes, file) {
        return Err(format!("{KEY}: {convert}"));
    }
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    if has(b"BEGIN ENCRYPTED PRIVATE KEY") || has(b"Proc-Type: 4,ENCRYPTED") {
        return Err(format!(
            "{KEY}: the key in `{shown}` is encrypted, and bb asks for no passphrase: \
             `openssl pkey -in {shown} -out client.key` writes it without one"
        ));
    }
    match PrivateKeyDer::from_pem_slice(bytes) {
        Ok(key) => Ok(key),
        Err(rustls::pki_types::pem::Error::NoItemsFound) => Err(format!(
            "{KEY}: `{shown}` holds no PEM private key (PKCS#8, PKCS#1 or SEC1)"
        )),
        Err(_) => Err(format!(
            "{KEY}: `{shown}` holds PEM that is broken off or damaged"
        )),
    }
}

/// How to convert a file that is not PEM, if it is of a form that is known.
fn binary_form(bytes: &[u8], file: &Path) -> Option<String> {
    /// The object identifier of PKCS#7 data, which every PKCS#12 file has near its start.
    const PKCS7_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07];
    // DER opens with a long sequence; PEM with text.
    if !bytes.starts_with(&[0x30, 0x82])
        && !bytes.starts_with(&[0x30, 0x80])
        && !bytes.starts_with(&[0x30, 0x81])
    {
        return None;
    }
    let shown = file.display();
    let start = &bytes[..bytes.len().min(64)];
    let is_pkcs12 = start
        .windows(PKCS7_DATA.len())
        .any(|window| window == PKCS7_DATA);
    Some(if is_pkcs12 {
        format!(
            "`{shown}` is a PKCS#12 file, and bb reads PEM: `openssl pkcs12 -in {shown} -nodes -out client.pem` \
             writes certificate and key into one PEM file, which both settings may name"
        )
    } else {
        format!(
            "`{shown}` is DER, and bb reads PEM: `openssl x509 -inform der -in {shown} -out client.pem` converts a \
             certificate, `openssl pkey -inform der` a key"
        )
    })
}
