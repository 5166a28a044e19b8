//! Every setting: its flag, its variable, and what sort of value it takes.
//!
//! Never reads a value: `levels` does. Start reading at [`SETTINGS`].

/// One setting as it can be given.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The flag without its dashes, which is also its key in the configuration file.
    pub name: &'static str,
    /// The variable, where there is one.
    pub variable: Option<&'static str>,
    /// What sort of value it takes.
    pub sort: Sort,
    /// Whether the configuration file may give it.
    pub in_file: bool,
}

/// What sort of value a setting takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// One text.
    Text,
    /// One path; `~/` at its start is the home folder.
    Path,
    /// On or off.
    Switch,
    /// Texts parted by commas; in the configuration file also an array.
    List,
}

const fn text(name: &'static str, variable: &'static str) -> Setting {
    Setting {
        name,
        variable: Some(variable),
        sort: Sort::Text,
        in_file: true,
    }
}

const fn of(sort: Sort, setting: Setting) -> Setting {
    Setting { sort, ..setting }
}

const fn without_variable(name: &'static str, sort: Sort) -> Setting {
    Setting {
        name,
        variable: None,
        sort,
        in_file: true,
    }
}

const fn not_in_file(setting: Setting) -> Setting {
    Setting {
        in_file: false,
        ..setting
    }
}

/// All settings but the secrets, which only variables carry, in the order in which `check` lists them.
pub const SETTINGS: &[Setting] = &[
    not_in_file(text("host", "BITBUCKET_URL")),
    not_in_file(of(Sort::Path, text("config", "BB_CONFIG_PATH"))),
    of(Sort::Path, text("token-file", "BITBUCKET_TOKEN_FILE")),
    of(Sort::Switch, text("git-credentials", "BB_GIT_CREDENTIALS")),
    of(Sort::Switch, text("allow-http", "BB_ALLOW_HTTP")),
    of(Sort::Path, text("ca-file", "BB_CA_FILE")),
    of(Sort::Path, text("client-cert", "BB_CLIENT_CERT")),
    of(Sort::Path, text("client-key", "BB_CLIENT_KEY")),
    text("proxy", "BB_PROXY"),
    of(Sort::List, text("no-proxy", "BB_NO_PROXY")),
    text("request-timeout", "BB_REQUEST_TIMEOUT"),
    text("views", "BB_VIEWS"),
    text("log-level", "BB_LOG_LEVEL"),
    // BB_SCOPE gives projects and repositories in one list, so neither has a variable of its own.
    without_variable("project", Sort::List),
    without_variable("repo", Sort::List),
    without_variable("tools", Sort::List),
    without_variable("exclude", Sort::List),
    of(Sort::Switch, text("read-only", "BB_READ_ONLY")),
    without_variable("no-confirm", Sort::Switch),
    of(Sort::Path, text("audit-file", "BB_AUDIT_FILE")),
    text("audit-failure", "BB_AUDIT_FAILURE"),
    text("highlight-deadline", "BB_HIGHLIGHT_DEADLINE"),
    of(
        Sort::Switch,
        text("highlight-templates", "BB_HIGHLIGHT_TEMPLATES"),
    ),
    without_variable("manifest", Sort::Text),
    of(Sort::Path, text("state-dir", "BB_STATE_DIR")),
];

/// The variable that gives projects and repositories in one list.
pub const SCOPE_VARIABLE: &str = "BB_SCOPE";

/// Keys that would be a secret in the configuration file, with what to write there instead.
pub const SECRET_KEYS: &[&str] = &["token", "password", "username", "bearer", "secret"];

/// The setting of this name.
pub fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|each| each.name == name)
}
