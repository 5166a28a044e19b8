use super::{Bb, Command, parse};
use crate::exit::Exit;
use crate::settings::Flags;
use crate::settings::table::SETTINGS;
use argh::{ArgsInfo, CommandInfoWithArgs};

fn typed(line: &str) -> Vec<std::ffi::OsString> {
    line.split(' ')
        .filter(|word| !word.is_empty())
        .map(Into::into)
        .collect()
}

/// The line is refused with exactly these phrases.
#[track_caller]
fn check_refused(line: &str, phrases: &[&str]) {
    let answer = parse(typed(line)).expect_err(line);
    assert_eq!(answer.problems, phrases, "{line}");
    assert_eq!(
        (answer.exit, answer.text.as_str()),
        (Exit::Usage, ""),
        "{line}"
    );
}

#[test]
fn a_mistyped_line_is_refused_with_all_that_is_wrong() {
    check_refused(
        "ai mcp serv",
        &["unknown command `bb ai mcp serv`, did you mean `serve`?"],
    );
    check_refused(
        "mcp",
        &["unknown command `bb mcp`; `bb --help` lists what there is"],
    );
    check_refused(
        "ai mcp serve --hots x",
        &["unknown flag `--hots`, did you mean `--host`?"],
    );
    check_refused(
        "ai mcp serve --hots=x",
        &["unknown flag `--hots`, did you mean `--host`?"],
    );
    check_refused("ai mcp serve -v", &["unknown flag `-v`"]);
    check_refused("ai mcp serve --host", &["`--host` needs a value"]);
    check_refused(
        "ai mcp serve --host --read-only",
        &["`--host` needs a value"],
    );
    check_refused(
        "ai mcp serve --read-only=1",
        &["`--read-only` takes no value"],
    );
    check_refused(
        "ai mcp serve --read-only --read-only",
        &["`--read-only` is given twice; give it once"],
    );
    check_refused("ai mcp serve x", &["`bb ai mcp serve` does not take `x`"]);
    check_refused("ai mcp serve --json", &["unknown flag `--json`"]);
    check_refused(
        "ai mcp serve --host a --host=b --x y z",
        &[
            "`--host` is given twice; give it once",
            "unknown flag `--x`",
            "`bb ai mcp serve` does not take `z`",
        ],
    );
    check_refused(
        "ai mcp config",
        &[
            "`bb ai mcp config` needs <client>: vscode, claude-desktop, claude-code, cursor, goose, zed, codex",
        ],
    );
    check_refused(
        "ai mcp config vs-code",
        &[
            "cannot print a configuration for `vs-code`, did you mean `vscode`? (there are vscode, claude-desktop, \
           claude-code, cursor, goose, zed, codex)",
        ],
    );
    check_refused(
        "completion tcsh",
        &["cannot print completions for `tcsh`: expected bash, zsh or fish"],
    );
}

#[test]
fn a_flag_and_its_value_may_be_joined_or_apart() {
    let flags = |line: &str| match parse(typed(line)) {
        Ok(Command::Serve(flags)) => Some(flags),
        _ => None,
    };
    let mut wanted = Flags::default();
    wanted.put("host", vec!["https://a?b=c".to_owned()]);
    wanted.put("project", vec!["A".to_owned(), "--B".to_owned()]);
    wanted.put("read-only", vec![String::new()]);
    for line in [
        "ai mcp serve --host https://a?b=c --read-only --project A --project=--B",
        "ai mcp serve --read-only --project=A --host=https://a?b=c --project=--B",
    ] {
        assert_eq!(flags(line).as_ref(), Some(&wanted), "{line}");
    }
}

fn each_command(
    command: &CommandInfoWithArgs,
    path: String,
    visit: &mut dyn FnMut(&str, &CommandInfoWithArgs),
) {
    visit(&path, command);
    for sub in &command.commands {
        each_command(&sub.command, format!("{path} {}", sub.name), visit);
    }
}

#[test]
fn every_command_has_help_that_fits_a_screen_and_ends_with_examples() {
    each_command(&Bb::get_args_info(), String::new(), &mut |path, _| {
        for asked in ["--help", "-h", "--host --help"] {
            let answer = parse(typed(&format!("{path} {asked}"))).expect_err(path);
            assert_eq!(
                (answer.exit, &answer.problems),
                (Exit::Done, &Vec::new()),
                "{path}"
            );
            let (_, examples) = answer.text.split_once("\nExamples:\n").expect(path);
            assert!(
                examples
                    .lines()
                    .all(|line| line.starts_with("  ") && line.contains("bb ")),
                "{examples}"
            );
            assert!(answer.text.lines().count() <= 42, "{}", answer.text);
            assert!(
                answer.text.lines().all(|line| line.len() <= 88),
                "{}",
                answer.text
            );
            assert!(
                answer.text.starts_with(&format!("Usage: bb{path}")),
                "{}",
                answer.text
            );
        }
    });
    for line in ["", "ai", "ai mcp"] {
        let answer = parse(typed(line)).expect_err("there is no command");
        assert_eq!(
            answer,
            parse(typed(&format!("{line} --help"))).expect_err("help"),
            "{line}"
        );
    }
}

#[test]
fn every_setting_is_a_flag_whose_help_names_its_variable() {
    each_command(&Bb::get_args_info(), String::new(), &mut |path, command| {
        // The commands about manifests take only what judging one needs.
        if !command.flags.iter().any(|flag| flag.long == "--no-confirm") {
            return;
        }
        for setting in SETTINGS {
            let long = format!("--{}", setting.name);
            let flag = command
                .flags
                .iter()
                .find(|flag| flag.long == long)
                .expect(&long);
            let variable = setting.variable.unwrap_or_default();
            assert!(
                flag.description.contains(variable),
                "{path} {long}: {}",
                flag.description
            );
            let is_scope = matches!(setting.name, "project" | "repo");
            assert_eq!(flag.description.contains("(BB_SCOPE)"), is_scope, "{long}");
        }
        let own = command
            .flags
            .iter()
            .filter(|flag| !matches!(flag.long, "--json" | "--help"));
        assert_eq!(own.count(), SETTINGS.len(), "{path}");
    });
}

#[test]
fn each_shell_gets_every_command_and_flag() {
    for shell in ["bash", "zsh", "fish"] {
        let answer = parse(typed(&format!("completion {shell}"))).expect_err("a script is text");
        assert_eq!((answer.exit, &answer.problems), (Exit::Done, &Vec::new()));
        let dashes = if shell == "fish" { "-l " } else { "--" };
        for setting in SETTINGS {
            assert!(
                answer.text.contains(&format!("{dashes}{}", setting.name)),
                "{shell} {}",
                setting.name
            );
        }
        for word in ["serve", "check", "claude-desktop", "fish"] {
            assert!(answer.text.contains(word), "{shell} {word}");
        }
    }
}
