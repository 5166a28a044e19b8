//! `cargo run --release --example soak`: bb for hours in minutes, against a Bitbucket that fails one request in ten.
//!
//! Many calls over one process, eight at a time; then many starts, each stopped at a random moment. `--calls N`,
//! `--stops N` and `--seed N` choose how many and which; the same seed asks the same. Prints what was measured as tables,
//! and `N passed, N failed`. `BB_BIN` names the binary, else the one beside this is taken. Start at [`calls::run`].

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::panic,
    reason = "it prints what it measured, and stops where nothing can be measured"
)]

mod calls;
mod mix;
mod process;
mod stops;

use std::process::ExitCode;

/// What was found: each promise, and whether it was kept.
pub type Kept = Vec<(String, bool)>;

fn main() -> ExitCode {
    let (mut many_calls, mut many_stops, mut seed) = (100_000, 1_000, 1_usize);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().and_then(|value| value.parse().ok());
        match (word.as_str(), value) {
            ("--calls", Some(value)) => many_calls = value,
            ("--stops", Some(value)) => many_stops = value,
            ("--seed", Some(value)) => seed = value,
            _ => {
                eprintln!("usage: soak [--calls N] [--stops N] [--seed N]");
                return ExitCode::from(2);
            }
        }
    }
    let mut numbers = mix::Numbers::new(seed);
    let mut kept = calls::run(many_calls, &mut numbers);
    kept.extend(stops::run(many_stops, &mut numbers));
    println!();
    for (promise, is_kept) in &kept {
        println!("{}  {promise}", if *is_kept { "ok  " } else { "FAIL" });
    }
    let failed = kept.iter().filter(|(_, is_kept)| !is_kept).count();
    println!("{} passed, {failed} failed", kept.len() - failed);
    ExitCode::from(u8::from(failed > 0))
}
