//! Search in the code of default branches: there where a search server stands beside Bitbucket.
//!
//! What it marks as found is HTML; it leaves here as plain text, with nothing marked. Never asks in another
//! branch. Start reading at [`Bitbucket::search_code`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::Path;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::Request;
use crate::bitbucket::listing::{self, Ask, Listing, Page};
use crate::bitbucket::wire::{Each, FilePath, Repository, Whole};
use crate::cancel::Cancel;
use crate::domain::file::Hit;
use serde::Deserialize;
use serde_json::json;

/// The most characters that an entity has between `&` and `;`: names that code search writes are shorter.
const MAX_ENTITY_CHARS: usize = 10;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Wire {
    code: Option<Code>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Code {
    values: Option<Vec<Each<WireHit>>>,
    count: Whole,
    is_last_page: Option<bool>,
    next_start: Option<Whole>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WireHit {
    repository: Option<Repository>,
    file: Option<FilePath>,
    hit_contexts: Option<Vec<Option<Vec<Option<Line>>>>>,
    hit_count: Whole,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    line: Whole,
    text: Option<String>,
}

impl Bitbucket {
    /// Finds files that hold what `query` asks for, in the query language of Bitbucket's code search.
    ///
    /// # Errors
    /// [`NotFound`](crate::bitbucket::error::Fault::NotFound) where this Bitbucket has no code search.
    ///
    /// Source: `POST /rest/search/latest/search`, which changes nothing
    pub fn search_code(
        &self,
        query: &str,
        ask: Ask,
        cancel: &Cancel,
    ) -> Result<Listing<Hit>, ApiError> {
        let listing = listing::follow(ask, |start, limit| {
            let body = json!({
                "query": query,
                "entities": {"code": {"start": start}},
                "limits": {"primary": limit, "secondary": limit},
            });
            let path = Path::rest("search").segment("search");
            let request = Request::post("search the code", path).json(&body);
            let answer = self
                .http
                .send(request, cancel)
                .map_err(ApiError::of_reading)?;
            let code = answer.json::<Wire>()?.code;
            Ok(code.ok_or_else(|| answer.lacking("code"))?.into_page())
        })?;
        Ok(listing.filter_map(|hit| Some(hit.salvaged()?.into_domain())))
    }
}

impl Code {
    fn into_page(self) -> Page<Each<WireHit>> {
        Page {
            values: self.values.unwrap_or_default(),
            next_page_start: self.next_start.filter(|_| self.is_last_page != Some(true)),
            total_count: self.count,
        }
    }
}

impl WireHit {
    fn into_domain(self) -> Hit {
        let contexts = self.hit_contexts.unwrap_or_default();
        Hit {
            repository: self.repository.as_ref().and_then(Repository::id),
            path: self.file.and_then(FilePath::text).unwrap_or_default(),
            count: self.hit_count.0,
            lines: contexts
                .into_iter()
                .flatten()
                .flatten()
                .flatten()
                .map(|line| {
                    let text = line.text.unwrap_or_default();
                    (line.line.0.unwrap_or(0), plain(&text))
                })
                .collect(),
        }
    }
}

/// Takes the marks off a line of code search: `<em>` goes, and each entity becomes its sign, once. Any other `<` is
/// a sign of the code like the rest.
fn plain(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match rest.strip_prefix('&') {
            Some(_) => entity(rest),
            None => mark(rest).map(|len| ("".into(), len)),
        };
        let (text, len): (String, usize) = taken.unwrap_or_else(|| (rest[..1].to_owned(), 1));
        out.push_str(&text);
        rest = &rest[len..];
    }
    out.push_str(rest);
    out
}

/// How long the `<em>` or `</em>` is that `text` begins with.
fn mark(text: &str) -> Option<usize> {
    ["<em>", "</em>"]
        .iter()
        .find(|mark| text.starts_with(**mark))
        .map(|mark| mark.len())
}

/// The sign that the entity at the beginning of `text` stands for, and how long the entity is.
fn entity(text: &str) -> Option<(String, usize)> {
    let end = text
        .char_indices()
        .take(MAX_ENTITY_CHARS + 2)
        .find(|(_, sign)| *sign == ';')?
        .0;
    let sign = match text.get(1..end)? {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        name => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)?
        }
    };
    Some((sign.into(), end + 1))
}

#[cfg(test)]
mod tests;
