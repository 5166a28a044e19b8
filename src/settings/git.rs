//! Asking git's own credential helpers who a host knows this person as.
//!
//! Never prompts, never stores, never waits longer than it is told. Start reading at [`Git::ask`].

use crate::bitbucket::address::BaseUrl;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How long the helpers may take: one that opens a window would never come back.
pub const GIT_DEADLINE: Duration = Duration::from_secs(5);

/// An answer is a few short lines; a helper that floods is cut off.
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// How long it is slept between two looks at whether git has ended.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How git is run.
pub struct Git {
    /// The program.
    pub program: OsString,
    /// Variables besides the inherited ones.
    pub env: Vec<(OsString, OsString)>,
    /// How long all of it may take.
    pub deadline: Duration,
}

impl Default for Git {
    fn default() -> Self {
        Self {
            program: OsString::from("git"),
            env: Vec::new(),
            deadline: GIT_DEADLINE,
        }
    }
}

impl Git {
    /// A user name and a password for the host of `base`.
    ///
    /// # Errors
    /// A phrase: git is not there, took too long, or its helpers know nobody.
    pub fn ask(&self, base: &BaseUrl) -> Result<(String, String), String> {
        let deadline = Instant::now() + self.deadline;
        let mut child = self.start()?;
        let answer = answer_of(&mut child, base, deadline);
        if answer.is_err() {
            end(&mut child);
        }
        let text = answer?;
        let value = |key: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))
        };
        match (value("username"), value("password")) {
            (Some(username), Some(password)) if !username.is_empty() && !password.is_empty() => {
                Ok((username.to_owned(), password.to_owned()))
            }
            _ => Err(knows_nobody()),
        }
    }

    fn start(&self) -> Result<Child, String> {
        let mut command = Command::new(&self.program);
        command
            .args(["-c", "credential.interactive=false", "credential", "fill"])
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .env("GIT_TERMINAL_PROMPT", "0")
            // Empty, not absent: git then asks no other askpass program either.
            .env("GIT_ASKPASS", "")
            .env("GCM_INTERACTIVE", "never")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[cfg(unix)]
        {
            // A group of its own, so that the helpers can be ended together with git.
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "there is no `git` on the PATH".to_owned(),
            _ => format!("git could not be started: {error}"),
        })
    }
}

fn answer_of(child: &mut Child, base: &BaseUrl, deadline: Instant) -> Result<String, String> {
    let scheme = base.scheme().as_str();
    let origin = base.origin();
    // git takes host and port in one.
    let host = origin.rsplit('/').next().unwrap_or_default();
    let question = format!("protocol={scheme}\nhost={host}\n\n");
    if let Some(mut stdin) = child.stdin.take() {
        // A helper that does not read is told by what it answers. The question fits a pipe, so this cannot block.
        let _ = stdin.write_all(question.as_bytes());
    }
    let stdout = child
        .stdout
        .take()
        .ok_or("git's answer could not be read")?;
    let (send, receive) = mpsc::channel();
    // Ends at the end of git's output, which `end` brings about where git does not.
    let reader = thread::Builder::new()
        .name("bb-git".to_owned())
        .spawn(move || {
            let mut bytes = Vec::new();
            let read = stdout.take(MAX_ANSWER_BYTES).read_to_end(&mut bytes);
            let _ = send.send(read.map(|_| bytes));
        });
    reader.map_err(|error| format!("git's answer could not be read: {error}"))?;
    let left = deadline.saturating_duration_since(Instant::now());
    let bytes = match receive.recv_timeout(left) {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) => return Err(format!("git's answer could not be read: {error}")),
        Err(_) => return Err(too_slow()),
    };
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => break,
            Ok(Some(_)) => return Err(knows_nobody()),
            Ok(None) if Instant::now() >= deadline => return Err(too_slow()),
            Ok(None) => thread::sleep(LOOK_EVERY),
            Err(error) => return Err(format!("git's end could not be seen: {error}")),
        }
    }
    String::from_utf8(bytes).map_err(|_| "its answer is not UTF-8 text".to_owned())
}

fn end(child: &mut Child) {
    if matches!(child.try_wait(), Ok(Some(_))) {
        // It has ended by itself, and its number may be somebody else's by now.
        return;
    }
    #[cfg(unix)]
    {
        // The helpers too: one that waits for a window would outlive git.
        let group = format!("-{}", child.id());
        let _ = Command::new("kill")
            .args(["-KILL", "--", &group])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn too_slow() -> String {
    "its helpers took over 5 s; is one of them waiting for a window?".to_owned()
}

fn knows_nobody() -> String {
    "its helpers know no user and password for it; store one with `git credential approve`, or use --token-file"
        .to_owned()
}
