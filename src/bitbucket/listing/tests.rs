use super::{Ask, End, Listing, read};
use crate::bitbucket::address::Path;
use crate::bitbucket::error::{ApiError, Fault};
use crate::bitbucket::http::Request;
use crate::bitbucket::http::tests::server::{Server, json};
use crate::bitbucket::http::tests::{connection, http};
use crate::cancel::Cancel;
use crate::domain::count::Count;
use serde_json::Value;

const CASE: &str = include_str!("../../../fixtures/cases/07-paging/exchange.json");

/// A server that answers the listing `name` of the case: each question has its own answer, others
/// have none.
fn case(name: &str) -> Server {
    let case: Value = serde_json::from_str(CASE).expect("JSON");
    let pages = case[name].as_array().expect("a listing").clone();
    Server::start(move |asked, _| {
        let query = asked.line.split('?').nth(1).unwrap_or_default();
        match pages.iter().find(|page| page["ask"] == query) {
            Some(page) => json(200, &page["answer"].to_string()),
            None => json(404, r#"{"errors":[{"message":"nobody was to ask this"}]}"#),
        }
    })
}

fn list(server: &Server, ask: Ask) -> Result<Listing<String>, ApiError> {
    let request = Request::get("list them", Path::api().segment("things"));
    read(&http(&connection(server)), &request, ask, &Cancel::new())
}

#[track_caller]
fn check(
    name: &str,
    ask: Ask,
    values: &[&str],
    next: Option<u64>,
    end: End,
    count: Count,
    asked: usize,
) {
    let server = case(name);
    let listing = list(&server, ask).expect("a listing");
    assert_eq!(listing.values, values);
    assert_eq!(
        (listing.next, listing.end, listing.count()),
        (next, end, count)
    );
    assert_eq!(server.asked().len(), asked, "{:?}", server.lines());
}

#[test]
fn only_the_next_start_tells_and_an_empty_page_is_not_the_end() {
    let ask = Ask::first(usize::MAX).pages_of(200);
    let branches = ["main", "dev", "fix/leak", "fix/nozzle", "try/ion"];
    check(
        "branches",
        ask,
        &branches,
        None,
        End::Reached,
        Count::Exact(5),
        4,
    );
}

#[test]
fn a_last_page_that_says_it_is_not_is_the_last() {
    let ask = Ask::first(usize::MAX).pages_of(2);
    check(
        "commits",
        ask,
        &["c1", "c2", "c3"],
        None,
        End::Reached,
        Count::Exact(3),
        2,
    );
}

#[test]
fn a_next_start_that_does_not_lie_ahead_is_not_followed() {
    let ask = Ask::first(usize::MAX).pages_of(1);
    check(
        "users",
        ask,
        &["wren", "idris"],
        None,
        End::Unsure,
        Count::AtLeast(2),
        2,
    );
}

#[test]
fn a_bound_on_pages_holds_and_says_where_to_go_on() {
    let ask = Ask::first(usize::MAX).pages_of(200).at_most(2);
    check(
        "branches",
        ask,
        &["main", "dev"],
        Some(9),
        End::More,
        Count::AtLeast(2),
        2,
    );
    let ask = Ask::first(usize::MAX).pages_of(200).from(9);
    check(
        "branches",
        ask,
        &["fix/leak", "fix/nozzle", "try/ion"],
        None,
        End::Reached,
        Count::AtLeast(3),
        2,
    );
}

#[test]
fn no_more_is_asked_for_than_is_wanted() {
    let server = Server::start(|asked, _| {
        let limit: u64 = asked
            .line
            .rsplit("limit=")
            .next()
            .and_then(|n| n.parse().ok())
            .expect("a limit");
        let start: u64 = asked
            .line
            .split("start=")
            .nth(1)
            .and_then(|n| n.split('&').next()?.parse().ok())
            .expect("a start");
        // Two of what was asked for at most, of a hundred.
        let given = limit.min(2);
        let values: Vec<String> = (start..start + given).map(|n| format!("\"{n}\"")).collect();
        json(
            200,
            &format!(
                r#"{{"values":[{}],"nextPageStart":{},"totalCount":100}}"#,
                values.join(","),
                start + given
            ),
        )
    });
    let listing = list(&server, Ask::first(5)).expect("a listing");
    assert_eq!(
        (listing.values.len(), listing.next, listing.count()),
        (5, Some(5), Count::Exact(100))
    );
    let limits: Vec<_> = server
        .lines()
        .iter()
        .map(|line| line.rsplit('=').next().map(str::to_owned))
        .collect();
    assert_eq!(
        limits,
        [
            Some("5".to_owned()),
            Some("3".to_owned()),
            Some("1".to_owned())
        ]
    );
    let even = listing.filter_map(|n| n.ends_with('2').then_some(n));
    assert_eq!((even.values.len(), even.count()), (1, Count::Exact(100)));
}

#[test]
fn a_cancel_ends_it_between_pages_and_a_page_that_fails_fails_the_whole() {
    let cancel = Cancel::new();
    let flag = cancel.clone();
    let server = Server::start(move |_, before| {
        if before == 1 {
            flag.cancel();
        }
        json(
            200,
            &format!(r#"{{"values":["x"],"nextPageStart":{}}}"#, before + 1),
        )
    });
    let request = Request::get("list them", Path::api().segment("things"));
    let done = read::<String>(
        &http(&connection(&server)),
        &request,
        Ask::first(usize::MAX),
        &cancel,
    );
    assert_eq!(done.expect_err("cancelled").fault(), Fault::Cancelled);
    assert!(server.asked().len() <= 2);
    let server = Server::start(|_, before| match before {
        0 => json(200, r#"{"values":["x"],"nextPageStart":1}"#),
        _ => json(404, "{}"),
    });
    assert_eq!(
        list(&server, Ask::first(9)).expect_err("gone").fault(),
        Fault::NotFound
    );
}
