//! What changed, line by line, with the comments that stand on the lines: of a pull request, between two refs, of one
//! commit.
//!
//! Never asks Bitbucket for more than one file alone in one call: the page asks for the next when the person does.
//! Start reading at [`KIND`]; `asked` tells what of, `read` asks Bitbucket, `facts` chooses what travels.

use crate::domain::pull_request::State;
use crate::show::Reading;
use crate::show::drawing::{Dressing, Facts, Gathered, Motion};
use crate::show::fit;
use crate::show::kinds::Kind;
use crate::show::shapes::People;
use crate::tool::ToolError;
use crate::tool::args::{Arg, Kind as Accepts, Target};
use crate::tool::reach::Reach;
use crate::words;
use asked::Asked;
use read::{Head, Read};

mod asked;
mod colors;
mod facts;
mod lines;
mod names;
mod read;
mod shapes;
mod threads;

/// The table's entry.
pub const KIND: Kind = Kind {
    name: "diff",
    about: "what changed, for what the person cannot open in their own editor: a pull request (id), two refs (from has \
            it, to lacks it) or one commit (commit_id), with comments on their lines",
    answers: &[asked::OF_PULL_REQUEST, asked::OF_REFS, asked::OF_COMMIT],
    target: Target::Repository,
    reach: Reach::Target,
    args: &[
        Arg::optional("id", Accepts::PullRequest, ""),
        Arg::optional("from", Accepts::Ref, ""),
        Arg::optional("to", Accepts::Ref, ""),
        Arg::optional("commit_id", Accepts::Commit, ""),
        Arg::optional("path", Accepts::Path, "The file to show first"),
        Arg::optional("context_lines", Accepts::Whole { min: 0, max: 1000 }, ""),
        Arg::optional("whitespace", Accepts::OneOf(&["show", "ignore"]), ""),
        Arg::optional(
            "start_file",
            Accepts::Whole {
                min: 0,
                max: 100_000,
            },
            "The first file, from 0",
        ),
    ],
    is_form: false,
    example: r#"{"kind":"diff","project":"ACME","repo":"rocket","id":42}"#,
    gather,
    dress,
};

fn gather(reading: &Reading) -> Result<Gathered, ToolError> {
    let asked = Asked::read(reading.input, reading.offers)?;
    (reading.step)("reading the diff");
    let read = read::read(reading, &asked)?;
    let mut people = People::new(reading.bitbucket);
    let facts = facts::of(&read, &asked, reading, &mut people);
    Ok(Gathered {
        facts: Facts::of(&facts),
        text: text(&read, &asked),
        motion: motion(&read, &asked),
        faces: people.into_faces(),
    })
}

fn dress(reading: &Reading, gathered: &Gathered, room: usize) -> Dressing {
    let memory = reading.memory;
    // Pictures are the last in line, and find a place all the same.
    let (code, fences, is_whole) =
        colors::colors(&gathered.facts, &memory.highlighter, room / 4 * 3);
    let left = room.saturating_sub(fit::chars(&code) + fit::chars(&fences));
    Dressing {
        avatars: memory
            .pictures
            .of(reading.bitbucket, &gathered.faces, left, reading.cancel),
        code,
        fences,
        late: !is_whole,
    }
}

/// Nothing changes between fixed commits; a closed pull request's diff stays as it was merged or declined.
fn motion(read: &Read, asked: &Asked) -> Motion {
    let is_still = match (&read.head, asked) {
        (Head::PullRequest(Ok(one)), _) => matches!(one.state, State::Merged | State::Declined),
        (_, Asked::Commit { .. }) => true,
        (_, Asked::Refs { from, to, .. }) => is_commit(from) && is_commit(to),
        _ => false,
    };
    match is_still {
        true => Motion::Still,
        false => Motion::Quiet,
    }
}

fn is_commit(name: &str) -> bool {
    matches!(name.len(), 40 | 64) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What was put on screen, and the counts.
fn text(read: &Read, asked: &Asked) -> String {
    let title = match &read.head {
        Head::PullRequest(Ok(one)) => format!(" \"{}\"", crate::clean::line(&one.title, 100)),
        Head::Commit(Ok(one)) => format!(" \"{}\"", crate::clean::line(one.subject(), 100)),
        _ => String::new(),
    };
    let of = crate::clean::code(&asked.of().to_string(), 200);
    let files = words::counted(read.count.number(), "changed file");
    let mut said = match read.count.is_exact() {
        true => format!("Put on the person's screen: the diff of {of}{title}: {files}"),
        false => format!("Put on the person's screen: the diff of {of}{title}: at least {files}"),
    };
    let comments: u64 = read.files.iter().map(|file| file.comment_count()).sum();
    if comments > 0 {
        said.push_str(&format!(
            ", {} on them",
            words::counted(comments, "comment")
        ));
    }
    if let Some(first) = read.files.get(read.first) {
        let path = crate::clean::code(&first.change.path, 120);
        said.push_str(&format!("; shown first: {path}"));
    }
    if read.is_cut {
        said.push_str("; Bitbucket cut the diff at its own limit, the person opens the other files one by one");
    }
    format!("{said}.")
}

#[cfg(test)]
mod tests;
