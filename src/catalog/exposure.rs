//! Which tools are offered: `--tools`, `--exclude`, `--read-only`, and the scope.
//!
//! What is excluded wins over what is named. Start reading at [`Exposure::new`].

use crate::catalog::scope::Scope;
use crate::near;
use crate::tool::{Group, Tool};
use std::fmt;

/// What the settings leave of the catalogue.
#[derive(Clone, Debug, Default)]
pub struct Exposure {
    /// Names and groups; `None` is everything.
    named: Option<Vec<String>>,
    excluded: Vec<String>,
    is_read_only: bool,
    scope: Scope,
}

/// The setting that withholds a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Withheld {
    /// It is named there.
    Exclude,
    /// It writes.
    ReadOnly,
    /// It is not named there.
    Tools,
    /// The flag of the scope that leaves it nothing to do.
    Scope(&'static str),
}

/// The flag.
impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exclude => "--exclude",
            Self::ReadOnly => "--read-only",
            Self::Tools => "--tools",
            Self::Scope(flag) => flag,
        })
    }
}

impl Exposure {
    /// Reads names of tools and groups; an empty `named` is everything.
    ///
    /// # Errors
    /// A phrase for each name that neither a tool nor a group has, with the near ones.
    pub fn new(
        named: &[String],
        excluded: &[String],
        is_read_only: bool,
        tools: &[&Tool],
    ) -> Result<Self, Vec<String>> {
        let groups = [
            Group::PullRequests,
            Group::Builds,
            Group::Repositories,
            Group::Commits,
        ];
        let known: Vec<&str> = tools
            .iter()
            .map(|tool| tool.name)
            .chain(groups.into_iter().map(Group::name))
            .collect();
        let problems: Vec<String> = [("--tools", named), ("--exclude", excluded)]
            .into_iter()
            .flat_map(|(flag, names)| names.iter().map(move |name| (flag, name)))
            .filter(|(_, name)| !known.contains(&name.as_str()))
            .map(|(flag, name)| {
                format!(
                    "{flag} names `{name}`, which is neither a tool nor a group{}",
                    near::hint(name, known.iter().copied())
                )
            })
            .collect();
        if problems.is_empty() {
            Ok(Self {
                named: Some(named.to_vec()).filter(|names| !names.is_empty()),
                excluded: excluded.to_vec(),
                is_read_only,
                scope: Scope::default(),
            })
        } else {
            Err(problems)
        }
    }

    /// The same, within a scope.
    #[must_use]
    pub fn within(self, scope: Scope) -> Self {
        Self { scope, ..self }
    }

    /// What is within reach of the tools that are offered.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// What keeps a tool from being offered; `None` if it is.
    pub fn withholds(&self, tool: &Tool) -> Option<Withheld> {
        let is_in = |names: &[String]| {
            names
                .iter()
                .any(|name| name == tool.name || name == tool.group.name())
        };
        if is_in(&self.excluded) {
            Some(Withheld::Exclude)
        } else if self.is_read_only && !tool.effect.is_reading() {
            Some(Withheld::ReadOnly)
        } else if self.named.as_deref().is_some_and(|names| !is_in(names)) {
            Some(Withheld::Tools)
        } else {
            self.scope.withholds(tool).map(Withheld::Scope)
        }
    }
}
