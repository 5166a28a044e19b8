//! What a build server reports of a commit.

use crate::domain::time::Time;

/// How a build stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BuildState {
    /// It failed.
    Failed,
    /// It runs, or waits to.
    InProgress,
    /// Somebody stopped it (since Bitbucket 8.0).
    Cancelled,
    /// Its server lost track of it, or bb does not know the word.
    Unknown,
    /// It passed.
    Successful,
}

impl BuildState {
    /// Reads Bitbucket's word; any that bb does not know is [`Self::Unknown`].
    pub fn read(word: &str) -> Self {
        match word {
            "SUCCESSFUL" => Self::Successful,
            "FAILED" => Self::Failed,
            "INPROGRESS" => Self::InProgress,
            "CANCELLED" => Self::Cancelled,
            _ => Self::Unknown,
        }
    }

    /// Bitbucket's word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Failed => "FAILED",
            Self::InProgress => "INPROGRESS",
            Self::Cancelled => "CANCELLED",
            Self::Unknown => "UNKNOWN",
            Self::Successful => "SUCCESSFUL",
        }
    }
}

/// One build of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// What replaces what: a build posted with the same key takes the place of the one before.
    pub key: String,
    /// What a page calls it; empty where the build server gave no name.
    pub name: String,
    /// How it stands.
    pub state: BuildState,
    /// The required key that it reports under.
    pub parent: Option<String>,
    /// The full name of the branch or tag that it was built for.
    pub reference: Option<String>,
    /// What the build server counts it as.
    pub number: Option<String>,
    /// Its page at the build server, as it came: it may be no web address.
    pub address: Option<String>,
    /// When it last reported.
    pub updated: Option<Time>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// What its tests came to.
    pub tests: Option<TestCounts>,
}

/// What the tests of one build came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestCounts {
    /// Failed.
    pub failed: u64,
    /// Left out.
    pub skipped: u64,
    /// Passed.
    pub successful: u64,
}

/// How many builds stand how, over the whole listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildCounts {
    /// Passed.
    pub successful: u64,
    /// Failed.
    pub failed: u64,
    /// Running or waiting to.
    pub in_progress: u64,
    /// Stopped.
    pub cancelled: u64,
    /// In no state that is known.
    pub unknown: u64,
}

impl BuildCounts {
    /// Adds one build.
    pub fn add(&mut self, state: &BuildState) {
        *match state {
            BuildState::Successful => &mut self.successful,
            BuildState::Failed => &mut self.failed,
            BuildState::InProgress => &mut self.in_progress,
            BuildState::Cancelled => &mut self.cancelled,
            BuildState::Unknown => &mut self.unknown,
        } += 1;
    }
}

impl BuildCounts {
    /// All builds together.
    pub fn all(&self) -> u64 {
        self.each().fold(0, |sum, (_, n)| sum.saturating_add(n))
    }

    /// The states that there are builds in, the worst first.
    pub fn each(&self) -> impl Iterator<Item = (BuildState, u64)> {
        let all = [
            (BuildState::Failed, self.failed),
            (BuildState::InProgress, self.in_progress),
            (BuildState::Cancelled, self.cancelled),
            (BuildState::Unknown, self.unknown),
            (BuildState::Successful, self.successful),
        ];
        all.into_iter().filter(|(_, n)| *n > 0)
    }
}

impl FromIterator<BuildState> for BuildCounts {
    fn from_iter<I: IntoIterator<Item = BuildState>>(states: I) -> Self {
        let mut counts = Self::default();
        for state in states {
            counts.add(&state);
        }
        counts
    }
}

/// What the counts are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildsOf {
    /// The listing that the pull request's page reads: the source commit's builds for its branch, or for none.
    PullRequest,
    /// Every build of the commit, wherever it was built for: what there is without that listing.
    Commit(String),
}

/// Builds summed up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildSummary {
    /// How many stand how.
    pub counts: BuildCounts,
    /// Of what.
    pub of: BuildsOf,
    /// Whether the listing was read to its end.
    pub is_whole: bool,
}
