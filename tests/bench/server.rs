//! bb as a client sees it: a process, a line in, a line out.
//!
//! Knows of MCP what it takes to ask one thing, in the legacy era. Start at [`Server::start`].

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::bitbucket::Address;
use crate::reading::Missing;
use crate::subject::Subject;

/// Far longer than any answer here may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// One running `bb ai mcp serve`; it is killed when dropped.
pub struct Server {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    sent: u64,
}

/// One answer: the line as it came, without its line feed, and its `result`.
pub struct Answer {
    /// The whole line.
    pub line: String,
    /// What it holds.
    pub result: Value,
}

impl Server {
    /// Starts bb with these flags of `serve`, with nothing of our own environment but what it is given.
    pub fn start(subject: &Subject, address: &Address, flags: &[&str]) -> Result<Self, Missing> {
        let mut child = bare(
            Command::new(&subject.path)
                .args(["ai", "mcp", "serve"])
                .args(flags),
        )
        .env("BITBUCKET_URL", &address.url)
        .env("BITBUCKET_TOKEN", &address.token)
        .spawn()
        .map_err(|error| Missing(format!("bb does not start: {error}")))?;
        let input = child.stdin.take().expect("stdin is piped");
        let output = child.stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        // Ends with bb's output, or when nobody receives any more.
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            input,
            lines,
            sent: 0,
        })
    }

    /// Starts bb and shakes hands, as a client that renders views.
    pub fn connect(subject: &Subject, address: &Address, flags: &[&str]) -> Result<Self, Missing> {
        let mut server = Self::start(subject, address, flags)?;
        server.initialize()?;
        Ok(server)
    }

    /// The legacy handshake up to its answer.
    pub fn initialize(&mut self) -> Result<Answer, Missing> {
        let renders =
            json!({"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}});
        self.ask(
            "initialize",
            &json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {"extensions": renders},
                "clientInfo": {"name": "bench", "version": "1"},
            }),
        )
    }

    /// Sends one request and waits for its answer.
    pub fn ask(&mut self, method: &str, params: &Value) -> Result<Answer, Missing> {
        self.send(method, params)?;
        self.answer(method)
    }

    /// Calls one tool and waits for its answer, which must not be `isError`.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Answer, Missing> {
        self.send_call(tool, arguments)?;
        self.called(tool)
    }

    /// Calls one tool `count` times at once and waits for all answers.
    pub fn call_at_once(
        &mut self,
        count: usize,
        tool: &str,
        arguments: &Value,
    ) -> Result<(), Missing> {
        for _ in 0..count {
            self.send_call(tool, arguments)?;
        }
        for _ in 0..count {
            self.called(tool)?;
        }
        Ok(())
    }

    /// The most memory that it ever held, in bytes.
    ///
    /// Source: `VmHWM` of `/proc/PID/status`, in kB.
    pub fn peak_memory(&self) -> Result<usize, Missing> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))
            .map_err(|error| Missing(format!("/proc tells nothing of bb: {error}")))?;
        let kilobytes = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        let kilobytes: usize = kilobytes
            .and_then(|number| number.trim().parse().ok())
            .ok_or_else(|| Missing("/proc names no VmHWM".to_owned()))?;
        Ok(kilobytes * 1024)
    }

    fn send_call(&mut self, tool: &str, arguments: &Value) -> Result<(), Missing> {
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    fn send(&mut self, method: &str, params: &Value) -> Result<(), Missing> {
        self.sent += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params});
        let written = self
            .input
            .write_all(format!("{request}\n").as_bytes())
            .and_then(|()| self.input.flush());
        written.map_err(|_| Missing(format!("bb ended before `{method}` was asked")))
    }

    fn answer(&mut self, asked: &str) -> Result<Answer, Missing> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).map_err(|error| {
                Missing(match error {
                    RecvTimeoutError::Timeout => {
                        format!("`{asked}` is not answered within {PATIENCE:?}")
                    }
                    RecvTimeoutError::Disconnected => {
                        format!("bb ended before it answered `{asked}`")
                    }
                })
            })?;
            let mut message: Value = serde_json::from_str(&line)
                .map_err(|error| Missing(format!("`{asked}` is answered by no JSON: {error}")))?;
            // A notification is no answer.
            if message.get("id").is_none() {
                continue;
            }
            if let Some(error) = message.get("error") {
                return Err(Missing(format!("`{asked}` is refused: {error}")));
            }
            return Ok(Answer {
                line,
                result: message["result"].take(),
            });
        }
    }

    fn called(&mut self, tool: &str) -> Result<Answer, Missing> {
        let answer = self.answer(tool)?;
        if answer.result["isError"] == true {
            return Err(Missing(format!("`{tool}` fails: {}", answer.text())));
        }
        Ok(answer)
    }
}

impl Answer {
    /// The text that the model reads.
    pub fn text(&self) -> &str {
        self.result["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command with piped ends and next to no environment: the same for everything whose start is compared.
pub fn bare(command: &mut Command) -> &mut Command {
    command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", "/nonexistent")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
}
