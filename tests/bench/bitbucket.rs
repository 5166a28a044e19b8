//! The Bitbucket that bb is measured against: the stand-in, in this process, reached over HTTP like any other.
//!
//! The only file of the bench that names the stand-in. Start at [`Bitbucket::start`].

use std::time::Duration;

use serde_json::{Value, json};
use standin::{Effect, Fault, Options, StandIn, Step};

use crate::reading::Missing;

/// The person's own pull requests: one request, and what [`Bitbucket::list_many`] fills.
const DASHBOARD: &str = "/rest/api/latest/dashboard/pull-requests";

/// What bb reads of a diff at most.
const MAX_BODY_BYTES: u64 = 16 * 1024 * 1024;

/// A running stand-in.
pub struct Bitbucket {
    standin: StandIn,
    agent: ureq::Agent,
    /// Where it is and how to sign in.
    pub address: Address,
}

/// What bb must be told to reach a Bitbucket.
pub struct Address {
    /// The base URL.
    pub url: String,
    /// The access token.
    pub token: String,
}

/// A pull request, as bb's tools are asked for it and as it is read over REST.
pub struct PullRequest {
    /// `project`, `repo` and `id`.
    pub arguments: Value,
    /// Its address below the base URL.
    pub path: String,
}

impl Address {
    /// Of a Bitbucket that nobody asks anything.
    pub fn nowhere() -> Self {
        Self {
            url: "http://127.0.0.1:9".to_owned(),
            token: "none".to_owned(),
        }
    }
}

impl Bitbucket {
    /// Starts a stand-in that lets each request wait for `latency`.
    pub fn start(latency: Duration) -> Self {
        let standin = StandIn::start(Options {
            latency,
            ..Options::default()
        });
        let address = Address {
            url: standin.url().to_owned(),
            token: standin.token(),
        };
        Self {
            standin,
            agent: ureq::Agent::new_with_defaults(),
            address,
        }
    }

    /// One GET by ureq alone, its body read to the end and not parsed.
    pub fn get(&self, path: &str) -> Result<String, Missing> {
        let bearer = format!("Bearer {}", self.address.token);
        let response = self
            .agent
            .get(format!("{}{path}", self.address.url))
            .header("Authorization", bearer)
            .call();
        response
            .and_then(|mut response| {
                let body = response.body_mut().with_config();
                body.limit(MAX_BODY_BYTES).read_to_string()
            })
            .map_err(|error| Missing(format!("the stand-in does not answer GET {path}: {error}")))
    }

    /// The first open pull request of the person's own.
    pub fn some_pull_request(&self) -> Result<PullRequest, Missing> {
        let found = self.own_pull_requests()?.swap_remove(0);
        let (repository, id) = (&found["toRef"]["repository"], &found["id"]);
        let (project, repo) = (&repository["project"]["key"], &repository["slug"]);
        let (Some(key), Some(slug)) = (project.as_str(), repo.as_str()) else {
            return Err(Missing(format!(
                "a pull request without a repository: {found}"
            )));
        };
        let path = format!("/rest/api/latest/projects/{key}/repos/{slug}/pull-requests/{id}");
        Ok(PullRequest {
            arguments: json!({"project": project, "repo": repo, "id": id}),
            path,
        })
    }

    /// From now on the person's own pull requests are `count`, each like one of the world's in all but its number.
    pub fn list_many(&self, count: usize) -> Result<(), Missing> {
        let few = self.own_pull_requests()?;
        let many: Vec<Value> = (0..count)
            .filter_map(|number| {
                let mut one = few.get(number % few.len())?.clone();
                one["id"] = json!(number + 1);
                Some(one)
            })
            .collect();
        let page = [
            ("/values", json!(many)),
            ("/size", json!(count)),
            ("/isLastPage", json!(true)),
        ];
        let patch = page.map(|(pointer, value)| (pointer.to_owned(), Some(value)));
        self.standin
            .fault(Fault::on("GET", DASHBOARD, Effect::Patch(patch.to_vec())));
        Ok(())
    }

    /// From now on this path answers with this body, served from memory.
    pub fn answers(&self, path: &str, body: String) {
        self.standin
            .fault(Fault::on("GET", path, Effect::Answer(body.into_bytes())));
    }

    /// Somebody comments on a pull request of ACME/rocket.
    pub fn comment(&self, id: u64, text: &str) {
        self.standin.step(Step::Comment {
            repository: "ACME/rocket".to_owned(),
            id,
            user: "idris.vale".to_owned(),
            text: text.to_owned(),
            parent: None,
        });
    }

    /// How many requests came so far.
    pub fn requests(&self) -> usize {
        self.standin.log().len()
    }

    /// At least one.
    fn own_pull_requests(&self) -> Result<Vec<Value>, Missing> {
        let body = self.get(&format!("{DASHBOARD}?state=OPEN&limit=100"))?;
        let page: Value = serde_json::from_str(&body)
            .map_err(|error| Missing(format!("the dashboard is no JSON: {error}")))?;
        match page["values"].as_array() {
            Some(values) if !values.is_empty() => Ok(values.clone()),
            _ => Err(Missing(
                "the stand-in's person has no open pull request".to_owned(),
            )),
        }
    }
}
