//! The commands that need a server or the catalogue: the only file that knows all parts.
//!
//! Never reads flags or variables: it is handed [`Settings`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::http::Http;
use crate::catalog::exposure::{Exposure, Withheld};
use crate::catalog::views::{self, ViewTool};
use crate::catalog::{Catalog, TOOLS};
use crate::check;
use crate::exit::{Answer, Exit};
use crate::log::Log;
use crate::mcp::server;
use crate::settings::{self, LogLevel, Settings};
use crate::show::kinds::Kind;
use crate::tool::{Effect, Tool};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

/// Serves over stdio until the input ends.
pub fn serve(settings: Settings) -> Answer {
    let log = Log::new(settings.log_level);
    let exposure = match exposure(&settings.exposure) {
        Ok(exposure) => exposure,
        Err(problems) => return Answer::problems(Exit::Usage, problems),
    };
    let http = match Http::new(&settings.connection) {
        Ok(http) => http,
        Err(error) => return Answer::problems(Exit::Usage, error.problems()),
    };
    tell_panics(log);
    log.line(
        LogLevel::Info,
        &format!("serves {} over stdio", settings.connection.base),
    );
    let catalog = Catalog::new(Bitbucket::new(http), exposure, settings.views, log);
    // A client that reads no more has gone; nobody is left to serve.
    let on_closed = || std::process::exit(i32::from(Exit::Done.code()));
    match server::serve(
        Arc::new(catalog),
        io::stdin().lock(),
        io::stdout(),
        on_closed,
    ) {
        Ok(()) => Answer::from(Exit::Done),
        Err(error) => Answer::problems(
            Exit::Unexpected,
            [format!("cannot start the threads that serve: {error}")],
        ),
    }
}

/// The catalogue, as a table for people or as JSON.
pub fn tools(settings: settings::Exposure, as_json: bool) -> Answer {
    match exposure(&settings) {
        Ok(exposure) if as_json => {
            let kinds = views::offered(TOOLS, &exposure);
            let data = TOOLS.iter().map(|tool| entry(tool, &exposure));
            let of_views = ViewTool::ALL.iter().map(|tool| {
                let by = views::withholds(*tool, &kinds, &exposure);
                view_entry(*tool, &kinds, by)
            });
            let entries: Vec<Value> = data.chain(of_views).collect();
            Answer::text(format!("{:#}\n", Value::Array(entries)))
        }
        Ok(exposure) => Answer::text(table(&exposure)),
        Err(problems) => Answer::problems(Exit::Usage, problems),
    }
}

/// Connects as `serve` would and says what holds.
pub fn check(settings: Settings, as_json: bool) -> Answer {
    let offered = exposure(&settings.exposure).map(|exposure| {
        let tools = TOOLS
            .iter()
            .filter(|tool| exposure.withholds(tool).is_none());
        let kinds = views::offered(TOOLS, &exposure);
        let is_shown = views::withholds(ViewTool::Show, &kinds, &exposure).is_none();
        check::Offered {
            tools: tools.map(|tool| tool.name).collect(),
            kinds: kinds
                .iter()
                .filter(|_| is_shown)
                .map(|kind| kind.name)
                .collect(),
        }
    });
    check::check(&settings, offered, as_json)
}

fn exposure(settings: &settings::Exposure) -> Result<Exposure, Vec<String>> {
    Exposure::new(
        &settings.tools,
        &settings.exclude,
        settings.read_only,
        TOOLS,
    )
}

fn entry(tool: &Tool, exposure: &Exposure) -> Value {
    let withheld = exposure.withholds(tool);
    let mut entry = json!({
        "name": tool.name,
        "group": tool.group.name(),
        "reads": tool.effect == Effect::Reads,
        "asks": asks(tool),
        "exposed": withheld.is_none(),
        "description": tool.description,
        "input_schema": tool.input_schema(),
        "result": (tool.result)(),
    });
    if let Some(by) = withheld {
        entry["withheld_by"] = json!(by.to_string());
    }
    entry
}

fn view_entry(tool: ViewTool, kinds: &[&Kind], withheld: Option<Withheld>) -> Value {
    let mut entry = json!({
        "name": tool.name(),
        "group": "views",
        "reads": true,
        "asks": false,
        "exposed": withheld.is_none(),
        "description": tool.description(kinds),
        "input_schema": tool.input_schema(kinds),
        // A view's answer holds nothing for a template.
        "result": {"type": "object", "properties": {}},
    });
    if let Some(by) = withheld {
        entry["withheld_by"] = json!(by.to_string());
    }
    entry
}

fn asks(tool: &Tool) -> bool {
    matches!(tool.effect, Effect::Writes { asks: true, .. })
}

fn table(exposure: &Exposure) -> String {
    let mut lines = String::new();
    // A text in memory can always be written to.
    let mut line = |name: &str, effect: &str, withheld: Option<Withheld>, description: &str| {
        let exposed = withheld.map_or("exposed".to_owned(), |by| format!("withheld by {by}"));
        let first = description.split_inclusive(['.', ';', ':']).next();
        let first = first.unwrap_or_default().trim_end_matches(['.', ';', ':']);
        let _ = writeln!(lines, "{name:<24} {effect:<13} {exposed:<24} {first}");
    };
    for tool in TOOLS {
        let effect = match tool.effect {
            Effect::Reads => "reads",
            Effect::Writes { asks: false, .. } => "writes",
            Effect::Writes { asks: true, .. } => "writes, asks",
        };
        line(
            tool.name,
            effect,
            exposure.withholds(tool),
            tool.description,
        );
    }
    let kinds = views::offered(TOOLS, exposure);
    for tool in ViewTool::ALL {
        let withheld = views::withholds(tool, &kinds, exposure);
        line(tool.name(), "reads", withheld, &tool.description(&kinds));
    }
    lines
}

/// A panic's own words may quote what a peer sent, so only its place is told.
fn tell_panics(log: Log) {
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map_or("somewhere".to_owned(), |at| {
            format!("{}:{}", at.file(), at.line())
        });
        log.line(
            LogLevel::Error,
            &format!("a fault of bb's own at {place}; the call is answered with an error"),
        );
    }));
}
