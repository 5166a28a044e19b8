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

/// Words among parameters that `view/` does not declare: the language's, and what the browser gives by that name.
const GIVEN: [&str; 12] = [
    "await",
    "document",
    "false",
    "function",
    "new",
    "null",
    "parent",
    "performance",
    "this",
    "true",
    "typeof",
    "window",
];

/// What says the same in fewer signs.
fn said_shorter(word: &str) -> Option<&'static str> {
    match word {
        "const" => Some("let"),
        "true" => Some("!0"),
        "false" => Some("!1"),
        _ => None,
    }
}

/// The script with what it declares renamed, the most used shortest. `pairs`: where each bracket stands, and its end.
pub(super) fn script(text: &str, words: &[Word], pairs: &[(usize, usize)]) -> String {
    let of = |word: &Word| &text[word.start..word.end];
    let mut declared: BTreeSet<&str> = words
        .windows(2)
        .filter(|pair| matches!(of(&pair[0]), "function" | "const" | "let"))
        .filter(|pair| &text[pair[0].end..pair[1].start] == " ")
        .map(|pair| of(&pair[1]))
        .collect();
    declared.extend(parameters(text, words, pairs));
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
        let renamed = short.get(of(word)).map(String::as_str);
        let Some(short) = renamed.or_else(|| said_shorter(of(word))) else {
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

/// The names of what functions are given, what is caught, and what a pattern takes apart.
fn parameters<'a>(
    text: &'a str,
    words: &'a [Word],
    pairs: &'a [(usize, usize)],
) -> impl Iterator<Item = &'a str> {
    let names_a_function = |at: usize| {
        let name = words.partition_point(|word| word.end <= at);
        let before = name.checked_sub(2).and_then(|from| words.get(from..name));
        before.is_some_and(|pair| {
            pair[1].end == at && &text[pair[0].start..pair[0].end] == "function"
        })
    };
    let is_pattern = move |&&(start, end): &&(usize, usize)| {
        let (before, after) = (&text[..start], &text[end + 1..]);
        match text.as_bytes()[start] {
            b'(' => after.starts_with("=>") || before.ends_with("catch") || names_a_function(start),
            _ => before.ends_with("const") || before.ends_with("let"),
        }
    };
    let within = pairs.iter().filter(is_pattern).flat_map(|&(start, end)| {
        let from = words.partition_point(|word| word.start < start);
        let to = words.partition_point(|word| word.end <= end);
        &words[from..to]
    });
    let alone = words
        .iter()
        .filter(|word| text[word.end..].starts_with("=>"));
    within
        .chain(alone)
        .filter(|word| role(text, word) != Role::Property)
        .filter(|word| !text[..word.start].ends_with('='))
        .map(|word| &text[word.start..word.end])
        .filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase()))
        .filter(|name| !GIVEN.contains(name))
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

/// A style sheet with the properties of its own, `--bb-…` and `--tone-…`, renamed, the most used shortest. A host's
/// stay.
pub(super) fn styles(text: &str) -> String {
    let own = || {
        ["--bb-", "--tone-"].into_iter().flat_map(|lead| {
            text.match_indices(lead).map(|(at, _)| {
                let rest = &text[at..];
                let is_sign = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
                let end = rest.find(|sign| !is_sign(sign)).unwrap_or(rest.len());
                (at, &rest[..end])
            })
        })
    };
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, name) in own() {
        *uses.entry(name).or_default() += 1;
    }
    let mut names: Vec<_> = uses.into_iter().collect();
    names.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let short: BTreeMap<&str, String> = names
        .into_iter()
        .map(|(name, _)| name)
        .zip(shortest())
        .collect();
    let mut places: Vec<_> = own().collect();
    places.sort_unstable();
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, name) in places {
        out.push_str(&text[done..at]);
        out.push_str("--");
        out.push_str(&short[name]);
        done = at + name.len();
    }
    out.push_str(&text[done..]);
    out
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
