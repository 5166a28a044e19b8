use super::{BaseUrl, Given, Path, Scheme, project_key};
use serde_json::Value;

const CASE: &str = include_str!("../../../fixtures/cases/08-addresses/addresses.json");

fn case() -> Value {
    serde_json::from_str(CASE).expect("the case is JSON")
}

fn base() -> BaseUrl {
    BaseUrl::parse("https://code.example.com/bitbucket").expect("a base")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().expect(key)
}

#[test]
fn each_spelling_of_the_setting_leads_to_one_request_address() {
    let case = case();
    let wanted = text(&case["base"], "request");
    for spelling in case["base"]["same"].as_array().expect("a list") {
        let base = BaseUrl::parse(spelling.as_str().expect("a text")).expect("accepted");
        assert_eq!(
            base.join(&Path::repository("ACME", "rocket")),
            wanted,
            "{spelling}"
        );
    }
}

#[test]
fn what_is_not_an_address_with_a_host_is_refused_in_one_sentence() {
    let more = [
        "",
        "https:code.example.com",
        "https://user:pass@code.example.com",
        "https://code.example.com?x=1",
        "https://code.example.com#top",
        "https://code.example.com:0",
        "https://code.example.com:99999",
        "https://code.example.com:+80",
        "https://co de.example.com",
        "https://code.example.com/a/../b",
        "https://code.example.com/a/%2e%2E/b",
        "https://code.example.com/a\\b",
        "https://[nonsense]",
        "https://schön.example.com",
        "https://.",
    ];
    let case = case();
    let refused = case["base"]["refused"].as_array().expect("a list").iter();
    for spelling in refused.map(|v| v.as_str().expect("a text")).chain(more) {
        let phrase = BaseUrl::parse(spelling).expect_err(spelling);
        assert!(
            phrase.contains("http or https address with a host"),
            "{spelling}: {phrase}"
        );
        assert!(
            !phrase.contains('\n') && !phrase.contains("user:pass"),
            "{phrase}"
        );
    }
}

#[test]
fn a_base_has_one_spelling() {
    for (given, spelled) in [
        ("HTTPS://Code.Example.COM", "https://code.example.com"),
        ("http://code.example.com:80/", "http://code.example.com"),
        (
            "http://code.example.com:443/",
            "http://code.example.com:443",
        ),
        (
            " https://code.example.com:7990//stash// ",
            "https://code.example.com:7990/stash",
        ),
        ("http://[0:0:0:0:0:0:0:1]:7990", "http://[::1]:7990"),
    ] {
        assert_eq!(BaseUrl::parse(given).expect(given).to_string(), spelled);
    }
}

#[test]
fn the_parts_of_a_base_can_be_read() {
    let base = BaseUrl::parse("http://Code.example.com/stash/").expect("a base");
    assert_eq!(
        (base.scheme(), base.host(), base.port()),
        (Scheme::Http, "code.example.com", 80)
    );
    assert_eq!(
        (base.context(), base.origin().as_str()),
        ("/stash", "http://code.example.com")
    );
}

#[test]
fn loopback_is_this_machine_and_nothing_else() {
    for (address, is_loopback) in [
        ("http://localhost:7990", true),
        ("http://bb.localhost", true),
        ("http://127.0.0.1:1", true),
        ("http://127.9.9.9", true),
        ("http://[::1]:1", true),
        ("http://localhost.example.com", false),
        ("http://127.0.0.1.example.com", false),
        ("http://10.0.0.1", false),
        ("http://[::2]", false),
    ] {
        assert_eq!(
            BaseUrl::parse(address).expect(address).is_loopback(),
            is_loopback,
            "{address}"
        );
    }
}

#[test]
fn what_a_person_pastes_means_what_it_names() {
    for row in case()["given"].as_array().expect("a list") {
        let pasted = text(row, "text");
        let given = Given::read(pasted, &base());
        if let Some(why) = row["refused"].as_str() {
            assert!(
                given.as_ref().is_err_and(|phrase| phrase.contains(why)),
                "{pasted}: {given:?}"
            );
            continue;
        }
        let given = given.expect(pasted);
        assert_eq!(
            given.project.as_deref(),
            row["project"].as_str(),
            "{pasted}"
        );
        assert_eq!(given.repo.as_deref(), row["repo"].as_str(), "{pasted}");
        assert_eq!(given.id, row["id"].as_u64(), "{pasted}");
    }
}

#[test]
fn other_things_that_are_pasted() {
    for (pasted, wanted) in [
        ("acme/rocket", Ok(("ACME", Some("rocket"), None))),
        ("ACME", Ok(("ACME", None, None))),
        (
            "http://code.example.com/bitbucket/projects/ACME",
            Ok(("ACME", None, None)),
        ),
        (
            "https://wren@code.example.com/bitbucket/scm/~wren/notes.git",
            Ok(("~wren", Some("notes"), None)),
        ),
        (
            "https://code.example.com/bitbucket/projects/ACME/repos/rocket/pull-requests?create",
            Ok(("ACME", Some("rocket"), None)),
        ),
        (
            "https://CODE.example.com:443/bitbucket/users/Wren",
            Ok(("~wren", None, None)),
        ),
        (
            "https://code.example.com/projects/ACME",
            Err("is not an address on"),
        ),
        (
            "https://code.example.com:8443/bitbucket/projects/ACME",
            Err("another host"),
        ),
        (
            "https://code.example.com.evil.example/bitbucket/projects/ACME",
            Err("another host"),
        ),
        (
            "https://code.example.com@evil.example/bitbucket/projects/ACME",
            Err("another host"),
        ),
        (
            "ftp://code.example.com/bitbucket/projects/ACME",
            Err("is not an address on"),
        ),
        (
            "https://code.example.com/bitbucket/dashboard",
            Err("names no project"),
        ),
        (
            "https://code.example.com/bitbucket/projects/%2E%2E/repos/x",
            Err("is no project key"),
        ),
        (
            "https://code.example.com/bitbucket/projects/A/repos/b%2Fc",
            Err("is no repository"),
        ),
        ("a/b/c", Err("neither")),
        ("../rocket", Err("is no project key")),
        ("ACME/..", Err("is no repository")),
        ("", Err("is no project key")),
    ] {
        let given = Given::read(pasted, &base());
        match wanted {
            Ok((project, repo, id)) => {
                let given = given.expect(pasted);
                let found = (given.project.as_deref(), given.repo.as_deref(), given.id);
                assert_eq!(found, (Some(project), repo, id), "{pasted}");
            }
            Err(part) => {
                let phrase = given.expect_err(pasted);
                assert!(phrase.contains(part), "{pasted}: {phrase}");
            }
        }
    }
}

#[test]
fn keys_are_compared_in_one_spelling() {
    for (given, key) in [
        ("acme", "ACME"),
        ("~WREN.OKAFOR", "~wren.okafor"),
        ("%7Ewren", "~wren"),
    ] {
        assert_eq!(project_key(given).as_deref(), Ok(key));
    }
}

#[test]
fn links_keep_the_path_of_the_instance_and_are_of_the_personal_form() {
    for row in case()["links"].as_array().expect("a list") {
        let id = row["id"].as_u64().expect("a number");
        let link = base().pull_request_page(text(row, "project"), text(row, "repo"), id);
        assert_eq!(link, text(row, "address"));
    }
    let root = BaseUrl::parse("https://code.example.com").expect("a base");
    assert_eq!(
        root.repository_page("ACME", "rocket"),
        "https://code.example.com/projects/ACME/repos/rocket/browse"
    );
    assert_eq!(
        root.user_page("wren"),
        "https://code.example.com/users/wren"
    );
    assert_eq!(
        root.commit_page("ACME", "rocket", "abc"),
        "https://code.example.com/projects/ACME/repos/rocket/commits/abc"
    );
}

#[test]
fn a_path_of_a_file_goes_in_piece_by_piece() {
    for row in case()["paths"].as_array().expect("a list") {
        let path = Path::root().segment("browse").file(text(row, "path"));
        assert_eq!(
            path.to_string(),
            format!("/browse/{}", text(row, "in the address"))
        );
        assert_eq!(path.flaw(), None);
    }
}

#[test]
fn a_piece_stays_in_its_place() {
    let path = Path::api()
        .segment("~wren")
        .segment("a/b?c#d%2e")
        .query("at", "refs/heads/a b&c=d+é");
    assert_eq!(
        path.to_string(),
        "/rest/api/latest/~wren/a%2Fb%3Fc%23d%252e?at=refs%2Fheads%2Fa%20b%26c%3Dd%2B%C3%A9"
    );
    assert_eq!(
        path.without_query(),
        "/rest/api/latest/~wren/a%2Fb%3Fc%23d%252e"
    );
}

#[test]
fn a_piece_that_would_climb_or_vanish_spoils_the_path() {
    for spoiled in [
        Path::api().segment(".."),
        Path::api().segment("."),
        Path::repository("", "rocket"),
        Path::repository("ACME", ".."),
        Path::root().file("a/../../b"),
        Path::root().file("a//b"),
    ] {
        assert!(spoiled.flaw().is_some(), "{spoiled}");
    }
    assert_eq!(Path::root().file("/a/..b/").flaw(), None);
}

#[test]
fn a_password_in_what_a_person_pastes_is_never_repeated() {
    for pasted in [
        "https://me:hunter2@code.example.com/bitbucket/nothing/here",
        "https://me:hunter2@code.example.com:nonsense/bitbucket",
        "https://me:hunter2@elsewhere.example.com/projects/ACME",
        "https://me:hunter2@[/bitbucket",
        "https://me:hunt@er2@code.example.com/else",
        "gopher://me:hunter2@code.example.com/bitbucket",
        "me:hunter2@code.example.com/a/b",
        "me:hunter2@code.example.com/rocket",
        "me:hunter2@code.example.com",
        "ACME/me:hunter2@rocket",
        "https://code.example.com/bitbucket/projects/me:hunter2@x",
    ] {
        let phrase = Given::read(pasted, &base()).expect_err(pasted);
        assert!(
            !phrase.contains("hunt") && !phrase.contains("er2"),
            "{pasted}: {phrase}"
        );
    }
}
