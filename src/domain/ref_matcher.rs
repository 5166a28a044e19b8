//! Which branches a rule of Bitbucket is about.
//!
//! Says `None` rather than guess: a matcher that bb does not know as Bitbucket does decides nothing. Start reading at
//! [`RefMatcher::matches`].
//!
//! Source: "Branch permission patterns" of Bitbucket Data Center, whose engine decides required builds too. Letter
//! case is read as Bitbucket's default reads it (`plugin.bitbucket-ref-restriction.case.insensitive=true`, a setting
//! of a file on the server that REST does not tell).

/// Tells whether a branch is meant. Branches are full names, such as `refs/heads/main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefMatcher {
    /// Every branch.
    Any,
    /// One branch, by its full name or its short one, whatever the letter case.
    Branch(String),
    /// What [`matches_pattern`] says, whatever the letter case.
    Pattern(String),
    /// The branch model's branch for development, in its own letter case.
    Development,
    /// The branch model's branch for production, in its own letter case.
    Production,
    /// Every branch that begins with a category's prefix, in its own letter case. The category's id, such as `HOTFIX`.
    Category(String),
    /// The repository's default branch.
    DefaultBranch,
    /// A matcher that bb does not know.
    Unknown,
}

/// What a repository says of its branches. A part that could not be read is `None`, and then nothing that needs it
/// can be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// The branch model.
    pub model: Option<BranchModel>,
    /// The full name of the default branch.
    pub default: Option<String>,
}

/// Which branches are for what, as the repository's settings say. A part that is not configured is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchModel {
    /// The full name of the branch that work begins at.
    pub development: Option<String>,
    /// The full name of the branch that is released.
    pub production: Option<String>,
    /// The enabled categories: id and prefix, such as `HOTFIX` and `hotfix/`.
    pub categories: Vec<(String, String)>,
}

impl RefMatcher {
    /// Whether `branch` is meant; `None` where bb cannot tell as Bitbucket would.
    pub fn matches(&self, branch: &str, branches: &Branches) -> Option<bool> {
        let is = |configured: &Option<String>| configured.as_deref() == Some(branch);
        match self {
            Self::Any => Some(true),
            Self::Branch(name) => Some(is_named(branch, name)),
            Self::Pattern(pattern) => matches_pattern(pattern, branch),
            Self::Development => branches.model.as_ref().map(|model| is(&model.development)),
            Self::Production => branches.model.as_ref().map(|model| is(&model.production)),
            Self::Category(id) => {
                let model = branches.model.as_ref()?;
                let short = branch.strip_prefix("refs/heads/").unwrap_or(branch);
                let mut categories = model.categories.iter();
                Some(categories.any(|(known, prefix)| known == id && short.starts_with(prefix)))
            }
            Self::DefaultBranch => branches.default.as_deref().map(|name| name == branch),
            Self::Unknown => None,
        }
    }

    /// Whether telling needs the branch model.
    pub fn needs_model(&self) -> bool {
        matches!(
            self,
            Self::Development | Self::Production | Self::Category(_)
        )
    }

    /// Whether telling needs the default branch.
    pub fn needs_default(&self) -> bool {
        *self == Self::DefaultBranch
    }
}

/// Whether a full name is the one that `name` gives whole, below `refs/`, or below `refs/heads/`.
fn is_named(branch: &str, name: &str) -> bool {
    let (branch, name) = (branch.to_lowercase(), name.to_lowercase());
    ["", "refs/", "refs/heads/"]
        .iter()
        .any(|above| branch.strip_prefix(above) == Some(&name))
}

/// Whether a full name, or what of it begins after any slash, fits a pattern: `?` is one sign, `*` any number of
/// them, neither a slash; `**` is any number of whole segments; a slash at the end means all that is below.
/// `None` for what Bitbucket's engine may read in a way of its own: braces, and empty segments.
pub fn matches_pattern(pattern: &str, branch: &str) -> Option<bool> {
    let (pattern, branch) = (pattern.to_lowercase(), branch.to_lowercase());
    let (whole, is_folder) = match pattern.strip_suffix('/') {
        Some(above) => (above, true),
        None => (pattern.as_str(), false),
    };
    let mut wanted: Vec<&str> = vec!["**"];
    wanted.extend(whole.split('/'));
    if is_folder {
        wanted.push("**");
    }
    if pattern.contains(['{', '}']) || wanted.contains(&"") {
        return None;
    }
    let found: Vec<&str> = branch.split('/').collect();
    Some(fits(
        &wanted,
        &found,
        |wanted| *wanted == "**",
        |wanted, found| {
            let signs: (Vec<char>, Vec<char>) = (wanted.chars().collect(), found.chars().collect());
            fits(
                &signs.0,
                &signs.1,
                |sign| *sign == '*',
                |wanted, found| *wanted == '?' || wanted == found,
            )
        },
    ))
}

/// Whether `found` fits `wanted`, where some pieces of `wanted` stand for any number of pieces. In time that grows
/// with the product of the two, for a pattern is somebody's text.
fn fits<T>(
    wanted: &[T],
    found: &[T],
    is_any: impl Fn(&T) -> bool,
    is_one: impl Fn(&T, &T) -> bool,
) -> bool {
    // Which first parts of `found` fit the pieces of `wanted` so far.
    let mut reached = vec![false; found.len() + 1];
    reached[0] = true;
    for piece in wanted {
        if is_any(piece) {
            let first = reached.iter().position(|is| *is).unwrap_or(reached.len());
            reached.iter_mut().skip(first).for_each(|is| *is = true);
        } else {
            for at in (0..found.len()).rev() {
                reached[at + 1] = reached[at] && is_one(piece, &found[at]);
            }
            reached[0] = false;
        }
    }
    reached[found.len()]
}

#[cfg(test)]
mod tests;
