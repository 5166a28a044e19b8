//! What the page draws of the form, as JSON: `view/kinds/create_pull_request.js` documents it.
//!
//! Never holds what differs between two reads of one state. Start reading at [`of`].

use super::read::Read;
use crate::bitbucket::error::{ApiError, Fault};
use crate::clean;
use crate::domain::commit::Commit;
use crate::show::Reading;
use crate::show::fit::short;
use crate::show::shapes::{
    Counted, Part, People, Repository, Somebody, counted, fits, is_false, name, repository,
    sentence,
};
use crate::show::suggest::MAX_REVIEWERS;
use crate::tool::source::{MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS};
use serde::Serialize;

/// Commits that a form lists; their count stands beside them.
const MAX_LISTED: usize = 25;
/// The most characters of one commit's subject.
const MAX_SUBJECT_CHARS: usize = 200;
/// The most characters of a reviewer's display name where many are drafted.
const MAX_PERSON_CHARS: usize = 80;

/// `FormFacts`
#[derive(Serialize)]
pub(super) struct Form {
    /// Bitbucket's own form of the same.
    address: String,
    repository: Repository,
    pub(super) source: End,
    pub(super) target: End,
    title: String,
    /// Absent where the model drafted one: it stands in `show`.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// Absent where this Bitbucket has no drafts.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<bool>,
    reviewers: Vec<ReviewerFact>,
    commits: Part<Commits>,
    files: Part<Counted>,
    /// `clean` or `conflicts`; absent where Bitbucket does not say before there is a pull request.
    #[serde(skip_serializing_if = "Option::is_none")]
    merges: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<Open>,
    /// Why it cannot be submitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stop: Option<String>,
    /// What else there is to know, a sentence each.
    notes: Vec<String>,
    suggests: bool,
}

/// One end; `repository` only where it is another than the target's.
#[derive(Serialize)]
pub(super) struct End {
    pub(super) branch: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    repository: Option<Repository>,
}

#[derive(Serialize)]
struct ReviewerFact {
    #[serde(flatten)]
    person: Somebody,
    #[serde(skip_serializing_if = "is_false")]
    unknown: bool,
}

#[derive(Serialize)]
struct Commits {
    count: Counted,
    listed: Vec<CommitFact>,
}

#[derive(Serialize)]
struct CommitFact {
    id: String,
    subject: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

#[derive(Serialize)]
struct Open {
    id: u64,
    title: String,
    address: String,
}

/// The form of what was read: what the model drafted, and of what it left out what Bitbucket's own form has.
pub(super) fn of(read: &Read, reading: &Reading, people: &mut People) -> Form {
    let (input, base) = (reading.input, reading.bitbucket.base());
    let at = &read.target_repository.id;
    let from = &read.source_repository;
    let is_fork = !from.is(at);
    let commits: &[Commit] = read.commits.as_ref().map_or(&[], |list| &list.values);
    let (source, target) = (branch(&read.source), branch(&read.target));
    let open = read.open.as_ref().ok().and_then(Option::as_ref).map(|one| {
        let built = base.pull_request_page(&at.project, &at.slug, one.id.number);
        Open {
            id: one.id.number,
            title: short(&one.title, MAX_TITLE_CHARS),
            address: one.page.clone().filter(|page| fits(page)).unwrap_or(built),
        }
    });
    let title = input
        .text("title")
        .map_or_else(|| title_of(source, commits), str::to_owned);
    let described = input.text("description").is_some();
    let has_conflict = |read: &Read| {
        let changes = read.changes.as_ref().ok();
        changes.is_some_and(|changes| changes.files.iter().any(|one| one.is_conflicting))
    };
    Form {
        address: base.new_pull_request_page(
            (&from.project, &from.slug),
            &read.source,
            &read.target,
            Some(read.target_repository.number).filter(|number| is_fork && *number > 0),
        ),
        repository: repository(at),
        source: End {
            branch: source.to_owned(),
            repository: is_fork.then(|| repository(from)),
        },
        target: End {
            branch: target.to_owned(),
            repository: None,
        },
        title: short(&title, MAX_TITLE_CHARS),
        description: (!described).then(|| short(&description_of(commits), MAX_DESCRIPTION_CHARS)),
        draft: has_drafts(read).then(|| input.flag("draft") == Some(true)),
        reviewers: reviewers(read, people),
        commits: Part::of(&read.commits, |list| Commits {
            count: counted(list.count()),
            listed: list.values.iter().take(MAX_LISTED).map(commit).collect(),
        }),
        files: Part::of(&read.changes, |changes| counted(changes.count)),
        merges: match (has_conflict(read), &read.is_ahead) {
            (true, _) => Some("conflicts"),
            (false, Ok(true)) => Some("clean"),
            _ => None,
        },
        stop: stop(read, open.as_ref(), (source, target)),
        open,
        notes: notes(read),
        suggests: reading.offers.suggests,
    }
}

/// A branch's short name.
fn branch(id: &str) -> &str {
    id.strip_prefix("refs/heads/").unwrap_or(id)
}

/// The title that Bitbucket's own form has: the only commit's subject, else the branch's name.
pub(super) fn title_of(branch: &str, commits: &[Commit]) -> String {
    if let [only] = commits {
        return only.subject().trim().to_owned();
    }
    let words = branch.replace('_', " ");
    let mut signs = words.chars();
    let first = signs.next().map(|first| first.to_uppercase().to_string());
    // A hyphen joins words, but not the letters and digits of an issue's key.
    let mut title = first.unwrap_or_default();
    let rest: Vec<char> = signs.collect();
    for (at, sign) in rest.iter().enumerate() {
        let follows_capital = title.chars().next_back().is_some_and(char::is_uppercase);
        let is_key = follows_capital && rest.get(at + 1).is_some_and(char::is_ascii_digit);
        title.push(if *sign == '-' && !is_key { ' ' } else { *sign });
    }
    title
}

/// The description that Bitbucket's own form has: what the only commit says below its subject, else a line a commit.
/// Bitbucket Data Center tells no template of a repository's over REST.
pub(super) fn description_of(commits: &[Commit]) -> String {
    if let [only] = commits {
        let below = only.message.split_once('\n');
        return below.map_or("", |(_, body)| body).trim().to_owned();
    }
    let line = |one: &Commit| format!("* {}", short(one.subject().trim(), MAX_SUBJECT_CHARS));
    let lines: Vec<String> = commits.iter().map(line).collect();
    lines.join("\n")
}

fn reviewers(read: &Read, people: &mut People) -> Vec<ReviewerFact> {
    let all = read.reviewers.as_deref().unwrap_or_default().iter();
    let fact = |one: &super::read::Reviewer| {
        let mut person = people.somebody(&one.person);
        person.display_name = short(&person.display_name, MAX_PERSON_CHARS);
        ReviewerFact {
            person,
            unknown: one.is_unknown,
        }
    };
    all.take(MAX_REVIEWERS).map(fact).collect()
}

fn commit(one: &Commit) -> CommitFact {
    CommitFact {
        id: name(&one.id),
        subject: short(one.subject(), MAX_SUBJECT_CHARS),
        author: one.author.as_ref().map(|author| {
            let known = Some(author.display_name.as_str()).filter(|known| !known.is_empty());
            short(known.unwrap_or(&author.name), MAX_PERSON_CHARS)
        }),
        at: one.authored.map(|time| time.to_string()),
    }
}

/// Drafts came with 8.18; a Bitbucket that does not tell its version is taken for a newer one.
fn has_drafts(read: &Read) -> bool {
    let Ok(greeting) = &read.greeting else {
        return true;
    };
    let mut parts = greeting.version.split('.').map(str::parse::<u32>);
    match (parts.next(), parts.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= (8, 18),
        _ => true,
    }
}

/// Why Bitbucket would refuse it whatever the person writes.
fn stop(read: &Read, open: Option<&Open>, (source, target): (&str, &str)) -> Option<String> {
    let at = &read.target_repository.id;
    let is_same = read.source == read.target && read.source_repository.is(at);
    let has_none = matches!(&read.commits, Ok(list) if list.values.is_empty());
    if read.target_repository.is_archived {
        return Some(format!("{at} is archived: nothing can be merged into it."));
    }
    if read.is_related == Some(false) {
        return Some(format!(
            "{} is no fork of {at}, nor of one family with it: Bitbucket merges among forks alone.",
            read.source_repository
        ));
    }
    if is_same {
        return Some("Source and target are the same branch.".to_owned());
    }
    if let Some(open) = open {
        return Some(format!(
            "Pull request #{} is open between the two already, and Bitbucket allows one.",
            open.id
        ));
    }
    if read.commits.as_ref().is_err_and(is_missing) {
        return Some(format!(
            "Bitbucket does not find {source} or {target}: check the names of the branches."
        ));
    }
    has_none.then(|| format!("There is nothing to merge: {target} has every commit of {source}."))
}

fn is_missing(error: &ApiError) -> bool {
    matches!(error.fault(), Fault::NotFound)
}

/// Whom Bitbucket would not take for a reviewer, a sentence each: the names that nobody has, which the page marks
/// where they stand, and whoever would create it.
pub(super) fn not_reviewers(read: &Read) -> [Option<String>; 2] {
    let all = read.reviewers.as_deref().unwrap_or_default();
    let me = read.me.as_deref();
    let is_me = |name: &str| me.is_some_and(|me| me.eq_ignore_ascii_case(name));
    let named = |is_it: &dyn Fn(&super::read::Reviewer) -> bool| {
        let found = all.iter().filter(|one| is_it(one));
        let names: Vec<&str> = found.map(|one| one.person.name.as_str()).collect();
        (!names.is_empty()).then(|| clean::line(&names.join(", "), MAX_PERSON_CHARS))
    };
    [
        named(&|one| one.is_unknown && !is_me(&one.person.name))
            .map(|names| format!("Nobody who may read it is called {names}.")),
        named(&|one| is_me(&one.person.name))
            .map(|name| format!("{name} creates it and so cannot review it.")),
    ]
}

fn notes(read: &Read) -> Vec<String> {
    let mut notes: Vec<String> = [read.reviewers.as_ref().err(), read.open.as_ref().err()]
        .into_iter()
        .flatten()
        .map(sentence)
        .collect();
    let [_, author] = not_reviewers(read);
    notes.extend(author);
    if let Ok(all) = &read.reviewers {
        if all.len() > MAX_REVIEWERS {
            notes.push(format!(
                "Bitbucket has {} default reviewers for this; {MAX_REVIEWERS} are filled in.",
                all.len()
            ));
        }
    }
    notes
}
