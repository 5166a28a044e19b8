//! When asking again helps, and how long to wait before.
//!
//! Never asked for a write. Start reading at [`Patience`].

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// How often a GET is sent again.
const MAX_RETRIES: u32 = 2;
/// Waiting longer than this is the caller's to decide.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(10);

/// How long waits are. Tests have less.
pub(super) struct Patience {
    /// After 429 without a time: Bitbucket's bucket has refilled by then (5 a second by default).
    pub(super) rate_limit: Duration,
    /// After 502, 503, 504; the second time twice this.
    pub(super) server: Duration,
    /// After a dropped connection: a new one is another matter, so hardly any.
    pub(super) drop: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            rate_limit: Duration::from_secs(1),
            server: Duration::from_millis(300),
            drop: Duration::from_millis(50),
        }
    }
}

impl Patience {
    /// How long to wait before asking again after an answer; `None` is not to.
    pub(super) fn after_answer(
        &self,
        status: u16,
        retry_after: Option<&str>,
        tries: u32,
    ) -> Option<Duration> {
        if tries >= MAX_RETRIES {
            return None;
        }
        match (status, seconds(retry_after)) {
            (429 | 503, Some(told)) => (told <= MAX_RETRY_AFTER).then_some(told),
            (429, None) => Some(jittered(self.rate_limit)),
            (502..=504, _) => Some(jittered(self.server * 2u32.pow(tries))),
            _ => None,
        }
    }

    /// How long to wait before asking again after a connection that was dropped before an answer.
    pub(super) fn after_drop(&self, tries: u32) -> Option<Duration> {
        (tries < MAX_RETRIES).then(|| jittered(self.drop))
    }
}

/// What a `Retry-After` header says, when it says it in seconds. (A date is not read: no Bitbucket
/// sends one.)
pub(super) fn seconds(header: Option<&str>) -> Option<Duration> {
    let seconds: u64 = header?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Between three quarters and five quarters of `wait`, so that calls which were refused together do
/// not return together.
fn jittered(wait: Duration) -> Duration {
    let dice = RandomState::new().hash_one(0) % 512;
    wait * 3 / 4 + wait * u32::try_from(dice).unwrap_or(0) / 1024
}
