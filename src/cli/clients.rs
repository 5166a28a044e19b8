//! `bb ai mcp config CLIENT`: what to put where, so that a client starts bb.
//!
//! Never writes a file and never prints a secret. A client starts bb without the variables of the person's shell,
//! so what they say is written as flags. Start reading at [`configuration`].

use crate::bitbucket::address::BaseUrl;
use crate::exit::{Answer, Exit};
use crate::near;
use crate::settings::credentials::{self, Kind};
use crate::settings::error::SettingsError;
use crate::settings::levels::{Given, Levels, Source, read_variable};
use crate::settings::no_proxy::NoProxy;
use crate::settings::table::{SETTINGS, Setting, Sort};
use crate::settings::{Environment, Flags, Settings, proxy, values};
use serde_json::{Value, json};
use std::path::Path;

/// A program that starts MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Visual Studio Code.
    Vscode,
    /// Claude Desktop.
    ClaudeDesktop,
    /// Claude Code.
    ClaudeCode,
    /// Cursor.
    Cursor,
    /// Goose.
    Goose,
    /// Zed.
    Zed,
    /// Codex.
    Codex,
}

/// Every client: its name here, and where its configuration is.
const CLIENTS: &[(Client, &str, &str)] = &[
    (
        Client::Vscode,
        "vscode",
        ".vscode/mcp.json of a folder, or `MCP: Open User Configuration` for all of them",
    ),
    (
        Client::ClaudeDesktop,
        "claude-desktop",
        "claude_desktop_config.json, opened by Settings, Developer, Edit Config",
    ),
    (
        Client::ClaudeCode,
        "claude-code",
        ".mcp.json at the top of a project",
    ),
    (
        Client::Cursor,
        "cursor",
        "~/.cursor/mcp.json, or .cursor/mcp.json of a project",
    ),
    (
        Client::Goose,
        "goose",
        "~/.config/goose/config.yaml, under the `extensions` that are there",
    ),
    (Client::Zed, "zed", "~/.config/zed/settings.json"),
    (Client::Codex, "codex", "~/.codex/config.toml"),
];

/// Stands in the snippet until somebody says where Bitbucket is.
const SOME_HOST: &str = "https://bitbucket.example.com";

impl Client {
    /// The client of this name.
    ///
    /// # Errors
    /// No such client; the phrase names those there are.
    pub fn parse(name: &str) -> Result<Self, String> {
        let names = CLIENTS.iter().map(|(_, each, _)| *each);
        CLIENTS
            .iter()
            .find(|(_, each, _)| *each == name)
            .map(|(client, ..)| *client)
            .ok_or_else(|| {
                let hint = near::hint(name, names.clone());
                let all: Vec<&str> = names.collect();
                let name = name.escape_debug();
                format!(
                    "cannot print a configuration for `{name}`{hint} (there are {})",
                    all.join(", ")
                )
            })
    }

    fn place(self) -> &'static str {
        CLIENTS
            .iter()
            .find(|(client, ..)| *client == self)
            .map_or("", |(_, _, place)| place)
    }
}

/// How a client starts bb.
struct Start {
    /// What the client calls it: a manifest is a server beside bb's own.
    name: String,
    /// The absolute path of this program.
    command: String,
    /// All that follows it.
    arguments: Vec<String>,
    /// Whether the client itself is to ask for the token.
    asks_token: bool,
}

/// The snippet for `client` on stdout, and where it goes on stderr.
pub fn configuration(client: Client, flags: &Flags, env: Environment) -> Answer {
    let (levels, host) = match Settings::given(flags, env) {
        Ok(given) => given,
        Err(problems) => return Answer::problems(Exit::Usage, problems),
    };
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            let phrase = format!("cannot tell where this program is: {error}");
            return Answer::problems(Exit::Unexpected, [phrase]);
        }
    };
    let Some(command) = program.to_str() else {
        let phrase = "cannot name this program in a configuration: its path is not UTF-8 text";
        return Answer::problems(Exit::Usage, [phrase]);
    };
    // All of them are known to be sound by now.
    let mut problems = Vec::new();
    let mut notes = vec![format!("# put this into {}", client.place())];
    let home = read_variable(env, "HOME", &mut problems);
    let home = home.as_deref();
    let mut writing = Writing {
        levels: &levels,
        env,
        home,
        notes: &mut notes,
        problems: &mut problems,
        arguments: ["ai", "mcp", "serve"].map(str::to_owned).to_vec(),
    };
    let base = writing.host(host);
    writing.proxy(base.as_ref());
    writing.plain();
    let asks_token = writing.credentials(client);
    let arguments = writing.arguments;
    let is_plain = |id: &String| id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let manifest = levels.one("manifest").map(|given| given.text.clone());
    let start = Start {
        name: manifest.filter(is_plain).unwrap_or_else(|| "bb".to_owned()),
        command: command.to_owned(),
        arguments,
        asks_token,
    };
    Answer {
        notes,
        ..Answer::text(snippet(client, &start))
    }
}

/// The arguments as they grow.
struct Writing<'a> {
    levels: &'a Levels,
    env: Environment<'a>,
    home: Option<&'a str>,
    notes: &'a mut Vec<String>,
    problems: &'a mut Vec<SettingsError>,
    arguments: Vec<String>,
}

impl Writing<'_> {
    fn host(&mut self, host: Option<Given>) -> Option<BaseUrl> {
        match host {
            None => {
                self.put("host", SOME_HOST.to_owned());
                self.notes.push(format!(
                    "# no host was given: write the address of your Bitbucket for {SOME_HOST}"
                ));
                None
            }
            Some(given) => {
                if is_written(&given) {
                    self.put("host", given.text.clone());
                }
                BaseUrl::parse(&given.text).ok()
            }
        }
    }

    /// The proxy, and the hosts without one, from whichever variable the server would have read them.
    fn proxy(&mut self, base: Option<&BaseUrl>) {
        let given = self.levels.one("proxy").cloned().or_else(|| {
            let base = base.filter(|base| !base.is_loopback())?;
            proxy::usual(self.env, base, self.problems)
        });
        let Some(given) = given else {
            return;
        };
        let is_written_here = is_written(&given);
        // Any other text than an address and `none` was refused.
        let is_none = given.text == "none";
        let parsed = proxy::parse(&given.text).ok().filter(|_| !is_none);
        let Some(proxy) = parsed else {
            if is_written_here {
                self.put("proxy", given.text);
            }
            return;
        };
        if is_written_here {
            if proxy.credentials.is_some() {
                self.notes.push(format!(
                    "# the user and password of {} are left out: give the client BB_PROXY for them",
                    given.from
                ));
            }
            self.put("proxy", proxy::address(&proxy));
        }
        let direct = proxy::no_proxy_list(self.levels, self.env, self.problems);
        let direct: Vec<String> = direct
            .into_iter()
            .filter(|given| is_written(given) && NoProxy::parse(&given.text).is_some())
            .map(|given| given.text)
            .collect();
        if !direct.is_empty() {
            self.put("no-proxy", direct.join(","));
        }
    }

    /// Everything that is copied as it was given.
    fn plain(&mut self) {
        let special = ["host", "proxy", "no-proxy", "token-file", "git-credentials"];
        for setting in SETTINGS.iter().filter(|each| !special.contains(&each.name)) {
            let given = self.levels.all(setting.name);
            let texts: Vec<String> = given
                .iter()
                .filter(|given| is_written(given))
                .map(|given| given.text.clone())
                .collect();
            self.copy(setting, &texts);
        }
    }

    fn copy(&mut self, setting: &Setting, texts: &[String]) {
        match (setting.sort, texts) {
            (_, []) => {}
            (Sort::Switch, [text, ..]) => {
                if text.is_empty() || values::switch(text) == Some(true) {
                    self.arguments.push(format!("--{}", setting.name));
                }
            }
            (Sort::Path, [text, ..]) => {
                let path = self.absolute(text);
                self.put(setting.name, path);
            }
            (Sort::List, _) if matches!(setting.name, "project" | "repo") => {
                for text in texts {
                    self.put(setting.name, text.clone());
                }
            }
            (Sort::List | Sort::Text, _) => self.put(setting.name, texts.join(",")),
        }
    }

    /// Says who asks without saying a secret; returns whether the client is to ask for the token.
    fn credentials(&mut self, client: Client) -> bool {
        let kind = credentials::choose(self.levels, self.env, self.problems);
        match kind {
            // bb reads it there by itself.
            Some(kind) if matches!(kind.from(), Source::File { .. }) => false,
            Some(Kind::TokenFile(given)) => {
                let path = self.absolute(&given.text);
                self.put("token-file", path);
                false
            }
            Some(Kind::Git(_)) => {
                self.arguments.push("--git-credentials".to_owned());
                false
            }
            _ if matches!(client, Client::Vscode | Client::Goose) => true,
            _ => {
                let path = self.absolute("~/.config/bb/token");
                self.notes.push(format!(
                    "# write your HTTP access token into {path} (any path will do), then run `chmod 600 {path}`"
                ));
                self.put("token-file", path);
                false
            }
        }
    }

    fn put(&mut self, name: &str, value: String) {
        // Joined, so that no value can be taken for a flag.
        self.arguments.push(format!("--{name}={value}"));
    }

    /// A client starts bb in a folder of its own choice.
    fn absolute(&self, text: &str) -> String {
        let path = values::path(text, self.home);
        let absolute = std::path::absolute(&path);
        let absolute = absolute.as_deref().unwrap_or(Path::new(&path));
        absolute.to_str().unwrap_or(text).to_owned()
    }
}

/// Whether a value has to be written down: what the configuration file says bb reads there by itself.
fn is_written(given: &Given) -> bool {
    !matches!(given.from, Source::File { .. })
}

fn snippet(client: Client, start: &Start) -> String {
    let Start {
        name,
        command,
        arguments,
        asks_token,
    } = start;
    match client {
        Client::Vscode => {
            let mut bb = json!({"type": "stdio", "command": command, "args": arguments});
            let mut top = json!({});
            if *asks_token {
                bb["env"] = json!({"BITBUCKET_TOKEN": "${input:bitbucket-token}"});
                top["inputs"] = json!([{
                    "type": "promptString",
                    "id": "bitbucket-token",
                    "description": "HTTP access token for Bitbucket",
                    "password": true,
                }]);
            }
            top["servers"] = json!({name: bb});
            pretty(&top)
        }
        Client::ClaudeDesktop | Client::Cursor => {
            pretty(&json!({"mcpServers": {name: {"command": command, "args": arguments}}}))
        }
        Client::ClaudeCode => pretty(
            &json!({"mcpServers": {name: {"type": "stdio", "command": command, "args": arguments}}}),
        ),
        Client::Zed => {
            let bb = json!({"command": command, "args": arguments, "env": {}});
            pretty(&json!({"context_servers": {name: bb}}))
        }
        Client::Goose => goose(start),
        Client::Codex => {
            let arguments: Vec<String> = arguments.iter().map(|each| toml_text(each)).collect();
            format!(
                "[mcp_servers.{name}]\ncommand = {}\nargs = [\n    {},\n]\n",
                toml_text(command),
                arguments.join(",\n    ")
            )
        }
    }
}

/// YAML, whose quoted texts may be written as JSON writes them.
fn goose(start: &Start) -> String {
    let text = |text: &str| Value::from(text).to_string();
    let mut yaml = format!(
        "extensions:\n  {name}:\n    name: {name}\n    type: stdio\n    enabled: true\n    timeout: 300\n    cmd: {}\n    args:\n",
        text(&start.command),
        name = start.name
    );
    for argument in &start.arguments {
        yaml.push_str(&format!("      - {}\n", text(argument)));
    }
    if start.asks_token {
        // Goose asks for it once and keeps it in the machine's key store.
        yaml.push_str("    env_keys:\n      - BITBUCKET_TOKEN\n");
    }
    yaml
}

/// A TOML text: JSON's escapes are TOML's too, but for DEL, which JSON may leave as it is.
fn toml_text(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
