//! What is asked: the words for a phrase, the method, the path, the limits.
//!
//! Never knows where Bitbucket is. Start reading at [`Request`].

use crate::bitbucket::address::Path;
use serde::Serialize;

/// The most that is read of an answer unless the request says otherwise (contract 6).
const MAX_ANSWER_BYTES: u64 = 4 * 1024 * 1024;
/// The most that is read of a diff (contract 6).
const MAX_DIFF_BYTES: u64 = 16 * 1024 * 1024;

/// How something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads; the only one that is ever sent again.
    Get,
    /// Writes.
    Post,
    /// Writes.
    Put,
    /// Writes.
    Delete,
}

impl Method {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

/// What kind of answer is fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// JSON, or nothing at all.
    Json,
    /// Any document: the contents of a file, an avatar.
    Anything,
}

/// One request, not yet sent.
#[derive(Clone, Debug)]
pub struct Request {
    pub(super) what: String,
    pub(super) method: Method,
    pub(super) path: Path,
    pub(super) body: Vec<u8>,
    flaw: Option<String>,
    pub(super) max_bytes: u64,
    pub(super) takes: Takes,
    pub(super) look_at: Option<String>,
}

impl Request {
    /// Asks for `path`. `what` goes into a phrase after "cannot": `read pull request 42 of
    /// ACME/rocket`.
    pub fn get(what: impl Into<String>, path: Path) -> Self {
        Self::new(Method::Get, what.into(), path)
    }

    /// Writes with POST.
    pub fn post(what: impl Into<String>, path: Path) -> Self {
        Self::new(Method::Post, what.into(), path)
    }

    /// Writes with PUT.
    pub fn put(what: impl Into<String>, path: Path) -> Self {
        Self::new(Method::Put, what.into(), path)
    }

    /// Writes with DELETE.
    pub fn delete(what: impl Into<String>, path: Path) -> Self {
        Self::new(Method::Delete, what.into(), path)
    }

    fn new(method: Method, what: String, path: Path) -> Self {
        Self {
            what,
            method,
            path,
            body: Vec::new(),
            flaw: None,
            max_bytes: MAX_ANSWER_BYTES,
            takes: Takes::Json,
            look_at: None,
        }
    }

    /// Carries `body` as JSON. A DELETE carries none: Bitbucket reads those of its query.
    #[must_use]
    pub fn json(mut self, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(body) => self.body = body,
            Err(e) => self.flaw = Some(format!("its body cannot be written as JSON: {e}")),
        }
        self
    }

    /// Reads at most `bytes` of the answer.
    #[must_use]
    pub fn up_to(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Reads as much as a diff may be: 16 MiB.
    #[must_use]
    pub fn diff(self) -> Self {
        self.up_to(MAX_DIFF_BYTES)
    }

    /// Takes a document of any type, not JSON alone.
    #[must_use]
    pub fn any_type(mut self) -> Self {
        self.takes = Takes::Anything;
        self
    }

    /// Says where a person sees whether a write was done, for the case that its answer does not
    /// come.
    #[must_use]
    pub fn look_at(mut self, address: impl Into<String>) -> Self {
        self.look_at = Some(address.into());
        self
    }

    /// Why this request must not be sent, if it must not.
    pub(super) fn flaw(&self) -> Option<&str> {
        self.path.flaw().or(self.flaw.as_deref())
    }

    /// The same request for another page of the same list.
    pub(crate) fn at_page(&self, start: u64, limit: u64) -> Self {
        let mut request = self.clone();
        request.path = request.path.query("start", start).query("limit", limit);
        request
    }

    /// What is asked, for phrases of whoever reads the answer.
    pub fn what(&self) -> &str {
        &self.what
    }
}
