//! Where a pull request comes from: its source branch, in the target's repository or in a fork.
//!
//! Never asks Bitbucket. Start reading at [`repository`]; what creates one and the form of it share this.

use crate::bitbucket::address::{BaseUrl, Given, project_key};
use crate::domain::repository::RepositoryId;
use crate::tool::ToolError;
use crate::tool::args::{Input, Kind};
use crate::tool::reach::Reach;

/// The argument that takes the key of the source's project.
pub const PROJECT: &str = "source_project";
/// The argument that takes the slug of the source's repository, or `KEY/slug`.
pub const REPO: &str = "source_repo";

/// The most characters of a title that Bitbucket keeps.
pub const MAX_TITLE_CHARS: usize = 255;
/// The most characters of a description: no text of Bitbucket's is longer.
pub const MAX_DESCRIPTION_CHARS: usize = 32_768;

/// A title.
pub const TITLE: Kind = Kind::Line {
    max_chars: MAX_TITLE_CHARS,
};
/// A description.
pub const DESCRIPTION: Kind = Kind::Text {
    max_chars: MAX_DESCRIPTION_CHARS,
};

/// What a call can touch that names a source.
pub const REACH: Reach = Reach::TargetAnd {
    project: PROJECT,
    repo: REPO,
};

/// Where the source branch is: at `at`, or in a fork that `source_repo`, `source_project` or both name.
///
/// # Errors
/// An argument that names no repository.
pub fn repository(
    input: &Input,
    at: &RepositoryId,
    base: &BaseUrl,
) -> Result<RepositoryId, ToolError> {
    let wrong = |name: &str, why: String| ToolError::Arguments(vec![format!("`{name}`: {why}")]);
    let project = match input.text(PROJECT) {
        None => None,
        Some(key) => Some(project_key(key.trim()).map_err(|why| wrong(PROJECT, why))?),
    };
    let mut found = RepositoryId {
        project: project.clone().unwrap_or_else(|| at.project.clone()),
        slug: at.slug.clone(),
    };
    match input.text(REPO).map(str::trim) {
        None => {}
        Some(repo) if repo.contains('/') => {
            let given = Given::read(repo, base).map_err(|why| wrong(REPO, why))?;
            let (Some(key), Some(slug)) = (given.project, given.repo) else {
                let why = "it names no repository".to_owned();
                return Err(wrong(REPO, why));
            };
            if project.is_some_and(|project| !project.eq_ignore_ascii_case(&key)) {
                let why = "it names another project than `source_project`: give one of them";
                return Err(wrong(REPO, why.to_owned()));
            }
            found = RepositoryId { project: key, slug };
        }
        Some(slug) => slug.clone_into(&mut found.slug),
    }
    Ok(found)
}

/// The full name of a branch: what is below `refs/` already is one.
pub fn branch_id(name: &str) -> String {
    match name.starts_with("refs/") {
        true => name.to_owned(),
        false => format!("refs/heads/{name}"),
    }
}
