//! House rules that can be checked: who may know whom, who may name which crate, how long a file may be.
//!
//! Reads the sources as text and the repository as git has it. A new arrow or crate is a visible line here.

use crate::support::root;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Which part of `src` may use which. `main`, `lib` and `run` join all; a part may always use itself.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("beside", &[]),
    ("bitbucket", &["cancel", "clean", "domain", "secret"]),
    ("cancel", &[]),
    // The door to every call: it reads the arguments against the base address and records what a call sends.
    (
        "catalog",
        &[
            "bitbucket",
            "clean",
            // What is kept of a call: when, and of what somebody wrote.
            "digest",
            "domain",
            "log",
            "mcp",
            "near",
            "page",
            "random",
            // Whether views are offered at all.
            "settings",
            "show",
            "tool",
            "tools",
        ],
    ),
    (
        "check",
        &["bitbucket", "cancel", "clean", "exit", "settings"],
    ),
    ("clean", &[]),
    // `clients` writes the host in the one spelling of addresses.
    (
        "cli",
        &["bitbucket", "exit", "licenses", "near", "settings"],
    ),
    ("digest", &[]),
    ("domain", &[]),
    ("exit", &[]),
    ("highlight", &["digest"]),
    ("lib", &["run"]),
    // The grammars' own notices.
    ("licenses", &["highlight"]),
    // What is told of a call: its tool's result and the requests that it sent.
    ("log", &["bitbucket", "clean", "mcp", "settings"]),
    ("main", &[]),
    // A team's views and tools: judged and served over bb's own, through the same door.
    (
        "manifests",
        &[
            "cancel", "catalog", "clean", "digest", "domain", "exit", "mcp", "near",
            // The media type of a view alone.
            "page", "show", "tool",
        ],
    ),
    ("markdown", &[]),
    ("mcp", &["cancel"]),
    ("near", &[]),
    ("page", &[]),
    ("random", &[]),
    ("run", &["clean", "cli", "exit", "serve", "settings"]),
    ("secret", &[]),
    (
        "serve",
        &[
            "bitbucket",
            "catalog",
            "check",
            // What was asked of manifests.
            "cli",
            "exit",
            "highlight",
            "log",
            "manifests",
            "mcp",
            // The key that signs questions to the person.
            "random",
            "settings",
            "show",
            "tool",
        ],
    ),
    ("settings", &["bitbucket", "near", "secret"]),
    (
        "show",
        &[
            "beside",
            "bitbucket",
            "cancel",
            "clean",
            "digest",
            "domain",
            "highlight",
            "markdown",
            "tool",
            // What happened to a pull request is worded in one table, for the model and for the page.
            "words",
        ],
    ),
    ("tool", &["bitbucket", "cancel", "clean", "domain", "mcp"]),
    // `near` names the changed file that a mistyped path probably meant.
    (
        "tools",
        &[
            "beside",
            "bitbucket",
            "clean",
            "domain",
            "near",
            "tool",
            "words",
        ],
    ),
    ("words", &["domain"]),
];

/// The only places that may name a crate.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("argh", &["src/cli.rs", "src/cli/"]),
    ("pulldown_cmark", &["src/markdown.rs", "src/markdown/"]),
    (
        "rustls",
        &[
            "src/bitbucket/tls.rs",
            "src/bitbucket/tls/",
            "src/bitbucket/http/",
            // The key that signs questions: the random bytes of ring, which rustls brings, rather than a package more.
            "src/random.rs",
        ],
    ),
    (
        "rustls_native_certs",
        &["src/bitbucket/tls.rs", "src/bitbucket/tls/"],
    ),
    ("sha2", &["src/digest.rs"]),
    ("syntect", &["src/highlight/", "src/highlight.rs"]),
    ("two_face", &["src/highlight/", "src/highlight.rs"]),
    ("ureq", &["src/bitbucket/http.rs", "src/bitbucket/http/"]),
];

/// Every package of the lock file that the binary may hold, or that builds it, with the reason where it surprises.
const PACKAGES: &[(&str, &str)] = &[
    ("adler2", "miniz_oxide"),
    ("aho-corasick", "regex-automata"),
    ("argh", ""),
    ("argh_derive", ""),
    ("argh_shared", ""),
    ("base64", "ureq: a proxy's credentials"),
    ("bb", ""),
    ("bincode", "syntect: how grammars are packed"),
    ("bit-set", "fancy-regex"),
    ("bit-vec", "bit-set"),
    ("bitflags", "pulldown-cmark"),
    ("block-buffer", "sha2"),
    ("bytes", "http"),
    ("cc", "builds ring's C and assembler"),
    ("cfg-if", "ring, sha2"),
    (
        "cpufeatures",
        "sha2: whether the processor has SHA instructions",
    ),
    ("crc32fast", "flate2"),
    ("crypto-common", "sha2"),
    ("digest", "sha2"),
    ("fancy-regex", "syntect: patterns that look around"),
    ("find-msvc-tools", "cc"),
    ("flate2", "syntect: grammars are packed twice"),
    ("fnv", "syntect"),
    ("generic-array", "sha2: arrays by a length of the type"),
    ("getrandom", "ring: the system's random numbers"),
    ("http", "ureq: names of headers and methods"),
    ("httparse", "ureq"),
    ("itoa", "serde_json"),
    ("libc", "ring, the trust store"),
    ("log", "ureq, rustls: they name it; nothing listens"),
    ("memchr", "pulldown-cmark, serde_json"),
    ("miniz_oxide", "flate2"),
    ("once_cell", "rustls"),
    (
        "openssl-probe",
        "the trust store: where distributions keep it",
    ),
    ("percent-encoding", "ureq"),
    ("proc-macro2", "derives, at build time"),
    ("pulldown-cmark", ""),
    ("quote", "derives, at build time"),
    ("regex-automata", "fancy-regex: patterns that do not"),
    ("regex-syntax", "fancy-regex, syntect"),
    ("ring", "rustls: the cryptography"),
    ("rustls", ""),
    ("rustls-native-certs", ""),
    ("rustls-pki-types", "rustls"),
    ("rustls-webpki", "rustls: certificates"),
    (
        "same-file",
        "walkdir: syntect can read grammars from a folder, which bb never does",
    ),
    ("serde", ""),
    ("serde_core", "serde"),
    ("serde_derive", ""),
    ("serde_json", ""),
    ("sha2", ""),
    ("shlex", "cc"),
    ("simd-adler32", "miniz_oxide"),
    ("subtle", "rustls: comparing in constant time"),
    (
        "syn",
        "derives, at build time; two versions, for no two macros agree on one",
    ),
    ("syntect", ""),
    ("thiserror", "syntect"),
    ("thiserror-impl", "thiserror, at build time"),
    ("two-face", ""),
    ("typenum", "sha2: numbers as types"),
    ("unicase", "pulldown-cmark"),
    ("unicode-ident", "derives, at build time"),
    ("untrusted", "ring"),
    ("ureq", ""),
    ("ureq-proto", "ureq"),
    ("utf8-zero", "ureq"),
    ("version_check", "generic-array, at build time"),
    ("walkdir", "syntect"),
    ("zeroize", "rustls: keys wiped from memory"),
    ("zmij", "serde_json: printing numbers"),
    // Of the stand-in and the tests alone.
    ("similar", "the stand-in: diffs"),
    ("standin", ""),
    // A choice of flate2's that nothing of ours asks for; in no binary.
    ("zlib-rs", ""),
    // For systems that bb is not released on; in no binary of ours.
    ("core-foundation", "the trust store of macOS"),
    ("core-foundation-sys", "the trust store of macOS"),
    ("schannel", "the trust store of Windows"),
    ("security-framework", "the trust store of macOS"),
    ("security-framework-sys", "the trust store of macOS"),
    ("wasi", "ring, where there is no system"),
    ("winapi-util", "same-file, on Windows"),
    ("windows-link", "Windows"),
    ("windows-sys", "Windows"),
    ("windows-targets", "Windows"),
    ("windows_aarch64_gnullvm", "Windows"),
    ("windows_aarch64_msvc", "Windows"),
    ("windows_i686_gnu", "Windows"),
    ("windows_i686_gnullvm", "Windows"),
    ("windows_i686_msvc", "Windows"),
    ("windows_x86_64_gnu", "Windows"),
    ("windows_x86_64_gnullvm", "Windows"),
    ("windows_x86_64_msvc", "Windows"),
];

/// What may stand at the top of the repository (D2).
const AT_THE_TOP: &[&str] = &[
    ".ci",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "deny.toml",
    "fixtures",
    "src",
    "tests",
    "view",
];

const MAX_LINES: usize = 600;

/// The files that git keeps or would keep, below a folder.
fn files(below: &str) -> Vec<String> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "--",
            below,
        ])
        .current_dir(root())
        .output()
        .expect("git runs");
    assert!(
        listed.status.success(),
        "{}",
        String::from_utf8_lossy(&listed.stderr)
    );
    String::from_utf8_lossy(&listed.stdout)
        .lines()
        .map(str::to_owned)
        .filter(|path| root().join(path).exists())
        .collect()
}

fn read(path: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(root().join(path)).expect("a file")).into_owned()
}

fn sources() -> Vec<(String, String)> {
    let paths = files("src")
        .into_iter()
        .filter(|path| path.ends_with(".rs"));
    paths.map(|path| (path.clone(), read(&path))).collect()
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// The part that a file belongs to: `src/mcp/lines.rs` is of `mcp`.
fn part(path: &str) -> &str {
    let below = path.strip_prefix("src/").unwrap_or(path);
    below.split(['/', '.']).next().unwrap_or(below)
}

/// The parts that a source names through `crate::`, its comments left out.
fn named(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        for (at, _) in line.match_indices("crate::") {
            let rest = &line[at + "crate::".len()..];
            let name: String = rest
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                .collect();
            if !name.is_empty() {
                names.insert(name);
            }
            // `crate::{a, b::c}`
            if let Some(list) = rest.strip_prefix('{') {
                for item in list.split(',') {
                    names.insert(
                        item.trim()
                            .chars()
                            .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                            .collect(),
                    );
                }
            }
        }
    }
    names
}

#[test]
fn a_part_knows_only_whom_it_may() {
    let table: BTreeMap<&str, BTreeSet<&str>> = MAY_KNOW
        .iter()
        .map(|(part, known)| (*part, known.iter().copied().collect()))
        .collect();
    let mut wrong = Vec::new();
    for (path, source) in sources().iter().filter(|(path, _)| !is_test(path)) {
        let from = part(path);
        let Some(known) = table.get(from) else {
            wrong.push(format!("{path}: `{from}` is not in the table"));
            continue;
        };
        let source = source
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        for name in named(source) {
            if name != from && !known.contains(name.as_str()) && table.contains_key(name.as_str()) {
                wrong.push(format!("{path}: `{from}` may not know `{name}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_crate_is_named_only_where_it_may_be() {
    let mut wrong = Vec::new();
    for (path, source) in sources().iter().filter(|(path, _)| !is_test(path)) {
        for line in source
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            for (name, places) in MAY_NAME {
                let is_named =
                    line.contains(&format!("{name}::")) && !line.contains(&format!("_{name}::"));
                if is_named && !places.iter().any(|place| path.starts_with(place)) {
                    wrong.push(format!("{path} names {name}: {}", line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_secret_is_opened_in_one_folder() {
    let opened: Vec<String> = sources()
        .into_iter()
        .filter(|(path, source)| !is_test(path) && source.contains(".open()"))
        .map(|(path, _)| path)
        .filter(|path| !path.starts_with("src/bitbucket/http"))
        .collect();
    assert!(opened.is_empty(), "{opened:?}");
}

#[test]
fn domain_and_protocol_values_are_not_read_or_written_as_json_by_themselves() {
    for (path, source) in sources() {
        if path.starts_with("src/domain") {
            assert!(!source.contains("serde"), "{path} names serde");
        }
    }
}

#[test]
fn files_stay_small_and_say_what_they_are() {
    let mut wrong = Vec::new();
    for path in files("src")
        .into_iter()
        .chain(files("view"))
        .chain(files("fixtures/standin/src"))
        .chain(files("tests/it"))
    {
        let text = read(&path);
        // Licenses are as long as their authors made them.
        if text.lines().count() > MAX_LINES && !path.starts_with("src/licenses/") {
            wrong.push(format!(
                "{path} has {} lines, over {MAX_LINES}",
                text.lines().count()
            ));
        }
        if path.ends_with("/mod.rs") && !path.starts_with("tests/it/support/") {
            wrong.push(format!("{path}: a module x is x.rs beside x/"));
        }
        if path.starts_with("src/")
            && path.ends_with(".rs")
            && !is_test(&path)
            && !text.starts_with("//! ")
        {
            wrong.push(format!("{path} does not open with what it is"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_else_stands_at_the_top() {
    let top: BTreeSet<String> = files(".")
        .iter()
        .filter_map(|path| path.split('/').next().map(str::to_owned))
        .collect();
    let known: BTreeSet<String> = AT_THE_TOP.iter().map(|name| (*name).to_owned()).collect();
    let unknown: Vec<&String> = top.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn every_package_of_the_lock_file_is_known() {
    let known: BTreeSet<&str> = PACKAGES.iter().map(|(name, _)| *name).collect();
    let lock = read("Cargo.lock");
    let locked: Vec<&str> = lock
        .lines()
        .filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
        .collect();
    let unknown: Vec<&&str> = locked
        .iter()
        .filter(|name| !known.contains(**name))
        .collect();
    assert!(
        unknown.is_empty(),
        "packages without a line here: {unknown:?}"
    );
    let gone: Vec<&&str> = known
        .iter()
        .filter(|name| !locked.contains(*name))
        .collect();
    assert!(gone.is_empty(), "lines here without a package: {gone:?}");
}

#[test]
fn every_dependency_has_its_reason_beside_it() {
    for path in ["Cargo.toml", "fixtures/standin/Cargo.toml"] {
        let text = read(path);
        let dependencies = text
            .split("ependencies]\n")
            .nth(1)
            .and_then(|rest| rest.split("\n[").next());
        let mut is_explained = false;
        for line in dependencies.expect("a table").lines() {
            if line.starts_with('#') {
                is_explained = true;
            } else if line.contains('=') {
                // Two that belong together may share one reason.
                assert!(is_explained, "{path}: {line}");
            } else {
                is_explained = false;
            }
        }
    }
}

#[test]
fn no_file_names_this_machine_or_a_registry() {
    // Put together here, so that this file does not name them itself.
    let hosts = [
        "registry.npm",
        "crates.io/",
        "index.crates",
        "pypi.",
        "deb.debian",
    ]
    .map(|host| host.to_owned());
    let folders = ["work", "root", "home"].map(|folder| format!("/{folder}/"));
    let mut wrong = Vec::new();
    for path in files(".")
        .iter()
        .filter(|path| path.as_str() != "Cargo.lock" && !path.starts_with("tests/it/tidy"))
    {
        let text = read(path);
        for line in text.lines() {
            let names_folder = folders.iter().any(|folder| {
                line.match_indices(folder.as_str()).any(|(at, _)| {
                    at == 0 || line[..at].ends_with([' ', '"', '\'', '=', '(', '`', ':'])
                })
            });
            if names_folder || hosts.iter().any(|host| line.contains(host.as_str())) {
                wrong.push(format!(
                    "{path}: {}",
                    line.chars().take(160).collect::<String>()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_script_can_be_read_by_bash() {
    let scripts: Vec<String> = files(".")
        .into_iter()
        .filter(|path| read(path).starts_with("#!/usr/bin/env bash"))
        .collect();
    assert!(scripts.len() >= 4, "{scripts:?}");
    for path in scripts {
        let read = Command::new("bash")
            .args(["-n", &path])
            .current_dir(root())
            .output()
            .expect("bash runs");
        let said = String::from_utf8_lossy(&read.stderr);
        assert!(read.status.success(), "{path}: {said}");
    }
}

#[test]
fn nothing_of_ours_runs_while_bb_is_built_and_nothing_is_unsafe() {
    let manifest = read("Cargo.toml");
    assert!(manifest.contains("\nunsafe_code = \"forbid\"\n"));
    for path in files(".")
        .iter()
        .filter(|path| path.ends_with("Cargo.toml"))
    {
        // Cargo runs a file of this name without being told.
        let beside = root().join(path).with_file_name("build.rs");
        assert!(!beside.exists(), "{path}");
        assert!(!read(path).contains("\nbuild = "), "{path}");
    }
}
