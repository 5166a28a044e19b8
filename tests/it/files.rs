//! The files of a repository: folders, text in windows, and what is no text, over the real pipe.

use crate::support::{Bb, text};
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn, Step};
use std::collections::BTreeMap;

const ROCKET: &str = "/rest/api/latest/projects/ACME/repos/rocket";

fn started() -> (StandIn, Bb) {
    let stand_in = StandIn::start(Options::default());
    let bb = Bb::with(&stand_in);
    (stand_in, bb)
}

/// Arguments about ACME/rocket, with more.
fn rocket(more: Value) -> Value {
    let mut arguments = json!({"project": "ACME", "repo": "rocket"});
    if let (Value::Object(all), Value::Object(more)) = (&mut arguments, more) {
        all.extend(more);
    }
    arguments
}

/// A push to the main branch of ACME/rocket.
fn push(stand_in: &StandIn, files: &[(&str, &str)]) {
    stand_in.step(Step::Push {
        repository: "ACME/rocket".to_owned(),
        branch: "refs/heads/main".to_owned(),
        user: "mallory".to_owned(),
        message: "Push".to_owned(),
        files: files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Some((*text).to_owned())))
            .collect(),
    });
}

fn names<'a>(value: &'a Value, list: &str, field: &str) -> Vec<&'a str> {
    let list = value[list].as_array().expect("a list");
    list.iter().filter_map(|one| one[field].as_str()).collect()
}

#[test]
fn a_folder_is_listed_with_what_each_thing_in_it_is() {
    let (_stand_in, mut bb) = started();
    let top = bb.value("list_files", rocket(json!({})));
    let files = top["files"].as_array().expect("files");
    assert!(
        files.contains(&json!({"path": "engine", "type": "DIRECTORY"})),
        "{top}"
    );
    assert!(
        files.contains(&json!({"path": "VERSION", "type": "FILE", "size": 6})),
        "{top}"
    );
    for (path, at, found) in [
        ("docs/stage 1", "main", "docs/stage 1/50% #draft?.md"),
        ("/schäden/", "refs/heads/main", "schäden/ö.txt"),
        ("docs", "feature/\"><b>x", "docs/guide.md"),
    ] {
        let folder = bb.value("list_files", rocket(json!({"path": path, "at": at})));
        assert!(
            names(&folder, "files", "path").contains(&found),
            "{path}: {folder}"
        );
    }
    let said = bb.failure("list_files", rocket(json!({"path": "README.md"})));
    assert!(
        said.contains("is a file: call get_file with that path"),
        "{said}"
    );
    let said = bb.failure("list_files", rocket(json!({"path": "no/such"})));
    assert!(
        said.contains("The path \"no/such\" does not exist"),
        "{said}"
    );
    let said = bb.failure("list_files", rocket(json!({"at": "nowhere"})));
    assert!(said.contains("'nowhere' does not exist"), "{said}");
}

#[test]
fn a_folder_of_a_thousand_files_is_told_page_by_page() {
    let stand_in = StandIn::start(Options {
        caps: BTreeMap::from([("children".to_owned(), 60)]),
        ..Options::default()
    });
    let mut bb = Bb::with(&stand_in);
    let page = bb.value(
        "list_files",
        json!({"repo": "FLEET/fleet", "path": "ships", "limit": 100}),
    );
    assert_eq!(
        (&page["shown"], &page["more"], &page["next"]),
        (&json!(100), &json!(true), &json!(100))
    );
    let page = bb.value(
        "list_files",
        json!({"repo": "FLEET/fleet", "path": "ships", "limit": 100, "start": 980}),
    );
    assert_eq!((&page["shown"], &page["more"]), (&json!(20), &json!(false)));
}

#[test]
fn a_file_is_read_in_numbered_windows() {
    let (_stand_in, mut bb) = started();
    let table = json!({"path": "vendor/table.txt", "limit": 3, "start_line": 2999});
    let end = bb.value("get_file", rocket(table));
    assert_eq!(end["lines"], json!(["2999\trow 2999", "3000\trow 3000"]));
    assert_eq!(
        (&end["more"], end.get("next_start_line")),
        (&json!(false), None)
    );
    let start = bb.value(
        "get_file",
        rocket(json!({"path": "vendor/table.txt", "limit": 2})),
    );
    assert_eq!(start["lines"], json!(["1\trow 1", "2\trow 2"]));
    assert_eq!(
        (&start["more"], &start["next_start_line"]),
        (&json!(true), &json!(3))
    );
    let beyond = bb.value(
        "get_file",
        rocket(json!({"path": "vendor/table.txt", "start_line": 9000})),
    );
    assert_eq!(
        (&beyond["shown"], &beyond["note"]),
        (&json!(0), &json!("the file ends before line 9000"))
    );
    let empty = bb.value(
        "get_file",
        rocket(json!({"path": "engine/.keep", "at": "feature/kinds"})),
    );
    assert_eq!(empty["note"], "the file is empty");
}

#[test]
fn file_names_of_every_spelling_lead_to_their_file() {
    let (_stand_in, mut bb) = started();
    for (path, at, line) in [
        ("docs/stage 1/50% #draft?.md", "main", "1\t# Stage 1"),
        ("schäden/ö.txt", "refs/heads/main", "1\tKein Schaden."),
        ("/VERSION", "v1.4.0", "1\t1.4.0"),
        (
            "docs/\u{202e}gnp.exe",
            "feature/kinds",
            "1\tA name that reads backwards.",
        ),
    ] {
        let file = bb.value("get_file", rocket(json!({"path": path, "at": at})));
        assert_eq!(file["lines"][0], line, "{path}");
        assert!(!file.to_string().contains('\u{202e}'), "{file}");
    }
    let crlf = bb.value(
        "get_file",
        rocket(json!({"path": "schäden/ö.txt", "at": "feature/kinds"})),
    );
    assert_eq!(
        (&crlf["lines"], &crlf["line_ends"]),
        (&json!(["1\tEin Schaden.", "2\tZwei."]), &json!("CRLF"))
    );
    for path in ["-", "--output=x", "a+b", "'\"`;$(x)", "a\\b", "x\ty"] {
        let said = bb.failure("get_file", rocket(json!({"path": path})));
        assert!(
            said.contains("does not exist at revision"),
            "{path}: {said}"
        );
    }
}

#[test]
fn what_is_no_text_is_described_and_never_read() {
    let (stand_in, mut bb) = started();
    let binary = bb.value("get_file", rocket(json!({"path": "art/patch.svgz"})));
    assert_eq!(
        binary,
        json!({"path": "art/patch.svgz", "type": "FILE", "binary": true, "size": 16})
    );
    let folder = bb.value("get_file", rocket(json!({"path": "engine"})));
    assert_eq!(folder["type"], "DIRECTORY");
    // A submodule cannot be browsed; only its type is told.
    push(&stand_in, &[("vendor/fuel", "")]);
    let fuel = format!("{ROCKET}/browse/vendor/fuel");
    stand_in.fault(Fault::on("GET", &fuel, Effect::status(404)));
    stand_in.fault(Fault::on(
        "GET",
        &format!("{fuel}?*type=true"),
        Effect::replace("/type", json!("SUBMODULE")),
    ));
    let result = bb.call("get_file", rocket(json!({"path": "vendor/fuel"})));
    assert!(text(&result).contains("\"type\":\"SUBMODULE\""), "{result}");
}

#[test]
fn a_line_without_end_and_a_file_without_end_are_cut_aloud() {
    let (stand_in, mut bb) = started();
    let long = "x".repeat(100_000);
    let rows = "y".repeat(150) + "\n";
    push(
        &stand_in,
        &[
            ("long.txt", &format!("first\n{long}\nlast …\n")),
            ("rows.txt", &rows.repeat(900)),
        ],
    );
    let file = bb.value("get_file", rocket(json!({"path": "long.txt"})));
    assert_eq!(file["shown"], 3);
    assert_eq!(
        file["lines"][1].as_str().map(|line| line.chars().count()),
        Some(2_002)
    );
    assert_eq!(
        file["cut"],
        "line 2: cut at 2000 characters, the rest is in the repository alone"
    );
    let result = bb.call(
        "get_file",
        rocket(json!({"path": "rows.txt", "limit": 900})),
    );
    assert!(text(&result).chars().count() <= 60_000);
    let file: Value = serde_json::from_str(text(&result)).expect("JSON");
    let next = file["next_start_line"].as_u64().expect("a next line");
    assert_eq!(file["shown"].as_u64(), Some(next - 1));
    assert_eq!(
        file["cut"],
        format!("the answer was cut at 60000 characters; go on with start_line {next}")
    );
    let rest = bb.value(
        "get_file",
        rocket(json!({"path": "rows.txt", "start_line": next, "limit": 1})),
    );
    assert_eq!(rest["lines"][0], format!("{next}\t{}", rows.trim_end()));
}

#[test]
fn hostile_text_in_a_file_leaves_as_text_that_shows_itself() {
    let (stand_in, mut bb) = started();
    push(
        &stand_in,
        &[(
            "evil.txt",
            "a\u{1b}[31m\u{202e}b\rc\u{7}\u{2028}d <script>&lt;\n",
        )],
    );
    let result = bb.call("get_file", rocket(json!({"path": "evil.txt"})));
    let said = text(&result);
    for sign in ['\u{1b}', '\u{202e}', '\r', '\u{2028}'] {
        assert!(!said.contains(sign), "{said:?}");
    }
    assert!(said.contains("<U+001B>[31m<U+202E>b"), "{said}");
}
