//! The manifests of `fixtures/manifests`, each as a server of its own: approved by the real command in a folder that
//! goes again, then asked as the model would.
//!
//! Never shows one before it is approved. Start at [`start`]; a new example is a line of [`EXAMPLES`].

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use bb::digest::Digest;
use serde_json::{Value, json};
use standin::StandIn;

use crate::SERVE;
use crate::calls::{greet, page_of};
use crate::child::{Answered, Child};
use crate::samples::Sample;

/// The file, the tool that shows its view, and what is shown.
const EXAMPLES: &[(&str, &str, Finds)] = &[
    (
        include_str!("../../fixtures/manifests/release-board.json"),
        "render_release_board",
        releases,
    ),
    (
        include_str!("../../fixtures/manifests/build-wall.json"),
        "render_build_wall",
        walls,
    ),
];

/// What to show, found through the manifest's own tools.
type Finds = fn(&Child) -> Result<Vec<Sample>, String>;

/// A manifest that is served.
pub struct Team {
    /// Its app's id.
    pub id: String,
    /// The way to its server.
    pub child: Child,
    /// The tool that shows its view.
    pub tool: &'static str,
    /// The view's address.
    pub uri: String,
    /// What to call it with.
    pub samples: Vec<Sample>,
}

/// Approves and serves each example.
///
/// # Errors
/// A phrase: one is not approved, does not start, or finds nothing to show.
pub fn start(standin: &StandIn) -> Result<Vec<Team>, String> {
    let folder = Folder::new()?;
    let teams = EXAMPLES
        .iter()
        .map(|(text, tool, finds)| team(standin, &folder, text, tool, *finds));
    // Each server has read its manifest by the time it answers, so the folder may go.
    teams.collect()
}

fn team(
    standin: &StandIn,
    folder: &Folder,
    text: &str,
    tool: &'static str,
    finds: Finds,
) -> Result<Team, String> {
    let manifest: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let id = manifest["app"]["id"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    approve(folder.path(), &id, text)?;
    let flags: [OsString; 4] = [
        "--manifest".into(),
        id.clone().into(),
        "--state-dir".into(),
        folder.path().into(),
    ];
    let child = Child::start(standin, &flags, |_| ())
        .map_err(|error| format!("cannot start bb with the manifest {id}: {error}"))?;
    greet(&child)?;
    let listed = child.ask("tools/list", &json!({}))?.answer;
    let tools = listed["result"]["tools"].as_array();
    let shows = tools.and_then(|tools| tools.iter().find(|one| one["name"] == tool));
    let uri = shows.and_then(|one| one["_meta"]["ui"]["resourceUri"].as_str());
    let uri = uri.ok_or_else(|| format!("the manifest {id} offers no {tool} with a view"))?;
    Ok(Team {
        uri: uri.to_owned(),
        samples: finds(&child)?,
        id,
        child,
        tool,
    })
}

/// `bb ai mcp manifest approve`, with the digest of what stands in this very program.
fn approve(folder: &Path, id: &str, text: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("cannot approve the manifest {id}: {error}");
    let file = folder.join(format!("{id}.json"));
    fs::write(&file, text).map_err(told)?;
    let output = Command::new(std::env::current_exe().map_err(told)?)
        .args([SERVE, "ai", "mcp", "manifest", "approve"])
        .arg(&file)
        .args(["--sha256", &Digest::of(text.as_bytes()).to_string()])
        .arg("--state-dir")
        .arg(folder)
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .map_err(told)?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

impl Team {
    /// Reads its page.
    ///
    /// # Errors
    /// When bb has ended, or gives none.
    pub fn page(&self) -> Result<String, String> {
        let answer = self
            .child
            .ask("resources/read", &json!({"uri": self.uri}))?
            .answer;
        let page = page_of(&answer).ok_or_else(|| format!("no page came: {answer}"))?;
        Ok(page.to_owned())
    }

    /// Calls the tool that shows its view.
    ///
    /// # Errors
    /// When bb has ended, the page is not to be had, or the tool fails.
    pub fn show(&self, sample: &Sample) -> Result<Answered, String> {
        self.page()?;
        called(&self.child, self.tool, &sample.arguments)
    }
}

fn called(child: &Child, tool: &str, arguments: &Value) -> Result<Answered, String> {
    let params = json!({"name": tool, "arguments": arguments});
    let answered = child.ask("tools/call", &params)?;
    let result = &answered.answer["result"];
    if result["isError"] == true || !result["structuredContent"].is_object() {
        return Err(format!("{tool}: {}", answered.answer));
    }
    Ok(answered)
}

fn found(child: &Child, tool: &str, arguments: &Value) -> Result<Value, String> {
    let mut answered = called(child, tool, arguments)?;
    Ok(answered.answer["result"]["structuredContent"].take())
}

/// Releases of ACME/rocket, with the numbers that the commits between their tags name.
fn releases(child: &Child) -> Result<Vec<Sample>, String> {
    let mut samples = Vec::new();
    for (release, since, title) in [
        ("v1.5.0", "v1.4.0", "What v1.5.0 brought"),
        ("refs/heads/main", "v1.5.0", "Nothing merged yet"),
    ] {
        let mut arguments =
            json!({"project": "ACME", "repo": "rocket", "release": release, "since": since});
        let found = found(child, "find_merged_between", &arguments)?;
        let commits = found["commits"].as_array().into_iter().flatten();
        let ids: Vec<u64> = commits
            .filter_map(|commit| merged_by(&commit["message"]))
            .collect();
        arguments["ids"] = json!(ids);
        samples.push(Sample {
            title: title.to_owned(),
            arguments,
        });
    }
    Ok(samples)
}

/// The number in `Pull request #41: …`.
fn merged_by(message: &Value) -> Option<u64> {
    let rest = message.as_str()?.strip_prefix("Pull request #")?;
    rest.split(':').next()?.parse().ok()
}

/// The open pull requests of ACME/rocket with their builds.
fn walls(child: &Child) -> Result<Vec<Sample>, String> {
    const TILES: usize = 9;
    let place = json!({"project": "ACME", "repo": "rocket"});
    let open = found(child, "find_open_pull_requests", &place)?;
    let mut tiles = Vec::new();
    for one in open["pull_requests"]
        .as_array()
        .into_iter()
        .flatten()
        .take(TILES)
    {
        let mut asked = place.clone();
        asked["id"] = one["id"].clone();
        let builds = found(child, "builds_of_pull_request", &asked)?;
        tiles.push(json!({"repo": "rocket", "id": one["id"], "title": one["title"], "author": one["author"],
            "builds": builds["counts"]}));
    }
    Ok(vec![Sample {
        title: "What is open in ACME".to_owned(),
        arguments: json!({"project": "ACME", "pull_requests": tiles}),
    }])
}

/// A folder for approvals, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("bb-preview-{}-{next}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path)
            .map_err(|error| format!("cannot make the folder {}: {error}", path.display()))?;
        Ok(Self(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays is a copy of what stands in the sources.
        let _ = fs::remove_dir_all(&self.0);
    }
}
