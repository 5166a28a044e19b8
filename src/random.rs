//! Bytes that nobody can guess, from the system. The only file beside the TLS ones that names rustls.
//!
//! Never makes its own: the cryptography that TLS brings asks the system. Start reading at [`key`].

/// A key for as long as the process lives; `None` where the system gives no random bytes.
pub fn key() -> Option<[u8; 32]> {
    let mut key = [0; 32];
    rustls::crypto::ring::default_provider()
        .secure_random
        .fill(&mut key)
        .ok()?;
    Some(key)
}
