//! What the caller can do: said once in `initialize`, or in each request's own `_meta` since MCP 2026-07-28.
//!
//! Never remembers anything; `server` keeps what `initialize` said. Start reading at [`Caller`].

use crate::mcp::error::RpcError;
use serde_json::{Map, Value};

/// The capability of a client that renders views (MCP Apps).
pub const UI_EXTENSION: &str = "io.modelcontextprotocol/ui";
/// The media type of a view's page.
pub const UI_MEDIA_TYPE: &str = "text/html;profile=mcp-app";

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A revision of MCP that bb speaks. Later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26, the only one with batches
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25, the newest with a handshake
    V2025_11_25,
    /// 2026-07-28, without a handshake
    V2026_07_28,
}

impl Version {
    /// Newest first.
    pub const ALL: [Self; 5] = [
        Self::V2026_07_28,
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
        Self::V2024_11_05,
    ];
    /// The newest that begins with `initialize`.
    pub const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// As it stands in a message.
    pub fn name(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Whether requests carry their own metadata.
    pub fn is_modern(self) -> bool {
        self >= Self::V2026_07_28
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.name() == name)
    }
}

/// The client program on the other end of one request, and what it says it can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The revision that the answer keeps to.
    pub version: Version,
    /// Whether it renders views.
    pub renders_views: bool,
    /// Whether it can ask its person with a form.
    pub can_ask: bool,
}

impl Caller {
    /// A client that has not said anything: the newest handshake, no capabilities.
    pub const SILENT: Self = Self {
        version: Version::NEWEST_LEGACY,
        renders_views: false,
        can_ask: false,
    };

    /// Reads `initialize`'s params. A version that bb does not speak, or none, becomes the newest that has
    /// a handshake; the client decides whether it can live with that.
    ///
    /// # Errors
    /// The version is no text.
    pub fn from_initialize(params: &Map<String, Value>) -> Result<Self, RpcError> {
        let version = match params.get("protocolVersion") {
            None | Some(Value::Null) => Version::NEWEST_LEGACY,
            Some(Value::String(name)) => Version::parse(name)
                .filter(|version| !version.is_modern())
                .unwrap_or(Version::NEWEST_LEGACY),
            Some(_) => {
                return Err(RpcError::invalid_params(
                    "`protocolVersion` must be a text such as \"2025-11-25\"",
                ));
            }
        };
        Ok(Self::new(version, params.get("capabilities")))
    }

    /// Reads a request's own metadata; `None` if it carries no version, so that `initialize` counts.
    ///
    /// # Errors
    /// The version is no text or not spoken here, or the capabilities are missing beside it.
    pub fn from_meta(params: &Map<String, Value>) -> Result<Option<Self>, RpcError> {
        let Some(Value::Object(meta)) = params.get("_meta") else {
            return Ok(None);
        };
        let version = match meta.get(META_VERSION) {
            None => return Ok(None),
            Some(Value::String(name)) => {
                Version::parse(name).ok_or_else(|| RpcError::unsupported_version(name))?
            }
            Some(_) => {
                return Err(RpcError::invalid_params(format!(
                    "`_meta[\"{META_VERSION}\"]` must be a text such as \"2026-07-28\""
                )));
            }
        };
        match meta.get(META_CAPABILITIES) {
            Some(capabilities @ Value::Object(_)) => {
                Ok(Some(Self::new(version, Some(capabilities))))
            }
            _ => Err(RpcError::invalid_params(format!(
                "`_meta[\"{META_CAPABILITIES}\"]` is missing: it must be an object, {{}} if there are none"
            ))),
        }
    }

    fn new(version: Version, capabilities: Option<&Value>) -> Self {
        let member = |name: &str| capabilities.and_then(|all| all.get(name));
        Self {
            version,
            renders_views: member("extensions")
                .and_then(|extensions| extensions.get(UI_EXTENSION))
                .is_some_and(renders),
            can_ask: member("elicitation").is_some_and(asks),
        }
    }
}

/// The key alone counts as support, and so does an empty list of media types: a host that names the
/// extension means to draw, and a list of others says that it does not draw this one.
fn renders(extension: &Value) -> bool {
    match extension.get("mimeTypes") {
        Some(Value::Array(types)) if !types.is_empty() => types
            .iter()
            .any(|name| name.as_str().is_some_and(is_view_type)),
        _ => extension.is_object(),
    }
}

fn is_view_type(name: &str) -> bool {
    let squeezed: String = name
        .chars()
        .filter(|sign| !matches!(sign, ' ' | '"'))
        .collect();
    squeezed.eq_ignore_ascii_case(UI_MEDIA_TYPE)
}

/// Form mode is what an empty object means; since 2025-11-25 a client may offer addresses alone.
fn asks(elicitation: &Value) -> bool {
    elicitation
        .as_object()
        .is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url"))
}

#[cfg(test)]
mod tests;
