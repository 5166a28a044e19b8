//! The card of one pull request, headed as Bitbucket heads its overview.
//!
//! Never counts what it lists: counts are Bitbucket's. Start reading at [`KIND`]; `read` asks Bitbucket,
//! `facts` turns what came into what the page draws.

use crate::domain::build::BuildsOf;
use crate::domain::pull_request::{PullRequest, ReviewStatus, State};
use crate::show::Reading;
use crate::show::drawing::{Dressing, Facts, Gathered, Motion};
use crate::show::kinds::Kind;
use crate::show::{fences, fit};
use crate::tool::ToolError;
use crate::tool::args::{self, Arg, Target};
use crate::tool::reach::Reach;
use read::Read;

mod activity;
mod comments;
pub(super) mod facts;
pub(super) mod read;
pub(super) mod shapes;

/// Where the activity begins that is shown.
const ACTIVITY_START: Arg = Arg::optional(
    "activity_start",
    args::Kind::Whole {
        min: 0,
        max: 10_000_000,
    },
    "Older activity: where to begin",
);

/// The table's entry.
pub const KIND: Kind = Kind {
    name: "pull_request",
    about: "one pull request as Bitbucket's overview has it, with its reviewers, merge checks, builds, tasks and activity",
    answers: &["get_pull_request"],
    target: Target::PullRequest,
    reach: Reach::Target,
    args: &[ACTIVITY_START],
    is_form: false,
    example: r#"{"kind":"pull_request","project":"ACME","repo":"rocket","id":42}"#,
    gather,
    dress,
};

fn gather(reading: &Reading) -> Result<Gathered, ToolError> {
    let Some(id) = reading.input.pull_request() else {
        return Err(ToolError::Arguments(vec!["`id` is missing".to_owned()]));
    };
    (reading.step)("reading the pull request, its merge checks, builds, tasks and activity");
    let read = read::read(reading, &id)?;
    let (facts, faces) = facts::of(&read, reading.bitbucket);
    Ok(Gathered {
        facts: Facts::of(&facts),
        text: text(&read),
        motion: motion(&read),
        faces,
    })
}

fn dress(reading: &Reading, gathered: &Gathered, room: usize) -> Dressing {
    let memory = reading.memory;
    // Pictures are the last in line, and find a place all the same.
    let (fences, is_whole) = fences::colors(&gathered.facts, &memory.highlighter, room / 2);
    let left = room.saturating_sub(fit::chars(&fences));
    Dressing {
        avatars: memory
            .pictures
            .of(reading.bitbucket, &gathered.faces, left, reading.cancel),
        fences,
        late: !is_whole,
        ..Dressing::default()
    }
}

/// A build of the source commit runs, auto-merge waits, or a merge is under way.
fn motion(read: &Read) -> Motion {
    let is_building = read
        .builds
        .as_ref()
        .is_ok_and(|builds| builds.counts.in_progress > 0);
    let is_open = read.one.state == State::Open;
    match read.one.state {
        _ if is_building || (is_open && (read.is_auto_merge || read.one.is_locked)) => {
            Motion::Moving
        }
        State::Merged | State::Declined => Motion::Still,
        _ => Motion::Quiet,
    }
}

/// What was put on screen, and the counts. Of what could not be read nothing is said: the view says it.
fn text(read: &Read) -> String {
    let one = &read.one;
    let mut said = vec![format!(
        "Put on the person's screen: {} \"{}\", {}",
        one.id,
        crate::clean::line(&one.title, 120),
        state_words(one),
    )];
    if !one.reviewers.is_empty() {
        let count = |status| {
            one.reviewers
                .iter()
                .filter(|one| one.status == status)
                .count()
        };
        let (approved, asking) = (
            count(ReviewStatus::Approved),
            count(ReviewStatus::NeedsWork),
        );
        let mut words = format!("{approved} of {} reviewers approved", one.reviewers.len());
        if asking > 0 {
            words.push_str(&format!(", {asking} requested changes"));
        }
        said.push(words);
    }
    if let Some(Ok(check)) = &read.merge {
        said.push(
            match (check.is_conflicted, check.vetoes.len(), check.can_merge) {
                (true, ..) => "it has conflicts".to_owned(),
                (_, 0, true) => "it can be merged".to_owned(),
                (_, 0, false) => "Bitbucket does not allow merging".to_owned(),
                (_, 1, _) => "1 merge check fails".to_owned(),
                (_, vetoes, _) => format!("{vetoes} merge checks fail"),
            },
        );
    }
    if let Ok(tasks) = &read.tasks {
        said.push(format!("{} open tasks", tasks.open));
    }
    if let Ok(builds) = &read.builds {
        let counts = &builds.counts;
        let each = [
            (counts.failed, "failed"),
            (counts.in_progress, "in progress"),
            (counts.cancelled, "cancelled"),
            (counts.unknown, "unknown"),
            (counts.successful, "successful"),
        ];
        let each: Vec<String> = each
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        let of = match builds.of {
            BuildsOf::PullRequest => "",
            BuildsOf::Commit(_) => " of its commit",
        };
        let each = match each.is_empty() {
            true => String::new(),
            false => format!(" ({})", each.join(", ")),
        };
        said.push(format!("{} builds{of}{each}", builds.count));
    }
    format!("{}.", said.join("; "))
}

fn state_words(one: &PullRequest) -> String {
    let state = crate::clean::line(&one.state.word().to_lowercase(), 40);
    match one.is_draft {
        true => format!("{state}, a draft"),
        false => state,
    }
}

#[cfg(test)]
mod tests;
