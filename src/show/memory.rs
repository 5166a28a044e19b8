//! What one reading leaves for the next: answers that are dear to ask for.
//!
//! Never anything of a conversation, and never more than a fixed number. Start reading at [`Memory`].

use crate::bitbucket::error::ApiError;
use crate::domain::pull_request::MergeCheck;
use crate::domain::repository::PullRequestId;
use crate::highlight::Highlighter;
use crate::show::AskedBy;
use crate::show::avatars::Pictures;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Views ask Bitbucket for one pull request's merge check at most this often (contract 4.3): it runs every check, and
/// merges the two ends to see.
const MERGE_CHECK_EVERY: Duration = Duration::from_secs(60);

/// More pull requests than anybody has on screen.
const MAX_MERGE_CHECKS: usize = 64;

/// The memory of one process.
pub struct Memory {
    /// Pictures of people.
    pub pictures: Pictures,
    /// Colors code, and keeps what it colored.
    pub highlighter: Highlighter,
    checks: Mutex<Vec<Remembered>>,
}

/// What Bitbucket's merge check said, or why it did not; `None` of a closed pull request.
pub type Said = Result<Option<MergeCheck>, ApiError>;

struct Remembered {
    id: PullRequestId,
    asked_at: Instant,
    said: Said,
    /// The builds, by their digest, of which the check said something else than bb would.
    doubted: Option<u64>,
}

impl Memory {
    /// Nothing yet.
    pub fn new(highlighter: Highlighter) -> Self {
        Self {
            pictures: Pictures::default(),
            highlighter,
            checks: Mutex::default(),
        }
    }

    /// What the merge check says: `ask`ed anew for the model, and for a view when the last time is long enough ago.
    /// The second value tells whether it is new.
    pub fn merge_check(
        &self,
        id: &PullRequestId,
        asked_by: AskedBy,
        now: Instant,
        ask: impl FnOnce() -> Said,
    ) -> (Said, bool) {
        let recent = || {
            let checks = self.checks();
            let one = checks.iter().find(|one| is(&one.id, id))?;
            let is_recent = now.saturating_duration_since(one.asked_at) < MERGE_CHECK_EVERY;
            is_recent.then(|| one.said.clone())
        };
        if let Some(said) = (asked_by == AskedBy::View).then(recent).flatten() {
            return (said, false);
        }
        let said = ask();
        let mut checks = self.checks();
        checks.retain(|one| !is(&one.id, id));
        if checks.len() >= MAX_MERGE_CHECKS {
            checks.remove(0);
        }
        checks.push(Remembered {
            id: id.clone(),
            asked_at: now,
            said: said.clone(),
            doubted: None,
        });
        (said, true)
    }

    /// Forgets what the merge check of a pull request said, for it was written to through bb.
    pub fn forget_merge_check(&self, id: &PullRequestId) {
        self.checks().retain(|one| !is(&one.id, id));
    }

    /// Keeps that the merge check contradicts what bb makes of these `builds`.
    pub fn doubt(&self, id: &PullRequestId, builds: u64) {
        if let Some(one) = self.checks().iter_mut().find(|one| is(&one.id, id)) {
            one.doubted = Some(builds);
        }
    }

    /// Whether it is known to.
    pub fn is_doubted(&self, id: &PullRequestId, builds: u64) -> bool {
        let checks = self.checks();
        let one = checks.iter().find(|one| is(&one.id, id));
        one.is_some_and(|one| one.doubted == Some(builds))
    }

    fn checks(&self) -> MutexGuard<'_, Vec<Remembered>> {
        // Each change is one step, so a thread that died holding it has spoiled nothing.
        self.checks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is(one: &PullRequestId, other: &PullRequestId) -> bool {
    one.number == other.number && one.repository.is(&other.repository)
}

#[cfg(test)]
mod tests {
    use super::{MAX_MERGE_CHECKS, MERGE_CHECK_EVERY, Memory};
    use crate::domain::pull_request::MergeCheck;
    use crate::domain::repository::{PullRequestId, RepositoryId};
    use crate::highlight::{Highlighter, Templates};
    use crate::show::AskedBy::{Model, View};
    use std::time::{Duration, Instant};

    fn id(number: u64) -> PullRequestId {
        PullRequestId {
            repository: RepositoryId {
                project: "ACME".to_owned(),
                slug: "rocket".to_owned(),
            },
            number,
        }
    }

    fn memory() -> Memory {
        Memory::new(Highlighter::new(Duration::ZERO, Templates::Plain))
    }

    fn said() -> super::Said {
        Ok(Some(MergeCheck {
            can_merge: true,
            is_conflicted: false,
            vetoes: Vec::new(),
        }))
    }

    #[test]
    fn a_view_asks_for_the_merge_check_once_a_minute_and_the_model_each_time() {
        let (memory, start) = (memory(), Instant::now());
        let second = Duration::from_secs(1);
        for (after, asked_by, is_asked) in [
            (Duration::ZERO, View, true),
            (second, View, false),
            (second * 2, Model, true),
            (MERGE_CHECK_EVERY, View, false),
            (second * 2 + MERGE_CHECK_EVERY, View, true),
        ] {
            let (_, is_new) = memory.merge_check(&id(42), asked_by, start + after, said);
            assert_eq!(is_new, is_asked, "{asked_by:?} after {after:?}");
        }
        memory.forget_merge_check(&id(42));
        let later = start + second * 3 + MERGE_CHECK_EVERY;
        let (_, is_new) = memory.merge_check(&id(42), View, later, said);
        assert!(is_new, "what was written to is asked for at once");
    }

    #[test]
    fn only_so_many_merge_checks_are_remembered() {
        let (memory, now) = (memory(), Instant::now());
        for number in 0..=MAX_MERGE_CHECKS as u64 {
            let _ = memory.merge_check(&id(number), View, now, said);
        }
        assert_eq!(memory.checks().len(), MAX_MERGE_CHECKS);
        assert!(memory.merge_check(&id(0), View, now, said).1);
    }
}
