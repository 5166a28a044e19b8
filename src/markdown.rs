//! Bitbucket's Markdown as a tree of nodes that the page draws.
//!
//! Never writes HTML, and lets no address through but http and https: raw HTML stays the text that it is, and a
//! link that may not open stays its words and its address. The only file that names `pulldown_cmark`. Start
//! reading at [`tree`].
//!
//! On the wire a text is a JSON string and an element an array, `["tag", {attributes}, ...children]`, with the tags
//! `p h1 … h6 ul ol li blockquote code pre em strong del a image table thead tbody tr th td hr br`.
//! `view/markdown.js` reads it.
//!
//! Source: "Markdown syntax guide" of Bitbucket Data Center; CommonMark 0.31 beneath it.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

mod addresses;

pub use addresses::web_address;

/// The most that is read of one text: Bitbucket's own limit of a description, in bytes.
pub const MAX_SOURCE_BYTES: usize = 32 * 1024;

/// How deep elements may stand in each other; what is deeper is put in at this depth. The page's own bound is higher.
const MAX_DEPTH: usize = 24;

/// The most nodes of one tree: a table of empty cells is short to write and long to draw.
const MAX_NODES: usize = 12_000;

/// A text, or an element with attributes and children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// What stands there, as it was written.
    Text(String),
    /// A tag of the list above, its attributes, and what it holds.
    Element(&'static str, Vec<(&'static str, Value)>, Vec<Node>),
}

/// What an attribute says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// An address, an alignment, a language.
    Text(String),
    /// Where an ordered list begins.
    Number(u64),
}

/// What became of one text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tree {
    /// The blocks, in order.
    pub nodes: Vec<Node>,
    /// Said where the text was longer than what is read, or made more nodes than are drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
}

/// How much of a text is there, in characters of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cut {
    /// From the start, so many.
    pub shown: usize,
    /// Of so many.
    pub total: usize,
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Element(tag, attributes, children) => {
                let mut sequence = serializer.serialize_seq(Some(2 + children.len()))?;
                sequence.serialize_element(tag)?;
                sequence.serialize_element(&Attributes(attributes))?;
                for child in children {
                    sequence.serialize_element(child)?;
                }
                sequence.end()
            }
        }
    }
}

struct Attributes<'a>(&'a [(&'static str, Value)]);

impl Serialize for Attributes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Reads a text as Bitbucket does: tables, strikethrough, bare addresses as links, each line end as a break; no
/// HTML, no task lists, no footnotes. Never fails: any text is some Markdown.
pub fn tree(text: &str) -> Tree {
    let (read, cut) = capped(text, MAX_SOURCE_BYTES);
    // Bitbucket stores the line ends of a browser's text field; a lone one is a line end too.
    let plain = read.replace("\r\n", "\n").replace('\r', "\n");
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut builder = Builder::default();
    let mut end = None;
    for (event, place) in Parser::new_ext(&plain, options).into_offset_iter() {
        if builder.leaves_out(&event) {
            end.get_or_insert(place.start);
        }
        builder.take(event);
    }
    let drawn = end.map(|end| Cut {
        shown: plain.get(..end).unwrap_or_default().chars().count(),
        total: text.chars().count(),
    });
    Tree {
        nodes: builder.finish(),
        cut: drawn.or(cut),
    }
}

/// The start of `text`, at most `most_bytes` of it, ended at a line's end where there is one.
fn capped(text: &str, most_bytes: usize) -> (&str, Option<Cut>) {
    if text.len() <= most_bytes {
        return (text, None);
    }
    let most = (0..=most_bytes)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let end = text[..most]
        .rfind('\n')
        .filter(|at| *at > 0)
        .unwrap_or(most);
    let read = &text[..end];
    let cut = Cut {
        shown: read.chars().count(),
        total: text.chars().count(),
    };
    (read, Some(cut))
}

/// An element that is being filled.
struct Open {
    tag: &'static str,
    attributes: Vec<(&'static str, Value)>,
    children: Vec<Node>,
    /// A link's address that may not open; it is put behind the words.
    refused: Option<String>,
}

#[derive(Default)]
struct Builder {
    blocks: Vec<Node>,
    open: Vec<Open>,
    /// Starts whose elements were not made, as they were too deep.
    skipped: Vec<bool>,
    nodes: usize,
    alignments: Vec<pulldown_cmark::Alignment>,
    column: usize,
    in_table_head: bool,
}

impl Builder {
    /// Whether an event is one too many; what was begun is ended in any case.
    fn leaves_out(&self, event: &Event<'_>) -> bool {
        self.nodes > MAX_NODES && !matches!(event, Event::End(_))
    }

    fn take(&mut self, event: Event<'_>) {
        if self.leaves_out(&event) {
            if let Event::Start(_) = event {
                self.skipped.push(true);
            }
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) => self.put(Node::Text(text.into_string())),
            Event::Code(text) => self.element("code", vec![], vec![Node::Text(text.into_string())]),
            Event::Html(text) | Event::InlineHtml(text) => self.raw(&text),
            // Bitbucket draws each line end of a comment or a description as a break.
            Event::SoftBreak | Event::HardBreak => self.element("br", vec![], vec![]),
            Event::Rule => self.element("hr", vec![], vec![]),
            // None of these are switched on; should one come, it is text.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.put(Node::Text(text.into_string()));
            }
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let mut refused = None;
        let mut attributes = vec![];
        let name = match tag {
            Tag::Paragraph => "p",
            Tag::Heading { level, .. } => {
                ["h1", "h2", "h3", "h4", "h5", "h6"][(level as usize).clamp(1, 6) - 1]
            }
            Tag::BlockQuote(_) => "blockquote",
            Tag::CodeBlock(kind) => {
                if let CodeBlockKind::Fenced(words) = kind {
                    if let Some(language) = words.split_whitespace().next() {
                        attributes.push(("language", Value::Text(language.to_lowercase())));
                    }
                }
                "pre"
            }
            Tag::List(Some(start)) => {
                if start != 1 {
                    attributes.push(("start", Value::Number(start)));
                }
                "ol"
            }
            Tag::List(None) => "ul",
            Tag::Item => "li",
            Tag::Table(alignments) => {
                self.alignments = alignments;
                "table"
            }
            Tag::TableHead => {
                self.column = 0;
                self.in_table_head = true;
                "thead"
            }
            Tag::TableRow => {
                self.column = 0;
                "tr"
            }
            Tag::TableCell => {
                if let Some(align) = self.alignment() {
                    attributes.push(("align", Value::Text(align.to_owned())));
                }
                self.column += 1;
                if self.in_table_head { "th" } else { "td" }
            }
            Tag::Emphasis => "em",
            Tag::Strong => "strong",
            Tag::Strikethrough => "del",
            Tag::Link { dest_url, .. } => {
                match web_address(&dest_url) {
                    Some(address) => attributes.push(("href", Value::Text(address))),
                    None => refused = Some(dest_url.into_string()),
                }
                "a"
            }
            Tag::Image { dest_url, .. } => {
                match web_address(&dest_url) {
                    Some(address) => attributes.push(("address", Value::Text(address))),
                    None => refused = Some(dest_url.into_string()),
                }
                "image"
            }
            // HTML is text; what else pulldown_cmark may start is not switched on, and then a plain paragraph.
            _ => "p",
        };
        let is_too_deep = self.open.len() >= MAX_DEPTH;
        self.skipped.push(is_too_deep);
        if !is_too_deep {
            self.open.push(Open {
                tag: name,
                attributes,
                children: vec![],
                refused,
            });
        }
    }

    fn end(&mut self) {
        if self.skipped.pop().unwrap_or(true) {
            return;
        }
        let Some(done) = self.open.pop() else { return };
        let mut children = self.linked(done.tag, done.children);
        match done.tag {
            "a" if done.refused.is_some() => {
                let address = done.refused.unwrap_or_default();
                let is_said = children == [Node::Text(address.clone())];
                for child in children {
                    self.put(child);
                }
                if !address.is_empty() && !is_said {
                    self.put(Node::Text(format!(" ({address})")));
                }
            }
            "image" if done.refused.is_some() => {
                let address = done.refused.unwrap_or_default();
                children.push(Node::Text(format!(" ({address})")));
                self.element("image", vec![], merged(children));
            }
            "pre" => self.element(
                "pre",
                done.attributes,
                vec![Node::Element("code", vec![], children)],
            ),
            "thead" => {
                self.in_table_head = false;
                let row = Node::Element("tr", vec![], children);
                self.element("thead", vec![], vec![row]);
            }
            "table" => self.element("table", done.attributes, with_body(children)),
            tag => self.element(tag, done.attributes, children),
        }
    }

    /// Texts that stand side by side as one, and the bare addresses in them as links.
    ///
    /// Events split a text at each sign that might have begun something, so addresses are looked for afterwards.
    fn linked(&self, tag: &str, nodes: Vec<Node>) -> Vec<Node> {
        let whole = merged(nodes);
        let is_bare = |tag: &str| !matches!(tag, "a" | "image" | "pre");
        if !is_bare(tag) || !self.open.iter().all(|open| is_bare(open.tag)) {
            return whole;
        }
        let mut linked = Vec::with_capacity(whole.len());
        for node in whole {
            let Node::Text(text) = node else {
                linked.push(node);
                continue;
            };
            for (part, is_address) in addresses::pieces(&text) {
                let words = Node::Text(part.to_owned());
                linked.push(match web_address(part).filter(|_| is_address) {
                    Some(address) => {
                        Node::Element("a", vec![("href", Value::Text(address))], vec![words])
                    }
                    None => words,
                });
            }
        }
        merged(linked)
    }

    /// HTML as the text that it is, its line ends as breaks.
    fn raw(&mut self, html: &str) {
        for (number, line) in html.trim_end_matches('\n').split('\n').enumerate() {
            if number > 0 {
                self.element("br", vec![], vec![]);
            }
            self.put(Node::Text(line.to_owned()));
        }
        if html.ends_with('\n') && self.open.last().is_some_and(|open| open.tag == "p") {
            self.element("br", vec![], vec![]);
        }
    }

    fn element(
        &mut self,
        tag: &'static str,
        attributes: Vec<(&'static str, Value)>,
        mut children: Vec<Node>,
    ) {
        if tag == "p" {
            // A break at a paragraph's end breaks nothing.
            while children
                .last()
                .is_some_and(|last| matches!(last, Node::Element("br", ..)))
            {
                children.pop();
            }
            if children.is_empty() {
                return;
            }
        }
        self.put(Node::Element(tag, attributes, children));
    }

    fn put(&mut self, node: Node) {
        self.nodes += 1;
        match self.open.last_mut() {
            Some(open) => open.children.push(node),
            None => self.blocks.push(node),
        }
    }

    fn alignment(&self) -> Option<&'static str> {
        match self.alignments.get(self.column)? {
            pulldown_cmark::Alignment::Right => Some("right"),
            pulldown_cmark::Alignment::Center => Some("center"),
            _ => None,
        }
    }

    fn finish(self) -> Vec<Node> {
        merged(self.blocks)
    }
}

/// Texts that stand side by side, as one.
fn merged(nodes: Vec<Node>) -> Vec<Node> {
    let mut whole: Vec<Node> = Vec::with_capacity(nodes.len());
    for node in nodes {
        match (whole.last_mut(), node) {
            (Some(Node::Text(before)), Node::Text(after)) => before.push_str(&after),
            (_, node) => whole.push(node),
        }
    }
    whole
}

/// A table's rows under its head, as a body.
fn with_body(children: Vec<Node>) -> Vec<Node> {
    let (head, rows): (Vec<Node>, Vec<Node>) = children
        .into_iter()
        .partition(|child| matches!(child, Node::Element("thead", ..)));
    let mut parts = head;
    if !rows.is_empty() {
        parts.push(Node::Element("tbody", vec![], rows));
    }
    parts
}

#[cfg(test)]
mod tests;
