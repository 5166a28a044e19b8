//! `cargo run --example standin`: the stand-in Bitbucket alone, until it is killed.
//!
//! Prints the shell lines that point bb at it; everything for people goes to stderr. A line of JSON on stdin moves
//! the world, breaks an answer, or asks what was asked: see `told`. A step is such as `{"step":"review","repository":"ACME/rocket","id":42,"user":"jane@example","status":"APPROVED"}`,
//! and each line is answered with one: `{"done":true}`, or `{"error":"..."}`. Start at `move_the_world`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};
use standin::{Body, Effect, Fault, Options, Proxy, ProxyOptions, StandIn, Step, Tls};

const USAGE: &str = "usage: standin [--port N] [--context-path /x] [--tls] [--client-cert] [--latency MS] [--proxy]";

fn main() -> ExitCode {
    let (options, has_proxy) = match options(std::env::args().skip(1)) {
        Ok(read) => read,
        Err(problem) => {
            eprintln!("standin: {problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let tls = options.tls;
    let standin = StandIn::start(options);
    // One that lets nobody through without a name and a password, and stops with this process too.
    let proxy = has_proxy.then(|| {
        let credentials = Some(("porter".to_owned(), "let-me-through".to_owned()));
        Proxy::start(ProxyOptions {
            credentials,
            ..ProxyOptions::default()
        })
    });
    let mut lines = format!(
        "export BITBUCKET_URL={}\nexport BITBUCKET_TOKEN={}\n",
        standin.url(),
        standin.token()
    );
    if let Some(proxy) = &proxy {
        lines.push_str(&format!(
            "export BB_PROXY={}\n",
            proxy.url_with_credentials()
        ));
    }
    if io::stdout()
        .write_all(lines.as_bytes())
        .and_then(|()| io::stdout().flush())
        .is_err()
    {
        return ExitCode::from(1);
    }
    eprintln!(
        "Bitbucket's stand-in is up; try pull request 42 of ACME/rocket. It stops with this process."
    );
    if tls != Tls::None {
        eprintln!("Its CA: --ca-file {}", standin.ca_file().display());
    }
    if tls == Tls::ClientCertificate {
        let (certificate, key) = standin.client_pair();
        eprintln!(
            "Your certificate: --client-cert {} --client-key {}",
            certificate.display(),
            key.display()
        );
    }
    move_the_world(&standin, io::stdin().lock());
    // Whoever started it without an input still wants it until they kill it.
    loop {
        std::thread::park();
    }
}

/// Takes one step a line, or tells the log, until the input ends.
fn move_the_world(standin: &StandIn, lines: impl BufRead) {
    for line in lines.lines().map_while(Result::ok) {
        if line.trim().is_empty() {
            continue;
        }
        println!(
            "{}",
            match told(standin, &line) {
                Ok(mut answer) => {
                    answer["done"] = json!(true);
                    answer
                }
                Err(problem) => json!({"error": problem}),
            }
        );
    }
}

/// What a test can say: a step; `{"log":true}`, answered with every request so far; or
/// `{"fault":{"method":"POST","path":"*/pull-requests","effect":"half_body"}}`, which befalls the next such request.
/// The effects: `half_body` (done, and the answer lost), `stall` (no answer), `{"status":409,"message":"..."}`.
fn told(standin: &StandIn, line: &str) -> Result<Value, String> {
    let wanted: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if wanted["log"] == true {
        let log = standin.log();
        let one = |one: &standin::Logged| json!({"method": one.method, "path": one.path, "status": one.status});
        return Ok(json!({"log": log.iter().map(one).collect::<Vec<_>>()}));
    }
    let Some(fault) = wanted.get("fault") else {
        let step: Step = serde_json::from_value(wanted).map_err(|error| error.to_string())?;
        return standin.try_step(step).map(|()| json!({}));
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let effect = match (&fault["effect"], fault["effect"].as_str()) {
        (_, Some("half_body")) => Effect::HalfBody,
        (_, Some("stall")) => Effect::Stall(None),
        (effect, None) if effect["status"].is_u64() => {
            let status = effect["status"]
                .as_u64()
                .and_then(|status| u16::try_from(status).ok());
            Effect::Status(
                status.unwrap_or(500),
                Body::Errors(text(&effect["message"])),
                Vec::new(),
            )
        }
        (effect, _) => return Err(format!("{effect} is no effect")),
    };
    standin.fault(Fault::on(&text(&fault["method"]), &text(&fault["path"]), effect).times(1));
    Ok(json!({}))
}

/// The stand-in's options, and whether a proxy is wanted.
fn options(mut words: impl Iterator<Item = String>) -> Result<(Options, bool), String> {
    let (mut options, mut has_proxy) = (Options::default(), false);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--port" => {
                options.port = value()?
                    .parse()
                    .map_err(|_| "--port needs a number up to 65535")?
            }
            "--context-path" => options.context_path = value()?,
            "--tls" => {
                options.tls = if options.tls == Tls::None {
                    Tls::Server
                } else {
                    options.tls
                }
            }
            "--client-cert" => options.tls = Tls::ClientCertificate,
            "--proxy" => has_proxy = true,
            "--latency" => {
                let ms = value()?
                    .parse()
                    .map_err(|_| "--latency needs milliseconds")?;
                options.latency = Duration::from_millis(ms);
            }
            _ => return Err(format!("`{word}` is no flag")),
        }
    }
    let path = &options.context_path;
    if !path.is_empty() && (!path.starts_with('/') || path.ends_with('/')) {
        return Err(format!(
            "--context-path starts with a slash and ends without one, unlike `{path}`"
        ));
    }
    Ok((options, has_proxy))
}
