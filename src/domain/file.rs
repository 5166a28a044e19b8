//! What a repository holds at a commit: folders, files, lines.

use crate::domain::repository::RepositoryId;

/// One thing in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// From the top of the repository.
    pub path: String,
    /// What it is.
    pub node: Node,
    /// Bytes, for a file where Bitbucket says.
    pub size_bytes: Option<u64>,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A file.
    File,
    /// A folder.
    Directory,
    /// A commit of another repository.
    Submodule,
    /// A word that bb does not know.
    Other(String),
}

impl Node {
    /// Reads Bitbucket's word.
    pub fn read(word: &str) -> Self {
        match word {
            "FILE" => Self::File,
            "DIRECTORY" => Self::Directory,
            "SUBMODULE" => Self::Submodule,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Bitbucket's word.
    pub fn word(&self) -> &str {
        match self {
            Self::File => "FILE",
            Self::Directory => "DIRECTORY",
            Self::Submodule => "SUBMODULE",
            Self::Other(word) => word,
        }
    }
}

/// What reading a path gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// A file of text.
    Text(Window),
    /// A file that is no text, and its bytes where Bitbucket says.
    Binary(Option<u64>),
    /// Something else than a file.
    Other(Node),
}

/// Some lines of a text, without their line feeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The lines, in order.
    pub lines: Vec<String>,
    /// How many lines of the text lie before the first one.
    pub start: u64,
    /// Whether the text goes on behind the last one.
    pub has_more: bool,
}

/// A file in which a search found something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where; absent where Bitbucket does not say.
    pub repository: Option<RepositoryId>,
    /// The file's path.
    pub path: String,
    /// How often it was found there, by Bitbucket's count.
    pub count: Option<u64>,
    /// Lines around what was found, each with its number from 1, as plain text.
    pub lines: Vec<(u64, String)>,
}
