//! The form of a pull request that is not there yet: the model drafts, the person decides and submits.
//!
//! Never writes: the page calls `create_pull_request` once the person presses. Start reading at [`KIND`]; `read`
//! asks Bitbucket, `facts` fills in what the model left out as Bitbucket's own form does.

use crate::show::Reading;
use crate::show::avatars;
use crate::show::drawing::{Facts, Gathered, Motion};
use crate::show::kinds::Kind;
use crate::show::{fit, shapes};
use crate::tool::ToolError;
use crate::tool::args::{Arg, Kind as Accepts, Target};
use crate::tool::source;
use crate::words;
use facts::Form;
use read::Read;

mod facts;
mod read;

/// The tool that submitting calls, and the kind of the same name.
const NAME: &str = "create_pull_request";

/// The most characters of what the model drafted, as JSON: what it drafted travels back, and a result has its bound.
const MAX_DRAFTED_CHARS: usize = 70_000;

/// The table's entry.
pub const KIND: Kind = Kind {
    name: NAME,
    about: "the form of a new pull request, which the person submits",
    ways: &[],
    answers: &[NAME],
    target: Target::Repository,
    reach: source::REACH,
    args: &[
        Arg::optional("title", source::TITLE, "").prose(),
        Arg::required("source_branch", Accepts::Ref, ""),
        Arg::optional("target_branch", Accepts::Ref, ""),
        Arg::optional("description", source::DESCRIPTION, "").prose(),
        Arg::optional("reviewers", Accepts::People, ""),
        Arg::optional("draft", Accepts::Flag, ""),
        Arg::optional(source::PROJECT, Accepts::Text { max_chars: 128 }, ""),
        Arg::optional(source::REPO, Accepts::Text { max_chars: 2048 }, ""),
    ],
    is_form: true,
    example: r#"{"kind":"create_pull_request","project":"ACME","repo":"rocket","source_branch":"feature/igniter"}"#,
    gather,
    dress: avatars::dress,
};

fn gather(reading: &Reading) -> Result<Gathered, ToolError> {
    if fit::chars(reading.input.values()) > MAX_DRAFTED_CHARS {
        return Err(ToolError::Arguments(vec![format!(
            "`description` and the other arguments take over {MAX_DRAFTED_CHARS} characters together, more than a form \
             carries: shorten the description"
        )]));
    }
    (reading.step)("reading the branches, what they differ in and the default reviewers");
    let read = read::read(reading)?;
    let mut people = shapes::People::new(reading.bitbucket);
    let form = facts::of(&read, reading, &mut people);
    Ok(Gathered {
        text: text(&read, &form),
        facts: Facts::of(&form),
        // What the person writes stands in it: it is never read again by itself.
        motion: Motion::Still,
        faces: people.into_faces(),
    })
}

/// What was put on screen, and what keeps it from being submitted.
fn text(read: &Read, form: &Form) -> String {
    let code = |text: &str| crate::clean::code(text, 100);
    let mut said = format!(
        "Put on the person's screen: a form of a pull request from {}{} to {} of {}",
        code(&form.source.branch),
        match read.source_repository.is(&read.target_repository.id) {
            true => String::new(),
            false => format!(" of {}", read.source_repository),
        },
        code(&form.target.branch),
        read.target_repository.id,
    );
    if let (Ok(commits), Ok(changes)) = (&read.commits, &read.changes) {
        said.push_str(&format!(
            ": {}, {}",
            words::of_count(commits.count(), "commit"),
            words::of_count(changes.count, "changed file")
        ));
    }
    said.push_str(match &form.stop {
        Some(_) => ". Nothing is created, and it cannot be submitted",
        None => ". Nothing is created before they submit it; do not create it yourself meanwhile",
    });
    if let Some(stop) = &form.stop {
        said.push_str(&format!(": {}", crate::clean::line(stop, 200)));
    }
    let said = format!("{}.", said.trim_end_matches('.'));
    let more = facts::not_reviewers(read).into_iter().flatten();
    more.fold(said, |said, one| format!("{said} {one}"))
}
