use super::{line, text};

#[test]
fn a_line_is_one_line_and_shows_what_would_hide() {
    for (given, shown) in [
        ("plain words", "plain words"),
        (
            "  two\r\n lines\t and\u{2028}more \u{85}",
            "two lines and more",
        ),
        ("\u{1b}[31mred\u{1b}[0m", "<U+001B>[31mred<U+001B>[0m"),
        ("nul\0byte", "nul<U+0000>byte"),
        ("a\u{202e}txt.exe", "a<U+202E>txt.exe"),
        ("\u{2066}in\u{2069}", "<U+2066>in<U+2069>"),
        ("zero\u{200b}width\u{feff}", "zero<U+200B>width<U+FEFF>"),
        ("join\u{200d}ed", "join<U+200D>ed"),
        ("tag\u{e0041}", "tag<U+E0041>"),
        ("del\u{7f}c1\u{9b}", "del<U+007F>c1<U+009B>"),
        ("selector\u{fe0f}\u{fe0f}", "selector<U+FE0F><U+FE0F>"),
        ("👩\u{200d}🚀 ❤\u{fe0f}", "👩\u{200d}🚀 ❤\u{fe0f}"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("", ""),
        ("\n\n", ""),
    ] {
        assert_eq!(line(given, 200), shown, "{given:?}");
    }
}

#[test]
fn a_text_keeps_its_lines_and_nothing_else_that_moves() {
    for (given, shown) in [
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("\tindented  twice", "\tindented  twice"),
        (
            "line\u{2028}separator\u{b}tab",
            "line<U+2028>separator<U+000B>tab",
        ),
        ("\u{1b}]0;title\u{7}", "<U+001B>]0;title<U+0007>"),
    ] {
        assert_eq!(text(given, 200), shown, "{given:?}");
    }
}

#[test]
fn what_is_too_long_ends_in_a_mark_within_the_limit() {
    for (max, shown) in [(5, "abcde"), (4, "abc…"), (1, "…"), (0, "")] {
        assert_eq!(line("abcde", max), shown);
        assert_eq!(text("abcde", max), shown);
    }
    // A shown character is never cut in two.
    assert_eq!(line("ab\u{202e}cd", 6), "ab…");
}
