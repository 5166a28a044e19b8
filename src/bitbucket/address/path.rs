//! The part of an address below the base, built piece by piece.
//!
//! Never lets a piece change the meaning of another: what is not a letter, a digit or `-._~` is encoded, and
//! a piece that would climb out of its place (`..`) or vanish (an empty one) spoils the path, which is then
//! never sent. Start reading at [`Path`].

use std::fmt;

/// A path with its query, in one spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    text: String,
    query: String,
    flaw: Option<String>,
}

impl Path {
    /// The empty path, for addresses that a person opens.
    pub fn root() -> Self {
        Self {
            text: String::new(),
            query: String::new(),
            flaw: None,
        }
    }

    /// The REST module that nearly everything lives in: `/rest/api/latest`.
    pub fn api() -> Self {
        Self::rest("api")
    }

    /// Another REST module in its latest version: `/rest/build-status/latest`.
    pub fn rest(module: &str) -> Self {
        Self::root()
            .segment("rest")
            .segment(module)
            .segment("latest")
    }

    /// A repository in the `api` module: `/rest/api/latest/projects/KEY/repos/slug`.
    pub fn repository(project: &str, repo: &str) -> Self {
        Self::api().within(project, repo)
    }

    /// A pull request in the `api` module.
    pub fn pull_request(project: &str, repo: &str, id: u64) -> Self {
        Self::repository(project, repo)
            .segment("pull-requests")
            .segment(&id.to_string())
    }

    /// Goes on with `/projects/KEY/repos/slug`, the form that every module uses.
    #[must_use]
    pub fn within(self, project: &str, repo: &str) -> Self {
        self.segment("projects")
            .segment(project)
            .segment("repos")
            .segment(repo)
    }

    /// Goes on with one piece; a slash in it is encoded.
    #[must_use]
    pub fn segment(mut self, piece: &str) -> Self {
        if piece.is_empty() {
            self.spoil("an empty name is no part of an address".to_owned());
        } else if piece == "." || piece == ".." {
            self.spoil(format!("`{piece}` is no name of a thing in Bitbucket"));
        }
        self.text.push('/');
        encode(piece, &mut self.text);
        self
    }

    /// Goes on with the path of a file, whose slashes stay; leading and trailing ones are dropped.
    /// An empty path is the top of the repository and adds nothing.
    #[must_use]
    pub fn file(mut self, path: &str) -> Self {
        let path = path.trim_matches('/');
        if path.is_empty() {
            return self;
        }
        for piece in path.split('/') {
            self = self.segment(piece);
        }
        self
    }

    /// Adds a parameter to the query.
    #[must_use]
    pub fn query(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.query
            .push(if self.query.is_empty() { '?' } else { '&' });
        encode(name, &mut self.query);
        self.query.push('=');
        encode(&value.to_string(), &mut self.query);
        self
    }

    /// Adds a parameter when there is a value for it.
    #[must_use]
    pub fn query_if(self, name: &str, value: Option<impl fmt::Display>) -> Self {
        match value {
            Some(value) => self.query(name, value),
            None => self,
        }
    }

    /// The path without its query: what may be written down.
    pub fn without_query(&self) -> &str {
        &self.text
    }

    /// Why this path must not be sent, if it must not.
    pub fn flaw(&self) -> Option<&str> {
        self.flaw.as_deref()
    }

    fn spoil(&mut self, flaw: String) {
        self.flaw.get_or_insert(flaw);
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.text, self.query)
    }
}

fn encode(piece: &str, into: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in piece.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            into.push(char::from(byte));
        } else {
            into.push('%');
            into.push(char::from(HEX[usize::from(byte >> 4)]));
            into.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

/// Turns `%41` into `A`. What is no such triple stays as it is; bytes that are no text become
/// replacement signs.
pub(crate) fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| {
            let high = char::from(pair[0]).to_digit(16)?;
            let low = char::from(pair[1]).to_digit(16)?;
            u8::try_from(high * 16 + low).ok()
        });
        match pair {
            Some(byte) if bytes[at] == b'%' => {
                out.push(byte);
                at += 3;
            }
            _ => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}
