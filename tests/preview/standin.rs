//! `cargo run --example standin`: the stand-in Bitbucket alone, until it is killed.
//!
//! Prints the two shell lines that point bb at it; everything for people goes to stderr. A line of JSON on stdin moves
//! the world, such as `{"step":"review","repository":"ACME/rocket","id":42,"user":"jane@example","status":"APPROVED"}`,
//! and is answered with a line: `{"done":true}`, or `{"error":"..."}`. Start at `move_the_world`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;
use standin::{Options, StandIn, Step, Tls};

const USAGE: &str =
    "usage: standin [--port N] [--context-path /x] [--tls] [--client-cert] [--latency MS]";

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("standin: {problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let tls = options.tls;
    let standin = StandIn::start(options);
    let lines = format!(
        "export BITBUCKET_URL={}\nexport BITBUCKET_TOKEN={}\n",
        standin.url(),
        standin.token()
    );
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
        if line.trim() == r#""log""# {
            let asked = standin.log().into_iter();
            let asked = asked.map(|one| (one.method, one.path, one.status));
            println!("{}", json!({"log": asked.collect::<Vec<_>>()}));
            continue;
        }
        let moved = serde_json::from_str::<Step>(&line)
            .map_err(|error| error.to_string())
            .and_then(|step| standin.try_step(step));
        println!(
            "{}",
            match moved {
                Ok(()) => json!({"done": true}),
                Err(problem) => json!({"error": problem}),
            }
        );
    }
}

fn options(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options::default();
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
    Ok(options)
}
