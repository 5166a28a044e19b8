//! A manifest: read from its bytes into types that cannot be wrong, with every finding told at once.
//!
//! Never fetches, runs or renders anything of it. Start reading at [`check`].

use crate::manifests::document;
use crate::manifests::findings::Findings;
use crate::manifests::json::Json;
use crate::manifests::table::{Hints, Table};
use crate::manifests::templates::Template;

/// What a team brings: views, and tools over bb's.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Who it is.
    pub app: App,
    /// The views, in their order.
    pub views: Vec<View>,
    /// The tools, in their order.
    pub tools: Vec<Tool>,
}

/// Who a manifest is.
#[derive(Clone, Debug)]
pub struct App {
    /// Part of each view's address.
    pub id: String,
    /// What a person reads.
    pub name: String,
    /// Not necessarily SemVer.
    pub version: String,
    /// Shown, never fetched.
    pub privacy_policy_url: Option<String>,
}

/// A page that a client shows.
#[derive(Clone, Debug)]
pub struct View {
    /// Unique in the manifest.
    pub name: String,
    /// What a person reads.
    pub title: Option<String>,
    /// The page.
    pub html: String,
    /// The hosts that it may use, by kind; `None` where nothing was said.
    pub csp: Option<Vec<(DomainKind, Vec<String>)>>,
    /// What it asks of the browser; `None` where nothing was said.
    pub permissions: Option<Vec<Permission>>,
    /// Whether a border is wished for.
    pub prefers_border: Option<bool>,
}

impl View {
    /// The hosts of one kind.
    pub fn domains(&self, kind: DomainKind) -> &[String] {
        let all = self.csp.as_deref().unwrap_or_default();
        let list = all.iter().find(|(each, _)| *each == kind);
        list.map_or(&[], |(_, list)| list)
    }
}

/// What a page may do with a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainKind {
    /// Send and receive data.
    Connect,
    /// Load scripts, styles, images and fonts.
    Resource,
    /// Show pages of it.
    Frame,
    /// Be its base address.
    BaseUri,
}

impl DomainKind {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Connect, Self::Resource, Self::Frame, Self::BaseUri];

    /// As a manifest writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Connect => "connectDomains",
            Self::Resource => "resourceDomains",
            Self::Frame => "frameDomains",
            Self::BaseUri => "baseUriDomains",
        }
    }

    /// What it lets a page do, before the host.
    pub fn words(self) -> &'static str {
        match self {
            Self::Connect => "send and receive data with",
            Self::Resource => "load scripts, styles, images and fonts from",
            Self::Frame => "show pages inside it of",
            Self::BaseUri => "resolve its links against",
        }
    }

    /// The same of a change.
    pub fn news(self) -> &'static str {
        match self {
            Self::Connect => "can now send and receive data from",
            Self::Resource => "can now load scripts, styles, images and fonts from",
            Self::Frame => "can now show pages of",
            Self::BaseUri => "can now resolve its links against",
        }
    }
}

/// What a page asks of the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is told by its words")]
pub enum Permission {
    Camera,
    Microphone,
    Geolocation,
    ClipboardWrite,
}

impl Permission {
    /// All four.
    pub const ALL: [Self; 4] = [
        Self::Camera,
        Self::Microphone,
        Self::Geolocation,
        Self::ClipboardWrite,
    ];

    /// As a manifest writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Camera => "camera",
            Self::Microphone => "microphone",
            Self::Geolocation => "geolocation",
            Self::ClipboardWrite => "clipboardWrite",
        }
    }

    /// In plain words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Camera => "use your camera",
            Self::Microphone => "use your microphone",
            Self::Geolocation => "see your location",
            Self::ClipboardWrite => "write to your clipboard",
        }
    }
}

/// A tool over one of bb's.
#[derive(Clone, Debug)]
pub struct Tool {
    /// What a call names.
    pub name: String,
    /// What the model reads.
    pub description: String,
    /// What a person reads instead of the name.
    pub title: Option<String>,
    /// JSON Schema of its arguments.
    pub input_schema: Json,
    /// JSON Schema of its result.
    pub output_schema: Option<Json>,
    /// The tool that it wraps.
    pub wraps: String,
    /// Whether that changes anything.
    pub writes: bool,
    /// The arguments of that.
    pub args: Template,
    /// What is made of its answer; `None` leaves that as it is.
    pub result: Option<Template>,
    /// The wrapped tool's hints, at most more cautious.
    pub hints: Hints,
    /// The view that draws its result, by name.
    pub view: Option<String>,
    /// Who may call it, where that was said.
    pub visibility: Option<Visibility>,
    /// Whether it is listed.
    pub is_on: bool,
}

/// Who may call a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visibility {
    /// The model.
    pub model: bool,
    /// A view.
    pub app: bool,
}

impl Visibility {
    /// As a tool's declaration has it.
    pub fn words(self) -> Vec<&'static str> {
        let words = [(self.model, "model"), (self.app, "app")];
        words
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, word)| word)
            .collect()
    }
}

impl Tool {
    /// Whether the model is not to call it.
    pub fn is_app_only(&self) -> bool {
        self.visibility.is_some_and(|who| !who.model)
    }

    /// Whether a view may call it.
    pub fn is_for_views(&self) -> bool {
        self.visibility.is_none_or(|who| who.app)
    }
}

/// Reads a manifest against the tools that it may wrap. There is a manifest exactly where there is no problem.
pub fn check(bytes: &[u8], table: &Table) -> (Option<Manifest>, Findings) {
    let mut findings = Findings::default();
    let manifest = document::read(bytes, table, &mut findings);
    let manifest = manifest.filter(|_| findings.problems.is_empty());
    (manifest, findings)
}
