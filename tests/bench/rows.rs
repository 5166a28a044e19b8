//! How each number of the table is measured: one function a row.
//!
//! A function starts what it needs and ends it; none depends on another. Bounds are those of contract.md 9.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::bitbucket::{Address, Bitbucket};
use crate::reading::{Missing, Reading, Unit, median, ms};
use crate::server::{Server, bare};
use crate::subject::{Subject, root};

/// How often a start is measured.
const STARTS: usize = 50;
/// How often a call is measured.
const CALLS: usize = 21;
/// How often the calls at once are measured.
const VOLLEYS: usize = 5;

const KIB: usize = 1024;
const MIB: usize = 1024 * 1024;

/// From before the process exists until the line is there, beside `/bin/true` from spawn to exit, turn by turn.
pub fn spawn(subject: &Subject) -> Result<Reading, Missing> {
    let (mut starts, mut trues) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let started = Instant::now();
        bare(&mut Command::new("/bin/true"))
            .spawn()
            .and_then(|mut child| child.wait())
            .map_err(|error| Missing(format!("/bin/true does not run: {error}")))?;
        trues.push(started.elapsed());

        let started = Instant::now();
        let _server = Server::connect(subject, &Address::nowhere(), &[])?;
        starts.push(started.elapsed());
    }
    let nothing = median(trues);
    let at_most = 2 * nothing + Duration::from_millis(3);
    Ok(Reading::new(
        Unit::Ms,
        ms(median(starts)),
        ms(at_most),
        format!("/bin/true: {:.2} ms", ms(nothing)),
    ))
}

pub fn memory(subject: &Subject) -> Result<Reading, Missing> {
    let mut server = Server::connect(subject, &Address::nowhere(), &[])?;
    server.ask("tools/list", &json!({}))?;
    Ok(Reading::bytes(
        Unit::MiB,
        server.peak_memory()?,
        10 * MIB,
        "",
    ))
}

/// Both with a connection that is open already, turn by turn.
pub fn one_call(subject: &Subject) -> Result<Reading, Missing> {
    let latency = Duration::from_millis(20);
    let bitbucket = Bitbucket::start(latency);
    let asked = bitbucket.some_pull_request()?;
    let mut server = Server::connect(subject, &bitbucket.address, &[])?;
    server.call("get_pull_request", &asked.arguments)?;
    bitbucket.get(&asked.path)?;

    let (mut calls, mut requests) = (Vec::new(), Vec::new());
    for _ in 0..CALLS {
        let started = Instant::now();
        server.call("get_pull_request", &asked.arguments)?;
        calls.push(started.elapsed());

        let started = Instant::now();
        bitbucket.get(&asked.path)?;
        requests.push(started.elapsed());
    }
    let request = median(requests);
    // A stand-in that holds its answers back would make any call look good beside it.
    if request > latency + Duration::from_millis(10) {
        return Err(Missing(format!(
            "one request at 20 ms takes {:.1} ms: the machine is busy",
            ms(request)
        )));
    }
    Ok(over(median(calls), request, 1.5))
}

/// Of `list_pull_requests` across repositories, which is one request to Bitbucket; of one pull request, because the
/// time that the stand-in takes to write a long page, one after the other, would count for bb's.
pub fn many_calls(subject: &Subject) -> Result<Reading, Missing> {
    const AT_ONCE: usize = 50;
    let asked = json!({"limit": 1});
    let bitbucket = Bitbucket::start(Duration::from_millis(50));
    let mut server = Server::connect(subject, &bitbucket.address, &[])?;
    server.call("list_pull_requests", &asked)?;

    let (mut volleys, mut calls) = (Vec::new(), Vec::new());
    for _ in 0..VOLLEYS {
        let started = Instant::now();
        server.call("list_pull_requests", &asked)?;
        calls.push(started.elapsed());

        let started = Instant::now();
        server.call_at_once(AT_ONCE, "list_pull_requests", &asked)?;
        volleys.push(started.elapsed());
    }
    Ok(over(median(volleys), median(calls), 2.4))
}

pub fn listing(subject: &Subject) -> Result<Reading, Missing> {
    const MANY: usize = 100;
    let bitbucket = Bitbucket::start(Duration::ZERO);
    bitbucket.list_many(MANY)?;
    let mut server = Server::connect(subject, &bitbucket.address, &[])?;
    let answer = server.call("list_pull_requests", &json!({"limit": MANY}))?;
    let list: serde_json::Value = serde_json::from_str(answer.text())
        .map_err(|error| Missing(format!("the list is no JSON: {error}")))?;
    if list["shown"] != MANY {
        return Err(Missing(format!(
            "{} of {MANY} pull requests are listed",
            list["shown"]
        )));
    }
    Ok(Reading::bytes(Unit::Bytes, answer.text().len(), 30_000, ""))
}

pub fn refresh(subject: &Subject) -> Result<Reading, Missing> {
    let bitbucket = Bitbucket::start(Duration::ZERO);
    let mut show = bitbucket.some_pull_request()?.arguments;
    show["kind"] = json!("pull_request");
    let mut server = Server::connect(subject, &bitbucket.address, &[])?;
    let fingerprint = server.call("show", &show)?.result["_meta"]["bb/view"]["fingerprint"].take();
    let answer = server.call(
        "refresh_view",
        &json!({"show": show, "fingerprint": fingerprint}),
    )?;
    if answer.result["_meta"]["bb/view"]["unchanged"] != true {
        return Err(Missing(
            "`refresh_view` says that something changed".to_owned(),
        ));
    }
    Ok(Reading::bytes(
        Unit::Bytes,
        answer.result.to_string().len(),
        300,
        "",
    ))
}

pub fn tools(subject: &Subject) -> Result<Reading, Missing> {
    tools_with(subject, &[], 28_000)
}

pub fn tools_of_a_group(subject: &Subject) -> Result<Reading, Missing> {
    tools_with(subject, &["--tools", "pull-requests"], 15_000)
}

/// The whole line counts, not the tools in it alone.
fn tools_with(subject: &Subject, flags: &[&str], at_most: usize) -> Result<Reading, Missing> {
    let mut server = Server::connect(subject, &Address::nowhere(), flags)?;
    let answer = server.ask("tools/list", &json!({}))?;
    let count = answer.result["tools"].as_array().map_or(0, Vec::len);
    Ok(Reading::bytes(
        Unit::Bytes,
        answer.line.len(),
        at_most,
        format!("{count} tools"),
    ))
}

/// What each tool costs of `tools/list`, in its order: a phrase for below the table.
pub fn each_tool(subject: &Subject) -> Result<String, Missing> {
    let mut server = Server::connect(subject, &Address::nowhere(), &[])?;
    let answer = server.ask("tools/list", &json!({}))?;
    let tools = answer.result["tools"].as_array().into_iter().flatten();
    let each: Vec<String> = tools
        .map(|tool| {
            let name = tool["name"].as_str().unwrap_or_default();
            format!("{name} {}", tool.to_string().len())
        })
        .collect();
    Ok(format!(
        "`tools/list` by tool, in bytes: {}",
        each.join(", ")
    ))
}

pub fn page(subject: &Subject) -> Result<Reading, Missing> {
    let mut server = Server::connect(subject, &Address::nowhere(), &[])?;
    let answer = server.ask("resources/read", &json!({"uri": "ui://bb/view"}))?;
    let text = answer.result["contents"][0]["text"]
        .as_str()
        .unwrap_or_default();
    if text.is_empty() {
        return Err(Missing("`ui://bb/view` holds no text".to_owned()));
    }
    Ok(Reading::bytes(Unit::KiB, text.len(), 120 * KIB, ""))
}

pub fn static_binary(subject: &Subject) -> Result<Reading, Missing> {
    if !subject.is_static {
        return Err(Missing("there is none: .ci/static makes it".to_owned()));
    }
    let size = fs::metadata(&subject.path)
        .map_err(|error| Missing(format!("it cannot be looked at: {error}")))?
        .len();
    let size = usize::try_from(size).map_err(|_| Missing("its size fits no number".to_owned()))?;
    Ok(Reading::bytes(Unit::MiB, size, 8 * MIB, ""))
}

/// What is linked, bb's own crate not counted; what runs at build time alone (macros, build scripts) is told apart.
pub fn crates(_: &Subject) -> Result<Reading, Missing> {
    let linked = packages("normal,no-proc-macro")?;
    let all = packages("normal,build")?;
    let building = all.difference(&linked).count();
    Ok(Reading::bytes(
        Unit::Count,
        linked.len() - 1,
        75,
        format!("{building} more at build time alone"),
    ))
}

/// Names and versions of the packages that bb's binary for Linux needs by these edges, itself included.
fn packages(edges: &str) -> Result<BTreeSet<String>, Missing> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let output = Command::new(cargo)
        .current_dir(root())
        .args([
            "tree",
            "--locked",
            "--package",
            "bb",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ])
        .args(["--edges", edges, "--target", &target])
        .output()
        .map_err(|error| Missing(format!("cargo tree does not run: {error}")))?;
    let listed: BTreeSet<String> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| {
            line.split_whitespace()
                .take(2)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .filter(|package| !package.is_empty())
        .collect();
    if listed.is_empty() {
        return Err(Missing(format!(
            "cargo tree lists nothing: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )));
    }
    Ok(listed)
}

/// How many times as long one thing took as another.
fn over(value: Duration, base: Duration, at_most: f64) -> Reading {
    let detail = format!("{:.1} ms over {:.1} ms", ms(value), ms(base));
    Reading::new(Unit::Times, ms(value) / ms(base), at_most, detail)
}
