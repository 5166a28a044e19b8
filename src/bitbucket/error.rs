//! What can go wrong with one request, told so that the reader knows what to do.
//!
//! Never carries a token, a query string or the contents of a certificate. Bitbucket's own words,
//! and the names in what was asked, are hostile text and pass through `clean` on their way in. Start reading at [`ApiError`];
//! [`Fault`] sorts errors for exit codes.

mod phrase;
mod words;

pub use words::{Message, Messages};

use crate::clean;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The most characters of what was asked, or of any other part of a phrase: a path has up to 4,096.
const MAX_PART_CHARS: usize = 5_000;

/// One request that did not give what was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    asked: String,
    why: Why,
    unsettled: Option<Unsettled>,
}

/// A write that left and whose answer did not come.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unsettled {
    /// Where a person sees whether it was done.
    look_at: Option<String>,
}

/// What stopped a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// 401 and Bitbucket does not know who asks.
    NotSignedIn {
        /// How the request said who asks.
        signed_in_with: SignedInWith,
        /// What Bitbucket said.
        said: Messages,
    },
    /// Too many failed passwords: Bitbucket wants a person to sign in with a browser first.
    Captcha,
    /// 403, or 401 although Bitbucket knows who asks.
    NotAllowed {
        /// 401 or 403.
        status: u16,
        /// Who Bitbucket says is asking.
        user: Option<String>,
        /// What Bitbucket said.
        said: Messages,
    },
    /// 404: there is no such thing, or this user may not know of it.
    NotFound(Messages),
    /// 409: a version moved on, a veto, a duplicate. [`Messages::raw`] has what Bitbucket tells
    /// besides words.
    Conflict(Messages),
    /// 429.
    RateLimited {
        /// How long Bitbucket says to wait, if it does.
        retry_after: Option<Duration>,
    },
    /// Another status from 400 to 499.
    BadRequest {
        /// The status.
        status: u16,
        /// What Bitbucket said.
        said: Messages,
    },
    /// A status of 500 or more.
    ServerFault {
        /// The status.
        status: u16,
        /// What Bitbucket said.
        said: Messages,
    },
    /// No connection could be made.
    Unreachable {
        /// `host:port` of whom bb tried to reach.
        whom: String,
        /// What stopped it.
        how: Unreached,
    },
    /// Time ran out.
    TimedOut(Limit),
    /// TLS did not come about.
    Tls {
        /// `host:port` of whom bb tried to reach.
        whom: String,
        /// What stopped it.
        how: TlsFault,
        /// The CA file that was read, for the phrase.
        ca_file: Option<PathBuf>,
    },
    /// A proxy stands in between and did not let the request through.
    Proxy {
        /// `host:port` of the proxy.
        proxy: String,
        /// What stopped it.
        how: ProxyFault,
    },
    /// An answer came that is not Bitbucket's.
    NotBitbucket(Stranger),
    /// The answer is over its cap.
    TooLarge {
        /// The cap in bytes.
        cap_bytes: u64,
        /// What the server said that it is, if it did.
        announced_bytes: Option<u64>,
    },
    /// The connection ended before the whole answer had come.
    CutShort {
        /// Bytes of the body that came; `None` when not even the head did.
        got_bytes: Option<u64>,
    },
    /// JSON came, and part of it is not what bb understands.
    NotUnderstood(String),
    /// The request was never sent: a name in it cannot be part of an address.
    NotSent(String),
    /// The call was cancelled.
    Cancelled,
}

/// How a request said who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignedInWith {
    /// Nothing: anonymous.
    Nothing,
    /// An HTTP access token.
    Token,
    /// A user name and a password.
    Password,
}

/// Why no connection could be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreached {
    /// The name is not known.
    NameUnknown,
    /// Nothing listens there.
    Refused,
    /// There is no way to it from here.
    NoRoute,
    /// Something else, in the system's words.
    Other(String),
}

/// Which time ran out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Looking up the name.
    Resolving(Duration),
    /// Making the connection, a proxy's and TLS's steps included.
    Connecting(Duration),
    /// The whole request.
    Request(Duration),
}

/// Why TLS did not come about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TlsFault {
    /// The chain ends at an issuer that is not trusted; its name, if it could be read.
    UnknownIssuer(Option<String>),
    /// The certificate is for other names, given here as far as they are told.
    WrongName(Vec<String>),
    /// The certificate's time is over.
    Expired,
    /// The certificate's time has not begun.
    NotYetValid,
    /// The certificate is refused for another reason.
    Refused(String),
    /// The server wants a client certificate, and none is set.
    ClientCertificateWanted,
    /// The server was shown our client certificate and did not take it.
    ClientCertificateRejected(String),
    /// What answered does not speak TLS.
    NotTls,
    /// This machine trusts no certificate at all.
    NoRoots,
    /// Something else, in words.
    Other(String),
}

/// Why a proxy did not let a request through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyFault {
    /// It wants credentials (407), or other ones than it was given.
    Credentials {
        /// Whether it was given some.
        given: bool,
    },
    /// It answered something else than yes.
    Refused(String),
    /// It cannot be reached.
    Unreached(Unreached),
    /// It closed the connection without an answer.
    Silent,
    /// It let this time pass without an answer.
    Hung(Duration),
}

/// An answer that is not Bitbucket's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stranger {
    /// An HTML page.
    Html {
        /// Its status.
        status: u16,
        /// Its title.
        title: Option<String>,
    },
    /// Another kind of document.
    Document {
        /// Its status.
        status: u16,
        /// Its content type.
        content_type: Option<String>,
        /// Its first words.
        begins: String,
    },
    /// A redirect that bb does not follow.
    Redirect {
        /// The status.
        status: u16,
        /// Where to: an origin, without path or query.
        to: Option<String>,
    },
    /// What came is no HTTP.
    NotHttp,
}

/// The sorts of error, for exit codes and for the audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Bitbucket does not know who asks.
    NotSignedIn,
    /// Who asks may not.
    NotAllowed,
    /// There is no such thing.
    NotFound,
    /// The state is another than the request supposed.
    Conflict,
    /// Too many requests.
    RateLimited,
    /// Bitbucket refused what was asked.
    BadRequest,
    /// Bitbucket broke.
    ServerFault,
    /// No connection.
    Unreachable,
    /// Time ran out.
    TimedOut,
    /// TLS did not come about.
    TlsRefused,
    /// A proxy said no.
    ProxyRefused,
    /// The answer is somebody else's.
    NotBitbucket,
    /// The answer is over its cap.
    TooLarge,
    /// Half an answer.
    CutShort,
    /// JSON that bb does not understand.
    NotUnderstood,
    /// The call was cancelled.
    Cancelled,
}

impl Fault {
    /// The process's exit code when this ends a command (contract: 3 not signed in or not allowed,
    /// 4 not found, 5 conflict, 10 whatever keeps bb from Bitbucket, else 1).
    pub fn exit_code(self) -> u8 {
        match self {
            Self::NotSignedIn | Self::NotAllowed => 3,
            Self::NotFound => 4,
            Self::Conflict => 5,
            Self::RateLimited
            | Self::ServerFault
            | Self::Unreachable
            | Self::TimedOut
            | Self::TlsRefused
            | Self::ProxyRefused
            | Self::NotBitbucket
            | Self::TooLarge
            | Self::CutShort
            | Self::NotUnderstood => 10,
            Self::BadRequest | Self::Cancelled => 1,
        }
    }
}

impl ApiError {
    /// An error of what was `asked`, in words that follow "cannot": `read pull request 42 of
    /// ACME/rocket`. Names in them may be anybody's, so they are made one harmless line here, once
    /// for every phrase.
    pub fn new(asked: impl AsRef<str>, why: Why) -> Self {
        Self(Box::new(Inner {
            asked: harmless(asked.as_ref()),
            why: match why {
                Why::NotUnderstood(part) => Why::NotUnderstood(harmless(&part)),
                Why::NotSent(flaw) => Why::NotSent(harmless(&flaw)),
                why => why,
            },
            unsettled: None,
        }))
    }

    /// Says that the request was a write which left and was not answered, and where to look.
    #[must_use]
    pub(crate) fn unsettled(mut self, look_at: Option<String>) -> Self {
        let look_at = look_at.map(|at| harmless(&at));
        self.0.unsettled = Some(Unsettled { look_at });
        self
    }

    /// Says that the request changes nothing although it is sent as a write, so that nothing is unsettled.
    #[must_use]
    pub(crate) fn of_reading(mut self) -> Self {
        self.0.unsettled = None;
        self
    }

    /// What was asked, in words that follow "cannot".
    pub fn asked(&self) -> &str {
        &self.0.asked
    }

    /// What stopped it.
    pub fn why(&self) -> &Why {
        &self.0.why
    }

    /// Whether this was a write that left and was not answered: it may have happened.
    pub fn may_have_happened(&self) -> bool {
        self.0.unsettled.is_some()
    }

    /// What Bitbucket said, when it said something.
    pub fn said(&self) -> Option<&Messages> {
        match &self.0.why {
            Why::NotSignedIn { said, .. }
            | Why::NotAllowed { said, .. }
            | Why::NotFound(said)
            | Why::Conflict(said)
            | Why::BadRequest { said, .. }
            | Why::ServerFault { said, .. } => Some(said),
            _ => None,
        }
    }

    /// The sort of error.
    pub fn fault(&self) -> Fault {
        match &self.0.why {
            Why::NotSignedIn { .. } | Why::Captcha => Fault::NotSignedIn,
            Why::NotAllowed { .. } => Fault::NotAllowed,
            Why::NotFound(_) => Fault::NotFound,
            Why::Conflict(_) => Fault::Conflict,
            Why::RateLimited { .. } => Fault::RateLimited,
            Why::BadRequest { .. } | Why::NotSent(_) => Fault::BadRequest,
            Why::ServerFault { .. } => Fault::ServerFault,
            Why::Unreachable { .. } => Fault::Unreachable,
            Why::TimedOut(_) => Fault::TimedOut,
            Why::Tls { .. } => Fault::TlsRefused,
            Why::Proxy { .. } => Fault::ProxyRefused,
            Why::NotBitbucket(_) => Fault::NotBitbucket,
            Why::TooLarge { .. } => Fault::TooLarge,
            Why::CutShort { .. } => Fault::CutShort,
            Why::NotUnderstood(_) => Fault::NotUnderstood,
            Why::Cancelled => Fault::Cancelled,
        }
    }
}

fn harmless(text: &str) -> String {
    clean::code(text, MAX_PART_CHARS)
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &self.0;
        write!(f, "cannot {}: {}", inner.asked, inner.why)?;
        match &inner.unsettled {
            None => Ok(()),
            Some(Unsettled { look_at: None }) => {
                f.write_str("; it may have happened all the same: look before trying again")
            }
            Some(Unsettled { look_at: Some(at) }) => write!(
                f,
                "; it may have happened all the same: look at {at} before trying again"
            ),
        }
    }
}

impl std::error::Error for ApiError {}

#[cfg(test)]
mod tests;
