//! What the preview asks bb: the handshake, which kinds there are, and each of them and of the teams' views once.
//!
//! Never draws. Start at [`once`]; [`Bb::start`] is the same for the page.

use std::ffi::OsString;
use std::process::ExitCode;

use serde_json::{Value, json};
use standin::StandIn;

use crate::child::{Answered, Child};
use crate::samples::{self, Sample};
use crate::teams::{self, Team};

/// Where the page of every view is read.
pub const PAGE: &str = "ui://bb/view";

/// bb after its handshake.
pub struct Bb {
    /// The way to it.
    pub child: Child,
    /// The kinds that `show` offers, in its order.
    pub kinds: Vec<String>,
}

/// A line of the report: what was called, whether the answer is what it should be, how long, how large.
pub struct Told {
    name: String,
    called: String,
    answered: Result<Answered, String>,
    problem: Option<String>,
}

impl Bb {
    /// Starts it as a client does that renders views.
    ///
    /// # Errors
    /// When it does not start, does not answer, or offers no view.
    pub fn start(
        standin: &StandIn,
        flags: &[OsString],
        ended: impl FnOnce(&str) + Send + 'static,
    ) -> Result<Self, String> {
        let child = Child::start(standin, flags, ended)
            .map_err(|error| format!("cannot start bb: {error}"))?;
        greet(&child)?;
        let listed = child.ask("tools/list", &json!({}))?.answer;
        let tools = listed["result"]["tools"].as_array();
        let show = tools.and_then(|tools| tools.iter().find(|tool| tool["name"] == "show"));
        let kinds = show
            .and_then(|show| show["inputSchema"]["properties"]["kind"]["enum"].as_array())
            .ok_or("bb offers no `show`: do its flags withhold it?")?;
        Ok(Self {
            kinds: kinds
                .iter()
                .filter_map(|kind| kind.as_str().map(str::to_owned))
                .collect(),
            child,
        })
    }

    /// Reads the page.
    pub fn page(&self) -> Told {
        let answered = self.child.ask("resources/read", &json!({"uri": PAGE}));
        let problem = match &answered {
            Ok(answered) if page_of(&answered.answer).is_none() => {
                Some(format!("no page came: {}", answered.answer))
            }
            _ => None,
        };
        Told {
            name: "the page".to_owned(),
            called: format!("resources/read {PAGE}"),
            answered,
            problem,
        }
    }

    /// Shows one sample of a kind.
    pub fn show(&self, kind: &str, sample: &Sample) -> Told {
        let params = json!({"name": "show", "arguments": sample.arguments});
        let answered = self.child.ask("tools/call", &params);
        let problem = match &answered {
            Ok(answered) => not_drawn(kind, &answered.answer),
            Err(_) => None,
        };
        Told {
            name: kind.to_owned(),
            called: format!("show {}", sample.arguments),
            answered,
            problem,
        }
    }

    /// Asks for the page, for every kind and for every team's view, one line each to `line`; says whether all was well.
    pub fn report(&self, teams: &[Team], line: impl Fn(&str)) -> bool {
        let mut is_well = true;
        let mut told = |told: Told| {
            is_well &= told.is_well();
            line(&told.line());
        };
        told(self.page());
        for kind in &self.kinds {
            for sample in samples::of(kind) {
                told(self.show(kind, &sample));
            }
        }
        for team in teams {
            for sample in &team.samples {
                told(Told {
                    name: team.id.clone(),
                    called: format!("{} {}", team.tool, short(&sample.arguments)),
                    answered: team.show(sample),
                    problem: None,
                });
            }
        }
        is_well
    }
}

/// The handshake, as a client has it that renders views.
///
/// # Errors
/// When bb does not answer.
pub fn greet(child: &Child) -> Result<(), String> {
    child.ask(
        "initialize",
        &json!({
            "protocolVersion": "2025-11-25",
            "clientInfo": {"name": "bb's preview", "version": env!("CARGO_PKG_VERSION")},
            "capabilities": {"extensions": {
                "io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]},
            }},
        }),
    )?;
    child.tell("notifications/initialized")
}

/// Arguments on a line, what is long cut.
fn short(arguments: &Value) -> String {
    const CHARS: usize = 120;
    let text = arguments.to_string();
    match text.char_indices().nth(CHARS) {
        None => text,
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}

impl Told {
    fn is_well(&self) -> bool {
        self.answered.is_ok() && self.problem.is_none()
    }

    /// One line for a person: the kind, what was called, and what came.
    fn line(&self) -> String {
        let Self { name, called, .. } = self;
        match (&self.answered, &self.problem) {
            (Err(problem), _) | (_, Some(problem)) => {
                format!("{name:<16} FAILED: {problem}   {called}")
            }
            (Ok(answered), None) => {
                let ms = answered.took.as_secs_f64() * 1_000.0;
                let bytes = thousands(answered.bytes);
                format!("{name:<16} {ms:>7.1} ms {bytes:>9} bytes   {called}")
            }
        }
    }
}

/// `--once`: prints a line for each, and ends.
///
/// # Errors
/// When bb cannot be started or offers no view.
pub fn once(standin: &StandIn, flags: &[OsString]) -> Result<ExitCode, String> {
    let bb = Bb::start(standin, flags, |_| ())?;
    let teams = teams::start(standin)?;
    let is_well = bb.report(&teams, |line| println!("{line}"));
    let requests = standin.log().len();
    println!(
        "{} kinds, {} manifests, {requests} requests to the stand-in: {}",
        bb.kinds.len(),
        teams.len(),
        if is_well { "all well" } else { "see above" }
    );
    Ok(ExitCode::from(u8::from(!is_well)))
}

/// The document of an answer to `resources/read`.
pub fn page_of(answer: &Value) -> Option<&str> {
    answer["result"]["contents"][0]["text"].as_str()
}

/// Why an answer would not be drawn as this kind.
fn not_drawn(kind: &str, answer: &Value) -> Option<String> {
    let result = &answer["result"];
    let view = &result["_meta"]["bb/view"];
    if result["isError"] != true && view["kind"] == kind && view["facts"].is_object() {
        return None;
    }
    let said = result["content"][0]["text"].as_str();
    let said = said.or_else(|| answer["error"]["message"].as_str());
    Some(said.unwrap_or("an answer without a drawing").to_owned())
}

fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
