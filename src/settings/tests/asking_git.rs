use super::{Folder, HOST, mode, who};
use crate::settings::git::Git;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Real git, whose only credential helper is `script`.
fn git(folder: &Folder, script: &str, deadline: Duration) -> Git {
    let helper = folder.write("helper", format!("#!/bin/sh\n{script}\n"));
    mode(&helper, 0o700);
    let config = format!("[credential]\n\thelper = \"!{}\"\n", helper.display());
    let config = folder.write("gitconfig", config);
    let set = |name: &str, value: &std::path::Path| (name.into(), value.into());
    Git {
        env: vec![
            set("HOME", &folder.0),
            set("GIT_CONFIG_GLOBAL", &config),
            set("GIT_CONFIG_NOSYSTEM", std::path::Path::new("1")),
        ],
        deadline,
        ..Git::default()
    }
}

fn refusal(folder: &Folder, git: &Git) -> Vec<String> {
    let read = folder.read_with(&[HOST, "--git-credentials"], git);
    let problems = read.expect_err("git gives nobody");
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn git_is_asked_about_the_host_and_may_not_prompt() {
    let folder = Folder::new();
    let seen = folder.0.join("seen");
    let script = format!(
        "{{ cat; env; }} > {}; echo username=wren; echo password=s3cret",
        seen.display()
    );
    let git = git(&folder, &script, Duration::from_secs(60));
    let words = [
        "--host=https://code.example.com:8443/x",
        "BB_GIT_CREDENTIALS=1",
    ];
    let settings = folder.read_with(&words, &git).expect("git knows somebody");
    assert_eq!(who(&settings), "wren:s3cret");
    let seen = std::fs::read_to_string(seen).expect("the helper ran");
    for line in [
        "protocol=https",
        "host=code.example.com:8443",
        "GIT_TERMINAL_PROMPT=0",
        "GIT_ASKPASS=",
        "GCM_INTERACTIVE=never",
    ] {
        assert!(
            seen.lines().any(|each| each == line),
            "{line} is not in {seen}"
        );
    }
    assert!(seen.contains("'credential.interactive'='false'"), "{seen}");
}

#[test]
fn git_that_knows_nobody_is_told() {
    let folder = Folder::new();
    let git = git(&folder, "true", Duration::from_secs(60));
    assert_eq!(
        refusal(&folder, &git),
        [
            "cannot get credentials for `https://code.example.com` from git: its helpers know no user and password \
          for it; store one with `git credential approve`, or use --token-file"
        ]
    );
    let absent = Git {
        program: folder.0.join("no-git").into(),
        ..Git::default()
    };
    assert_eq!(
        refusal(&folder, &absent),
        [
            "cannot get credentials for `https://code.example.com` from git: there is no `git` on the PATH"
        ]
    );
}

#[test]
fn a_helper_that_waits_is_ended_with_git() {
    let folder = Folder::new();
    let pid = folder.0.join("pid");
    let script = format!("echo $$ > {}; exec sleep 600", pid.display());
    let git = git(&folder, &script, Duration::from_millis(1500));
    assert_eq!(
        refusal(&folder, &git),
        [
            "cannot get credentials for `https://code.example.com` from git: its helpers took over 5 s; is one of \
          them waiting for a window?"
        ]
    );
    let pid = std::fs::read_to_string(pid).expect("the helper ran");
    let stat = PathBuf::from(format!("/proc/{}/stat", pid.trim()));
    let deadline = Instant::now() + Duration::from_secs(20);
    // What nobody has collected yet is a zombie, which is dead enough.
    while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z")) {
        assert!(Instant::now() < deadline, "the helper lives on");
        std::thread::yield_now();
    }
}

#[test]
fn git_is_not_asked_for_settings_that_are_refused_anyway() {
    let folder = Folder::new();
    let ran = folder.0.join("ran");
    let git = git(
        &folder,
        &format!("touch {}", ran.display()),
        Duration::from_secs(60),
    );
    let words = [HOST, "--git-credentials", "BB_VIEWS=x"];
    assert_eq!(
        folder
            .read_with(&words, &git)
            .expect_err("views are refused")
            .len(),
        1
    );
    assert!(!ran.exists());
}
