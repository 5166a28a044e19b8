//! Sources beside their classes in `fixtures/highlight/`, the lines of case 10, and texts made to hurt.

use super::{Highlighted, Highlighter, Line, MAX_LINE_BYTES, Named, Source, Templates};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Long enough for any grammar on any machine: what is asked for in it is there, or never comes.
const LONG: Duration = Duration::from_secs(60);

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn case(name: &str) -> String {
    let path = fixtures()
        .join("cases/10-highlighting-that-stalls")
        .join(name);
    fs::read_to_string(path).expect("an input of the case")
}

fn lines(text: &str) -> Vec<String> {
    text.split('\n').map(str::to_owned).collect()
}

fn source(path: &str, text: &str) -> Source {
    Source {
        named: Named::file(path),
        blocks: vec![lines(text)],
    }
}

fn is_colored(made: &[Vec<Line>]) -> bool {
    made.iter().flatten().any(|line| !line.is_plain())
}

/// One line of classes for each line, and each of them plain or as long as its line.
#[track_caller]
fn check_cover(sources: &[Source], made: &Highlighted) {
    assert_eq!(made.files.len(), sources.len());
    for (source, blocks) in sources.iter().zip(&made.files) {
        assert_eq!(blocks.len(), source.blocks.len());
        for (lines, made) in source.blocks.iter().zip(blocks) {
            assert_eq!(made.len(), lines.len());
            for (line, classes) in lines.iter().zip(made) {
                let units: usize = classes
                    .runs()
                    .iter()
                    .map(|run| usize::from(run.units))
                    .sum();
                let expected = if classes.is_plain() {
                    0
                } else {
                    line.encode_utf16().count()
                };
                assert_eq!(units, expected, "{:?}: {line:?}", source.named);
            }
        }
    }
}

#[test]
fn each_source_has_the_classes_beside_it() {
    let highlighter = Highlighter::new(LONG, Templates::Plain);
    let mut seen = 0;
    for entry in fs::read_dir(fixtures().join("highlight")).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let beside = path.with_file_name(format!("{name}.classes.json"));
        if name.ends_with(".classes.json") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source is UTF-8");
        let sources = [source(&name, text.trim_end_matches('\n'))];
        let made = highlighter.lines(&sources, Instant::now() + LONG);
        check_cover(&sources, &made);
        assert!(made.is_whole, "{name}");
        let written: Vec<String> = made.files[0][0]
            .iter()
            .map(|line| serde_json::to_string(line).expect("a line is JSON"))
            .collect();
        let written = format!("[\n  {}\n]\n", written.join(",\n  "));
        if std::env::var_os("BB_UPDATE").is_some() {
            fs::write(&beside, &written).expect("the expectation can be written");
        }
        let known = fs::read_to_string(&beside).unwrap_or_default();
        assert_eq!(written, known, "{name} (BB_UPDATE=1 rewrites)");
        seen += 1;
    }
    assert!(seen >= 19, "only {seen} sources");
}

#[test]
fn an_ordinary_file_has_its_colors_whatever_its_place() {
    let highlighter = Highlighter::new(LONG, Templates::Plain);
    let places = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for (at, order) in places.into_iter().enumerate() {
        let all = [
            // Told apart, so that none has its colors from the time before.
            source("burn.rs", &format!("// {at}\n{}", case("burn.rs"))),
            source("seed.sql", &format!("-- {at}\n{}", case("seed.sql"))),
            source("mail.html.erb", &case("mail.html.erb")),
        ];
        let sources = order.map(|place| all[place].clone());
        let made = highlighter.lines(&sources, Instant::now() + LONG);
        check_cover(&sources, &made);
        for (place, blocks) in order.into_iter().zip(&made.files) {
            assert_eq!(
                is_colored(blocks),
                place != 2,
                "{}",
                ["burn", "seed", "mail"][place]
            );
        }
    }
}

#[test]
fn a_long_line_is_plain_and_the_short_ones_around_it_are_not() {
    let highlighter = Highlighter::new(LONG, Templates::Plain);
    let edge = format!("SELECT '{}';", "x".repeat(MAX_LINE_BYTES - 10));
    let over = format!("SELECT '{}';", "x".repeat(MAX_LINE_BYTES - 9));
    assert_eq!(edge.len(), MAX_LINE_BYTES);
    let sources = [
        source("seed.sql", &case("seed.sql")),
        source("a.sql", &format!("{edge}\n{over}\n{over}")),
    ];
    let made = highlighter.lines(&sources, Instant::now() + LONG);
    check_cover(&sources, &made);
    let plain =
        |file: usize| -> Vec<bool> { made.files[file][0].iter().map(Line::is_plain).collect() };
    // `-- engines`, `BEGIN;`, the long one, `COMMIT;`, and nothing after the last line end.
    assert_eq!(plain(0)[..4], [false, false, true, false]);
    assert_eq!(plain(1), [false, true, true]);
    assert!(
        made.is_whole,
        "a line that is too long is not one that there was no time for"
    );
}

#[test]
fn a_template_has_colors_only_when_asked_for_and_no_answer_waits_for_them() {
    let sources = [
        source("mail.html.erb", &case("mail.html.erb")),
        source("burn.rs", &case("burn.rs")),
    ];
    let plain = Highlighter::new(LONG, Templates::Plain).lines(&sources, Instant::now() + LONG);
    assert!(!is_colored(&plain.files[0]));
    assert!(plain.is_whole);

    let asked = Highlighter::new(LONG, Templates::Highlighted);
    // Its first line alone takes longer than this.
    let short = asked.lines(&sources, Instant::now() + Duration::from_micros(50));
    check_cover(&sources, &short);
    assert!(!short.is_whole);
    let made = asked.lines(&sources, Instant::now() + LONG);
    check_cover(&sources, &made);
    assert!(is_colored(&made.files[0]) && is_colored(&made.files[1]));
}

#[test]
fn a_deadline_holds_within_a_line() {
    // Nested brackets: at each of them these grammars look ahead over all that follow.
    let sources = [
        source("a.ts", &"((a<".repeat(500)),
        source("a.tsx", &"<a<(".repeat(500)),
        source("a.kt", &"a<b<".repeat(500)),
        source("a.md", &"[*a_(".repeat(400)),
        source("burn.rs", &case("burn.rs")),
    ];
    let deadline = Duration::from_millis(50);
    let highlighter = Highlighter::new(deadline, Templates::Plain);
    for _ in 0..20 {
        let started = Instant::now();
        let made = highlighter.lines(&sources, started + deadline);
        let took = started.elapsed();
        // Generous, for a machine may be busy; `cargo bench` holds the real bound.
        assert!(took < deadline + Duration::from_secs(2), "{took:?}");
        check_cover(&sources, &made);
    }
}

#[test]
fn a_deadline_of_zero_leaves_all_plain_and_starts_no_thread() {
    let highlighter = Highlighter::new(Duration::ZERO, Templates::Highlighted);
    let sources = [source("burn.rs", &case("burn.rs"))];
    let made = highlighter.lines(&sources, Instant::now() + LONG);
    check_cover(&sources, &made);
    assert!(!is_colored(&made.files[0]));
    assert!(made.is_whole && highlighter.pool.is_none());
}

#[test]
fn both_sides_of_a_hunk_are_read_as_code_that_makes_sense() {
    let highlighter = Highlighter::new(LONG, Templates::Plain);
    let old = lines("/* begins\n   and ends */\nlet a = 1;");
    let new = lines("/* begins\n   goes on\n   and ends */\nlet a = 1;");
    let hunk = [Source {
        named: Named::file("a.rs"),
        blocks: vec![old, new],
    }];
    let made = highlighter.lines(&hunk, Instant::now() + LONG);
    let written = |block: usize| serde_json::to_string(&made.files[0][block]).expect("JSON");
    assert_eq!(written(0), r#"["c9","c14","k3p5n1p1"]"#);
    assert_eq!(written(1), r#"["c9","c10","c14","k3p5n1p1"]"#);
}

#[test]
fn a_fence_is_highlighted_by_its_word() {
    let highlighter = Highlighter::new(LONG, Templates::Plain);
    let fence = |word: &str| Source {
        named: Named::Fence(word.to_owned()),
        blocks: vec![lines("return None")],
    };
    let sources = [fence("python"), fence("suggestion")];
    let made = highlighter.lines(&sources, Instant::now() + LONG);
    assert_eq!(
        made.files
            .iter()
            .map(|file| is_colored(file))
            .collect::<Vec<_>>(),
        [true, false]
    );
}

/// Numbers that look random and are the same each time.
struct Noise(u64);

impl Noise {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn classes_cover_each_line_of_any_text_exactly() {
    const PIECES: &[&str] = &[
        "\"",
        "'",
        "`",
        "/*",
        "*/",
        "//",
        "#",
        "<",
        ">",
        "</",
        "${",
        "}",
        "{",
        "(",
        ")",
        "[",
        "]",
        "\\",
        "\t",
        "\r",
        " ",
        "  ",
        "é",
        "🚀",
        "👩‍🚀",
        "\u{202e}",
        "\u{200b}",
        "\u{feff}",
        "\u{0}",
        "日本",
        "if",
        "class",
        "return",
        "0x1F",
        "a",
        "_b",
        "=",
        "<<EOF",
        "EOF",
        "---",
        "|",
        ":",
        "%",
        "@",
        "&amp;",
        "\u{1b}[0m",
        "\u{2028}",
        "fn ",
        "=>",
    ];
    const FILES: &[&str] = &[
        "a.java",
        "a.kt",
        "a.ts",
        "a.tsx",
        "a.cs",
        "a.py",
        "a.go",
        "a.groovy",
        "a.sql",
        "a.yaml",
        "a.toml",
        "Dockerfile",
        "a.tf",
        "a.sh",
        "a.xml",
        "a.rs",
        "a.json",
        "a.html",
        "a.cpp",
        "a.md",
        "a.properties",
    ];
    let highlighter = Highlighter::new(LONG, Templates::Plain);
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    let mut sources = Vec::new();
    for path in FILES {
        let mut block = Vec::new();
        for _ in 0..12 {
            let pieces = noise.below(30);
            block.push(
                (0..pieces)
                    .map(|_| PIECES[noise.below(PIECES.len())])
                    .collect::<String>(),
            );
        }
        // Bytes that are no text at all, as they come once they are made one.
        let bytes: Vec<u8> = (0..200).map(|_| noise.below(256) as u8).collect();
        block.push(String::from_utf8_lossy(&bytes).into_owned());
        block.push("ends in a return\r".to_owned());
        sources.push(Source {
            named: Named::file(*path),
            blocks: vec![block, Vec::new(), vec![String::new()]],
        });
    }
    let made = highlighter.lines(&sources, Instant::now() + LONG);
    check_cover(&sources, &made);
    assert!(made.is_whole);
}
