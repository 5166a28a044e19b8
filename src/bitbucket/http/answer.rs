//! An answer that came whole.
//!
//! Never hands out JSON as text: callers name the type they read. Start reading at
//! [`Answer::json`].

use super::hidden::Hidden;
use super::request::Request;
use super::shape;
use crate::bitbucket::address;
use crate::bitbucket::error::{ApiError, Why};
use crate::clean;
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::Arc;
use ureq::http::HeaderMap;

/// Status, headers and the whole body.
#[derive(Clone)]
pub struct Answer {
    asked: String,
    status: u16,
    headers: HeaderMap,
    bytes: Vec<u8>,
    hidden: Arc<Hidden>,
}

impl Answer {
    pub(super) fn new(
        request: &Request,
        status: u16,
        headers: HeaderMap,
        bytes: Vec<u8>,
        hidden: Arc<Hidden>,
    ) -> Self {
        Self {
            asked: request.what.clone(),
            status,
            headers,
            bytes,
            hidden,
        }
    }

    /// A text of this answer without bb's own credentials, for words that are passed on.
    pub(super) fn hide(&self, text: &str) -> String {
        self.hidden.hide(text)
    }

    /// The status: from 200 to 299 once a caller has the answer.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// A header's first value, when it is plain text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The content type in lower case, without its parameters.
    pub fn content_type(&self) -> Option<String> {
        let header = self.hide(self.header("content-type")?);
        let essence = header.split(';').next()?.trim();
        (!essence.is_empty()).then(|| essence.to_ascii_lowercase())
    }

    /// Whom Bitbucket takes for the one who asks: the user's name, not the slug; `None` if
    /// anonymous.
    ///
    /// Source: the header `X-AUSERNAME` of every answer, percent-encoded.
    pub fn user(&self) -> Option<String> {
        let name = self.hide(&address::decode(self.header("x-ausername")?));
        let name = clean::line(&name, 200);
        (!name.is_empty() && name != "anonymous").then_some(name)
    }

    /// The body.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads the body as JSON.
    ///
    /// # Errors
    /// [`Why::NotUnderstood`], which names the part that is another than `T` wants.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        let not_understood = |part| ApiError::new(self.asked.as_str(), Why::NotUnderstood(part));
        // serde would read a list as an object's members in their order.
        match self.bytes.trim_ascii_start().first() {
            None => Err(not_understood("it is empty".to_owned())),
            Some(b'[') => Err(not_understood(format!(
                "it is a list, not an object{}",
                shape::WHOSE
            ))),
            Some(_) => self.parsed(),
        }
    }

    /// Reads a body that is a plain list, as a few of Bitbucket's answers are.
    ///
    /// # Errors
    /// As [`Self::json`].
    pub fn json_list<T: DeserializeOwned>(&self) -> Result<Vec<T>, ApiError> {
        self.parsed()
    }

    fn parsed<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        let not_understood = |part| ApiError::new(self.asked.as_str(), Why::NotUnderstood(part));
        let explain = |error: &_, json: &[u8]| shape::told(error, json, &|text| self.hide(text));
        match serde_json::from_slice(&self.bytes) {
            Ok(value) => Ok(value),
            // Some name or line in it is no UTF-8: better a replacement sign in one place than no
            // answer.
            Err(_) if std::str::from_utf8(&self.bytes).is_err() => {
                let text = String::from_utf8_lossy(&self.bytes);
                serde_json::from_str(&text)
                    .map_err(|e| not_understood(explain(&e, text.as_bytes())))
            }
            Err(e) => Err(not_understood(explain(&e, &self.bytes))),
        }
    }
}

impl Answer {
    /// The error of an answer that is JSON, and lacks what every such answer of Bitbucket has.
    pub fn lacking(&self, part: &str) -> ApiError {
        ApiError::new(
            self.asked.as_str(),
            Why::NotUnderstood(format!("`{part}` is missing{}", shape::WHOSE)),
        )
    }
}

impl fmt::Debug for Answer {
    /// Without headers and body: both are Bitbucket's, and one may be a cookie.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("asked", &self.asked)
            .field("status", &self.status)
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}
