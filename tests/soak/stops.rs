//! Many starts, each with calls in flight, and each stopped at a random moment: killed, told to end, or left alone.
//!
//! What must hold: no line that a client reads and no line of the record is cut, and nothing of a process stays.
//! Start at [`run`].

use super::Kept;
use super::mix::{Mix, Numbers};
use super::process::{PATIENCE, Process, record, recorded, whole};
use standin::{Options, StandIn};
use std::process::Command;
use std::time::Duration;

/// The moments are spread over so long after the start, about as long as a start and its calls take.
const SPREAD_US: usize = 30_000;
const CALLS: usize = 6;

#[derive(Clone, Copy)]
enum Way {
    Kill,
    Terminate,
    EndOfInput,
}

/// Starts and stops `many` times and says what held.
pub fn run(many: usize, numbers: &mut Numbers) -> Kept {
    let standin = StandIn::start(Options::default());
    let mix = Mix::new(&standin);
    let audit = record("stops");
    let (mut cut, mut lines, mut left, mut bad_ends) = (0, 0, 0, 0);
    for _ in 0..many {
        let mut process = Process::start(&standin, &audit);
        for id in 1..=CALLS {
            let (tool, arguments) = mix.pick(numbers);
            process.call(id, tool, arguments);
        }
        let moment = numbers.below(SPREAD_US) as u64;
        std::thread::sleep(Duration::from_micros(moment));
        let way = match numbers.below(4) {
            0 => Way::Terminate,
            1 => Way::EndOfInput,
            _ => Way::Kill,
        };
        let pid = process.child.id();
        match way {
            Way::Kill => process.child.kill().expect("it is there"),
            Way::Terminate => {
                let sent = Command::new("kill").arg(pid.to_string()).status();
                sent.expect("a signal can be sent");
            }
            Way::EndOfInput => process.input = None,
        }
        let status = process.child.wait().expect("it ends");
        bad_ends += usize::from(matches!(way, Way::EndOfInput) && !status.success());
        while let Ok(line) = process.lines.recv_timeout(PATIENCE) {
            lines += 1;
            cut += usize::from(whole(&line).is_none());
        }
        left += usize::from(std::path::Path::new(&format!("/proc/{pid}")).exists());
    }
    standin.clear_log();
    let (recorded, are_whole) = recorded(&audit);
    let _ = std::fs::remove_file(&audit);
    println!("\n{many} starts and stops: {lines} lines read, {recorded} recorded");
    vec![
        (format!("{cut} of {lines} lines cut"), cut == 0 && lines > 0),
        (
            format!("{recorded} lines recorded, each whole"),
            are_whole && recorded > 0,
        ),
        (
            format!("{left} processes left"),
            left == 0 && children() == 0,
        ),
        (
            format!("{bad_ends} ends of input that were no success"),
            bad_ends == 0,
        ),
    ]
}

/// Processes of ours that nobody waited for.
///
/// Source: `/proc/self/task/*/children`.
fn children() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("Linux");
    let each = tasks.flatten().map(|task| {
        let children = std::fs::read_to_string(task.path().join("children"));
        children.unwrap_or_default().split_whitespace().count()
    });
    each.sum()
}
