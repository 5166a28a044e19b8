//! The command line looked over before argh reads it: every problem found, each in one phrase.
//!
//! Never runs a command. argh alone stops at the first problem, does not know `--flag=value`, and answers an
//! unknown flag with a list of all. Start reading at [`read`].

use crate::near;
use argh::{CommandInfoWithArgs, FlagInfo, FlagInfoKind, Optionality};
use std::ffi::OsString;

/// What was typed, looked over.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The commands, outermost first, without `bb`.
    pub path: Vec<String>,
    /// All words, a flag and its value always apart.
    pub words: Vec<String>,
    /// Whether help was asked for anywhere.
    pub wants_help: bool,
    /// What is wrong, a phrase each.
    pub problems: Vec<String>,
}

/// The arguments as text.
///
/// # Errors
/// One of them is not UTF-8; the phrase says which, counted from 1.
pub fn text(arguments: Vec<OsString>) -> Result<Vec<String>, String> {
    let text = |(i, argument): (usize, OsString)| {
        argument
            .into_string()
            .map_err(|_| format!("cannot read argument {}: it is not UTF-8 text", i + 1))
    };
    arguments.into_iter().enumerate().map(text).collect()
}

/// Looks `arguments` over against the command `top` and those under it.
pub fn read(top: &CommandInfoWithArgs, arguments: &[String]) -> Typed {
    let mut read = Typed::default();
    let mut command = top;
    let mut seen: Vec<&str> = Vec::new();
    let mut positionals = 0;
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        if word == "--help" || word == "-h" {
            read.wants_help = true;
        } else if word.starts_with('-') {
            let (name, joined) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => (word.as_str(), None),
            };
            let Some(flag) = command.flags.iter().find(|flag| flag.long == name) else {
                let known = command.flags.iter().map(|flag| flag.long);
                let hint = near::hint(name, known);
                read.refuse(format!("unknown flag `{}`{hint}", name.escape_debug()));
                // A value that follows belongs to it as likely as not; taking it for a command misleads.
                let follows = rest
                    .as_slice()
                    .first()
                    .is_some_and(|next| !next.starts_with('-'));
                if joined.is_none() && follows && command.commands.is_empty() {
                    rest.next();
                }
                continue;
            };
            if seen.contains(&flag.long) && flag.optionality != Optionality::Repeating {
                read.refuse(format!("`{name}` is given twice; give it once"));
            }
            seen.push(flag.long);
            read.words.push(name.to_owned());
            read.value(flag, joined, &mut rest);
        } else if let Some(sub) = command.commands.iter().find(|sub| sub.name == word) {
            command = &sub.command;
            read.path.push(word.clone());
            read.words.push(word.clone());
        } else if !command.commands.is_empty() {
            let known = command.commands.iter().map(|sub| sub.name);
            let hint = match near::hint(word, known) {
                hint if hint.is_empty() => {
                    format!("; `{} --help` lists what there is", read.command())
                }
                hint => hint,
            };
            let full = format!("{} {}", read.command(), word.escape_debug());
            read.refuse(format!("unknown command `{full}`{hint}"));
            // What follows belongs to a command that nobody knows.
            return read;
        } else {
            positionals += 1;
            let is_repeating = command
                .positionals
                .last()
                .is_some_and(|last| last.optionality == Optionality::Repeating);
            if positionals > command.positionals.len() && !is_repeating {
                let (word, command) = (word.escape_debug(), read.command());
                read.refuse(format!("`{command}` does not take `{word}`"));
            }
            read.words.push(word.clone());
        }
    }
    let missing = command.positionals.iter().skip(positionals);
    for missing in missing.filter(|each| {
        matches!(
            each.optionality,
            Optionality::Required | Optionality::Repeating
        )
    }) {
        let (name, what) = (missing.name, missing.description);
        read.refuse(format!("`{}` needs <{name}>: {what}", read.command()));
    }
    read
}

impl Typed {
    fn value<'a>(
        &mut self,
        flag: &FlagInfo,
        joined: Option<&str>,
        rest: &mut std::slice::Iter<'a, String>,
    ) {
        let name = flag.long;
        match (&flag.kind, joined) {
            (FlagInfoKind::Switch, None) => {}
            (FlagInfoKind::Switch, Some(_)) => self.refuse(format!("`{name}` takes no value")),
            (FlagInfoKind::Option { .. }, Some(value)) => self.words.push(value.to_owned()),
            (FlagInfoKind::Option { .. }, None) => {
                match rest.as_slice().first() {
                    // A value that starts with dashes is a flag whose own value was forgotten; `=` says otherwise.
                    Some(value) if !value.starts_with("--") => self.words.push(value.clone()),
                    _ => {
                        self.refuse(format!("`{name}` needs a value"));
                        return;
                    }
                }
                rest.next();
            }
        }
    }

    fn refuse(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// The command so far, as it is typed.
    fn command(&self) -> String {
        let mut words = vec!["bb"];
        words.extend(self.path.iter().map(String::as_str));
        words.join(" ")
    }
}
