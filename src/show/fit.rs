//! What fits into a result: the first things first, each whole or not at all.
//!
//! Never says how many there are: whoever lists fewer says that from a count. Start reading at [`Room`].

use serde::Serialize;

/// Characters of JSON that are left.
#[derive(Debug)]
pub struct Room(usize);

impl Room {
    /// Room for so many characters.
    pub fn new(chars: usize) -> Self {
        Self(chars)
    }

    /// What is left.
    pub fn left(&self) -> usize {
        self.0
    }

    /// Takes what `value` needs, if that is there.
    pub fn takes(&mut self, value: &impl Serialize) -> bool {
        // A comma stands before or behind it.
        match self.0.checked_sub(chars(value) + 1) {
            Some(left) => {
                self.0 = left;
                true
            }
            None => false,
        }
    }

    /// Puts at most `most` of what is left aside, and tells how much it was; [`Self::give_back`] returns it.
    pub fn set_aside(&mut self, most: usize) -> usize {
        let aside = self.0.min(most);
        self.0 -= aside;
        aside
    }

    /// Returns what was put aside.
    pub fn give_back(&mut self, aside: usize) {
        self.0 += aside;
    }

    /// Gives so many characters to what was fitted apart.
    pub fn give(&mut self, chars: usize) {
        self.0 = self.0.saturating_sub(chars);
    }

    /// Marks those of `items` that are `wanted`, not yet marked and still fit, in their order.
    pub fn choose<T: Serialize>(
        &mut self,
        items: &[T],
        chosen: &mut [bool],
        wanted: impl Fn(&T) -> bool,
    ) {
        for (item, is_chosen) in items.iter().zip(chosen) {
            if !*is_chosen && wanted(item) {
                *is_chosen = self.takes(item);
            }
        }
    }

    /// As [`Self::choose`], those that fit into at most `most` of the room.
    pub fn choose_within<T: Serialize>(
        &mut self,
        most: usize,
        items: &[T],
        chosen: &mut [bool],
        wanted: impl Fn(&T) -> bool,
    ) {
        let mut part = Self(self.0.min(most));
        let before = part.0;
        part.choose(items, chosen, wanted);
        self.0 -= before - part.0;
    }

    /// Keeps the first of `items` that fit into at most `most` of the room.
    pub fn keep<T: Serialize>(&mut self, items: Vec<T>, most: usize) -> Vec<T> {
        let mut part = Self(self.0.min(most));
        let before = part.0;
        let kept: Vec<T> = items
            .into_iter()
            .take_while(|item| part.takes(item))
            .collect();
        self.0 -= before - part.0;
        kept
    }
}

/// The items that were chosen, in their order.
pub fn chosen<T>(items: Vec<T>, chosen: &[bool]) -> Vec<T> {
    let pairs = items.into_iter().zip(chosen);
    pairs
        .filter_map(|(item, is_chosen)| is_chosen.then_some(item))
        .collect()
}

/// The characters of a value as JSON.
pub fn chars(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.chars().count())
}

/// At most `most` characters of a text; `…` is the last one where more was there.
pub fn short(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::{Room, chosen, short};

    #[test]
    fn what_is_wanted_first_is_kept_before_what_stands_first() {
        let items = vec!["aaaa", "bbbb", "cccc", "dddd"];
        let mut marks = vec![false; 4];
        // Each takes four letters, two quotes and a comma.
        let mut room = Room::new(22);
        room.choose(&items, &mut marks, |item| *item == "dddd");
        room.choose(&items, &mut marks, |_| true);
        assert_eq!(chosen(items, &marks), ["aaaa", "bbbb", "dddd"]);
        assert_eq!(room.left(), 1);
    }

    #[test]
    fn a_part_keeps_to_its_share() {
        let mut room = Room::new(100);
        let kept = room.keep(vec!["aaaa", "bbbb", "cccc"], 15);
        assert_eq!(kept, ["aaaa", "bbbb"]);
        assert_eq!(room.left(), 86);
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(short("ééé", 3), "ééé");
        assert_eq!(short("éééé", 3), "éé…");
    }
}
