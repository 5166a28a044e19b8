//! What the card asks Bitbucket: everything that does not depend on an answer side by side, then the little that does.
//!
//! Never fails but for the pull request itself: a part that cannot be read is an error in its place. Start reading
//! at [`read`].

use crate::beside::{Beside, beside};
use crate::bitbucket::avatars::AVATAR_PX;
use crate::bitbucket::builds::ListedBuilds;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::listing::{Ask, End, Listing};
use crate::domain::activity::{Action, Activity};
use crate::domain::build::{Build, BuildCounts, BuildsOf};
use crate::domain::comment::{Comment, Thread};
use crate::domain::count::Count;
use crate::domain::person::Person;
use crate::domain::pull_request::{MergeCheck, PullRequest, State};
use crate::domain::ref_matcher::{Branches, RefMatcher};
use crate::domain::repository::PullRequestId;
use crate::domain::required_builds::{Condition, Required, decide};
use crate::show::Reading;
use crate::show::memory::Said;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::thread::scope;
use std::time::Instant;

/// Tasks that a card lists; their count is Bitbucket's.
const MAX_TASKS: usize = 25;

/// Entries of the activity that are read at once.
const MAX_ENTRIES: usize = 100;
/// How far into a merged pull request's activity its merge is looked for.
const MAX_AFTER_MERGE: usize = 25;

/// Everything that one card is made of.
pub(super) struct Read {
    pub(super) one: PullRequest,
    pub(super) merged_by: Option<Person>,
    /// `None` of a closed pull request.
    pub(super) merge: Option<Result<MergeCheck, ApiError>>,
    pub(super) is_auto_merge: bool,
    pub(super) tasks: Result<Tasks, ApiError>,
    pub(super) builds: Result<Builds, ApiError>,
    pub(super) activity: Result<Listing<Activity>, ApiError>,
    /// Where the activity begins, in Bitbucket's own count.
    pub(super) activity_start: u64,
    /// The ids of the ways to merge that are allowed, where it can be merged now and they can be read.
    pub(super) strategies: Vec<String>,
    /// Who reads, by name; `None` where that is not known.
    pub(super) me: Option<String>,
}

pub(super) struct Tasks {
    pub(super) open: Count,
    pub(super) resolved: Option<Count>,
    /// Open ones, the first of them.
    pub(super) listed: Vec<Comment>,
    /// Why there are some and none is listed.
    pub(super) unlisted: Option<ApiError>,
}

pub(in crate::show::kinds) struct Builds {
    pub(in crate::show::kinds) of: BuildsOf,
    /// The commit that they are of, whole.
    pub(in crate::show::kinds) commit: String,
    pub(in crate::show::kinds) count: Count,
    pub(in crate::show::kinds) counts: BuildCounts,
    /// The worst first, of those the newest.
    pub(in crate::show::kinds) listed: Vec<Build>,
    /// Why there are some and none is listed.
    pub(in crate::show::kinds) unlisted: Option<ApiError>,
    pub(in crate::show::kinds) required: Required,
}

/// What is asked for before anything is known.
struct First {
    one: Result<PullRequest, ApiError>,
    /// And whether it was asked for just now.
    merge: (Said, bool),
    auto_merge: Result<bool, ApiError>,
    tasks: Result<Listing<Thread>, ApiError>,
    builds: Result<Option<ListedBuilds>, ApiError>,
    conditions: Result<Listing<Condition>, ApiError>,
    activity: Result<Listing<Activity>, ApiError>,
    me: Option<String>,
}

/// Reads a pull request and its parts.
pub(super) fn read(reading: &Reading, id: &PullRequestId) -> Result<Read, ApiError> {
    let first = first(reading, id);
    let (one, listed) = settled(reading, id, first.one?, first.builds);
    let (said, is_new) = first.merge;
    let is_open = one.state == State::Open;
    let merge = match said {
        _ if !is_open => None,
        Ok(check) => check.map(Ok),
        Err(error) => Some(Err(error)),
    };
    let can_merge = matches!(&merge, Some(Ok(check)) if check.can_merge);
    let (merged_by, tasks, builds, strategies) = scope(|threads| {
        let strategies = can_merge.then(|| beside(threads, || strategies(reading, id)));
        let merged_by = beside(threads, || merged_by(reading, &one));
        let tasks = beside(threads, || tasks(reading, &one, first.tasks));
        let builds = builds(reading, &one, listed, first.conditions);
        let strategies = strategies.map(Beside::get).unwrap_or_default();
        (merged_by.get(), tasks.get(), builds, strategies)
    });
    let builds = builds.map(|builds| {
        let check = merge.as_ref().and_then(|check| check.as_ref().ok());
        undoubted(reading, builds, &one.id, check.map(|check| (check, is_new)))
    });
    Ok(Read {
        is_auto_merge: is_open && first.auto_merge.unwrap_or(false),
        one,
        merged_by,
        merge,
        tasks,
        builds,
        activity: first.activity,
        strategies,
        activity_start: activity_start(reading),
        me: first.me,
    })
}

fn first(reading: &Reading, id: &PullRequestId) -> First {
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    scope(|threads| {
        let merge = beside(threads, || {
            let ask = || bitbucket.merge_check(id, cancel);
            let memory = reading.memory;
            memory.merge_check(id, reading.asked_by, Instant::now(), ask)
        });
        let auto_merge = beside(threads, || bitbucket.is_auto_merge_requested(id, cancel));
        let tasks = beside(threads, || {
            let ask = Ask::first(MAX_TASKS);
            bitbucket.tasks(id, Some("OPEN"), ask, Some(AVATAR_PX), cancel)
        });
        let builds = beside(threads, || bitbucket.listed_builds(id, cancel));
        let conditions = beside(threads, || {
            bitbucket.required_builds(&id.repository, cancel)
        });
        let ask = Ask::first(MAX_ENTRIES).from(activity_start(reading));
        let activity = beside(threads, move || {
            bitbucket.activities(id, ask, Some(AVATAR_PX), cancel)
        });
        let me = beside(threads, || bitbucket.me(cancel).ok().flatten());
        First {
            one: bitbucket.pull_request_with_avatars(id, cancel),
            merge: merge.get(),
            auto_merge: auto_merge.get(),
            tasks: tasks.get(),
            builds: builds.get(),
            conditions: conditions.get(),
            activity: activity.get(),
            me: me.get(),
        }
    })
}

/// None where they cannot be read: then the repository's default is taken without asking.
fn strategies(reading: &Reading, id: &PullRequestId) -> Vec<String> {
    let bitbucket = reading.bitbucket;
    let all = bitbucket.merge_strategies(&id.repository, reading.cancel);
    let allowed = all.unwrap_or_default().into_iter();
    allowed
        .filter(|one| one.is_enabled)
        .map(|one| one.id)
        .collect()
}

fn activity_start(reading: &Reading) -> u64 {
    reading.input.whole("activity_start").unwrap_or(0)
}

/// A push between two requests makes them tell of two commits; both are asked for once more then.
pub(in crate::show::kinds) fn settled(
    reading: &Reading,
    id: &PullRequestId,
    one: PullRequest,
    listed: Result<Option<ListedBuilds>, ApiError>,
) -> (PullRequest, Result<Option<ListedBuilds>, ApiError>) {
    let is_moved = match &listed {
        Ok(Some(builds)) => builds.commit.is_some() && !is_of(builds, &one),
        _ => false,
    };
    if !is_moved {
        return (one, listed);
    }
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    let (again, listed) = scope(|threads| {
        let builds = beside(threads, || bitbucket.listed_builds(id, cancel));
        let again = bitbucket.pull_request_with_avatars(id, cancel);
        (again, builds.get())
    });
    (again.unwrap_or(one), listed)
}

/// Whether a listing is of the commit that the pull request has now.
fn is_of(builds: &ListedBuilds, one: &PullRequest) -> bool {
    builds.commit.as_deref() == Some(one.source.latest_commit.as_str())
}

/// Nobody is named where it cannot be read: the card tells when and as which commit.
fn merged_by(reading: &Reading, one: &PullRequest) -> Option<Person> {
    if one.state != State::Merged {
        return None;
    }
    // Little happens after a merge: a comment, a deleted branch.
    let ask = Ask::first(MAX_AFTER_MERGE).at_most(1);
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    let activity = bitbucket.activities(&one.id, ask, Some(AVATAR_PX), cancel);
    let mut deeds = activity.ok()?.values.into_iter();
    deeds
        .find(|deed| matches!(deed.action, Action::Merged { .. }))?
        .by
}

fn tasks(
    reading: &Reading,
    one: &PullRequest,
    listed: Result<Listing<Thread>, ApiError>,
) -> Result<Tasks, ApiError> {
    let (open, resolved) = match (one.open_tasks, one.resolved_tasks) {
        (Some(open), resolved) => (open, resolved),
        _ => {
            let (open, resolved) = reading.bitbucket.task_counts(&one.id, reading.cancel)?;
            (open, Some(resolved))
        }
    };
    // The count alone still tells that there are some.
    let (threads, unlisted) = or_why(listed, open);
    let mut listed: Vec<Comment> = threads.into_iter().map(|thread| thread.root).collect();
    listed.truncate(MAX_TASKS.min(usize::try_from(open).unwrap_or(usize::MAX)));
    Ok(Tasks {
        open: Count::Exact(open),
        resolved: resolved.map(Count::Exact),
        listed,
        unlisted,
    })
}

/// What was listed of a known number, and why it was not where there is something to list.
fn or_why<T>(listed: Result<Listing<T>, ApiError>, number: u64) -> (Vec<T>, Option<ApiError>) {
    match listed {
        Ok(listing) => (listing.values, None),
        Err(error) => (Vec::new(), Some(error).filter(|_| number > 0)),
    }
}

pub(in crate::show::kinds) fn builds(
    reading: &Reading,
    one: &PullRequest,
    listed: Result<Option<ListedBuilds>, ApiError>,
    conditions: Result<Listing<Condition>, ApiError>,
) -> Result<Builds, ApiError> {
    let Some(listed) = listed? else {
        return of_commit(reading, &one.source.latest_commit);
    };
    let required = required(reading, one, &listed, conditions);
    let commit = listed.commit.clone();
    let count = match listed.is_whole() {
        true => listed.builds.count(),
        false => Count::AtLeast(listed.builds.count().number()),
    };
    let values = listed.builds.values;
    Ok(Builds {
        of: BuildsOf::PullRequest,
        commit: commit.unwrap_or_else(|| one.source.latest_commit.clone()),
        count,
        counts: values.iter().map(|build| build.state.clone()).collect(),
        listed: in_order(values),
        unlisted: None,
        required,
    })
}

/// What there is without the listing of the page: the counts of every build of the commit, and the newest of them.
pub(in crate::show::kinds) fn of_commit(
    reading: &Reading,
    commit: &str,
) -> Result<Builds, ApiError> {
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    let (summary, listed) = scope(|threads| {
        let listed = beside(threads, || {
            bitbucket.builds_of_commit_listed(commit, cancel)
        });
        (bitbucket.builds_of_commit(commit, cancel), listed.get())
    });
    let summary = summary?;
    let counts = summary.counts;
    let number = counts.each().map(|(_, n)| n).sum();
    let (listed, unlisted) = or_why(listed, number);
    Ok(Builds {
        of: summary.of,
        commit: commit.to_owned(),
        count: Count::Exact(number),
        counts,
        listed: in_order(listed),
        unlisted,
        required: Required::CannotTell,
    })
}

/// What the target branch wants, unless something keeps bb from knowing it as Bitbucket's check does.
fn required(
    reading: &Reading,
    one: &PullRequest,
    listed: &ListedBuilds,
    conditions: Result<Listing<Condition>, ApiError>,
) -> Required {
    let builds = &listed.builds.values;
    let has_parents = builds.is_empty() || builds.iter().any(|build| build.parent.is_some());
    let conditions = match conditions {
        Ok(conditions) if conditions.end == End::Reached => conditions.values,
        _ => return Required::CannotTell,
    };
    if one.state != State::Open || !listed.is_whole() || !is_of(listed, one) || !has_parents {
        return Required::CannotTell;
    }
    let decide = |branches: &Branches| {
        let (source, target) = (&one.source.id, &one.target.id);
        decide(&conditions, source, target, branches, builds)
    };
    // What is decided without them is decided: they are asked for only where a matcher needs them.
    match decide(&Branches::default()) {
        Required::CannotTell => decide(&branches(reading, one, &conditions)),
        known => known,
    }
}

/// Reads what the matchers are read against, as far as one needs it. The target's repository decides.
fn branches(reading: &Reading, one: &PullRequest, conditions: &[Condition]) -> Branches {
    let (bitbucket, cancel, at) = (reading.bitbucket, reading.cancel, &one.id.repository);
    let is_needed = |needs: fn(&RefMatcher) -> bool| {
        let mut matchers = conditions.iter().flat_map(Condition::matchers);
        matchers.any(needs)
    };
    scope(|threads| {
        let model = is_needed(RefMatcher::needs_model)
            .then(|| beside(threads, || bitbucket.branch_model(at, cancel).ok()));
        let default = is_needed(RefMatcher::needs_default)
            .then(|| bitbucket.default_branch(at, cancel).ok())
            .flatten();
        Branches {
            model: model.and_then(Beside::get),
            default: default.flatten().map(|branch| branch.id),
        }
    })
}

/// Says nothing of requirements where Bitbucket would merge although bb finds one unmet: the server's word wins. A
/// check that was remembered tells nothing of builds that came after it.
pub(in crate::show::kinds) fn undoubted(
    reading: &Reading,
    mut builds: Builds,
    id: &PullRequestId,
    check: Option<(&MergeCheck, bool)>,
) -> Builds {
    let Required::Known(all) = &builds.required else {
        return builds;
    };
    let Some((check, is_new)) = check else {
        return builds;
    };
    if check.can_merge && all.iter().any(|one| !one.is_met) {
        let seen = digest(&builds);
        if is_new {
            reading.memory.doubt(id, seen);
        }
        if reading.memory.is_doubted(id, seen) {
            builds.required = Required::CannotTell;
        }
    }
    builds
}

/// Tells one state of the builds from another, within this process.
fn digest(builds: &Builds) -> u64 {
    let mut hasher = DefaultHasher::new();
    builds.commit.hash(&mut hasher);
    for build in &builds.listed {
        (&build.key, &build.parent, build.state.word()).hash(&mut hasher);
    }
    hasher.finish()
}

/// The worst first, of those the newest; the key decides between equals, so that every read has one order.
fn in_order(mut builds: Vec<Build>) -> Vec<Build> {
    builds.sort_by(|a, b| (&a.state, b.updated, &a.key).cmp(&(&b.state, a.updated, &b.key)));
    builds
}
