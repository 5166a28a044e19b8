//! How a command ends: its exit code, what it prints, what it complains of.
//!
//! Never prints: `run` does, in one place. Start reading at [`Answer`].

/// The exit codes, for a script to tell one end from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// What was asked is done.
    Done = 0,
    /// Something that nobody foresaw.
    Unexpected = 1,
    /// The command line, the settings, or a manifest with findings.
    Usage = 2,
    /// Not signed in, or not allowed.
    Refused = 3,
    /// What was asked for is not there.
    NotFound = 4,
    /// The state moved on, or a manifest cannot be approved.
    Conflict = 5,
    /// Unreachable, timed out, rate limited, TLS or proxy refused, or an answer that is not Bitbucket's.
    Unreachable = 10,
}

impl Exit {
    /// The code as the operating system takes it.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// What a command leaves behind when it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// For stdout, as it is.
    pub text: String,
    /// For stderr, a line each, without `bb: ` before it: what a person should know besides.
    pub notes: Vec<String>,
    /// For stderr, a line each, each with `bb: ` before it.
    pub problems: Vec<String>,
    /// The exit code.
    pub exit: Exit,
}

impl Answer {
    /// A text for stdout, and all is well.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::from(Exit::Done)
        }
    }

    /// Problems, a phrase each, and how the command ends for them.
    pub fn problems<P: ToString>(exit: Exit, problems: impl IntoIterator<Item = P>) -> Self {
        Self {
            problems: problems.into_iter().map(|each| each.to_string()).collect(),
            ..Self::from(exit)
        }
    }
}

impl From<Exit> for Answer {
    fn from(exit: Exit) -> Self {
        Self {
            text: String::new(),
            notes: Vec::new(),
            problems: Vec::new(),
            exit,
        }
    }
}
