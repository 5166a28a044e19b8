//! Arguments: what a tool takes, and how what came is read.
//!
//! Every problem is told at once, each by the argument's name and what is accepted. Never asks Bitbucket.
//! Start reading at [`Input::read`].

use crate::bitbucket::address::{BaseUrl, Given, project_key};
use crate::domain::repository::{PullRequestId, RepositoryId};
use crate::tool::problems::Problems;
use phrases::{described, unknown};
use serde_json::{Map, Value, json};

/// One argument of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    /// snake_case.
    pub name: &'static str,
    /// What it accepts.
    pub kind: Kind,
    /// Whether a call without it is refused.
    pub is_required: bool,
    /// What the model reads; empty where the name and the kind say it all.
    pub about: &'static str,
    /// Whether it is text that somebody wrote, such as a comment: recorded as its length and digest alone.
    pub is_prose: bool,
}

/// What an argument accepts.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text of at most so many characters.
    Text {
        /// The bound.
        max_chars: usize,
    },
    /// The same in one line, without control characters: a title, a key.
    Line {
        /// The bound.
        max_chars: usize,
    },
    /// A whole number within bounds, both included.
    Whole {
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// One of a few words, in any case.
    OneOf(&'static [&'static str]),
    /// True or false.
    Flag,
    /// A pull request's number, its digits, or its address.
    PullRequest,
    /// A branch, a tag or a commit, as Bitbucket names one.
    Ref,
    /// A commit's id, whole or its first digits.
    Commit,
    /// The path of a file or folder in a repository.
    Path,
    /// Some people, by the names that they sign in with.
    People,
}

/// More reviewers than any pull request that somebody still oversees.
const MAX_PEOPLE: usize = 100;

/// No name of a branch or tag in a repository on disk is longer than its file system lets it be.
const MAX_REF_CHARS: usize = 512;

/// No path in a repository that can be checked out is longer.
const MAX_PATH_CHARS: usize = 4_096;

/// A number past this is out of reach of what anybody asks for.
const FAR: u64 = 10_000;

/// How many entries a list answers unless it is asked for another number.
const DEFAULT_LIMIT: usize = 25;

impl Arg {
    /// Where a list begins.
    pub const START: Self = Self::optional(
        "start",
        Kind::Whole {
            min: 0,
            max: 10_000_000,
        },
        "`next` of the answer before",
    );
    /// How many entries of a list are wanted.
    pub const LIMIT: Self = Self::optional("limit", Kind::Whole { min: 1, max: 100 }, "Default 25");

    /// An argument that may be left out.
    pub const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self {
            name,
            kind,
            is_required: false,
            about,
            is_prose: false,
        }
    }

    /// An argument that a call must have.
    pub const fn required(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self {
            name,
            kind,
            is_required: true,
            about,
            is_prose: false,
        }
    }

    /// The same argument, of text that somebody wrote.
    #[must_use]
    pub const fn prose(self) -> Self {
        Self {
            is_prose: true,
            ..self
        }
    }

    /// Its JSON Schema.
    pub fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text { .. } | Kind::Line { .. } | Kind::Ref | Kind::Commit | Kind::Path => {
                json!({"type": "string"})
            }
            // A bound that nobody meets on purpose is enforced, and not worth its bytes in each list of tools.
            Kind::Whole { max, .. } if max > FAR => json!({"type": "integer"}),
            Kind::Whole { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
            Kind::OneOf(words) => json!({"type": "string", "enum": words}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::PullRequest => json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            Kind::People => json!({"type": "array", "items": {"type": "string"}}),
        };
        if !self.about.is_empty() {
            schema["description"] = json!(self.about);
        }
        schema
    }

    /// Whether a value is what [`Input`] would keep of it. An address is not: a number is kept of it.
    pub fn accepts_as_it_is(&self, value: &Value) -> bool {
        let is_address = value.as_str().is_some_and(|text| text.contains("://"));
        let names_place = matches!(self.kind, Kind::PullRequest)
            || [PROJECT.name, REPO.name].contains(&self.name);
        !(is_address && names_place) && self.take(value.clone()).as_ref() == Some(value)
    }

    /// What it accepts, in words that follow "it is".
    fn accepts(&self) -> String {
        match self.kind {
            Kind::Text { max_chars } => format!("a text of at most {max_chars} characters"),
            Kind::Line { max_chars } => {
                format!(
                    "one line of at most {max_chars} characters, none of them a control character"
                )
            }
            Kind::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Kind::OneOf(words) => format!("one of {}", words.join(", ")),
            Kind::Flag => "true or false".to_owned(),
            Kind::PullRequest => "a pull request's number, such as 42, or its address".to_owned(),
            Kind::Ref => "the name of a branch or tag, or a commit's id, without `..` and with something before and after \
                 each `/`"
                    .to_owned(),
            Kind::Commit => {
                "a commit's id, 4 to 64 hex digits (resolve_ref has that of a branch or tag)"
                    .to_owned()
            }
            Kind::Path => {
                "a path from the top of the repository, such as docs/start.md, without `..`"
                    .to_owned()
            }
            Kind::People => {
                format!("a list of at most {MAX_PEOPLE} user names (search_users finds them)")
            }
        }
    }

    /// What was given instead; of a list, which entry is wrong.
    fn found(&self, value: &Value) -> String {
        match (self.kind, value) {
            (Kind::People, Value::Array(all)) => {
                match all.iter().position(|one| person(one).is_none()) {
                    Some(at) => format!("a list whose entry {} is {}", at + 1, described(&all[at])),
                    None => format!("a list of {}", all.len()),
                }
            }
            _ => described(value),
        }
    }

    /// Brings a value into the one form that [`Input`] keeps; `None` if it is not accepted.
    fn take(&self, value: Value) -> Option<Value> {
        match (self.kind, value) {
            (Kind::Text { max_chars }, Value::String(text)) => {
                (text.chars().count() <= max_chars).then_some(Value::String(text))
            }
            (Kind::Line { max_chars }, Value::String(text)) => {
                let line = text.trim();
                let is_line = !line.chars().any(char::is_control);
                (is_line && line.chars().count() <= max_chars).then(|| line.into())
            }
            (Kind::Whole { min, max }, Value::Number(number)) => whole(&number)
                .filter(|n| (min..=max).contains(n))
                .map(Value::from),
            (Kind::OneOf(words), Value::String(word)) => words
                .iter()
                .find(|known| known.eq_ignore_ascii_case(word.trim()))
                .map(|known| Value::from(*known)),
            (Kind::Flag, value @ Value::Bool(_)) => Some(value),
            // Read with the target, since an address tells more than a number.
            (Kind::PullRequest, value @ (Value::Number(_) | Value::String(_))) => Some(value),
            (Kind::Ref, Value::String(name)) => is_ref(name.trim()).then(|| name.trim().into()),
            (Kind::Commit, Value::String(id)) => {
                is_commit(id.trim()).then(|| id.trim().to_ascii_lowercase().into())
            }
            (Kind::Path, Value::String(path)) => {
                is_path(&path).then(|| path.trim_matches('/').into())
            }
            (Kind::People, value) => people(value),
            _ => None,
        }
    }
}

/// Names, each once; `name (display name)`, as answers tell people, is a name too.
fn people(value: Value) -> Option<Value> {
    let given = match value {
        Value::Array(list) => list,
        one @ Value::String(_) => vec![one],
        _ => return None,
    };
    let mut names: Vec<String> = Vec::new();
    for one in &given {
        let name = person(one)?;
        if !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            names.push(name.to_owned());
        }
    }
    (names.len() <= MAX_PEOPLE).then(|| names.into())
}

fn person(one: &Value) -> Option<&str> {
    let one = one.as_str()?;
    let name = one.split_once(" (").map_or(one, |(name, _)| name).trim();
    let is_name = !name.is_empty() && name.chars().count() <= 255;
    (is_name && !name.chars().any(char::is_control)).then_some(name)
}

/// A range is no name, and what no name can hold might mean something to git.
/// A piece that vanishes would lead to another name than the one that is given.
fn is_ref(name: &str) -> bool {
    let is_short = name.chars().count() <= MAX_REF_CHARS;
    let is_whole = name.is_empty() || name.split('/').all(|piece| !matches!(piece, "" | "."));
    is_short && is_whole && !name.contains("..") && !name.chars().any(char::is_control)
}

fn is_commit(id: &str) -> bool {
    (4..=64).contains(&id.len()) && id.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// A piece that climbs or vanishes would lead to another place than the one that is named.
fn is_path(path: &str) -> bool {
    let pieces = path.trim_matches('/').split('/');
    let is_short = path.chars().count() <= MAX_PATH_CHARS;
    let is_top = path.trim_matches('/').is_empty();
    is_short
        && !path.contains('\0')
        && (is_top
            || pieces
                .into_iter()
                .all(|piece| !matches!(piece, "" | "." | "..")))
}

/// What a tool is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing in particular: no argument names a project or a repository.
    Nothing,
    /// A repository, or everything that the person can see.
    MaybeRepository,
    /// A repository, a project, or everything that the person can see.
    MaybeProject,
    /// A repository.
    Repository,
    /// A pull request.
    PullRequest,
}

const PROJECT: Arg = Arg::optional("project", Kind::Text { max_chars: 128 }, "");
const REPO: Arg = Arg::optional("repo", Kind::Text { max_chars: 2048 }, "");
const ID: Arg = Arg::required("id", Kind::PullRequest, "");

impl Target {
    /// The arguments that name it. `project` and `repo` may always be told by another: `KEY/slug`, an address.
    pub fn args(self) -> &'static [Arg] {
        match self {
            Self::Nothing => &[],
            Self::MaybeRepository | Self::MaybeProject | Self::Repository => &[PROJECT, REPO],
            Self::PullRequest => &[PROJECT, REPO, ID],
        }
    }
}

/// The arguments of one call, read and checked.
#[derive(Clone, Debug, Default)]
pub struct Input {
    values: Map<String, Value>,
    project: Option<String>,
    repository: Option<RepositoryId>,
    number: Option<u64>,
}

impl Input {
    /// Reads what came against what a tool takes.
    ///
    /// # Errors
    /// Every problem, a phrase each: what is missing, unknown, of the wrong type or out of range. Past the first twenty
    /// they are counted in one more.
    pub fn read(
        given: Map<String, Value>,
        target: Target,
        args: &[Arg],
        base: &BaseUrl,
    ) -> Result<Self, Vec<String>> {
        let known: Vec<&Arg> = target.args().iter().chain(args).collect();
        let mut problems = Problems::default();
        let mut values = Map::new();
        for (name, value) in given {
            let Some(arg) = known.iter().find(|arg| arg.name == name) else {
                problems.add(|| unknown(&name, &known));
                continue;
            };
            if value.is_null() {
                continue;
            }
            let found = arg.found(&value);
            match arg.take(value) {
                Some(value) => {
                    values.insert(name, value);
                }
                None => {
                    problems.add(|| format!("`{name}` is {found}: it must be {}", arg.accepts()));
                }
            }
        }
        let (project, repository, number) = match place(&mut values, base) {
            Ok(place) => place,
            Err(problem) => {
                problems.add(|| problem);
                (None, None, None)
            }
        };
        let is_placed = problems.is_empty();
        let needs_repository = matches!(target, Target::Repository | Target::PullRequest);
        // A blank text names nothing.
        let is_given = |name: &str| match values.get(name) {
            Some(Value::String(text)) => !text.trim().is_empty(),
            other => other.is_some(),
        };
        let mut missing = |name: &str, accepted: &str| {
            if is_placed && !is_given(name) {
                problems.add(|| format!("`{name}` is missing: it must be {accepted}"));
            }
        };
        if needs_repository && repository.is_none() {
            missing(
                "project",
                "a project's key, such as ACME, or ~user for a personal one",
            );
            missing("repo", "a repository's slug, such as rocket");
        }
        for arg in known.iter().filter(|arg| arg.is_required) {
            missing(arg.name, &arg.accepts());
        }
        if target == Target::MaybeRepository && repository.is_none() && is_placed {
            if is_given("project") {
                missing(
                    "repo",
                    "a repository's slug beside `project`, or leave out both",
                );
            } else if is_given("repo") {
                missing(
                    "project",
                    "a project's key beside `repo`, or leave out both",
                );
            }
        }
        if target == Target::MaybeProject && repository.is_none() && is_given("repo") {
            missing(
                "project",
                "a project's key beside `repo`, or leave out both",
            );
        }
        if problems.is_empty() {
            // However the place was told, the final arguments tell it in one way.
            if let (Some(project), true) = (&project, target != Target::Nothing) {
                values.insert("project".to_owned(), json!(project));
            }
            if let (Some(repository), true) = (&repository, target != Target::Nothing) {
                values.insert("repo".to_owned(), json!(repository.slug));
            }
            Ok(Self {
                values,
                project,
                repository,
                number,
            })
        } else {
            Err(problems.end())
        }
    }

    /// Everything that was given, each in its one spelling.
    pub fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// A text or a word; `None` if it was not given or is blank.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values
            .get(name)
            .and_then(Value::as_str)
            .filter(|text| !text.trim().is_empty())
    }

    /// A text as it was given, blank or not; `None` if it was not given.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.values.get(name).and_then(Value::as_str)
    }

    /// People's names; none if it was not given.
    pub fn people(&self, name: &str) -> Vec<&str> {
        self.values
            .get(name)
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default()
    }

    /// A whole number.
    pub fn whole(&self, name: &str) -> Option<u64> {
        self.values.get(name).and_then(Value::as_u64)
    }

    /// [`Arg::START`], or 0.
    pub fn start(&self) -> u64 {
        self.whole("start").unwrap_or(0)
    }

    /// [`Arg::LIMIT`], or its default.
    pub fn limit(&self) -> usize {
        self.whole("limit")
            .and_then(|limit| usize::try_from(limit).ok())
            .unwrap_or(DEFAULT_LIMIT)
    }

    /// A flag.
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.values.get(name).and_then(Value::as_bool)
    }

    /// The project, if one was named, in one spelling.
    pub fn project(&self) -> Option<&str> {
        self.project.as_deref()
    }

    /// The repository, if one was named.
    pub fn repository(&self) -> Option<&RepositoryId> {
        self.repository.as_ref()
    }

    /// The pull request, if one was named: always, for a tool whose target is one.
    pub fn pull_request(&self) -> Option<PullRequestId> {
        Some(PullRequestId {
            repository: self.repository.clone()?,
            number: self.number?,
        })
    }
}

/// A project, a repository in it, a pull request there.
type Place = (Option<String>, Option<RepositoryId>, Option<u64>);

/// What `project`, `repo` and `id` name together, whichever of them tells it.
fn place(values: &mut Map<String, Value>, base: &BaseUrl) -> Result<Place, String> {
    let text = |name: &str| {
        values
            .get(name)
            .and_then(Value::as_str)
            .map(str::trim)
            .unwrap_or_default()
    };
    let mut found = Given {
        project: match text("project") {
            "" => None,
            key => Some(project_key(key).map_err(|why| format!("`project`: {why}"))?),
        },
        ..Given::default()
    };
    match text("repo") {
        "" => {}
        repo if repo.contains('/') => {
            let given = Given::read(repo, base).map_err(|why| format!("`repo`: {why}"))?;
            join(&mut found, given, "repo")?;
        }
        slug => found.repo = Some(slug.to_owned()),
    }
    match values.get("id") {
        None => {}
        Some(Value::Number(number)) => found.id = Some(positive(whole(number))?),
        Some(id) => {
            let id = id.as_str().unwrap_or_default().trim();
            if id.contains('/') {
                let given = Given::read(id, base).map_err(|why| format!("`id`: {why}"))?;
                if given.id.is_none() {
                    return Err("`id`: the address names no pull request".to_owned());
                }
                join(&mut found, given, "id")?;
            } else {
                found.id = Some(positive(id.trim_start_matches('#').parse().ok())?);
            }
        }
    }
    let number = found.id;
    if let Some(number) = number {
        values.insert("id".to_owned(), Value::from(number));
    }
    let project = found.project.clone();
    let repository = match (found.project, found.repo) {
        (Some(project), Some(slug)) => Some(RepositoryId { project, slug }),
        _ => None,
    };
    Ok((project, repository, number))
}

fn positive(number: Option<u64>) -> Result<u64, String> {
    number.filter(|number| *number > 0).ok_or_else(|| {
        "`id` must be a pull request's number, such as 42, or its address".to_owned()
    })
}

/// Adds what `by` tells, unless another argument says otherwise.
fn join(found: &mut Given, given: Given, by: &str) -> Result<(), String> {
    let differs = |one: &Option<String>, other: &Option<String>| match (one, other) {
        (Some(one), Some(other)) => !one.eq_ignore_ascii_case(other),
        _ => false,
    };
    if differs(&found.project, &given.project) {
        return Err(format!(
            "`{by}` names another project than `project`: give one of them"
        ));
    }
    if differs(&found.repo, &given.repo) {
        return Err(format!(
            "`{by}` names another repository than `repo`: give one of them"
        ));
    }
    if given.id.is_some() && found.id.is_some() && given.id != found.id {
        return Err(format!(
            "`{by}` names another pull request than `id`: give one of them"
        ));
    }
    found.project = given.project.or(found.project.take());
    found.repo = given.repo.or(found.repo.take());
    found.id = given.id.or(found.id.take());
    Ok(())
}

fn whole(number: &serde_json::Number) -> Option<u64> {
    // Some clients write every number with a fraction.
    number.as_u64().or_else(|| {
        let float = number.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0)?;
        format!("{float:.0}").parse().ok()
    })
}

mod phrases;

#[cfg(test)]
mod tests;
