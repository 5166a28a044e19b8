//! Lists that Bitbucket gives page by page.
//!
//! Never computes where the next page begins: Bitbucket filters entries after it has cut a page, so
//! only `nextPageStart` tells, and an empty page in the middle is not the end. Start reading at
//! [`read`].

use crate::bitbucket::error::ApiError;
use crate::bitbucket::http::{Http, Request};
use crate::cancel::Cancel;
use crate::domain::count::Count;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// How much of a list is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Where to begin: 0, or what an earlier listing gave as [`Listing::next`].
    pub start: u64,
    /// Reading stops once this many are there. A page that brings more than was asked for is kept
    /// whole: what is cut off it could not be asked for again.
    pub wanted: usize,
    /// The most asked for in one page; Bitbucket clamps it silently.
    pub page: u64,
    /// The most pages that are read.
    pub max_pages: usize,
}

impl Ask {
    /// The first `wanted`, by pages of at most 100, at most 20 of them.
    pub fn first(wanted: usize) -> Self {
        Self {
            start: 0,
            wanted,
            page: 100,
            max_pages: 20,
        }
    }

    /// Begins at `start`.
    #[must_use]
    pub fn from(mut self, start: u64) -> Self {
        self.start = start;
        self
    }

    /// Asks for at most `page` at once.
    #[must_use]
    pub fn pages_of(mut self, page: u64) -> Self {
        self.page = page;
        self
    }

    /// Reads at most `max_pages`.
    #[must_use]
    pub fn at_most(mut self, max_pages: usize) -> Self {
        self.max_pages = max_pages;
        self
    }
}

/// A list read page by page, knowing whether it reached the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T> {
    /// What was read, in Bitbucket's order.
    pub values: Vec<T>,
    /// Where to go on, if there is more.
    pub next: Option<u64>,
    /// Where reading ended.
    pub end: End,
    /// Bitbucket's own total, which commits have.
    total: Option<u64>,
    is_from_start: bool,
}

/// Where reading a list ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At its end.
    Reached,
    /// Before its end: as much as was wanted is there, or the bound on pages was met.
    More,
    /// Bitbucket named a next page that does not lie ahead, so the list may not be whole.
    Unsure,
}

impl<T> Listing<T> {
    /// A listing that was read from its start, for tests of what is made of one.
    #[cfg(test)]
    pub(crate) fn of_test(values: Vec<T>, next: Option<u64>) -> Self {
        let end = if next.is_some() {
            End::More
        } else {
            End::Reached
        };
        Self {
            values,
            next,
            end,
            total: None,
            is_from_start: true,
        }
    }

    /// How many there are in Bitbucket, as far as is known.
    pub fn count(&self) -> Count {
        let read = self.values.len() as u64;
        match (self.total, self.end) {
            (Some(total), _) => Count::Exact(total.max(read)),
            (None, End::Reached) if self.is_from_start => Count::Exact(read),
            _ => Count::AtLeast(read),
        }
    }

    /// A list that Bitbucket gives at once, or whose first part alone it gives.
    pub(super) fn single(values: Vec<T>, is_whole: bool) -> Self {
        Self {
            values,
            next: None,
            end: if is_whole { End::Reached } else { End::More },
            total: None,
            is_from_start: true,
        }
    }

    /// At most `wanted` values from place `start` on, of a listing that was read from its start.
    #[must_use]
    pub fn part(mut self, start: u64, wanted: usize) -> Self {
        self.total = Some(self.count())
            .filter(|count| count.is_exact())
            .map(Count::number);
        let from = usize::try_from(start)
            .unwrap_or(usize::MAX)
            .min(self.values.len());
        let to = from.saturating_add(wanted).min(self.values.len());
        if to < self.values.len() {
            self.next = Some(to as u64);
            self.end = End::More;
        }
        self.values.truncate(to);
        self.values.drain(..from);
        self.is_from_start = from == 0;
        self
    }

    /// The same listing with each value turned into another.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Listing<U> {
        Listing {
            values: self.values.into_iter().map(turn).collect(),
            next: self.next,
            end: self.end,
            total: self.total,
            is_from_start: self.is_from_start,
        }
    }

    /// What of the listing is wanted, where Bitbucket cannot be asked for that alone: the count is of these.
    #[must_use]
    pub fn keep(mut self, is_wanted: impl FnMut(&T) -> bool) -> Self {
        self.values.retain(is_wanted);
        self.total = None;
        self
    }

    /// The same listing without the values that `turn` leaves out; the count stays one of what Bitbucket lists.
    pub fn filter_map<U>(self, turn: impl FnMut(T) -> Option<U>) -> Listing<U> {
        let is_known = self.total.is_some() || (self.end == End::Reached && self.is_from_start);
        Listing {
            total: is_known.then(|| self.count().number()),
            values: self.values.into_iter().filter_map(turn).collect(),
            next: self.next,
            end: self.end,
            is_from_start: self.is_from_start,
        }
    }
}

/// One page as Bitbucket writes it. `isLastPage` is not read: a last page has said false, and
/// `nextPageStart` null.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page<T> {
    #[serde(default = "Vec::new")]
    pub(super) values: Vec<T>,
    pub(super) next_page_start: Option<u64>,
    pub(super) total_count: Option<u64>,
}

/// Reads a list: `request` is asked again and again with `start` and `limit` added to its query.
///
/// # Errors
/// Those of any one page; what was read before it is lost.
///
/// Source: paged answers, `{"values":[…],"size","limit","isLastPage","start","nextPageStart"}`.
pub fn read<T: DeserializeOwned>(
    http: &Http,
    request: &Request,
    ask: Ask,
    cancel: &Cancel,
) -> Result<Listing<T>, ApiError> {
    // The flag is looked at before each request, there.
    follow(ask, |start, limit| {
        http.get(request.at_page(start, limit), cancel)?.json()
    })
}

/// Follows pages that `page_at` reads, each from a start and with a limit; where they lie is its own matter.
pub(super) fn follow<T>(
    ask: Ask,
    mut page_at: impl FnMut(u64, u64) -> Result<Page<T>, ApiError>,
) -> Result<Listing<T>, ApiError> {
    let mut listing = Listing {
        values: Vec::new(),
        next: Some(ask.start),
        end: End::More,
        total: None,
        is_from_start: ask.start == 0,
    };
    let mut start = ask.start;
    for _ in 0..ask.max_pages {
        let missing = ask.wanted.saturating_sub(listing.values.len()) as u64;
        if missing == 0 {
            break;
        }
        let page = page_at(start, missing.min(ask.page).max(1))?;
        listing.values.extend(page.values);
        listing.total = page.total_count.or(listing.total);
        match page.next_page_start {
            None => {
                listing.next = None;
                listing.end = End::Reached;
                break;
            }
            Some(next) if next <= start => {
                listing.next = None;
                listing.end = End::Unsure;
                break;
            }
            Some(next) => {
                listing.next = Some(next);
                start = next;
            }
        }
    }
    Ok(listing)
}

#[cfg(test)]
mod tests;
