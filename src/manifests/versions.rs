//! Which of two versions is the higher, also where they are not SemVer.
//!
//! Never refuses one. Start reading at [`is_higher`].

use std::cmp::Ordering;

/// Whether `candidate` is a higher version than `installed`.
pub fn is_higher(installed: &str, candidate: &str) -> bool {
    let order = match (SemVer::read(installed), SemVer::read(candidate)) {
        (Some(old), Some(new)) => old.cmp(&new),
        _ => by_runs(installed, candidate),
    };
    order == Ordering::Less
}

/// SemVer 2.0 without its build metadata, which has no part in the order.
struct SemVer<'a> {
    numbers: [&'a str; 3],
    before: Vec<&'a str>,
}

impl<'a> SemVer<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (rest, build) = match text.split_once('+') {
            Some((rest, build)) => (rest, Some(build)),
            None => (text, None),
        };
        let (core, before) = match rest.split_once('-') {
            Some((core, before)) => (core, before.split('.').collect()),
            None => (rest, Vec::new()),
        };
        let is_word = |word: &str| {
            let mut bytes = word.bytes();
            !word.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let is_plain = |word: &str| word == "0" || !(is_number(word) && word.starts_with('0'));
        let numbers: [&str; 3] = core.split('.').collect::<Vec<_>>().try_into().ok()?;
        let is_sound = numbers
            .iter()
            .all(|number| is_number(number) && is_plain(number))
            && before.iter().all(|word| is_word(word) && is_plain(word))
            && build.is_none_or(|build| build.split('.').all(is_word));
        is_sound.then_some(Self { numbers, before })
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = self.numbers.iter().zip(other.numbers);
        let numbers = numbers.map(|(a, b)| by_value(a, b));
        let first = numbers.into_iter().find(|order| order.is_ne());
        first.unwrap_or_else(|| {
            match (self.before.is_empty(), other.before.is_empty()) {
                (true, true) => return Ordering::Equal,
                // What comes before a release is lower than it.
                (true, false) => return Ordering::Greater,
                (false, true) => return Ordering::Less,
                (false, false) => {}
            }
            let words = self.before.iter().zip(&other.before);
            let words = words.map(|(a, b)| match (is_number(a), is_number(b)) {
                (true, true) => by_value(a, b),
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                (false, false) => a.cmp(b),
            });
            let first = words.into_iter().find(|order| order.is_ne());
            first.unwrap_or_else(|| self.before.len().cmp(&other.before.len()))
        })
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits by their value, however many there are.
fn by_value(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Runs of digits and of anything else, compared one by one.
fn by_runs(a: &str, b: &str) -> Ordering {
    let (a, b) = (runs(a), runs(b));
    let pairs = a.iter().zip(&b);
    let pairs = pairs.map(|(a, b)| match (is_number(a), is_number(b)) {
        (true, true) => by_value(a, b),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => a.as_bytes().cmp(b.as_bytes()),
    });
    let first = pairs.into_iter().find(|order| order.is_ne());
    first.unwrap_or_else(|| a.len().cmp(&b.len()))
}

fn runs(text: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest
            .find(|c: char| c.is_ascii_digit() != is_digit)
            .unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        runs.push(run);
        rest = after;
    }
    runs
}
