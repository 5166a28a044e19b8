//! SHA-256 as a value. The only file that names sha2.
//!
//! Never holds what it was taken of.

use sha2::{Digest as _, Sha256};
use std::fmt;

/// The SHA-256 of some bytes. Prints as 64 hex digits in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Takes the digest of all of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Takes the digest of `bytes` under a key (HMAC): who has not the key cannot make it.
    ///
    /// Source: RFC 2104, with a key of exactly half a block.
    pub fn keyed(key: &[u8; 32], bytes: &[u8]) -> Self {
        let pad = |with: u8| {
            let mut block = [with; 64];
            block.iter_mut().zip(key).for_each(|(at, key)| *at ^= key);
            block
        };
        let inner = Sha256::new_with_prefix(pad(0x36))
            .chain_update(bytes)
            .finalize();
        let outer = Sha256::new_with_prefix(pad(0x5c)).chain_update(inner);
        Self(outer.finalize().into())
    }

    /// Whether both are one, found in the same time wherever they differ.
    pub fn is(&self, other: &Self) -> bool {
        let differing = self
            .0
            .iter()
            .zip(other.0)
            .fold(0, |all, (a, b)| all | (a ^ b));
        std::hint::black_box(differing) == 0
    }

    /// Reads what [`fmt::Display`] prints.
    pub fn parse(hex: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if hex.len() != 64 || !hex.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(hex.get(at * 2..at * 2 + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn a_digest_is_the_one_that_others_compute() {
        for (bytes, digest) in [
            (
                "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
        ] {
            assert_eq!(Digest::of(bytes.as_bytes()).to_string(), digest);
            assert_eq!(Digest::parse(digest), Some(Digest::of(bytes.as_bytes())));
        }
        assert_eq!(Digest::parse("e3b0"), None);
    }

    #[test]
    fn a_keyed_digest_is_the_one_that_others_compute() {
        // Computed with OpenSSL and with Python's hmac, which agree.
        let mut key = [0; 32];
        (0..).zip(&mut key).for_each(|(at, byte)| *byte = at);
        let keyed = Digest::keyed(&key, b"what do ya want for nothing?");
        assert_eq!(
            keyed.to_string(),
            "099805f4ac310786968565c098db515cc50862b420ae31e20238312344bed36a"
        );
        assert!(keyed.is(&keyed) && !keyed.is(&Digest::of(b"")));
    }
}
