//! The commands that need a server or the catalogue: the only file that knows all parts.
//!
//! Never reads flags or variables: it is handed [`Settings`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::http::Http;
use crate::catalog::audit::{self, Audit, OnFailure};
use crate::catalog::confirm::Confirm;
use crate::catalog::exposure::{Exposure, Withheld};
use crate::catalog::views::{self, ViewTool};
use crate::catalog::{Catalog, Door, TOOLS};
use crate::check;
use crate::cli;
use crate::exit::{Answer, Exit};
use crate::highlight::{Highlighter, Templates};
use crate::log::Log;
use crate::manifests::approvals;
use crate::manifests::catalogue;
use crate::manifests::commands;
use crate::manifests::served::Served;
use crate::manifests::table::Table;
use crate::mcp::server::{self, Service};
use crate::random;
use crate::settings::{self, LogLevel, Settings};
use crate::show::kinds::Kind;
use crate::show::memory::Memory;
use crate::tool::Tool;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::sync::Arc;

mod parts;

use parts::Offered;
pub use parts::refused;

/// Serves over stdio until the input ends.
pub fn serve(settings: Settings) -> Answer {
    let log = Log::new(settings.log_level);
    let offered = parts::offered(offer(&settings));
    let audit = audit(&settings.audit);
    let http = Http::new(&settings.connection);
    let (offered, audit, http) = match (offered, audit, http) {
        (Ok(offered), Ok(audit), Ok(http)) => (offered, audit, http),
        (offered, audit, http) => {
            let of_http = http.err().map(|error| error.problems().to_vec());
            let more = audit.err().into_iter().chain(of_http.unwrap_or_default());
            return offered.err().unwrap_or_default().answer(more);
        }
    };
    let Some(key) = random::key() else {
        let problem = "cannot sign questions to the person: the system gives no random bytes";
        return Answer::problems(Exit::Unexpected, [problem]);
    };
    let Offered {
        brought,
        named,
        exposure,
    } = offered;
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
    let templates = match settings.highlight.templates {
        true => Templates::Highlighted,
        false => Templates::Plain,
    };
    let memory = Memory::new(Highlighter::new(settings.highlight.deadline, templates));
    let catalog = Catalog::new(Bitbucket::new(http), door, settings.views, memory, log);
    let service: Arc<dyn Service> = match brought {
        None => Arc::new(catalog),
        Some(manifest) => {
            let served = Served::new(catalog, manifest, &named);
            for line in served.left_out() {
                log.line(LogLevel::Warn, line);
            }
            Arc::new(served)
        }
    };
    let on_closed = move |error| std::process::exit(i32::from(closed(&error, log).code()));
    match server::serve(service, io::stdin().lock(), io::stdout(), on_closed) {
        Ok(()) => Answer::from(Exit::Done),
        Err(why) => Answer::problems(Exit::Unexpected, [format!("serving ended: {why}")]),
    }
}

/// How serving ends when nothing can be written any more: well where the client has gone, for nobody is left to serve.
fn closed(error: &io::Error, log: Log) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::Done;
    }
    log.line(
        LogLevel::Error,
        &format!("serving ended: cannot write to stdout: {error}"),
    );
    Exit::Unexpected
}

fn offer(settings: &Settings) -> settings::Offer {
    settings::Offer {
        exposure: settings.exposure.clone(),
        manifest: settings.manifest.clone(),
        manifests: settings::Manifests {
            state_dir: settings.state_dir.clone(),
            reserved_hosts: settings.reserved_hosts.clone(),
        },
    }
}

/// A team's manifests: judged, reviewed, approved, listed.
pub fn manifest(
    command: cli::manifest::Manifest,
    settings: settings::Manifests,
    ask: commands::Ask,
) -> Answer {
    use cli::manifest::Manifest as Command;
    if let Command::Check {
        files,
        as_json,
        base_tools,
    } = &command
    {
        let table = match base_tools {
            None => Ok(Table::of_bb(TOOLS, settings.reserved_hosts)),
            Some(path) => approvals::read(Path::new(path)).and_then(|bytes| Table::read(&bytes)),
        };
        return match table {
            Ok(table) => commands::check(files, &table, *as_json),
            Err(why) => Answer::problems(
                Exit::Usage,
                [format!("cannot read the table of --base-tools: {why}")],
            ),
        };
    }
    let (table, store) = match parts::kept(&settings) {
        Ok(parts) => parts,
        Err(why) => return Answer::problems(Exit::Usage, [why]),
    };
    match command {
        Command::Check { .. } => Answer::from(Exit::Done),
        Command::Review {
            what,
            source,
            view,
            as_json,
        } => {
            let source = match (source, view) {
                (false, _) => commands::Source::None,
                (true, None) => commands::Source::All,
                (true, Some(view)) => commands::Source::Of(view),
            };
            commands::review(&what, &source, as_json, &table, &store)
        }
        Command::Approve { file, sha256 } => {
            commands::approve(&file, sha256.as_deref(), &table, &store, ask)
        }
        Command::List { as_json } => commands::list(as_json, &table, &store),
        Command::Switch { id, enabled } => commands::switch(&id, enabled, &store),
        Command::Remove { id } => commands::remove(&id, &store),
    }
}

/// The catalogue, bb's own or a manifest's under the same flags as it is served, as a table for people or as JSON.
pub fn tools(offer: settings::Offer, as_json: bool) -> Answer {
    let Offered {
        brought,
        named,
        exposure,
    } = match parts::offered(offer) {
        Ok(offered) => offered,
        Err(wrong) => return wrong.answer([]),
    };
    if let Some(manifest) = brought {
        return catalogue::tell(&manifest, &named, &exposure, TOOLS, as_json);
    }
    if !as_json {
        return Answer::text(table(&exposure));
    }
    let kinds = views::offered(TOOLS, &exposure);
    let data = TOOLS.iter().map(|tool| entry(tool, &exposure));
    let of_views = ViewTool::ALL.iter().map(|tool| {
        let by = views::withholds(*tool, &kinds, &exposure);
        view_entry(*tool, &kinds, by)
    });
    let entries: Vec<Value> = data.chain(of_views).collect();
    Answer::text(format!("{:#}\n", Value::Array(entries)))
}

/// Connects as `serve` would and says what holds.
pub fn check(settings: Settings, as_json: bool) -> Answer {
    let offered = match parts::offered(offer(&settings)) {
        Ok(offered) => {
            let kinds = views::offered(TOOLS, &offered.exposure);
            let by = views::withholds(ViewTool::Show, &kinds, &offered.exposure);
            // A manifest's views are its own pages.
            let is_shown = by.is_none() && offered.brought.is_none();
            let app = offered.brought.as_ref().map(|manifest| &manifest.app);
            Ok(check::Offered {
                manifest: app.map(|app| format!("{} {} is approved", app.id, app.version)),
                tools: offered.tools(),
                kinds: kinds
                    .iter()
                    .filter(|_| is_shown)
                    .map(|kind| kind.name)
                    .collect(),
            })
        }
        Err(wrong) => Err(check::Refused {
            manifest: wrong.manifest,
            tools: wrong.tools,
        }),
    };
    let audit = settings.audit.file.as_deref().map(audit::look);
    check::check(&settings, check::Found { offered, audit }, as_json)
}

/// Where calls are recorded.
fn audit(settings: &settings::Audit) -> Result<Audit, String> {
    let Some(file) = &settings.file else {
        return Ok(Audit::off());
    };
    let on_failure = match settings.failure {
        settings::AuditFailure::Deny => OnFailure::Deny,
        settings::AuditFailure::Warn => OnFailure::Warn,
    };
    Audit::open(file, on_failure)
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
        let effect = match (tool.effect.is_reading(), tool.effect.may_ask()) {
            (true, _) => "reads",
            (false, false) => "writes",
            (false, true) => "writes, asks",
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
