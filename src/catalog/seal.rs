//! What a client brings back with a person's answer, proven to be bb's own: signed, bound, short-lived, used once.
//!
//! Never trusts a part of it before the signature holds, and never knows what was asked. Time is given as how long
//! the process has run, so that a clock that is set makes nothing live longer. Start reading at [`Seal::close`].

use crate::digest::Digest;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a person's answer is waited for.
pub const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// Numbers of used states that are remembered. Older ones than all of these count as used.
const MAX_USED: usize = 1024;

/// The key of this process, and which states came back already.
pub struct Seal {
    key: [u8; 32],
    used: Mutex<Used>,
}

#[derive(Default)]
struct Used {
    next: u64,
    /// Every number below it counts as used.
    floor: u64,
    numbers: BTreeSet<u64>,
}

/// Why a state is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Not signed by this process.
    Forged,
    /// Of another tool or of other arguments.
    Altered,
    /// Older than [`LIFETIME`].
    Expired,
    /// It came back before.
    Replayed,
}

impl Seal {
    /// Signs with `key`.
    pub fn new(key: [u8; 32]) -> Self {
        Self {
            key,
            used: Mutex::default(),
        }
    }

    /// A state for one question: `v1.number.expiry.version.call.signature`, where `call` is the digest of the tool
    /// and its final arguments, and `version` the one that the person is shown.
    pub fn close(&self, call: &Digest, version: Option<i64>, now: Duration) -> String {
        let number = {
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            used.next += 1;
            used.next
        };
        let expiry = (now + LIFETIME).as_millis();
        let version = version.map_or(String::new(), |version| version.to_string());
        let signed = format!("v1.{number}.{expiry}.{version}.{call}");
        let signature = Digest::keyed(&self.key, signed.as_bytes());
        format!("{signed}.{signature}")
    }

    /// Reads a state that came back with the same call, and uses it up. Gives the version that was shown.
    ///
    /// # Errors
    /// It does not belong to this call, or not any more.
    pub fn open(&self, state: &str, call: &Digest, now: Duration) -> Result<Option<i64>, Broken> {
        let (signed, signature) = state.rsplit_once('.').ok_or(Broken::Forged)?;
        let expected = Digest::keyed(&self.key, signed.as_bytes());
        if !Digest::parse(signature).is_some_and(|signature| signature.is(&expected)) {
            return Err(Broken::Forged);
        }
        // What is signed was written above.
        let parts: Vec<&str> = signed.split('.').collect();
        let ["v1", number, expiry, version, bound] = parts.as_slice() else {
            return Err(Broken::Forged);
        };
        let (Ok(number), Ok(expiry)) = (number.parse::<u64>(), expiry.parse::<u128>()) else {
            return Err(Broken::Forged);
        };
        if !Digest::parse(bound).is_some_and(|bound| bound.is(call)) {
            return Err(Broken::Altered);
        }
        if now.as_millis() >= expiry {
            return Err(Broken::Expired);
        }
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if number < used.floor || !used.numbers.insert(number) {
            return Err(Broken::Replayed);
        }
        if used.numbers.len() > MAX_USED {
            if let Some(oldest) = used.numbers.pop_first() {
                used.floor = oldest + 1;
            }
        }
        Ok(version.parse().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::{Broken, LIFETIME, MAX_USED, Seal};
    use crate::digest::Digest;
    use std::time::Duration;

    const NOW: Duration = Duration::from_secs(1_000);

    fn call(text: &str) -> Digest {
        Digest::of(text.as_bytes())
    }

    #[test]
    fn a_state_opens_once_for_its_own_call_in_its_time() {
        let seal = Seal::new([7; 32]);
        let late = NOW + LIFETIME;
        let just_in_time = late.saturating_sub(Duration::from_millis(1));
        for version in [None, Some(0), Some(-1), Some(12)] {
            let state = seal.close(&call("a"), version, NOW);
            assert_eq!(seal.open(&state, &call("b"), NOW), Err(Broken::Altered));
            assert_eq!(seal.open(&state, &call("a"), late), Err(Broken::Expired));
            assert_eq!(seal.open(&state, &call("a"), just_in_time), Ok(version));
            assert_eq!(seal.open(&state, &call("a"), NOW), Err(Broken::Replayed));
        }
    }

    #[test]
    fn whatever_is_changed_in_a_state_makes_it_a_forgery() {
        let seal = Seal::new([7; 32]);
        let state = seal.close(&call("a"), Some(3), NOW);
        let of_another = Seal::new([8; 32]).close(&call("a"), Some(3), NOW);
        let longer = format!("{state}0");
        let mut forgeries = vec![
            String::new(),
            ".".to_owned(),
            "v1.....".to_owned(),
            of_another,
            longer,
        ];
        for at in 0..state.len() {
            let mut bytes = state.clone().into_bytes();
            bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
            forgeries.push(String::from_utf8(bytes).expect("ASCII"));
        }
        for forgery in forgeries {
            assert_eq!(
                seal.open(&forgery, &call("a"), NOW),
                Err(Broken::Forged),
                "{forgery}"
            );
        }
        assert_eq!(seal.open(&state, &call("a"), NOW), Ok(Some(3)));
    }

    #[test]
    fn what_is_forgotten_counts_as_used() {
        let seal = Seal::new([7; 32]);
        let first = seal.close(&call("a"), None, NOW);
        let waiting = seal.close(&call("a"), None, NOW);
        assert_eq!(seal.open(&first, &call("a"), NOW), Ok(None));
        for _ in 0..MAX_USED {
            let state = seal.close(&call("a"), None, NOW);
            assert_eq!(seal.open(&state, &call("a"), NOW), Ok(None));
        }
        assert_eq!(seal.open(&first, &call("a"), NOW), Err(Broken::Replayed));
        assert_eq!(seal.open(&waiting, &call("a"), NOW), Ok(None));
    }
}
