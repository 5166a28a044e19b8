//! Commits as Bitbucket's Commits tab lists them: of a pull request, or of a repository.
//!
//! Never reads a diff: each commit's is opened in place. Start reading at [`KIND`].

use super::list::{self, Limits, States};
use crate::bitbucket::error::ApiError;
use crate::bitbucket::listing::Listing;
use crate::domain::build::BuildCounts;
use crate::domain::commit::Commit;
use crate::domain::repository::RepositoryId;
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
    name: "commits",
    about: "as the Commits tab has them (takes what list_commits does)",
    ways: &[],
    answers: &["list_commits"],
    target: Target::Repository,
    reach: Reach::Target,
    args: lists::COMMITS_ARGS,
    is_form: false,
    example: r#"{"kind":"commits","project":"ACME","repo":"rocket","id":42}"#,
    gather,
    dress: avatars::dress,
};

/// `CommitsFacts`
#[derive(Serialize)]
struct CommitsFacts {
    repository: Repository,
    address: String,
    /// What a commit's address begins with; its id follows.
    commit_address: String,
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
    id: String,
    subject: String,
    /// Whether the message says more than its first line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    merge: bool,
    author: Option<Somebody>,
    /// When it was put where it is.
    at: Option<String>,
    #[serde(skip_serializing_if = "States::is_empty")]
    builds: States,
}

fn gather(reading: &Reading) -> Result<Gathered, ToolError> {
    let Some(here) = reading.input.repository() else {
        return Err(ToolError::Arguments(vec!["`repo` is missing".to_owned()]));
    };
    let listing = lists::commits(&list::asking(reading), here)?;
    (reading.step)("reading the builds of the commits");
    let builds = list::builds(
        reading,
        here,
        listing.values.iter().map(|one| one.id.as_str()),
    );
    let mut people = People::new(reading.bitbucket);
    let (listed, left_out) = list::fitting(|limits| rows(&listing, &builds, limits, &mut people));
    let base = reading.bitbucket.base();
    let (project, slug) = (&here.project, &here.slug);
    let facts = CommitsFacts {
        repository: repository(here),
        address: match reading.input.pull_request() {
            Some(id) => format!(
                "{}/commits",
                base.pull_request_page(project, slug, id.number)
            ),
            None => base.commits_page(project, slug, reading.input.text("until")),
        },
        commit_address: format!("{}/", base.commits_page(project, slug, None)),
        asked: list::asked(reading),
        count: counted(listing.count()),
        next: listing.next,
        left_out,
        builds_unread: builds.as_ref().err().map(sentence),
        listed,
    };
    Ok(Gathered {
        facts: Facts::of(&facts),
        text: text(reading, here, &listing),
        motion: Motion::Quiet,
        faces: people.into_faces(),
    })
}

fn rows(
    listing: &Listing<Commit>,
    builds: &Result<BTreeMap<String, BuildCounts>, ApiError>,
    limits: &Limits,
    people: &mut People,
) -> Vec<Row> {
    let of = |commit: &Commit| {
        let counts = builds.as_ref().ok().and_then(|all| all.get(&commit.id));
        Row {
            id: short(&commit.id, 64),
            subject: short(commit.subject(), limits.title),
            more: commit.has_body(),
            merge: commit.parents.len() > 1,
            author: commit.author.as_ref().map(|author| Somebody {
                // Who has no account never had one, for all that a commit tells.
                deleted: false,
                ..people.somebody_in(author, limits.name)
            }),
            at: commit
                .committed
                .or(commit.authored)
                .map(|time| time.to_string()),
            builds: counts.map(list::states).unwrap_or_default(),
        }
    };
    listing.values.iter().map(of).collect()
}

fn text(reading: &Reading, here: &RepositoryId, listing: &Listing<Commit>) -> String {
    let what = list::shown_words(
        reading.input.start(),
        listing.values.len(),
        listing.count(),
        "commit",
    );
    let place = match reading.input.pull_request() {
        Some(id) => id.to_string(),
        None => here.to_string(),
    };
    let until = reading
        .input
        .text("until")
        .map(|until| format!(" at {}", crate::clean::line(until, 120)));
    let newest = listing.values.first().map(|commit| {
        let id: String = commit.id.chars().take(11).collect();
        format!(
            "; the first is {id} \"{}\"",
            crate::clean::line(commit.subject(), 120)
        )
    });
    format!(
        "Put on the person's screen: {what} of {place}{}{}{}.",
        until.unwrap_or_default(),
        list::narrowed_words(reading),
        newest.unwrap_or_default()
    )
}
