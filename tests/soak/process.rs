//! bb as a process: started bare, its lines read as they come, and what the system says it holds.
//!
//! Start at [`Process::start`].

use serde_json::{Value, json};
use standin::StandIn;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than any answer may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A running `bb ai mcp serve`.
pub struct Process {
    /// The process itself.
    pub child: Child,
    /// Where its requests go; dropped, its input ends.
    pub input: Option<ChildStdin>,
    /// Pieces of its output, cut after line feeds where there are any; the last one may have none.
    pub lines: Receiver<Vec<u8>>,
}

/// What a process holds.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    pub memory_kib: usize,
    pub threads: usize,
    pub descriptors: usize,
}

/// The binary that is soaked.
pub fn binary() -> PathBuf {
    if let Some(named) = std::env::var_os("BB_BIN") {
        return PathBuf::from(named);
    }
    let own = std::env::current_exe().expect("a path");
    let folder = own.parent().and_then(Path::parent).expect("a folder");
    folder.join("bb")
}

impl Process {
    /// Starts bb on a stand-in, recording into `audit`, and sends the greeting without waiting for its answer.
    pub fn start(standin: &StandIn, audit: &Path) -> Self {
        let mut child = Command::new(binary())
            .args(["ai", "mcp", "serve", "--no-confirm", "--views", "always"])
            // Enough for the stand-in on a busy machine, and soon over where it stalls.
            .args(["--request-timeout", "400ms", "--audit-file"])
            .arg(audit)
            .env_clear()
            .env("BITBUCKET_URL", standin.url())
            .env("BITBUCKET_TOKEN", standin.token())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", binary().display()));
        let mut output = child.stdout.take().expect("a pipe");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let (mut line, mut buffer) = (Vec::new(), [0; 64 * 1024]);
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                for byte in &buffer[..read] {
                    line.push(*byte);
                    if *byte == b'\n' && send.send(std::mem::take(&mut line)).is_err() {
                        return;
                    }
                }
            }
            if !line.is_empty() {
                let _ = send.send(line);
            }
        });
        let mut process = Self {
            input: child.stdin.take(),
            child,
            lines,
        };
        process.ask(
            0,
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}),
        );
        process
    }

    /// Sends a request; says whether bb still reads.
    pub fn ask(&mut self, id: usize, method: &str, params: &Value) -> bool {
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let written = self.input.as_mut().map(|input| {
            input
                .write_all(format!("{line}\n").as_bytes())
                .and_then(|()| input.flush())
        });
        matches!(written, Some(Ok(())))
    }

    /// The same for a tool.
    pub fn call(&mut self, id: usize, tool: &str, arguments: &Value) -> bool {
        let params = json!({"name": tool, "arguments": arguments});
        self.ask(id, "tools/call", &params)
    }

    /// What it holds now.
    ///
    /// Source: `VmRSS` and `Threads` of `/proc/PID/status`, and the entries of `/proc/PID/fd`.
    pub fn held(&self) -> Held {
        let of = format!("/proc/{}", self.child.id());
        let status = std::fs::read_to_string(format!("{of}/status")).unwrap_or_default();
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let word = line.and_then(|line| line.split_whitespace().next());
            word.and_then(|word| word.parse().ok()).unwrap_or(0)
        };
        Held {
            memory_kib: number("VmRSS:"),
            threads: number("Threads:"),
            descriptors: std::fs::read_dir(format!("{of}/fd")).map_or(0, Iterator::count),
        }
    }
}

/// A line that is whole, as JSON; `None` if it is not.
pub fn whole(line: &[u8]) -> Option<Value> {
    let text = line.strip_suffix(b"\n")?;
    serde_json::from_slice(text).ok()
}

/// How many lines of a record there are, and whether each is whole.
pub fn recorded(audit: &Path) -> (usize, bool) {
    let bytes = std::fs::read(audit).unwrap_or_default();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let whole: Vec<bool> = lines.map(|line| whole(line).is_some()).collect();
    (whole.len(), whole.iter().all(|is_whole| *is_whole))
}

/// An empty file for a record, for its owner alone.
pub fn record(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("bb-soak-{}-{name}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}
