//! Blanks and line ends that mean nothing, dropped: the page has a bound, and its sources have air.
//!
//! Never touches what is in a string, a template or a regular expression. Names that `view/` itself declares are made
//! short by [`super::short`]. Start reading at [`script`] and [`styles`].

use super::short::{self, Word};

/// A script without the blanks and line ends that only eyes need. Statements end in semicolons and no text spans
/// lines (tests hold both), so a line end may go wherever an expression goes on.
pub(super) fn script(text: &str) -> String {
    let mut out = Out::default();
    let mut chars = text.chars().peekable();
    // What a `}` closes: a template's hole, or a block.
    let mut open: Vec<Opened> = Vec::new();
    while let Some(sign) = chars.next() {
        match sign {
            '"' | '\'' => {
                out.token(sign);
                literal(sign, &mut chars, &mut out);
            }
            '`' => {
                out.token(sign);
                template(&mut chars, &mut out, &mut open);
            }
            '/' if out.expects_value() => {
                out.token(sign);
                pattern(&mut chars, &mut out);
            }
            '{' => {
                open.push(Opened::Block);
                out.token(sign);
            }
            '}' => {
                out.token(sign);
                if open.pop() == Some(Opened::Hole) {
                    template(&mut chars, &mut out, &mut open);
                }
            }
            ' ' | '\t' => out.blank = out.blank.max(Blank::Space),
            '\n' => out.blank = Blank::Line,
            _ => out.token(sign),
        }
    }
    short::script(&out.text, &out.words, &out.pairs)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    Block,
    Hole,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Blank {
    #[default]
    None,
    Space,
    Line,
}

#[derive(Default)]
struct Out {
    text: String,
    /// What stood before the sign that comes next.
    blank: Blank,
    words: Vec<Word>,
    /// Whether each bracket that is open is that of an object, and where it stands.
    brackets: Vec<(bool, usize)>,
    /// Where each bracket that was closed stands, and where its end does.
    pairs: Vec<(usize, usize)>,
}

impl Out {
    /// Writes a sign outside of any text, and before it the blank that it needs.
    fn token(&mut self, sign: char) {
        let last = self.text.chars().next_back();
        let is_needed = match (self.blank, last) {
            (Blank::None, _) | (_, None) => false,
            (Blank::Space, Some(last)) => {
                (is_word(last) && is_word(sign)) || (last == sign && "+-".contains(sign))
            }
            (Blank::Line, Some(last)) => {
                // A block ends with no semicolon, and neither it nor a condition needs a line's end behind it.
                !",([{})];:?=&|".contains(last) && !")]}.,?:&|".contains(sign)
            }
        };
        if is_needed {
            self.text.push(match self.blank {
                Blank::Line => '\n',
                _ => ' ',
            });
        }
        // The comma behind a list's last member, and the semicolon behind a block's last statement.
        let is_ended = last == Some(',') && ")]}".contains(sign);
        if is_ended || (last == Some(';') && sign == '}') {
            self.text.pop();
        }
        self.blank = Blank::None;
        self.mark(sign);
        self.text.push(sign);
    }

    /// Keeps what [`super::short`] needs to know of a sign that comes now.
    fn mark(&mut self, sign: char) {
        let start = self.text.len();
        let end = start + sign.len_utf8();
        match sign {
            '{' => self.brackets.push((self.expects_object(), start)),
            '(' | '[' => self.brackets.push((false, start)),
            '}' | ')' | ']' => {
                if let Some((_, from)) = self.brackets.pop() {
                    self.pairs.push((from, start));
                }
            }
            _ if is_word(sign) => match self.words.last_mut() {
                Some(word) if word.end == start => word.end = end,
                _ => self.words.push(Word {
                    start,
                    end,
                    in_object: self.brackets.last().is_some_and(|(is, _)| *is),
                }),
            },
            _ => {}
        }
    }

    /// Whether a `{` here begins an object, or a pattern, rather than a block.
    fn expects_object(&self) -> bool {
        let words = ["return", "const", "let"];
        self.text
            .ends_with(['(', ',', '=', ':', '[', '?', '&', '|', '!'])
            || words.iter().any(|word| self.text.ends_with(word))
    }

    /// Whether a `/` here begins a regular expression.
    fn expects_value(&self) -> bool {
        let last = self.text.chars().next_back();
        last.is_none_or(|last| "(,=:[!&|?{};\n".contains(last)) || self.text.ends_with("return")
    }
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '$' || !sign.is_ascii()
}

type Signs<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn literal(quote: char, chars: &mut Signs, out: &mut Out) {
    while let Some(sign) = chars.next() {
        out.text.push(sign);
        match sign {
            '\\' => out.text.extend(chars.next()),
            _ if sign == quote => return,
            _ => {}
        }
    }
}

/// A template up to its end or its next hole.
fn template(chars: &mut Signs, out: &mut Out, open: &mut Vec<Opened>) {
    while let Some(sign) = chars.next() {
        out.text.push(sign);
        match sign {
            '\\' => out.text.extend(chars.next()),
            '`' => return,
            '$' if chars.peek() == Some(&'{') => {
                out.text.extend(chars.next());
                out.brackets.push((false, out.text.len()));
                open.push(Opened::Hole);
                return;
            }
            _ => {}
        }
    }
}

fn pattern(chars: &mut Signs, out: &mut Out) {
    let mut in_class = false;
    while let Some(sign) = chars.next() {
        out.text.push(sign);
        match sign {
            '\\' => out.text.extend(chars.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return,
            _ => {}
        }
    }
}

/// A style sheet without the blanks that only eyes need. A blank before a colon may join two selectors and stays.
pub(super) fn styles(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut is_blank = false;
    while let Some(sign) = chars.next() {
        if sign.is_ascii_whitespace() {
            is_blank = true;
            continue;
        }
        let last = out.chars().next_back();
        let is_free = last.is_none_or(|last| "{};,:>".contains(last)) || "{};,>".contains(sign);
        if is_blank && !is_free {
            out.push(' ');
        }
        is_blank = false;
        if sign == '}' && last == Some(';') {
            out.pop();
        }
        out.push(sign);
        if sign == '"' {
            for sign in chars.by_ref() {
                out.push(sign);
                if sign == '"' {
                    break;
                }
            }
        }
    }
    short::styles(&out)
}

#[cfg(test)]
mod tests {
    use super::{script, styles};

    #[track_caller]
    fn check(given: &str, expected: &str) {
        assert_eq!(script(given), expected);
    }

    #[test]
    fn blanks_go_where_nothing_needs_them() {
        check(
            "const a = (b, c) => ({ d: b + c });",
            "let a=(b,c)=>({d:b+c});",
        );
        check(
            "return x in y ? typeof z : null;",
            "return x in y?typeof z:null;",
        );
        check("a + +b - -c", "a+ +b- -c");
        check("f(\n\"a\",\n[\nb,\n],\n);\ng();", "f(\"a\",[b]);g();");
    }

    #[test]
    fn a_line_end_stays_where_a_statement_may_end() {
        check("};\nconst a = 1;\nlet b;", "};let a=1;let b;");
        check("a\nb", "a\nb");
        check("if (a)\nb();\nelse c();", "if(a)b();else c();");
        check("x\n.y()\n? a\n: b", "x.y()?a:b");
    }

    #[test]
    fn texts_templates_and_patterns_stay_as_they_are() {
        check("f(\"a , b\", 'c ; d');", "f(\"a , b\",'c ; d');");
        check(
            "`a ${b ? `: ${c + d}` : \" . \"} , e` + f",
            "`a ${b?`: ${c+d}`:\" . \"} , e`+f",
        );
        check(
            "x.replace(/[/ ] , \\/ \"/g, y) / 2",
            "x.replace(/[/ ] , \\/ \"/g,y)/2",
        );
        check("\"\\\" , \" , a", "\"\\\" , \",a");
        check("return / a /.test(b)", "return/ a /.test(b)");
    }

    #[test]
    fn what_is_declared_is_renamed_and_nothing_else() {
        check(
            "const facts = 1;\nuse(facts, view.facts, { facts: 2 }, \"facts\", `facts ${facts}`);",
            "let a=1;use(a,view.facts,{facts:2},\"facts\",`facts ${a}`);",
        );
        check(
            "function kind({ state, more = 1 }) {\nlet state = { kind, ...state };\nreturn state ? kind : more;\n}",
            "function b({state:a,more:c=1}){let a={kind:b,...a};return a?b:c}",
        );
        check(
            "const drawn = { drawn(a) {\ndrawn = 2;\n} };",
            "let b={drawn(a){b=2}};",
        );
    }

    #[test]
    fn what_a_function_is_given_is_renamed_and_what_the_browser_gives_is_not() {
        check(
            "f((given, more = given, ...rest) => given(rest, document, more.given));",
            "f((a,b=a,...c)=>a(c,document,b.given));",
        );
        check("each((one) => two => one + two);", "each((a)=>b=>a+b);");
        check(
            "try {\nf();\n} catch (error) {\nsay(error);\n}",
            "try{f()}catch(a){say(a)}",
        );
        check(
            "const { kind, read: at } = kinds;\nf(kind, at);",
            "let{kind:a,read:at}=kinds;f(a,at);",
        );
        check(
            "f((document) => document.title, Promise);",
            "f((document)=>document.title,Promise);",
        );
    }

    #[test]
    fn what_says_the_same_in_fewer_signs_is_said_so() {
        check(
            "const x = { true: true };\nreturn false;",
            "let x={true:!0};return !1;",
        );
        check("f(\"true\", x.false);", "f(\"true\",x.false);");
    }

    #[test]
    fn a_sheets_own_properties_are_renamed_and_a_hosts_are_not() {
        assert_eq!(
            styles(
                ":root { --bb-ink: var(--color-text-primary); --bb-rule: red; }\n.a { color: var(--bb-ink); --tone-x: 1; }"
            ),
            ":root{--a:var(--color-text-primary);--b:red}.a{color:var(--a);--c:1}"
        );
    }

    #[test]
    fn a_style_keeps_the_blanks_that_join() {
        assert_eq!(
            styles(".a :is(.b, .c) > .d { margin: 0 1px; width: calc(1px + 2px); }\n"),
            ".a :is(.b,.c)>.d{margin:0 1px;width:calc(1px + 2px)}"
        );
        assert_eq!(
            styles("@media (a: b) { .c::after { content: \" · , \"; } }"),
            "@media (a:b){.c::after{content:\" · , \"}}"
        );
        assert_eq!(styles(".a,\n.b .c {}"), ".a,.b .c{}");
    }
}
