//! `--stdio`: bb over this process's own streams, on a stand-in that lives as long.
//!
//! Never reads what is said. Start at [`serve`].

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use standin::StandIn;

use crate::child::command;

/// Runs bb until its input ends, and ends as it did.
///
/// # Errors
/// When it cannot be started or waited for.
pub fn serve(standin: &StandIn, flags: &[OsString]) -> Result<ExitCode, String> {
    let problem = |error: io::Error| format!("cannot run bb: {error}");
    let mut process = command(standin, flags)
        .and_then(|mut command| command.spawn())
        .map_err(problem)?;
    if let Some(input) = process.stdin.take() {
        // A pipe of our own: should this process be killed, it closes and bb ends too.
        std::thread::spawn(move || hand_on(io::stdin().lock(), input));
    }
    let status = process.wait().map_err(problem)?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

/// Hands on what comes as soon as it comes, until either end closes. `io::copy` would splice, which waits for more
/// where a client's pipe is a pair of sockets.
fn hand_on(mut from: impl Read, mut to: impl Write) {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if to.write_all(&bytes[..count]).is_err() {
            return;
        }
    }
}
