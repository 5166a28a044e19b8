//! The tools that write, over the real pipe, against a stand-in that keeps what it is told.
//!
//! No question is asked here: how the person is asked is tested where that is.

mod asking;
mod builds;
mod comments;
mod creating;
mod every;
mod lost;
mod merging;
mod reviewing;
mod updating;

use crate::support::Bb;
use serde_json::{Value, json};
use standin::{Options, StandIn};
use std::io::{Read, Write};
use std::net::TcpStream;

const API: &str = "/rest/api/latest/projects/ACME/repos/rocket";
/// What keeps bb from asking the person first.
const UNASKED: &[&str] = &["--no-confirm"];
const HOSTILE: &str = "<img src=x onerror=alert(1)> \"quoted\" & \u{202e}drawkcab {{tool.x}} '; --";

/// A stand-in, and bb on it as one of its people.
struct Scene {
    stand_in: StandIn,
    bb: Bb,
}

impl Scene {
    fn of(user: &str) -> Self {
        Self::with(Options {
            user: user.to_owned(),
            ..Options::default()
        })
    }

    fn at_version(version: &str) -> Self {
        Self::with(Options {
            version: version.to_owned(),
            ..Options::default()
        })
    }

    fn with(options: Options) -> Self {
        let stand_in = StandIn::start(options);
        let bb = Bb::with_args(&stand_in, UNASKED);
        Self { stand_in, bb }
    }

    /// Calls a tool that writes; gives its value and what a page is told.
    #[track_caller]
    fn write(&mut self, tool: &str, arguments: Value) -> (Value, Value) {
        let result = self.bb.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}\n{}", self.bb.story());
        let value = serde_json::from_str(crate::support::text(&result)).expect("JSON");
        let outcome = result["_meta"]["bb/outcome"].clone();
        assert_eq!(outcome["done"], true, "{result}");
        (value, outcome)
    }

    /// Calls a tool that does not write; gives its phrase and what a page is told.
    #[track_caller]
    fn refused(&mut self, tool: &str, arguments: Value) -> (String, Value) {
        let result = self.bb.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}\n{}", self.bb.story());
        let phrase = crate::support::text(&result).to_owned();
        let outcome = result["_meta"]["bb/outcome"].clone();
        assert_eq!(outcome["done"], false, "{result}");
        assert!(
            !phrase.contains('\n') && !phrase.contains('\u{202e}'),
            "{phrase}"
        );
        let errors = outcome["errors"].as_array().expect("why not");
        assert!(
            errors.iter().all(|error| error["message"].is_string()),
            "{outcome}"
        );
        (phrase, outcome)
    }

    /// What Bitbucket holds, as it tells it.
    #[track_caller]
    fn raw(&self, path: &str) -> Value {
        let mut stream =
            TcpStream::connect(("127.0.0.1", self.stand_in.port())).expect("it listens");
        let token = self.stand_in.token();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        )
        .expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("answered");
        let answer = String::from_utf8(answer).expect("UTF-8");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// How many requests other than GET reached Bitbucket: `POST`, `PUT` and `DELETE` by path.
    fn writes(&self) -> Vec<String> {
        self.stand_in
            .log()
            .into_iter()
            .filter(|one| one.method != "GET")
            .map(|one| {
                format!(
                    "{} {}",
                    one.method,
                    one.path.split('?').next().unwrap_or_default()
                )
            })
            .collect()
    }
}

/// A pull request of ACME/rocket with more arguments.
fn of(id: u64, more: Value) -> Value {
    let mut arguments = json!({"project": "ACME", "repo": "rocket", "id": id});
    if let (Value::Object(arguments), Value::Object(more)) = (&mut arguments, more) {
        arguments.extend(more);
    }
    arguments
}

fn names(reviewers: &Value) -> Vec<&str> {
    reviewers
        .as_array()
        .expect("reviewers")
        .iter()
        .filter_map(|one| one.pointer("/user/name").and_then(Value::as_str))
        .collect()
}
