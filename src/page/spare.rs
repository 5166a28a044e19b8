//! What a source of the page says to a browser alone, told apart as bb is compiled: its comments and its indentation
//! are for readers of `view/`, and would be a hundred kilobytes of the program.
//!
//! Never changes a line that says something. Start reading at [`length`]; [`of`] is its sibling.

/// How many bytes of a source are left.
pub(super) const fn length(text: &[u8]) -> usize {
    copy(text, &mut [])
}

/// What is left of a source: `N` is its [`length`].
pub(super) const fn of<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut spare = [0; N];
    copy(text, &mut spare);
    spare
}

/// Copies the lines that say something, without what stands before them, as far as there is room; says how long they are.
pub(super) const fn copy(text: &[u8], to: &mut [u8]) -> usize {
    let mut length = 0;
    let mut at = 0;
    let mut in_comment = false;
    while at < text.len() {
        while at < text.len() && text[at] == b' ' {
            at += 1;
        }
        let start = at;
        while at < text.len() && text[at] != b'\n' {
            at += 1;
        }
        let is_comment = in_comment || begins(text, start, b"//") || begins(text, start, b"/*");
        if in_comment || begins(text, start, b"/*") {
            in_comment = !ends_a_comment(text, start, at);
        }
        let mut from = start;
        while from < at && !is_comment {
            if length < to.len() {
                to[length] = text[from];
            }
            length += 1;
            from += 1;
        }
        at += 1;
        if from > start {
            if length < to.len() {
                to[length] = b'\n';
            }
            length += 1;
        }
    }
    length
}

const fn begins(text: &[u8], at: usize, sign: &[u8; 2]) -> bool {
    at + 1 < text.len() && text[at] == sign[0] && text[at + 1] == sign[1]
}

const fn ends_a_comment(text: &[u8], start: usize, end: usize) -> bool {
    let mut at = start;
    while at < end {
        if begins(text, at, b"*/") {
            return true;
        }
        at += 1;
    }
    false
}
