//! `suggest_form_values`: what could stand in a field of a form, by what is typed, and a description drawn.
//!
//! Never more than two requests a call, and never a list without its count. Start reading at [`suggest`]. The page
//! reads `_meta["bb/view"]`: `{format, field, options: [{value, words, more?, people?}], count: {n, exact}}`, and of a
//! description `{format, field, nodes, cut?}`.

use crate::beside::beside;
use crate::bitbucket::compare::Pair;
use crate::bitbucket::error::ApiError;
use crate::bitbucket::listing::{Ask, Listing};
use crate::bitbucket::reviewers::ReviewerGroup;
use crate::domain::count::Count;
use crate::domain::person::Person;
use crate::domain::repository::RepositoryId;
use crate::markdown;
use crate::show::drawing::FORMAT;
use crate::show::fit::{Room, chars, short};
use crate::show::shapes::{Counted, counted, name};
use crate::show::{Outcome, Reading};
use crate::tool::ToolError;
use crate::tool::source::{self, branch_id};
use serde::Serialize;
use serde_json::{Value, json};
use std::thread::scope;

/// The most reviewers that `create_pull_request` takes.
pub const MAX_REVIEWERS: usize = 100;

/// Options that one list offers; the person types more of the name for the rest.
const MAX_OPTIONS: usize = 20;
/// Groups of reviewers among them that never give way to people; more of them do.
const MIN_GROUPS: usize = 5;
/// The most characters of JSON of the people in one list's groups, each group's the same: twenty have a place for one
/// each at the least.
const MAX_GROUPS_CHARS: usize = 60_000;
/// Repositories of a family that are looked through.
const MAX_RELATED: usize = 200;
/// The most characters of a drawn description.
const MAX_NODES_CHARS: usize = 120_000;
/// The most characters of what is typed that Bitbucket is asked with.
const MAX_TYPED_CHARS: usize = 256;

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Branches of the source's repository.
    SourceBranch,
    /// Branches of the target's repository.
    TargetBranch,
    /// The target's repository and its family.
    SourceRepo,
    /// People who may read the target's repository, and groups of reviewers.
    Reviewers,
    /// Whom Bitbucket would ask for these two branches.
    DefaultReviewers,
    /// The text drawn as Bitbucket draws it.
    Description,
}

impl Field {
    /// Every field by what a call names.
    pub const ALL: &[(&str, Self)] = &[
        ("source_branch", Self::SourceBranch),
        ("target_branch", Self::TargetBranch),
        ("source_repo", Self::SourceRepo),
        ("reviewers", Self::Reviewers),
        ("default_reviewers", Self::DefaultReviewers),
        ("description", Self::Description),
    ];

    /// What a call names.
    pub fn name(self) -> &'static str {
        let mut all = Self::ALL.iter();
        all.find(|(_, field)| *field == self)
            .map_or("", |(name, _)| name)
    }

    /// Whether it lists what lies across projects, which no scope can narrow.
    pub fn is_across(self) -> bool {
        self == Self::SourceRepo
    }
}

#[derive(Serialize)]
struct Choice {
    value: String,
    words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
    /// Of a group: who is in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    people: Vec<Named>,
}

#[derive(Serialize)]
struct Named {
    name: String,
    display_name: String,
}

#[derive(Serialize)]
struct Choices {
    options: Vec<Choice>,
    count: Counted,
}

/// Answers what could stand in a field, of the form whose arguments `reading` has.
pub fn suggest(reading: &Reading, field: Field, text: &str) -> Outcome {
    let typed: String = text.trim().chars().take(MAX_TYPED_CHARS).collect();
    let found = match field {
        Field::Description => {
            return told(field, &drawn(text));
        }
        Field::SourceBranch => {
            at(reading).and_then(|at| branches(reading, &from(reading, at)?, &typed))
        }
        Field::TargetBranch => at(reading).and_then(|at| branches(reading, at, &typed)),
        Field::SourceRepo => at(reading).and_then(|at| family(reading, at, &typed)),
        Field::Reviewers => at(reading).and_then(|at| people(reading, at, &typed)),
        Field::DefaultReviewers => at(reading).and_then(|at| defaults(reading, at)),
    };
    match found {
        Ok(choices) => told(field, &choices),
        Err(error) => Outcome::error(&error),
    }
}

fn told(field: Field, found: &impl Serialize) -> Outcome {
    let mut view = serde_json::to_value(found).unwrap_or_default();
    view["format"] = json!(FORMAT);
    view["field"] = json!(field.name());
    Outcome {
        view: Some(view),
        ..Outcome::text("For the form alone.")
    }
}

fn at<'a>(reading: &'a Reading) -> Result<&'a RepositoryId, ToolError> {
    let at = reading.input.repository();
    at.ok_or_else(|| ToolError::Arguments(vec!["`repo` is missing".to_owned()]))
}

fn from(reading: &Reading, at: &RepositoryId) -> Result<RepositoryId, ToolError> {
    source::repository(reading.input, at, reading.bitbucket.base())
}

/// One page, of which as many are offered as fit under a field; the count is of all that Bitbucket found.
fn choices<T>(listing: &Listing<T>, turn: impl FnMut(&T) -> Choice) -> Choices {
    Choices {
        count: counted(listing.count()),
        options: listing.values.iter().take(MAX_OPTIONS).map(turn).collect(),
    }
}

fn branches(reading: &Reading, at: &RepositoryId, typed: &str) -> Result<Choices, ToolError> {
    let filter = Some(typed).filter(|typed| !typed.is_empty());
    let ask = Ask::first(100).at_most(1);
    let found = reading
        .bitbucket
        .branches(at, filter, ask, reading.cancel)?;
    Ok(choices(&found, |branch| Choice {
        value: name(&branch.display_id),
        words: name(&branch.display_id),
        more: branch.is_default.then(|| "default".to_owned()),
        people: Vec::new(),
    }))
}

/// The target's own repository first. Bitbucket filters none of this, so the names are looked through here.
fn family(reading: &Reading, at: &RepositoryId, typed: &str) -> Result<Choices, ToolError> {
    let ask = Ask::first(MAX_RELATED).at_most(2);
    let related = reading
        .bitbucket
        .related_repositories(at, ask, reading.cancel)?;
    let typed = typed.to_lowercase();
    let is_it = |place: &RepositoryId| place.to_string().to_lowercase().contains(&typed);
    let found = related.map(|one| (one.id, one.project_name));
    let found = found.keep(|(place, _)| is_it(place));
    let choice = |place: &RepositoryId, more: String| Choice {
        value: name(&place.to_string()),
        words: name(&place.to_string()),
        more: Some(more).filter(|more| !more.is_empty()),
        people: Vec::new(),
    };
    let mut choices = choices(&found, |(place, project)| choice(place, name(project)));
    if is_it(at) {
        choices.options.insert(0, choice(at, "target".to_owned()));
        choices.count.n += 1;
    }
    Ok(choices)
}

fn people(reading: &Reading, at: &RepositoryId, typed: &str) -> Result<Choices, ToolError> {
    let (bitbucket, cancel) = (reading.bitbucket, reading.cancel);
    let (groups, people) = scope(|threads| {
        let groups = beside(threads, || bitbucket.reviewer_groups(at, cancel));
        let ask = Ask::first(100).at_most(1);
        let people = bitbucket.people(typed, Some(at), ask, cancel);
        (groups.get(), people)
    });
    let people = people?;
    let lower = typed.to_lowercase();
    // Groups are a help: where they cannot be read there are people still.
    let groups = groups.unwrap_or_else(|_| Listing::whole(Vec::new()));
    let groups =
        groups.keep(|group| !group.people.is_empty() && group.name.to_lowercase().contains(&lower));
    let mut those = choices(&people, person).options;
    let share = (MAX_OPTIONS - those.len()).max(MIN_GROUPS);
    let offered = &groups.values[..share.min(groups.values.len())];
    let each = MAX_GROUPS_CHARS / offered.len().max(1);
    let mut options: Vec<Choice> = offered.iter().map(|group| of_group(group, each)).collect();
    those.truncate(MAX_OPTIONS - options.len());
    options.extend(those);
    Ok(Choices {
        count: counted(sum(groups.count(), people.count())),
        options,
    })
}

/// A group adds those of its people that the form takes and a result carries, and says how many they are of all.
fn of_group(group: &ReviewerGroup, most_chars: usize) -> Choice {
    let all = group.people.iter().take(MAX_REVIEWERS).map(named).collect();
    let people = Room::new(most_chars).keep(all, most_chars);
    let of_all = crate::words::counted(group.people.len() as u64, "reviewer");
    Choice {
        value: name(&group.name),
        words: name(&group.name),
        more: Some(match people.len() == group.people.len() {
            true => of_all,
            false => format!("{} of {of_all}", people.len()),
        }),
        people,
    }
}

fn defaults(reading: &Reading, at: &RepositoryId) -> Result<Choices, ToolError> {
    let (bitbucket, cancel, input) = (reading.bitbucket, reading.cancel, reading.input);
    let source_repository = from(reading, at)?;
    let branch = |name| input.text(name).map(branch_id).unwrap_or_default();
    let target = match input.text("target_branch") {
        Some(name) => branch_id(name),
        None => bitbucket
            .default_branch(at, cancel)?
            .map(|branch| branch.id)
            .unwrap_or_default(),
    };
    let numbers = (
        bitbucket.repository_number(&source_repository, cancel)?,
        bitbucket.repository_number(at, cancel)?,
    );
    let pair = Pair {
        source_repository: &source_repository,
        source: &branch("source_branch"),
        repository: at,
        target: &target,
    };
    let me = bitbucket.me(cancel)?;
    let found: Result<Vec<Person>, ApiError> = bitbucket.default_reviewers(&pair, numbers, cancel);
    let found = Listing::whole(found?);
    let found = found.keep(|one| {
        me.as_deref()
            .is_none_or(|me| !one.name.eq_ignore_ascii_case(me))
    });
    let options = found.values.iter().take(100).map(person).collect();
    Ok(Choices {
        count: counted(found.count()),
        options,
    })
}

fn person(person: &Person) -> Choice {
    let Named { name, display_name } = named(person);
    Choice {
        words: match display_name.is_empty() {
            true => name.clone(),
            false => display_name,
        },
        more: Some(name.clone()),
        value: name,
        people: Vec::new(),
    }
}

fn named(person: &Person) -> Named {
    Named {
        name: name(&person.name),
        display_name: short(&person.display_name, 80),
    }
}

fn sum(one: Count, other: Count) -> Count {
    let n = one.number() + other.number();
    match one.is_exact() && other.is_exact() {
        true => Count::Exact(n),
        false => Count::AtLeast(n),
    }
}

/// A text as Bitbucket would draw it, as much of it as a result carries.
fn drawn(text: &str) -> Value {
    let mut most = markdown::MAX_SOURCE_BYTES;
    loop {
        let end = (0..=most.min(text.len()))
            .rev()
            .find(|end| text.is_char_boundary(*end));
        let part = &text[..end.unwrap_or(0)];
        let tree = markdown::tree(part);
        let is_cut = tree.cut.is_some() || part.len() < text.len();
        let drawn = json!({"nodes": tree.nodes, "cut": is_cut});
        if chars(&drawn) <= MAX_NODES_CHARS || most < 100 {
            return drawn;
        }
        most /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_NODES_CHARS, drawn};
    use crate::show::fit::chars;

    #[test]
    fn a_description_is_drawn_and_what_does_not_fit_is_said() {
        assert_eq!(
            drawn("a *b*").to_string(),
            r#"{"cut":false,"nodes":[["p",{},"a ",["em",{},"b"]]]}"#
        );
        let long = "*ö*\n\n".repeat(6_000);
        let drawn = drawn(&long);
        assert_eq!(drawn["cut"], true);
        assert!(chars(&drawn) <= MAX_NODES_CHARS);
    }
}
