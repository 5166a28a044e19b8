//! What the page draws of a pull request, as JSON: `view/kinds/pull_request.js` documents it.
//!
//! Never holds what differs between two reads of one state, and never more than fits a result: what needs the person
//! is kept first, and every list has its count beside it. Start reading at [`of`].

use super::activity;
use super::read::{Builds, Read, Tasks};
use super::shapes::{
    BuildFact, BuildFacts, End, Me, MergeChecks, Merged, PullRequestFacts, RequiredFact, Reviewer,
    Reviewers, StrategyFact, TaskFact, TaskFacts, Tests, VetoFact,
};
use crate::bitbucket::Bitbucket;
use crate::bitbucket::listing::Listing;
use crate::domain::build::{Build, BuildState, BuildsOf};
use crate::domain::count::Count;
use crate::domain::person::Person;
use crate::domain::pull_request::{Branch, MergeCheck, PullRequest, ReviewStatus, State, Veto};
use crate::domain::repository::RepositoryId;
use crate::domain::required_builds::Required;
use crate::markdown::{self, Node};
use crate::show::drawing::{Face, MAX_FACTS_CHARS};
use crate::show::fit::{Room, chosen, short};
use crate::show::kinds::list::states;
use crate::show::shapes::{Part, People, counted, fits, name, repository, sentence};
use crate::show::text;
use std::collections::BTreeSet;

/// The most characters of a title and of a veto's detail.
const MAX_TITLE_CHARS: usize = 500;
const MAX_DETAIL_CHARS: usize = 2_000;
/// The most characters of one task's text.
const MAX_TASK_CHARS: usize = 1_500;

/// More ways to merge than Bitbucket has.
const MAX_STRATEGIES: usize = 10;

/// The shares of a result that parts may take at most, in characters of JSON, in the order in which they do.
const VETOES_SHARE: usize = 25_000;
const REQUIRED_SHARE: usize = 12_000;
const TASKS_SHARE: usize = 20_000;
const PEOPLE_SHARE: usize = 15_000;
const NEEDS_SHARE: usize = 15_000;
const DESCRIPTION_SHARE: usize = 40_000;
const ACTIVITY_SHARE: usize = 40_000;

/// The facts of what was read, and whose pictures they name, in the order in which a person sees them.
pub(super) fn of(read: &Read, bitbucket: &Bitbucket) -> (PullRequestFacts, Vec<Face>) {
    let mut people = People::new(bitbucket);
    let mut room = Room::new(MAX_FACTS_CHARS);
    let one = &read.one;
    let at = &one.id.repository;
    let author = one.author.as_ref().map(|author| people.somebody(author));
    let merged_by = read.merged_by.as_ref().map(|by| people.somebody(by));
    let page = bitbucket
        .base()
        .pull_request_page(&at.project, &at.slug, one.id.number);
    // First what needs the person, then the rest.
    let merge_checks = read.merge.as_ref().map(|check| {
        Part::of(check, |check| {
            merge_checks(check, read.is_auto_merge, &mut room)
        })
    });
    let required = read
        .builds
        .as_ref()
        .ok()
        .and_then(|b| required(b, &mut room));
    let reviewers = in_order(one, &mut people);
    let tasks = Part::of(&read.tasks, |tasks| {
        task_facts(tasks, &mut people, &mut room)
    });
    let builds: Vec<BuildFact> = match &read.builds {
        Ok(builds) => builds.listed.iter().map(build).collect(),
        Err(_) => Vec::new(),
    };
    let asks = |one: &Reviewer| one.status == ReviewStatus::NeedsWork.word();
    let unmet: BTreeSet<&str> = required
        .iter()
        .flatten()
        .filter(|one| !one.met)
        .map(|one| one.key.as_str())
        .collect();
    let needs = |build: &BuildFact| {
        let is_unmet = build
            .parent
            .as_deref()
            .is_some_and(|key| unmet.contains(key));
        build.state == BuildState::Failed.word() || is_unmet
    };
    let mut reviewers_kept = vec![false; reviewers.len()];
    let mut builds_kept = vec![false; builds.len()];
    room.choose_within(PEOPLE_SHARE, &reviewers, &mut reviewers_kept, asks);
    room.choose_within(NEEDS_SHARE, &builds, &mut builds_kept, needs);
    // The newest of the activity has its share before long lists do, and what they leave.
    let aside = room.set_aside(ACTIVITY_SHARE);
    let description = description(&one.description, &mut room);
    room.choose(&reviewers, &mut reviewers_kept, |_| true);
    room.choose(&builds, &mut builds_kept, |_| true);
    room.give_back(aside);
    let activity = Part::of(&read.activity, |listing| {
        activity::facts(listing, read.activity_start, &mut people, &mut room)
    });

    let approved =
        |one: &&crate::domain::pull_request::Reviewer| one.status == ReviewStatus::Approved;
    let facts = PullRequestFacts {
        address: one.page.clone().filter(|page| fits(page)).unwrap_or(page),
        repository: repository(at),
        id: one.id.number,
        title: short(&one.title, MAX_TITLE_CHARS),
        state: name(one.state.word()),
        draft: one.is_draft,
        locked: one.is_locked,
        source: end(&one.source, at, bitbucket),
        target: end(&one.target, at, bitbucket),
        author,
        created_at: one.created.map(|time| time.to_string()),
        updated_at: one.updated.map(|time| time.to_string()),
        closed_at: one.closed.map(|time| time.to_string()),
        merged: (one.state == State::Merged).then(|| Merged {
            commit: one.merge_commit.clone().map(|commit| name(&commit)),
            by: merged_by,
        }),
        description,
        reviewers: Reviewers {
            count: counted(Listing::whole(one.reviewers.iter().collect()).count()),
            approved: one.reviewers.iter().filter(approved).count(),
            listed: chosen(reviewers, &reviewers_kept),
        },
        merge_checks,
        tasks,
        builds: Part::of(&read.builds, |read| {
            build_facts(read, chosen(builds, &builds_kept), required)
        }),
        comments: one.comments.map(|n| counted(Count::Exact(n))),
        version: one.version,
        me: read.me.as_deref().map(|name| me(one, name)),
        merge_strategies: strategies(read),
        activity,
    };
    (facts, people.into_faces())
}

/// Those that the repository allows, where there is a choice.
fn strategies(read: &Read) -> Vec<StrategyFact> {
    let facts: Vec<StrategyFact> = read
        .strategies
        .iter()
        .take(MAX_STRATEGIES)
        .map(|id| StrategyFact {
            id: name(id),
            name: name(crate::words::merge_strategy(id)),
        })
        .collect();
    if facts.len() > 1 { facts } else { Vec::new() }
}

/// What somebody has said of it, as a reviewer or as one who took part.
fn me(one: &PullRequest, user: &str) -> Me {
    let is_me = |person: &Person| person.name.eq_ignore_ascii_case(user);
    let mut all = one.reviewers.iter().chain(&one.participants);
    Me {
        name: name(user),
        author: one.author.as_ref().is_some_and(is_me),
        status: all
            .find(|one| is_me(&one.person))
            .map(|one| name(one.status.word())),
    }
}

/// Approved, then requested changes, then the others, as Bitbucket orders them.
fn in_order(one: &PullRequest, people: &mut People) -> Vec<Reviewer> {
    let mut reviewers: Vec<_> = one.reviewers.iter().collect();
    reviewers.sort_by_key(|one| match one.status {
        ReviewStatus::Approved => 0,
        ReviewStatus::NeedsWork => 1,
        _ => 2,
    });
    let latest = &one.source.latest_commit;
    let of = |reviewer: &crate::domain::pull_request::Reviewer| {
        let has_said = reviewer.status != ReviewStatus::Unapproved;
        let saw = reviewer.last_reviewed.as_ref();
        Reviewer {
            person: people.somebody(&reviewer.person),
            status: name(reviewer.status.word()),
            reviewed_older: has_said && saw.is_some_and(|saw| !latest.is_empty() && saw != latest),
        }
    };
    reviewers.into_iter().map(of).collect()
}

fn merge_checks(check: &MergeCheck, auto_merge: bool, room: &mut Room) -> MergeChecks {
    let all = check.vetoes.iter().map(veto).collect();
    let vetoes = room.keep(all, VETOES_SHARE);
    MergeChecks {
        can_merge: check.can_merge,
        conflicted: check.is_conflicted,
        left_out: check.vetoes.len() - vetoes.len(),
        vetoes,
        auto_merge,
    }
}

fn veto(veto: &Veto) -> VetoFact {
    VetoFact {
        summary: short(&veto.summary, MAX_TITLE_CHARS),
        detail: short(&veto.detail, MAX_DETAIL_CHARS),
    }
}

/// `None` where bb cannot tell, and where it would not fit: part of what is required is not what is required.
pub(in crate::show::kinds) fn required(
    builds: &Builds,
    room: &mut Room,
) -> Option<Vec<RequiredFact>> {
    let Required::Known(all) = &builds.required else {
        return None;
    };
    let facts: Vec<RequiredFact> = all
        .iter()
        .map(|one| RequiredFact {
            key: name(&one.key),
            met: one.is_met,
            state: one.state.as_ref().map(BuildState::word),
        })
        .collect();
    let kept = room.keep(facts, REQUIRED_SHARE);
    (kept.len() == all.len()).then_some(kept)
}

fn task_facts(tasks: &Tasks, people: &mut People, room: &mut Room) -> TaskFacts {
    let listed = tasks.listed.iter().map(|task| {
        let (text, cut) = text::cut_to(&task.text, MAX_TASK_CHARS);
        let mut nodes = markdown::tree(text).nodes;
        if cut.is_some() {
            nodes.push(Node::Text("…".to_owned()));
        }
        TaskFact {
            text: nodes,
            author: task.author.as_ref().map(|author| people.somebody(author)),
        }
    });
    TaskFacts {
        open: counted(tasks.open),
        resolved: tasks.resolved.map(counted),
        listed: room.keep(listed.collect(), TASKS_SHARE),
        list_unread: tasks.unlisted.as_ref().map(sentence),
    }
}

fn build_facts(
    builds: &Builds,
    listed: Vec<BuildFact>,
    required: Option<Vec<RequiredFact>>,
) -> BuildFacts {
    BuildFacts {
        of: match builds.of {
            BuildsOf::PullRequest => "pull_request",
            BuildsOf::Commit(_) => "commit",
        },
        commit: name(&builds.commit),
        count: counted(builds.count),
        states: states(&builds.counts),
        listed,
        list_unread: builds.unlisted.as_ref().map(sentence),
        required,
    }
}

pub(in crate::show::kinds) fn build(build: &Build) -> BuildFact {
    BuildFact {
        key: name(&build.key),
        name: name(&build.name),
        state: build.state.word(),
        updated_at: build.updated.map(|time| time.to_string()),
        parent: build.parent.as_deref().map(name),
        number: build.number.as_deref().map(name),
        address: build.address.clone().filter(|address| fits(address)),
        // A running build's duration is another at each read.
        duration_ms: build
            .duration_ms
            .filter(|_| build.state != BuildState::InProgress),
        tests: build.tests.map(|tests| Tests {
            failed: tests.failed,
            skipped: tests.skipped,
            successful: tests.successful,
        }),
    }
}

/// As much of a description as fits; what is cut is counted in characters of the source.
fn description(source: &str, room: &mut Room) -> Option<text::Text> {
    let share = room.left().min(DESCRIPTION_SHARE);
    let description = text::within(source, share.saturating_sub(1))?;
    room.takes(&description);
    Some(description)
}

fn end(branch: &Branch, target: &RepositoryId, bitbucket: &Bitbucket) -> End {
    let at = branch.repository.as_ref();
    let elsewhere = at.filter(|at| !at.is(target));
    let address = at.filter(|_| !branch.id.is_empty()).map(|at| {
        bitbucket
            .base()
            .branch_page(&at.project, &at.slug, &branch.id)
    });
    End {
        branch: name(&branch.display_id),
        commit: Some(name(&branch.latest_commit)).filter(|commit| !commit.is_empty()),
        address: address.filter(|address| fits(address)),
        repository: elsewhere.map(repository),
    }
}
