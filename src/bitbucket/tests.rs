//! Answers that are odd in one place: what is understood of the rest is told.

use super::Bitbucket;
use super::error::{ApiError, Fault};
use super::http::tests::server::{Server, json as reply};
use super::http::tests::{connection, http};
use super::listing::Ask;
use super::pull_requests::Wanted;
use super::writes::lines::Found;
use crate::cancel::Cancel;
use crate::domain::count::Count;
use crate::domain::repository::{PullRequestId, RepositoryId};
use serde_json::{Value, json};

fn rocket() -> RepositoryId {
    RepositoryId {
        project: "ACME".to_owned(),
        slug: "rocket".to_owned(),
    }
}

fn id() -> PullRequestId {
    PullRequestId {
        repository: rocket(),
        number: 42,
    }
}

/// What `ask` makes of a Bitbucket that answers everything with `body`.
fn of<T>(status: u16, body: &Value, ask: impl FnOnce(&Bitbucket, &Cancel) -> T) -> T {
    let body = body.to_string();
    let server = Server::start(move |_, _| reply(status, &body));
    let bitbucket = Bitbucket::new(http(&connection(&server)));
    ask(&bitbucket, &Cancel::new())
}

fn page(values: Value) -> Value {
    json!({"values": values, "isLastPage": true})
}

#[test]
fn a_file_that_a_full_page_of_changes_lacks_is_unknown() {
    let values: Vec<Value> = (0..500)
        .map(|n| json!({"path": {"toString": format!("f{n}.rs")}, "type": "MODIFY"}))
        .collect();
    for full in [
        json!({"values": values, "limit": 500}),
        json!({"values": values, "limit": 500, "isLastPage": true}),
        json!({"values": [], "isLastPage": false}),
    ] {
        let found = of(200, &full, |bitbucket, cancel| {
            bitbucket.changed_file(&id(), "zzz.rs", cancel)
        });
        assert_eq!(found.expect("changes"), Found::Unknown);
    }
    let odd =
        page(json!([null, {"path": 7}, {"path": {"components": ["a", "b.rs"]}, "type": "DELETE"}]));
    let found = of(200, &odd, |bitbucket, cancel| {
        bitbucket.changed_file(&id(), "a/b.rs", cancel)
    });
    let Ok(Found::Changed(file)) = found else {
        panic!("{found:?}");
    };
    assert!(file.is_deleted);
}

#[test]
fn a_branch_or_tag_that_was_created_is_not_told_as_failed() {
    let odd = json!({"id": 7});
    let made: [ApiError; 2] = [
        of(201, &odd, |bitbucket, cancel| {
            bitbucket.create_branch(&rocket(), "n", "main", cancel)
        })
        .expect_err("an odd answer"),
        of(201, &odd, |bitbucket, cancel| {
            bitbucket.create_tag(&rocket(), "n", "main", None, cancel)
        })
        .expect_err("an odd answer"),
    ];
    for error in made {
        assert!(error.may_have_happened(), "{error}");
        assert!(
            error.to_string().contains("/projects/ACME/repos/rocket"),
            "{error}"
        );
    }
}

#[test]
fn a_cleared_description_is_sent_as_one_that_is_empty() {
    let body = r#"{"id":42,"version":3}"#;
    let server = Server::start(move |_, _| reply(200, body));
    let bitbucket = Bitbucket::new(http(&connection(&server)));
    let cancel = Cancel::new();
    let wanted = bitbucket
        .pull_request(&id(), &cancel)
        .expect("a pull request");
    bitbucket
        .update_pull_request(&wanted, &[], None, &cancel)
        .expect("updated");
    let sent: Value = serde_json::from_str(&server.asked()[1].body).expect("JSON");
    assert_eq!(sent["description"], "", "{sent}");
}

#[test]
fn what_is_odd_in_a_pull_request_costs_itself_alone() {
    let odd = json!({
        "id": 42,
        "version": 18446744073709551615u64,
        "title": "Light the engine",
        "author": {"user": null},
        "reviewers": [{"user": null}, null, 7, {"user": {"name": "idris.vale"}, "status": "APPROVED"}],
        "participants": null,
        "properties": {"openTaskCount": -1, "resolvedTaskCount": 1.0, "commentCount": "many", "mergeCommit": null},
        "toRef": {"repository": {"slug": "rocket", "project": {"key": "ACME"}}},
    });
    let one = of(200, &odd, |bitbucket, cancel| {
        bitbucket.pull_request(&id(), cancel)
    })
    .expect("a pull request");
    assert_eq!(
        (one.title.as_str(), one.version),
        ("Light the engine", None)
    );
    assert_eq!((one.open_tasks, one.comments), (None, None));
    let names: Vec<&str> = one
        .reviewers
        .iter()
        .map(|reviewer| reviewer.person.name.as_str())
        .collect();
    // Whoever is written over must not lose a reviewer for that bb does not understand him.
    assert_eq!(names, ["", "", "", "idris.vale"]);
    let list = page(json!([odd, null, 7, {"id": 43, "title": "Next", "description": 7}]));
    let listed = of(200, &list, |bitbucket, cancel| {
        let wanted = Wanted {
            state: "ALL",
            ..Wanted::default()
        };
        bitbucket.pull_requests(&rocket(), &wanted, Ask::first(25), cancel)
    })
    .expect("a list");
    let numbers: Vec<u64> = listed.values.iter().map(|one| one.id.number).collect();
    assert_eq!(numbers, [42, 43]);
    // One that is read to be written over must not lose a text.
    let strange = of(
        200,
        &json!({"id": 42, "description": 7}),
        |bitbucket, cancel| bitbucket.pull_request(&id(), cancel),
    );
    let fault = strange.err().map(|error| error.fault());
    assert_eq!(fault, Some(Fault::NotUnderstood));
}

#[test]
fn one_odd_entry_costs_no_list() {
    let check = |what: &str, found: Result<(usize, Count), ApiError>| {
        let (read, count) = found.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!((read, count), (2, Count::Exact(4)), "{what}");
    };
    let all = Ask::first(25);
    let commits = page(
        json!([null, 7, {"id": "a", "parents": [null, {"id": "b"}]}, {"id": "c", "author": 7}]),
    );
    check(
        "commits",
        of(200, &commits, |bitbucket, cancel| {
            bitbucket.commits_of_pull_request(&id(), all, cancel)
        })
        .map(|listing| (listing.values.len(), listing.count())),
    );
    let refs =
        page(json!([null, 7, {"id": "refs/heads/a", "isDefault": "yes"}, {"id": "refs/heads/b"}]));
    check(
        "branches",
        of(200, &refs, |bitbucket, cancel| {
            bitbucket.branches(&rocket(), None, all, cancel)
        })
        .map(|listing| (listing.values.len(), listing.count())),
    );
    check(
        "tags",
        of(200, &refs, |bitbucket, cancel| {
            bitbucket.tags(&rocket(), None, all, cancel)
        })
        .map(|listing| (listing.values.len(), listing.count())),
    );
    let place = |slug: &str| json!({"slug": slug, "project": {"key": "ACME"}, "public": 1});
    let repositories = page(json!([null, 7, place("rocket"), place("pad")]));
    check(
        "repositories",
        of(200, &repositories, |bitbucket, cancel| {
            bitbucket.repositories(None, all, cancel)
        })
        .map(|listing| (listing.values.len(), listing.count())),
    );
    let builds = page(json!([null, 7, {"key": "a", "state": "FAILED", "name": 7}, {"key": "b"}]));
    check(
        "builds of a commit",
        of(200, &builds, |bitbucket, cancel| {
            bitbucket.builds_of_commit_listed("0123456789ab", cancel)
        })
        .map(|listing| (listing.values.len(), listing.count())),
    );
    check(
        "builds of a pull request",
        of(200, &json!({"page": builds}), |bitbucket, cancel| {
            bitbucket.listed_builds(&id(), cancel)
        })
        .map(|listed| {
            let listing = listed.expect("a listing").builds;
            (listing.values.len(), listing.count())
        }),
    );
    let people =
        page(json!([null, 7, {"name": "wren.okafor", "active": 7}, {"name": "idris.vale"}]));
    let people = of(200, &people, |bitbucket, cancel| {
        bitbucket.people("e", None, all, cancel)
    });
    assert_eq!(people.expect("people").values.len(), 2);
}

#[test]
fn a_merge_check_and_the_sums_of_tasks_and_builds_bear_what_is_odd() {
    let check =
        json!({"canMerge": false, "conflicted": null, "vetoes": [null, {"summaryMessage": "No"}]});
    let merge = of(200, &check, |bitbucket, cancel| {
        bitbucket.merge_check(&id(), cancel)
    });
    let merge = merge.expect("a check").expect("of an open one");
    assert_eq!((merge.is_conflicted, merge.vetoes.len()), (false, 2));
    let counts = json!({"OPEN": null, "RESOLVED": 18446744073709551615u64});
    let tasks = of(200, &counts, |bitbucket, cancel| {
        bitbucket.task_counts(&id(), cancel)
    });
    assert_eq!(tasks.expect("counts"), (0, 0));
    let stats = json!({"successful": 3, "failed": 18446744073709551615u64, "unknown": -1});
    let builds = of(200, &stats, |bitbucket, cancel| {
        bitbucket.builds_of_commit("0123456789ab", cancel)
    });
    assert_eq!((builds.as_ref().map(|it| it.counts.successful)), Ok(3));
    let none = of(200, &json!({"successful": -1}), |bitbucket, cancel| {
        bitbucket.builds_of_commit("0123456789ab", cancel)
    });
    assert_eq!(
        none.err().map(|error| error.fault()),
        Some(Fault::NotUnderstood)
    );
}

#[test]
fn a_number_beyond_what_can_be_counted_is_none() {
    use super::files::At;
    use crate::domain::file::Contents;
    let file = At {
        repository: &rocket(),
        path: "engine/pump.rs",
        at: None,
    };
    for start in [
        json!(u64::MAX),
        json!(1u64 << 60),
        json!(-1),
        json!(1e300),
        json!({}),
    ] {
        let body = json!({"lines": [{"text": "x"}], "start": start});
        let window = of(200, &body, |bitbucket, cancel| {
            bitbucket.contents(file, 6, 10, cancel)
        });
        let Ok(Contents::Text(window)) = window else {
            panic!("{start}: {window:?}");
        };
        assert_eq!(window.start, 6, "{start}");
    }
    // A next page that cannot be is no end.
    for next in [json!(u64::MAX), json!(-1), json!("soon")] {
        let body = json!({"values": [{"id": "a"}], "nextPageStart": next, "totalCount": u64::MAX});
        let listing = of(200, &body, |bitbucket, cancel| {
            bitbucket.commits_of_pull_request(&id(), Ask::first(25), cancel)
        })
        .expect("commits");
        assert_eq!(listing.count(), Count::AtLeast(1), "{next}");
    }
}

#[test]
fn a_link_that_leads_to_another_host_is_not_bitbuckets() {
    let cancel = Cancel::new();
    let links = |href: &str| json!({"self": [{"href": href}]});
    for (href, is_own) in [
        ("https://localhost/bitbucket/x", true),
        ("https://evil.example.com/x", false),
        ("https://localhost@evil.example.com/x", false),
        ("javascript:alert(1)", false),
    ] {
        let one =
            json!({"id": 42, "slug": "rocket", "project": {"key": "ACME"}, "links": links(href)});
        let list = page(json!([one]));
        let expected = is_own.then(|| href.to_owned());
        let read = of(200, &one, |bitbucket, cancel| {
            let one = bitbucket.pull_request(&id(), cancel).expect("one");
            let declined = bitbucket.decline(&id(), 3, None, cancel).expect("one");
            let repository = bitbucket.repository(&rocket(), cancel).expect("one");
            [one.page, declined.page, repository.page]
        });
        assert_eq!(read, [&expected, &expected, &expected].map(Clone::clone));
        let listed = of(200, &list, |bitbucket, _| {
            let all = Ask::first(25);
            let wanted = Wanted::default();
            let own = bitbucket.own_pull_requests(&wanted, None, all, &cancel);
            let repositories = bitbucket.repositories(None, all, &cancel);
            [
                own.expect("a list").values[0].page.clone(),
                repositories.expect("a list").values[0].page.clone(),
            ]
        });
        assert_eq!(listed, [&expected, &expected].map(Clone::clone));
        let conflict = json!({"errors": [{"message": "x", "existingPullRequest": {"id": 7, "links": links(href)}}]});
        let error = of(409, &conflict, |bitbucket, cancel| {
            bitbucket.decline(&id(), 3, None, cancel)
        });
        let error = error.expect_err("a conflict");
        let said = &error.said().expect("words").raw()[0];
        let link = said.pointer("/existingPullRequest/links/self/0/href");
        assert_eq!(link.and_then(Value::as_str), expected.as_deref(), "{said}");
    }
}

#[test]
fn the_sum_of_as_many_numbers_as_an_answer_holds_can_be_counted() {
    // The shortest entry that has one, as often as 16 MiB hold it.
    let entry = r#"{"properties":{"activeComments":9007199254740992}}"#;
    let most = 16 * 1024 * 1024 / entry.len() as u64;
    let numbers = |number: u64| {
        let changed = json!({"properties": {"activeComments": number}, "path": "x"});
        let found = of(200, &page(json!([changed])), |bitbucket, cancel| {
            bitbucket.changes(super::diffs::DiffOf::PullRequest(&id()), cancel)
        });
        found.expect("changes").files[0].comments
    };
    for power in 0..64 {
        let number = numbers(1 << power).unwrap_or(0);
        assert!(number.checked_mul(most).is_some(), "2^{power}");
        assert_eq!(number != 0, power <= 44, "2^{power}");
    }
}

#[test]
fn a_tag_that_is_not_named_is_none_of_bitbuckets() {
    for unnamed in [json!({}), json!({"id": ""}), json!({"values": []})] {
        let tag = of(200, &unnamed, |bitbucket, cancel| {
            bitbucket.tag(&rocket(), "v1", cancel)
        });
        let fault = tag.err().map(|error| error.fault());
        assert_eq!(fault, Some(Fault::NotUnderstood), "{unnamed}");
    }
}
