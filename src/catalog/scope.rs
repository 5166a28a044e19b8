//! The projects and repositories that bb was started for: `--project`, `--repo`, `BB_SCOPE`.
//!
//! Decides on the final arguments of a call, before anything is asked. What Bitbucket would answer is never
//! filtered instead: a list that was read and then thinned has been read, and its counts still tell of the rest.
//! So the person's own pull requests, which Bitbucket lists across all repositories and cannot narrow, are refused
//! without a repository. Start reading at [`Scope::admits`].

use crate::bitbucket::address::{BaseUrl, Given, project_key};
use crate::clean;
use crate::domain::repository::RepositoryId;
use crate::tool::Tool;
use crate::tool::args::{Input, Target};
use crate::tool::reach::Reach;
use serde_json::{Map, Value};
use std::fmt;

/// What is within reach; without an entry, everything.
#[derive(Clone, Debug, Default)]
pub struct Scope(Vec<Entry>);

/// A project, or one repository of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// A key, or `~user`.
    pub project: String,
    /// One repository's slug, or all of the project.
    pub repo: Option<String>,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.project)?;
        match &self.repo {
            Some(slug) => write!(f, "/{slug}"),
            None => Ok(()),
        }
    }
}

/// Lists what is within reach: `ACME, FLEET/fleet`.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&entries.join(", "))
    }
}

impl Scope {
    /// What these entries hold together; none is everything.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Self {
        let spelled = |entry: Entry| Entry {
            project: project_key(&entry.project).unwrap_or(entry.project),
            ..entry
        };
        Self(entries.into_iter().map(spelled).collect())
    }

    /// The flag that keeps a tool from being offered; `None` if it is. A tool that reads whole projects has nothing
    /// to read where only repositories are within reach.
    pub fn withholds(&self, tool: &Tool) -> Option<&'static str> {
        let has_project = self.0.iter().any(|entry| entry.repo.is_none());
        let is_withheld = tool.reach == Reach::Project && !self.0.is_empty() && !has_project;
        is_withheld.then_some("--repo")
    }

    /// Writes into the arguments, as they came, the place that they leave out where only one is within reach.
    pub fn fill(&self, target: Target, reach: Reach, arguments: &mut Map<String, Value>) {
        let [home] = self.0.as_slice() else {
            return;
        };
        let text = |name: &str| match arguments.get(name) {
            None | Some(Value::Null) => Some(""),
            Some(Value::String(text)) => Some(text.trim()),
            Some(Value::Number(_)) if name == "id" => Some(""),
            // Of the wrong type: what reads the arguments says so.
            Some(_) => None,
        };
        let (Some(project), Some(repo), Some(id)) = (text("project"), text("repo"), text("id"))
        else {
            return;
        };
        // An address or `KEY/slug` tells the place itself.
        if repo.contains('/') || (target == Target::PullRequest && id.contains('/')) {
            return;
        }
        let is_home = project.is_empty()
            || project_key(project).is_ok_and(|key| is_same(&key, &home.project));
        let takes_repo = target != Target::Nothing;
        let needs_project = project.is_empty()
            && match target {
                Target::Nothing => reach == Reach::Project && home.repo.is_none(),
                // A project alone is no place for such a tool.
                Target::MaybeRepository => home.repo.is_some() || !repo.is_empty(),
                Target::MaybeProject | Target::Repository | Target::PullRequest => true,
            };
        let fills_repo = takes_repo && repo.is_empty() && is_home;
        if needs_project {
            arguments.insert("project".to_owned(), home.project.clone().into());
        }
        if let (true, Some(slug)) = (fills_repo, &home.repo) {
            arguments.insert("repo".to_owned(), slug.clone().into());
        }
    }

    /// Whether a call with these arguments stays within reach.
    ///
    /// # Errors
    /// What was asked for, and what is within reach: for the model.
    pub fn admits(&self, reach: Reach, input: &Input, base: &BaseUrl) -> Result<(), String> {
        if self.0.is_empty() {
            return Ok(());
        }
        let repository = input
            .repository()
            .map(|repository| (repository.project.as_str(), repository.slug.as_str()));
        let within = match (reach, repository) {
            (Reach::Project, _) => self.project(input.text("project")),
            (Reach::Query(argument), place) => {
                self.query(argument, input)?;
                match place {
                    Some((project, slug)) => self.repository(project, slug),
                    None => self.project(input.project()),
                }
            }
            (Reach::Target | Reach::TargetAnd { .. }, Some((project, slug))) => {
                self.repository(project, slug)
            }
            (Reach::Target | Reach::TargetAnd { .. }, None) => {
                Err("without `project` and `repo` it reads across all repositories".to_owned())
            }
        };
        within.map_err(|why| self.refusal(&why))?;
        if let (Reach::TargetAnd { project, repo }, Some((home, slug))) = (reach, repository) {
            self.fork(input.text(project), input.text(repo), (home, slug), base)
                .map_err(|why| self.refusal(&why))?;
        }
        Ok(())
    }

    /// Whether a call may list what lies across all projects.
    ///
    /// # Errors
    /// What is within reach: for whoever asked for `what`.
    pub fn admits_all(&self, what: &str) -> Result<(), String> {
        match self.0.is_empty() {
            true => Ok(()),
            false => Err(self.refusal(&format!("`{what}` lists repositories of all projects"))),
        }
    }

    /// Whether a repository is within reach. One that nobody names is so only where everything is.
    pub fn holds(&self, place: Option<&RepositoryId>) -> bool {
        let is_within = |place: &RepositoryId| self.repository(&place.project, &place.slug).is_ok();
        self.0.is_empty() || place.is_some_and(is_within)
    }

    fn refusal(&self, why: &str) -> String {
        format!("{why}; bb was started for {self} alone (--project, --repo or BB_SCOPE)")
    }

    fn repository(&self, project: &str, slug: &str) -> Result<(), String> {
        let holds = |entry: &Entry| {
            is_same(&entry.project, project)
                && entry.repo.as_deref().is_none_or(|repo| is_same(repo, slug))
        };
        match self.0.iter().any(holds) {
            true => Ok(()),
            false => Err(format!(
                "{}/{} is out of scope",
                clean::line(project, 80),
                clean::line(slug, 80)
            )),
        }
    }

    /// A whole project, its other repositories too.
    fn project(&self, asked: Option<&str>) -> Result<(), String> {
        let Some(asked) = asked else {
            return Err("without `project` it reads across all projects".to_owned());
        };
        let holds = |entry: &Entry| {
            entry.repo.is_none()
                && project_key(asked).is_ok_and(|key| is_same(&key, &entry.project))
        };
        match self.0.iter().any(holds) {
            true => Ok(()),
            false => Err(format!("all of {} is out of scope", clean::line(asked, 80))),
        }
    }

    /// The repository that a pull request comes from, whichever of its two arguments tells it.
    fn fork(
        &self,
        project: Option<&str>,
        repo: Option<&str>,
        (home, slug): (&str, &str),
        base: &BaseUrl,
    ) -> Result<(), String> {
        let key = match project {
            Some(key) => project_key(key)?,
            None => home.to_owned(),
        };
        match repo.map(str::trim) {
            Some(place) if place.contains('/') => {
                let given = Given::read(place, base)?;
                let (told, slug) = (
                    given.project.unwrap_or_default(),
                    given.repo.unwrap_or_default(),
                );
                self.repository(&told, &slug)?;
                // If both name a project, neither may lie outside, whichever the tool follows.
                match project {
                    Some(_) => self.repository(&key, &slug),
                    None => Ok(()),
                }
            }
            Some(slug) => self.repository(&key, slug),
            None => self.repository(&key, slug),
        }
    }

    /// The place is written into the query, so a query that names places of its own could lead out of it.
    fn query(&self, argument: &str, input: &Input) -> Result<(), String> {
        let lower = input.text(argument).unwrap_or_default().to_lowercase();
        let names = ["project:", "repo:", "repository:"];
        match names.into_iter().find(|name| lower.contains(name)) {
            None => Ok(()),
            Some(name) => Err(self.refusal(&format!(
                "`{argument}` has `{name}` in it: name the place by `project` and `repo` instead"
            ))),
        }
    }
}

/// Bitbucket finds keys and slugs whatever their case.
fn is_same(one: &str, other: &str) -> bool {
    one == other || one.to_lowercase() == other.to_lowercase()
}

#[cfg(test)]
mod tests;
