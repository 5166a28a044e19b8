//! What a call can touch, told as data so that a scope can bound it before anything is asked.
//!
//! Never decides: `catalog/scope.rs` does. A tool without a rule cannot be written. Start reading at [`Reach`].

/// Which repositories a call of a tool can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The one that `project`, `repo` and `id` name; everything where they name none.
    Target,
    /// The same, and the one that two more arguments name: a fork.
    TargetAnd {
        /// The argument that takes a project's key.
        project: &'static str,
        /// The argument that takes a slug, or `KEY/slug`.
        repo: &'static str,
    },
    /// All of the project that the argument `project` names; everything without it.
    Project,
    /// What `project` and `repo` name, a project or a repository of it, told to Bitbucket as a part of the query
    /// that this argument holds; everything where they name none.
    Query(&'static str),
}
