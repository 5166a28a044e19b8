//! Which known words a mistyped one was probably meant to be.
//!
//! Never guesses for the person: it only makes a phrase more useful. Start reading at [`hint`].

/// The end of a phrase about an unknown word: `, did you mean ...?`, or nothing where no known word is near.
pub fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = near(word, known);
    if near.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = near.iter().map(|each| format!("`{each}`")).collect();
    format!(", did you mean {}?", quoted.join(" or "))
}

/// At most three known words that are near, the nearest first.
fn near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let bare = word.trim_start_matches('-').to_lowercase();
    // Comparing costs the product of both lengths, and nobody types a word this long by mistake.
    if bare.is_empty() || bare.len() > 40 {
        return Vec::new();
    }
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|each| {
            let other = each.trim_start_matches('-').to_lowercase();
            let steps = steps_between(&bare, &other);
            let is_start = bare.len() >= 3 && other.starts_with(&bare);
            // Letters in another order are the commonest slip, and cost two steps each.
            let is_reordered = sorted(&bare) == sorted(&other);
            (is_start || is_reordered || steps <= 1 + bare.chars().count() / 4)
                .then_some((steps, each))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(3);
    found.into_iter().map(|(_, each)| each).collect()
}

fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// How many letters to add, take away or change to make one word the other.
fn steps_between(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn a_mistyped_word_is_answered_with_the_near_ones() {
        let known = ["mcp", "--host", "--ca-file", "--token-file", "--audit-file"];
        for (typed, answer) in [
            ("--hots", ", did you mean `--host`?"),
            ("--cafile", ", did you mean `--ca-file`?"),
            ("--tok", ", did you mean `--token-file`?"),
            ("mpc", ", did you mean `mcp`?"),
            ("--verbose", ""),
            ("--", ""),
        ] {
            assert_eq!(hint(typed, known), answer, "{typed}");
        }
    }
}
