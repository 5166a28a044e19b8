//! A client that renders views, and what it is given to draw.

use crate::support::{Bb, text};
use serde_json::{Value, json};
use standin::StandIn;

/// The repository of most pull requests of the world.
pub const ROCKET: &str = "ACME/rocket";

/// A client that renders views, as the legacy handshake says it.
pub fn rendering(stand_in: &StandIn) -> Bb {
    rendering_with(stand_in, &[])
}

/// The same with more arguments.
pub fn rendering_with(stand_in: &StandIn, arguments: &[&str]) -> Bb {
    let mut bb = Bb::with_args(stand_in, arguments);
    bb.ask(
        "initialize",
        json!({
            "protocolVersion": "2025-11-25",
            "clientInfo": {"name": "test", "version": "1"},
            "capabilities": {"extensions": {
                "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]},
            }},
        }),
    );
    bb
}

/// The arguments that show a pull request of it.
pub fn call(id: u64) -> Value {
    json!({"kind": "pull_request", "project": "ACME", "repo": "rocket", "id": id})
}

/// What `show` puts on screen.
#[track_caller]
pub fn shown(bb: &mut Bb, id: u64) -> Value {
    drawing(bb, "show", call(id))
}

/// What the page is given, within the bounds of every result.
#[track_caller]
pub fn drawing(bb: &mut Bb, tool: &str, arguments: Value) -> Value {
    let result = bb.call(tool, arguments);
    assert_ne!(result["isError"], true, "{result}\n{}", bb.story());
    let chars = result.to_string().chars().count();
    assert!(chars <= 140_000, "a result of {chars} characters");
    let said = text(&result).chars().count();
    assert!(said <= 600, "a text of {said} characters");
    result["_meta"]["bb/view"].clone()
}

/// What a view that holds `held` is told.
#[track_caller]
pub fn refreshed(bb: &mut Bb, held: &Value) -> Value {
    let fingerprint = &held["fingerprint"];
    drawing(
        bb,
        "refresh_view",
        json!({"show": held["show"], "fingerprint": fingerprint}),
    )
}

/// The paths that were asked for.
pub fn requests(stand_in: &StandIn) -> Vec<String> {
    let log = stand_in.log();
    log.into_iter().map(|one| one.path).collect()
}
