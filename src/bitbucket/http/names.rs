//! Names looked up, and remembered for a while.
//!
//! ureq asks for an address before each request, also when it has a connection to use; asking the system each
//! time costs a thread and, without a cache on the machine, a question over the network. Never remembers a
//! failure, nor an address for longer than [`MAX_AGE`]. Start reading at [`Names`].

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// A name that moves is found again after this long, or at once when nobody answers there.
const MAX_AGE: Duration = Duration::from_secs(30);
/// The names of one Bitbucket and its proxy, and nothing to grow over.
const MAX_NAMES: usize = 4;

/// The system's resolver with a memory; clones share it.
#[derive(Clone, Default)]
pub(super) struct Names(Arc<Inner>);

#[derive(Default)]
struct Inner {
    system: DefaultResolver,
    known: Mutex<Vec<Known>>,
}

struct Known {
    /// Scheme and authority, as ureq asks.
    name: String,
    addresses: ResolvedSocketAddrs,
    since: Instant,
}

impl Names {
    /// Forgets everything: nobody answered at an address.
    pub(super) fn forget(&self) {
        self.0
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}

impl Resolver for Names {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let scheme = uri.scheme_str().unwrap_or_default();
        let name = match uri.authority() {
            // A user name in a proxy's address says nothing about where it is, and may be secret.
            Some(authority) => {
                let place = authority.as_str().rsplit('@').next().unwrap_or_default();
                format!("{scheme}://{place}")
            }
            None => String::new(),
        };
        let known = || self.0.known.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut known = known();
            known.retain(|known| known.since.elapsed() < MAX_AGE);
            if let Some(known) = known.iter().find(|known| known.name == name) {
                return Ok(known.addresses.clone());
            }
        }
        let addresses = self.0.system.resolve(uri, config, timeout)?;
        let mut known = known();
        if known.len() < MAX_NAMES {
            known.push(Known {
                name,
                addresses: addresses.clone(),
                since: Instant::now(),
            });
        }
        Ok(addresses)
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
