//! Many calls over one process, eight at a time, with every sort of fault on the way.
//!
//! What must hold: each call answered once, each line whole, and at the end no more memory, threads or descriptors
//! than after the first thousand. Start at [`run`].

use super::Kept;
use super::mix::{Mix, Numbers};
use super::process::{Held, PATIENCE, Process, record, recorded, whole};
use serde_json::Value;
use standin::{Effect, Fault, Options, StandIn};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const AT_ONCE: usize = 8;
/// After so many calls every cache is warm and every connection open.
const WARM: usize = 1_000;
/// How much the memory may differ between two looks though nothing leaks, besides an eighth of it: an allocator gives
/// back when it likes.
const SLACK_KIB: usize = 4 * 1024;

/// One request in ten fails: each of six ways one in sixty.
fn failing() -> StandIn {
    let standin = StandIn::start(Options::default());
    let effects = [
        Effect::Reset,
        Effect::Stall(Some(Duration::from_secs(5))),
        Effect::HalfBody,
        Effect::rate_limited(None),
        Effect::status(500),
        Effect::SignInPage,
    ];
    for (number, effect) in (0..).zip(effects) {
        // Not all at the same request.
        standin.fault(Fault::on("*", "*", effect).after(number * 10).every(60));
    }
    standin
}

/// What was counted on the way.
#[derive(Default)]
struct Counts {
    answers: BTreeMap<&'static str, usize>,
    broken: usize,
    twice: usize,
    failures: BTreeMap<String, usize>,
}

/// Makes `many` calls and says what held.
pub fn run(many: usize, numbers: &mut Numbers) -> Kept {
    let standin = failing();
    let mix = Mix::new(&standin);
    let audit = record("calls");
    let mut process = Process::start(&standin, &audit);
    let mut counts = Counts::default();
    let mut open: BTreeMap<usize, &'static str> = BTreeMap::from([(0, "initialize")]);
    let mut looks: Vec<(usize, Held)> = Vec::new();
    let warm = WARM.min(many / 2);
    let (mut sent, mut answered) = (0, 0);
    let began = Instant::now();
    while answered < many + 1 {
        while open.len() < AT_ONCE && sent < many {
            sent += 1;
            let (tool, arguments) = mix.pick(numbers);
            assert!(process.call(sent, tool, arguments), "bb reads no more");
            open.insert(sent, tool);
        }
        let Ok(line) = process.lines.recv_timeout(PATIENCE) else {
            break;
        };
        let Some(answer) = whole(&line) else {
            counts.broken += 1;
            continue;
        };
        let Some(id) = answer["id"].as_u64() else {
            // A notification.
            continue;
        };
        match usize::try_from(id).ok().and_then(|id| open.remove(&id)) {
            None => counts.twice += 1,
            Some(_) => counts.note(&answer),
        }
        answered += 1;
        if answered % 1_000 == 0 {
            standin.clear_log();
        }
        if answered == warm || answered % (many / 10).max(1) == 0 {
            looks.push((answered, process.held()));
        }
    }
    let took = began.elapsed();
    process.input = None;
    let status = process.child.wait().expect("bb ends");
    let (lines, are_whole) = recorded(&audit);
    let _ = std::fs::remove_file(&audit);

    tell(many, took, &counts, &looks, lines);
    let at = |answered: usize| {
        looks
            .iter()
            .find(|look| look.0 == answered)
            .map(|look| look.1)
    };
    let (first, last) = (at(warm), looks.last().map(|look| look.1));
    let slack = SLACK_KIB + first.map_or(0, |first| first.memory_kib / 8);
    let is_flat = |of: fn(Held) -> usize, slack: usize| match (first, last) {
        (Some(first), Some(last)) => of(last) <= of(first) + slack,
        _ => false,
    };
    vec![
        (
            format!("{answered} of {} answered", many + 1),
            open.is_empty() && answered == many + 1,
        ),
        (
            format!("{} lines broken", counts.broken),
            counts.broken == 0,
        ),
        (format!("{} answers twice", counts.twice), counts.twice == 0),
        (
            format!("memory within {slack} KiB of the first {warm}"),
            is_flat(|held| held.memory_kib, slack),
        ),
        // A call that is in flight at either look has its threads.
        (
            "threads as many as at first".to_owned(),
            is_flat(|held| held.threads, AT_ONCE * 2),
        ),
        // Connections are kept for the next request, at most 32 (`src/bitbucket/http/agent.rs`).
        (
            "descriptors as many as at first".to_owned(),
            is_flat(|held| held.descriptors, 32),
        ),
        (
            format!("{lines} lines recorded, each whole"),
            are_whole && lines > 0,
        ),
        (format!("ended with {status}"), status.success()),
    ]
}

impl Counts {
    fn note(&mut self, answer: &Value) {
        let result = &answer["result"];
        let sort = if answer.get("error").is_some() {
            "refused by the protocol"
        } else if result["isError"] == true {
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            *self.failures.entry(cause(text).to_owned()).or_default() += 1;
            "failed, with a phrase"
        } else {
            "answered"
        };
        *self.answers.entry(sort).or_default() += 1;
    }
}

/// What a phrase is about, by words that it has for that alone.
fn cause(text: &str) -> &'static str {
    const CAUSES: [(&str, &str); 8] = [
        ("sign-in page", "a sign-in page"),
        ("answered 429", "429"),
        ("answered 500", "500"),
        ("answered 404", "there is no such thing"),
        ("was cut short", "half an answer"),
        ("before an answer came", "reset"),
        ("no whole answer within", "no answer in time"),
        ("`id` must be", "arguments that bb does not take"),
    ];
    let found = CAUSES.iter().find(|(words, _)| text.contains(words));
    found.map_or("something else", |(_, cause)| cause)
}

fn tell(many: usize, took: Duration, counts: &Counts, looks: &[(usize, Held)], lines: usize) {
    let a_second = many as f64 / took.as_secs_f64();
    println!(
        "{many} calls, {AT_ONCE} at a time: {:.0} s, {a_second:.0} a second; {lines} lines recorded\n",
        took.as_secs_f64()
    );
    println!("| outcome | calls |\n|---|---|");
    for (sort, count) in &counts.answers {
        println!("| {sort} | {count} |");
    }
    for (cause, count) in &counts.failures {
        println!("| of these: {cause} | {count} |");
    }
    println!("\n| after calls | memory (VmRSS), KiB | threads | descriptors |\n|---|---|---|---|");
    for (answered, held) in looks {
        println!(
            "| {answered} | {} | {} | {} |",
            held.memory_kib, held.threads, held.descriptors
        );
    }
}
