//! Tools, results and resources as MCP writes them.
//!
//! Never decides what they say. Start reading at [`Tool`] and [`CallResult`].

use crate::mcp::caller::Caller;
use crate::mcp::error::{INTERNAL_ERROR, RpcError};
use crate::mcp::lines::MAX_LINE_BYTES;
use crate::mcp::message::Id;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// An entry of `tools/list`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// What a call names.
    pub name: String,
    /// What a person reads.
    pub title: String,
    /// What the model chooses by.
    pub description: String,
    /// JSON Schema of the arguments: an object.
    pub input_schema: Value,
    /// JSON Schema of the result, where one is promised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// All four, since what a client assumes of an absent one is the worst.
    pub annotations: Annotations,
    /// More for the host, such as the view that draws the result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
}

/// Hints about a tool; none of them binds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Annotations {
    /// Changes nothing.
    #[serde(rename = "readOnlyHint")]
    pub read_only: bool,
    /// May destroy or overwrite.
    #[serde(rename = "destructiveHint")]
    pub destructive: bool,
    /// Repeating it changes nothing more.
    #[serde(rename = "idempotentHint")]
    pub idempotent: bool,
    /// Talks to something outside this machine.
    #[serde(rename = "openWorldHint")]
    pub open_world: bool,
}

/// What a call that ran answers.
#[derive(Clone, Debug)]
pub struct CallResult {
    /// What the model reads.
    pub text: String,
    /// Whether the call failed in a way that the model can act on.
    pub is_error: bool,
    /// The same as data; bb's own tools have none, since some clients show it to the model instead of the text.
    pub structured: Option<Value>,
    /// What only the host and its view read.
    pub meta: Map<String, Value>,
}

impl CallResult {
    /// A text for the model.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_error: false,
            structured: None,
            meta: Map::new(),
        }
    }

    /// A failure that the model can act on.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::text(text)
        }
    }
}

/// What a call comes to.
#[derive(Clone, Debug)]
pub enum Reply {
    /// It ran, or failed.
    Complete(CallResult),
    /// It needs the client's answers first, and is called again with them (from MCP 2026-07-28 on).
    InputRequired {
        /// Each question under a key of the server's: `{method, params}`.
        requests: Map<String, Value>,
        /// What the client must bring back unchanged.
        state: String,
    },
}

impl From<CallResult> for Reply {
    fn from(result: CallResult) -> Self {
        Self::Complete(result)
    }
}

/// An entry of `resources/list`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Its address.
    pub uri: String,
    /// What a program calls it.
    pub name: String,
    /// What a person reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The media type.
    pub mime_type: String,
    /// More for the host.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
}

/// What `resources/read` answers.
#[derive(Clone, Debug)]
pub struct Page {
    /// The document.
    pub text: String,
    /// The media type.
    pub mime_type: &'static str,
    /// More for the host.
    pub meta: Value,
    /// Whether it is the same for everyone, so that anyone may keep it.
    pub is_public: bool,
}

/// How long, and for whom, a list or page may be kept (from MCP 2026-07-28 on).
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// Milliseconds; 0 is stale at once.
    pub ttl_ms: u64,
    /// Whether anyone may keep it, or only the person it was made for.
    pub is_public: bool,
}

/// The names by which a server makes itself known.
#[derive(Clone, Debug)]
pub struct About {
    /// What a program calls it.
    pub name: &'static str,
    /// What a person reads.
    pub title: &'static str,
    /// The release.
    pub version: &'static str,
    /// What the model reads before anything else.
    pub instructions: String,
}

/// A result of `initialize`, which belongs to the handshake alone.
pub(crate) fn initialized(caller: &Caller, about: &About, capabilities: Value) -> Value {
    json!({
        "protocolVersion": caller.version.name(),
        "capabilities": capabilities,
        "serverInfo": {"name": about.name, "title": about.title, "version": about.version},
        "instructions": about.instructions,
    })
}

/// Adds to a result what the caller's revision wants in it.
pub(crate) fn dressed(
    mut result: Map<String, Value>,
    caller: &Caller,
    about: &About,
    keep: Option<Keep>,
) -> Value {
    if caller.version.is_modern() {
        result
            .entry("resultType")
            .or_insert_with(|| json!("complete"));
        if let Some(keep) = keep {
            result.insert("ttlMs".to_owned(), json!(keep.ttl_ms));
            let scope = if keep.is_public { "public" } else { "private" };
            result.insert("cacheScope".to_owned(), json!(scope));
        }
        let meta = result.entry("_meta").or_insert_with(|| json!({}));
        if let Value::Object(meta) = meta {
            meta.insert(
                "io.modelcontextprotocol/serverInfo".to_owned(),
                json!({"name": about.name, "version": about.version}),
            );
        }
    }
    Value::Object(result)
}

/// A call's result, still without what the caller's revision wants in it.
pub(crate) fn replied(reply: Reply) -> Map<String, Value> {
    let mut result = Map::new();
    match reply {
        Reply::Complete(CallResult {
            text,
            is_error,
            structured,
            meta,
        }) => {
            result.insert(
                "content".to_owned(),
                json!([{"type": "text", "text": text}]),
            );
            if is_error {
                result.insert("isError".to_owned(), json!(true));
            }
            if let Some(structured) = structured {
                result.insert("structuredContent".to_owned(), structured);
            }
            if !meta.is_empty() {
                result.insert("_meta".to_owned(), Value::Object(meta));
            }
        }
        Reply::InputRequired { requests, state } => {
            result.insert("resultType".to_owned(), json!("input_required"));
            result.insert("inputRequests".to_owned(), Value::Object(requests));
            result.insert("requestState".to_owned(), json!(state));
        }
    }
    result
}

/// The line that answers a request, without its end. What cannot be written becomes an error that can.
pub(crate) fn answer(id: Option<&Id>, outcome: Result<Value, RpcError>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Answer<'a> {
        jsonrpc: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a Id>,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<RpcError>,
    }
    let (result, error) = match outcome {
        Ok(result) => (Some(result), None),
        Err(error) => (None, Some(error)),
    };
    let written = serde_json::to_vec(&Answer {
        jsonrpc: "2.0",
        id,
        result,
        error,
    });
    match written {
        Ok(line) if line.len() <= MAX_LINE_BYTES => line,
        Ok(line) => {
            let why = format!(
                "the answer has {} bytes, over the {MAX_LINE_BYTES} that a line may have; ask for less",
                line.len()
            );
            answer(id, Err(RpcError::new(INTERNAL_ERROR, why)))
        }
        Err(_) => {
            br#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"the answer cannot be written"}}"#
                .to_vec()
        }
    }
}
