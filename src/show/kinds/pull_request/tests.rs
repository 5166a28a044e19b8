use super::read::{Builds, Read, Tasks};
use super::{facts, motion, text};
use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::Connection;
use crate::bitbucket::http::Http;
use crate::bitbucket::listing::Listing;
use crate::domain::activity::{Action, Activity};
use crate::domain::build::{Build, BuildCounts, BuildState, BuildsOf};
use crate::domain::comment::{Comment, Permitted, TaskState, Thread};
use crate::domain::count::Count;
use crate::domain::person::Person;
use crate::domain::pull_request::{
    Branch, MergeCheck, PullRequest, ReviewStatus, Reviewer, State, Veto,
};
use crate::domain::repository::{PullRequestId, RepositoryId};
use crate::domain::required_builds::{Required, RequiredBuild};
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
            unlisted: None,
        }),
        builds: Ok(Builds {
            of: BuildsOf::PullRequest,
            commit: "c".repeat(40),
            count: Count::Exact(0),
            counts: BuildCounts::default(),
            listed: Vec::new(),
            unlisted: None,
            required: Required::CannotTell,
        }),
        activity: Ok(Listing::of_test(Vec::new(), None)),
        activity_start: 0,
        strategies: Vec::new(),
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
    let task = Comment {
        id: 1,
        version: None,
        text: "# \u{1}\n".repeat(10_000),
        author: Some(person(&long)),
        created: None,
        updated: None,
        task: Some(TaskState::Open),
        is_pending: false,
        is_thread_resolved: None,
        resolver: None,
        resolved: None,
        may: Permitted::default(),
        replies: Vec::new(),
    };
    read.tasks = Ok(Tasks {
        open: Count::Exact(312),
        resolved: None,
        listed: vec![task; 25],
        unlisted: None,
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
        unlisted: None,
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
    // A count is the count: nothing is made up to stand for the rest.
    let checks = &facts["merge_checks"];
    let vetoes = checks["vetoes"].as_array().expect("a list");
    assert_eq!(checks["left_out"], 50 - vetoes.len());
    let last = &vetoes[vetoes.len() - 1];
    assert!(
        last["summary"].to_string().starts_with(r#""\u0001"#),
        "{last}"
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
fn what_needs_the_person_is_carried_before_old_activity_however_much_else_does() {
    let mut read = huge();
    let long = "\u{1}".repeat(250);
    let entries = (0..100).map(|at| commented(at, &"\u{1}".repeat(20_000), 50));
    read.activity = Ok(Listing::of_test(entries.collect(), None));
    if let Ok(builds) = &mut read.builds {
        let unmet = (0..7).map(|at| RequiredBuild {
            key: format!("{at}{long}"),
            is_met: false,
            state: None,
        });
        builds.required = Required::Known(unmet.collect());
    }
    let facts = drawn(&read);
    let listed = |part: &str| facts[part]["listed"].to_string();
    assert_eq!(
        facts["builds"]["required"].as_array().map(Vec::len),
        Some(7)
    );
    assert!(listed("builds").contains("\"broken\""));
    assert!(listed("reviewers").contains("\"last\""));
    assert_ne!(facts["activity"]["listed"], json!([]));
    let chars = facts.to_string().chars().count();
    assert!(chars < 138_000, "{chars} characters");
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

const CASE: &str =
    include_str!("../../../../fixtures/cases/06-kinds-of-activities/activities.json");

#[test]
fn every_kind_of_activity_is_drawn_and_each_comment_once() {
    let mut read = small();
    let entries = crate::bitbucket::activities::activity_of_json(CASE);
    read.activity = Ok(Listing::of_test(entries, None));
    let activity = drawn(&read)["activity"].clone();
    let listed = activity["listed"].as_array().expect("a list");
    assert_eq!(activity["count"], json!({"n": 12, "exact": true}));
    assert_eq!(listed.len(), 12);
    assert_eq!(listed[1]["words"], "auto merge enabled by something new");
    assert_eq!(listed[1]["by"]["display_name"], "CI");
    assert_eq!(listed[3]["words"], "added 12 commits and removed 1 commit");
    let thread = &listed[5]["thread"];
    // Its anchor says 30, of the old side; the diff marks line 34 of the file as it is.
    assert_eq!(thread["line"], 34);
    assert_eq!(thread["side"], "new");
    assert_eq!(
        thread["lines"][1],
        json!([" ", 30, 34, "\tlimit += 10", true])
    );
    let told = |place: usize, member: &str| thread["comments"][place][member].clone();
    assert_eq!(
        (told(0, "id"), told(1, "id"), told(2, "id")),
        (44.into(), 45.into(), 46.into())
    );
    assert_eq!(
        (told(0, "depth"), told(1, "depth"), told(2, "depth")),
        (Value::Null, 1.into(), 2.into())
    );
    assert_eq!(listed[6]["thread"]["comments"][0]["task"], "OPEN");
    assert_eq!(listed[6]["words"], "created a task");
}

/// A thread of one comment, at its place.
fn commented(place: u64, text: &str, replies: usize) -> Activity {
    let comment = |id: u64| Comment {
        id,
        version: Some(0),
        text: text.to_owned(),
        author: Some(person("wren")),
        created: Some(Time(0)),
        updated: Some(Time(0)),
        task: None,
        is_pending: false,
        is_thread_resolved: None,
        resolver: None,
        resolved: None,
        may: Permitted::default(),
        replies: Vec::new(),
    };
    let mut root = comment(place * 1_000 + 1);
    root.replies = (0..replies as u64)
        .map(|at| comment(root.id + 1 + at))
        .collect();
    Activity {
        id: Some(place),
        at: Some(Time(0)),
        by: Some(person("wren")),
        action: Action::Commented(Box::new(Thread {
            root,
            anchor: None,
            excerpt: None,
        })),
        place,
    }
}

#[test]
fn what_does_not_fit_of_the_activity_is_where_older_entries_begin() {
    let mut read = small();
    let entries = (0..100).map(|at| commented(at * 2, &"long ".repeat(300), 0));
    read.activity = Ok(Listing::of_test(entries.collect(), Some(900)));
    read.activity_start = 300;
    let activity = drawn(&read)["activity"].clone();
    let listed = activity["listed"].as_array().expect("a list").len() as u64;
    assert!((20..100).contains(&listed), "{listed} entries");
    assert_eq!(activity["start"], 300);
    assert_eq!(activity["next"], 300 + listed * 2);
    assert_eq!(activity["count"], json!({"n": 100, "exact": false}));
    read.activity = Ok(Listing::of_test(vec![commented(0, "short", 0)], Some(900)));
    assert_eq!(drawn(&read)["activity"]["next"], 900);
}

#[test]
fn a_thread_of_five_hundred_comments_keeps_to_its_share_and_is_counted() {
    let mut read = small();
    let mut busy = commented(0, &"\u{1}".repeat(300), 500);
    if let Action::Commented(thread) = &mut busy.action {
        thread.root.replies[499].task = Some(TaskState::Open);
    }
    read.activity = Ok(Listing::of_test(vec![busy, commented(1, "short", 0)], None));
    let activity = drawn(&read)["activity"].clone();
    let thread = &activity["listed"][0]["thread"];
    let comments = thread["comments"].as_array().expect("a list");
    assert_eq!(thread["count"], 501);
    assert!(comments.len() < 100, "{} comments", comments.len());
    // An open task is there, however far below it stands.
    assert_eq!(comments[comments.len() - 1]["task"], "OPEN");
    assert_eq!(activity["listed"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_huge_pull_request_leaves_its_newest_activity_a_place() {
    let mut read = huge();
    let entries = (0..100).map(|at| commented(at, &"\u{1}".repeat(20_000), 50));
    read.activity = Ok(Listing::of_test(entries.collect(), None));
    let facts = drawn(&read);
    let listed = facts["activity"]["listed"].as_array().expect("a list");
    assert!(!listed.is_empty());
    let chars = facts.to_string().chars().count();
    assert!(chars < 125_000, "{chars} characters");
}

#[test]
fn who_looks_is_told_with_what_they_have_said() {
    let mut read = small();
    read.me = Some("Mira".to_owned());
    assert_eq!(drawn(&read)["me"], json!({"name": "Mira", "author": false}));
    read.one.author = Some(person("mira"));
    read.one.participants = vec![reviewer("mira", ReviewStatus::Approved)];
    assert_eq!(
        drawn(&read)["me"],
        json!({"name": "Mira", "author": true, "status": "APPROVED"})
    );
}
