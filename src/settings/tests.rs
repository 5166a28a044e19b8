use super::git::Git;
use super::levels::Flags;
use super::{Settings, SettingsError};
use crate::bitbucket::connection::Credentials;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[cfg(unix)]
mod asking_git;
mod proxies;

const HOST: &str = "--host=https://code.example.com/bitbucket";

/// A folder of one test, which is its home too; `{dir}` in a word is its path.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("bb-settings-{}-{next}", std::process::id()));
        std::fs::create_dir_all(path.join(".config/bb")).expect("a folder can be made");
        Self(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file can be written");
        mode(&path, 0o600);
        path
    }

    fn config(&self, text: &str) {
        self.write(".config/bb/config.json", text);
    }

    fn fill(&self, text: &str) -> String {
        text.replace(
            "{dir}",
            self.0.to_str().expect("the temporary folder is UTF-8"),
        )
    }

    /// Words are `--flag=value`, `--switch` or `VARIABLE=value`.
    fn read(&self, words: &[&str]) -> Result<Settings, Vec<SettingsError>> {
        self.read_with(words, &Git::default())
    }

    fn read_with(&self, words: &[&str], git: &Git) -> Result<Settings, Vec<SettingsError>> {
        let mut typed: HashMap<String, Vec<String>> = HashMap::new();
        let mut env = HashMap::from([("HOME".to_owned(), self.fill("{dir}"))]);
        for word in words {
            let word = self.fill(word);
            let (name, value) = word.split_once('=').unwrap_or((&word, ""));
            match name.strip_prefix("--") {
                Some(flag) => typed
                    .entry(flag.to_owned())
                    .or_default()
                    .push(value.to_owned()),
                None => drop(env.insert(name.to_owned(), value.to_owned())),
            }
        }
        let mut flags = Flags::default();
        for (name, values) in typed {
            flags.put(&name, values);
        }
        Settings::read_with(&flags, &|name| env.get(name).map(OsString::from), git)
    }

    /// The settings are sound, and each line of `told` is told: `name value from`.
    #[track_caller]
    fn check(&self, words: &[&str], told: &[&str]) -> Settings {
        let read = self.read(words);
        assert!(read.is_ok(), "{words:?}\nwas refused: {read:#?}");
        let settings = read.expect("it was just seen to be sound");
        let lines: Vec<String> = settings
            .told
            .iter()
            .map(|told| format!("{} {} {}", told.name, told.value, told.from))
            .collect();
        for line in told {
            let line = self.fill(line);
            assert!(
                lines.contains(&line),
                "{words:?}\n{line}\nis not among {lines:#?}"
            );
        }
        settings
    }

    /// The settings are refused with exactly these phrases.
    #[track_caller]
    fn check_refused(&self, words: &[&str], phrases: &[&str]) {
        let problems = self.read(words).err().unwrap_or_default();
        let found: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let wanted: Vec<String> = phrases.iter().map(|phrase| self.fill(phrase)).collect();
        assert_eq!(found, wanted, "{words:?}");
    }
}

/// Who asks, opened: a token, or a user name and a password.
fn who(settings: &Settings) -> String {
    match &settings.connection.credentials {
        Some(Credentials::Token(token)) => token.open().to_owned(),
        Some(Credentials::Basic { username, password }) => {
            format!("{username}:{}", password.open())
        }
        None => String::new(),
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(unix)]
fn mode(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
        .expect("the mode of an own file can be set");
}

#[cfg(not(unix))]
fn mode(_: &std::path::Path, _: u32) {}

#[test]
fn the_strongest_level_that_gives_a_value_wins_and_is_told() {
    let folder = Folder::new();
    folder.config(
        r#"{"hosts": {"https://code.example.com:443/bitbucket/": {"request-timeout": "7s"}}}"#,
    );
    for (words, told) in [
        (
            &[HOST][..],
            "request-timeout 7s `request-timeout` in `{dir}/.config/bb/config.json`",
        ),
        (
            &[HOST, "BB_REQUEST_TIMEOUT=8s"],
            "request-timeout 8s BB_REQUEST_TIMEOUT",
        ),
        (
            &[HOST, "BB_REQUEST_TIMEOUT=8s", "--request-timeout=2m"],
            "request-timeout 2m --request-timeout",
        ),
        (
            &["--host=https://other.example.com"],
            "request-timeout 20s default",
        ),
        (
            &[],
            "host https://code.example.com:443/bitbucket/ `hosts` in `{dir}/.config/bb/config.json`",
        ),
        // An empty variable counts as not set.
        (
            &["BITBUCKET_URL=", "BB_REQUEST_TIMEOUT="],
            "request-timeout 7s `request-timeout` in `{dir}/.config/bb/config.json`",
        ),
        (
            &["BITBUCKET_URL=https://other.example.com"],
            "host https://other.example.com BITBUCKET_URL",
        ),
        (&[HOST, "BB_VIEWS=never"], "views never BB_VIEWS"),
        (&[HOST], "log-level error default"),
    ] {
        folder.check(words, &[told]);
    }
}

#[test]
fn all_problems_are_told_at_once() {
    Folder::new().check_refused(
        &[
            "BITBUCKET_URL=code.example.com",
            "BB_VIEWS=sometimes",
            "BB_REQUEST_TIMEOUT=20",
            "--proxy=ftp://someone:hunter2@proxy:1",
            "--ca-file={dir}/no.pem",
            "BITBUCKET_USERNAME=wren",
        ],
        &[
            &format!("cannot use BITBUCKET_URL: {ACCEPTED_HOST}"),
            "cannot use --proxy: its scheme is `ftp`; expected `http://`, `https://` or `socks5://` with a host and \
             a port, or `none`",
            "cannot read `{dir}/no.pem` of --ca-file: there is no such file",
            "cannot use BB_VIEWS `sometimes`: expected auto, always or never",
            "cannot use BB_REQUEST_TIMEOUT `20`: expected a duration from 100ms to 10m, such as `20s`",
            "cannot use BITBUCKET_USERNAME: BITBUCKET_PASSWORD is not set; set both or neither",
        ],
    );
}

/// What an address that is none is answered with.
const ACCEPTED_HOST: &str =
    "expected an http or https address with a host, such as `https://code.example.com/bitbucket`";

#[test]
fn an_address_is_needed_and_plain_http_only_where_that_is_safe_or_allowed() {
    let folder = Folder::new();
    folder.check_refused(
        &[],
        &["cannot tell which Bitbucket to ask: give --host URL, or set BITBUCKET_URL"],
    );
    folder.check_refused(
        &["--host=http://code.example.com"],
        &["cannot use --host: credentials would travel to `code.example.com` unencrypted; use https, or allow it \
           with --allow-http or BB_ALLOW_HTTP=1"],
    );
    folder.check_refused(
        &["--host=http://code.example.com", "BB_ALLOW_HTTP=yes"],
        &[
            "cannot use BB_ALLOW_HTTP `yes`: expected 1 or 0",
            "cannot use --host: credentials would travel to `code.example.com` unencrypted; use https, or allow it \
             with --allow-http or BB_ALLOW_HTTP=1",
        ],
    );
    for host in [
        "http://localhost:7990",
        "http://127.0.0.1:1",
        "http://[::1]/bitbucket",
    ] {
        folder.check(
            &[&format!("--host={host}")],
            &["allow-http off default"][..0],
        );
    }
    folder.check(
        &["--host=http://code.example.com", "BB_ALLOW_HTTP=1"],
        &["allow-http on BB_ALLOW_HTTP"],
    );
}

#[test]
fn credentials_come_from_the_first_level_that_has_any() {
    let folder = Folder::new();
    folder.write("token", "from-file\n");
    folder.write("other", "from-other\r\n");
    folder
        .config(r#"{"hosts": {"https://code.example.com/bitbucket": {"token-file": "~/other"}}}"#);
    let told = |from: &str| format!("credentials (hidden) {from}");
    for (words, token, from) in [
        (
            &[HOST][..],
            "from-other",
            "`token-file` in `{dir}/.config/bb/config.json`",
        ),
        (
            &[HOST, "BITBUCKET_TOKEN=from-variable"],
            "from-variable",
            "BITBUCKET_TOKEN",
        ),
        (
            &[HOST, "BITBUCKET_TOKEN_FILE=~/token"],
            "from-file",
            "BITBUCKET_TOKEN_FILE",
        ),
        (
            &[HOST, "BITBUCKET_TOKEN=x", "--token-file={dir}/token"],
            "from-file",
            "--token-file",
        ),
        // A level that is not looked at may be half done.
        (
            &[HOST, "BITBUCKET_USERNAME=x", "--token-file={dir}/token"],
            "from-file",
            "--token-file",
        ),
    ] {
        let settings = folder.check(words, &[&told(from)]);
        assert_eq!(who(&settings), token, "{words:?}");
    }
    let basic = [
        "BITBUCKET_USERNAME=wren",
        "BITBUCKET_PASSWORD=pass word:1",
        HOST,
    ];
    assert_eq!(who(&folder.check(&basic, &[])), "wren:pass word:1");
    let anonymous = Folder::new().check(
        &[HOST],
        &["credentials none, so requests are anonymous default"],
    );
    assert_eq!(who(&anonymous), "");
}

#[test]
fn two_kinds_at_one_level_are_refused() {
    let folder = Folder::new();
    folder.write("token", "abc");
    for (words, phrase) in [
        (
            ["BITBUCKET_TOKEN=a", "BITBUCKET_TOKEN_FILE={dir}/token", ""],
            "cannot tell who asks: BITBUCKET_TOKEN and BITBUCKET_TOKEN_FILE are both given; keep one of them",
        ),
        (
            [
                "BITBUCKET_TOKEN=a",
                "BITBUCKET_USERNAME=b",
                "BITBUCKET_PASSWORD=c",
            ],
            "cannot tell who asks: BITBUCKET_TOKEN and BITBUCKET_USERNAME and BITBUCKET_PASSWORD are both given; \
             keep one of them",
        ),
        (
            ["--token-file={dir}/token", "--git-credentials", ""],
            "cannot tell who asks: --token-file and --git-credentials are both given; keep one of them",
        ),
        (
            ["BITBUCKET_PASSWORD=c", "", ""],
            "cannot use BITBUCKET_PASSWORD: BITBUCKET_USERNAME is not set; set both or neither",
        ),
    ] {
        let words: Vec<&str> = [HOST]
            .into_iter()
            .chain(words)
            .filter(|word| !word.is_empty())
            .collect();
        folder.check_refused(&words, &[phrase]);
    }
}

#[test]
fn a_limit_that_names_nothing_is_not_taken_for_no_limit() {
    let folder = Folder::new();
    for word in [
        "--project=",
        "--repo= ",
        "--tools=,",
        "--exclude=",
        "BB_SCOPE=,",
    ] {
        let (name, value) = word.split_once('=').expect("a value");
        let phrase = format!(
            "cannot use {name} `{value}`: expected at least one name (for no limit, leave it out)"
        );
        folder.check_refused(&[HOST, "BITBUCKET_TOKEN=a", word], &[&phrase]);
    }
    let phrase = "cannot use --project ``: expected at least one name (for no limit, leave it out)";
    let words = [HOST, "BITBUCKET_TOKEN=a", "--project=ACME", "--project="];
    folder.check_refused(&words, &[phrase]);
}

#[test]
fn a_token_that_cannot_be_sent_is_refused_without_being_shown() {
    let folder = Folder::new();
    let words = [HOST, "--token-file={dir}/token"];
    for (text, trouble) in [
        ("", "the token is empty"),
        ("\n", "the token is empty"),
        ("one\ntwo\n", "the token has more than one line"),
        (
            "one two",
            "the token holds a blank or a character that cannot be sent in a header",
        ),
        (
            "schl\u{fc}ssel",
            "the token holds a blank or a character that cannot be sent in a header",
        ),
    ] {
        folder.write("token", text);
        folder.check_refused(&words, &[&format!("cannot use --token-file: {trouble}")]);
    }
    folder.write("token", "\u{feff}a-token\n");
    folder.check_refused(
        &words,
        &[
            "cannot read `{dir}/token` of --token-file: it begins with a byte order mark: save it as UTF-8 without one",
        ],
    );
    folder.write("token", [0xff, 0xfe, 0x00]);
    folder.check_refused(
        &words,
        &["cannot read `{dir}/token` of --token-file: it is not UTF-8 text"],
    );
    folder.write("token", vec![b'x'; 20_000]);
    folder.check_refused(
        &words,
        &["cannot read `{dir}/token` of --token-file: it is over 16 KiB, which is no token"],
    );
    folder.check_refused(
        &[HOST, "--token-file={dir}/.config"],
        &["cannot read `{dir}/.config` of --token-file: it is not a regular file"],
    );
    folder.check_refused(
        &[HOST, "BITBUCKET_TOKEN=one\ntwo"],
        &["cannot use BITBUCKET_TOKEN: the token has more than one line"],
    );
    folder.check_refused(
        &[HOST, "BITBUCKET_USERNAME=a:b", "BITBUCKET_PASSWORD=c"],
        &["cannot use BITBUCKET_USERNAME and BITBUCKET_PASSWORD: a user name with a `:` cannot be sent"],
    );
    folder.check_refused(
        &[HOST, "BITBUCKET_USERNAME=a", "BITBUCKET_PASSWORD=c\n"],
        &["cannot use BITBUCKET_USERNAME and BITBUCKET_PASSWORD: its user name or password holds a line break or \
           another control character"],
    );
}

#[cfg(unix)]
#[test]
fn a_token_file_that_others_may_read_is_refused() {
    let folder = Folder::new();
    let path = folder.write("token", "abc");
    for bits in [0o644, 0o640, 0o602] {
        mode(&path, bits);
        folder.check_refused(
            &[HOST, "--token-file={dir}/token"],
            &[&format!(
                "cannot use `{{dir}}/token` of --token-file: others may read it (its mode is {bits:04o}); run `chmod \
                 600 {{dir}}/token`"
            )],
        );
    }
    mode(&path, 0o400);
    folder.check(&[HOST, "--token-file={dir}/token"], &[]);
}

#[test]
fn a_client_key_needs_a_certificate_and_one_file_may_hold_both() {
    let folder = Folder::new();
    folder.write("me.pem", "");
    folder.write("key.pem", "");
    let both = folder
        .check(&[HOST, "--client-cert=~/me.pem"], &[])
        .connection
        .client;
    let both = both.expect("a certificate was given");
    assert_eq!(both.cert, both.key);
    let two = [
        HOST,
        "BB_CLIENT_CERT={dir}/me.pem",
        "--client-key={dir}/key.pem",
    ];
    let two = folder
        .check(&two, &[])
        .connection
        .client
        .expect("a certificate was given");
    assert_eq!(
        (two.cert, two.key),
        (folder.0.join("me.pem"), folder.0.join("key.pem"))
    );
    folder.check_refused(
        &[HOST, "BB_CLIENT_KEY={dir}/key.pem"],
        &["cannot use BB_CLIENT_KEY: there is no certificate for it; give --client-cert or BB_CLIENT_CERT"],
    );
    folder.check_refused(
        &[HOST, "--client-cert={dir}", "--client-key={dir}/none.pem"],
        &[
            "cannot read `{dir}` of --client-cert: it is a folder",
            "cannot read `{dir}/none.pem` of --client-key: there is no such file",
        ],
    );
}

#[test]
fn the_configuration_file_is_refused_where_it_is_not_understood() {
    let folder = Folder::new();
    let at = |trouble: &str| format!("cannot use `{{dir}}/.config/bb/config.json`: {trouble}");
    let host = "hosts: `https://code.example.com/bitbucket`";
    for (text, troubles) in [
        ("{", vec!["it is not JSON from line 1, column 1 on".to_owned()]),
        ("[]", vec!["expected an object with `hosts`".to_owned()]),
        (" \n", vec!["it is empty: expected an object with `hosts`".to_owned()]),
        ("\u{feff}{}", vec!["it begins with a byte order mark: save it as UTF-8 without one".to_owned()]),
        (
            r#"{"hosts": {"https://code.example.com/bitbucket": {"repo": [], "project": [" "], "tools": "", "exclude": [""]}}}"#,
            ["exclude", "project", "repo", "tools"]
                .map(|key| format!("{host}: `{key}`: expected at least one name (for no limit, leave it out)"))
                .to_vec(),
        ),
        (r#"{"host": {}}"#, vec!["unknown key `host`, did you mean `hosts`?".to_owned()]),
        (r#"{"hosts": [], "manifests": 1}"#, vec!["`hosts`: expected an object".to_owned(), "`manifests`: expected an object".to_owned()]),
        (
            r#"{"hosts": {"https://code.example.com/bitbucket": {"cafile": "x", "views": 1, "allow-http": "1", "tools": [1], "host": "x"}}}"#,
            vec![
                format!("{host}: `allow-http`: expected true or false"),
                format!("{host}: unknown key `cafile`, did you mean `ca-file`?"),
                format!("{host}: unknown key `host`"),
                format!("{host}: `tools`: expected an array of texts"),
                format!("{host}: `views`: expected a text"),
            ],
        ),
        (
            r#"{"hosts": {"https://code.example.com/bitbucket": {"token": "hunter2", "proxy": "http://a:hunter2@p:1"}}}"#,
            vec![
                format!("{host}: `proxy` may not hold a user and password here; set BB_PROXY instead"),
                format!("{host}: `token` may not stand here; write the token into a file of its own and name it as `token-file`"),
            ],
        ),
        (
            r#"{"hosts": {"https://code.example.com/bitbucket": {}, "https://CODE.example.com:443/bitbucket/": {}}}"#,
            vec!["hosts: `https://CODE.example.com:443/bitbucket/` and `https://code.example.com/bitbucket` are one address; keep one of them".to_owned()],
        ),
        (
            r#"{"hosts": {"https://wren:hunter2@code.example.com": {}}}"#,
            vec!["hosts: the address has a user name in it; expected an http or https address with a host, such as `https://code.example.com/bitbucket`, and credentials in their own settings".to_owned()],
        ),
    ] {
        folder.config(text);
        let troubles: Vec<String> = troubles.iter().map(|trouble| at(trouble)).collect();
        let troubles: Vec<&str> = troubles.iter().map(String::as_str).collect();
        folder.check_refused(&[HOST], &troubles);
    }
    folder.config(r#"{"hosts": {"https://a.example.com": {}, "https://b.example.com": {}}}"#);
    folder.check_refused(
        &[],
        &["cannot tell which Bitbucket to ask: `{dir}/.config/bb/config.json` has `https://a.example.com`, \
           `https://b.example.com`; give one of them with --host URL or BITBUCKET_URL"],
    );
    folder.check(&["--host=https://b.example.com"], &[]);
    folder.check_refused(
        &[HOST, "BB_CONFIG_PATH={dir}/none.json"],
        &["cannot use `{dir}/none.json`: there is no such file"],
    );
}

#[test]
fn a_path_in_the_configuration_file_starts_at_the_file() {
    let folder = Folder::new();
    folder.write("ca.pem", "");
    folder.config(r#"{"hosts": {"https://code.example.com": {"ca-file": "../../ca.pem", "no-proxy": ["a", "b"]}}}"#);
    let settings = folder.check(
        &[],
        &["no-proxy a,b `no-proxy` in `{dir}/.config/bb/config.json`"],
    );
    assert_eq!(
        settings.connection.ca_file,
        Some(folder.0.join(".config/bb/../../ca.pem"))
    );
}

#[test]
fn a_duration_has_a_unit_and_bounds() {
    let folder = Folder::new();
    for (text, millis) in [
        ("200ms", 200),
        ("20s", 20_000),
        ("2m", 120_000),
        ("10m", 600_000),
    ] {
        let word = format!("--request-timeout={text}");
        let found = folder.check(&[HOST, &word], &[]).connection.request_timeout;
        assert_eq!(found, Duration::from_millis(millis), "{text}");
    }
    for text in [
        "0",
        "20",
        "s",
        "",
        "99ms",
        "601s",
        "1h",
        "-1s",
        "1.5s",
        "99999999999999999999s",
        "20 s",
    ] {
        let word = format!("--request-timeout={text}");
        let phrase = format!(
            "cannot use --request-timeout `{text}`: expected a duration from 100ms to 10m, such as `20s`"
        );
        folder.check_refused(&[HOST, &word], &[&phrase]);
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_text_is_refused() {
    use std::os::unix::ffi::OsStringExt;
    let env = |name: &str| match name {
        "BITBUCKET_URL" => Some(OsString::from("https://code.example.com")),
        "BB_VIEWS" | "BITBUCKET_TOKEN" => Some(OsString::from_vec(vec![0xff])),
        _ => None,
    };
    let problems = Settings::read(&Flags::default(), &env).expect_err("two variables are broken");
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "cannot use BB_VIEWS: its value is not UTF-8 text",
            "cannot use BITBUCKET_TOKEN: its value is not UTF-8 text",
        ]
    );
}
