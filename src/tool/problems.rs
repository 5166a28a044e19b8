//! What is wrong with the arguments of one call.
//!
//! Never words anything past a bound, for a call may have as many arguments as fit into a line. Start reading at
//! [`Problems::add`].

/// How many problems of one call are told.
const MAX_PROBLEMS: usize = 20;

/// What is wrong with the arguments of one call, in words up to a bound.
#[derive(Default)]
pub struct Problems {
    told: Vec<String>,
    untold: usize,
}

impl Problems {
    /// Adds one, worded only if it is told.
    pub fn add(&mut self, words: impl FnOnce() -> String) {
        match self.told.len() < MAX_PROBLEMS {
            true => self.told.push(words()),
            false => self.untold += 1,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// All that are told, and how many are not.
    pub fn end(mut self) -> Vec<String> {
        if self.untold > 0 {
            self.told.push(format!("{} more are not told", self.untold));
        }
        self.told
    }
}

#[cfg(test)]
mod tests {
    use super::Problems;

    #[test]
    fn so_many_problems_are_told_and_the_rest_is_counted_unworded() {
        for (found, told, last) in [
            (0, 0, None),
            (20, 20, Some("the 20th")),
            (21, 21, Some("1 more are not told")),
            (300_000, 21, Some("299980 more are not told")),
        ] {
            let mut problems = Problems::default();
            let mut worded = 0;
            for at in 1..=found {
                problems.add(|| {
                    worded += 1;
                    format!("the {at}th")
                });
            }
            assert_eq!(problems.is_empty(), found == 0);
            let problems = problems.end();
            assert_eq!(problems.len(), told);
            assert_eq!(problems.last().map(String::as_str), last);
            assert_eq!(worded, found.min(20));
        }
    }
}
