//! Progress: what a call is doing, told to a client that gave a token, from one second on.
//!
//! Never waits for the client: a report that would wait is left out. Runs on the thread `bb-progress`,
//! since the call's own thread is busy, often inside one slow request.

use super::{Calls, Table, notification};
use crate::mcp::caller::Version;
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

/// From when on, and how often, a working call is told of.
const EVERY: Duration = Duration::from_secs(1);
/// How often a call is told of that waits for a person.
const EVERY_WHILE_ASKING: Duration = Duration::from_secs(10);
/// With nothing to tell, the thread sleeps until the table changes, and no longer than this.
const IDLE: Duration = Duration::from_secs(60);

/// What one call has told.
pub(super) struct Progress {
    token: Value,
    version: Version,
    began: Instant,
    due: Instant,
    told: u64,
    step: String,
    is_asking: bool,
}

impl Progress {
    pub(super) fn new(token: Value, version: Version, now: Instant) -> Self {
        Self {
            token,
            version,
            began: now,
            due: now + EVERY,
            told: 0,
            step: String::new(),
            is_asking: false,
        }
    }

    pub(super) fn step(&mut self, what: &str) {
        what.clone_into(&mut self.step);
    }

    pub(super) fn asking(&mut self, is_asking: bool, now: Instant) {
        self.is_asking = is_asking;
        let every = if is_asking { EVERY_WHILE_ASKING } else { EVERY };
        self.due = now + every;
    }

    /// The report that is due by `now`: its number counts the seconds since the call came, and grows.
    fn report(&mut self, now: Instant) -> Option<Value> {
        if now < self.due {
            return None;
        }
        self.due = now
            + if self.is_asking {
                EVERY_WHILE_ASKING
            } else {
                EVERY
            };
        self.told = (self.told + 1).max(now.duration_since(self.began).as_secs());
        let mut params = json!({"progressToken": self.token, "progress": self.told});
        if self.version >= Version::V2025_03_26 && !self.step.is_empty() {
            params["message"] = json!(self.step);
        }
        Some(notification("notifications/progress", params))
    }
}

/// Starts the thread; it ends when nothing will be sent any more.
pub(super) fn start(calls: &Arc<Calls>) -> io::Result<()> {
    let calls = Arc::clone(calls);
    Builder::new()
        .name("bb-progress".to_owned())
        .spawn(move || run(&calls))?;
    Ok(())
}

fn run(calls: &Calls) {
    let mut table = calls.table();
    while !table.is_over {
        let now = Instant::now();
        let mut next = now + IDLE;
        let Table { open, .. } = &mut *table;
        for progress in open.values_mut().filter_map(|open| open.progress.as_mut()) {
            if let Some(report) = progress.report(now) {
                // What a client that does not read was not told, it is told no later than the next time.
                calls.writer.try_send(report.to_string().into_bytes());
            }
            next = next.min(progress.due);
        }
        table = calls.pause(table, next.saturating_duration_since(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_who_takes_90_seconds_is_told_of_nine_times() {
        let began = Instant::now();
        let mut progress = Progress::new(json!("p"), Version::V2025_11_25, began);
        progress.asking(true, began);
        let mut told = Vec::new();
        for second in 1..=90 {
            if let Some(report) = progress.report(began + Duration::from_secs(second)) {
                told.push((second, report["params"]["progress"].clone()));
            }
        }
        let expected: Vec<(u64, Value)> = (1..=9).map(|ten| (ten * 10, json!(ten * 10))).collect();
        assert_eq!(told, expected);
        // Back at work it is told of each second again.
        let answered = began + Duration::from_secs(90);
        progress.asking(false, answered);
        assert!(progress.report(answered + EVERY).is_some());
    }
}
