//! The approvals that bb keeps, where more than one hand is at them, or something has gone wrong with them.

use crate::manifests::{check, folder, run};
use crate::support::command;
use bb::digest::Digest;
use serde_json::{Value, json};
use std::path::Path;

/// Writes a manifest without views and tools; gives its path and digest.
fn written(folder: &Path, id: &str, version: &str) -> (String, String) {
    let manifest = json!({"manifest": 1, "app": {"id": id, "name": "A", "version": version}});
    let path = folder.join(format!("{id}-{version}.json"));
    std::fs::write(&path, manifest.to_string()).expect("written");
    let digest = Digest::of(manifest.to_string().as_bytes()).to_string();
    (path.display().to_string(), digest)
}

fn approve(folder: &Path, id: &str, version: &str, code: i32) -> String {
    let (file, digest) = written(folder, id, version);
    check(folder, &["approve", &file, "--sha256", &digest], code)
}

fn states(folder: &Path) -> Vec<(String, String, String)> {
    let output = run(folder, &["list", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |one: &Value, name: &str| one[name].as_str().expect("a text").to_owned();
    let all = told.as_array().expect("a list").iter();
    all.map(|one| (text(one, "id"), text(one, "version"), text(one, "state")))
        .collect()
}

#[test]
fn approvals_at_once_are_all_kept() {
    let folder = folder("at-once");
    let state = folder.join("state").display().to_string();
    let mut running = Vec::new();
    for n in 0..8 {
        let (file, digest) = written(&folder, &format!("app{n}"), "1");
        let arguments = [
            "ai", "mcp", "manifest", "approve", &file, "--sha256", &digest,
        ];
        let mut command = command(&arguments, &[("BB_STATE_DIR", &state)]);
        command.stdout(std::process::Stdio::null());
        running.push(command.spawn().expect("bb runs"));
    }
    for mut one in running {
        assert!(one.wait().expect("it ends").success());
    }
    assert_eq!(states(&folder).len(), 8);
    let left: Vec<_> = std::fs::read_dir(folder.join("state/manifests"))
        .expect("a folder")
        .collect();
    assert_eq!(left.len(), 8 + 1, "nothing is left behind: {left:?}");
}

#[test]
fn a_change_that_a_crash_left_half_done_is_told_with_the_way_out() {
    let folder = folder("crashed");
    approve(&folder, "team", "1", 0);
    let lock = folder.join("state/manifests/approvals.lock");
    std::fs::write(&lock, "").expect("written");
    let said = check(&folder, &["disable", "team"], 1);
    assert!(
        said.contains("approvals.lock") && said.contains("remove"),
        "{said}"
    );
    // Reading needs no turn.
    assert_eq!(states(&folder)[0].2, "approved");
    std::fs::remove_file(&lock).expect("removed");
    check(&folder, &["disable", "team"], 0);
}

#[test]
fn what_is_switched_off_stays_off_when_an_update_is_approved() {
    let folder = folder("off");
    approve(&folder, "team", "1", 0);
    check(&folder, &["disable", "team"], 0);
    let said = approve(&folder, "team", "1", 0);
    assert!(
        said.contains("already") && said.contains("switched off"),
        "{said}"
    );
    let said = approve(&folder, "team", "2", 0);
    assert!(said.contains("manifest enable team"), "{said}");
    assert_eq!(
        states(&folder),
        [("team".to_owned(), "2".to_owned(), "disabled".to_owned())]
    );
}

#[test]
fn a_damaged_copy_is_kept_anew_by_approving_the_same_bytes() {
    let folder = folder("anew");
    approve(&folder, "team", "1", 0);
    let (file, digest) = written(&folder, "team", "1");
    let copy = folder.join(format!("state/manifests/{digest}.json"));
    for damage in ["", "{}"] {
        std::fs::write(&copy, damage).expect("written");
        assert_eq!(states(&folder)[0].2, "damaged");
        let said = check(&folder, &["review", &file], 0);
        assert!(said.contains("Standing damaged"), "{said}");
        approve(&folder, "team", "1", 0);
        assert_eq!(states(&folder)[0].2, "approved");
    }
    // An update of what cannot be read says that nothing can be compared.
    std::fs::remove_file(&copy).expect("removed");
    let (newer, _) = written(&folder, "team", "2");
    let said = check(&folder, &["review", &newer], 0);
    assert!(said.contains("What changes is not known"), "{said}");
}

#[test]
fn a_record_that_is_broken_or_open_to_others_is_not_believed() {
    let folder = folder("record");
    approve(&folder, "team", "1", 0);
    let record = folder.join("state/manifests/approvals.json");
    let whole = std::fs::read(&record).expect("bytes");
    std::fs::write(&record, "{").expect("written");
    for arguments in [&["list"][..], &["review", "team"], &["remove", "team"]] {
        let said = check(&folder, arguments, 1);
        assert!(said.contains("cannot read the approvals"), "{said}");
    }
    std::fs::write(&record, whole).expect("written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&record, std::fs::Permissions::from_mode(0o666)).expect("set");
        assert!(check(&folder, &["list"], 1).contains("others may write"));
    }
}

#[test]
fn what_is_not_there_is_told_as_what_it_was_meant_to_be() {
    let folder = folder("not-there");
    let said = check(&folder, &["review", "team_board"], 4);
    assert!(
        said.contains("no manifest `team_board` is approved"),
        "{said}"
    );
    let said = check(&folder, &["review", "board.json"], 4);
    assert!(
        said.contains("cannot read the manifest `board.json`"),
        "{said}"
    );
    // A command that changes nothing makes nothing.
    check(&folder, &["remove", "team_board"], 4);
    assert!(!folder.join("state").exists());
    let output = run(&folder, &["check", "nowhere.json", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told[0]["ok"], false);
    assert_eq!(told[0]["findings"][0]["code"], "not-readable");
}

#[test]
fn an_update_says_which_tools_came_went_and_do_more_now() {
    let folder = folder("news");
    let manifest = |version: &str, tools: Value| {
        let views = json!([{"name": "a", "html": "<p>"}, {"name": "b", "html": "<p>"}]);
        let manifest = json!({"manifest": 1, "app": {"id": "team", "name": "A", "version": version},
            "ui": views, "tools": tools});
        let path = folder.join("app.json");
        std::fs::write(&path, manifest.to_string()).expect("written");
        (
            path.display().to_string(),
            Digest::of(manifest.to_string().as_bytes()).to_string(),
        )
    };
    let tool = |name: &str, wraps: &str, args: Value, more: Value| {
        let mut tool = json!({"name": name, "description": "d", "inputSchema": {"type": "object"},
            "tool": {"name": wraps, "args": args}});
        for (name, value) in more.as_object().into_iter().flatten() {
            tool[name] = value.clone();
        }
        tool
    };
    let reads = json!({"repo": "ACME/rocket"});
    let writes = json!({"repo": "ACME/rocket", "name": "n", "start_point": "main"});
    let (file, digest) = manifest(
        "1",
        json!([
            tool("one", "list_tags", reads.clone(), json!({"enabled": false})),
            tool(
                "two",
                "list_tags",
                reads.clone(),
                json!({"ui": {"resource": "a", "visibility": ["app"]}})
            ),
            tool(
                "three",
                "list_tags",
                reads.clone(),
                json!({"ui": {"resource": "a"}})
            ),
            tool("four", "list_tags", reads.clone(), json!({})),
        ]),
    );
    check(&folder, &["approve", &file, "--sha256", &digest], 0);
    let (file, _) = manifest(
        "2",
        json!([
            tool("one", "list_tags", reads.clone(), json!({})),
            tool(
                "two",
                "create_branch",
                writes,
                json!({"ui": {"resource": "a"}})
            ),
            tool(
                "three",
                "list_tags",
                reads.clone(),
                json!({"ui": {"resource": "b"}})
            ),
            tool("five", "list_tags", reads, json!({})),
        ]),
    );
    let said = check(&folder, &["review", &file], 0);
    for line in [
        "New: tool one is switched on now.",
        "New: tool two now wraps create_branch instead of list_tags, and now writes, and is no longer for views only.",
        "New: tool three now shows the view b instead of a.",
        "Added: tool five.",
        "Removed: tool four.",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}
