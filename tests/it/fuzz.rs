//! A short run of every fuzz target: its seeds, and what a mutator with a fixed seed makes of them.
//!
//! The long run, which follows coverage, is `tests/fuzz/run`.

#[path = "../fuzz/targets/mod.rs"]
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// Inputs for each target beyond its seeds, unless the time is over first.
const INPUTS: usize = 3_000;
/// For each target.
const AT_MOST: Duration = Duration::from_secs(4);

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    /// A number below `bound`, 0 if that is 0.
    fn below(&mut self, bound: usize) -> usize {
        // Xorshift, by its published triple of shifts.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 1).unwrap_or_default() % bound.max(1)
    }
}

/// Pieces that readers of JSON, Markdown and templates take notice of.
const PIECES: [&[u8]; 22] = [
    b"\n",
    b"\r\n",
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"null",
    b"-1",
    b"1e999",
    b"99999999999999999999",
    b"\"\"",
    b"\\ud800",
    b"\xFF",
    b"\xE2\x80\xAE",
    b"{{input.x}}",
    b"{{",
    b"](",
    b"```",
    b"> ",
    b"__proto__",
];

/// One to eight small changes to a seed.
fn mutated(seed: &[u8], other: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=numbers.below(8) {
        let at = numbers.below(bytes.len() + 1);
        let end = (at + numbers.below(64)).min(bytes.len());
        match numbers.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << numbers.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.truncate(at),
            3 => {
                let piece = bytes[at..end].to_vec();
                let times = 1 + numbers.below(16);
                bytes.splice(at..at, piece.repeat(times));
            }
            4 => {
                let from = numbers.below(other.len());
                let to = (from + numbers.below(256)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            5 => bytes.insert(at, u8::try_from(numbers.below(256)).unwrap_or_default()),
            _ => {
                let piece = PIECES[numbers.below(PIECES.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
        }
    }
    bytes
}

#[track_caller]
fn check(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name);
    let target: &Target = target.expect("a target");
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty(), "{name} has no seeds");
    let began = Instant::now();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut run = 0;
    let mutants = (0..INPUTS).map(|_| {
        let (seed, other) = (numbers.below(seeds.len()), numbers.below(seeds.len()));
        mutated(&seeds[seed], &seeds[other], &mut numbers)
    });
    for input in seeds.iter().cloned().chain(mutants) {
        if began.elapsed() > AT_MOST {
            break;
        }
        let held = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        assert!(
            held.is_ok(),
            "{name} breaks on {:?}",
            String::from_utf8_lossy(&input)
        );
        run += 1;
    }
    assert!(
        run >= seeds.len().min(10),
        "{run} inputs in {:?}",
        began.elapsed()
    );
}

#[test]
fn any_input_from_a_client_is_read() {
    check("lines");
}

#[test]
fn any_answer_of_bitbucket_is_read() {
    check("answers");
}

#[test]
fn any_diff_is_read() {
    check("diff");
}

#[test]
fn any_markdown_is_read() {
    check("markdown");
}

#[test]
fn any_manifest_is_judged() {
    check("manifest");
}

#[test]
fn any_template_is_filled() {
    check("templates");
}

#[test]
fn every_target_has_its_short_run() {
    let source = std::fs::read_to_string(crate::support::root().join("tests/it/fuzz.rs"));
    let source = source.expect("this file");
    for target in TARGETS {
        let line = format!("check(\"{}\")", target.name);
        assert!(source.contains(&line), "no {line}");
    }
}
