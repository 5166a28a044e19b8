//! Pull requests as Bitbucket lists them: of a repository, or the person's own.
//!
//! Never counts what it lists: where Bitbucket gives no total, the view says that there is more. Start reading at
//! [`KIND`].

use super::list::{self, Limits, States};
use crate::bitbucket::error::ApiError;
use crate::bitbucket::listing::Listing;
use crate::domain::build::BuildCounts;
use crate::domain::pull_request::{PullRequest, ReviewStatus};
use crate::show::Reading;
use crate::show::avatars;
use crate::show::drawing::{Facts, Gathered, Motion};
use crate::show::fit::short;
use crate::show::kinds::Kind;
use crate::show::shapes::{Counted, People, Repository, Somebody, counted, repository, sentence};
use crate::tool::ToolError;
use crate::tool::args::Target;
use crate::tool::lists;
use crate::tool::reach::Reach;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The table's entry.
pub const KIND: Kind = Kind {
    name: "pull_requests",
    about: "as Bitbucket lists them, of a repository or the person's own (takes what list_pull_requests does)",
    ways: &[],
    answers: &["list_pull_requests"],
    target: Target::MaybeRepository,
    reach: Reach::Target,
    args: lists::PULL_REQUESTS_ARGS,
    is_form: false,
    example: r#"{"kind":"pull_requests","project":"ACME","repo":"rocket","state":"OPEN"}"#,
    gather,
    dress: avatars::dress,
};

/// How many numbers the model is told.
const MAX_TOLD: usize = 12;

/// `PullRequestsFacts`
#[derive(Serialize)]
struct PullRequestsFacts {
    repository: Option<Repository>,
    address: String,
    asked: Map<String, Value>,
    count: Counted,
    next: Option<u64>,
    #[serde(skip_serializing_if = "list::is_zero")]
    left_out: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    builds_unread: Option<String>,
    listed: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    /// Only in a list across repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<Repository>,
    id: u64,
    title: String,
    state: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    draft: bool,
    author: Option<Somebody>,
    source: String,
    /// Where the source branch is, if elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    fork: Option<Repository>,
    target: String,
    updated_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    reviewers: Reviewers,
    #[serde(skip_serializing_if = "is_none_or_zero")]
    comments: Option<u64>,
    #[serde(skip_serializing_if = "is_none_or_zero")]
    open_tasks: Option<u64>,
    #[serde(skip_serializing_if = "States::is_empty")]
    builds: States,
}

#[derive(Serialize)]
struct Reviewers {
    count: Counted,
    approved: usize,
    #[serde(skip_serializing_if = "list::is_zero")]
    needs_work: usize,
    listed: Vec<Reviewer>,
}

#[derive(Serialize)]
struct Reviewer {
    person: Somebody,
    status: String,
}

fn gather(reading: &Reading) -> Result<Gathered, ToolError> {
    let listing = lists::pull_requests(&list::asking(reading))?;
    let here = reading.input.repository();
    let builds = match here {
        Some(here) => {
            (reading.step)("reading the builds of their newest commits");
            let commits = listing.values.iter();
            list::builds(
                reading,
                here,
                commits.map(|one| one.source.latest_commit.as_str()),
            )
        }
        // Each repository would be a request of its own.
        None => Ok(BTreeMap::new()),
    };
    let state = reading.input.text("state").unwrap_or("OPEN");
    let base = reading.bitbucket.base();
    let mut people = People::new(reading.bitbucket);
    let (listed, left_out) =
        list::fitting(|limits| rows(reading, &listing, &builds, limits, &mut people));
    let facts = PullRequestsFacts {
        repository: here.map(repository),
        address: match here {
            Some(at) => base.pull_requests_page(&at.project, &at.slug, state),
            None => base.dashboard_page(),
        },
        asked: list::asked(reading),
        count: counted(listing.count()),
        next: listing.next,
        left_out,
        builds_unread: builds.as_ref().err().map(sentence),
        listed,
    };
    Ok(Gathered {
        facts: Facts::of(&facts),
        text: text(reading, &listing, state),
        motion: Motion::Quiet,
        faces: people.into_faces(),
    })
}

fn rows(
    reading: &Reading,
    listing: &Listing<PullRequest>,
    builds: &Result<BTreeMap<String, BuildCounts>, ApiError>,
    limits: &Limits,
    people: &mut People,
) -> Vec<Row> {
    let is_own = reading.input.repository().is_none();
    // Those who opened them are seen first.
    let authors: Vec<Option<Somebody>> = listing
        .values
        .iter()
        .map(|one| {
            one.author
                .as_ref()
                .map(|author| people.somebody_in(author, limits.name))
        })
        .collect();
    let pairs = listing.values.iter().zip(authors);
    pairs
        .map(|(one, author)| {
            let at = &one.id.repository;
            let page = reading.bitbucket.base();
            let page = || page.pull_request_page(&at.project, &at.slug, one.id.number);
            let address = one.page.clone().unwrap_or_else(page);
            let source = one.source.repository.as_ref();
            let counts = builds.as_ref().ok();
            let counts = counts.and_then(|all| all.get(&one.source.latest_commit));
            Row {
                repository: is_own.then(|| repository(at)),
                id: one.id.number,
                title: short(&one.title, limits.title),
                state: short(one.state.word(), limits.name),
                draft: one.is_draft,
                author,
                source: short(&one.source.display_id, limits.name),
                fork: source.filter(|source| !source.is(at)).map(repository),
                target: short(&one.target.display_id, limits.name),
                updated_at: one.updated.map(|time| time.to_string()),
                closed_at: one.closed.map(|time| time.to_string()),
                address: Some(address).filter(|address| address.chars().count() <= limits.address),
                reviewers: reviewers(one, limits, people),
                comments: one.comments,
                open_tasks: one.open_tasks,
                builds: counts.map(list::states).unwrap_or_default(),
            }
        })
        .collect()
}

/// Who asked for changes comes first of the few that are named, then who approved.
fn reviewers(one: &PullRequest, limits: &Limits, people: &mut People) -> Reviewers {
    let said = |status: ReviewStatus| {
        let all = one.reviewers.iter();
        all.filter(|one| one.status == status).count()
    };
    let mut sorted: Vec<_> = one.reviewers.iter().collect();
    sorted.sort_by_key(|one| match one.status {
        ReviewStatus::NeedsWork => 0,
        ReviewStatus::Approved => 1,
        _ => 2,
    });
    let named = sorted.into_iter().take(limits.people);
    Reviewers {
        count: counted(Listing::whole(one.reviewers.iter().collect()).count()),
        approved: said(ReviewStatus::Approved),
        needs_work: said(ReviewStatus::NeedsWork),
        listed: named
            .map(|one| Reviewer {
                person: people.somebody_in(&one.person, limits.name),
                status: short(one.status.word(), limits.name),
            })
            .collect(),
    }
}

/// What was put on screen: how many, of where, and the first numbers.
fn text(reading: &Reading, listing: &Listing<PullRequest>, state: &str) -> String {
    let state = match state {
        "ALL" => String::new(),
        state => format!("{} ", state.to_lowercase()),
    };
    let what = list::shown_words(
        reading.input.start(),
        listing.values.len(),
        listing.count(),
        &format!("{state}pull request"),
    );
    let place = match reading.input.repository() {
        Some(repository) => format!("of {repository}"),
        None => "of the person's own".to_owned(),
    };
    let numbers: Vec<String> = listing
        .values
        .iter()
        .take(MAX_TOLD)
        .map(|one| match reading.input.repository() {
            Some(_) => format!("#{}", one.id.number),
            None => format!("{}#{}", one.id.repository, one.id.number),
        })
        .collect();
    let numbers = match (numbers.is_empty(), listing.values.len() > MAX_TOLD) {
        (true, _) => String::new(),
        (false, true) => format!(": {} …", numbers.join(", ")),
        (false, false) => format!(": {}", numbers.join(", ")),
    };
    let narrowed = list::narrowed_words(reading);
    format!("Put on the person's screen: {what} {place}{narrowed}{numbers}.")
}

fn is_none_or_zero(n: &Option<u64>) -> bool {
    n.unwrap_or(0) == 0
}
