//! A tool: what it is called, what it takes, what it answers.
//!
//! Never knows which tools there are, and never decides whether one may run: `catalog` does. Start reading
//! at [`Tool`]; arguments are read in [`args`] and, for
//! what is also a view, asked for in [`lists`]; answers are made in [`answer`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::error::ApiError;
use crate::cancel::Cancel;
use crate::domain::repository::RepositoryId;
use crate::mcp::wire;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Input, Target};
use crate::tool::lists::Asking;
use crate::tool::outcome::{Outcome, Problem};
use crate::tool::reach::Reach;
use serde_json::{Value, json};
use std::fmt;

pub mod answer;
pub mod args;
pub mod lists;
pub mod outcome;
pub mod problems;
pub mod reach;
pub mod source;

/// One entry of the catalogue.
#[derive(Debug)]
pub struct Tool {
    /// What a call names: MCP's verb first.
    pub name: &'static str,
    /// What a person reads.
    pub title: &'static str,
    /// The name under which `--tools` and `--exclude` take several.
    pub group: Group,
    /// What it answers, when to call it, when another.
    pub description: &'static str,
    /// What it does to Bitbucket.
    pub effect: Effect,
    /// What it is about: the arguments `project`, `repo` and `id`.
    pub target: Target,
    /// What a call of it can touch, for a scope.
    pub reach: Reach,
    /// What it takes besides.
    pub args: &'static [Arg],
    /// Arguments that work, as JSON: for whoever called with others.
    pub example: &'static str,
    /// JSON Schema of the value that it answers.
    pub result: fn() -> Value,
    /// Does it.
    pub run: fn(&Call) -> Result<Answer, ToolError>,
}

/// Tools that are exposed or withheld together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Pull requests.
    PullRequests,
    /// Builds.
    Builds,
    /// Repositories, what is in them, and who works on them.
    Repositories,
    /// Commits.
    Commits,
}

impl Group {
    /// As `--tools` names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PullRequests => "pull-requests",
            Self::Builds => "builds",
            Self::Repositories => "repositories",
            Self::Commits => "commits",
        }
    }
}

/// What a tool does to Bitbucket.
#[derive(Clone, Copy, Debug)]
pub enum Effect {
    /// Nothing.
    Reads,
    /// Changes something.
    Writes {
        /// Whether the person is asked first.
        asks: Asks,
        /// Whether it may overwrite or end something.
        is_destructive: bool,
        /// Whether repeating it changes nothing more.
        is_idempotent: bool,
    },
}

impl Effect {
    /// Whether it changes nothing.
    pub fn is_reading(self) -> bool {
        matches!(self, Self::Reads)
    }

    /// Whether the person is asked, before some calls at least.
    pub fn may_ask(self) -> bool {
        matches!(self, Self::Writes { asks, .. } if !matches!(asks, Asks::Never))
    }
}

/// Whether the person is asked before a tool writes, and what the question is made from.
#[derive(Clone, Copy, Debug)]
pub enum Asks {
    /// Never.
    Never,
    /// Before every call.
    Always(AskAbout),
    /// Before a call whose arguments say so.
    When(fn(&Input) -> bool, AskAbout),
}

/// Words the question of a call. Reads Bitbucket and never writes; what it fails with is the call's own answer.
pub type AskAbout = fn(&Call) -> Result<Question, ToolError>;

impl Asks {
    /// What the question of a call with these arguments is made from; `None` if it is not asked.
    pub fn before(self, input: &Input) -> Option<AskAbout> {
        match self {
            Self::Never => None,
            Self::Always(about) => Some(about),
            Self::When(holds, about) => holds(input).then_some(about),
        }
    }
}

/// What a person is asked before a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// One clean line that names the target and ends in a question mark.
    pub text: String,
    /// The version of the target that the text was written from, where it has one. A call that was agreed to runs
    /// on this version and no other: it comes back as [`Call::shown`].
    pub version: Option<i64>,
}

/// One call of a tool, its arguments read.
pub struct Call<'a> {
    /// The way to Bitbucket.
    pub bitbucket: &'a Bitbucket,
    /// The arguments.
    pub input: &'a Input,
    /// Raised when nobody waits for the answer any more.
    pub cancel: &'a Cancel,
    /// [`Question::version`] of the question that the person agreed to.
    pub shown: Option<i64>,
    /// Whether a repository that the call learns of on its way may be written to: the fork that a pull request comes
    /// from is in none of the arguments.
    pub may_write_to: &'a (dyn Fn(&RepositoryId) -> bool + Sync),
    /// Says what is being done now, for a person who waits.
    pub step: &'a (dyn Fn(&str) + Sync),
}

impl Call<'_> {
    /// The same, for what a view may ask for as well.
    pub fn asking(&self) -> Asking<'_> {
        Asking {
            bitbucket: self.bitbucket,
            input: self.input,
            cancel: self.cancel,
            step: self.step,
        }
    }
}

/// Why a tool has no answer. The model reads it: full sentences, the argument's name, what to do.
#[derive(Clone, Debug)]
pub enum ToolError {
    /// What Bitbucket, or the way to it, did not give.
    Api(ApiError),
    /// Arguments that do not go together; a phrase each, beginning with the argument's name in backticks.
    Arguments(Vec<String>),
    /// This Bitbucket does not have what the tool works on: a phrase that says so, and what else to do.
    Absent(String),
    /// A write that was not done, in words that say why and what to do, and what a page is told of it.
    NotWritten(Box<NotWritten>),
}

/// See [`ToolError::NotWritten`].
#[derive(Clone, Debug)]
pub struct NotWritten {
    /// For the model.
    pub phrase: String,
    /// For the page.
    pub outcome: Outcome,
}

impl ToolError {
    /// What a page is told of it, where the tool writes.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Api(error) => Outcome::of_error(error),
            Self::Arguments(problems) => Outcome::of_problems(problems),
            Self::Absent(phrase) => Outcome::failed(vec![Problem::general(phrase)]),
            Self::NotWritten(not) => not.outcome.clone(),
        }
    }
}

impl From<ApiError> for ToolError {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Api(error) => error.fmt(f),
            Self::Arguments(problems) => f.write_str(&problems.join("; ")),
            Self::Absent(phrase) => f.write_str(phrase),
            Self::NotWritten(not) => f.write_str(&not.phrase),
        }
    }
}

impl std::error::Error for ToolError {}

impl Tool {
    /// The entry of `tools/list`.
    pub fn declaration(&self) -> wire::Tool {
        wire::Tool {
            name: self.name.to_owned(),
            title: self.title.to_owned(),
            description: self.description.to_owned(),
            input_schema: self.input_schema(),
            output_schema: None,
            annotations: self.annotations(),
            meta: None,
        }
    }

    /// JSON Schema of the arguments.
    pub fn input_schema(&self) -> Value {
        let mut properties = serde_json::Map::new();
        let mut required = Vec::new();
        for arg in self.target.args().iter().chain(self.args) {
            properties.insert(arg.name.to_owned(), arg.schema());
            if arg.is_required {
                required.push(arg.name);
            }
        }
        let mut schema = json!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }

    fn annotations(&self) -> wire::Annotations {
        let (read_only, destructive, idempotent) = match self.effect {
            Effect::Reads => (true, false, true),
            Effect::Writes {
                is_destructive,
                is_idempotent,
                ..
            } => (false, is_destructive, is_idempotent),
        };
        wire::Annotations {
            read_only,
            destructive,
            idempotent,
            open_world: true,
        }
    }
}
