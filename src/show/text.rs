//! A text as the page draws it: its Markdown as a tree, as much of it as fits.
//!
//! Never cuts without saying of how much. Start reading at [`within`].

use crate::markdown::{self, Cut, Node};
use crate::show::fit::chars;
use serde::Serialize;

/// A text that somebody wrote.
#[derive(Serialize)]
pub struct Text {
    /// The nodes of its Markdown.
    pub nodes: Vec<Node>,
    /// How much of it is there, where that is not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
}

/// As much of a text as fits into `share` characters of JSON; `None` of an empty one.
pub fn within(source: &str, share: usize) -> Option<Text> {
    if source.trim().is_empty() {
        return None;
    }
    let mut most = markdown::MAX_SOURCE_BYTES;
    loop {
        let (text, cut) = cut_to(source, most);
        let tree = markdown::tree(text);
        let shown = tree.cut.or(cut).map(|cut| cut.shown);
        let description = Text {
            nodes: tree.nodes,
            cut: shown.map(|shown| Cut {
                shown,
                total: source.chars().count(),
            }),
        };
        if chars(&description) <= share {
            return Some(description);
        }
        if most < 100 {
            // Nothing of it fits, which is said too.
            let total = source.chars().count();
            return Some(Text {
                nodes: vec![Node::Text("…".to_owned())],
                cut: Some(Cut { shown: 0, total }),
            });
        }
        most /= 2;
    }
}

/// The start of a text, at most `most` characters of it, ended at a line's end where there is one in its second half.
pub fn cut_to(text: &str, most: usize) -> (&str, Option<Cut>) {
    let Some((at, _)) = text.char_indices().nth(most) else {
        return (text, None);
    };
    let end = text[..at]
        .rfind('\n')
        .filter(|end| *end > at / 2)
        .unwrap_or(at);
    let cut = Cut {
        shown: text[..end].chars().count(),
        total: text.chars().count(),
    };
    (&text[..end], Some(cut))
}
