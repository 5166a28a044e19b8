//! What the kinds that list have in common: the part that is shown, in words, and as much of it as fits.
//!
//! Never counts what it holds: a count is Bitbucket's. Start reading at [`fitting`].

use crate::bitbucket::error::ApiError;
use crate::domain::build::BuildCounts;
use crate::domain::count::Count;
use crate::domain::repository::RepositoryId;
use crate::show::Reading;
use crate::show::drawing::MAX_FACTS_CHARS;
use crate::show::fit::{Room, chars};
use crate::tool::lists::Asking;
use crate::words;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// How much one row may say, in characters.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Of a title, or of a message's first line.
    pub(super) title: usize,
    /// Of a name.
    pub(super) name: usize,
    /// Of an address; a longer one is left out.
    pub(super) address: usize,
    /// Reviewers that are named.
    pub(super) people: usize,
}

const WIDE: Limits = Limits {
    title: 500,
    name: 255,
    address: 1_000,
    people: 5,
};
const NARROW: Limits = Limits {
    title: 120,
    name: 48,
    address: 300,
    people: 2,
};

/// How many builds of one commit stand how, by Bitbucket's word.
pub(super) type States = BTreeMap<&'static str, u64>;

/// The rows that a result carries, and how many it does not: whole rows as long as all fit, then shorter ones, then
/// the first of those.
pub(super) fn fitting<T: Serialize>(mut rows: impl FnMut(&Limits) -> Vec<T>) -> (Vec<T>, usize) {
    let wide = rows(&WIDE);
    if chars(&wide) <= MAX_FACTS_CHARS {
        return (wide, 0);
    }
    let narrow = rows(&NARROW);
    let all = narrow.len();
    let kept = Room::new(MAX_FACTS_CHARS).keep(narrow, MAX_FACTS_CHARS);
    let left_out = all - kept.len();
    (kept, left_out)
}

/// What the view was asked for, beside the place.
pub(super) fn asked(reading: &Reading) -> Map<String, Value> {
    let mut asked = reading.input.values().clone();
    asked.retain(|name, _| name != "project" && name != "repo");
    asked
}

/// Reads as the tool does.
pub(super) fn asking<'a>(reading: &'a Reading) -> Asking<'a> {
    Asking {
        bitbucket: reading.bitbucket,
        input: reading.input,
        cancel: reading.cancel,
        step: reading.step,
    }
}

/// What the builds of these commits come to, in one request. `None` where there is nothing to ask about; a list
/// without them is still the list.
pub(super) fn builds<'a>(
    reading: &Reading,
    repository: &RepositoryId,
    commits: impl Iterator<Item = &'a str>,
) -> Result<BTreeMap<String, BuildCounts>, ApiError> {
    let whole = commits.filter(|commit| commit.len() >= 40);
    let commits: Vec<&str> = whole.collect();
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    bitbucket.builds_of_commits(repository, &commits, cancel)
}

/// The counts by Bitbucket's word.
pub(super) fn states(counts: &BuildCounts) -> States {
    counts.each().map(|(state, n)| (state.word(), n)).collect()
}

/// "1 failed, 2 successful", the worst first; empty where there are none.
pub(super) fn state_words(counts: &BuildCounts) -> String {
    let words = |word: &str| match word {
        "INPROGRESS" => "in progress".to_owned(),
        other => other.to_lowercase(),
    };
    let each: Vec<String> = counts
        .each()
        .map(|(state, n)| format!("{n} {}", words(state.word())))
        .collect();
    each.join(", ")
}

/// What the list was narrowed by, for the model: a list that is empty for it is not an empty repository.
pub(super) fn narrowed_words(reading: &Reading) -> String {
    let names = [
        "role",
        "source_branch",
        "target_branch",
        "text",
        "since",
        "path",
    ];
    let each: Vec<String> = names
        .iter()
        .filter_map(|name| Some((name, reading.input.text(name)?)))
        .map(|(name, value)| format!("{name} {}", crate::clean::line(value, 120)))
        .collect();
    match each.is_empty() {
        true => String::new(),
        false => format!(" with {}", each.join(", ")),
    }
}

/// "25 of 312 commits", "1 commit", "no commits", "25 commits, and more", of a list that begins at `start`.
pub(super) fn shown_words(start: u64, shown: usize, count: Count, one: &str) -> String {
    let (shown, total) = (shown as u64, count.number());
    match count {
        Count::Exact(0) => format!("no {one}s"),
        // A start past the end: nothing says that there is more.
        Count::Exact(_) if shown == 0 => {
            format!(
                "none of {} from start {start} on,",
                words::counted(total, one)
            )
        }
        Count::AtLeast(_) if shown == 0 => format!("no {one}s from start {start} on,"),
        Count::Exact(_) if total == shown => words::counted(total, one),
        Count::Exact(_) => format!("{shown} of {}", words::counted(total, one)),
        Count::AtLeast(_) => format!("{}, and more", words::counted(shown, one)),
    }
}

pub(super) fn is_zero(n: &usize) -> bool {
    *n == 0
}

#[cfg(test)]
mod tests {
    use super::{fitting, shown_words};
    use crate::domain::count::Count::{AtLeast, Exact};
    use crate::show::drawing::MAX_FACTS_CHARS;

    #[test]
    fn what_is_shown_is_told_from_what_there_is() {
        for (start, shown, count, words) in [
            (0, 0, Exact(0), "no commits"),
            (0, 1, Exact(1), "1 commit"),
            (0, 3, Exact(3), "3 commits"),
            (0, 25, Exact(312), "25 of 312 commits"),
            (0, 25, AtLeast(25), "25 commits, and more"),
            (0, 1, AtLeast(1), "1 commit, and more"),
            (9_000, 0, AtLeast(0), "no commits from start 9000 on,"),
            (400, 0, Exact(312), "none of 312 commits from start 400 on,"),
            (3, 0, Exact(1), "none of 1 commit from start 3 on,"),
        ] {
            assert_eq!(shown_words(start, shown, count, "commit"), words);
        }
    }

    #[test]
    fn rows_that_do_not_fit_are_shortened_and_then_counted() {
        let of =
            |n: usize, title: usize| fitting(|limits| vec!["x".repeat(limits.title.min(title)); n]);
        assert_eq!(of(100, 500), (vec!["x".repeat(500); 100], 0));
        assert_eq!(of(200, 500), (vec!["x".repeat(120); 200], 0));
        let (kept, left_out) = of(1_000, 500);
        assert_eq!(kept.len() + left_out, 1_000);
        assert!(left_out > 0 && kept.len() * 123 <= MAX_FACTS_CHARS);
    }
}
