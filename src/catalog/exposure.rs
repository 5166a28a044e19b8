//! Which tools are offered: `--tools`, `--exclude`, `--read-only`, and the scope.
//!
//! What is excluded wins over what is named. Start reading at [`Exposure::new`].

use crate::catalog::scope::Scope;
use crate::near;
use crate::show::{REFRESH_VIEW, SHOW, SUGGEST_FORM_VALUES};
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
    /// No tool is offered whose answer it could show.
    NothingToShow,
}

/// The flag, or the lack.
impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exclude => "--exclude",
            Self::ReadOnly => "--read-only",
            Self::Tools => "--tools",
            Self::Scope(flag) => flag,
            Self::NothingToShow => "the lack of a tool whose answer it shows",
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
        let views = [SHOW, REFRESH_VIEW, SUGGEST_FORM_VALUES];
        let known_excluded: Vec<&str> = known.iter().copied().chain(views).collect();
        let problems: Vec<String> = [
            ("--tools", named, &known),
            ("--exclude", excluded, &known_excluded),
        ]
        .into_iter()
        .flat_map(|(flag, names, known)| names.iter().map(move |name| (flag, name, known)))
        .filter(|(_, name, known)| !known.contains(&name.as_str()))
        .map(|(flag, name, known)| match views.contains(&name.as_str()) {
            true => format!(
                "{flag} names `{name}`, which goes with the tools whose answers it shows: name those"
            ),
            false => format!(
                "{flag} names `{name}`, which is neither a tool nor a group{}",
                near::hint(name, known.iter().copied())
            ),
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

    /// Whether `--exclude` withholds one of the tools of views. Each but `show` goes with `show`.
    pub fn withholds_view(&self, name: &str) -> Option<Withheld> {
        let is_excluded = |wanted: &str| self.excluded.iter().any(|name| name == wanted);
        (is_excluded(name) || is_excluded(SHOW)).then_some(Withheld::Exclude)
    }
}
