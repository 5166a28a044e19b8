//! The commands that need a server or a Bitbucket: the only file that knows all parts.
//!
//! Never reads flags or variables: it is handed [`Settings`].

use crate::exit::{Answer, Exit};
use crate::settings::{Exposure, Settings};

/// Serves over stdio until the input ends.
pub fn serve(_settings: Settings) -> Answer {
    not_built("bb ai mcp serve")
}

/// The catalogue, as a table for people or as JSON.
pub fn tools(_exposure: Exposure, _as_json: bool) -> Answer {
    not_built("bb ai mcp tools")
}

/// Connects as `serve` would and says what holds.
pub fn check(_settings: Settings, _as_json: bool) -> Answer {
    not_built("bb ai mcp check")
}

fn not_built(command: &str) -> Answer {
    let phrase = format!("cannot run `{command}`: this version of bb does not have it yet");
    Answer::problems(Exit::Unexpected, [phrase])
}
