//! The commands that need a server or the catalogue: the only file that knows all parts.
//!
//! Never reads flags or variables: it is handed [`Settings`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::http::Http;
use crate::catalog::audit::{Audit, OnFailure};
use crate::catalog::confirm::Confirm;
use crate::catalog::exposure::Exposure;
use crate::catalog::scope::{Entry, Scope};
use crate::catalog::{Catalog, Door, TOOLS};
use crate::check;
use crate::exit::{Answer, Exit};
use crate::log::Log;
use crate::mcp::server;
use crate::random;
use crate::settings::{self, LogLevel, Settings};
use crate::tool::Tool;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

/// Serves over stdio until the input ends.
pub fn serve(settings: Settings) -> Answer {
    let log = Log::new(settings.log_level);
    let (door, http) = match (door(&settings), Http::new(&settings.connection)) {
        (Ok(door), Ok(http)) => (door, http),
        (door, http) => {
            let of_http = http.err().map(|error| error.problems().to_vec());
            let problems = door.err().into_iter().chain(of_http).flatten();
            return Answer::problems(Exit::Usage, problems);
        }
    };
    let Some(key) = random::key() else {
        let problem = "cannot sign questions to the person: the system gives no random bytes";
        return Answer::problems(Exit::Unexpected, [problem]);
    };
    let (exposure, audit) = door;
    let door = Door {
        exposure,
        confirm: Confirm::new(settings.exposure.no_confirm, key),
        audit,
    };
    tell_panics(log);
    log.line(
        LogLevel::Info,
        &format!("serves {} over stdio", settings.connection.base),
    );
    let catalog = Catalog::new(Bitbucket::new(http), door, log);
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
            let entries: Vec<Value> = TOOLS.iter().map(|tool| entry(tool, &exposure)).collect();
            Answer::text(format!("{:#}\n", Value::Array(entries)))
        }
        Ok(exposure) => Answer::text(table(&exposure)),
        Err(problems) => Answer::problems(Exit::Usage, problems),
    }
}

/// Connects as `serve` would and says what holds.
pub fn check(settings: Settings, as_json: bool) -> Answer {
    let tools = exposure(&settings.exposure).map(|exposure| {
        let offered = TOOLS
            .iter()
            .filter(|tool| exposure.withholds(tool).is_none());
        offered.map(|tool| tool.name).collect()
    });
    check::check(&settings, tools, as_json)
}

fn exposure(settings: &settings::Exposure) -> Result<Exposure, Vec<String>> {
    let entries = settings.scope.iter().map(|entry| Entry {
        project: entry.project.clone(),
        repo: entry.repo.clone(),
    });
    let exposure = Exposure::new(
        &settings.tools,
        &settings.exclude,
        settings.read_only,
        TOOLS,
    )?;
    Ok(exposure.within(Scope::new(entries)))
}

/// What decides whether a call may run; all that is wrong with it at once.
fn door(settings: &Settings) -> Result<(Exposure, Audit), Vec<String>> {
    let audit = match &settings.audit.file {
        None => Ok(Audit::off()),
        Some(file) => Audit::open(
            file,
            match settings.audit.failure {
                settings::AuditFailure::Deny => OnFailure::Deny,
                settings::AuditFailure::Warn => OnFailure::Warn,
            },
        ),
    };
    match (exposure(&settings.exposure), audit) {
        (Ok(exposure), Ok(audit)) => Ok((exposure, audit)),
        (exposure, audit) => {
            let problems = exposure.err().unwrap_or_default().into_iter();
            Err(problems.chain(audit.err()).collect())
        }
    }
}

fn entry(tool: &Tool, exposure: &Exposure) -> Value {
    let withheld = exposure.withholds(tool);
    let mut entry = json!({
        "name": tool.name,
        "group": tool.group.name(),
        "reads": tool.effect.is_reading(),
        "asks": tool.effect.may_ask(),
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

fn table(exposure: &Exposure) -> String {
    let mut lines = String::new();
    for tool in TOOLS {
        let effect = match (tool.effect.is_reading(), tool.effect.may_ask()) {
            (true, _) => "reads",
            (false, false) => "writes",
            (false, true) => "writes, asks",
        };
        let exposed = exposure
            .withholds(tool)
            .map_or("exposed".to_owned(), |by| format!("withheld by {by}"));
        let first = tool
            .description
            .split_inclusive(['.', ';', ':'])
            .next()
            .unwrap_or_default();
        let first = first.trim_end_matches(['.', ';', ':']);
        // A text in memory can always be written to.
        let _ = writeln!(
            lines,
            "{:<24} {effect:<13} {exposed:<24} {first}",
            tool.name
        );
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
