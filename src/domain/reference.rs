//! Names for commits: branches and tags.

/// A branch or a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The full name, such as `refs/heads/main` or `refs/tags/v1`.
    pub id: String,
    /// The short name, such as `main`; a branch and a tag may share one.
    pub display_id: String,
    /// The commit it points at, 40 hex digits. Empty where Bitbucket does not say.
    pub latest_commit: String,
    /// Whether it is the repository's default branch.
    pub is_default: bool,
    /// The id of an annotated tag itself; a lightweight tag and a branch have none.
    pub tag_object: Option<String>,
}
