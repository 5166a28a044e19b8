//! What bb costs as the work grows: files, comments, calls at once. Straight lines, or a bend to look into.
//!
//! A new process for each line, so that none pays for the one before. Start at [`tables`]; the rows of the contract
//! that are about size stand here too.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bitbucket::Bitbucket;
use crate::reading::{Missing, Reading, Unit, median, ms};
use crate::server::{Answer, Server};
use crate::subject::Subject;

/// How often each line is measured; the middle one counts.
const TURNS: usize = 5;
const SIZES: [usize; 3] = [10, 100, 1_000];
/// Changed lines of each file, half of them taken away and half of them new.
const LINES: usize = 100;
/// The pull request that grows.
const ID: u64 = 42;
const MIB: f64 = 1024.0 * 1024.0;

/// One line of a table.
struct Grown {
    time: Duration,
    memory: usize,
    requests: usize,
    answer: usize,
}

/// `show diff` of 1,000 files: the most memory that it takes.
pub fn diff_memory(subject: &Subject) -> Result<Reading, Missing> {
    let bitbucket = with_files(1_000)?;
    let grown = measured(subject, &bitbucket, "show", &diff())?;
    let detail = format!("an answer of {:.2} MiB", grown.answer as f64 / MIB);
    Ok(Reading::bytes(
        Unit::MiB,
        grown.memory,
        96 * 1024 * 1024,
        detail,
    ))
}

/// The same: its time over reading and parsing the same bytes.
pub fn diff_time(subject: &Subject) -> Result<Reading, Missing> {
    let bitbucket = with_files(1_000)?;
    let grown = measured(subject, &bitbucket, "show", &diff())?;
    let mut reads = Vec::new();
    for _ in 0..TURNS {
        let began = Instant::now();
        for path in ["changes?limit=1000", "diff"] {
            let body = bitbucket.get(&format!("{}/{path}", path_of(ID)))?;
            let read: Result<Value, _> = serde_json::from_str(&body);
            read.map_err(|error| Missing(format!("{path} is no JSON: {error}")))?;
        }
        reads.push(began.elapsed());
    }
    let (time, read) = (ms(grown.time), ms(median(reads)));
    Ok(Reading::new(
        Unit::Times,
        time / read,
        2.0,
        format!("{time:.0} ms over {read:.0} ms"),
    ))
}

/// The three tables, for below the rows.
pub fn tables(subject: &Subject) -> Result<String, Missing> {
    let mut out = String::new();
    head(&mut out, "files of 100 changed lines");
    for size in SIZES {
        let bitbucket = with_files(size)?;
        for (name, tool, arguments) in [
            ("show diff", "show", diff()),
            ("get_pr_diff", "get_pr_diff", of(json!({}))),
        ] {
            let grown = measured(subject, &bitbucket, tool, &arguments)?;
            line(&mut out, &format!("{size}, {name}"), &grown);
        }
    }
    head(&mut out, "comments");
    for size in SIZES {
        let bitbucket = with_comments(size);
        for (name, tool, arguments) in [
            (
                "list_pr_comments",
                "list_pr_comments",
                of(json!({"limit": 100})),
            ),
            ("list_pr_activity", "list_pr_activity", of(json!({}))),
            (
                "show pull_request",
                "show",
                of(json!({"kind": "pull_request"})),
            ),
        ] {
            let grown = measured(subject, &bitbucket, tool, &arguments)?;
            line(&mut out, &format!("{size}, {name}"), &grown);
        }
    }
    head(&mut out, "calls at once, 20 ms a request");
    for size in [1, 8, 16, 32] {
        let bitbucket = Bitbucket::start(Duration::from_millis(20));
        let grown = at_once(subject, &bitbucket, size)?;
        line(&mut out, &format!("{size}, get_pull_request"), &grown);
    }
    Ok(out)
}

fn head(out: &mut String, what: &str) {
    let _ = write!(
        out,
        "\n| {what} | time, median of {TURNS} | memory (VmHWM) | requests of one | answer |\n|---|---|---|---|---|\n"
    );
}

fn line(out: &mut String, what: &str, grown: &Grown) {
    let _ = writeln!(
        out,
        "| {what} | {:.1} ms | {:.1} MiB | {} | {:.1} KiB |",
        ms(grown.time),
        grown.memory as f64 / MIB,
        grown.requests,
        grown.answer as f64 / 1024.0
    );
}

fn path_of(id: u64) -> String {
    format!("/rest/api/latest/projects/ACME/repos/rocket/pull-requests/{id}")
}

fn of(more: Value) -> Value {
    let mut arguments = json!({"project": "ACME", "repo": "rocket", "id": ID});
    for (name, value) in more.as_object().into_iter().flatten() {
        arguments[name] = value.clone();
    }
    arguments
}

fn diff() -> Value {
    of(json!({"kind": "diff"}))
}

/// The same call over and over on one process, the first one not counted: it opens the connections.
fn measured(
    subject: &Subject,
    bitbucket: &Bitbucket,
    tool: &str,
    arguments: &Value,
) -> Result<Grown, Missing> {
    let mut server = Server::connect(subject, &bitbucket.address, &["--highlight-deadline", "0"])?;
    let size = |answer: &Answer| answer.line.len();
    let mut answer = size(&server.call(tool, arguments)?);
    let before = bitbucket.requests();
    let mut times = Vec::new();
    for _ in 0..TURNS {
        let began = Instant::now();
        answer = size(&server.call(tool, arguments)?);
        times.push(began.elapsed());
    }
    Ok(Grown {
        time: median(times),
        memory: server.peak_memory()?,
        requests: (bitbucket.requests() - before) / TURNS,
        answer,
    })
}

fn at_once(subject: &Subject, bitbucket: &Bitbucket, count: usize) -> Result<Grown, Missing> {
    let mut server = Server::connect(subject, &bitbucket.address, &[])?;
    let answer = server.call("get_pull_request", &of(json!({})))?.line.len();
    server.call_at_once(count, "get_pull_request", &of(json!({})))?;
    let before = bitbucket.requests();
    let mut times = Vec::new();
    for _ in 0..TURNS {
        let began = Instant::now();
        server.call_at_once(count, "get_pull_request", &of(json!({})))?;
        times.push(began.elapsed());
    }
    Ok(Grown {
        time: median(times),
        memory: server.peak_memory()?,
        requests: (bitbucket.requests() - before) / TURNS / count,
        answer,
    })
}

/// A stand-in whose pull request has so many files, served from memory as Bitbucket would write them.
fn with_files(count: usize) -> Result<Bitbucket, Missing> {
    let bitbucket = Bitbucket::start(Duration::ZERO);
    let paths: Vec<Value> = (0..count).map(path).collect();
    let changes: Vec<Value> = paths
        .iter()
        .map(|path| json!({"path": path, "type": "MODIFY", "nodeType": "FILE", "percentUnchanged": -1}))
        .collect();
    let diffs: Vec<Value> = paths.iter().map(file).collect();
    let ends = json!({"fromHash": "1".repeat(40), "toHash": "2".repeat(40)});
    let mut listed =
        json!({"values": changes, "size": count, "isLastPage": true, "start": 0, "limit": 1000});
    let mut body =
        json!({"diffs": diffs, "contextLines": 10, "whitespace": "SHOW", "truncated": false});
    for (name, value) in ends.as_object().into_iter().flatten() {
        listed[name] = value.clone();
        body[name] = value.clone();
    }
    for (what, answer) in [("changes", listed), ("diff", body)] {
        bitbucket.answers(&format!("{}/{what}", path_of(ID)), answer.to_string());
    }
    Ok(bitbucket)
}

fn path(number: usize) -> Value {
    let (folder, name) = (
        format!("engine/part{}", number / 50),
        format!("valve{number}.rs"),
    );
    json!({
        "toString": format!("{folder}/{name}"),
        "components": ["engine", format!("part{}", number / 50), name],
        "parent": folder, "name": name, "extension": "rs",
    })
}

fn file(path: &Value) -> Value {
    let half = LINES / 2;
    let lines = |word: &str, side: &str| -> Vec<Value> {
        (1..=half)
            .map(|at| {
                let text = format!(
                    "    let {word}_{at} = chamber.open({at}, Pressure::of(600.0)); // one of many"
                );
                let mut line =
                    json!({"source": 1, "destination": 1, "line": text, "truncated": false});
                line[side] = json!(at);
                line
            })
            .collect()
    };
    json!({
        "source": path, "destination": path, "truncated": false,
        "hunks": [{
            "sourceLine": 1, "sourceSpan": half, "destinationLine": 1, "destinationSpan": half, "truncated": false,
            "segments": [
                {"type": "REMOVED", "lines": lines("before", "source"), "truncated": false},
                {"type": "ADDED", "lines": lines("after", "destination"), "truncated": false},
            ],
        }],
    })
}

/// A stand-in whose pull request has so many more comments.
fn with_comments(count: usize) -> Bitbucket {
    let bitbucket = Bitbucket::start(Duration::ZERO);
    for number in 0..count {
        bitbucket.comment(ID, &format!("Is the pressure of valve {number} right?"));
    }
    bitbucket
}
