//! Diffs as text for the model: a unified diff, opened by one line a file.
//!
//! Never lets a changed line pass for one of its own: each begins with a blank, `+`, `-`, `@` or `\`, and no line end
//! inside one survives. Start reading at [`answer`]; [`print()`] is for whoever wants the text alone.

use crate::clean;
use crate::domain::count::Count;
use crate::domain::diff::{FileDiff, Hunk, Line, LineKind, Span};
use crate::tool::answer::{Answer, MAX_TEXT_CHARS};
use crate::tools::shapes;
use crate::words;
use serde_json::{Value, json};

/// A line of code that is longer is cut: minified files have lines of megabytes.
const MAX_LINE_CHARS: usize = 4_000;
/// Linux takes paths of 4,096 bytes.
const MAX_PATH_CHARS: usize = 4_096;
/// Room for what is said around the diffs.
const FRAME_CHARS: usize = 2_500;
/// Room for the opening lines of files whose diffs are not there.
const REST_CHARS: usize = 8_000;

/// Files with their diffs, and what they are part of.
#[derive(Debug)]
pub struct Shown<'a> {
    /// What they are the diff of, as it stands in a sentence: `pull request 42 of ACME/rocket`.
    pub of: String,
    /// All files, in Bitbucket's order.
    pub files: &'a [FileDiff],
    /// How many there are in all, if that is known; else at least as many as there are here.
    pub total: Option<u64>,
    /// The place of the first file whose diff is wanted, from 0.
    pub start: usize,
    /// How many files' diffs are wanted.
    pub limit: usize,
    /// What else there is to say, a sentence without its full stop each.
    pub notes: Vec<String>,
}

/// The text of some files' diffs.
#[derive(Debug, PartialEq, Eq)]
pub struct Printed {
    /// The text; each file's part ends in a line feed.
    pub text: String,
    /// How many files it has, counted from the first: whole ones, or one that is cut.
    pub files: usize,
    /// Whether the one file that it has is cut.
    pub is_cut: bool,
}

/// The answer of a tool whose text is a diff: as many whole files as fit, then the opening lines of the others. Of a
/// file that alone is too long, as many hunks and lines as fit.
pub fn answer(shown: Shown) -> Answer {
    let start = shown.start.min(shown.files.len());
    let end = start.saturating_add(shown.limit).min(shown.files.len());
    let notes: usize = shown.notes.iter().map(|note| note.chars().count()).sum();
    let room = MAX_TEXT_CHARS.saturating_sub(FRAME_CHARS + REST_CHARS + notes);
    let printed = print(&shown.files[start..end], room);
    let next = start + printed.files;
    let has_more = next < shown.files.len();
    let mut summary = vec![head(&shown, start, next)];
    summary.extend(shown.notes.iter().cloned());
    if has_more {
        let why = match next < end {
            true => format!("the answer was cut at {MAX_TEXT_CHARS} characters"),
            false => "more files follow".to_owned(),
        };
        summary.push(format!(
            "{why}: go on with start_file {next}, or with path for one file"
        ));
    }
    let (names, unnamed) = opening_lines(&shown.files[next..], REST_CHARS);
    let mut text = printed.text;
    if !names.is_empty() {
        text.push_str("\nChanged as well, not shown here:\n");
        text.push_str(&names);
        if unnamed > 0 {
            text.push_str(&format!("… and {}\n", words::counted(unnamed, "more file")));
        }
    }
    Answer::diff(json!({
        "summary": summary.join("\n"),
        "diff": text,
        "files": shown.files[start..next].iter().map(entry).collect::<Vec<Value>>(),
        "shown": next - start,
        "total": shown.total,
        "more": Some(true).filter(|_| shown.total.is_none()),
        "at_least": Some(shown.files.len()).filter(|_| shown.total.is_none()),
        "next": Some(next).filter(|_| has_more),
        "cut": Some(true).filter(|_| printed.is_cut),
    }))
}

fn head(shown: &Shown, start: usize, next: usize) -> String {
    let of = clean::code(&shown.of, 600);
    let read = shown.files.len() as u64;
    let count = shown.total.map_or(Count::AtLeast(read), Count::Exact);
    let all = words::of_count(count, "changed file");
    let whole = start == 0 && next == shown.files.len();
    match (whole, next - start) {
        (true, _) => format!("{of}: {all}"),
        (false, 0) => format!("{of}: {all}; there is none from start_file {start} on"),
        (false, 1) => format!("{of}: {all}; shown is file {start}, counted from 0"),
        (false, _) => format!(
            "{of}: {all}; shown are files {start} to {}, counted from 0",
            next - 1
        ),
    }
}

/// What a manifest's template reads of one file.
fn entry(file: &FileDiff) -> Value {
    let sums = file.sums();
    json!({
        "path": file.change.path,
        "srcPath": file.change.source_path,
        "type": file.change.kind.word(),
        "added": sums.map(|(added, _)| added),
        "removed": sums.map(|(_, removed)| removed),
        "comments": Some(file.comment_count()).filter(|count| *count > 0),
        "note": words::file(file),
    })
}

/// JSON Schema of [`answer`]'s value.
pub fn schema() -> Value {
    let text = json!({"type": "string"});
    let number = json!({"type": "integer"});
    shapes::object(json!({
        "summary": text, "diff": text, "shown": number, "total": number,
        "more": {"type": "boolean"}, "at_least": number, "next": number, "cut": {"type": "boolean"},
        "files": {"type": "array", "items": shapes::object(json!({
            "path": text, "srcPath": text, "type": text, "added": number, "removed": number,
            "comments": number, "note": text,
        }))},
    }))
}

/// Prints files until the next one does not fit into `max_chars`. The first is there in any case, cut where it must
/// be, and then it is the only one.
pub fn print(files: &[FileDiff], max_chars: usize) -> Printed {
    let mut printed = Printed {
        text: String::new(),
        files: 0,
        is_cut: false,
    };
    let mut left = max_chars;
    for file in files {
        let mut part = Part::new(left);
        part.file(file);
        if part.is_full && printed.files > 0 {
            break;
        }
        left -= part.chars.min(left);
        printed.text.push_str(&part.text);
        printed.files += 1;
        printed.is_cut = part.is_full;
        if part.is_full {
            break;
        }
    }
    printed
}

/// The line that opens a file: `=== Moved launch/pad.sh from tools/pad.sh (+1 -1, 2 comments)`.
pub fn opening_line(file: &FileDiff) -> String {
    let change = &file.change;
    let path = match change.path.as_str() {
        "" => "(a file without a name)".to_owned(),
        path => clean::code(path, MAX_PATH_CHARS),
    };
    let mut line = format!("=== {} {path}", clean::line(change.kind.word(), 40));
    if let Some(from) = &change.source_path {
        line.push_str(&format!(" from {}", clean::code(from, MAX_PATH_CHARS)));
    }
    let mut facts = Vec::new();
    if let Some((added, removed)) = file.sums() {
        facts.push(format!("+{added} -{removed}"));
    }
    if file.comment_count() > 0 {
        facts.push(words::counted(file.comment_count(), "comment"));
    }
    if ends_in_carriage_returns(file) {
        facts.push("CRLF line ends".to_owned());
    }
    if !facts.is_empty() {
        line.push_str(&format!(" ({})", facts.join(", ")));
    }
    if let Some(words) = words::file(file) {
        line.push_str(&format!(": {words}"));
    }
    line
}

/// As many opening lines as fit, and how many did not.
fn opening_lines(files: &[FileDiff], max_chars: usize) -> (String, u64) {
    let mut text = String::new();
    let mut left = max_chars;
    for (at, file) in files.iter().enumerate() {
        let line = opening_line(file);
        let Some(rest) = left.checked_sub(line.chars().count() + 1) else {
            return (text, (files.len() - at) as u64);
        };
        left = rest;
        text.push_str(&line);
        text.push('\n');
    }
    (text, 0)
}

/// Whether every line has a carriage return at its end: then none needs to be shown.
fn ends_in_carriage_returns(file: &FileDiff) -> bool {
    file.lines().next().is_some() && file.lines().all(|line| line.text.ends_with('\r'))
}

/// The text of one file, as far as it fits.
struct Part {
    text: String,
    chars: usize,
    max_chars: usize,
    reserved_chars: usize,
    is_full: bool,
}

/// Room for the line that says how to read on, besides the path in it.
const READ_ON_CHARS: usize = 200;

impl Part {
    fn new(max_chars: usize) -> Self {
        Self {
            text: String::new(),
            chars: 0,
            max_chars,
            reserved_chars: 0,
            is_full: false,
        }
    }

    fn file(&mut self, file: &FileDiff) {
        let path = clean::code(&file.change.path, MAX_PATH_CHARS);
        self.reserved_chars = READ_ON_CHARS + path.chars().count();
        self.push(&opening_line(file));
        let drops_returns = ends_in_carriage_returns(file);
        for hunk in file.hunks() {
            // A header without a line below it tells nothing.
            self.line_of(&header(hunk), hunk.lines.first(), file);
            for line in &hunk.lines {
                if self.is_full {
                    return;
                }
                self.line(line, file, drops_returns);
            }
            if hunk.is_truncated && !self.is_full {
                self.push("\\ Bitbucket cut this part of the diff here");
            }
        }
    }

    fn line(&mut self, line: &Line, file: &FileDiff, drops_returns: bool) {
        let sign = match line.kind {
            LineKind::Context => ' ',
            LineKind::Added => '+',
            LineKind::Removed => '-',
        };
        let text = match drops_returns {
            true => line.text.trim_end_matches('\r'),
            false => &line.text,
        };
        let printed = format!("{sign}{}", clean::code(text, MAX_LINE_CHARS));
        self.line_of(&printed, Some(line), file);
        if self.is_full {
        } else if line.is_truncated {
            self.push("\\ Bitbucket cut the line above");
        } else if text.chars().nth(MAX_LINE_CHARS).is_some() {
            self.push(&format!(
                "\\ The line above is cut at {MAX_LINE_CHARS} characters"
            ));
        }
    }

    /// Adds a line if it fits with the one that says how to read on, which takes its place if not.
    fn line_of(&mut self, text: &str, at: Option<&Line>, file: &FileDiff) {
        if self.is_full {
            return;
        }
        let chars = text.chars().count() + 1;
        if self.chars + chars + self.reserved_chars <= self.max_chars {
            self.push(text);
            return;
        }
        self.is_full = true;
        let path = clean::code(&file.change.path, MAX_PATH_CHARS);
        let way = match at.and_then(|line| line.destination) {
            Some(line) => {
                format!("get_file, at the newer end, reads on from start_line {line} of `{path}`")
            }
            None => "the page in Bitbucket has all".to_owned(),
        };
        self.push(&format!(
            "\\ The answer is cut here, inside the diff of this file: {way}"
        ));
    }

    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.chars += line.chars().count() + 1;
    }
}

/// `@@ -4,3 +4,3 @@ main() {`
fn header(hunk: &Hunk) -> String {
    let side = |span: Span| format!("{},{}", span.line, span.lines);
    let mut text = format!("@@ -{} +{} @@", side(hunk.source), side(hunk.destination));
    if !hunk.context.is_empty() {
        text.push(' ');
        text.push_str(&clean::code(&hunk.context, 200));
    }
    text
}

#[cfg(test)]
mod tests;
