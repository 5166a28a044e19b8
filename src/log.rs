//! What bb tells an operator on stderr while it serves.
//!
//! Never holds a query, a body or a secret: a request is its method, path and status. Start reading at [`Log`].

use crate::bitbucket::http::Sent;
use crate::mcp::wire::CallResult;
pub use crate::settings::LogLevel;
use std::io::{self, Write};
use std::time::Duration;

/// Where, and how much.
#[derive(Clone, Copy, Debug)]
pub struct Log(LogLevel);

impl Log {
    /// Tells what `level` asks for.
    pub fn new(level: LogLevel) -> Self {
        Self(level)
    }

    /// Tells one line if the level asks for it.
    pub fn line(self, level: LogLevel, text: &str) {
        if level <= self.0 {
            // One write a line, so that lines of several threads do not mix; a closed stderr is nobody's fault.
            let _ = io::stderr()
                .write_all(format!("bb: {}\n", crate::clean::line(text, 2_000)).as_bytes());
        }
    }

    /// Tells of a call that ended, and of each request that it sent.
    pub fn call(self, tool: &str, result: &CallResult, took: Duration, sent: &[Sent]) {
        for request in sent {
            let status = request
                .status
                .map_or("no answer".to_owned(), |status| status.to_string());
            self.line(
                LogLevel::Debug,
                &format!("{} {}: {status}", request.method.as_str(), request.path),
            );
        }
        let (level, outcome) = match result.is_error {
            true => (LogLevel::Warn, format!("failed: {}", result.text)),
            false => (LogLevel::Info, "done".to_owned()),
        };
        self.line(
            level,
            &format!(
                "{tool}: {outcome} ({} ms, {} request{})",
                took.as_millis(),
                sent.len(),
                if sent.len() == 1 { "" } else { "s" }
            ),
        );
    }
}
