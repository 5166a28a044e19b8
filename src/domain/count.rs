//! How many there are, and whether that is known.
//!
//! Never made of the length of what is drawn: `bitbucket/listing.rs` makes counts, and whoever
//! reads one of Bitbucket's own totals (`tests/it/tidy.rs` holds that).

use std::fmt;

/// A number of things in Bitbucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Count {
    /// Bitbucket gave the total, or a list was read to its end.
    Exact(u64),
    /// A list was read this far, and there may be more.
    AtLeast(u64),
}

impl Count {
    /// The number, whichever kind it is.
    pub fn number(self) -> u64 {
        match self {
            Self::Exact(n) | Self::AtLeast(n) => n,
        }
    }

    /// Whether the number is the whole.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }
}

impl fmt::Display for Count {
    /// `312`, or `at least 100`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(n) => write!(f, "{n}"),
            Self::AtLeast(n) => write!(f, "at least {n}"),
        }
    }
}

#[cfg(test)]
mod tests;
