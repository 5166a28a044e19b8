//! The table of kinds, and which data tool each one answers for.
//!
//! Never decides which are offered: `catalog` does. Start reading at [`Kind`].

use crate::show::Reading;
use crate::show::drawing::{Dressing, Gathered};
use crate::tool::ToolError;
use crate::tool::args::{Arg, Target};
use crate::tool::reach::Reach;

pub mod builds;
pub mod commits;
pub mod create_pull_request;
pub mod diff;
mod list;
pub mod pull_request;
pub mod pull_requests;

/// One sort of view.
pub struct Kind {
    /// What a call names.
    pub name: &'static str,
    /// What it is, for the model: follows its name in `show`'s description. `{}` stands for the ways of it.
    pub about: &'static str,
    /// Where there are several to ask for it, each in words and with an example, in the order of `answers`.
    pub ways: &'static [(&'static str, &'static str)],
    /// The data tools whose answers it shows: the kind is offered while one of them is.
    pub answers: &'static [&'static str],
    /// What it is about: the arguments `project`, `repo` and `id`.
    pub target: Target,
    /// What a view of it can touch, for a scope.
    pub reach: Reach,
    /// What it takes besides.
    pub args: &'static [Arg],
    /// Whether it holds what the person writes, for which a view may ask what could stand there.
    pub is_form: bool,
    /// Arguments that work, as JSON.
    pub example: &'static str,
    /// Reads what it draws.
    pub gather: fn(&Reading) -> Result<Gathered, ToolError>,
    /// Adds what may differ between two reads, in at most so many characters.
    pub dress: fn(&Reading, &Gathered, usize) -> Dressing,
}

impl Kind {
    fn ways(&self, has: &dyn Fn(&str) -> bool) -> Vec<(&'static str, &'static str)> {
        let each = self.answers.iter().zip(self.ways);
        let offered = each.filter(|(tool, _)| has(tool));
        offered.map(|(_, way)| *way).collect()
    }

    /// The ways whose tools `has` names.
    pub fn ways_in_words(&self, has: &dyn Fn(&str) -> bool) -> String {
        let ways: Vec<&str> = self.ways(has).iter().map(|way| way.0).collect();
        match ways.as_slice() {
            [start @ .., last] if !start.is_empty() => format!("{} or {last}", start.join(", ")),
            few => few.concat(),
        }
    }

    /// What it is, of the ways whose tools `has` names.
    pub fn about(&self, has: &dyn Fn(&str) -> bool) -> String {
        self.about.replace("{}", &self.ways_in_words(has))
    }

    /// Arguments that work where `has` names the tools.
    pub fn example(&self, has: &dyn Fn(&str) -> bool) -> &'static str {
        self.ways(has).first().map_or(self.example, |way| way.1)
    }
}

/// Every kind, in the order in which they are offered.
pub const KINDS: &[&Kind] = &[
    &pull_request::KIND,
    &pull_requests::KIND,
    &diff::KIND,
    &commits::KIND,
    &builds::KIND,
    &create_pull_request::KIND,
];
