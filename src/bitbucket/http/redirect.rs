//! Redirects: a GET, on the same origin, three times at most.
//!
//! Never carries credentials elsewhere: whoever follows this only ever asks the origin of the base. Start
//! reading at [`next`].

use super::answer::Answer;
use super::request::Method;
use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::error::Stranger;
use crate::clean;

/// How many in a row are followed.
const MAX_HOPS: u32 = 3;

/// Where an answer leads.
pub(super) enum Next {
    /// It is the answer.
    Here,
    /// The thing is at this address.
    There(String),
    /// It leads where bb does not go.
    Nowhere(Stranger),
}

/// Reads where `answer`, which came from `address`, leads.
pub(super) fn next(
    base: &BaseUrl,
    method: Method,
    address: &str,
    answer: &Answer,
    hops: u32,
) -> Next {
    let status = answer.status();
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return Next::Here;
    }
    let nowhere = |to| Next::Nowhere(Stranger::Redirect { status, to });
    let Some(location) = answer.header("location") else {
        return nowhere(None);
    };
    let Some((origin, rest)) = resolve(base, address, location) else {
        return nowhere(Some("an address that is not http or https".to_owned()));
    };
    if origin != base.origin() || method != Method::Get {
        return nowhere(Some(match answer.hide(location) == location {
            true => clean::line(&origin, 120),
            false => "an address that repeats bb's own credentials".to_owned(),
        }));
    }
    if hops >= MAX_HOPS {
        return nowhere(None);
    }
    Next::There(format!("{origin}{rest}"))
}

/// Splits a `Location` into origin (in one spelling) and the rest, both absolute.
fn resolve(base: &BaseUrl, address: &str, location: &str) -> Option<(String, String)> {
    let location = location.trim().split('#').next()?;
    if !location.bytes().all(|b| b.is_ascii_graphic()) {
        return None;
    }
    let absolute = if location.contains("://") && !location.starts_with('/') {
        location.to_owned()
    } else if location.starts_with("//") {
        format!("{}:{location}", base.scheme().as_str())
    } else if location.starts_with('/') {
        return Some((base.origin(), location.to_owned()));
    } else if location
        .split(['/', '?'])
        .next()
        .is_some_and(|first| first.contains(':'))
    {
        // Another scheme, such as `javascript:`.
        return None;
    } else {
        let path = address.strip_prefix(&base.origin())?.split('?').next()?;
        let folder = &path[..path.rfind('/')? + 1];
        return Some((base.origin(), format!("{folder}{location}")));
    };
    let host_from = absolute.find("://")? + 3;
    let host_to = absolute[host_from..]
        .find(['/', '?'])
        .map_or(absolute.len(), |at| host_from + at);
    let origin = BaseUrl::parse(&absolute[..host_to]).ok()?.origin();
    let rest = &absolute[host_to..];
    let slash = if rest.starts_with('/') { "" } else { "/" };
    Some((origin, format!("{slash}{rest}")))
}
