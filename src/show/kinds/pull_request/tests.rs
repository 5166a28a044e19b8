use super::read::{Builds, Read, Tasks};
use super::{facts, motion, text};
use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::Connection;
use crate::bitbucket::http::Http;
use crate::bitbucket::listing::Listing;
use crate::domain::build::{Build, BuildCounts, BuildState, BuildsOf};
use crate::domain::count::Count;
use crate::domain::person::Person;
use crate::domain::pull_request::{
    Branch, MergeCheck, PullRequest, ReviewStatus, Reviewer, State, Veto,
};
use crate::domain::repository::{PullRequestId, RepositoryId};
use crate::domain::required_builds::{Required, RequiredBuild};
use crate::domain::task::Task;
use crate::domain::time::Time;
use crate::show::drawing::{Facts, Motion};
use serde_json::{Value, json};
use std::time::Duration;

/// A Bitbucket that is never asked.
fn bitbucket() -> Bitbucket {
    let connection = Connection {
        base: BaseUrl::parse("http://127.0.0.1:9/bitbucket").expect("an address"),
        credentials: None,
        ca_file: None,
        client: None,
        proxy: None,
        request_timeout: Duration::from_secs(1),
    };
    Bitbucket::new(Http::new(&connection).expect("nothing to read"))
}

fn person(name: &str) -> Person {
    Person {
        name: name.to_owned(),
        display_name: format!("{name} by display"),
        slug: Some(name.to_owned()),
        avatar_url: None,
    }
}

fn reviewer(name: &str, status: ReviewStatus) -> Reviewer {
    Reviewer {
        person: person(name),
        status,
        last_reviewed: None,
    }
}

fn build(key: &str, state: BuildState) -> Build {
    Build {
        key: key.to_owned(),
        name: String::new(),
        state,
        parent: None,
        reference: None,
        number: None,
        address: None,
        updated: Some(Time(0)),
        duration_ms: Some(5),
        tests: None,
    }
}

fn branch(name: &str) -> Branch {
    Branch {
        id: format!("refs/heads/{name}"),
        display_id: name.to_owned(),
        latest_commit: "c".repeat(40),
        repository: None,
    }
}

fn small() -> Read {
    Read {
        one: PullRequest {
            id: PullRequestId {
                repository: RepositoryId {
                    project: "ACME".to_owned(),
                    slug: "rocket".to_owned(),
                },
                number: 42,
            },
            version: None,
            title: "Light it".to_owned(),
            description: String::new(),
            state: State::Open,
            is_draft: false,
            is_locked: false,
            author: None,
            reviewers: Vec::new(),
            participants: Vec::new(),
            source: branch("feature/igniter"),
            target: branch("main"),
            created: None,
            updated: None,
            closed: None,
            open_tasks: None,
            resolved_tasks: None,
            comments: None,
            merge_commit: None,
            page: None,
        },
        merged_by: None,
        merge: None,
        is_auto_merge: false,
        tasks: Ok(Tasks {
            open: Count::Exact(0),
            resolved: None,
            listed: Vec::new(),
        }),
        builds: Ok(Builds {
            of: BuildsOf::PullRequest,
            commit: "c".repeat(40),
            count: Count::Exact(0),
            counts: BuildCounts::default(),
            listed: Vec::new(),
            required: Required::CannotTell,
        }),
        activity: Ok(Listing::of_test(Vec::new(), None)),
        activity_start: 0,
        me: None,
    }
}

fn drawn(read: &Read) -> Value {
    let (facts, _) = facts::of(read, &bitbucket());
    Facts::of(&facts).value().clone()
}

/// Everything as large as Bitbucket lets anybody make it, in signs that JSON writes with six.
fn huge() -> Read {
    let long = "\u{1}".repeat(255);
    let mut read = small();
    let one = &mut read.one;
    one.title = long.clone();
    one.description = "*\u{1}* ".repeat(40_000);
    one.page = Some("\u{1}".repeat(100_000));
    one.author = Some(person(&long));
    one.source = branch(&long);
    one.target = branch(&long);
    let mut reviewers: Vec<Reviewer> = (0..500)
        .map(|at| reviewer(&format!("{at}{long}"), ReviewStatus::Approved))
        .collect();
    reviewers.push(reviewer("last", ReviewStatus::NeedsWork));
    one.reviewers = reviewers;
    let veto = Veto {
        summary: long.repeat(10),
        detail: long.repeat(100),
    };
    read.merge = Some(Ok(MergeCheck {
        can_merge: false,
        is_conflicted: false,
        vetoes: vec![veto; 50],
    }));
    let task = Task {
        id: 1,
        text: "# \u{1}\n".repeat(10_000),
        author: Some(person(&long)),
    };
    read.tasks = Ok(Tasks {
        open: Count::Exact(312),
        resolved: None,
        listed: vec![task; 25],
    });
    let mut builds: Vec<Build> = (0..2_000)
        .map(|at| Build {
            name: long.clone(),
            parent: Some(long.clone()),
            address: Some(format!("https://ci.example.com/{}", "\u{1}".repeat(420))),
            ..build(&format!("{at}{long}"), BuildState::Successful)
        })
        .collect();
    builds.push(build("broken", BuildState::Failed));
    read.builds = Ok(Builds {
        of: BuildsOf::PullRequest,
        commit: "c".repeat(40),
        count: Count::AtLeast(2_000),
        counts: builds.iter().map(|build| build.state.clone()).collect(),
        listed: builds,
        required: Required::Known(vec![RequiredBuild {
            key: "broken".to_owned(),
            is_met: false,
            state: None,
        }]),
    });
    read
}

#[test]
fn the_largest_pull_request_fits_with_what_needs_the_person_first() {
    let read = huge();
    let facts = drawn(&read);
    let chars = facts.to_string().chars().count();
    assert!(chars < 138_000, "{chars} characters");
    let builds = &facts["builds"];
    assert_eq!(builds["count"], json!({"n": 2_000, "exact": false}));
    assert_eq!(builds["states"], json!({"FAILED": 1, "SUCCESSFUL": 2_000}));
    assert!(builds["listed"].to_string().contains("\"broken\""));
    assert_eq!(builds["required"].as_array().map(Vec::len), Some(1));
    let reviewers = &facts["reviewers"];
    assert_eq!(reviewers["count"], json!({"n": 501, "exact": true}));
    assert_eq!(reviewers["approved"], 500);
    assert!(reviewers["listed"].to_string().contains("\"last\""));
    let vetoes = facts["merge_checks"]["vetoes"].as_array().expect("a list");
    let left_out = 50 - (vetoes.len() - 1);
    let last = &vetoes[vetoes.len() - 1];
    assert_eq!(
        last["summary"],
        format!("{left_out} more merge checks fail")
    );
    assert_eq!(facts["tasks"]["open"]["n"], 312);
    assert_ne!(facts["tasks"]["listed"], json!([]));
    let cut = &facts["description"]["cut"];
    assert_eq!(cut["total"], 160_000);
    assert!(
        cut["shown"].as_u64().is_some_and(|shown| shown > 500),
        "{cut}"
    );
}

#[test]
fn what_is_read_in_another_order_is_drawn_the_same_way() {
    let mut read = small();
    read.one.reviewers = vec![
        reviewer("c", ReviewStatus::Unapproved),
        reviewer("b", ReviewStatus::NeedsWork),
        reviewer("a", ReviewStatus::Approved),
    ];
    let listed = drawn(&read)["reviewers"]["listed"].clone();
    let names: Vec<&str> = listed
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["person"]["name"].as_str())
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn a_running_builds_duration_is_no_fact() {
    let mut read = small();
    if let Ok(builds) = &mut read.builds {
        builds.listed = vec![
            build("runs", BuildState::InProgress),
            build("ran", BuildState::Failed),
        ];
    }
    let listed = drawn(&read)["builds"]["listed"].clone();
    assert_eq!(listed[0].get("duration_ms"), None);
    assert_eq!(listed[1]["duration_ms"], 5);
}

#[test]
fn motion_and_text_say_what_is_so() {
    let mut read = small();
    assert_eq!(motion(&read), Motion::Quiet);
    read.one.is_locked = true;
    assert_eq!(motion(&read), Motion::Moving);
    read.one.state = State::Merged;
    assert_eq!(motion(&read), Motion::Still);
    if let Ok(builds) = &mut read.builds {
        builds.counts.in_progress = 1;
    }
    assert_eq!(motion(&read), Motion::Moving);
    read.one.state = State::Other("QUEUED".to_owned());
    if let Ok(builds) = &mut read.builds {
        builds.counts.in_progress = 0;
    }
    assert_eq!(motion(&read), Motion::Quiet);
    assert_eq!(
        text(&read),
        "Put on the person's screen: pull request 42 of ACME/rocket \"Light it\", queued; 0 open tasks; 0 builds."
    );
}
