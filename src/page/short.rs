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
    /// Whether it begins a statement right behind one of `const`: another `const` there goes on with that one.
    pub(super) goes_on: bool,
}

#[derive(PartialEq, Eq)]
enum Role {
    Name,
    /// A name that is a property's too: `{name}`.
    Both,
    Property,
}

/// What a script reads of its page without declaring it, so that a parameter of that name keeps it.
const GIVEN: [&str; 8] = [
    "console",
    "document",
    "parent",
    "performance",
    "undefined",
    "window",
    "CSS",
    "URL",
];

/// Two-sign words that are no names.
const KEYWORDS: [&str; 4] = ["do", "if", "in", "of"];

/// The script with what it declares renamed, the most used shortest.
pub(super) fn script(text: &str, words: &[Word]) -> String {
    let of = |word: &Word| &text[word.start..word.end];
    let mut declared: BTreeSet<&str> = words
        .windows(2)
        .filter(|pair| matches!(of(&pair[0]), "function" | "const" | "let"))
        .filter(|pair| &text[pair[0].end..pair[1].start] == " ")
        .map(|pair| of(&pair[1]))
        .collect();
    for (first, last) in lists(text, words) {
        let list = &words[first..=last];
        declared.extend(list.iter().map(of).filter(|name| !GIVEN.contains(name)));
    }
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
        if word.goes_on && of(word) == "const" {
            out.push_str(&text[done..word.start - 1]);
            out.push(',');
            done = word.end + usize::from(text[word.end..].starts_with(' '));
            continue;
        }
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

/// Where a list of plain names stands that declares them, first and last: the parameters of a function, or a pattern.
fn lists(text: &str, words: &[Word]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut first = 0;
    for last in 0..words.len() {
        let next = words.get(last + 1);
        if next.is_some_and(|next| &text[words[last].end..next.start] == ",") {
            continue;
        }
        let (before, after) = (&text[..words[first].start], &text[words[last].end..]);
        let named = before.strip_suffix('(').and_then(|before| {
            let name = words[..first].last()?;
            let is_named = name.end == before.len() && text[..name.start].ends_with("function ");
            is_named.then_some(())
        });
        let is_list = (before.ends_with('(') && after.starts_with(")=>"))
            || (named.is_some() && after.starts_with("){"))
            || (before.ends_with("({") && after.starts_with("})=>"))
            || ["const", "let"].iter().any(|word| {
                let behind = |bracket| {
                    before
                        .strip_suffix(bracket)
                        .is_some_and(|rest: &str| rest.ends_with(word))
                };
                (behind('{') && after.starts_with("}=")) || (behind('[') && after.starts_with("]="))
            });
        if is_list {
            found.push((first, last));
        }
        first = last + 1;
    }
    found
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

/// The sheet with the properties that it gives itself renamed, the most used shortest. No script knows them (a test looks).
pub(super) fn styles(text: &str) -> String {
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for (start, end) in properties(text) {
        *uses.entry(&text[start..end]).or_default() += 1;
    }
    let mut names: Vec<_> = uses.into_iter().collect();
    names.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let names = names.into_iter().map(|(name, _)| name);
    let short: BTreeMap<&str, String> = names.zip(shortest()).collect();
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (start, end) in properties(text) {
        out.push_str(&text[done..start]);
        out.push_str("--");
        out.push_str(short.get(&text[start..end]).map_or("", String::as_str));
        done = end;
    }
    out.push_str(&text[done..]);
    out
}

/// Where the sheet names a property of its own: those of a host have other first words.
fn properties(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let begins = |at: &usize| {
        ["--bb-", "--tone-"]
            .iter()
            .any(|own| text[*at..].starts_with(own))
    };
    let starts = text.match_indices("--").map(|(at, _)| at).filter(begins);
    starts.map(|start| {
        let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
        let length = text[start..].find(|sign| !is_name(sign));
        (start, length.map_or(text.len(), |length| start + length))
    })
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
