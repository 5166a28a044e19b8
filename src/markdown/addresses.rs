//! Which addresses may open, and where one stands bare in a text.
//!
//! Never asks a network whether an address is there. Start reading at [`web_address`].

/// The address, cleaned, if it is one for the web; nothing else ever becomes a link.
///
/// A browser drops tabs and line ends anywhere in an address, and control signs and blanks around it, before it
/// looks at the scheme. So does this, and only then decides. Entities were decoded by the reader of Markdown.
pub fn web_address(address: &str) -> Option<String> {
    let is_dropped = |sign: char| {
        sign.is_control()
            || matches!(sign, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let cleaned: String = address.chars().filter(|sign| !is_dropped(*sign)).collect();
    let cleaned = cleaned.trim();
    let (scheme, rest) = cleaned.split_once("://")?;
    let scheme = ["http", "https"]
        .into_iter()
        .find(|known| scheme.eq_ignore_ascii_case(known))?;
    let host = rest.split(['/', '?', '#']).next()?;
    if host.is_empty() || host.contains(char::is_whitespace) || host.contains('\\') {
        return None;
    }
    Some(format!("{scheme}://{}", rest.replace(' ', "%20")))
}

/// Cuts a text into what is a bare address and what is not, in order; joined, the parts are the text.
pub(super) fn pieces(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut look = 0;
    while let Some(start) = text[look..].find("http").map(|at| look + at) {
        look = start + "http".len();
        let rest = &text[start..];
        let is_scheme = rest.starts_with("http://") || rest.starts_with("https://");
        let is_at_word = text[..start]
            .chars()
            .next_back()
            .is_none_or(|before| !before.is_alphanumeric());
        if !is_scheme || !is_at_word {
            continue;
        }
        let length = address_length(rest);
        let after_scheme = rest.find("://").map_or(0, |at| at + "://".len());
        if length <= after_scheme {
            continue;
        }
        if start > from {
            found.push((&text[from..start], false));
        }
        from = start + length;
        look = from;
        found.push((&text[start..from], true));
    }
    if from < text.len() {
        found.push((&text[from..], false));
    }
    found
}

/// How long the address is that `text` begins with: to a blank or a sign that cannot be in one, without the signs
/// that end a sentence, and without a closing bracket that it does not open.
fn address_length(text: &str) -> usize {
    let is_end = |sign: char| {
        sign.is_whitespace() || sign.is_control() || matches!(sign, '<' | '>' | '"' | '`' | '|')
    };
    let mut address = &text[..text.find(is_end).unwrap_or(text.len())];
    // Counted once: for each sign taken off, a long row of brackets would be counted anew.
    let count = |sign: char| address.matches(sign).count();
    let mut unopened_round = count(')').saturating_sub(count('('));
    let mut unopened_square = count(']').saturating_sub(count('['));
    while let Some(last) = address.chars().next_back() {
        let is_spare = match last {
            '.' | ',' | ':' | ';' | '!' | '?' | '\'' | '*' | '_' | '~' => true,
            ')' => take_one(&mut unopened_round),
            ']' => take_one(&mut unopened_square),
            _ => false,
        };
        if !is_spare {
            break;
        }
        address = &address[..address.len() - last.len_utf8()];
    }
    address.len()
}

/// Takes one of what is left; whether there was one.
fn take_one(left: &mut usize) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
}
