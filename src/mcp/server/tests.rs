//! What needs a service that misbehaves; everything else is tested over the real pipe in `tests/it`.

use super::{Service, ToolCall, serve};
use crate::mcp::calls::Handle;
use crate::mcp::error::RpcError;
use crate::mcp::wire::{About, CallResult, Page, Reply, Resource, Tool};
use serde_json::{Value, json};
use std::io::{self, BufReader, Cursor, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// `panic` panics, `wait` waits to be cancelled, `ask` asks the person, `big` answers 5 MiB.
struct Odd;

impl Service for Odd {
    fn about(&self) -> About {
        About {
            name: "odd",
            title: "Odd",
            version: "1",
            instructions: String::new(),
        }
    }
    fn tools(&self) -> Vec<Tool> {
        Vec::new()
    }
    fn resources(&self) -> Vec<Resource> {
        Vec::new()
    }
    fn page(&self, _: &str) -> Option<Page> {
        None
    }
    fn call(&self, call: ToolCall, handle: &Handle) -> Result<Reply, RpcError> {
        Ok(match call.name.as_str() {
            "panic" => panic!("a fault of the test's own"),
            "wait" => {
                handle.step("waiting");
                handle.cancel.wait(Duration::from_secs(60));
                CallResult::text("woken")
            }
            "ask" => match handle.ask("elicitation/create", json!({"message": "?"})) {
                Ok(answer) => CallResult::text(answer["action"].as_str().unwrap_or("nothing")),
                Err(why) => CallResult::error(why.to_string()),
            },
            "big" => CallResult::text("x".repeat(5 * 1024 * 1024)),
            other => CallResult::text(other),
        }
        .into())
    }
}

/// A client in this process: lines in, lines out, over real blocking pipes.
struct Client {
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<Value>,
    thread: std::thread::JoinHandle<()>,
}

struct In(Receiver<Vec<u8>>, Cursor<Vec<u8>>);

impl Read for In {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.1.read(into)? {
                0 => match self.0.recv() {
                    Ok(bytes) => self.1 = Cursor::new(bytes),
                    Err(_) => return Ok(0),
                },
                read => return Ok(read),
            }
        }
    }
}

struct Out(Arc<Mutex<Vec<u8>>>, Sender<Value>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for byte in bytes {
            if *byte == b'\n' {
                let value = serde_json::from_slice(&line).expect("each line is JSON");
                line.clear();
                let _ = self.1.send(value);
            } else {
                line.push(*byte);
            }
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Client {
    fn start() -> Self {
        let (to, input) = channel();
        let (output, from) = channel();
        let thread = std::thread::spawn(move || {
            let input = BufReader::new(In(input, Cursor::default()));
            serve(Arc::new(Odd), input, Out(Arc::default(), output), |_| {}).expect("threads");
        });
        Self {
            to: Some(to),
            from,
            thread,
        }
    }
    fn send(&self, message: Value) {
        let line = format!("{message}\n").into_bytes();
        self.to
            .as_ref()
            .expect("open")
            .send(line)
            .expect("bb reads");
    }
    fn call(&self, id: impl Into<Value>, tool: &str) {
        self.send(json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {"name": tool}}));
    }
    #[track_caller]
    fn next(&self) -> Value {
        self.from
            .recv_timeout(Duration::from_secs(20))
            .expect("a line comes")
    }
    /// Closes the pipe; answers what came after that.
    fn end(mut self) -> Vec<Value> {
        self.to = None;
        self.thread.join().expect("serve returns");
        self.from.iter().collect()
    }
}

#[test]
fn a_panic_costs_one_answer() {
    let client = Client::start();
    client.call("p", "panic");
    let answer = client.next();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!("p"), &json!(-32603))
    );
    client.call(2, "fine");
    assert_eq!(client.next()["result"]["content"][0]["text"], "fine");
    assert_eq!(client.end(), Vec::<Value>::new());
}

#[test]
fn an_answer_over_the_bound_is_an_error_under_its_id() {
    let client = Client::start();
    client.call(1, "big");
    let answer = client.next();
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&json!(1), &json!(-32603))
    );
}

#[test]
fn a_cancelled_call_sends_no_answer_and_the_next_runs() {
    let client = Client::start();
    client.call("w", "wait");
    client.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "w"}}));
    client.call(2, "after");
    assert_eq!(client.next()["id"], 2);
    assert_eq!(client.end(), Vec::<Value>::new());
}

#[test]
fn cancelling_takes_the_id_by_its_type() {
    let client = Client::start();
    client.call("7", "wait");
    client.call(7, "wait");
    client.send(
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}),
    );
    client.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [7]}}));
    client.send(json!({"jsonrpc": "2.0", "id": 8, "method": "ping"}));
    assert_eq!(client.next()["id"], 8);
    client.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "7"}}));
    assert_eq!(client.end(), Vec::<Value>::new());
}

#[test]
fn more_calls_than_places_wait_their_turn_while_a_ping_does_not() {
    let client = Client::start();
    for id in 0..32 {
        client.call(id, "wait");
    }
    client.call(32, "late");
    client.send(json!({"jsonrpc": "2.0", "id": "ping", "method": "ping"}));
    assert_eq!(client.next()["id"], "ping");
    client.send(
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}),
    );
    assert_eq!(client.next()["id"], 32);
    for id in 0..32 {
        client.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    }
    assert_eq!(client.end(), Vec::<Value>::new());
}

#[test]
fn a_call_that_waits_for_a_person_holds_no_place() {
    let client = Client::start();
    for id in 0..40 {
        client.call(id, "ask");
    }
    let questions: Vec<Value> = (0..40).map(|_| client.next()).collect();
    assert!(
        questions
            .iter()
            .all(|question| question["method"] == "elicitation/create")
    );
    client.call("other", "fine");
    assert_eq!(client.next()["id"], "other");
    for question in &questions {
        client
            .send(json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}}));
    }
    for _ in 0..40 {
        assert_eq!(client.next()["result"]["content"][0]["text"], "accept");
    }
}

#[test]
fn cancelling_a_call_cancels_its_question_and_an_answer_to_nothing_is_ignored() {
    let client = Client::start();
    client.call(1, "ask");
    let question = client.next();
    client.send(json!({"jsonrpc": "2.0", "id": "bb-99", "result": {}}));
    client.send(
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
    );
    let cancelled = client.next();
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    assert_eq!(client.end(), Vec::<Value>::new());
}

#[test]
fn a_question_ends_with_the_input() {
    let client = Client::start();
    client.call(1, "ask");
    client.next();
    let rest = client.end();
    assert!(
        rest.iter()
            .any(|line| line["id"] == 1 && line["result"]["isError"] == true),
        "{rest:?}"
    );
}

#[test]
fn a_client_that_refuses_the_question_is_quoted() {
    let client = Client::start();
    client.call(1, "ask");
    let question = client.next();
    client.send(json!({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -32601, "message": "no forms"}}));
    let text = client.next()["result"]["content"][0]["text"].clone();
    assert_eq!(text, "the client could not ask: no forms");
}

#[test]
fn progress_comes_from_one_second_on_grows_and_never_follows_the_answer() {
    let client = Client::start();
    client.send(json!({"jsonrpc": "2.0", "id": "w", "method": "tools/call",
        "params": {"name": "wait", "_meta": {"progressToken": 0}}}));
    let (first, second) = (client.next(), client.next());
    for report in [&first, &second] {
        assert_eq!(report["method"], "notifications/progress");
        assert_eq!(
            (
                &report["params"]["progressToken"],
                &report["params"]["message"]
            ),
            (&json!(0), &json!("waiting"))
        );
    }
    assert!(first["params"]["progress"].as_f64() < second["params"]["progress"].as_f64());
    client.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "w"}}));
    assert_eq!(client.end(), Vec::<Value>::new());
}

#[test]
fn a_batch_is_answered_by_one_array_under_the_one_revision_that_has_it() {
    let client = Client::start();
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/odd"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "fine"}},
        {"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {}},
        5,
    ]);
    client.send(batch.clone());
    let refused = client.next();
    assert_eq!(
        (&refused["error"]["code"], refused.get("id")),
        (&json!(-32600), None)
    );
    client.send(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}));
    assert_eq!(client.next()["result"]["protocolVersion"], "2025-03-26");
    client.send(batch);
    let answers = client.next();
    let answers = answers.as_array().expect("an array");
    assert_eq!(answers.len(), 4, "{answers:?}");
    client.send(json!([]));
    assert_eq!(client.next()["error"]["code"], -32600);
    client.send(json!([{"jsonrpc": "2.0", "method": "notifications/odd"}]));
    assert_eq!(client.end(), Vec::<Value>::new());
}

#[test]
fn a_subscription_stays_open_until_the_input_ends() {
    let client = Client::start();
    client.send(
        json!({"jsonrpc": "2.0", "id": "s", "method": "subscriptions/listen", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}}}),
    );
    let acknowledged = client.next();
    assert_eq!(
        acknowledged["method"],
        "notifications/subscriptions/acknowledged"
    );
    let rest = client.end();
    assert_eq!(rest[0]["result"]["resultType"], "complete");
}
