use super::{Audit, Entry, OnFailure, Outcome, Trail, all_digested, is_torn, kept, look};
use crate::bitbucket::Bitbucket;
use crate::bitbucket::address::BaseUrl;
use crate::bitbucket::connection::Connection;
use crate::bitbucket::http::{Http, RequestLog};
use crate::catalog::TOOLS;
use crate::tool::args::Kind;
use crate::tools::create_tag::TOOL;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A disk with room for so many bytes.
#[derive(Clone)]
struct Disk(Arc<Mutex<(Vec<u8>, usize)>>);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut disk = self.0.lock().expect("whole");
        let fits = bytes.len().min(disk.1);
        if fits == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        disk.1 -= fits;
        disk.0.extend_from_slice(&bytes[..fits]);
        Ok(fits)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_line_that_is_cut_short_is_no_line_and_spoils_no_other() {
    let disk = Disk(Arc::new(Mutex::new((Vec::new(), 8))));
    let mut trail = Trail {
        place: None,
        file: Box::new(disk.clone()),
        is_torn: false,
        most_bytes: None,
    };
    assert_eq!(trail.append(b"one\n"), Ok(()));
    assert_eq!(
        trail.append(b"two and more\n"),
        Err("only 4 of 13 bytes could be written".to_owned())
    );
    assert_eq!(trail.append(b"three\n"), Err("no room is left".to_owned()));
    disk.0.lock().expect("whole").1 = 100;
    assert_eq!(trail.append(b"four\n"), Ok(()));
    assert_eq!(trail.append(b"five\n"), Ok(()));
    assert_eq!(disk.0.lock().expect("whole").0, b"one\ntwo \nfour\nfive\n");
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("bb-audit-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Opens a file; looking at it first says the same.
fn opened(path: &Path) -> Result<Audit, String> {
    let was_there = path.exists();
    let seen = look(path);
    assert_eq!(path.exists(), was_there, "looking made a file");
    let opened = Audit::open(path, OnFailure::Deny);
    assert_eq!(seen.err(), opened.as_ref().err().cloned());
    opened
}

#[cfg(unix)]
#[test]
fn the_file_is_made_for_its_owner_alone_and_no_other_is_taken() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("mode");
    let path = folder.join("audit.jsonl");
    assert!(opened(&path).is_ok());
    let mode = |path: &Path| path.metadata().expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    for wide in [0o640, 0o604, 0o666, 0o620] {
        std::fs::set_permissions(&path, PermissionsExt::from_mode(wide)).expect("set");
        let why = opened(&path).err().unwrap_or_default();
        assert!(
            why.contains("--audit-file, BB_AUDIT_FILE")
                && why.contains(&format!("{wide:o}): chmod 600")),
            "{why}"
        );
    }
    for (path, said) in [
        (folder.as_path(), "it is no regular file"),
        (Path::new("/dev/null"), "it is no regular file"),
        (&folder.join("none/audit.jsonl"), "No such file"),
    ] {
        let why = opened(path).err().unwrap_or_default();
        assert!(why.contains(said), "{why}");
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
#[cfg(unix)]
fn a_file_that_was_put_in_the_place_of_the_open_one_counts_with_what_is_in_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("put");
    let path = folder.join("audit.jsonl");
    let (mut trail, held) = Trail::open(&path).expect("a new file");
    assert_eq!((held, trail.follow()), (0, Ok(0)));
    std::fs::rename(&path, folder.join("audit.jsonl.1")).expect("moved");
    std::fs::write(&path, "{}\n{}\n").expect("written");
    let own = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(&path, own).expect("its owner's alone");
    assert_eq!(trail.follow(), Ok(6));
    assert_eq!(trail.append(b"{}\n"), Ok(()));
    assert_eq!(trail.follow(), Ok(9));
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn a_file_whose_last_line_has_no_end_is_seen() {
    let folder = folder("torn");
    for (text, torn) in [("", false), ("{}\n", false), ("{}\n{\"ti", true)] {
        let path = folder.join("file");
        std::fs::write(&path, text).expect("written");
        assert_eq!(
            is_torn(&std::fs::File::open(&path).expect("there")),
            torn,
            "{text}"
        );
    }
    std::fs::remove_dir_all(folder).expect("removed");
}

fn map(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("an object")
}

#[test]
fn what_somebody_wrote_is_kept_as_its_length_and_digest() {
    let given = json!({"project": "ACME", "repo": "rocket", "name": "v1", "message": "abc",
                       "start_point": "main", "odd": "åb", "list": [1]});
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let told = kept(&TOOL, &map(given));
    assert_eq!(told["message"], json!({"length": 3, "sha256": abc}));
    assert_eq!(told["odd"]["length"], 2);
    assert_eq!(told["list"]["length"], 3);
    for plain in ["project", "repo", "name", "start_point"] {
        assert!(told[plain].is_string(), "{told}");
    }
    let refused = json!({"repo": "https://me:secret@code.example.com/projects/A", "name": "a..b"});
    let told =
        kept(&TOOL, &map(refused.clone())).to_string() + &all_digested(&map(refused)).to_string();
    assert!(!told.contains("secret") && !told.contains("a..b"), "{told}");
}

#[test]
fn each_text_of_a_tool_that_writes_is_prose_unless_it_is_a_name() {
    const NAMES: &[&str] = &[
        "project",
        "repo",
        "source_project",
        "source_repo",
        "source_branch",
        "target_branch",
        "name",
        "key",
        "url",
        "parent",
        "ref",
        "strategy",
        "path",
    ];
    for tool in TOOLS.iter().filter(|tool| !tool.effect.is_reading()) {
        for arg in tool.args {
            let is_name = NAMES.contains(&arg.name);
            let must_be_prose = matches!(arg.kind, Kind::Text { .. }) && !is_name;
            assert!(
                arg.is_prose || !must_be_prose,
                "{}: `{}` would be recorded as it is: mark it with .prose()",
                tool.name,
                arg.name
            );
        }
    }
}

#[test]
fn a_call_that_breaks_off_by_a_fault_of_bbs_own_is_recorded_as_failed() {
    let disk = Disk(Arc::new(Mutex::new((Vec::new(), 10_000))));
    let audit = Audit::to(
        Trail {
            file: Box::new(disk.clone()),
            place: None,
            is_torn: false,
            most_bytes: None,
        },
        OnFailure::Deny,
    );
    let connection = Connection {
        base: BaseUrl::parse("https://code.example.com/bitbucket").expect("an address"),
        credentials: None,
        ca_file: None,
        client: None,
        proxy: None,
        request_timeout: Duration::from_secs(1),
    };
    let bitbucket = Bitbucket::new(Http::new(&connection).expect("a way"));
    let entry = || Entry::new(&audit, &bitbucket, RequestLog::new(), "create_tag");
    let written = || String::from_utf8_lossy(&disk.0.lock().expect("whole").0).into_owned();
    drop(entry());
    let line: Value = serde_json::from_str(&written()).expect("one line");
    assert_eq!(line["outcome"], "failed");
    assert_eq!(line["host"], "https://code.example.com/bitbucket");
    let before = written();
    entry().forget();
    assert_eq!(written(), before);
    assert_eq!(entry().close(Outcome::Done), Ok(()));
    assert_eq!(written().lines().count(), 2);
    // Where even that cannot be written, no later call runs.
    disk.0.lock().expect("whole").1 = 0;
    drop(entry());
    assert_eq!(audit.broken(), Some("no room is left"));
}
