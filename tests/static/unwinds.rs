//! Ends with 0 if a panic unwinds and can be caught, in this thread and in another.
//! Never part of bb: `.ci/static` builds it with bb's flags, because a badly linked unwinder crashes instead.
//! Start at `main`.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{panic, thread};

/// How many values an unwinding panic has dropped on its way.
static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

/// Panics `depth` frames down, each with a value that must be dropped on the way up.
#[inline(never)]
#[expect(clippy::panic, reason = "a panic is what is tried here")]
fn panics(depth: u32) -> u32 {
    let _dropped_on_the_way = Counted;
    match depth {
        0 => panic!("a panic that must be caught"),
        _ => panics(depth - 1) + 1,
    }
}

fn main() -> ExitCode {
    panic::set_hook(Box::new(|_| {}));
    let here = panic::catch_unwind(|| panics(3)).is_err();
    let elsewhere = thread::spawn(|| panics(3)).join().is_err();
    let dropped = DROPPED.load(Ordering::SeqCst) == 8;
    if here && elsewhere && dropped {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
