//! What somebody wants done before a pull request is merged.

use crate::domain::person::Person;

/// A comment with a box to tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The comment's id.
    pub id: u64,
    /// Markdown.
    pub text: String,
    /// Who wants it; absent where Bitbucket does not say.
    pub author: Option<Person>,
}
