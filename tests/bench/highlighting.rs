//! How long after its deadline highlighting returns, with all that stalls a grammar before it.
//!
//! Calls the library: the operator's deadline is within an answer, where no client can measure it.

use std::fs;
use std::time::{Duration, Instant};

use bb::highlight::{Highlighter, Named, Source, Templates};

use crate::reading::{Missing, Reading, Unit, ms};
use crate::subject::{Subject, root};

/// How often an answer is highlighted.
const ANSWERS: usize = 20;
/// The deadline that bb has by default.
const DEADLINE: Duration = Duration::from_millis(200);

/// The worst of some answers, each with more code than there is time for, templates among it, and now and then a
/// line that makes its grammar look ahead over and over. No two have a line in common, so that none has its colors from the time before.
pub fn past_deadline(_: &Subject) -> Result<Reading, Missing> {
    let highlighter = Highlighter::new(DEADLINE, Templates::Highlighted);
    // Grammars compile their patterns on first use, once; that is not what is measured.
    let warm: Vec<Source> = sources(ANSWERS)?.into_iter().skip(1).collect();
    highlighter.lines(&warm, Instant::now() + Duration::from_secs(20));
    let mut worst = Duration::ZERO;
    let mut colored = 0;
    for answer in 0..ANSWERS {
        let sources = sources(answer)?;
        let started = Instant::now();
        let made = highlighter.lines(&sources, started + DEADLINE);
        worst = worst.max(started.elapsed().saturating_sub(DEADLINE));
        let lines = made.files.iter().flatten().flatten();
        colored += lines.filter(|line| !line.is_plain()).count();
    }
    let detail = format!("{} lines with colors an answer", colored / ANSWERS);
    Ok(Reading::new(Unit::Ms, ms(worst), 20.0, detail))
}

fn sources(answer: usize) -> Result<Vec<Source>, Missing> {
    let case = root().join("fixtures/cases/10-highlighting-that-stalls");
    let mut sources = Vec::new();
    // Not in each: with two that hang at once highlighting is off, and nothing is measured.
    if answer % 10 == 0 {
        let hangs = format!("{answer} {}", "((a<".repeat(500));
        sources.push(source("a.ts", &hangs));
    }
    for path in [
        case.join("seed.sql"),
        case.join("burn.rs"),
        root().join("view/main.js"),
        root().join("view/el.js"),
        root().join("src/settings/reader.rs"),
        root().join("src/mcp/server.rs"),
        case.join("mail.html.erb"),
    ] {
        let text = fs::read_to_string(&path)
            .map_err(|error| Missing(format!("{} cannot be read: {error}", path.display())))?;
        let text: String = text
            .lines()
            .map(|line| format!("{line} {answer}\n"))
            .collect();
        sources.push(source(&path.to_string_lossy(), &text));
    }
    Ok(sources)
}

fn source(path: &str, text: &str) -> Source {
    Source {
        named: Named::file(path),
        blocks: vec![text.lines().map(str::to_owned).collect()],
    }
}
