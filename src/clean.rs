//! Hostile text made safe for the model and the terminal.
//!
//! Never drops a character silently: what could hide, reorder or command is shown as `<U+202E>`, so
//! a reader sees that it was there. Start reading at [`line()`].

/// Makes `text` one line of at most `max` characters. Line ends, tabs and runs of blanks become one
/// blank; a text that is longer ends in `…`, which counts as one of the `max`.
pub fn line(text: &str, max: usize) -> String {
    let mut out = Out::new(max);
    let mut previous = None;
    let mut is_blank_due = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if is_line_end(c) || c == '\t' || c == ' ' {
            is_blank_due = !out.is_empty();
        } else {
            if is_blank_due {
                out.push(' ');
                is_blank_due = false;
            }
            out.show(c, previous, chars.peek().copied());
        }
        previous = Some(c);
        if out.is_full {
            break;
        }
    }
    out.text
}

/// Makes `text` safe and keeps its lines: `\r\n` and a lone `\r` become `\n`, tabs stay, and a text
/// of more than `max` characters ends in `…`, which counts as one of them.
pub fn text(text: &str, max: usize) -> String {
    let mut out = Out::new(max);
    let mut previous = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' | '\n' => out.push('\n'),
            '\t' => out.push('\t'),
            _ => out.show(c, previous, chars.peek().copied()),
        }
        previous = Some(c);
        if out.is_full {
            break;
        }
    }
    out.text
}

/// Makes `text` one line of at most `max` characters and keeps its blanks and tabs, as code and paths need: a line end
/// in it is shown as `<U+000D>`, so nothing in it can begin a line. A text that is longer ends in `…`.
pub fn code(text: &str, max: usize) -> String {
    let mut out = Out::new(max);
    let mut previous = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\t' => out.push('\t'),
            _ => out.show(c, previous, chars.peek().copied()),
        }
        previous = Some(c);
        if out.is_full {
            break;
        }
    }
    out.text
}

/// Collects characters up to a limit.
struct Out {
    text: String,
    left: usize,
    is_full: bool,
}

impl Out {
    fn new(max: usize) -> Self {
        Self {
            text: String::new(),
            left: max,
            is_full: false,
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn show(&mut self, c: char, previous: Option<char>, next: Option<char>) {
        if is_hidden(c, previous, next) {
            self.push_str(&format!("<U+{:04X}>", u32::from(c)));
        } else {
            self.push(c);
        }
    }

    fn push(&mut self, c: char) {
        self.push_str(c.encode_utf8(&mut [0; 4]));
    }

    /// Adds a piece that must not be cut in two.
    fn push_str(&mut self, piece: &str) {
        if self.is_full {
            return;
        }
        let chars = piece.chars().count();
        if chars <= self.left {
            self.text.push_str(piece);
            self.left -= chars;
            return;
        }
        self.is_full = true;
        if self.left == 0 {
            // The mark takes the place of the last character.
            if self.text.pop().is_none() {
                return;
            }
        }
        self.text.push('…');
    }
}

fn is_line_end(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Whether a character has no look of its own: it commands a terminal, turns the direction of what
/// follows, or takes no room. Joiners and variation selectors are left alone where writing systems
/// and emoji need them.
fn is_hidden(c: char, previous: Option<char>, next: Option<char>) -> bool {
    let is_script =
        |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !is_selector(c) && !is_joiner(c));
    match c {
        _ if c.is_control() => true,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => {
            true
        }
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' => true,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => true,
        '\u{e0000}'..='\u{e0fff}' => true,
        _ if is_joiner(c) => {
            let is_after = is_script(previous) || previous.is_some_and(is_selector);
            !(is_after && is_script(next))
        }
        _ if is_selector(c) => !is_script(previous),
        _ => false,
    }
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
}

#[cfg(test)]
mod tests;
