//! Code to token classes before a deadline: colors are decoration, and no answer waits for them.
//!
//! Never reads a file, never asks Bitbucket, and never holds a caller past the instant it named: what is ready by
//! then is returned, the rest is plain. Start reading at [`Highlighter::lines`].
//!
//! A thread of its own (`bb-highlight`) does the work, for nothing can stop a grammar within a line. Where one line
//! takes it too long, a second thread takes what is left; where that one hangs too, highlighting is off until one of
//! them returns. For 2 s after a deadline the thread goes on with what it had no time for, unless somebody waits for
//! something newer, and keeps what it made by content: the next read of the same code has its colors.
//!
//! ```
//! use bb::highlight::{Highlighter, Named, Source, Templates};
//! use std::time::{Duration, Instant};
//!
//! let highlighter = Highlighter::new(Duration::from_millis(200), Templates::Plain);
//! let hunk = vec!["fn burn() {".to_owned(), "}".to_owned()];
//! let made = highlighter.lines(
//!     &[Source { named: Named::file("src/burn.rs"), blocks: vec![hunk] }],
//!     Instant::now() + highlighter.deadline(),
//! );
//! // One line of classes for each line given, whether or not there was time for it.
//! assert_eq!(made.files[0][0].len(), 2);
//! ```

use crate::digest::Digest;
use grammars::Grammars;
use kept::Kept;
use languages::Language;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use worker::{Piece, Pool, Task};

mod classes;
mod grammars;
mod kept;
mod languages;
mod worker;

pub use classes::{Class, Line, Run};
pub use grammars::{Notice, notices};
pub use languages::Templates;

/// The longest line that is highlighted: one of 16 KiB takes a grammar up to 300 ms, and nothing stops it midway.
pub const MAX_LINE_BYTES: usize = 2 * 1024;

/// The most code that one result has highlighted; no grammar reads more within the longest deadline. What comes
/// later in the caller's order is plain.
pub const MAX_RESULT_BYTES: usize = 1024 * 1024;

/// The most that is kept of colors for the next read, a few thousand lines' worth.
const MAX_KEPT_BYTES: usize = 4 * 1024 * 1024;

/// How long a line may hold the worker before another takes what is left, at the least: a busy machine holds a thread
/// up for a few milliseconds by itself.
const LEAST_PATIENCE: Duration = Duration::from_millis(25);

/// How long the worker may go on after a deadline.
const AFTERWARDS: Duration = Duration::from_secs(2);

/// One file or one fence, and what is shown of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What tells its language.
    pub named: Named,
    /// Runs of lines that follow each other in the file, without their line ends. Of a hunk of a diff these are two:
    /// its old side and its new side, each with the context lines, so that both are read as code that makes sense.
    /// A grammar starts anew with each block.
    pub blocks: Vec<Vec<String>>,
}

/// What tells the language of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A file.
    File {
        /// Its path, or its name alone.
        path: String,
        /// Its first line, where it is known; looked at if the path tells nothing.
        first_line: Option<String>,
    },
    /// The words after the marks of a fence in Markdown.
    Fence(String),
}

impl Named {
    /// A file whose first line is not known.
    pub fn file(path: impl Into<String>) -> Self {
        Self::File {
            path: path.into(),
            first_line: None,
        }
    }

    fn language(&self, templates: Templates) -> Option<Language> {
        match self {
            Self::File { path, first_line } => {
                Language::of_file(path, first_line.as_deref(), templates)
            }
            Self::Fence(words) => Language::of_fence(words, templates),
        }
    }
}

/// What became of the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlighted {
    /// By source, by block, by line, as they were given: as many lines as were given, plain where there is no grammar,
    /// the line is over [`MAX_LINE_BYTES`], or there was no time.
    pub files: Vec<Vec<Vec<Line>>>,
    /// Whether nothing is plain for want of time: reading the same again would make no difference.
    pub is_whole: bool,
}

/// The door to the worker. Clones share it; the worker ends when the last one is dropped.
#[derive(Clone)]
pub struct Highlighter {
    deadline: Duration,
    templates: Templates,
    /// None where the operator turned highlighting off.
    pool: Option<Arc<Pool>>,
}

impl Highlighter {
    /// A highlighter as the settings have it. A deadline of zero turns it off. Starts no thread before there is work.
    pub fn new(deadline: Duration, templates: Templates) -> Self {
        let is_on = !deadline.is_zero();
        let pool = || {
            let limits = worker::Limits {
                // Early enough to leave most of the time to the files behind one that hangs. A grammar's first lines,
                // which compile its patterns, may take as long: then two threads are faster than one, and no harm done.
                patience: (deadline / 8).max(LEAST_PATIENCE),
                stuck_after: deadline.max(LEAST_PATIENCE),
                afterwards: AFTERWARDS,
            };
            Pool::new(
                Box::new(Grammars::default()),
                Kept::new(MAX_KEPT_BYTES),
                limits,
            )
        };
        Self {
            deadline,
            templates,
            pool: is_on.then(|| Arc::new(pool())),
        }
    }

    /// How long one result may take over its colors, as the settings have it. The caller adds it to the instant that
    /// it starts from, once for all that goes into the result.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// Highlights the sources in the order given, the one on screen first, and returns by `until` with what is ready.
    /// The instant is the caller's own bound for the whole result, so that several calls may share one.
    ///
    /// What a block had before, from an earlier call with the same lines in the same language, it has at once.
    pub fn lines(&self, sources: &[Source], until: Instant) -> Highlighted {
        let mut asked = Asked::new(sources);
        let Some(pool) = &self.pool else {
            return asked.made;
        };
        let (sender, receiver) = mpsc::channel();
        let mut left_bytes = MAX_RESULT_BYTES;
        let mut tasks = Vec::new();
        for (file, source) in sources.iter().enumerate() {
            let Some(language) = source.named.language(self.templates) else {
                continue;
            };
            for (block, lines) in source.blocks.iter().enumerate() {
                if left_bytes == 0 || Instant::now() >= until {
                    asked.is_cut = true;
                    continue;
                }
                let key = key(language, lines);
                let known = pool.kept(&key);
                let is_known = known.len() == lines.len();
                asked.fill(file, block, known);
                if is_known {
                    continue;
                }
                let bytes = lines
                    .iter()
                    .map(|line| line.len().min(MAX_LINE_BYTES))
                    .sum();
                if let Some(left) = usize::checked_sub(left_bytes, bytes) {
                    left_bytes = left;
                    asked.places.push((file, block));
                    tasks.push(Task::new(language, key, lines, until, sender.clone()));
                } else {
                    // No later block slips in before it: the order is the caller's.
                    left_bytes = 0;
                    asked.is_cut = true;
                }
            }
        }
        drop(sender);
        let is_done =
            tasks.is_empty() || pool.submit(tasks) && asked.receive(pool, &receiver, until);
        asked.made.is_whole = is_done && !asked.is_cut;
        asked.made
    }
}

/// The answer of a call while it grows.
struct Asked {
    made: Highlighted,
    /// Where the blocks belong that the worker was given: file and block by the number of the task.
    places: Vec<(usize, usize)>,
    /// Whether blocks were not even given to it.
    is_cut: bool,
}

impl Asked {
    fn new(sources: &[Source]) -> Self {
        let plain = |lines: &Vec<String>| vec![Line::PLAIN; lines.len()];
        let files = sources
            .iter()
            .map(|source| source.blocks.iter().map(plain).collect())
            .collect();
        Self {
            made: Highlighted {
                files,
                is_whole: true,
            },
            places: Vec::new(),
            is_cut: false,
        }
    }

    fn fill(&mut self, file: usize, block: usize, known: Vec<Line>) {
        for (place, line) in self.made.files[file][block].iter_mut().zip(known) {
            *place = line;
        }
    }

    /// Takes what comes until the instant; says whether everything came.
    fn receive(&mut self, pool: &Pool, receiver: &Receiver<Piece>, until: Instant) -> bool {
        /// How often it is looked at whether the worker is held.
        const LOOK: Duration = Duration::from_millis(5);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            match receiver.recv_timeout(left.min(LOOK)) {
                Ok(piece) => {
                    let place = self.places.get(piece.task).and_then(|(file, block)| {
                        self.made.files[*file][*block].get_mut(piece.line)
                    });
                    if let Some(place) = place {
                        *place = piece.classes;
                    }
                }
                Err(RecvTimeoutError::Timeout) => pool.relieve(),
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
    }
}

/// What names a block by its content: two blocks alike in language and lines have the same colors.
fn key(language: Language, lines: &[String]) -> Digest {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(language.grammar().as_bytes());
    for line in lines {
        // A line over the bound is plain whatever it says, and may be of megabytes.
        let line = if line.len() > MAX_LINE_BYTES {
            ""
        } else {
            line
        };
        bytes.push(b'\n');
        bytes.extend_from_slice(line.as_bytes());
    }
    Digest::of(&bytes)
}

#[cfg(test)]
mod tests;
