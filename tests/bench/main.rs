//! What `cargo bench` prints: the numbers of contract.md 9, measured, each beside its bound.
//!
//! Measures bb from outside, as a client and the system see it; calls into the library for highlighting alone, whose
//! deadline no client can see. Never fails a build: the exit code is 0 whatever holds, the last line is `N hold, N do
//! not`.
//!
//! Start at [`ROWS`]. A new number is a function in `rows.rs` and its line there.

#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

mod bitbucket;
mod browser;
mod highlighting;
mod manifests;
mod reading;
mod rows;
mod server;
mod subject;

use reading::{Missing, Reading};
use subject::Subject;

/// One number of the contract: what it is, in the contract's order and nearly in its words, and how it is measured.
type Row = (&'static str, fn(&Subject) -> Result<Reading, Missing>);

const ROWS: &[Row] = &[
    ("spawn to `initialize` answered, median of 50", rows::spawn),
    ("memory (VmHWM) after `tools/list`", rows::memory),
    (
        "`get_pull_request` at 20 ms a request, over one request by ureq alone",
        rows::one_call,
    ),
    (
        "50 one-request calls at once at 50 ms, over one call",
        rows::many_calls,
    ),
    ("100 pull requests listed: text", rows::listing),
    ("`refresh_view`, unchanged: `result`", rows::refresh),
    ("`tools/list`", rows::tools),
    (
        "`tools/list` with `--tools pull-requests`",
        rows::tools_of_a_group,
    ),
    (
        "highlighting past its deadline",
        highlighting::past_deadline,
    ),
    ("page, all kinds", rows::page),
    (
        "1,200-line diff in Chromium: first screen",
        browser::first_screen,
    ),
    ("1,200-line diff in Chromium: all of it", browser::all_lines),
    (
        "1,200-line diff in Chromium: longest task",
        browser::longest_task,
    ),
    (
        "switch to a carried file: first screen",
        browser::file_switch,
    ),
    ("manifest of 2 MiB checked", manifests::check),
    ("static binary", rows::static_binary),
    ("crates in the binary", rows::crates),
];

fn main() {
    // Cargo passes `--bench` and whatever follows `--`: a word of a row's name picks that row.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let subject = Subject::find();
    println!("{}\n", subject.told());

    let mut lines = vec![["what", "measured", "at most", ""].map(str::to_owned)];
    let (mut hold, mut do_not) = (0, 0);
    for (what, measure) in ROWS {
        if !wanted.is_empty() && !wanted.iter().any(|word| what.contains(word.as_str())) {
            continue;
        }
        let (measured, at_most, verdict) = match measure(&subject) {
            Ok(reading) if reading.holds() => (reading.measured(), reading.at_most(), "holds"),
            Ok(reading) => (reading.measured(), reading.at_most(), "DOES NOT HOLD"),
            Err(missing) => (
                one_line(&missing.to_string()),
                String::new(),
                "not measured",
            ),
        };
        // What could not be measured is not known to hold.
        if verdict == "holds" {
            hold += 1
        } else {
            do_not += 1
        }
        lines.push([(*what).to_owned(), measured, at_most, verdict.to_owned()]);
    }
    print(&lines);
    if wanted.is_empty()
        || wanted
            .iter()
            .any(|word| "`tools/list`".contains(word.as_str()))
    {
        match rows::each_tool(&subject) {
            Ok(each) => println!("\n{each}"),
            Err(missing) => println!("\n{}", one_line(&missing.to_string())),
        }
    }
    println!("\n{hold} hold, {do_not} do not");
}

/// The first line of a text, cut to what a cell holds.
fn one_line(text: &str) -> String {
    const CELL: usize = 90;
    text.lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(CELL)
        .collect()
}

/// Prints the lines as a table, the first one as its heading, each column as wide as its widest cell.
fn print(lines: &[[String; 4]]) {
    let mut widths = [0; 4];
    for line in lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    for (number, line) in lines.iter().enumerate() {
        let cells: Vec<String> = line
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        println!("| {} |", cells.join(" | "));
        if number == 0 {
            println!("|-{}-|", widths.map(|width| "-".repeat(width)).join("-|-"));
        }
    }
}
