//! `bb ai mcp check`: connects as `serve` would, and says part by part what holds.
//!
//! Never changes anything, and never prints a secret. Start reading at [`check`].

use crate::bitbucket::Bitbucket;
use crate::bitbucket::error::{ApiError, Fault, TlsFault, Why};
use crate::bitbucket::http::Http;
use crate::bitbucket::people::Greeting;
use crate::cancel::Cancel;
use crate::exit::{Answer, Exit};
use crate::settings::Settings;
use serde_json::json;
use std::fmt::Write as _;

/// One thing that was looked at.
struct Check {
    name: &'static str,
    is_ok: bool,
    detail: String,
}

/// The checks of one run, and how the command ends.
struct Report {
    checks: Vec<Check>,
    exit: Exit,
}

impl Report {
    /// What a server wrote into a detail must not command the terminal.
    fn add(&mut self, name: &'static str, is_ok: bool, detail: String) {
        let detail = crate::clean::line(&detail, 2_000);
        self.checks.push(Check {
            name,
            is_ok,
            detail,
        });
    }

    fn holds(&mut self, name: &'static str, detail: impl Into<String>) {
        self.add(name, true, detail.into());
    }

    fn fails(&mut self, name: &'static str, detail: impl Into<String>, exit: Exit) {
        self.add(name, false, detail.into());
        if self.exit == Exit::Done {
            self.exit = exit;
        }
    }
}

/// The names of what is offered.
pub struct Offered {
    /// The manifest whose tools they are, and how it stands.
    pub manifest: Option<String>,
    /// Data tools.
    pub tools: Vec<String>,
    /// Kinds of `show`.
    pub kinds: Vec<&'static str>,
}

/// Why nothing is offered.
pub struct Refused {
    /// What is wrong with the manifest, and how the command ends for that.
    pub manifest: Option<(Exit, String)>,
    /// What is wrong with the names of tools.
    pub tools: Vec<String>,
}

/// What was found out without Bitbucket.
pub struct Found {
    /// What is offered, or what is wrong with the settings of that.
    pub offered: Result<Offered, Refused>,
    /// Whether calls can be recorded, where they are to be.
    pub audit: Option<Result<(), String>>,
}

/// Connects and reports, with what was found before.
pub fn check(settings: &Settings, found: Found, as_json: bool) -> Answer {
    let mut report = Report {
        checks: Vec::new(),
        exit: Exit::Done,
    };
    match Http::new(&settings.connection) {
        Ok(http) => connect(&mut report, settings, http),
        Err(error) => {
            for problem in error.problems() {
                report.fails("files", problem, Exit::Usage);
            }
        }
    }
    match found.offered {
        Ok(offered) => {
            if let Some(manifest) = offered.manifest {
                report.holds("manifest", manifest);
            }
            report.holds("tools", offered.tools.join(", "));
            let kinds = match offered.kinds.is_empty() {
                true => "none".to_owned(),
                false => offered.kinds.join(", "),
            };
            report.holds("kinds", kinds);
        }
        Err(refused) => {
            if let Some((exit, why)) = refused.manifest {
                report.fails("manifest", why, exit);
            }
            if !refused.tools.is_empty() {
                report.fails("tools", refused.tools.join("; "), Exit::Usage);
            }
        }
    }
    match found.audit {
        None => {}
        Some(Ok(())) => report.holds("audit", "calls can be recorded"),
        Some(Err(problem)) => report.fails("audit", problem, Exit::Usage),
    }
    let mut answer = Answer::text(if as_json {
        json(settings, &report)
    } else {
        text(settings, &report)
    });
    answer.exit = report.exit;
    answer
}

fn connect(report: &mut Report, settings: &Settings, http: Http) {
    let connection = &settings.connection;
    if connection.ca_file.is_some() || connection.client.is_some() {
        let read = match (&connection.ca_file, &connection.client) {
            (Some(_), Some(_)) => {
                "the CA file and the client certificate can be read, and the key fits"
            }
            (Some(_), None) => "the CA file can be read",
            _ => "the client certificate can be read, and the key fits",
        };
        report.holds("files", read);
    }
    let bitbucket = Bitbucket::new(http);
    let greeting = bitbucket.greet(&Cancel::new());
    let failed_at = greeting.as_ref().err().map(|error| part(error, settings));
    // What lies before the part that failed was passed.
    let order = ["proxy", "tls", "client-certificate", "bitbucket"];
    let reached = order
        .iter()
        .position(|name| Some(*name) == failed_at)
        .unwrap_or(order.len());
    if let Some(proxy) = connection.proxy.as_ref().filter(|_| reached > 0) {
        report.holds(
            "proxy",
            format!("{}:{} lets requests through", proxy.host, proxy.port),
        );
    }
    if let Some(handshake) = bitbucket.http().handshake().filter(|_| reached > 1) {
        let issuer = handshake.chain.last().and_then(|last| last.issuer.clone());
        report.holds(
            "tls",
            format!(
                "{}, {} certificates, the last by {}",
                handshake.version,
                handshake.chain.len(),
                issuer.as_deref().unwrap_or("an issuer without a name")
            ),
        );
        if reached > 2 {
            report.holds(
                "client-certificate",
                match (handshake.client_wanted, connection.client.is_some()) {
                    (true, true) => "the server asked for one and took ours",
                    (true, false) => "the server asked for one and goes on without",
                    (false, true) => "the server did not ask for the one that is set",
                    (false, false) => "none is wanted",
                },
            );
        }
    }
    match greeting {
        Ok(greeting) => welcome(report, settings, &greeting),
        Err(error) => {
            report.fails(
                part(&error, settings),
                error.to_string(),
                exit_of(error.fault()),
            );
        }
    }
}

fn welcome(report: &mut Report, settings: &Settings, greeting: &Greeting) {
    let version = match greeting.version.as_str() {
        "" => "it does not tell its version",
        version => version,
    };
    report.holds(
        "bitbucket",
        format!("{} answers: version {version}", settings.connection.base),
    );
    match (&greeting.user, &settings.connection.credentials) {
        (Some(user), _) => report.holds("user", crate::clean::line(user, 200)),
        (None, None) => report.holds("user", "anonymous: no credentials are set, so only public things are seen"),
        (None, Some(_)) => report.fails(
            "user",
            "Bitbucket answers, but does not say whom it takes these credentials for: is the token still valid?",
            Exit::Refused,
        ),
    }
}

/// The part that an error is about.
fn part(error: &ApiError, settings: &Settings) -> &'static str {
    let proxy = settings.connection.proxy.as_ref();
    let is_proxys =
        |whom: &str| proxy.is_some_and(|proxy| whom == format!("{}:{}", proxy.host, proxy.port));
    match error.why() {
        // A proxy that is reached over TLS has a certificate of its own.
        Why::Tls { whom, .. } if is_proxys(whom) => "proxy",
        Why::Proxy { .. } => "proxy",
        Why::Tls {
            how: TlsFault::ClientCertificateWanted | TlsFault::ClientCertificateRejected(_),
            ..
        } => "client-certificate",
        Why::Tls { .. } => "tls",
        Why::NotSignedIn { .. } | Why::NotAllowed { .. } | Why::Captcha => "user",
        _ => "bitbucket",
    }
}

fn exit_of(fault: Fault) -> Exit {
    [
        Exit::Usage,
        Exit::Refused,
        Exit::NotFound,
        Exit::Conflict,
        Exit::Unreachable,
    ]
    .into_iter()
    .find(|exit| exit.code() == fault.exit_code())
    .unwrap_or(Exit::Unexpected)
}

fn text(settings: &Settings, report: &Report) -> String {
    let mut lines = String::new();
    // A text in memory can always be written to.
    for told in &settings.told {
        let value = crate::clean::code(&told.value, 10_000);
        let from = crate::clean::code(&told.from, 10_000);
        let _ = writeln!(lines, "         {:<20} {value} ({from})", told.name);
    }
    for check in &report.checks {
        let mark = if check.is_ok { "ok      " } else { "not ok  " };
        let _ = writeln!(lines, "{mark} {:<20} {}", check.name, check.detail);
    }
    lines
}

fn json(settings: &Settings, report: &Report) -> String {
    let told: Vec<_> = settings
        .told
        .iter()
        .map(|told| json!({"name": told.name, "value": told.value, "from": told.from}))
        .collect();
    let checks: Vec<_> = report
        .checks
        .iter()
        .map(|check| json!({"name": check.name, "ok": check.is_ok, "detail": check.detail}))
        .collect();
    format!(
        "{:#}\n",
        json!({"ok": report.exit == Exit::Done, "settings": told, "checks": checks})
    )
}
