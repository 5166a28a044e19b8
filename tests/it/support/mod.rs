//! The real binary over a real pipe, driven line by line.
//!
//! Every wait has a deadline; whatever fails prints what was sent, what came and what bb said on stderr.

pub mod views;

use serde_json::{Value, json};
use standin::StandIn;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longer than anything that is waited for takes on a machine under load.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A Bitbucket that answers nothing: no test that uses it may need one.
pub const NOWHERE: &str = "http://127.0.0.1:9";

/// Where the repository is.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Where the fixtures are.
pub fn fixture(path: &str) -> PathBuf {
    root().join("fixtures").join(path)
}

/// The bytes of a fixture.
pub fn read_fixture(path: &str) -> Vec<u8> {
    std::fs::read(fixture(path))
        .unwrap_or_else(|error| panic!("cannot read fixtures/{path}: {error}"))
}

/// `bb` with nothing of this machine's environment but what `variables` gives.
pub fn command(arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bb"));
    command
        .args(arguments)
        .env_clear()
        .envs(variables.iter().copied());
    command
}

/// A server that runs, and everything that was said.
pub struct Bb {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    said: Arc<Mutex<String>>,
    stderr: Arc<Mutex<String>>,
    next_id: u64,
    /// Lines that came while another was waited for.
    early: Vec<Value>,
}

impl Bb {
    /// Starts `bb ai mcp serve` with more arguments and these variables alone.
    pub fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let arguments: Vec<&str> = ["ai", "mcp", "serve"]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        Self::run(command(&arguments, variables))
    }

    /// Starts a server by another program, which becomes it.
    pub fn through(line: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(line[0]);
        command
            .args(&line[1..])
            .env_clear()
            .envs(variables.iter().copied());
        Self::run(command)
    }

    fn run(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("bb starts");
        let (send, lines) = channel();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                match stdout.read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) if send.send(line).is_err() => return,
                    Ok(_) => {}
                }
            }
        });
        let stderr = Arc::new(Mutex::new(String::new()));
        let mut errors = child.stderr.take().expect("a pipe");
        let kept = Arc::clone(&stderr);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = errors.read(&mut buffer) {
                kept.lock()
                    .expect("kept")
                    .push_str(&String::from_utf8_lossy(&buffer[..read]));
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            said: Arc::default(),
            stderr,
            next_id: 1,
            early: Vec::new(),
        }
    }

    /// Starts it on a Bitbucket with a token, and nothing more.
    pub fn on(url: &str, token: &str) -> Self {
        Self::start(&[], &[("BITBUCKET_URL", url), ("BITBUCKET_TOKEN", token)])
    }

    /// Starts it on a stand-in, as the user whose token that gives.
    pub fn with(stand_in: &StandIn) -> Self {
        Self::with_args(stand_in, &[])
    }

    /// The same with more arguments.
    pub fn with_args(stand_in: &StandIn, arguments: &[&str]) -> Self {
        let token = stand_in.token();
        Self::start(
            arguments,
            &[
                ("BITBUCKET_URL", stand_in.url()),
                ("BITBUCKET_TOKEN", &token),
            ],
        )
    }

    /// Starts it on a Bitbucket that answers nothing.
    pub fn alone() -> Self {
        Self::on(NOWHERE, "a-token-for-nobody")
    }

    fn note(&self, before: &str, text: &str) {
        let cut: String = text.chars().take(2_000).collect();
        let _ = writeln!(self.said.lock().expect("said"), "{before} {cut}");
    }

    /// What was sent and came, for a failure.
    pub fn story(&self) -> String {
        let stderr = self.stderr.lock().expect("stderr");
        format!("{}stderr: {stderr}", self.said.lock().expect("said"))
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.note(">", &String::from_utf8_lossy(bytes));
        let stdin = self.stdin.as_mut().expect("open");
        stdin
            .write_all(bytes)
            .and_then(|()| stdin.flush())
            .expect("bb reads");
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes());
    }

    /// Sends a request and gives its id.
    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The next line, whatever it is.
    #[track_caller]
    pub fn next(&mut self) -> Value {
        match self.early.is_empty() {
            false => self.early.remove(0),
            true => self.line(),
        }
    }

    #[track_caller]
    fn line(&mut self) -> Value {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                let text = String::from_utf8(line).expect("UTF-8");
                self.note("<", &text);
                assert!(
                    text.ends_with('\n') && !text.contains('\r'),
                    "a line ends in a bare LF: {text:?}"
                );
                serde_json::from_str(&text)
                    .unwrap_or_else(|error| panic!("{error}\n{}", self.story()))
            }
            Err(RecvTimeoutError::Timeout) => panic!("nothing came\n{}", self.story()),
            Err(RecvTimeoutError::Disconnected) => panic!("bb ended\n{}", self.story()),
        }
    }

    /// The answer to a request; other lines are kept.
    #[track_caller]
    pub fn answer(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        if let Some(at) = self
            .early
            .iter()
            .position(|line| line["id"] == id && line.get("method").is_none())
        {
            return self.early.remove(at);
        }
        loop {
            let line = self.line();
            if line["id"] == id && line.get("method").is_none() {
                return line;
            }
            self.early.push(line);
        }
    }

    /// Asks and waits for the answer.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.answer(id)
    }

    /// Calls a tool and gives its result.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        match answer.get("result") {
            Some(result) => result.clone(),
            None => panic!("{tool} was refused: {answer}\n{}", self.story()),
        }
    }

    /// Calls a tool that answers JSON, and reads that.
    #[track_caller]
    pub fn value(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}\n{}", self.story());
        serde_json::from_str(text(&result)).unwrap_or_else(|error| panic!("{error}: {result}"))
    }

    /// Calls a tool that fails, and gives its text.
    #[track_caller]
    pub fn failure(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}\n{}", self.story());
        text(&result).to_owned()
    }

    /// The process's id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Closes bb's input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Closes bb's input, and gives what still came, how it ended, and how long that took.
    #[track_caller]
    pub fn end(mut self) -> (Vec<Value>, ExitStatus, Duration) {
        self.close();
        let began = Instant::now();
        let mut rest = std::mem::take(&mut self.early);
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(serde_json::from_slice(&line).expect("JSON")),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("bb does not end\n{}", self.story()),
            }
        }
        let status = self.child.wait().expect("bb ends");
        (rest, status, began.elapsed())
    }
}

impl Drop for Bb {
    fn drop(&mut self) {
        // Already gone where the test waited for it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a tool's result.
#[track_caller]
pub fn text(result: &Value) -> &str {
    result["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text: {result}"))
}

/// The metadata of a request of MCP 2026-07-28, with these capabilities.
pub fn modern(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}
