//! What was highlighted before, by content, so that the next read of it has its colors at once.
//!
//! Never holds the code itself, and never more than it may. Start reading at [`Kept`].

use super::classes::{Line, Run};
use crate::digest::Digest;
use std::collections::HashMap;
use std::mem::size_of;

/// Colors of blocks by the digest of their language and text; the least recently used go first.
pub struct Kept {
    most_bytes: usize,
    bytes: usize,
    clock: u64,
    blocks: HashMap<Digest, Block>,
}

struct Block {
    lines: Vec<Line>,
    bytes: usize,
    used: u64,
}

impl Kept {
    /// An empty one that keeps at most so many bytes.
    pub fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
            bytes: 0,
            clock: 0,
            blocks: HashMap::new(),
        }
    }

    /// The lines kept for a block: all of them, or as many as there was time for; none for an unknown one.
    pub fn lines(&mut self, key: &Digest) -> &[Line] {
        self.clock += 1;
        match self.blocks.get_mut(key) {
            Some(block) => {
                block.used = self.clock;
                &block.lines
            }
            None => &[],
        }
    }

    /// Keeps the lines of a block, unless more of it is known already or it is over the bound by itself.
    pub fn keep(&mut self, key: Digest, lines: Vec<Line>) {
        let known = self.blocks.get(&key).map_or(0, |block| block.lines.len());
        let bytes = weight(&lines);
        if lines.len() <= known || bytes > self.most_bytes {
            return;
        }
        self.clock += 1;
        let used = self.clock;
        let block = Block { lines, bytes, used };
        self.bytes += bytes;
        if let Some(before) = self.blocks.insert(key, block) {
            self.bytes -= before.bytes;
        }
        while self.bytes > self.most_bytes {
            let oldest = self.blocks.iter().min_by_key(|(_, block)| block.used);
            let Some(key) = oldest.map(|(key, _)| *key) else {
                break;
            };
            if let Some(block) = self.blocks.remove(&key) {
                self.bytes -= block.bytes;
            }
        }
    }
}

/// About what the lines weigh in memory, in bytes.
fn weight(lines: &[Line]) -> usize {
    /// A table's entry, and the counters in front of shared runs.
    const ENTRY: usize = 128;
    const SHARED: usize = 2 * size_of::<usize>();
    let runs: usize = lines
        .iter()
        .filter(|line| !line.is_plain())
        .map(|line| SHARED + size_of_val::<[Run]>(line.runs()))
        .sum();
    ENTRY + size_of_val::<[Line]>(lines) + runs
}

#[cfg(test)]
mod tests {
    use super::{Kept, weight};
    use crate::digest::Digest;
    use crate::highlight::classes::{Class, Line, Runs};

    fn line() -> Line {
        let mut runs = Runs::default();
        runs.push(Class::Keyword, "let");
        runs.line()
    }

    fn key(name: &str) -> Digest {
        Digest::of(name.as_bytes())
    }

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let each = weight(&[line()]);
        let mut kept = Kept::new(2 * each);
        kept.keep(key("a"), vec![line()]);
        kept.keep(key("b"), vec![line()]);
        assert_eq!(kept.lines(&key("a")).len(), 1);
        kept.keep(key("c"), vec![line()]);
        let left = ["a", "b", "c"].map(|name| kept.lines(&key(name)).len());
        assert_eq!(left, [1, 0, 1]);
        assert!(kept.bytes <= kept.most_bytes);
    }

    #[test]
    fn a_part_gives_way_to_the_whole_and_never_the_other_way() {
        let mut kept = Kept::new(1 << 20);
        for (lines, known) in [(1, 1), (3, 3), (2, 3)] {
            kept.keep(key("a"), vec![line(); lines]);
            assert_eq!(kept.lines(&key("a")).len(), known);
        }
        assert_eq!(kept.bytes, weight(&vec![line(); 3]));
    }

    #[test]
    fn what_is_over_the_bound_by_itself_pushes_nothing_out() {
        let mut kept = Kept::new(weight(&[line()]));
        kept.keep(key("a"), vec![line()]);
        kept.keep(key("b"), vec![line(); 9]);
        assert_eq!(kept.lines(&key("a")).len(), 1);
        assert_eq!(kept.lines(&key("b")).len(), 0);
    }
}
