use super::git::Git;
use super::levels::Flags;
use super::table::{NOT_YET, SETTINGS};
use super::{Settings, SettingsError};
use crate::bitbucket::connection::{Credentials, ProxyKind};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

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
        let settings = match self.read(words) {
            Ok(settings) => settings,
            Err(problems) => panic!("{words:?}\nwas refused: {problems:#?}"),
        };
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
        let found: Vec<String> = match self.read(words) {
            Ok(settings) => panic!("{words:?}\nwas accepted: {settings:#?}"),
            Err(problems) => problems.iter().map(ToString::to_string).collect(),
        };
        let wanted: Vec<String> = phrases.iter().map(|phrase| self.fill(phrase)).collect();
        assert_eq!(found, wanted, "{words:?}");
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
    "expected an http or https address with a host, such as https://code.example.com/bitbucket";

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
        match settings.connection.credentials {
            Some(Credentials::Token(found)) => assert_eq!(found.open(), token, "{words:?}"),
            other => panic!("{words:?}: {other:?}"),
        }
    }
    let basic = [
        "BITBUCKET_USERNAME=wren",
        "BITBUCKET_PASSWORD=pass word:1",
        HOST,
    ];
    match folder.check(&basic, &[]).connection.credentials {
        Some(Credentials::Basic { username, password }) => {
            assert_eq!(
                (username.as_str(), password.open()),
                ("wren", "pass word:1")
            );
        }
        other => panic!("{other:?}"),
    }
    let anonymous = Folder::new().check(
        &[HOST],
        &["credentials none, so requests are anonymous default"],
    );
    assert!(anonymous.connection.credentials.is_none());
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
fn the_proxy_is_the_one_that_was_named_or_the_one_of_the_scheme() {
    let folder = Folder::new();
    let (https, http, here) = (
        HOST,
        "--host=http://code.example.com",
        "--host=http://localhost:7990",
    );
    for (words, told) in [
        (&[https][..], "none default"),
        (&[https, "HTTPS_PROXY=http://p:1"], "http://p:1 HTTPS_PROXY"),
        (&[https, "https_proxy=http://p:1"], "http://p:1 https_proxy"),
        (
            &[https, "ALL_PROXY=socks5h://p:1"],
            "socks5://p:1 ALL_PROXY",
        ),
        (
            &[https, "ALL_PROXY=http://all:1", "HTTPS_PROXY=http://p:1"],
            "http://p:1 HTTPS_PROXY",
        ),
        (&[https, "http_proxy=http://p:1"], "none default"),
        (
            &[https, "HTTPS_PROXY=http://p:1", "BB_PROXY=https://own"],
            "https://own:443 BB_PROXY",
        ),
        (
            &[https, "BB_PROXY=https://own", "--proxy=none"],
            "none --proxy",
        ),
        (
            &[https, "HTTPS_PROXY=http://p:1", "BB_PROXY=none"],
            "none BB_PROXY",
        ),
        (&[https, "HTTPS_PROXY=p:3128"], "http://p:3128 HTTPS_PROXY"),
        (
            &[http, "--allow-http", "http_proxy=http://p:1/"],
            "http://p:1 http_proxy",
        ),
        (
            &[http, "--allow-http", "HTTP_PROXY=http://p:1"],
            "none default",
        ),
        (
            &[http, "--allow-http", "all_proxy=http://[::1]:1"],
            "http://[::1]:1 all_proxy",
        ),
        // A loopback host uses only an explicit one.
        (
            &[here, "http_proxy=http://p:1", "ALL_PROXY=http://p:1"],
            "none default",
        ),
        (&[here, "BB_PROXY=http://p:1"], "http://p:1 BB_PROXY"),
        (
            &[https, "--proxy=http://p:1", "NO_PROXY=.example.com"],
            "none, because of NO_PROXY NO_PROXY",
        ),
        (
            &[
                https,
                "--proxy=http://p:1",
                "NO_PROXY=*",
                "BB_NO_PROXY=other",
            ],
            "http://p:1 --proxy",
        ),
        (
            &[
                https,
                "--proxy=http://p:1",
                "--no-proxy=other, code.example.com",
            ],
            "none, because of --no-proxy --no-proxy",
        ),
        // A list made for every program may hold what bb cannot read.
        (
            &[https, "--proxy=http://p:1", "no_proxy=<local> x"],
            "http://p:1 --proxy",
        ),
        (
            &[https, "BB_PROXY=http://wren:p%40ss@p:1"],
            "http://p:1 with a user and password (hidden) BB_PROXY",
        ),
    ] {
        folder.check(words, &[&format!("proxy {told}")]);
    }
    let proxy = folder
        .check(&[https, "BB_PROXY=socks5://wr%65n:p%40%2F%3Ass@p"], &[])
        .connection
        .proxy;
    let proxy = proxy.expect("a proxy was given");
    let (user, password) = proxy.credentials.expect("its user was given");
    assert_eq!((proxy.kind, proxy.port), (ProxyKind::Socks5, 1080));
    assert_eq!((user.as_str(), password.open()), ("wren", "p@/:ss"));
}

#[test]
fn a_mistyped_proxy_is_refused_by_where_it_was_given_and_never_shown() {
    let expected =
        "expected `http://`, `https://` or `socks5://` with a host and a port, or `none`";
    for (text, trouble) in [
        ("htp://wren:hunter2@p:1", "its scheme is `htp`"),
        ("wren:hunter2@://p", "it has no scheme that bb knows"),
        ("http://wren:hunter2@", "its host or port cannot be read"),
        (
            "http://wren:hunter2@p:99999",
            "its host or port cannot be read",
        ),
        ("http://p:0", "its host or port cannot be read"),
        (
            "http://p:1/hunter2",
            "there is a path after its host (a `/` in a password is written %2F)",
        ),
        (
            "http://wren:hunter/2@p:1",
            "there is a path after its host (a `/` in a password is written %2F)",
        ),
        (
            "http://wren:hunter2%@p:1",
            "its user or password is not percent-encoded (a `%` is written %25)",
        ),
        (
            "http://:hunter2@p:1",
            "its user name is empty or holds a `:`",
        ),
    ] {
        for name in ["HTTPS_PROXY", "BB_PROXY", "--proxy"] {
            let word = format!("{name}={text}");
            Folder::new().check_refused(
                &[HOST, &word],
                &[&format!("cannot use {name}: {trouble}; {expected}")],
            );
        }
    }
    Folder::new().check_refused(
        &[HOST, "--proxy=http://p:1", "--no-proxy=10.0.0.0/33"],
        &["cannot use --no-proxy `10.0.0.0/33`: expected a host name, `.suffix`, an address, a network such as \
           10.0.0.0/8, or `*`"],
    );
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
            vec!["hosts: each key is the http or https address of a Bitbucket, without a user".to_owned()],
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

#[test]
fn what_is_not_honored_yet_is_refused_rather_than_ignored() {
    let folder = Folder::new();
    folder.check_refused(
        &[HOST, "--read-only", "BB_SCOPE=ACME,~wren/notes"],
        &[
            "cannot use BB_SCOPE: this version of bb does not honour it yet; leave it out",
            "cannot use BB_SCOPE: this version of bb does not honour it yet; leave it out",
            "cannot use --read-only: this version of bb does not honour it yet; leave it out",
        ],
    );
    for name in NOT_YET {
        assert!(
            SETTINGS.iter().any(|setting| setting.name == *name),
            "{name}"
        );
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

#[cfg(unix)]
mod asking_git {
    use super::*;

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
        match settings.connection.credentials {
            Some(Credentials::Basic { username, password }) => {
                assert_eq!((username.as_str(), password.open()), ("wren", "s3cret"));
            }
            other => panic!("{other:?}"),
        }
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
}
