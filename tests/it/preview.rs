//! The `preview` example (R41, contract 7): what `--once` prints, and the server that `--stdio` is.

use crate::support::{PATIENCE, root};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The built example: `cargo test` builds it beside this test's own folder.
fn preview(arguments: &[&str]) -> Command {
    let here = std::env::current_exe().expect("a path");
    let built = here.parent().and_then(Path::parent).expect("a folder");
    let path: PathBuf = built.join("examples/preview");
    assert!(
        path.exists(),
        "{path:?} is not built: cargo build --examples"
    );
    let mut command = Command::new(path);
    // Nothing of this machine's variables may matter to it.
    command
        .args(arguments)
        .current_dir(root())
        .env("BB_READ_ONLY", "no boolean")
        .env("BITBUCKET_URL", "http://bitbucket.invalid");
    command
}

/// A preview that runs until the test ends, and the lines it prints.
struct Running {
    process: Child,
    lines: Receiver<String>,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        let mut process = preview(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let (send, lines) = channel();
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Self { process, lines }
    }

    #[track_caller]
    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    /// Where its page is, once it says so.
    #[track_caller]
    fn authority(&self) -> String {
        loop {
            if let Some((_, rest)) = self.line().split_once("The preview is at http://") {
                return rest.split('/').next().expect("a host").to_owned();
            }
        }
    }

    #[track_caller]
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let input = self.process.stdin.as_mut().expect("open");
        writeln!(input, "{message}").expect("it reads");
        serde_json::from_str(&self.line()).expect("JSON")
    }

    /// How it ends by itself.
    #[track_caller]
    fn end(&mut self) -> Option<i32> {
        drop(self.process.stdin.take());
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.process.try_wait().expect("a status") {
                return status.code();
            }
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::park_timeout(Duration::from_millis(10));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Already gone where the test waited for it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs it to its end: code, stdout, stderr.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let done = preview(arguments).output().expect("it runs");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

#[test]
fn once_prints_a_line_for_each_kind_and_ends_well() {
    let (code, said, problems) = run(&["--once"]);
    assert_eq!((code, problems.as_str()), (Some(0), ""), "{said}");
    assert!(said.starts_with("the page "), "{said}");
    for kind in bb::show::kinds::KINDS {
        let line = said
            .lines()
            .find(|line| line.starts_with(&format!("{} ", kind.name)));
        let line = line.unwrap_or_else(|| panic!("no line for {}:\n{said}", kind.name));
        for words in [" ms ", " bytes ", "show {", kind.name] {
            assert!(line.contains(words), "{words:?} is not in {line:?}");
        }
    }
    for (id, tool) in [
        ("release_board", "render_release_board {"),
        ("build_wall", "render_build_wall {"),
    ] {
        let line = said.lines().find(|line| line.starts_with(id));
        let line = line.unwrap_or_else(|| panic!("no line for {id}:\n{said}"));
        for words in [" ms ", " bytes ", tool] {
            assert!(line.contains(words), "{words:?} is not in {line:?}");
        }
    }
    assert!(
        said.ends_with("requests to the stand-in: all well\n") && said.contains(" 2 manifests, "),
        "{said}"
    );
}

#[test]
fn once_tells_what_is_not_drawn_and_ends_with_1() {
    let (code, said, _) = run(&["--once", "--", "--views", "never"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("pull_request     FAILED: Nothing was shown"),
        "{said}"
    );
}

#[test]
fn a_server_that_does_not_start_or_offers_no_view_is_told() {
    for (flags, expected) in [
        (["--exclude", "show"], "bb offers no `show`"),
        (
            ["--log-level", "loud"],
            "bb ended while it was asked initialize",
        ),
    ] {
        let (code, said, problems) = run(&["--once", "--", flags[0], flags[1]]);
        assert_eq!(code, Some(1), "{said}{problems}");
        let told = problems.lines().any(|line| {
            line.starts_with("preview: ") && (line.contains(expected) || line.contains("has ended"))
        });
        assert!(told, "{problems}");
    }
}

#[test]
fn a_flag_that_is_none_is_refused_with_the_ones_there_are() {
    for flags in [&["--twice"][..], &["--port"], &["--port", "70000"]] {
        let (code, said, problems) = run(flags);
        assert_eq!((code, said.as_str()), (Some(2), ""), "{problems}");
        assert!(problems.contains("usage: preview"), "{problems}");
    }
}

#[test]
fn stdio_is_the_server_on_a_stand_in_of_its_own() {
    let mut server = Running::start(&["--stdio"]);
    let told = server.ask(
        "initialize",
        json!({
            "protocolVersion": "2025-11-25",
            "clientInfo": {"name": "test", "version": "1"},
            "capabilities": {"extensions": {
                "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]},
            }},
        }),
    );
    assert_eq!(told["result"]["serverInfo"]["name"], "bb", "{told}");
    let arguments = json!({"kind": "pull_request", "project": "ACME", "repo": "rocket", "id": 42});
    let shown = server.ask(
        "tools/call",
        json!({"name": "show", "arguments": arguments}),
    );
    let view = &shown["result"]["_meta"]["bb/view"];
    assert_eq!(view["facts"]["id"], 42, "{shown}");
    assert_eq!(server.end(), Some(0));
}

/// One request to the preview's page; gives the status line, the headers and the body.
fn asked(authority: &str, head: &str, body: &str) -> (String, String) {
    let mut connection = std::net::TcpStream::connect(authority).expect("it listens");
    connection
        .set_read_timeout(Some(PATIENCE))
        .expect("a limit");
    let length = body.len();
    write!(
        connection,
        "{head}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .expect("it reads");
    connection
        .shutdown(std::net::Shutdown::Write)
        .expect("half closed");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
    (head.to_owned(), body.to_owned())
}

#[test]
fn the_page_frames_the_view_of_the_server_and_moves_its_world() {
    let server = Running::start(&[]);
    let authority = server.authority();
    let get = |path: &str| {
        asked(
            &authority,
            &format!("GET {path} HTTP/1.1\r\nHost: {authority}"),
            "",
        )
    };
    let post = |path: &str, body: Value| {
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {authority}\r\nOrigin: http://{authority}");
        asked(&authority, &head, &body.to_string())
    };

    let (head, page) = get("/view");
    assert!(
        head.contains("sandbox allow-scripts; default-src 'none'"),
        "{head}"
    );
    assert_eq!(page, bb::page::document());
    let (head, page) = get("/view/build_wall");
    assert!(head.contains("connect-src 'none'"), "{head}");
    assert!(page.contains("<title>Build wall</title>"), "{page}");
    assert!(get("/view/nobody").0.starts_with("HTTP/1.1 404 "));
    let choices: Value = serde_json::from_str(&get("/choices").1).expect("JSON");
    assert_eq!(choices["kinds"][0]["name"], "pull_request");

    let on = choices["kinds"][0]["samples"][0]["arguments"].clone();
    let show = || {
        let body = json!({"method": "tools/call", "params": {"name": "show", "arguments": on}});
        let told: Value = serde_json::from_str(&post("/mcp", body).1).expect("JSON");
        assert!(
            told["ms"].is_number() && told["bytes"].is_number(),
            "{told}"
        );
        told["result"]["_meta"]["bb/view"]["facts"].clone()
    };
    for step in choices["moves"].as_array().expect("a list") {
        // Declining comes after merging, and says why it cannot be.
        let before = show();
        let (head, told) = post("/move", json!({"move": step["name"], "on": on}));
        if step["name"] == "decline" {
            assert!(head.starts_with("HTTP/1.1 409 "), "{head}");
            assert!(
                told.contains("it is merged: nothing moves in it any more"),
                "{told}"
            );
        } else {
            assert!(head.starts_with("HTTP/1.1 200 "), "{step}: {told}");
            assert_ne!(show(), before, "{step} changed nothing");
        }
    }
    assert_eq!(show()["state"], "MERGED");
}

#[test]
fn the_page_answers_nobody_but_its_own_browser_tab() {
    let server = Running::start(&[]);
    let authority = server.authority();
    for (head, status) in [
        ("GET / HTTP/1.1\r\nHost: evil.example.com".to_owned(), 403),
        (
            format!("POST /mcp HTTP/1.1\r\nHost: {authority}\r\nOrigin: null"),
            403,
        ),
        (
            format!("POST /move HTTP/1.1\r\nHost: {authority}\r\nOrigin: http://evil.example.com"),
            403,
        ),
        (format!("POST /mcp HTTP/1.1\r\nHost: {authority}"), 400),
        (
            format!("GET /../Cargo.toml HTTP/1.1\r\nHost: {authority}"),
            404,
        ),
        (format!("DELETE / HTTP/1.1\r\nHost: {authority}"), 405),
    ] {
        let (answered, _) = asked(&authority, &head, "{}");
        assert!(
            answered.starts_with(&format!("HTTP/1.1 {status} ")),
            "{head}: {answered}"
        );
    }
}
