//! `bb ai mcp check` where a manifest is served: what it says is what `serve` does.

use crate::manifests::{PAGE, approved, manifest, names, serve};
use crate::support::command;
use serde_json::json;
use standin::{Options, StandIn};

#[test]
fn check_says_of_a_manifest_what_serve_would_do() {
    let stand_in = StandIn::start(Options::default());
    let folder = approved("checked", &manifest("1.0.0", PAGE));
    let state = folder.join("state").display().to_string();
    let config = |id: &str| {
        let file = folder.join("config.json");
        let hosts =
            json!({stand_in.url(): {"manifest": id, "state-dir": state, "no-proxy": ["*"]}});
        std::fs::write(&file, json!({"hosts": hosts}).to_string()).expect("a file can be written");
        file.display().to_string()
    };
    let ran = |arguments: &[&str]| {
        let all: Vec<&str> = ["ai", "mcp", "check"]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        let output = command(&all, &[("BITBUCKET_TOKEN", &stand_in.token())])
            .output()
            .expect("bb runs");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (code, said) = ran(&["--config", &config("team_board")]);
    assert_eq!(code, Some(0), "{said}");
    let line = |name: &str| {
        let found = said
            .lines()
            .find(|line| line.starts_with(&format!("ok       {name} ")));
        found
            .unwrap_or_else(|| panic!("no {name}: {said}"))
            .to_owned()
    };
    assert!(
        line("manifest").ends_with("team_board 1.0.0 is approved"),
        "{said}"
    );
    assert!(!line("tools").contains("get_pull_request"), "{said}");
    assert!(line("kinds").ends_with("none"), "{said}");
    let served = names(&mut serve(&stand_in, &folder, &[]));
    assert!(
        line("tools").ends_with(&served.join(", ")),
        "{served:?}: {said}"
    );
    // The flag means the same.
    let host = stand_in.url();
    let typed = [
        "--host",
        host,
        "--state-dir",
        state.as_str(),
        "--manifest",
        "team_board",
    ];
    assert_eq!(ran(&typed).0, Some(0));
    let (code, said) = ran(&["--config", &config("nobody")]);
    assert_eq!(code, Some(4), "{said}");
    assert!(
        said.contains("not ok   manifest") && said.contains("no manifest `nobody` is approved"),
        "{said}"
    );
    assert!(!said.contains("ok       tools"), "{said}");
}
