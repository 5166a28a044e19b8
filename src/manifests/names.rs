//! The grammars of names, each over the whole text and in ASCII alone.
//!
//! Never trims or folds. Start reading at [`is_app_id`].

/// The longest name of a tool, also with the id before it.
pub const MAX_TOOL_CHARS: usize = 64;

/// A lowercase letter, then lowercase letters, digits and underscores; at most 32.
pub fn is_app_id(text: &str) -> bool {
    let is_rest = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    text.len() <= 32
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(is_rest)
}

/// Runs of lowercase letters and digits joined by single hyphens; at most 64.
pub fn is_view_name(text: &str) -> bool {
    let is_run = |run: &str| {
        let mut bytes = run.bytes();
        !run.is_empty() && bytes.all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'))
    };
    text.len() <= 64 && text.split('-').all(is_run)
}

/// A letter, then letters, digits and underscores; at most 64.
pub fn is_tool_name(text: &str) -> bool {
    let is_rest = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= MAX_TOOL_CHARS
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(is_rest)
}

/// A letter or digit, then letters, digits, dots, pluses, underscores and hyphens; at most 64.
pub fn is_version(text: &str) -> bool {
    let is_rest = |byte: u8| byte.is_ascii_alphanumeric() || b".+_-".contains(&byte);
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(is_rest)
}

/// Whether no manifest may take this id.
pub fn is_reserved_id(id: &str) -> bool {
    ["owner", "app", "system", "bb", "bitbucket"].contains(&id) || id.starts_with("bb_")
}

/// Whether nothing is left of a text without its white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c == '\u{feff}')
}

/// How long a text is as titles and descriptions are measured.
pub fn units(text: &str) -> usize {
    text.encode_utf16().count()
}
