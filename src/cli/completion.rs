//! Completion scripts of three shells, made from the commands and flags there are.
//!
//! Never asks bb while a person types: each script holds all the words. Start reading at [`script`].

use argh::{CommandInfoWithArgs, FlagInfo, FlagInfoKind};
use std::fmt::Write;

/// The script for `shell`.
///
/// # Errors
/// No such shell; the phrase names those there are.
pub fn script(shell: &str, top: &CommandInfoWithArgs) -> Result<String, String> {
    let mut places = Vec::new();
    collect(top, "bb".to_owned(), &mut places);
    match shell {
        "bash" => Ok(bash(&places)),
        "zsh" => Ok(zsh(&places)),
        "fish" => Ok(fish(&places)),
        _ => Err(format!(
            "cannot print completions for `{}`: expected bash, zsh or fish",
            shell.escape_debug()
        )),
    }
}

/// What can follow one command.
struct Place<'a> {
    /// The command as it is typed, `bb` included.
    path: String,
    words: Vec<(&'a str, &'a str)>,
    flags: &'a [FlagInfo<'a>],
}

fn collect<'a>(command: &'a CommandInfoWithArgs, path: String, places: &mut Vec<Place<'a>>) {
    let mut words: Vec<(&str, &str)> = command
        .commands
        .iter()
        .map(|sub| (sub.name, sub.command.description))
        .collect();
    // A positional argument is one of a few words, which its help lists, or something that only the person knows.
    let listed = command
        .positionals
        .iter()
        .filter(|each| ["client", "shell"].contains(&each.name));
    for positional in listed {
        let listed = positional
            .description
            .split([',', ' '])
            .filter(|word| !matches!(*word, "" | "or"));
        words.extend(listed.map(|word| (word, positional.name)));
    }
    places.push(Place {
        path: path.clone(),
        words,
        flags: command.flags,
    });
    for sub in &command.commands {
        collect(&sub.command, format!("{path} {}", sub.name), places);
    }
}

fn takes_file(flag: &FlagInfo) -> bool {
    ["-file", "-cert", "-key", "-dir"]
        .iter()
        .any(|end| flag.long.ends_with(end))
        || flag.long == "--config"
}

fn takes_value(flag: &FlagInfo) -> bool {
    matches!(flag.kind, FlagInfoKind::Option { .. })
}

fn bash(places: &[Place]) -> String {
    let mut script = String::from(
        "# bash completion for bb\n\
         _bb() {\n\
         \x20   local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path=bb i\n\
         \x20   for ((i = 1; i < COMP_CWORD; i++)); do\n\
         \x20       case \"$path ${COMP_WORDS[i]}\" in\n",
    );
    let commands: Vec<String> = places
        .iter()
        .skip(1)
        .map(|place| format!("\"{}\"", place.path))
        .collect();
    let _ = writeln!(
        script,
        "            {}) path+=\" ${{COMP_WORDS[i]}}\" ;;",
        commands.join("|")
    );
    script.push_str("        esac\n    done\n    case $before in\n");
    for (shape, action) in [
        (
            takes_file as fn(&FlagInfo) -> bool,
            "COMPREPLY=($(compgen -f -- \"$word\")); return",
        ),
        (
            |flag| takes_value(flag) && !takes_file(flag),
            "COMPREPLY=(); return",
        ),
    ] {
        let mut flags: Vec<&str> = places
            .iter()
            .flat_map(|place| place.flags)
            .filter(|flag| shape(flag))
            .map(|flag| flag.long)
            .collect();
        flags.sort_unstable();
        flags.dedup();
        let _ = writeln!(script, "        {}) {action} ;;", flags.join("|"));
    }
    script.push_str("    esac\n    local words=\n    case $path in\n");
    for place in places {
        let words = place.words.iter().map(|(word, _)| *word);
        let all: Vec<&str> = words
            .chain(place.flags.iter().map(|flag| flag.long))
            .collect();
        let _ = writeln!(
            script,
            "        \"{}\") words=\"{}\" ;;",
            place.path,
            all.join(" ")
        );
    }
    script.push_str(
        "    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\ncomplete -F _bb bb\n",
    );
    script
}

fn zsh(places: &[Place]) -> String {
    let mut script = String::from(
        "#compdef bb\n\
         # zsh completion for bb\n\
         _bb() {\n\
         \x20   local path_=bb before=${words[CURRENT-1]} i\n\
         \x20   local -a choices\n\
         \x20   for ((i = 2; i < CURRENT; i++)); do\n\
         \x20       case \"$path_ ${words[i]}\" in\n",
    );
    let commands: Vec<String> = places
        .iter()
        .skip(1)
        .map(|place| format!("\"{}\"", place.path))
        .collect();
    let _ = writeln!(
        script,
        "            {}) path_+=\" ${{words[i]}}\" ;;",
        commands.join("|")
    );
    script.push_str("        esac\n    done\n    case $before in\n");
    let mut files: Vec<&str> = places
        .iter()
        .flat_map(|place| place.flags)
        .filter(|flag| takes_file(flag))
        .map(|flag| flag.long)
        .collect();
    files.sort_unstable();
    files.dedup();
    let _ = writeln!(script, "        {}) _files; return ;;", files.join("|"));
    script.push_str("    esac\n    case $path_ in\n");
    for place in places {
        let words = place.words.iter().copied();
        let flags = place.flags.iter().map(|flag| (flag.long, flag.description));
        let _ = writeln!(script, "        \"{}\") choices=(", place.path);
        for (word, about) in words.chain(flags) {
            let _ = writeln!(script, "            {}", quoted(&format!("{word}:{about}")));
        }
        script.push_str("        ) ;;\n");
    }
    script.push_str("    esac\n    _describe 'bb' choices\n}\n_bb \"$@\"\n");
    script
}

fn fish(places: &[Place]) -> String {
    let mut script = String::from("# fish completion for bb\ncomplete -c bb -f\n");
    for place in places {
        let mut conditions: Vec<String> = place
            .path
            .split(' ')
            .skip(1)
            .map(|word| format!("__fish_seen_subcommand_from {word}"))
            .collect();
        if !place.words.is_empty() {
            let words: Vec<&str> = place.words.iter().map(|(word, _)| *word).collect();
            conditions.push(format!(
                "not __fish_seen_subcommand_from {}",
                words.join(" ")
            ));
        }
        let when = quoted(&conditions.join("; and "));
        for (word, about) in &place.words {
            let _ = writeln!(
                script,
                "complete -c bb -n {when} -a {word} -d {}",
                quoted(about)
            );
        }
        for flag in place.flags {
            let value = match (takes_file(flag), takes_value(flag)) {
                (true, _) => " -r -F",
                (false, true) => " -x",
                (false, false) => "",
            };
            let name = flag.long.trim_start_matches('-');
            let about = quoted(flag.description);
            let _ = writeln!(
                script,
                "complete -c bb -n {when} -l {name}{value} -d {about}"
            );
        }
    }
    script
}

/// A text in the single quotes that all three shells share.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "\u{2019}"))
}
