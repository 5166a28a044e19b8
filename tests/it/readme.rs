//! What the README promises, held to the binary: its table of tools, its settings, its commands.

use crate::support::{command, root};
use bb::catalog::TOOLS;
use bb::settings::table::SETTINGS;
use bb::tool::{Asks, Effect};
use std::collections::BTreeSet;

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("README.md")
}

/// The cells of each row of the table under this head.
fn rows(readme: &str, head: &str) -> Vec<Vec<String>> {
    let (_, table) = readme
        .split_once(head)
        .unwrap_or_else(|| panic!("README.md has no table {head}"));
    table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let line = line.replace("\\|", "\u{1}");
            let cells = line.trim_matches('|').split('|');
            cells
                .map(|cell| cell.trim().replace('\u{1}', "|"))
                .collect()
        })
        .collect()
}

/// The texts between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn its_table_of_tools_is_the_catalogue() {
    let found: Vec<(String, String)> = rows(&readme(), "| tool | does | what |")
        .into_iter()
        .map(|row| (row[0].clone(), row[1].clone()))
        .collect();
    let expected: Vec<(String, String)> = TOOLS
        .iter()
        .map(|tool| {
            let does = match tool.effect {
                Effect::Reads => "reads",
                Effect::Writes { asks, .. } => match asks {
                    Asks::Never => "writes",
                    Asks::Always(_) => "writes, asks",
                    Asks::When(..) => "writes, asks when it sets draft",
                },
            };
            (format!("`{}`", tool.name), does.to_owned())
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn its_settings_are_those_that_serve_honors() {
    let text = readme();
    let rows = rows(&text, "| flag | variable | meaning |");
    let flags: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| quoted(&row[0]))
        .filter_map(|flag| flag.split_whitespace().next()?.strip_prefix("--"))
        .collect();
    let variables: BTreeSet<&str> = rows
        .iter()
        .flat_map(|row| quoted(&row[1]))
        .filter_map(|variable| variable.split('=').next())
        .collect();
    let expected: BTreeSet<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    assert_eq!(flags, expected, "flags of README.md and of bb");
    for setting in SETTINGS.iter().filter(|each| expected.contains(each.name)) {
        if let Some(variable) = setting.variable {
            assert!(
                variables.contains(variable),
                "{variable} is not in README.md"
            );
        }
    }
}

#[test]
fn each_command_in_it_is_one() {
    let text = readme();
    let in_line = text.lines().flat_map(quoted);
    let indented = text.lines().filter_map(|line| line.strip_prefix("    "));
    let lines: BTreeSet<&str> = in_line
        .chain(indented)
        .map(|line| line.trim().trim_start_matches("target/debug/"))
        .filter(|line| line.starts_with("bb "))
        .map(|line| line.split(['#', '>', '|']).next().unwrap_or(line).trim())
        .collect();
    assert!(lines.len() > 3, "{lines:?}");
    for line in lines {
        // All that is wrong with a line is told at once: nothing is, if this one flag is all.
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let out = command(&[words.as_slice(), &["--no-such-flag"]].concat(), &[])
            .output()
            .expect("bb runs");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{line}: {said}");
        // Prose may name a command without the argument that it needs.
        let wrong: Vec<&str> = said.lines().filter(|it| !it.contains(" needs <")).collect();
        assert_eq!(wrong, ["bb: unknown flag `--no-such-flag`"], "{line}");
    }
}

#[test]
fn this_release_stands_in_the_changes() {
    let changes = std::fs::read_to_string(root().join("CHANGELOG.md")).expect("CHANGELOG.md");
    let first = changes.lines().find_map(|line| line.strip_prefix("## "));
    let begins = concat!(env!("CARGO_PKG_VERSION"), " (");
    assert!(
        first.is_some_and(|heading| heading.starts_with(begins)),
        "{first:?}"
    );
}
