//! `cargo run --example preview`: every view of bb in a browser, with no Bitbucket at hand (contract 7).
//!
//! Three parts, each the real one: the stand-in Bitbucket, bb itself as a child over stdio (this example starts itself
//! again through [`bb::run`], and once more for each manifest of `fixtures/manifests`), and a host page that frames the
//! view as hosts do. Everything stays on loopback, nothing
//! is fetched, and nothing outlives this process: a child whose input ends, ends. Start at `main`; [`calls`] asks bb,
//! [`web`] serves the page in `host/`, [`teams`] serves manifests, [`moves`] lets others work in the stand-in's world.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod calls;
mod child;
mod moves;
mod samples;
mod stdio;
mod teams;
mod web;

use std::ffi::OsString;
use std::process::ExitCode;

use standin::{Options, StandIn};

const USAGE: &str = "usage: preview [--once | --stdio] [--port N] [-- FLAGS OF bb ai mcp serve]

  (nothing)  serves a page that shows every kind of view; prints its address; Ctrl-C ends it
  --once     calls every kind once, prints what came, and ends: 0 if all were drawn
  --stdio    is the server itself on a stand-in of its own, for the configuration of a client
  --port N   where the page is served; else the system chooses";

/// The first word of the child that is bb.
pub const SERVE: &str = "--serve-bb";

enum Mode {
    Page,
    Once,
    Stdio,
}

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1).peekable();
    if words.peek().is_some_and(|word| word == SERVE) {
        return bb::run(words.skip(1));
    }
    let (mode, port, flags) = match options(words) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}{USAGE}");
            return ExitCode::from(if problem.is_empty() { 0 } else { 2 });
        }
    };
    let standin = StandIn::start(Options::default());
    let done = match mode {
        Mode::Page => web::serve(standin, port, &flags),
        Mode::Once => calls::once(&standin, &flags),
        Mode::Stdio => stdio::serve(&standin, &flags),
    };
    done.unwrap_or_else(|problem| {
        eprintln!("preview: {problem}");
        ExitCode::from(1)
    })
}

/// What was typed; an empty problem is a question for help.
fn options(words: impl Iterator<Item = OsString>) -> Result<(Mode, u16, Vec<OsString>), String> {
    let (mut mode, mut port, mut flags) = (Mode::Page, 0, Vec::new());
    let mut words = words;
    while let Some(word) = words.next() {
        match word.to_str().unwrap_or_default() {
            "--once" => mode = Mode::Once,
            "--stdio" => mode = Mode::Stdio,
            "--port" => {
                let value = words.next().unwrap_or_default();
                port = value
                    .to_str()
                    .and_then(|text| text.parse().ok())
                    .ok_or("preview: --port needs a number up to 65535\n")?;
            }
            "--help" | "-h" => return Err(String::new()),
            "--" => flags.extend(words.by_ref()),
            _ => {
                return Err(format!(
                    "preview: `{}` is no flag\n",
                    word.to_string_lossy()
                ));
            }
        }
    }
    Ok((mode, port, flags))
}
