//! Builds as the Builds tab lists them: of a pull request, or of a commit.
//!
//! Never gives a commit's builds for a pull request's: where the listing that the page reads cannot be had, the view
//! says that they are of the commit, and nothing of what is required. Start reading at [`KIND`].

use super::list;
use super::pull_request::facts;
use super::pull_request::read::{self, Builds};
use super::pull_request::shapes::{BuildFact, RequiredFact};
use crate::beside::beside;
use crate::domain::build::BuildsOf;
use crate::domain::pull_request::{PullRequest, State};
use crate::domain::repository::PullRequestId;
use crate::domain::required_builds::Required;
use crate::show::Reading;
use crate::show::drawing::{Dressing, Facts, Gathered, MAX_FACTS_CHARS, Motion};
use crate::show::fit::{Room, short};
use crate::show::kinds::Kind;
use crate::show::shapes::{Counted, Repository, counted, fits, name, repository, sentence};
use crate::tool::ToolError;
use crate::tool::args::Target;
use crate::tool::lists::{self, BuildsAsked};
use crate::tool::reach::Reach;
use crate::words;
use serde::Serialize;
use serde_json::{Map, Value};
use std::thread::scope;
use std::time::Instant;

/// The table's entry.
pub const KIND: Kind = Kind {
    name: "builds",
    about: "as the Builds tab has them, of a pull request or a commit (takes what get_build_status does)",
    ways: &[],
    answers: &["get_build_status"],
    target: Target::MaybeRepository,
    reach: Reach::Target,
    args: lists::BUILDS_ARGS,
    is_form: false,
    example: r#"{"kind":"builds","project":"ACME","repo":"rocket","id":42}"#,
    gather,
    dress: |_, _, _| Dressing::default(),
};

/// `BuildsFacts`
#[derive(Serialize)]
struct BuildsFacts {
    of: &'static str,
    repository: Option<Repository>,
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    commit: String,
    address: Option<String>,
    asked: Map<String, Value>,
    count: Counted,
    states: list::States,
    next: Option<u64>,
    required: Option<Vec<RequiredFact>>,
    listed: Vec<BuildFact>,
    /// Why none is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    list_unread: Option<String>,
}

/// What required keys may take of a result, in characters of JSON: part of what is required is not what is required.
const MAX_REQUIRED_CHARS: usize = 20_000;

fn gather(reading: &Reading) -> Result<Gathered, ToolError> {
    (reading.step)("reading the builds");
    let (one, builds) = match lists::builds_of(&list::asking(reading))? {
        BuildsAsked::PullRequest(id) => {
            let (one, builds) = of_pull_request(reading, &id)?;
            (Some(one), builds)
        }
        BuildsAsked::Commit(commit) => (None, read::of_commit(reading, &commit)?),
    };
    let facts = facts(reading, one.as_ref(), &builds);
    let is_running = builds.counts.in_progress > 0;
    Ok(Gathered {
        text: text(reading.input.start(), one.as_ref(), &builds, &facts),
        facts: Facts::of(&facts),
        motion: match is_running {
            true => Motion::Moving,
            false => Motion::Quiet,
        },
        faces: Vec::new(),
    })
}

/// As the card reads them, and nothing else of the card.
fn of_pull_request(
    reading: &Reading,
    id: &PullRequestId,
) -> Result<(PullRequest, Builds), ToolError> {
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    let (one, listed, conditions) = scope(|threads| {
        let listed = beside(threads, || bitbucket.listed_builds(id, cancel));
        let conditions = beside(threads, || {
            bitbucket.required_builds(&id.repository, cancel)
        });
        let one = bitbucket.pull_request(id, cancel);
        (one, listed.get(), conditions.get())
    });
    let (one, listed) = read::settled(reading, id, one?, listed);
    let builds = read::builds(reading, &one, listed, conditions)?;
    let is_unmet =
        matches!(&builds.required, Required::Known(all) if all.iter().any(|one| !one.is_met));
    if one.state != State::Open || !is_unmet {
        return Ok((one, builds));
    }
    // Bitbucket's own check may contradict what bb makes of them, and costs it much: it is asked only then.
    let ask = || bitbucket.merge_check(id, cancel);
    let asked = reading
        .memory
        .merge_check(id, reading.asked_by, Instant::now(), ask);
    let (said, is_new) = asked;
    let check = said.ok().flatten();
    let check = check.as_ref().map(|check| (check, is_new));
    let builds = read::undoubted(reading, builds, &one.id, check);
    Ok((one, builds))
}

fn facts(reading: &Reading, one: Option<&PullRequest>, builds: &Builds) -> BuildsFacts {
    let base = reading.bitbucket.base();
    let here = reading.input.repository();
    let here = one.map(|one| &one.id.repository).or(here);
    let mut room = Room::new(MAX_FACTS_CHARS);
    let required = facts::required(builds, &mut Room::new(MAX_REQUIRED_CHARS));
    let _ = room.takes(&required);
    let (start, listed) = (reading.input.start(), builds.listed.iter());
    let from = usize::try_from(start).unwrap_or(usize::MAX);
    // All were read, so all are carried that fit, unless fewer are asked for.
    let most = reading.input.whole("limit").unwrap_or(u64::MAX);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let listed = listed.skip(from).take(most).map(facts::build).collect();
    let listed = room.keep(listed, MAX_FACTS_CHARS);
    let end = start + listed.len() as u64;
    let page = |one: &PullRequest| {
        let at = &one.id.repository;
        let page = base.pull_request_page(&at.project, &at.slug, one.id.number);
        format!("{page}/builds")
    };
    let of_commit = || {
        let here = here.filter(|_| !builds.commit.is_empty())?;
        Some(base.commit_page(&here.project, &here.slug, &builds.commit))
    };
    BuildsFacts {
        of: match builds.of {
            BuildsOf::PullRequest => "pull_request",
            BuildsOf::Commit(_) => "commit",
        },
        repository: here.map(repository),
        id: one.map(|one| one.id.number),
        title: one.map(|one| short(&one.title, 500)),
        target: one.map(|one| name(&one.target.display_id)),
        commit: name(&builds.commit),
        address: one.map(page).or_else(of_commit).filter(|page| fits(page)),
        asked: list::asked(reading),
        count: counted(builds.count),
        states: list::states(&builds.counts),
        next: Some(end).filter(|end| *end < builds.listed.len() as u64 && !listed.is_empty()),
        required,
        listed,
        list_unread: builds.unlisted.as_ref().map(sentence),
    }
}

fn text(start: u64, one: Option<&PullRequest>, builds: &Builds, facts: &BuildsFacts) -> String {
    let commit = || {
        let short: String = builds.commit.chars().take(11).collect();
        format!("commit {short}")
    };
    let of = match (&builds.of, one) {
        (BuildsOf::PullRequest, Some(one)) => one.id.to_string(),
        (_, Some(one)) => format!("{}, which {} is at", commit(), one.id),
        _ => commit(),
    };
    let words = list::state_words(&builds.counts);
    let words = match words.is_empty() {
        true => String::new(),
        false => format!(" ({words})"),
    };
    let what = list::shown_words(start, facts.listed.len(), builds.count, "build");
    let required = facts.required.as_ref().filter(|all| !all.is_empty());
    let required = required.map(|all| {
        let met = all.iter().filter(|one| one.met).count();
        let all = words::counted(all.len() as u64, "required build");
        format!("; {met} of {all} successful")
    });
    format!(
        "Put on the person's screen: {what} of {of}{words}{}.",
        required.unwrap_or_default()
    )
}
