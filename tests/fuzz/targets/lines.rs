//! The pipe: any bytes as the client's whole input, through the reader of lines and the method table.

use bb::mcp::calls::Handle;
use bb::mcp::error::{INTERNAL_ERROR, RpcError};
use bb::mcp::lines::{Line, Lines, MAX_LINE_BYTES};
use bb::mcp::message;
use bb::mcp::server::{Service, ToolCall, serve};
use bb::mcp::wire::{About, Page, Reply, Resource, Tool};
use serde_json::Value;
use serde_json::value::RawValue;
use std::io::{self, BufReader, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = super::files("cases", "stdin.bin");
    seeds.extend(super::files("cases", ".jsonl"));
    // The bounds of a line, near enough that a step or two of a fuzzer is over them.
    seeds.push(b"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n".to_vec());
    let digits = "9".repeat(400);
    seeds.push(
        format!("{{\"jsonrpc\":\"2.0\",\"id\":-{digits},\"method\":\"ping\"}}\n").into_bytes(),
    );
    seeds.push(b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{}]\n[]\n\n \n".to_vec());
    seeds
}

pub fn run(data: &[u8]) {
    // A buffer of a few bytes cuts lines everywhere.
    let mut lines = Lines::new(BufReader::with_capacity(7, data));
    while let Some(line) = lines.read().expect("memory can be read") {
        if let Line::Text(text) = line {
            assert!(!text.is_empty() && text.len() <= MAX_LINE_BYTES);
            assert!(!text.contains(&b'\n'));
            message::read(text);
        }
    }
    let written = Out::default();
    serve(Arc::new(Nothing), data, written.clone(), |_| {}).expect("threads");
    check_lines(&written.take());
}

/// Whole lines, each JSON and none of them a fault of bb's own; their values.
pub fn check_lines(written: &[u8]) -> Vec<Value> {
    assert!(written.is_empty() || written.ends_with(b"\n"));
    let lines = written.split_inclusive(|byte| *byte == b'\n');
    let check = |line: &[u8]| {
        assert!(line.len() <= MAX_LINE_BYTES + 1, "a line is too long");
        serde_json::from_slice::<Box<RawValue>>(line).expect("a line is JSON");
        // An id comes back as it came, with more digits than a number here can hold.
        let value: Value = serde_json::from_slice(line).unwrap_or_default();
        let each = value
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![value.clone()]);
        for answer in each {
            assert_ne!(answer["error"]["code"], INTERNAL_ERROR, "{answer}");
        }
        value
    };
    lines.map(check).collect()
}

/// What was written, for whoever reads it afterwards.
#[derive(Clone, Default)]
pub struct Out(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl Out {
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.0.lock().expect("whole"))
    }

    /// Waits until so many lines are there, at most so long.
    pub fn wait_for_lines(&self, count: usize, at_most: Duration) {
        let bytes = self.0.0.lock().expect("whole");
        let is_short =
            |bytes: &mut Vec<u8>| bytes.iter().filter(|byte| **byte == b'\n').count() < count;
        drop(self.0.1.wait_timeout_while(bytes, at_most, is_short));
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.0.lock().expect("whole").extend_from_slice(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A server that offers nothing.
struct Nothing;

impl Service for Nothing {
    fn about(&self) -> About {
        About {
            name: "nothing",
            title: "Nothing",
            version: "0",
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
    fn call(&self, call: ToolCall, _: &Handle) -> Result<Reply, RpcError> {
        Err(RpcError::invalid_params(format!("no tool {}", call.name)))
    }
}
