//! One run of bb, from what was typed to the exit code. All that `main.rs` calls.
//!
//! The only place where a command's text and problems are written. Start reading at [`run`].

use crate::clean;
use crate::cli::{self, Command};
use crate::exit::{Answer, Exit};
use crate::serve;
use crate::settings::{Environment, Local, Settings, SettingsError};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// The most characters of one line on stderr: a path may have four thousand.
const MAX_LINE_CHARS: usize = 10_000;

/// Runs one command with the process's own variables and streams; `arguments` are without the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let answer = answer(arguments.into_iter().collect(), &|name| {
        std::env::var_os(name)
    });
    for (before, lines) in [("bb: ", &answer.problems), ("", &answer.notes)] {
        for line in lines {
            // A path or a file's words must not begin a line of their own, nor command the terminal.
            let line = clean::code(line, MAX_LINE_CHARS);
            // Nobody is left to be told when stderr is closed.
            let _ = writeln!(io::stderr(), "{before}{line}");
        }
    }
    // `serve` has no text, and a client that reads nothing holds stdout.
    let written = match answer.text.as_str() {
        "" => Ok(()),
        text => io::stdout().write_all(text.as_bytes()),
    };
    let exit = match written {
        // A reader that has seen enough, such as `head`, is no trouble.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(
                io::stderr(),
                "bb: cannot write the answer to stdout: {error}"
            );
            Exit::Unexpected
        }
        _ => answer.exit,
    };
    ExitCode::from(exit.code())
}

fn answer(arguments: Vec<OsString>, env: Environment) -> Answer {
    let command = match cli::parse(arguments) {
        Ok(command) => command,
        Err(answer) => return answer,
    };
    match command {
        Command::Serve(flags) => match Settings::read(&flags, env) {
            Ok(settings) => serve::serve(settings),
            Err(problems) => serve::refused(problems, Settings::local(&flags, env)),
        },
        Command::Check(flags, as_json) => match Settings::read(&flags, env) {
            Ok(settings) => serve::check(settings, as_json),
            Err(problems) => serve::refused(problems, Settings::local(&flags, env)),
        },
        Command::Tools(flags, as_json) => match Settings::read_offer(&flags, env) {
            Ok(offer) => serve::tools(offer, as_json),
            Err(problems) => {
                let local = Settings::local(&flags, env);
                // It opens none of the files.
                let local = local.map(|local| Local {
                    files: None,
                    ..local
                });
                serve::refused(problems, local)
            }
        },
        Command::Manifest(command, flags) => Settings::read_manifests(&flags, env)
            .map_or_else(refused, |settings| serve::manifest(command, settings, &ask)),
        Command::Config(client, flags) => cli::clients::configuration(client, &flags, env),
    }
}

/// Shows a person at a terminal a text and gives the line that they type; `None` where nobody is there.
fn ask(text: &str) -> Option<String> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return None;
    }
    let mut err = io::stderr();
    err.write_all(text.as_bytes())
        .and_then(|()| err.flush())
        .ok()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line).ok()?;
    Some(line)
}

fn refused(problems: Vec<SettingsError>) -> Answer {
    Answer::problems(Exit::Usage, problems)
}
