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
pub mod diff;
mod list;
pub mod pull_request;
pub mod pull_requests;

/// One sort of view.
pub struct Kind {
    /// What a call names.
    pub name: &'static str,
    /// What it is, for the model: follows its name in `show`'s description.
    pub about: &'static str,
    /// The data tools whose answers it shows: the kind is offered while one of them is.
    pub answers: &'static [&'static str],
    /// What it is about: the arguments `project`, `repo` and `id`.
    pub target: Target,
    /// What a view of it can touch, for a scope.
    pub reach: Reach,
    /// What it takes besides.
    pub args: &'static [Arg],
    /// Arguments that work, as JSON.
    pub example: &'static str,
    /// Reads what it draws.
    pub gather: fn(&Reading) -> Result<Gathered, ToolError>,
    /// Adds what may differ between two reads, in at most so many characters.
    pub dress: fn(&Reading, &Gathered, usize) -> Dressing,
}

/// Every kind, in the order in which they are offered.
pub const KINDS: &[&Kind] = &[
    &pull_request::KIND,
    &pull_requests::KIND,
    &diff::KIND,
    &commits::KIND,
    &builds::KIND,
];
