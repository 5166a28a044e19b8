//! Names that mean nothing to whoever runs the script, made short: the page has a bound, and its sources have long names.
//!
//! Never renames a property, a text or what the browser gives: only what `view/` itself declares, the same everywhere, so
//! that what is meant stays what is meant. Start reading at [`script`].

use std::collections::{BTreeMap, BTreeSet};

/// A word of a script outside of its texts, by its place in bytes.
pub(super) struct Word {
    /// Where it begins.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// Whether the innermost bracket around it is that of an object, or of a pattern.
    pub(super) in_object: bool,
}

#[derive(PartialEq, Eq)]
enum Role {
    Name,
    /// A name that is a property's too: `{name}`.
    Both,
    Property,
}

/// Two-sign words that are no names.
const KEYWORDS: [&str; 4] = ["do", "if", "in", "of"];

/// The script with what it declares renamed, the most used shortest.
pub(super) fn script(text: &str, words: &[Word]) -> String {
    let of = |word: &Word| &text[word.start..word.end];
    let declared: BTreeSet<&str> = words
        .windows(2)
        .filter(|pair| matches!(of(&pair[0]), "function" | "const" | "let"))
        .filter(|pair| &text[pair[0].end..pair[1].start] == " ")
        .map(|pair| of(&pair[1]))
        .collect();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for word in words {
        if declared.contains(of(word)) && role(text, word) != Role::Property {
            *uses.entry(of(word)).or_default() += 1;
        }
    }
    let mut names: Vec<_> = uses
        .into_iter()
        .filter(|(name, _)| name.len() > 2)
        .collect();
    names.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let taken: BTreeSet<&str> = words.iter().map(of).collect();
    let free = shortest().filter(|short| !taken.contains(short.as_str()));
    let short: BTreeMap<&str, String> = names.into_iter().map(|(name, _)| name).zip(free).collect();

    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for word in words {
        let Some(short) = short.get(of(word)) else {
            continue;
        };
        let role = role(text, word);
        if role == Role::Property {
            continue;
        }
        out.push_str(&text[done..word.start]);
        if role == Role::Both {
            out.push_str(of(word));
            out.push(':');
        }
        out.push_str(short);
        done = word.end;
    }
    out.push_str(&text[done..]);
    out
}

fn role(text: &str, word: &Word) -> Role {
    let before = &text[..word.start];
    let next = text[word.end..].chars().next().unwrap_or('\n');
    if before.ends_with('.') && !before.ends_with("...") {
        return Role::Property;
    }
    if !word.in_object || !before.ends_with(['{', ',']) {
        return Role::Name;
    }
    match next {
        ':' | '(' => Role::Property,
        ',' | '}' | '=' => Role::Both,
        _ => Role::Name,
    }
}

/// Every name of one sign, then of two.
fn shortest() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('A'..='Z');
    let pairs = letters().flat_map(move |first| {
        letters()
            .chain('0'..='9')
            .map(move |second| format!("{first}{second}"))
    });
    letters()
        .map(String::from)
        .chain(pairs)
        .filter(|name| !KEYWORDS.contains(&name.as_str()))
}
