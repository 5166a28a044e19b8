//! Threads with a lexer that hangs, panics and counts when told to.

use super::{Inner, Lexer, Lexing, Limits, Pool};
use crate::highlight::classes::{Class, Line, Runs};
use crate::highlight::kept::Kept;
use crate::highlight::languages::Language;
use crate::highlight::{Highlighted, Highlighter, Named, Source, Templates};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(100);

/// What the lexer saw, and whether its hanging lines may end.
#[derive(Default)]
struct Seen {
    lines: Mutex<(Vec<String>, bool)>,
    changed: Condvar,
}

impl Seen {
    fn release(&self) {
        self.lines.lock().expect("no test panics in here").1 = true;
        self.changed.notify_all();
    }

    /// The lines in the order that they were begun.
    fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("no test panics in here").0.clone()
    }
}

struct Told(Arc<Seen>);

impl Lexer for Told {
    fn start(&self, _: Language) -> Option<Box<dyn Lexing>> {
        Some(Box::new(Told(Arc::clone(&self.0))))
    }
}

impl Lexing for Told {
    fn line(&mut self, text: &str) -> Option<Line> {
        if text.starts_with("panic") {
            panic!("as told");
        }
        let mut seen = self.0.lines.lock().expect("no test panics in here");
        seen.0.push(text.to_owned());
        while text.starts_with("hang") && !seen.1 {
            seen = self.0.changed.wait(seen).expect("no test panics in here");
        }
        let mut runs = Runs::default();
        runs.push(Class::Keyword, text);
        Some(runs.line())
    }
}

/// A highlighter over such a lexer, whose lines end with the test at the latest.
struct Stage {
    highlighter: Highlighter,
    seen: Arc<Seen>,
    inner: Arc<Inner>,
}

impl Stage {
    fn new(patience: Duration) -> Self {
        let seen = Arc::new(Seen::default());
        let limits = Limits {
            patience,
            stuck_after: patience,
            afterwards: LONG,
        };
        let pool = Pool::new(
            Box::new(Told(Arc::clone(&seen))),
            Kept::new(1 << 20),
            limits,
        );
        let inner = Arc::clone(&pool.0);
        let highlighter = Highlighter {
            deadline: SHORT,
            templates: Templates::Plain,
            pool: Some(Arc::new(pool)),
        };
        Self {
            highlighter,
            seen,
            inner,
        }
    }

    fn ask(&self, files: &[&[&str]], within: Duration) -> Highlighted {
        self.highlighter
            .lines(&sources(files), Instant::now() + within)
    }

    fn threads(&self) -> usize {
        self.inner.state().workers.len()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.seen.release();
    }
}

fn sources(files: &[&[&str]]) -> Vec<Source> {
    let source = |lines: &&[&str]| Source {
        named: Named::file("a.c"),
        blocks: vec![lines.iter().map(|line| (*line).to_owned()).collect()],
    };
    files.iter().map(source).collect()
}

/// Of each file, how many of its lines have colors.
fn colored(made: &Highlighted) -> Vec<usize> {
    let count = |blocks: &Vec<Vec<Line>>| {
        blocks
            .iter()
            .flatten()
            .filter(|line| !line.is_plain())
            .count()
    };
    made.files.iter().map(count).collect()
}

#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + LONG;
    while !is_so() {
        assert!(Instant::now() < until, "{what} does not come");
        std::thread::yield_now();
    }
}

#[test]
fn a_file_behind_a_line_that_hangs_has_its_colors() {
    let stage = Stage::new(Duration::from_millis(5));
    let made = stage.ask(
        &[&["one", "hang", "two"], &["three"]],
        Duration::from_secs(1),
    );
    assert_eq!(colored(&made), [1, 1]);
    assert!(!made.is_whole);
    assert_eq!(stage.threads(), 2);
    stage.seen.release();
    // Of two with nothing to do, one goes; what hung is known by the next read.
    wait_until("one thread", || stage.threads() == 1);
    assert_eq!(colored(&stage.ask(&[&["one", "hang", "two"]], LONG)), [3]);
}

#[test]
fn two_lines_that_hang_turn_highlighting_off_until_one_returns() {
    let stage = Stage::new(Duration::from_millis(5));
    let made = stage.ask(
        &[&["hang 1"], &["hang 2"], &["three"]],
        Duration::from_secs(1),
    );
    assert_eq!(colored(&made), [0, 0, 0]);
    assert_eq!(stage.threads(), 2);

    // Nothing to wait for: an answer that waited would take all this time.
    let asked = Instant::now();
    let made = stage.ask(&[&["four"]], LONG);
    assert!(asked.elapsed() < LONG && !made.is_whole);
    assert_eq!(colored(&made), [0]);

    stage.seen.release();
    wait_until("highlighting", || {
        colored(&stage.ask(&[&["four"]], LONG)) == [1]
    });
    wait_until("one thread", || stage.threads() == 1);
}

#[test]
fn twenty_answers_leave_one_thread_and_the_last_handle_ends_it() {
    let stage = Stage::new(LONG);
    for turn in 0..20 {
        let line = format!("turn {turn}");
        assert_eq!(colored(&stage.ask(&[&[&line]], LONG)), [1]);
        assert_eq!(stage.threads(), 1);
    }
    let inner = Arc::clone(&stage.inner);
    let handle = stage.highlighter.clone();
    drop(stage);
    assert_eq!(
        inner.state().workers.len(),
        1,
        "a clone of the handle is left"
    );
    drop(handle);
    wait_until("the thread's end", || inner.state().workers.is_empty());
}

#[test]
fn a_panic_costs_the_rest_of_its_own_file_its_colors() {
    let stage = Stage::new(LONG);
    let made = stage.ask(&[&["one", "panic", "two"], &["three"]], LONG);
    assert_eq!(colored(&made), [1, 1]);
    assert!(made.is_whole, "no second try would do better");
    assert_eq!(stage.threads(), 1);
    assert_eq!(stage.seen.lines(), ["one", "three"]);
}

#[test]
fn what_was_late_goes_on_and_is_there_for_the_next_read() {
    let stage = Stage::new(LONG);
    let file: &[&str] = &["one", "hang", "two", "three"];
    let made = stage.ask(&[file], SHORT);
    assert!(!made.is_whole);
    stage.seen.release();
    wait_until("the rest", || stage.ask(&[file], SHORT).is_whole);
    assert_eq!(colored(&stage.ask(&[file], SHORT)), [4]);
    assert_eq!(stage.seen.lines(), file, "each line was read once");
}

#[test]
fn late_work_gives_way_to_who_waits_and_goes_on_where_it_stopped() {
    let stage = Stage::new(LONG);
    stage.ask(&[&["hang", "late 1", "late 2"]], SHORT);
    wait_until("the line that hangs", || !stage.seen.lines().is_empty());
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| stage.ask(&[&["now 1", "now 2"]], LONG));
        wait_until("the newer question", || {
            stage.inner.state().waiting.len() == 1
        });
        stage.seen.release();
        assert_eq!(colored(&asked.join().expect("no panic")), [2]);
    });
    wait_until("the rest", || {
        stage.ask(&[&["hang", "late 1", "late 2"]], SHORT).is_whole
    });
    assert_eq!(
        stage.seen.lines(),
        ["hang", "now 1", "now 2", "late 1", "late 2"]
    );
}

#[test]
fn what_is_too_late_is_let_go() {
    let mut stage = Stage::new(LONG);
    let limits = Limits {
        patience: LONG,
        stuck_after: LONG,
        afterwards: Duration::ZERO,
    };
    let pool = Pool::new(
        Box::new(Told(Arc::clone(&stage.seen))),
        Kept::new(1 << 20),
        limits,
    );
    stage.inner = Arc::clone(&pool.0);
    stage.highlighter.pool = Some(Arc::new(pool));
    stage.ask(
        &[&["one", "hang", "two"], &["three"]],
        Duration::from_secs(1),
    );
    stage.seen.release();
    let is_idle = || {
        stage
            .inner
            .state()
            .workers
            .iter()
            .all(|worker| worker.in_line_since.is_none())
    };
    wait_until("an idle worker", is_idle);
    assert_eq!(stage.seen.lines(), ["one", "hang"]);
    // What was made of it is kept all the same.
    let made = stage.ask(&[&["one", "hang", "two"]], Duration::from_nanos(1));
    assert_eq!(colored(&made), [0], "no time to look");
    assert_eq!(colored(&stage.ask(&[&["one", "hang", "two"]], LONG)), [3]);
}
