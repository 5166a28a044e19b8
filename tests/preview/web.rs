//! The host page and what it asks for, over HTTP on loopback.
//!
//! Never reaches past loopback, and answers its own page alone: another site's page, and the framed view itself, are
//! refused by their origin. Start at [`serve`]; the addresses are in `answer`.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Value, json};
use standin::StandIn;
use standin::http::{Request, Response};

use crate::calls::{Bb, PAGE, page_of};
use crate::moves::{self, MOVES};
use crate::samples::{self, Sample};
use crate::teams::{self, Team};

/// The files of the host page: address, type, contents.
const FILES: &[(&str, &str, &str)] = &[
    (
        "/",
        "text/html; charset=utf-8",
        include_str!("host/index.html"),
    ),
    (
        "/host.css",
        "text/css; charset=utf-8",
        include_str!("host/host.css"),
    ),
    (
        "/host.js",
        "text/javascript; charset=utf-8",
        include_str!("host/host.js"),
    ),
    (
        "/bridge.js",
        "text/javascript; charset=utf-8",
        include_str!("host/bridge.js"),
    ),
    (
        "/panel.js",
        "text/javascript; charset=utf-8",
        include_str!("host/panel.js"),
    ),
];

/// Of the host page itself: its own scripts and styles, and a frame for the view.
const HOST_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; \
    frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What a host gives a view that declares no domains, and the same for a host that blocks `data:` pictures too.
const VIEW_POLICIES: [(&str, &str); 2] = [
    (
        "view",
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
         img-src data:; media-src data:; connect-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'",
    ),
    (
        "view-strict",
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'",
    ),
];

/// What a host hands on for a view; the rest of the protocol is the host's own.
const PROXIED: [&str; 3] = ["tools/call", "tools/list", "resources/read"];

/// What every connection needs.
struct Shared {
    standin: StandIn,
    bb: Bb,
    teams: Vec<Team>,
    authority: String,
}

/// Serves until the process is ended.
///
/// # Errors
/// When bb cannot be started, or the port is not free.
pub fn serve(standin: StandIn, port: u16, flags: &[OsString]) -> Result<ExitCode, String> {
    let bb = Bb::start(&standin, flags, |how| {
        eprintln!("preview: bb has ended ({how}); the page says so too. Ctrl-C ends the rest.");
    })?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| format!("cannot serve the page on 127.0.0.1:{port}: {error}"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let teams = teams::start(&standin)?;
    bb.report(&teams, |line| println!("{line}"));
    println!("\nThe preview is at http://{address}/ and ends with Ctrl-C.");
    let shared = Arc::new(Shared {
        standin,
        bb,
        teams,
        authority: address.to_string(),
    });
    for connection in listener.incoming().flatten() {
        let shared = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("preview-http".to_owned())
            .spawn(move || converse(connection, &shared))
            .map_err(|error| format!("cannot start a thread: {error}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One connection, until the browser closes it.
fn converse(connection: TcpStream, shared: &Shared) {
    let Ok(mut output) = connection.try_clone() else {
        return;
    };
    let mut input = BufReader::new(connection);
    while let Ok(Some(request)) = Request::read(&mut input) {
        let response = answer(&request, shared).with("Cache-Control", "no-store");
        let mut bytes = response.head(response.body.len() as u64, true).into_bytes();
        bytes.extend_from_slice(&response.body);
        if output.write_all(&bytes).is_err() {
            return;
        }
    }
}

fn answer(request: &Request, shared: &Shared) -> Response {
    if request.header("host") != Some(&shared.authority) || is_foreign(request, shared) {
        return refusal(403, "this page is for the browser that opened the preview");
    }
    match (request.method.as_str(), request.path()) {
        ("GET", path) => file(path)
            .or_else(|| view(path, shared))
            .or_else(|| (path == "/choices").then(|| Response::json(200, &choices(shared))))
            .unwrap_or_else(|| refusal(404, "there is nothing at this address")),
        ("POST", "/mcp") => proxied(&request.json(), shared),
        ("POST", "/move") => moved(&request.json(), shared),
        _ => refusal(405, "this address answers GET, `/mcp` and `/move` POST"),
    }
}

/// Whether a script of another origin asks. The framed view has the origin `null`.
fn is_foreign(request: &Request, shared: &Shared) -> bool {
    let own = format!("http://{}", shared.authority);
    request.header("origin").is_some_and(|origin| origin != own)
}

fn file(path: &str) -> Option<Response> {
    let (_, kind, text) = FILES.iter().find(|(known, ..)| *known == path)?;
    Some(Response::new(200, kind, *text).with("Content-Security-Policy", HOST_POLICY))
}

/// The page as its server gives it, with the policy that a host would set: `/view` is bb's own, `/view/ID` a team's.
fn view(path: &str, shared: &Shared) -> Option<Response> {
    let (name, id) = match path[1..].split_once('/') {
        Some((name, id)) => (name, Some(id)),
        None => (&path[1..], None),
    };
    let policies: HashMap<&str, &str> = VIEW_POLICIES.into();
    let policy = policies.get(name)?;
    let page = match id {
        None => own_page(shared),
        Some(id) => team(id, shared)?.page(),
    };
    Some(match page {
        Err(problem) => refusal(502, &problem),
        Ok(page) => Response::new(200, "text/html; charset=utf-8", page)
            .with("Content-Security-Policy", *policy),
    })
}

fn own_page(shared: &Shared) -> Result<String, String> {
    let answered = shared
        .bb
        .child
        .ask("resources/read", &json!({"uri": PAGE}))?;
    let page = page_of(&answered.answer).ok_or("bb gave no page")?;
    Ok(page.to_owned())
}

fn team<'a>(id: &str, shared: &'a Shared) -> Option<&'a Team> {
    shared.teams.iter().find(|team| team.id == id)
}

/// What a person can pick.
fn choices(shared: &Shared) -> Value {
    let told = |samples: &[Sample]| -> Vec<Value> {
        let told = samples
            .iter()
            .map(|one| json!({"title": one.title, "arguments": one.arguments}));
        told.collect()
    };
    let kinds = shared.bb.kinds.iter().map(|kind| {
        let samples = told(&samples::of(kind));
        json!({"name": kind, "tool": "show", "samples": samples})
    });
    let of_teams = shared.teams.iter().map(|team| {
        json!({"name": team.id, "tool": team.tool, "server": team.id, "samples": told(&team.samples)})
    });
    let moves = MOVES
        .iter()
        .map(|(name, words, _)| json!({"name": name, "words": words}));
    json!({
        "kinds": kinds.chain(of_teams).collect::<Vec<_>>(),
        "moves": moves.collect::<Vec<_>>(),
        "bitbucket": shared.standin.url(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// One question of the host or of the view, handed to the server that the view is of, as it is.
fn proxied(body: &Value, shared: &Shared) -> Response {
    let method = body["method"].as_str().unwrap_or_default();
    if !PROXIED.contains(&method) {
        return refusal(400, &format!("`{method}` is not handed on"));
    }
    let child = match body["server"].as_str() {
        None => &shared.bb.child,
        Some(id) => match team(id, shared) {
            Some(team) => &team.child,
            None => return refusal(400, "there is no such server"),
        },
    };
    match child.ask(method, &body["params"]) {
        Err(problem) => refusal(502, &problem),
        Ok(answered) => {
            let mut told = answered.answer;
            told["ms"] = json!(answered.took.as_secs_f64() * 1_000.0);
            told["bytes"] = json!(answered.bytes);
            Response::json(200, &told)
        }
    }
}

fn moved(body: &Value, shared: &Shared) -> Response {
    let name = body["move"].as_str().unwrap_or_default();
    match moves::make(&shared.standin, &shared.bb.child, name, &body["on"]) {
        Ok(()) => Response::json(200, &json!({"done": true})),
        Err(problem) => refusal(409, &problem),
    }
}

fn refusal(status: u16, problem: &str) -> Response {
    Response::json(status, &json!({"problem": problem}))
}
