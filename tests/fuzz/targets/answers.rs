//! Bitbucket's answers: a call of each tool that reads and of each kind, with one answer on its way replaced by any
//! bytes. What the model and the page get must still be whole, and no fault of bb's own.
//!
//! The first byte of an input picks the call, the second the answer that is replaced; the rest is that answer.

use super::lines::{Out, check_lines};
use bb::bitbucket::Bitbucket;
use bb::bitbucket::address::BaseUrl;
use bb::bitbucket::connection::{Connection, Credentials};
use bb::bitbucket::http::Http;
use bb::catalog::audit::Audit;
use bb::catalog::confirm::Confirm;
use bb::catalog::exposure::Exposure;
use bb::catalog::{Catalog, Door, TOOLS};
use bb::highlight::{Highlighter, Templates};
use bb::log::Log;
use bb::mcp::server::serve;
use bb::secret::Secret;
use bb::settings::{LogLevel, Views};
use bb::show::kinds::KINDS;
use bb::show::memory::Memory;
use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn};
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The greeting of a client that renders views.
const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}},"clientInfo":{"name":"fuzz","version":"1"}}}"#;

/// One call, and what Bitbucket is asked for it.
struct Asked {
    /// The call, as a client sends it.
    line: String,
    name: &'static str,
    /// The paths that are asked for, each with its answer, in the order of their names.
    answers: Vec<(String, Vec<u8>)>,
}

struct World {
    standin: StandIn,
    catalog: Arc<Catalog>,
    calls: Vec<Asked>,
    /// One call at a time: a fault is the stand-in's, not a call's.
    turn: Mutex<()>,
}

pub fn seeds() -> Vec<Vec<u8>> {
    seeds_of(&|_| true)
}

pub fn diff_seeds() -> Vec<Vec<u8>> {
    seeds_of(&is_of_a_diff)
}

pub fn run(data: &[u8]) {
    let world = world();
    let [call, answer, body @ ..] = data else {
        return;
    };
    let calls = &world.calls;
    play(
        world,
        &calls[usize::from(*call) % calls.len()],
        *answer,
        body,
    );
}

/// The same for calls about what changed alone.
pub fn run_diff(data: &[u8]) {
    let world = world();
    let [call, answer, body @ ..] = data else {
        return;
    };
    let calls: Vec<&Asked> = world
        .calls
        .iter()
        .filter(|call| is_of_a_diff(call))
        .collect();
    play(
        world,
        calls[usize::from(*call) % calls.len()],
        *answer,
        body,
    );
}

fn is_of_a_diff(call: &Asked) -> bool {
    ["get_pr_diff", "compare_refs", "diff"].contains(&call.name)
}

fn play(world: &World, call: &Asked, answer: u8, body: &[u8]) {
    let _turn = world.turn.lock().expect("the turn before ended");
    let (path, _) = &call.answers[usize::from(answer) % call.answers.len()];
    let effect = Effect::Answer(body.to_vec());
    world.standin.fault(Fault::on("GET", path, effect));
    let written = ask(&world.catalog, &call.line);
    world.standin.clear_faults();
    world.standin.clear_log();
    let lines = check_lines(&written);
    let found: Vec<&Value> = lines.iter().filter(|line| line["id"] == 1).collect();
    assert_eq!(found.len(), 1, "answers to {}", call.line);
    assert!(
        found[0]["result"]["content"][0]["text"].is_string(),
        "{}",
        found[0]
    );
}

fn seeds_of(wanted: &dyn Fn(&Asked) -> bool) -> Vec<Vec<u8>> {
    let calls = world().calls.iter().filter(|call| wanted(call));
    let each = calls.enumerate().flat_map(|(number, call)| {
        call.answers.iter().enumerate().map(move |(at, (_, body))| {
            let picks = [number, at].map(|pick| u8::try_from(pick).expect("few"));
            [&picks[..], body].concat()
        })
    });
    each.collect()
}

fn ask(catalog: &Arc<Catalog>, line: &str) -> Vec<u8> {
    let written = Out::default();
    let input = Input {
        asked: format!("{HELLO}\n{line}\n").into_bytes(),
        written: written.clone(),
    };
    serve(
        catalog.clone(),
        BufReader::new(input),
        written.clone(),
        |_| {},
    )
    .expect("threads");
    written.take()
}

/// The client's lines, and no end of input before both are answered: bb gives what is in flight 5 s from then on,
/// which a busy machine may need for itself.
struct Input {
    asked: Vec<u8>,
    written: Out,
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.asked.is_empty() {
            self.written.wait_for_lines(2, Duration::from_secs(60));
        }
        let count = self.asked.len().min(into.len());
        for (to, from) in into.iter_mut().zip(self.asked.drain(..count)) {
            *to = from;
        }
        Ok(count)
    }
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let standin = StandIn::start(Options::default());
        let catalog = catalog(&standin);
        let mut calls = Vec::new();
        for (name, arguments) in examples(&standin) {
            let call = json!({"name": arguments.get("kind").map_or(name, |_| "show"), "arguments": arguments});
            let line = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call});
            standin.clear_log();
            ask(&catalog, &line.to_string());
            let asked = standin.log().into_iter();
            let paths: BTreeMap<String, String> = asked
                .filter(|request| request.method == "GET" && request.status == Some(200))
                .map(|request| {
                    let path = request.path.split('?').next().unwrap_or_default().to_owned();
                    (path, request.path)
                })
                .collect();
            let answers: Vec<(String, Vec<u8>)> = paths
                .into_iter()
                .map(|(path, whole)| (path, body(&standin, &whole)))
                .collect();
            if !answers.is_empty() {
                calls.push(Asked {
                    line: line.to_string(),
                    name,
                    answers,
                });
            }
        }
        World {
            standin,
            catalog,
            calls,
            turn: Mutex::new(()),
        }
    })
}

/// A call of each tool that reads, and of each kind, by its own example.
fn examples(standin: &StandIn) -> Vec<(&'static str, Value)> {
    let read = |text: &str| -> Value { serde_json::from_str(text).expect("an example is JSON") };
    let tools = TOOLS.iter().filter(|tool| tool.effect.is_reading());
    let tools = tools.map(|tool| {
        let mut arguments = read(tool.example);
        if arguments.get("commit_id").is_some() {
            // An example's commit is nobody's.
            arguments["commit_id"] = json!(standin.commit("igniter-3"));
        }
        (tool.name, arguments)
    });
    let kinds = KINDS.iter().map(|kind| (kind.name, read(kind.example)));
    tools.chain(kinds).collect()
}

/// What the stand-in answers, read as bb reads it.
fn body(standin: &StandIn, path: &str) -> Vec<u8> {
    use std::io::Write;
    let address = standin.url().trim_start_matches("http://");
    let address = address.split('/').next().unwrap_or_default();
    let mut stream = std::net::TcpStream::connect(address).expect("the stand-in listens");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
        standin.token()
    );
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    answer.split_off(head.expect("a head") + 4)
}

fn catalog(standin: &StandIn) -> Arc<Catalog> {
    let connection = Connection {
        base: BaseUrl::parse(standin.url()).expect("an address"),
        credentials: Some(Credentials::Token(Secret::new(standin.token()))),
        ca_file: None,
        client: None,
        proxy: None,
        request_timeout: Duration::from_secs(10),
    };
    let bitbucket = Bitbucket::new(Http::new(&connection).expect("a connection"));
    let door = Door {
        exposure: Exposure::new(&[], &[], false, TOOLS).expect("all tools"),
        confirm: Confirm::new(false, [7; 32]),
        audit: Audit::off(),
    };
    // Colors are another thread's work, and no part of what is read here.
    let memory = Memory::new(Highlighter::new(Duration::ZERO, Templates::Plain));
    Arc::new(Catalog::new(
        bitbucket,
        door,
        Views::Auto,
        memory,
        Log::new(LogLevel::Error),
    ))
}
