//! The grammars themselves: a line in, its classes out. The only file that names syntect and two-face.
//!
//! Never bounds the time that a line takes, for nothing can stop a grammar within one: `worker.rs` lives with that.
//! Start reading at [`Grammars`].

use super::classes::{Class, Line, Runs, Says, says};
use super::languages::Language;
use super::worker::{Lexer, Lexing};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxSet};

/// Every grammar, read from the binary when the first one is needed: a few milliseconds. The patterns of a grammar
/// are compiled when a line first needs them, which makes its first lines the slow ones.
#[derive(Default)]
pub struct Grammars(OnceLock<Arc<SyntaxSet>>);

impl Lexer for Grammars {
    fn start(&self, language: Language) -> Option<Box<dyn Lexing>> {
        let set = self
            .0
            .get_or_init(|| Arc::new(two_face::syntax::extra_newlines()));
        let syntax = set.find_syntax_by_name(language.grammar())?;
        Some(Box::new(Reading {
            set: Arc::clone(set),
            state: ParseState::new(syntax),
            stack: ScopeStack::new(),
            said: HashMap::new(),
            buffer: String::new(),
        }))
    }
}

/// The license that a grammar came with.
pub struct Notice {
    /// The license's file, in the folder of its grammar.
    pub path: String,
    /// The license.
    pub text: String,
}

/// The licenses of the grammars that ask to be named, in no order. Never those of themes: bb has none.
pub fn notices() -> Vec<Notice> {
    let all = two_face::acknowledgement::listing();
    let of_grammars = all.for_syntaxes().iter().map(|license| Notice {
        path: license.rel_path.to_string_lossy().into_owned(),
        text: license.text.clone(),
    });
    of_grammars.collect()
}

/// One text being read line by line.
struct Reading {
    set: Arc<SyntaxSet>,
    state: ParseState,
    stack: ScopeStack,
    /// What each scope met so far says; writing a scope as text is slow.
    said: HashMap<Scope, Says>,
    buffer: String,
}

impl Lexing for Reading {
    fn line(&mut self, text: &str) -> Option<Line> {
        // A carriage return before the line end is a blank to no grammar's `$`.
        let code = text.strip_suffix('\r').unwrap_or(text);
        self.buffer.clear();
        self.buffer.push_str(code);
        self.buffer.push('\n');
        let steps = self.state.parse_line(&self.buffer, &self.set).ok()?;

        let mut runs = Runs::default();
        let mut done = 0;
        for (at, step) in &steps {
            let at = (*at).min(code.len());
            if at > done {
                let piece = code.get(done..at)?;
                runs.push(self.class(piece), piece);
                done = at;
            }
            self.stack.apply(step).ok()?;
        }
        let rest = code.get(done..)?;
        runs.push(self.class(rest), rest);
        runs.push(Class::Plain, &text[code.len()..]);
        Some(runs.line())
    }
}

impl Reading {
    /// What the innermost scope that says anything says of a piece of text.
    fn class(&mut self, text: &str) -> Class {
        let said = &mut self.said;
        let mut says = self.stack.as_slice().iter().rev().map(|scope| {
            *said
                .entry(*scope)
                .or_insert_with(|| says(&scope.build_string()))
        });
        let first = says.find(|says| !matches!(says, Says::Nothing | Says::Key));
        match first {
            Some(Says::Is(Class::String)) if says.next() == Some(Says::Key) => Class::Attribute,
            Some(Says::Is(class)) => class,
            Some(Says::Operator) if is_word(text) => Class::Keyword,
            _ => Class::Plain,
        }
    }
}

fn is_word(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::Grammars;
    use crate::highlight::languages::Language;
    use crate::highlight::worker::Lexer;

    #[test]
    fn every_language_of_the_tables_has_its_grammar() {
        let grammars = Grammars::default();
        let without: Vec<_> = Language::all()
            .filter(|language| grammars.start(*language).is_none())
            .map(|language| language.grammar())
            .collect();
        assert!(without.is_empty(), "{without:?}");
    }
}
