//! The two manifests that a team would want: each checks clean, and each tool answers, over the real binary.

use crate::confirm::{agreed, asked, can_ask, created};
use crate::manifests::{check, folder, run};
use crate::support::{Bb, fixture, modern, text};
use bb::digest::Digest;
use serde_json::{Value, json};
use standin::{Options, StandIn};
use std::path::Path;

const EXAMPLES: [&str; 2] = ["release-board", "build-wall"];

fn path(name: &str) -> String {
    fixture(&format!("manifests/{name}.json"))
        .display()
        .to_string()
}

/// The page as it stands in pieces, where a person reads and changes it.
fn page(name: &str) -> String {
    let piece = |name: &str| {
        std::fs::read_to_string(fixture(&format!("manifests/pages/{name}"))).expect(name)
    };
    let mut page = piece(&format!("{name}.html"));
    for shared in ["look.css", "host.js"] {
        let place = format!("/* {shared} */\n");
        assert!(
            page.contains(&place),
            "{name}.html has no place for {shared}"
        );
        page = page.replace(&place, &piece(shared));
    }
    page
}

/// `BB_UPDATE=1` puts the pages into the manifests.
#[test]
fn an_example_holds_the_page_that_stands_beside_it() {
    for name in EXAMPLES {
        let now = std::fs::read_to_string(path(name)).expect("a manifest");
        let html = format!("      \"html\": {},", json!(page(name)));
        let lines = now
            .lines()
            .map(|line| match line.starts_with("      \"html\": ") {
                true => html.as_str(),
                false => line,
            });
        let mut wanted = lines.collect::<Vec<_>>().join("\n");
        wanted.push('\n');
        if std::env::var_os("BB_UPDATE").is_some() {
            std::fs::write(path(name), &wanted).expect("written");
        } else {
            assert!(
                now == wanted,
                "{name}.json holds another page: BB_UPDATE=1 puts it in"
            );
        }
    }
}

#[test]
fn an_example_checks_clean() {
    let folder = folder("examples-check");
    for name in EXAMPLES {
        let said = check(&folder, &["check", &path(name)], 0);
        assert!(
            said.contains("sound") && !said.contains("warning"),
            "{said}"
        );
        let said = check(&folder, &["review", &path(name)], 0);
        for line in ["Sends nothing anywhere.", "Nothing else of bb's."] {
            assert!(said.contains(line), "{said}");
        }
        assert!(
            !said.contains("It asks to") && !said.contains("It can"),
            "{said}"
        );
    }
}

/// Approves an example and serves it on a stand-in.
fn served(stand_in: &StandIn, name: &str, test: &str) -> Bb {
    let folder = folder(test);
    let path = path(name);
    let digest = Digest::of(&std::fs::read(&path).expect("bytes")).to_string();
    check(&folder, &["approve", &path, "--sha256", &digest], 0);
    let state = folder.join("state").display().to_string();
    let id = name.replace('-', "_");
    Bb::with_args(stand_in, &["--manifest", &id, "--state-dir", &state])
}

/// An era of the protocol, and how a client of it calls.
struct Era {
    name: &'static str,
    is_modern: bool,
}

const ERAS: [Era; 2] = [
    Era {
        name: "legacy",
        is_modern: false,
    },
    Era {
        name: "modern",
        is_modern: true,
    },
];

impl Era {
    fn begin(&self, bb: &mut Bb) {
        if !self.is_modern {
            bb.ask(
                "initialize",
                json!({"protocolVersion": "2025-11-25", "capabilities": can_ask(),
                       "clientInfo": {"name": "test", "version": "1"}}),
            );
        }
    }

    fn params(&self, tool: &str, arguments: &Value) -> Value {
        let mut params = json!({"name": tool, "arguments": arguments});
        if self.is_modern {
            params["_meta"] = modern(can_ask());
        }
        params
    }

    /// Calls a tool: its text, which says the same as its structured content, and what came for the view.
    #[track_caller]
    fn value(&self, bb: &mut Bb, tool: &str, arguments: Value) -> (Value, Value) {
        let result = bb.ask("tools/call", self.params(tool, &arguments))["result"].clone();
        assert_ne!(result["isError"], true, "{}: {tool}: {result}", self.name);
        let value: Value = serde_json::from_str(text(&result)).expect("JSON");
        assert_eq!(value, result["structuredContent"], "{}: {tool}", self.name);
        (value, result["_meta"]["view"].clone())
    }

    /// Calls a tool that asks, and agrees; gives the question's words and the result.
    #[track_caller]
    fn agreed(&self, bb: &mut Bb, tool: &str, arguments: &Value) -> (String, Value) {
        let params = self.params(tool, arguments);
        if self.is_modern {
            let (state, question) = asked(&bb.ask("tools/call", params.clone()));
            let mut again = params;
            again["requestState"] = json!(state);
            again["inputResponses"] = json!({"confirm": agreed()});
            let answer = bb.ask("tools/call", again);
            return (question.to_string(), answer["result"].clone());
        }
        let id = bb.request("tools/call", params);
        let question = bb.next();
        assert_eq!(question["method"], "elicitation/create", "{}", bb.story());
        bb.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": agreed()}));
        (
            question["params"].to_string(),
            bb.answer(id)["result"].clone(),
        )
    }
}

fn rocket(more: Value) -> Value {
    let mut arguments = json!({"project": "ACME", "repo": "rocket"});
    for (name, value) in more.as_object().into_iter().flatten() {
        arguments[name] = value.clone();
    }
    arguments
}

#[test]
fn the_release_board_finds_shows_and_tags_in_both_eras() {
    for era in &ERAS {
        let stand_in = StandIn::start(Options::default());
        let mut bb = served(&stand_in, "release-board", &format!("board-{}", era.name));
        era.begin(&mut bb);
        let range = json!({"release": "v1.5.0", "since": "v1.4.0"});

        let (found, _) = era.value(&mut bb, "find_merged_between", rocket(range.clone()));
        assert_eq!(
            found["commits"][0]["message"],
            "Pull request #41: Read the newest sample […]"
        );
        assert_eq!(found["shown"], 2);

        let mut shown = rocket(range);
        shown["ids"] = json!([41]);
        let (board, for_view) = era.value(&mut bb, "render_release_board", shown);
        // The text alone says what the board shows: which ones, what they are called and who wrote them.
        assert_eq!(board["ids"], json!([41]));
        let merged = board["merged"].as_array().expect("a list");
        let one = merged
            .iter()
            .find(|one| one["id"] == 41)
            .expect("it is there");
        assert_eq!(one["title"], "Read the newest sample");
        assert_eq!(one["author"], "mira.solano (Mira Solano)");
        assert!(
            board["presentation"]
                .as_str()
                .is_some_and(|words| words.contains("v1.5.0 since v1.4.0"))
        );
        assert_eq!(for_view, json!({"shown": 2}));

        let (tags, _) = era.value(&mut bb, "release_tags", rocket(json!({})));
        assert_eq!(tags["tags"].as_array().map(Vec::len), Some(3), "{tags}");
        let (one, _) = era.value(
            &mut bb,
            "pull_request_of_release",
            rocket(json!({"id": 41})),
        );
        assert!(
            one["url"]
                .as_str()
                .is_some_and(|url| url.ends_with("/pull-requests/41")),
            "{one}"
        );

        // It asks, and names what will be tagged; only then it is done.
        let arguments = rocket(json!({"name": "v1.6.0", "start_point": "main"}));
        assert_eq!(created(&stand_in), 0);
        let (question, result) = era.agreed(&mut bb, "tag_release", &arguments);
        assert!(
            question.contains("v1.6.0") && question.contains("ACME/rocket"),
            "{question}"
        );
        assert_ne!(result["isError"], true, "{result}");
        assert_eq!(
            result["structuredContent"]["id"], "refs/tags/v1.6.0",
            "{result}"
        );
        assert_eq!(created(&stand_in), 1);
        let (tags, _) = era.value(&mut bb, "release_tags", rocket(json!({})));
        assert!(tags.to_string().contains("v1.6.0"), "{tags}");
    }
}

#[test]
fn a_tag_that_the_person_declines_is_not_created_by_the_board() {
    let stand_in = StandIn::start(Options::default());
    let mut bb = served(&stand_in, "release-board", "board-declined");
    ERAS[1].begin(&mut bb);
    let params = ERAS[1].params(
        "tag_release",
        &rocket(json!({"name": "v1.6.0", "start_point": "main"})),
    );
    let (state, _) = asked(&bb.ask("tools/call", params.clone()));
    // A state is bound to its arguments.
    for (name, answer, said) in [
        ("v6.6.6", agreed(), "other arguments than these"),
        ("v1.6.0", json!({"action": "decline"}), "declined"),
    ] {
        let mut again = params.clone();
        again["arguments"]["name"] = json!(name);
        again["requestState"] = json!(state);
        again["inputResponses"] = json!({"confirm": answer});
        let answer = bb.ask("tools/call", again);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(text(&answer["result"]).contains(said), "{answer}");
    }
    assert_eq!(created(&stand_in), 0);
}

#[test]
fn the_build_wall_finds_and_shows_in_both_eras() {
    for era in &ERAS {
        let stand_in = StandIn::start(Options::default());
        let mut bb = served(&stand_in, "build-wall", &format!("wall-{}", era.name));
        era.begin(&mut bb);
        let (found, _) = era.value(&mut bb, "find_repositories", json!({"project": "ACME"}));
        let names: Vec<&str> = found["repositories"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|one| one["repository"].as_str())
            .collect();
        assert!(names.contains(&"ACME/rocket"), "{names:?}");

        let (open, _) = era.value(&mut bb, "find_open_pull_requests", rocket(json!({})));
        let open = open["pull_requests"].as_array().expect("a list").clone();
        let mut tiles = Vec::new();
        for one in open
            .iter()
            .filter(|one| [42, 54].contains(&one["id"].as_u64().unwrap_or(0)))
        {
            let asked = rocket(json!({"id": one["id"]}));
            let (builds, _) = era.value(&mut bb, "builds_of_pull_request", asked);
            tiles.push(json!({"repo": "rocket", "id": one["id"], "title": one["title"], "author": one["author"],
                "builds": builds["counts"]}));
        }
        assert_eq!(tiles.len(), 2);

        let shown = json!({"project": "ACME", "pull_requests": tiles});
        let (wall, for_view) = era.value(&mut bb, "render_build_wall", shown);
        // The text alone says what the wall shows; where to read again is for the view.
        assert_eq!(wall["pull_requests"], json!(tiles));
        assert_eq!(wall.get("repositories"), None);
        assert_eq!(for_view["repositories"], found["repositories"]);
        let busy = tiles
            .iter()
            .find(|tile| tile["id"] == 42)
            .expect("it is there");
        assert_eq!(busy["builds"]["failed"], 2, "{busy}");
    }
}

/// Whatever a view of the wall asks for, it gets what the review named and nothing else.
#[test]
fn the_wall_offers_what_its_review_names() {
    let folder = folder("wall-review");
    let facts = run(&folder, &["review", &path("build-wall"), "--json"]);
    let facts: Value = serde_json::from_slice(&facts.stdout).expect("JSON");
    let named: Vec<&Value> = facts["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    let stand_in = StandIn::start(Options::default());
    let mut bb = served(&stand_in, "build-wall", "wall-offers");
    let listed = bb.ask("tools/list", json!({}));
    let listed: Vec<&Value> = listed["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(named, listed);
    let before = stand_in.log().len();
    for name in [
        "list_pull_requests",
        "get_build_status",
        "merge_pull_request",
        "show",
        "refresh_view",
        "tag_release",
    ] {
        let answer = bb.ask(
            "tools/call",
            json!({"name": name, "arguments": rocket(json!({"id": 42}))}),
        );
        let why = answer["error"]["message"].as_str();
        assert!(
            why.is_some_and(|why| why.contains("there is no tool")),
            "{answer}"
        );
    }
    assert_eq!(stand_in.log().len(), before);
}

#[test]
fn sixteen_manifests_may_be_approved_and_no_more() {
    let folder = folder("sixteen");
    let approve = |n: usize, code: i32| {
        let manifest =
            json!({"manifest": 1, "app": {"id": format!("app{n}"), "name": "A", "version": "1"}});
        let bytes = manifest.to_string();
        let path = folder.join("one.json");
        std::fs::write(&path, &bytes).expect("written");
        let digest = Digest::of(bytes.as_bytes()).to_string();
        check(
            &folder,
            &["approve", &path.display().to_string(), "--sha256", &digest],
            code,
        )
    };
    for n in 0..16 {
        approve(n, 0);
    }
    let said = approve(16, 5);
    assert!(said.contains("16") && said.contains("remove"), "{said}");
    check(&folder, &["remove", "app3"], 0);
    approve(16, 0);
}

#[test]
fn a_file_is_read_up_to_four_mebibytes() {
    const MOST: usize = 4 * 1024 * 1024;
    let folder = folder("four-mebibytes");
    let path = folder.join("large.json");
    let small = r#"{"manifest":1,"app":{"id":"t","name":"T","version":"1"}}"#;
    for (bytes, code) in [(MOST - 1, 0), (MOST, 0), (MOST + 1, 2)] {
        std::fs::write(&path, format!("{small}{}", " ".repeat(bytes - small.len())))
            .expect("written");
        let said = check(&folder, &["check", &path.display().to_string()], code);
        assert_eq!(said.contains("over 4 MiB"), code == 2, "{said}");
    }
    no_file(&folder, "nowhere.json", "No such file");
    std::fs::create_dir(folder.join("folder.json")).expect("a folder");
    no_file(&folder, "folder.json", "no regular file");
    #[cfg(unix)]
    {
        std::fs::write(folder.join("../outside.json"), small).expect("written");
        std::os::unix::fs::symlink("../outside.json", folder.join("link.json")).expect("a link");
        no_file(&folder, "link.json", "leaves its folder");
        std::fs::write(folder.join("inside.json"), small).expect("written");
        std::os::unix::fs::symlink("inside.json", folder.join("near.json")).expect("a link");
        check(
            &folder,
            &["check", &folder.join("near.json").display().to_string()],
            0,
        );
    }
}

#[track_caller]
fn no_file(folder: &Path, name: &str, why: &str) {
    let said = check(
        folder,
        &["check", &folder.join(name).display().to_string()],
        2,
    );
    assert!(said.contains(why), "{said}");
}
