//! What a tool that writes came to, for the page: `_meta["bb/outcome"]`.
//!
//! Never read by the model, whose text says the same. Start reading at [`Outcome`].

use crate::bitbucket::error::ApiError;
use crate::clean;
use serde_json::{Value, json};

/// The member of a result's `_meta` that carries it.
pub const META: &str = "bb/outcome";

/// The most characters of one message.
const MAX_MESSAGE_CHARS: usize = 1_000;

/// Whether a write was done, and what there is now or why not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whether Bitbucket said that it was done. A write whose answer was lost is not done, and its error says that it
    /// may have happened.
    pub is_done: bool,
    /// The number of what was written: a pull request's, a comment's.
    pub id: Option<u64>,
    /// Its page.
    pub url: Option<String>,
    /// Its version now.
    pub version: Option<i64>,
    /// Why not, or what was not done with it.
    pub errors: Vec<Problem>,
}

/// One thing that stood in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The argument that it is about.
    pub field: Option<String>,
    /// The words.
    pub message: String,
}

impl Problem {
    /// A problem of no argument in particular.
    pub fn general(message: impl Into<String>) -> Self {
        Self {
            field: None,
            message: message.into(),
        }
    }

    /// A problem of one argument.
    pub fn of(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: Some(field.to_owned()),
            message: message.into(),
        }
    }
}

impl Outcome {
    /// Nothing was written, for these reasons.
    pub fn failed(errors: Vec<Problem>) -> Self {
        Self {
            errors,
            ..Self::default()
        }
    }

    /// What Bitbucket, or the way to it, did not do: its messages, each by its field, where it names fields, else the
    /// whole phrase.
    pub fn of_error(error: &ApiError) -> Self {
        let whole = || Self::failed(vec![Problem::general(error.to_string())]);
        let Some(said) = error.said().filter(|_| !error.may_have_happened()) else {
            return whole();
        };
        if said.list().iter().all(|one| one.context.is_none()) {
            return whole();
        }
        let mut problems: Vec<Problem> = said
            .list()
            .iter()
            .map(|one| Problem {
                field: one.context.clone(),
                message: one.message.clone(),
            })
            .collect();
        if let more @ 1.. = said.left_out() {
            problems.push(Problem::general(format!("and {more} more")));
        }
        Self::failed(problems)
    }

    /// Arguments that cannot be used: a phrase that begins with a name in backticks is about that argument.
    pub fn of_problems(problems: &[String]) -> Self {
        let problem = |phrase: &String| Problem {
            field: phrase
                .strip_prefix('`')
                .and_then(|rest| Some(rest.split_once('`')?.0.to_owned())),
            message: phrase.clone(),
        };
        Self::failed(problems.iter().map(problem).collect())
    }

    /// `{done, id?, url?, version?, errors?: [{field?, message}]}` (contract 3).
    pub fn json(&self) -> Value {
        let mut value = json!({"done": self.is_done});
        if let Some(id) = self.id {
            value["id"] = json!(id);
        }
        if let Some(url) = &self.url {
            value["url"] = json!(clean::line(url, MAX_MESSAGE_CHARS));
        }
        if let Some(version) = self.version {
            value["version"] = json!(version);
        }
        if !self.errors.is_empty() {
            value["errors"] = self.errors.iter().map(Problem::json).collect();
        }
        value
    }
}

impl Problem {
    fn json(&self) -> Value {
        let message = clean::line(&self.message, MAX_MESSAGE_CHARS);
        match &self.field {
            Some(field) => json!({"field": clean::line(field, 80), "message": message}),
            None => json!({"message": message}),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Problem};
    use crate::bitbucket::error::{ApiError, Messages, Why};
    use serde_json::json;

    #[test]
    fn what_bitbucket_says_of_no_field_stands_beside_what_it_says_of_one() {
        let errors: Vec<_> = (0..10)
            .map(|n| match n {
                0 => json!({"context": "title", "message": "Too long."}),
                _ => json!({"message": format!("{n}")}),
            })
            .collect();
        let body = json!({"errors": errors}).to_string();
        let said = Messages::read(body.as_bytes(), &str::to_owned).expect("errors");
        let error = ApiError::new("create it", Why::Conflict(said));
        let told = Outcome::of_error(&error).json()["errors"].clone();
        let told = told.as_array().expect("errors");
        assert_eq!(told[0], json!({"field": "title", "message": "Too long."}));
        assert_eq!(told[1], json!({"message": "1"}));
        assert_eq!(told.last(), Some(&json!({"message": "and 2 more"})));
    }

    #[test]
    fn an_outcome_names_the_field_of_each_problem_and_leaves_out_what_there_is_not() {
        assert_eq!(Outcome::default().json(), json!({"done": false}));
        let problems = ["`title` is missing".to_owned(), "no room".to_owned()];
        assert_eq!(
            Outcome::of_problems(&problems).json()["errors"],
            json!([{"field": "title", "message": "`title` is missing"}, {"message": "no room"}])
        );
        let hostile = Outcome::failed(vec![Problem::of("a\u{202e}b\n", "two\nlines\u{7}")]);
        let text = hostile.json().to_string();
        assert!(
            !text.contains('\u{202e}') && !text.contains("\\n"),
            "{text}"
        );
    }
}
