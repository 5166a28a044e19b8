//! Files and folders of a repository at a commit.
//!
//! Text is read a window at a time; what is no text is described and never read. Start reading at
//! [`Bitbucket::contents`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::{Answer, Request};
use crate::bitbucket::listing::{self, Ask, Listing, Page};
use crate::bitbucket::wire::{FilePath, Whole};
use crate::cancel::Cancel;
use crate::domain::file::{Contents, Entry, Node, Window};
use crate::domain::repository::RepositoryId;
use serde::Deserialize;

/// A path in a repository, and the branch, tag or commit to see it at.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Where.
    pub repository: &'a RepositoryId,
    /// From the top, pieces parted by slashes; empty is the top itself.
    pub path: &'a str,
    /// The default branch if absent.
    pub at: Option<&'a str>,
}

/// What `browse` answers: lines, or children, or that the file is binary.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Browse {
    lines: Option<Vec<Line>>,
    start: Whole,
    is_last_page: Option<bool>,
    next_page_start: Option<Whole>,
    binary: Option<bool>,
    #[serde(rename = "type")]
    kind: Option<String>,
    children: Option<Page<Child>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    text: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Child {
    path: Option<FilePath>,
    #[serde(rename = "type")]
    kind: Option<String>,
    size: Whole,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Described {
    #[serde(rename = "type")]
    kind: Option<String>,
    size: Whole,
}

impl Bitbucket {
    /// Reads what a folder holds, folders and submodules included; `None` if a file stands there.
    ///
    /// # Errors
    /// [`Fault::NotFound`] if there is no such path, revision or repository.
    ///
    /// Source: `GET /rest/api/latest/projects/{key}/repos/{slug}/browse/{path}`, member `children`
    pub fn folder(
        &self,
        folder: At,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Option<Listing<Entry>>, ApiError> {
        let request = Request::get(format!("list the files in {folder}"), folder.browse());
        let mut is_folder = true;
        let listing = listing::follow(ask, |start, limit| {
            let answer = self.http.get(request.at_page(start, limit), cancel)?;
            let page: Browse = answer.json()?;
            page.check(&answer)?;
            is_folder &= page.children.is_some();
            Ok(page.children.unwrap_or_default())
        })?;
        let top = folder.path.trim_matches('/');
        let entry = |child: Child| child.below(top);
        Ok(is_folder.then(|| listing.map(entry)))
    }

    /// Reads at most `limit` lines of a file, those behind the first `start`; of anything else what it is.
    ///
    /// # Errors
    /// As [`Self::folder`].
    ///
    /// Source: `GET …/browse/{path}`; with `type=true` or `size=true` for what is no text
    pub fn contents(
        &self,
        file: At,
        start: u64,
        limit: u64,
        cancel: &Cancel,
    ) -> Result<Contents, ApiError> {
        let request = Request::get(format!("read {file}"), file.browse()).at_page(start, limit);
        let page: Browse = match self.http.get(request, cancel) {
            Ok(answer) => {
                let page: Browse = answer.json()?;
                page.check(&answer)?;
                page
            }
            // What stands at the place of a submodule is a commit of another repository, which cannot be browsed.
            Err(error) if error.fault() == Fault::NotFound => {
                return match self.described(file, "type", cancel).map(|it| it.kind) {
                    Ok(Some(kind)) if kind == Node::Submodule.word() => {
                        Ok(Contents::Other(Node::Submodule))
                    }
                    _ => Err(error),
                };
            }
            Err(error) => return Err(error),
        };
        if page.binary == Some(true) {
            // The size is a courtesy: that the file is binary is the answer.
            let described = self.described(file, "size", cancel);
            return match described {
                Err(error) if error.fault() == Fault::Cancelled => Err(error),
                described => Ok(Contents::Binary(described.ok().and_then(|it| it.size.0))),
            };
        }
        if page.children.is_some() {
            return Ok(Contents::Other(Node::Directory));
        }
        let has_more = page.next_page_start.is_some() || page.is_last_page == Some(false);
        match page.lines {
            Some(lines) => Ok(Contents::Text(Window {
                has_more: has_more && !lines.is_empty(),
                start: page.start.0.unwrap_or(start),
                lines: lines
                    .into_iter()
                    .map(|line| line.text.unwrap_or_default())
                    .collect(),
            })),
            None => {
                let kind = self.described(file, "type", cancel)?.kind;
                Ok(Contents::Other(Node::read(&kind.unwrap_or_default())))
            }
        }
    }

    fn described(&self, file: At, what: &str, cancel: &Cancel) -> Result<Described, ApiError> {
        let path = file.browse().query(what, true);
        let request = Request::get(format!("read the {what} of {file}"), path);
        self.http.get(request, cancel)?.json()
    }
}

impl Browse {
    /// An answer that tells neither lines nor children, nor what it is, is not Bitbucket's.
    fn check(&self, answer: &Answer) -> Result<(), ApiError> {
        let is_told = self.lines.is_some() || self.children.is_some() || self.binary.is_some();
        match is_told || self.kind.is_some() {
            true => Ok(()),
            false => Err(answer.lacking("lines")),
        }
    }
}

impl At<'_> {
    fn browse(&self) -> Path {
        Path::repository(&self.repository.project, &self.repository.slug)
            .segment("browse")
            .file(self.path)
            .query_if("at", self.at)
    }
}

/// `` `engine/pump.rs` of ACME/rocket at `main` ``
impl std::fmt::Display for At<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.path.trim_matches('/') {
            "" => write!(f, "the top of {}", self.repository)?,
            path => write!(f, "`{path}` of {}", self.repository)?,
        }
        match self.at {
            Some(at) => write!(f, " at `{at}`"),
            None => Ok(()),
        }
    }
}

impl Child {
    fn below(self, folder: &str) -> Entry {
        let name = self.path.and_then(FilePath::text).unwrap_or_default();
        Entry {
            path: match folder {
                "" => name,
                folder => format!("{folder}/{name}"),
            },
            node: Node::read(&self.kind.unwrap_or_default()),
            size_bytes: self.size.0,
        }
    }
}
