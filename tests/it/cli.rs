//! The command line of the real binary, with only the variables that a test gives it.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of one test, which is its home and where bb is started; `{dir}` is its path.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join(".config/bb")).expect("a folder can be made");
        Self(path)
    }

    fn fill(&self, text: &str) -> String {
        text.replace(
            "{dir}",
            self.0.to_str().expect("the target folder is UTF-8"),
        )
    }

    /// Runs bb; words before `bb` are variables.
    fn run(&self, line: &str) -> Run {
        let line = self.fill(line);
        let (variables, arguments) = line.split_once("bb").expect("the line names bb");
        let mut command = Command::new(env!("CARGO_BIN_EXE_bb"));
        command
            .args(arguments.split_whitespace())
            .current_dir(&self.0)
            .env_clear()
            .env("HOME", &self.0);
        command.envs(
            variables
                .split_whitespace()
                .filter_map(|each| each.split_once('=')),
        );
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().expect("bb can be started");
        Run {
            exit: status.code(),
            stdout: String::from_utf8(stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(stderr).expect("stderr is UTF-8"),
            line,
        }
    }

    /// bb ends with `exit` and says exactly these lines on stderr, and nothing on stdout unless it is done.
    #[track_caller]
    fn check(&self, line: &str, exit: i32, stderr: &[&str]) -> Run {
        let run = self.run(line);
        let wanted: Vec<String> = stderr.iter().map(|line| self.fill(line)).collect();
        let found: Vec<&str> = run.stderr.lines().collect();
        assert_eq!(
            (run.exit, found),
            (Some(exit), wanted.iter().map(String::as_str).collect()),
            "{run}"
        );
        assert!(exit == 0 || run.stdout.is_empty(), "{run}");
        run
    }
}

struct Run {
    line: String,
    exit: Option<i32>,
    stdout: String,
    stderr: String,
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            line,
            exit,
            stdout,
            stderr,
        } = self;
        write!(
            f,
            "{line}\nexit: {exit:?}\nstdout: {stdout}\nstderr: {stderr}"
        )
    }
}

#[test]
fn help_and_the_version_go_to_stdout() {
    let home = Home::new("help");
    for line in [
        "bb",
        "bb --help",
        "bb ai",
        "bb ai mcp",
        "bb ai mcp serve --help",
        "bb completion -h",
    ] {
        let run = home.check(line, 0, &[]);
        assert!(run.stdout.starts_with("Usage: bb"), "{run}");
    }
    let run = home.check("bb --version", 0, &[]);
    assert_eq!(run.stdout, format!("bb {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_mistyped_line_ends_with_2_and_a_phrase() {
    let home = Home::new("mistyped");
    home.check(
        "bb ai mpc",
        2,
        &["bb: unknown command `bb ai mpc`, did you mean `mcp`?"],
    );
    home.check(
        "bb ai mcp serve --ca-fil=x --proxi y",
        2,
        &[
            "bb: unknown flag `--ca-fil`, did you mean `--ca-file`?",
            "bb: unknown flag `--proxi`, did you mean `--proxy`?",
        ],
    );
}

#[test]
fn settings_that_are_refused_end_with_2_before_anything_starts() {
    let home = Home::new("refused");
    for command in ["serve", "check"] {
        home.check(
            &format!("BITBUCKET_TOKEN=a BITBUCKET_TOKEN_FILE=b BB_VIEWS=c bb ai mcp {command} --log-level loud"),
            2,
            &[
                "bb: cannot tell which Bitbucket to ask: give --host URL, or set BITBUCKET_URL",
                "bb: cannot use BB_VIEWS `c`: expected auto, always or never",
                "bb: cannot use --log-level `loud`: expected error, warn, info or debug",
                "bb: cannot tell who asks: BITBUCKET_TOKEN and BITBUCKET_TOKEN_FILE are both given; keep one of them",
            ],
        );
    }
}

#[test]
fn all_that_is_wrong_is_told_at_once_whichever_part_judges_it() {
    let home = Home::new("at-once");
    std::fs::write(home.0.join("bad.pem"), "no certificate").expect("a file can be written");
    let rest = "--audit-file /nonexistent/x --ca-file {dir}/bad.pem";
    let audit = "bb: cannot append to the audit file `/nonexistent/x` (--audit-file, BB_AUDIT_FILE): No such file or \
                 directory (os error 2)";
    let ca = "bb: --ca-file, BB_CA_FILE: `{dir}/bad.pem` holds no PEM certificate";
    let manifest = "bb: no manifest `zz` is approved";
    let tools = "bb: --tools names `nope`";
    let timeout = "bb: cannot use --request-timeout `x`";
    let begins = |line: &str, exit: i32, wanted: &[&str]| {
        let run = home.run(line);
        let found: Vec<&str> = run.stderr.lines().collect();
        assert_eq!((run.exit, found.len()), (Some(exit), wanted.len()), "{run}");
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(found.starts_with(&home.fill(wanted)), "{wanted}\n{run}");
        }
    };
    let host = "--host https://code.example.com";
    for (line, exit, wanted) in [
        // The names of a manifest's tools are known where there is one.
        (
            format!("serve {host} --tools nope --request-timeout x --manifest zz {rest}"),
            2,
            &[timeout, manifest, audit, ca][..],
        ),
        (
            format!("serve {host} --tools nope --request-timeout x {rest}"),
            2,
            &[timeout, tools, audit, ca],
        ),
        (
            format!("check {host} --tools nope --request-timeout x {rest}"),
            2,
            &[timeout, tools, audit, ca],
        ),
        (
            format!("serve {host} --tools nope --manifest zz {rest}"),
            2,
            &[manifest, audit, ca],
        ),
        (
            format!("serve {host} --tools nope {rest}"),
            2,
            &[tools, audit, ca],
        ),
        (format!("serve {host} --manifest zz"), 4, &[manifest]),
        (
            format!("tools --project a/b --tools nope {rest}"),
            2,
            &["bb: cannot use --project", tools],
        ),
    ] {
        begins(&format!("bb ai mcp {line}"), exit, wanted);
    }
    // What a file that cannot be read would have said is not guessed at.
    std::fs::write(home.0.join(".config/bb/config.json"), "{").expect("a file can be written");
    begins(
        &format!("bb ai mcp serve {host} --manifest zz"),
        2,
        &["bb: cannot use `{dir}/.config/bb/config.json`"],
    );
}

#[test]
fn which_of_several_hosts_is_meant_is_asked_by_every_command_that_they_bear_on() {
    let home = Home::new("several");
    let config = |of_one: &str| {
        let text = format!(
            r#"{{"hosts": {{"https://a.example.com": {{"read-only": true{of_one}}}, "https://b.example.com": {{}}}}}}"#
        );
        std::fs::write(home.0.join(".config/bb/config.json"), text).expect("a file can be written");
    };
    let several = "bb: cannot tell which Bitbucket to ask: `{dir}/.config/bb/config.json` has `https://a.example.com`, \
                   `https://b.example.com`; give one of them with --host URL or BITBUCKET_URL";
    config("");
    for command in ["serve", "check", "tools", "config zed"] {
        home.check(&format!("bb ai mcp {command}"), 2, &[several]);
    }
    let run = home.check("bb ai mcp tools --host https://a.example.com", 0, &[]);
    assert!(run.stdout.contains("withheld by --read-only"), "{run}");
    // Where approvals are kept may be a host's own.
    home.check("bb ai mcp manifest list", 0, &[]);
    config(r#", "state-dir": "own""#);
    home.check("bb ai mcp manifest list", 2, &[several]);
    home.check(
        "BITBUCKET_URL=https://a.example.com bb ai mcp manifest list",
        0,
        &[],
    );
}

#[test]
fn a_path_begins_no_line_of_its_own_and_commands_no_terminal() {
    let home = Home::new("lines");
    for flag in ["--ca-file", "--token-file", "--audit-file", "--config"] {
        let output = Command::new(env!("CARGO_BIN_EXE_bb"))
            .args([
                "ai",
                "mcp",
                "serve",
                "--host",
                "https://code.example.com",
                flag,
            ])
            .arg("/none/a\nbb: all is well\u{1b}[31m")
            .env_clear()
            .env("HOME", &home.0)
            .output()
            .expect("bb can be started");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(said.lines().count(), 1, "{flag}: {said}");
        assert!(
            !said.contains('\u{1b}') && said.contains("all is well"),
            "{flag}: {said}"
        );
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_text_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let run = Command::new(env!("CARGO_BIN_EXE_bb"))
        .args(["ai", "mcp"])
        .arg(std::ffi::OsStr::from_bytes(b"\xff"))
        .output()
        .expect("bb can be started");
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(
        run.stderr,
        b"bb: cannot read argument 3: it is not UTF-8 text\n"
    );
}

/// The command and arguments that a client's snippet starts.
#[track_caller]
fn started(client: &str, run: &Run) -> (Value, Value) {
    if client == "codex" {
        // The TOML that bb writes: a table, then keys whose values are JSON but for the comma at an array's end.
        let body = run
            .stdout
            .strip_prefix("[mcp_servers.bb]\n")
            .expect("a table");
        let (command, arguments) = body.split_once("\nargs = ").expect("a key");
        let command = command.strip_prefix("command = ").expect("a key");
        return (
            serde_json::from_str(command).expect("a text"),
            serde_json::from_str(&arguments.replace(",\n]", "\n]")).expect("an array"),
        );
    }
    if client == "goose" {
        // The YAML that bb writes: `key: text` and `- text`, where each text that may hold anything is JSON.
        let after = |start: &str| {
            let lines = run.stdout.lines();
            lines
                .filter_map(|line| line.strip_prefix(start))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let read = |text: &String| serde_json::from_str::<Value>(text).ok();
        let command = after("    cmd: ")
            .first()
            .and_then(read)
            .expect("a command");
        return (command, after("      - ").iter().filter_map(read).collect());
    }
    let top: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let servers = match client {
        "vscode" => "servers",
        "zed" => "context_servers",
        _ => "mcpServers",
    };
    let bb = &top[servers]["bb"];
    (bb["command"].clone(), bb["args"].clone())
}

const CLIENTS: [&str; 7] = [
    "vscode",
    "claude-desktop",
    "claude-code",
    "cursor",
    "goose",
    "zed",
    "codex",
];

#[test]
fn a_clients_configuration_starts_this_binary_with_what_flags_and_variables_say() {
    let home = Home::new("config");
    std::fs::write(home.0.join("token"), "hunter2").expect("a file can be written");
    for client in CLIENTS {
        let run = home.run(&format!(
            "BITBUCKET_URL=https://code.example.com/bitbucket HTTPS_PROXY=http://wren:hunter2@p:3128 \
             NO_PROXY=localhost,<local> BB_CLIENT_CERT=me.pem BB_ALLOW_HTTP=0 \
             bb ai mcp config {client} --ca-file ~/corp.pem --token-file token --request-timeout=30s"
        ));
        assert_eq!(run.exit, Some(0), "{run}");
        assert!(
            !format!("{run}").replace(&run.line, "").contains("hunter2"),
            "{run}"
        );
        let (command, arguments) = started(client, &run);
        assert_eq!(command, env!("CARGO_BIN_EXE_bb"), "{run}");
        let wanted: Vec<String> = [
            "ai",
            "mcp",
            "serve",
            "--host=https://code.example.com/bitbucket",
            "--proxy=http://p:3128",
            "--no-proxy=localhost",
            "--ca-file={dir}/corp.pem",
            "--client-cert={dir}/me.pem",
            "--request-timeout=30s",
            "--token-file={dir}/token",
        ]
        .map(|each| home.fill(each))
        .to_vec();
        assert_eq!(arguments, json!(wanted), "{run}");
        let mut notes = run.stderr.lines();
        assert!(
            notes
                .next()
                .is_some_and(|note| note.starts_with("# put this into ")),
            "{run}"
        );
        let note = "# the user and password of HTTPS_PROXY are left out: give the client BB_PROXY for them";
        assert_eq!(notes.collect::<Vec<_>>(), [note], "{run}");
    }
}

#[test]
fn a_manifest_stands_beside_bb_under_a_name_of_its_own() {
    let home = Home::new("config-manifest");
    for client in CLIENTS {
        let line = format!("bb ai mcp config {client} --host https://code.example.com --manifest");
        let run = home.run(&format!("{line} team_board"));
        let without_flag = run.stdout.replace("--manifest=team_board", "");
        assert!(without_flag.contains("team_board"), "{run}");
        // What is no id names nothing.
        let run = home.run(&format!("{line} no\\id]"));
        let without_flag = run.stdout.replace("--manifest=no", "");
        assert!(!without_flag.contains("no\\"), "{run}");
    }
}

#[test]
fn a_token_never_enters_a_configuration() {
    let home = Home::new("config-secret");
    for client in CLIENTS {
        for variables in [
            "BITBUCKET_TOKEN=hunter2",
            "BITBUCKET_USERNAME=wren BITBUCKET_PASSWORD=hunter2",
        ] {
            let run = home.run(&format!(
                "{variables} bb ai mcp config {client} --host https://code.example.com"
            ));
            assert_eq!(run.exit, Some(0), "{run}");
            assert!(
                !run.stdout.contains("hunter2") && !run.stderr.contains("hunter2"),
                "{run}"
            );
            let (_, arguments) = started(client, &run);
            let token_file = home.fill("--token-file={dir}/.config/bb/token");
            let has_file = arguments
                .as_array()
                .is_some_and(|all| all.contains(&json!(token_file)));
            // These two ask for the token themselves and keep it.
            assert_eq!(has_file, !matches!(client, "vscode" | "goose"), "{run}");
        }
    }
    let run = home.run("bb ai mcp config vscode --host https://code.example.com");
    let top: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(top["inputs"][0]["password"], true, "{run}");
    assert_eq!(
        top["servers"]["bb"]["env"]["BITBUCKET_TOKEN"], "${input:bitbucket-token}",
        "{run}"
    );
    let run = home.run("bb ai mcp config goose --host https://code.example.com");
    assert!(
        run.stdout
            .ends_with("    env_keys:\n      - BITBUCKET_TOKEN\n"),
        "{run}"
    );
}

#[test]
fn a_configuration_leaves_out_what_bb_reads_in_its_own_file() {
    let home = Home::new("config-file");
    let own =
        r#"{"hosts": {"https://code.example.com": {"token-file": "token", "views": "never"}}}"#;
    std::fs::write(home.0.join(".config/bb/config.json"), own).expect("a file can be written");
    for client in CLIENTS {
        let run = home.run(&format!("bb ai mcp config {client} --log-level info"));
        assert_eq!(
            started(client, &run).1,
            json!(["ai", "mcp", "serve", "--log-level=info"]),
            "{run}"
        );
    }
}

#[test]
fn a_configuration_says_who_is_reached_directly_wherever_the_proxy_is_said() {
    let home = Home::new("config-direct");
    let own =
        r#"{"hosts": {"https://code.example.com": {"proxy": "http://proxy.example.com:3128"}}}"#;
    std::fs::write(home.0.join(".config/bb/config.json"), own).expect("a file can be written");
    let direct = "--no-proxy=127.0.0.1,.internal.example.com";
    for (line, wanted) in [
        (
            "BB_NO_PROXY=127.0.0.1,.internal.example.com bb ai mcp config zed",
            vec![direct],
        ),
        (
            "BB_NO_PROXY=127.0.0.1,.internal.example.com bb ai mcp config zed --proxy http://p.example.com:1",
            vec!["--proxy=http://p.example.com:1", direct],
        ),
        (
            "BB_NO_PROXY=127.0.0.1 bb ai mcp config zed --proxy none",
            vec!["--proxy=none"],
        ),
        ("bb ai mcp config zed", vec![]),
    ] {
        let run = home.run(line);
        let (_, arguments) = started("zed", &run);
        let about: Vec<&str> = arguments
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .filter(|each| each.contains("proxy"))
            .collect();
        assert_eq!(about, wanted, "{run}");
    }
}

#[test]
fn a_configuration_that_serve_would_refuse_is_refused() {
    let home = Home::new("config-refused");
    home.check(
        "BB_VIEWS=x BB_PROXY=ftp://wren:hunter2@p:1 bb ai mcp config zed --host http://code.example.com",
        2,
        &[
            "bb: cannot use --host: credentials would travel to `code.example.com` unencrypted; use https, or allow \
             it with --allow-http or BB_ALLOW_HTTP=1",
            "bb: cannot use BB_PROXY: its scheme is `ftp`; expected `http://`, `https://` or `socks5://` with a host \
             and a port, or `none`",
            "bb: cannot use BB_VIEWS `x`: expected auto, always or never",
        ],
    );
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_flags_and_clients() {
    let home = Home::new("completion");
    let script = home.check("bb completion bash", 0, &[]).stdout;
    for (typed, wanted) in [
        ("bb ai mcp c", "check config"),
        ("bb ai mcp serve --client-", "--client-cert --client-key"),
        ("bb ai mcp serve --host x --lo", "--log-level"),
        ("bb ai mcp config cl", "claude-desktop claude-code"),
        ("bb completion ", "bash zsh fish --help"),
        ("bb ai mcp serve --host ", ""),
    ] {
        let words: Vec<String> = typed.split(' ').map(|word| format!("'{word}'")).collect();
        let last = words.len() - 1;
        let asked = format!(
            "{script}\nCOMP_WORDS=({}); COMP_CWORD={last}; _bb; echo \"${{COMPREPLY[*]}}\"",
            words.join(" ")
        );
        let run = Command::new("bash")
            .args(["-c", &asked])
            .output()
            .expect("bash can be started");
        let found = String::from_utf8_lossy(&run.stdout);
        assert_eq!(
            found.trim_end(),
            wanted,
            "{typed}: {}",
            String::from_utf8_lossy(&run.stderr)
        );
    }
}
