//! Requests to Bitbucket: one at a time from the caller's side, at most 32 in flight from
//! everybody's.
//!
//! Never sends a write twice, never follows a redirect to another origin, never reads a proxy from
//! the environment. With its folder this is the only place that names ureq, and the only one that
//! opens a [`Secret`]. Start reading at [`Http::get`]; `http/connector.rs` tells how a cancelled
//! call leaves its socket.
//!
//! [`Secret`]: crate::secret::Secret

mod agent;
mod answer;
mod connector;
mod hidden;
mod hold;
mod log;
mod names;
mod places;
mod redirect;
mod refusal;
mod request;
mod retry;
mod shape;
mod stopped;
mod tls_line;
mod trial;

pub use answer::Answer;
pub use log::{RequestLog, Sent};
pub use request::{Method, Request};

use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::{Connection, Credentials, Proxy, ProxyKind};
use crate::bitbucket::error::{ApiError, SignedInWith, Why};
use crate::bitbucket::tls::{Handshake, Identity};
use crate::cancel::Cancel;
use hidden::Hidden;
use hold::Hold;
use names::Names;
use places::Places;
use redirect::Next;
use retry::Patience;
use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use stopped::Stopped;
use trial::{Entry, Kind, Trial};
use ureq::http::{HeaderMap, HeaderValue, header};

/// The most requests in flight at once (contract 2).
const MAX_IN_FLIGHT: usize = 32;
/// Looking up a name, and making a connection with every proxy's and TLS's step: each this long.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// What is read of an answer that says why not: its phrase needs a few lines, a conflict carries a
/// pull request.
const MAX_REFUSAL_BYTES: u64 = 1024 * 1024;

/// The way to one Bitbucket. Clones share connections, places and trust.
#[derive(Clone)]
pub struct Http {
    shared: Arc<Shared>,
    log: Option<RequestLog>,
}

struct Shared {
    agent: ureq::Agent,
    base: BaseUrl,
    authorization: Option<HeaderValue>,
    signed_in_with: SignedInWith,
    request_timeout: Duration,
    ca_file: Option<PathBuf>,
    has_client: bool,
    proxy: Option<Proxy>,
    places: Places,
    names: Names,
    patience: Patience,
    trial: Trial,
    hidden: Arc<Hidden>,
    handshake: Arc<Mutex<Option<Handshake>>>,
    /// Whom the latest answer that said so took for the one who asks.
    user: Mutex<Option<String>>,
}

/// Everything that keeps a connection from being used, each a phrase that names the flag and the
/// variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionError(Vec<String>);

impl ConnectionError {
    /// The problems, one phrase each.
    pub fn problems(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for ConnectionError {}

impl Http {
    /// Reads the files that `connection` names and makes ready; opens no socket.
    ///
    /// # Errors
    /// A file cannot be read or used, or a value cannot be sent: all problems at once.
    pub fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        Self::with_patience(connection, Patience::default())
    }

    fn with_patience(connection: &Connection, patience: Patience) -> Result<Self, ConnectionError> {
        let mut problems = Vec::new();
        let mut keep = |problem: String| problems.push(problem);
        let authorization =
            agent::authorization(connection.credentials.as_ref()).map_err(&mut keep);
        let proxy = agent::proxy(connection.proxy.as_ref()).map_err(&mut keep);
        let identity = Identity::read(connection.ca_file.as_deref(), connection.client.as_ref())
            .map_err(|more| more.into_iter().for_each(keep));
        let (Ok(authorization), Ok(proxy), Ok(identity)) = (authorization, proxy, identity) else {
            return Err(ConnectionError(problems));
        };
        let has_client = identity.has_client();
        let handshake = Arc::new(Mutex::new(None));
        let connector = connector::Reach::new(
            tls_line::TlsLine::new(identity, Arc::clone(&handshake)),
            matches!(&connection.proxy, Some(proxy) if proxy.kind != ProxyKind::Socks5),
        );
        let names = Names::default();
        let shared = Shared {
            agent: agent::build(proxy, connection.request_timeout, connector, names.clone()),
            base: connection.base.clone(),
            authorization,
            signed_in_with: match connection.credentials {
                None => SignedInWith::Nothing,
                Some(Credentials::Token(_)) => SignedInWith::Token,
                Some(Credentials::Basic { .. }) => SignedInWith::Password,
            },
            request_timeout: connection.request_timeout,
            ca_file: connection.ca_file.clone(),
            has_client,
            proxy: connection.proxy.clone(),
            places: Places::new(MAX_IN_FLIGHT),
            names,
            patience,
            handshake,
            trial: Trial::default(),
            hidden: Arc::new(Hidden::of(connection)),
            user: Mutex::default(),
        };
        Ok(Self {
            shared: Arc::new(shared),
            log: None,
        })
    }

    /// The same way to Bitbucket, writing what it sends into `log`: one call's requests for its
    /// audit line.
    #[must_use]
    pub fn recording(&self, log: RequestLog) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            log: Some(log),
        }
    }

    /// How long Bitbucket says to wait before more is asked for the call that this records.
    pub fn wait(&self) -> Option<Duration> {
        self.log.as_ref().and_then(RequestLog::wait)
    }

    /// The text without the credentials that bb was given, wherever in it they stand.
    pub fn hide(&self, text: &str) -> String {
        self.shared.hidden.hide(text)
    }

    /// The address that everything is asked below.
    pub fn base(&self) -> &BaseUrl {
        &self.shared.base
    }

    /// How requests say who asks.
    pub fn signed_in_with(&self) -> SignedInWith {
        self.shared.signed_in_with
    }

    /// Whom Bitbucket took for the one who asks, as its answers so far told; `None` before one and
    /// for an anonymous caller. Never a reason to ask.
    pub fn user(&self) -> Option<String> {
        self.shared
            .user
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// What the latest TLS handshake came to; `None` before one and over plain HTTP.
    pub fn handshake(&self) -> Option<Handshake> {
        self.shared
            .handshake
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Asks for something, again where asking again helps: at most twice more after 429, 502, 503,
    /// 504 and a connection that was dropped before an answer. Blocks; a cancel ends it at once.
    ///
    /// # Errors
    /// Whatever [`Why`] lists.
    pub fn get(&self, request: Request, cancel: &Cancel) -> Result<Answer, ApiError> {
        self.perform(&request, cancel)
    }

    /// Sends a write, once whatever happens. An answer that does not come is told as "may have
    /// happened".
    ///
    /// # Errors
    /// Whatever [`Why`] lists.
    pub fn send(&self, request: Request, cancel: &Cancel) -> Result<Answer, ApiError> {
        self.perform(&request, cancel)
    }

    fn perform(&self, request: &Request, cancel: &Cancel) -> Result<Answer, ApiError> {
        if self.shared.signed_in_with != SignedInWith::Password {
            return self.perform_now(request, cancel);
        }
        let kind = match request.path.without_query().starts_with("/rest/api/") {
            true => Kind::Public,
            false => Kind::Internal,
        };
        let turn = match self.shared.trial.enter(kind, cancel) {
            Entry::Go(turn) => turn,
            Entry::Known(why) => return Err(ApiError::new(request.what.as_str(), why)),
            Entry::Cancelled => return Err(ApiError::new(request.what.as_str(), Why::Cancelled)),
        };
        let done = self.perform_now(request, cancel);
        turn.over(done.as_ref().err().map(ApiError::why));
        done
    }

    fn perform_now(&self, request: &Request, cancel: &Cancel) -> Result<Answer, ApiError> {
        let fail = |why| ApiError::new(request.what.as_str(), why);
        if let Some(flaw) = request.flaw() {
            return Err(fail(Why::NotSent(flaw.to_owned())));
        }
        let mut address = self.shared.base.join(&request.path);
        let (mut tries, mut hops) = (0, 0);
        loop {
            let place = self
                .shared
                .places
                .take(cancel)
                .ok_or_else(|| fail(Why::Cancelled))?;
            let done = self.attempt(request, &address, cancel);
            drop(place);
            if matches!(&done, Err(stopped) if stopped.is_unreached()) {
                self.shared.names.forget();
            }
            let wait = match &done {
                Ok(answer) => self.shared.patience.after_answer(
                    answer.status(),
                    answer.header("retry-after"),
                    tries,
                ),
                Err(stopped) if stopped.is_dropped => self.shared.patience.after_drop(tries),
                Err(_) => None,
            };
            if let (Method::Get, Some(wait)) = (request.method, wait) {
                tries += 1;
                if cancel.wait(wait) {
                    return Err(fail(Why::Cancelled));
                }
                continue;
            }
            let answer = done.map_err(|stopped| stopped.into_error(request))?;
            match redirect::next(&self.shared.base, request.method, &address, &answer, hops) {
                Next::Here => return self.settle(request, answer),
                Next::There(next) => {
                    hops += 1;
                    address = next;
                }
                Next::Nowhere(stranger) => return Err(fail(Why::NotBitbucket(stranger))),
            }
        }
    }

    /// One request and its answer, whatever its status.
    fn attempt(
        &self,
        request: &Request,
        address: &str,
        cancel: &Cancel,
    ) -> Result<Answer, Stopped> {
        let hold = Hold::new();
        let on_cancel = Arc::clone(&hold);
        let _registration = cancel.on_cancel(move || on_cancel.end());
        let _in_hand = hold.take_in_hand();
        // Before it leaves: the call that it is for may be recorded before an answer comes.
        let noted = self.log.as_ref().map(|log| {
            let place = log.sending(request.method, request.path.without_query());
            (log, place)
        });
        let done = self.exchange(request, address, &hold);
        let status = done.as_ref().ok().map(Answer::status);
        if let Some(user) = done.as_ref().ok().and_then(Answer::user) {
            *self
                .shared
                .user
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = Some(user);
        }
        if let Some((log, place)) = noted {
            log.answered(place, status);
        }
        if cancel.is_cancelled() {
            return Err(Stopped::cancelled(&hold));
        }
        done
    }

    fn exchange(&self, request: &Request, address: &str, hold: &Hold) -> Result<Answer, Stopped> {
        let stopped =
            |error: ureq::Error| stopped::explain(error, hold, &self.shared.surroundings());
        let authorization = self.shared.authorization.as_ref();
        let response =
            agent::run(&self.shared.agent, request, address, authorization).map_err(stopped)?;
        let (head, body) = response.into_parts();
        let is_fine = head.status.is_success();
        let cap = if is_fine {
            request.max_bytes
        } else {
            MAX_REFUSAL_BYTES
        };
        let bytes = if is_fine {
            read_body(body, &head.headers, cap, hold, &stopped)?
        } else {
            // Half a refusal still tells its status; the words in it are a courtesy.
            let mut bytes = Vec::new();
            let _ = body.into_reader().take(cap).read_to_end(&mut bytes);
            bytes
        };
        Ok(Answer::new(
            request,
            head.status.as_u16(),
            head.headers,
            bytes,
            Arc::clone(&self.shared.hidden),
        ))
    }

    /// Tells an answer from a refusal.
    fn settle(&self, request: &Request, answer: Answer) -> Result<Answer, ApiError> {
        let shared = &self.shared;
        match refusal::of(&shared.base, &answer, request.takes, shared.signed_in_with) {
            None => Ok(answer),
            Some(why) => {
                if let (Some(log), Why::RateLimited { retry_after }) = (&self.log, &why) {
                    log.refused(*retry_after);
                }
                let error = ApiError::new(request.what.as_str(), why);
                // Who broke, gave up, or is not Bitbucket and says that all is well, does not say whether the write
                // was done before that. 503 comes before the work: starting, maintenance, busy.
                let is_open = matches!(answer.status(), 408 | 500 | 502 | 504)
                    || (matches!(error.why(), Why::NotBitbucket(_)) && answer.status() < 300);
                let is_lost = is_open && request.method != Method::Get;
                Err(if is_lost {
                    error.unsettled(request.look_at.clone())
                } else {
                    error
                })
            }
        }
    }
}

impl Shared {
    fn surroundings(&self) -> stopped::Surroundings<'_> {
        stopped::Surroundings {
            base: &self.base,
            proxy: self.proxy.as_ref(),
            ca_file: self.ca_file.as_ref(),
            has_client: self.has_client,
            request_timeout: self.request_timeout,
        }
    }
}

fn read_body(
    body: ureq::Body,
    headers: &HeaderMap,
    cap_bytes: u64,
    hold: &Hold,
    stopped: &dyn Fn(ureq::Error) -> Stopped,
) -> Result<Vec<u8>, Stopped> {
    let announced: Option<u64> = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let too_large = |announced_bytes| {
        Stopped::after_head(
            Why::TooLarge {
                cap_bytes,
                announced_bytes,
            },
            hold,
        )
    };
    if announced.is_some_and(|bytes| bytes > cap_bytes) {
        return Err(too_large(announced));
    }
    let mut bytes = Vec::new();
    let read = body
        .into_reader()
        .take(cap_bytes + 1)
        .read_to_end(&mut bytes);
    if bytes.len() as u64 > cap_bytes {
        return Err(too_large(None));
    }
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => {
            let error = ureq::Error::from(error);
            Err(match stopped::is_drop(&error) {
                true => {
                    let got_bytes = Some(bytes.len() as u64);
                    Stopped::after_head(Why::CutShort { got_bytes }, hold)
                }
                false => stopped(error),
            })
        }
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http")
            .field("base", &self.shared.base)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(crate) mod tests;
