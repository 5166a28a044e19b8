//! What the tools that write share: what they answer, how a refusal is told.
//!
//! Never writes itself. Start reading at [`pull_request`].

use crate::bitbucket::error::{ApiError, Fault};
use crate::clean;
use crate::domain::pull_request::{PullRequest, State};
use crate::domain::repository::PullRequestId;
use crate::tool::answer::Answer;
use crate::tool::args::{Arg, Kind};
use crate::tool::outcome::{Outcome, Problem};
use crate::tool::source;
pub(super) use crate::tool::source::branch_id;
use crate::tool::{Call, NotWritten, ToolError};
use crate::tools::shapes;
use crate::words;
use serde_json::{Value, json};

/// No text of Bitbucket's is longer.
pub(super) const TEXT: Kind = source::DESCRIPTION;

/// The argument of a merge strategy.
pub(super) const STRATEGY: Arg = Arg::optional(
    "strategy",
    Kind::Text { max_chars: 64 },
    "no-ff, squash, ... as the repository allows; default: its own",
);

/// The most vetoes, people who cannot review, and merge strategies that are named; the rest is counted.
const MAX_VETOES: usize = 10;
const MAX_REVIEWERS: usize = 20;
const MAX_STRATEGIES: usize = 10;
/// The most characters of a title.
const MAX_TITLE_CHARS: usize = 120;

/// The pull request that a call is about.
pub(super) fn target(call: &Call) -> Result<PullRequestId, ToolError> {
    let missing = || ToolError::Arguments(vec!["`id` is missing".to_owned()]);
    call.input.pull_request().ok_or_else(missing)
}

/// A pull request as it is after a write; `notes` say what else there is to know.
pub(super) fn pull_request(call: &Call, one: &PullRequest, notes: &[String]) -> Answer {
    pull_request_with(call, one, notes, json!({}), Vec::new())
}

/// The same with more members, and with what was not done besides.
pub(super) fn pull_request_with(
    call: &Call,
    one: &PullRequest,
    notes: &[String],
    more: Value,
    errors: Vec<Problem>,
) -> Answer {
    let page = call.bitbucket.page_of(&one.id);
    let url = call.bitbucket.base().page_or(one.page.as_ref(), page);
    let reviewers: Vec<Value> = one
        .reviewers
        .iter()
        .map(|reviewer| shapes::reviewer(reviewer, &one.source.latest_commit))
        .collect();
    let mut notes = notes.to_vec();
    notes.extend(errors.iter().map(|problem| problem.message.clone()));
    let mut value = json!({
        "id": one.id.number,
        "version": one.version,
        "title": one.title,
        "state": one.state.word(),
        "draft": Some(true).filter(|_| one.is_draft),
        "repository": one.id.repository.to_string(),
        "fromRef": shapes::branch(&one.source, &one.id.repository, true),
        "toRef": shapes::branch(&one.target, &one.id.repository, false),
        "reviewers": Some(reviewers).filter(|list| !list.is_empty()),
        "url": url,
        "note": Some(notes.join("; ")).filter(|note| !note.is_empty()),
    });
    if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
        value.extend(more);
    }
    Answer::one(value).with_outcome(Outcome {
        is_done: true,
        id: Some(one.id.number),
        url: Some(url.clone()),
        version: one.version,
        errors,
    })
}

/// The schema of what [`pull_request`] answers, with more members.
pub(super) fn pull_request_schema(more: Value) -> Value {
    let text = json!({"type": "string"});
    let mut properties = json!({
        "id": {"type": "integer"}, "version": {"type": "integer"}, "title": text, "state": text,
        "draft": {"type": "boolean"}, "repository": text,
        "fromRef": shapes::branch_schema(), "toRef": shapes::branch_schema(),
        "reviewers": {"type": "array", "items": shapes::object(json!({
            "user": text, "status": text, "lastReviewedCommit": text,
        }))},
        "url": text, "note": text,
    });
    if let (Value::Object(properties), Value::Object(more)) = (&mut properties, more) {
        properties.extend(more);
    }
    shapes::object(properties)
}

/// A write that was not done, about one argument or about none.
pub(super) fn refused(field: Option<&str>, phrase: impl Into<String>) -> ToolError {
    let phrase = phrase.into();
    let problem = Problem {
        field: field.map(str::to_owned),
        message: phrase.clone(),
    };
    ToolError::NotWritten(Box::new(NotWritten {
        phrase,
        outcome: Outcome::failed(vec![problem]),
    }))
}

/// Reads a pull request to write to it: it must be open, and at the version that the person was shown, if one was.
pub(super) fn open_to_write(call: &Call, what: &str) -> Result<PullRequest, ToolError> {
    let one = as_shown(call, what)?;
    match &one.state {
        State::Merged | State::Declined => Err(refused(
            None,
            format!(
                "cannot {what} {}: it is {}, and only an open pull request can be; nothing was changed",
                one.id,
                one.state.word()
            ),
        )),
        State::Open | State::Other(_) => Ok(one),
    }
}

/// Reads a pull request, which must be at the version that the person was shown, if one was.
pub(super) fn as_shown(call: &Call, what: &str) -> Result<PullRequest, ToolError> {
    let id = target(call)?;
    let one = call.bitbucket.pull_request(&id, call.cancel)?;
    match (call.shown, one.version) {
        (Some(shown), Some(version)) if shown != version => Err(refused(
            None,
            format!(
                "cannot {what} {id}: the person agreed to version {shown}, and it is at version {version} now; \
                 nothing was changed: read it again with get_pull_request, then call again"
            ),
        )),
        _ => Ok(one),
    }
}

/// The version of a pull request, which Bitbucket wants back with a write.
pub(super) fn version(one: &PullRequest) -> Result<i64, ToolError> {
    one.version.ok_or_else(|| {
        refused(
            None,
            format!(
                "cannot change {}: Bitbucket does not tell its version, without which it takes no change",
                one.id
            ),
        )
    })
}

/// Tells why Bitbucket did not write: what moved, what vetoes, who cannot review, what is there already.
pub(super) fn told(error: ApiError) -> ToolError {
    if error.may_have_happened() {
        return ToolError::Api(error);
    }
    let Some(said) = error.said() else {
        return ToolError::Api(error);
    };
    let mut outcome = Outcome::of_error(&error);
    let mut phrase = error.to_string();
    for raw in said.raw() {
        if let Some(more) = reviewers(raw, &mut outcome) {
            phrase.push_str(&more);
        } else if let Some(more) = existing(raw, &mut outcome) {
            phrase.push_str(&more);
        } else if let Some(more) = moved(raw).or_else(|| vetoes(raw)) {
            phrase.push_str(&more);
            outcome.errors = vec![Problem::general(phrase.clone())];
        }
    }
    if error.fault() == Fault::Conflict {
        phrase.push_str("; nothing was changed");
    }
    ToolError::NotWritten(Box::new(NotWritten { phrase, outcome }))
}

/// The same; a branch that is not there, at the argument that names it. `ends`: arguments, and full names of branches.
pub(super) fn told_at(error: ApiError, ends: &[(&str, &str)]) -> ToolError {
    let is_missing = error.fault() == Fault::NotFound;
    let mut told = told(error);
    if let (true, ToolError::NotWritten(not)) = (is_missing, &mut told) {
        for problem in not
            .outcome
            .errors
            .iter_mut()
            .filter(|one| one.field.is_none())
        {
            let said = &problem.message;
            let is_named = |name: &str| {
                let short = name.strip_prefix("refs/heads/").unwrap_or(name);
                let quoted = ['"', '\'', '`'].map(|quote| format!("{quote}{short}{quote}"));
                said.contains(name) || quoted.iter().any(|short| said.contains(short))
            };
            let named = ends.iter().filter(|(_, name)| is_named(name));
            // The longer one, since a name may begin with the other.
            let field = named.max_by_key(|(_, name)| name.len());
            problem.field = field.map(|(field, _)| (*field).to_owned());
        }
    }
    told
}

/// Which version there is, and which was sent.
fn moved(raw: &Value) -> Option<String> {
    let current = raw.get("currentVersion")?.as_i64()?;
    let sent = match raw.get("expectedVersion").and_then(Value::as_i64) {
        Some(expected) if expected >= 0 => format!(", and {expected} was sent"),
        _ => String::new(),
    };
    Some(format!(
        "; it is at version {current} now{sent}: somebody changed it meanwhile, so read it again and call again \
         if it still holds"
    ))
}

fn vetoes(raw: &Value) -> Option<String> {
    let detail = |veto: &Value| {
        let text = clean::line(veto.get("detailedMessage")?.as_str()?, 300);
        Some(text).filter(|text| !text.is_empty())
    };
    let vetoes = raw.get("vetoes").and_then(Value::as_array);
    let details: Vec<String> = vetoes
        .map(|vetoes| vetoes.iter().filter_map(detail).collect())
        .unwrap_or_default();
    let is_conflicted = raw.get("conflicted").and_then(Value::as_bool) == Some(true);
    let mut more = String::new();
    if !details.is_empty() {
        more.push_str(&format!(
            "; vetoed: {}",
            words::some(&details, MAX_VETOES, " / ")
        ));
    }
    if is_conflicted {
        more.push_str(
            "; the branches conflict: merge the target into the source and resolve that, then push",
        );
    }
    Some(more).filter(|more| !more.is_empty())
}

/// Who cannot be a reviewer is what the form shows at that field.
fn reviewers(raw: &Value, outcome: &mut Outcome) -> Option<String> {
    let errors = raw.get("reviewerErrors")?.as_array()?;
    let problem = |error: &Value| {
        let text = |key: &str| Some(clean::line(error.get(key)?.as_str()?, 200));
        let who = text("context").unwrap_or_default();
        let why = text("message").unwrap_or_default();
        Some(match why.contains(&who) {
            true => why,
            false => format!("{who}: {why}"),
        })
        .filter(|said| !said.is_empty())
    };
    let said: Vec<String> = errors.iter().filter_map(problem).collect();
    outcome.errors = said
        .iter()
        .take(MAX_REVIEWERS)
        .map(|said| Problem::of("reviewers", said.clone()))
        .collect();
    if let more @ 1.. = said.len().saturating_sub(MAX_REVIEWERS) {
        outcome
            .errors
            .push(Problem::of("reviewers", format!("and {more} more")));
    }
    Some(format!(
        "; not reviewers: {}; search_users finds names, and who can no longer review can be named in \
         remove_reviewers",
        words::some(&said, MAX_REVIEWERS, " / ")
    ))
}

/// The way to the pull request that is there already.
fn existing(raw: &Value, outcome: &mut Outcome) -> Option<String> {
    let one = raw.get("existingPullRequest")?;
    let id = one.get("id")?.as_u64()?;
    let url = one
        .pointer("/links/self/0/href")
        .and_then(Value::as_str)
        .map(|url| clean::line(url, 500));
    let title = one.get("title").and_then(Value::as_str).unwrap_or_default();
    outcome.id = Some(id);
    outcome.url.clone_from(&url);
    Some(format!(
        "; it is pull request {id} \"{}\"{}: update_pull_request changes it",
        clean::line(title, MAX_TITLE_CHARS),
        url.map(|url| format!(", {url}")).unwrap_or_default(),
    ))
}

/// Refuses a strategy that the repository does not allow, naming those that it does. Where Bitbucket does not tell
/// them, it decides itself.
pub(super) fn check_strategy(call: &Call, one: &PullRequest) -> Result<(), ToolError> {
    let Some(wanted) = call.input.text("strategy") else {
        return Ok(());
    };
    let known = call
        .bitbucket
        .merge_strategies(&one.id.repository, call.cancel)
        .unwrap_or_default();
    let enabled: Vec<String> = known
        .iter()
        .filter(|strategy| strategy.is_enabled)
        .map(|strategy| clean::line(&strategy.id, 64))
        .collect();
    let is_allowed = |id: &str| known.iter().any(|one| one.is_enabled && one.id == id);
    if known.is_empty() || is_allowed(wanted) {
        return Ok(());
    }
    let wanted = clean::line(wanted, 64);
    Err(ToolError::Arguments(vec![format!(
        "`strategy` is \"{wanted}\": {} allows {}",
        one.id.repository,
        words::some(&enabled, MAX_STRATEGIES, ", ")
    )]))
}
