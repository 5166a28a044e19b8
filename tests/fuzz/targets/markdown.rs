//! Markdown: any text becomes a tree of known tags that nests as deep as a page can draw.

use bb::markdown::{Node, Value, tree};

/// Far above what a page draws and far below what a stack holds.
const MAX_DEPTH: usize = 200;

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = super::files("markdown", ".md");
    seeds.extend(super::files("cases/09-hostile-markdown", ""));
    seeds
}

pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let made = tree(&text);
    made.nodes.iter().for_each(|node| check(node, 0));
    serde_json::to_string(&made).expect("a tree is JSON");
    assert_eq!(made, tree(&text), "the same text, another tree");
}

fn check(node: &Node, depth: usize) {
    assert!(depth <= MAX_DEPTH, "nested too deep");
    if let Node::Element(_, attributes, children) = node {
        for (name, value) in attributes {
            if let ("href", Value::Text(address)) = (*name, value) {
                assert!(is_of_the_web(address), "{address:?} is a link");
            }
        }
        children.iter().for_each(|child| check(child, depth + 1));
    }
}

fn is_of_the_web(address: &str) -> bool {
    let address = address.to_ascii_lowercase();
    ["http://", "https://"]
        .iter()
        .any(|scheme| address.starts_with(scheme))
}
