//! Bitbucket's words for what the model is told, one function for each thing that has them; activity is worded here
//! for the page as well.
//!
//! Never cleans what users wrote: whoever prints a text does. For the rest the page has a table of its own, `view/words.js`.
//! Start reading at [`activity`].

use crate::domain::activity::{Action, Activity};
use crate::domain::count::Count;
use crate::domain::diff::{ChangeKind, Content, FileDiff, Node};
use crate::domain::person::Person;
use crate::domain::ref_matcher::RefMatcher;

/// At most `most` of all that there is to name, and how many more there are: `a, b and 3 more`.
pub fn some(all: &[String], most: usize, between: &str) -> String {
    let told = all.get(..most).unwrap_or(all).join(between);
    match all.len().saturating_sub(most) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}

/// What somebody did, as it follows their name, for the model.
pub fn activity(entry: &Activity) -> String {
    match &entry.action {
        Action::Commented(thread) => match &thread.anchor {
            Some(anchor) => format!("commented on {}", anchor.path),
            None => did(entry, &Person::to_string),
        },
        _ => did(entry, &Person::to_string),
    }
}

/// The same for a page, which calls people by the names that they go by, and has a comment's path at hand.
pub fn activity_on_page(entry: &Activity) -> String {
    did(entry, &|one| match one.display_name.is_empty() {
        true => one.to_string(),
        false => one.display_name.clone(),
    })
}

/// How people are named.
type Naming<'a> = &'a dyn Fn(&Person) -> String;

fn did(entry: &Activity, naming: Naming) -> String {
    match &entry.action {
        Action::Opened => "opened the pull request".to_owned(),
        Action::Reopened => "reopened the pull request".to_owned(),
        Action::Declined => "declined the pull request".to_owned(),
        Action::Deleted => "deleted the pull request".to_owned(),
        Action::Merged { commit: Some(_) } => "merged the pull request".to_owned(),
        Action::Merged { commit: None } => "merged the pull request remotely".to_owned(),
        Action::Approved => "approved the pull request".to_owned(),
        Action::Unapproved => "unapproved the pull request".to_owned(),
        Action::RequestedChanges => "requested changes".to_owned(),
        Action::Commented(thread) => match &thread.anchor {
            Some(_) => "commented on".to_owned(),
            None if thread.root.task.is_some() => "created a task".to_owned(),
            None => "commented".to_owned(),
        },
        Action::Replied(_) => "replied to a comment".to_owned(),
        Action::DeletedComment => "deleted a comment".to_owned(),
        Action::Updated {
            added,
            removed,
            is_draft,
        } => updated(entry.by.as_ref(), added, removed, *is_draft, naming),
        Action::Rescoped { added, removed, .. } => rescoped(*added, *removed),
        Action::AutoMergeRequested => "requested auto-merge".to_owned(),
        Action::AutoMergeCancelled => "cancelled auto-merge".to_owned(),
        Action::ReviewCommented => "started a review".to_owned(),
        Action::ReviewFinished => "finished a review".to_owned(),
        Action::ReviewDiscarded => "discarded a review".to_owned(),
        Action::Other(word) if word.is_empty() => "did something that is not told".to_owned(),
        Action::Other(word) => word.replace('_', " ").to_lowercase(),
    }
}

/// Bitbucket's own word for an action; empty where an entry has none.
pub fn action(action: &Action) -> &str {
    match action {
        Action::Opened => "OPENED",
        Action::Reopened => "REOPENED",
        Action::Declined => "DECLINED",
        Action::Deleted => "DELETED",
        Action::Merged { .. } => "MERGED",
        Action::Approved => "APPROVED",
        Action::Unapproved => "UNAPPROVED",
        Action::RequestedChanges => "REVIEWED",
        Action::Commented(_) | Action::Replied(_) | Action::DeletedComment => "COMMENTED",
        Action::Updated { .. } => "UPDATED",
        Action::Rescoped { .. } => "RESCOPED",
        Action::AutoMergeRequested => "AUTO_MERGE_REQUESTED",
        Action::AutoMergeCancelled => "AUTO_MERGE_CANCELLED",
        Action::ReviewCommented => "REVIEW_COMMENTED",
        Action::ReviewFinished => "REVIEW_FINISHED",
        Action::ReviewDiscarded => "REVIEW_DISCARDED",
        Action::Other(word) => word,
    }
}

fn updated(
    by: Option<&Person>,
    added: &[Person],
    removed: &[Person],
    is_draft: Option<bool>,
    naming: Naming,
) -> String {
    let is_own = |people: &[Person]| match (people, by) {
        ([one], Some(by)) => one.name == by.name,
        _ => false,
    };
    let named = |people: &[Person], one: &str, many: &str| {
        let names: Vec<String> = people.iter().map(naming).collect();
        let role = if people.len() == 1 { one } else { many };
        format!("{} {role}", listed(&names))
    };
    let mut said = Vec::new();
    match added {
        [] => {}
        _ if is_own(added) => said.push("joined as a reviewer".to_owned()),
        _ => said.push(format!(
            "added {}",
            named(added, "as a reviewer", "as reviewers")
        )),
    }
    match removed {
        [] => {}
        _ if is_own(removed) => said.push("left as a reviewer".to_owned()),
        _ => said.push(format!(
            "removed {}",
            named(removed, "as a reviewer", "as reviewers")
        )),
    }
    match is_draft {
        _ if !said.is_empty() => {}
        Some(true) => said.push("marked the pull request as draft".to_owned()),
        Some(false) => said.push("marked the pull request as ready for review".to_owned()),
        None => said.push("updated the pull request".to_owned()),
    }
    said.join(" and ")
}

fn rescoped(added: u64, removed: u64) -> String {
    match (added, removed) {
        (0, 0) => "updated the branches; no commits were added or removed".to_owned(),
        (added, 0) => format!("added {}", counted(added, "commit")),
        (0, removed) => format!("removed {}", counted(removed, "commit")),
        (added, removed) => {
            format!(
                "added {} and removed {}",
                counted(added, "commit"),
                counted(removed, "commit")
            )
        }
    }
}

/// `1 commit`, `12 commits`.
pub fn counted(count: u64, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

/// The same of a count: `at least 100 commits` where there may be more.
pub fn of_count(count: Count, one: &str) -> String {
    let words = counted(count.number(), one);
    match count.is_exact() {
        true => words,
        false => format!("at least {words}"),
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

/// What a file's diff has to say besides its lines, in a few words; `None` if its lines say it all.
pub fn file(file: &FileDiff) -> Option<String> {
    let mut said = Vec::new();
    if file.change.node == Node::Submodule {
        said.push("a submodule: another repository at one of its commits".to_owned());
    }
    match file.change.executable {
        Some((_, true)) => said.push("made executable".to_owned()),
        Some((_, false)) => said.push("made not executable".to_owned()),
        None => {}
    }
    if file.change.is_conflicting {
        said.push("conflicts with the target branch".to_owned());
    }
    match &file.content {
        Content::Binary => said.push("a binary file: it has no lines to show".to_owned()),
        Content::NoLines => said.push(without_lines(&file.change.kind).to_owned()),
        Content::NotCarried => said.push("not in this diff".to_owned()),
        Content::NotUnderstood => {
            said.push("what Bitbucket gave of it is not understood".to_owned())
        }
        Content::Hunks(_) if !file.is_whole() => {
            said.push("cut by Bitbucket, which gives no more lines of it".to_owned());
        }
        Content::Hunks(_) if file.is_same_text() => {
            said.push("only line ends differ, or the one at the end of the file".to_owned());
        }
        Content::Hunks(_) => {}
    }
    match said.is_empty() {
        true => None,
        false => Some(said.join("; ")),
    }
}

fn without_lines(kind: &ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "an empty file",
        ChangeKind::Deleted => "the file was empty",
        ChangeKind::Renamed | ChangeKind::Moved | ChangeKind::Copied => "its content is the same",
        ChangeKind::Modified | ChangeKind::Other(_) => "no lines differ",
    }
}

/// Which branches a rule is about.
pub fn matcher(matcher: &RefMatcher) -> String {
    match matcher {
        RefMatcher::Any => "every branch".to_owned(),
        RefMatcher::Branch(name) => {
            format!(
                "branch {}",
                name.strip_prefix("refs/heads/").unwrap_or(name)
            )
        }
        RefMatcher::Pattern(pattern) => format!("branches that match {pattern}"),
        RefMatcher::Development => "the development branch of the branch model".to_owned(),
        RefMatcher::Production => "the production branch of the branch model".to_owned(),
        RefMatcher::Category(id) => format!("{id} branches of the branch model"),
        RefMatcher::DefaultBranch => "the default branch".to_owned(),
        RefMatcher::Unknown => "branches by a rule that bb does not know".to_owned(),
    }
}

/// A way to merge, as Bitbucket's dialog names it; one that bb does not know by its id.
pub fn merge_strategy(id: &str) -> &str {
    match id {
        "no-ff" => "Merge commit",
        "ff" => "Fast-forward",
        "ff-only" => "Fast-forward only",
        "rebase-no-ff" => "Rebase and merge",
        "rebase-ff-only" => "Rebase and fast-forward",
        "squash" => "Squash",
        "squash-ff-only" => "Squash, fast-forward only",
        other => other,
    }
}
