//! Lists that Bitbucket gives page by page.
//!
//! Never computes where the next page begins: Bitbucket filters entries after it has cut a page, so
//! only `nextPageStart` tells, and an empty page in the middle is not the end. Start reading at
//! [`read`].

use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::{Answer, Http, Request};
use crate::bitbucket::wire::{Each, Whole};
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
    /// A list that Bitbucket gives whole, as a part of another answer.
    pub fn whole(values: Vec<T>) -> Self {
        Self {
            values,
            next: None,
            end: End::Reached,
            total: None,
            is_from_start: true,
        }
    }

    /// A list that Bitbucket cut, as a part of another answer.
    pub fn cut(values: Vec<T>) -> Self {
        Self {
            end: End::More,
            ..Self::whole(values)
        }
    }

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

    /// A list that Bitbucket gave at once, of which it counted so many.
    pub fn at_once(values: Vec<T>, count: Count) -> Self {
        Self {
            values,
            next: None,
            end: match count {
                Count::Exact(_) => End::Reached,
                Count::AtLeast(_) => End::More,
            },
            total: None,
            is_from_start: true,
        }
    }

    /// A listing whose values are of another sort, several of these making one of those; what Bitbucket counts are
    /// not they.
    pub fn regroup<U>(self, turn: impl FnOnce(Vec<T>) -> Vec<U>) -> Listing<U> {
        Listing {
            values: turn(self.values),
            next: self.next,
            end: self.end,
            total: None,
            is_from_start: self.is_from_start,
        }
    }

    /// At most `wanted` of the values from place `start` on, where places are those of the values that were read.
    #[must_use]
    pub fn part(self, start: u64, wanted: usize) -> Self {
        let read = self.values.len() as u64;
        let total = match self.count() {
            Count::Exact(_) => Some(read),
            Count::AtLeast(_) => None,
        };
        let skipped = usize::try_from(start).unwrap_or(usize::MAX);
        let values: Vec<T> = self.values.into_iter().skip(skipped).take(wanted).collect();
        let end = start + values.len() as u64;
        let next = Some(end).filter(|end| *end < read);
        Self {
            next,
            end: match (next, self.end) {
                (Some(_), _) => End::More,
                (None, end) => end,
            },
            values,
            total,
            is_from_start: start == 0,
        }
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
    /// A page must have them, or it is no page: what lacks them is not Bitbucket's, and no empty list.
    pub(super) values: Vec<T>,
    /// One that is there and is no number is a place that does not lie ahead.
    pub(super) next_page_start: Option<Whole>,
    #[serde(default)]
    pub(super) total_count: Whole,
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
    read_inside(http, request, ask, cancel, |page: Page<T>| page)
}

/// Reads a list whose pages come inside of another shape, which `unwrap` takes off.
pub(super) fn read_inside<W: DeserializeOwned, T>(
    http: &Http,
    request: &Request,
    ask: Ask,
    cancel: &Cancel,
    mut unwrap: impl FnMut(W) -> Page<T>,
) -> Result<Listing<T>, ApiError> {
    let mut most = u64::MAX;
    follow(ask, |start, limit| {
        let answer = get_page(http, request, start, limit, &mut most, cancel)?;
        Ok(unwrap(answer.json()?))
    })
}

/// Reads one page. Of entries that are too long together, half as many are asked for, and no more than that from then
/// on: `most` remembers it.
fn get_page(
    http: &Http,
    request: &Request,
    start: u64,
    limit: u64,
    most: &mut u64,
    cancel: &Cancel,
) -> Result<Answer, ApiError> {
    loop {
        let limit = limit.min(*most);
        // The flag is looked at before each request, there.
        match http.get(request.at_page(start, limit), cancel) {
            Err(error) if error.fault() == Fault::TooLarge && limit > 1 => *most = limit / 2,
            other => return other,
        }
    }
}

/// Reads of a list what is wanted, where Bitbucket cannot be asked for that alone: whole pages, until there is as
/// much of it as was asked for. The count is of what is wanted; entries are read as by `read_each`.
///
/// # Errors
/// As [`read`].
pub fn read_kept<T: DeserializeOwned>(
    http: &Http,
    request: &Request,
    ask: Ask,
    cancel: &Cancel,
    mut is_wanted: impl FnMut(&T) -> bool,
) -> Result<Listing<T>, ApiError> {
    let mut most = u64::MAX;
    follow(ask, |start, _| {
        let answer = get_page(http, request, start, ask.page, &mut most, cancel)?;
        let page: Page<Each<T>> = answer.json()?;
        let values = page.values.into_iter().filter_map(Each::salvaged);
        Ok(Page {
            values: values.filter(&mut is_wanted).collect(),
            next_page_start: page.next_page_start,
            total_count: Whole(None),
        })
    })
}

/// Reads a list whose entries cost themselves alone: of one that is odd what is understood is told, and one that is
/// nothing is left out, though the count stays Bitbucket's.
pub(super) fn read_each<T: DeserializeOwned>(
    http: &Http,
    request: &Request,
    ask: Ask,
    cancel: &Cancel,
) -> Result<Listing<T>, ApiError> {
    let listing: Listing<Each<T>> = read(http, request, ask, cancel)?;
    Ok(listing.filter_map(Each::salvaged))
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
        listing.total = page.total_count.0.or(listing.total);
        let Some(next) = page.next_page_start else {
            listing.next = None;
            listing.end = End::Reached;
            break;
        };
        match next.0.filter(|next| *next > start) {
            None => {
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

/// Reads a list that is one page whatever its page says: `start` is ignored there, and `limit` clamped. A page that
/// is full may not be the whole.
///
/// # Errors
/// Whatever keeps the page from being read.
///
/// Source: `…/changes`, "page.max.changes" is a hard limit.
pub fn read_single<T: DeserializeOwned>(
    answer: &Answer,
    asked: u64,
) -> Result<Listing<T>, ApiError> {
    Ok(whole_page(answer.json()?, asked))
}

/// [`read_single`] of text, for tests of what is made of it.
#[cfg(test)]
pub(crate) fn single<T: DeserializeOwned>(
    json: &[u8],
    asked: u64,
) -> Result<Listing<T>, serde_json::Error> {
    Ok(whole_page(serde_json::from_slice(json)?, asked))
}

fn whole_page<T>(page: SinglePage<T>, asked: u64) -> Listing<T> {
    let is_full = page.values.len() as u64 >= page.limit.0.unwrap_or(asked).min(asked);
    let is_whole = !is_full && page.next_page_start.is_none() && page.is_last_page != Some(false);
    Listing {
        values: page.values,
        next: None,
        end: match is_whole {
            true => End::Reached,
            false => End::More,
        },
        total: None,
        is_from_start: true,
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SinglePage<T> {
    values: Vec<T>,
    #[serde(default)]
    limit: Whole,
    is_last_page: Option<bool>,
    next_page_start: Option<Whole>,
}

#[cfg(test)]
mod tests;
