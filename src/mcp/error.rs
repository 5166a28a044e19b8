//! What a client is told when a message cannot be served: JSON-RPC's error object.
//!
//! Never carries what the model could fix; that is a tool result. Start reading at [`RpcError`].

use crate::mcp::caller::Version;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;

/// The line is not JSON.
pub const PARSE_ERROR: i32 = -32700;
/// JSON, but no message of this protocol.
pub const INVALID_REQUEST: i32 = -32600;
/// A method that bb does not have.
pub const METHOD_NOT_FOUND: i32 = -32601;
/// Parameters that cannot be served, an unknown tool among them.
pub const INVALID_PARAMS: i32 = -32602;
/// A fault of bb's own.
pub const INTERNAL_ERROR: i32 = -32603;
/// A resource that does not exist, before MCP 2026-07-28.
pub const RESOURCE_NOT_FOUND: i32 = -32002;
/// The client lacks a capability that the call needs, from MCP 2026-07-28 on.
pub const MISSING_CAPABILITY: i32 = -32021;
/// A protocol version that bb does not speak, from MCP 2026-07-28 on.
pub const UNSUPPORTED_VERSION: i32 = -32022;

/// An error object: what only a developer, or the person who configures the client, can fix.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RpcError {
    /// One of the constants of this module.
    pub code: i32,
    /// A full phrase: what was asked, what is accepted.
    pub message: String,
    /// More for a program to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl RpcError {
    /// An error without data.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    /// Parameters that cannot be served.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    /// A request that names a version which bb does not speak, with those that it does.
    pub fn unsupported_version(requested: &str) -> Self {
        let supported: Vec<&str> = Version::ALL.iter().map(|version| version.name()).collect();
        Self {
            code: UNSUPPORTED_VERSION,
            message: format!(
                "unsupported protocol version; bb speaks {}",
                supported.join(", ")
            ),
            data: Some(json!({"supported": supported, "requested": requested})),
        }
    }

    /// A client that cannot ask its person anything, though the call needs it.
    pub fn missing_elicitation() -> Self {
        Self {
            code: MISSING_CAPABILITY,
            message: "this call asks the person first, and the client cannot ask (elicitation)"
                .to_owned(),
            data: Some(json!({"requiredCapabilities": {"elicitation": {}}})),
        }
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for RpcError {}
