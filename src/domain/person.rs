//! Whoever has an account, or had one.

use std::fmt;

/// A user of Bitbucket, a service among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// What they sign in with, and what a request's body calls them.
    pub name: String,
    /// What a page calls them.
    pub display_name: String,
    /// What a path calls them. A deleted account has none.
    pub slug: Option<String>,
    /// Where their picture is, relative to the host or not. Only present where it was asked for.
    pub avatar_url: Option<String>,
}

/// `name (display name)`, or the one of the two that there is.
impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name.as_str(), self.display_name.as_str()) {
            ("", "") => f.write_str("(unknown)"),
            (name, "") | ("", name) => f.write_str(name),
            (name, display_name) => write!(f, "{name} ({display_name})"),
        }
    }
}
