//! What can be typed: the commands, their flags, and the one line of help that each has.
//!
//! Never reads a value's meaning: `settings` does. Start reading at [`parse`].

pub mod clients;
pub mod completion;
pub mod manifest;
pub mod typed;

use crate::exit::{Answer, Exit};
use crate::licenses;
use crate::settings::Flags;
use argh::{ArgsInfo, FromArgs};
use clients::Client;
use manifest::{Manifest, ManifestArea};
use std::ffi::OsString;

/// A command, ready to run.
#[derive(Debug)]
pub enum Command {
    /// Serve over stdio.
    Serve(Flags),
    /// List the tools; as JSON where that is set.
    Tools(Flags, bool),
    /// Connect and say what holds; as JSON where that is set.
    Check(Flags, bool),
    /// Print a client's configuration.
    Config(Client, Flags),
    /// Judge, review, approve and list a team's manifests.
    Manifest(Manifest, Flags),
}

/// Reads what was typed, without the program's name. Help, the version and completions are answered here.
///
/// # Errors
/// What to print instead of running a command: help, or what is wrong with the line.
pub fn parse(arguments: Vec<OsString>) -> Result<Command, Answer> {
    let arguments = typed::text(arguments).map_err(|problem| usage([problem]))?;
    let read = typed::read(&Bb::get_args_info(), &arguments);
    let path: Vec<&str> = ["bb"]
        .into_iter()
        .chain(read.path.iter().map(String::as_str))
        .collect();
    if read.wants_help {
        return Err(Answer::text(help(&path)));
    }
    if !read.problems.is_empty() {
        return Err(usage(read.problems));
    }
    let words: Vec<&str> = read.words.iter().map(String::as_str).collect();
    let bb = Bb::from_args(&["bb"], &words).map_err(|early| usage([one_line(&early.output)]))?;
    if bb.version {
        return Err(Answer::text(concat!(
            "bb ",
            env!("CARGO_PKG_VERSION"),
            "\n"
        )));
    }
    if bb.licenses {
        return Err(Answer::text(licenses::text()));
    }
    let Some(area) = bb.area else {
        return Err(Answer::text(help(&path)));
    };
    let mcp = match area {
        Area::Completion(Completion { shell }) => {
            let script = completion::script(&shell, &Bb::get_args_info());
            return Err(script.map_or_else(|problem| usage([problem]), Answer::text));
        }
        Area::Ai(Ai { area }) => area.and_then(|AiArea::Mcp(mcp)| mcp.command),
    };
    match mcp {
        None => Err(Answer::text(help(&path))),
        Some(McpCommand::Serve(serve)) => Ok(Command::Serve(serve.flags())),
        Some(McpCommand::Tools(tools)) => Ok(Command::Tools(tools.flags(), tools.json)),
        Some(McpCommand::Check(check)) => Ok(Command::Check(check.flags(), check.json)),
        Some(McpCommand::Manifest(area)) => match area.read() {
            None => Err(Answer::text(help(&path))),
            Some(Err(problem)) => Err(usage([problem])),
            Some(Ok((command, flags))) => Ok(Command::Manifest(command, flags)),
        },
        Some(McpCommand::Config(config)) => match Client::parse(&config.client) {
            Ok(client) => Ok(Command::Config(client, config.flags())),
            Err(problem) => Err(usage([problem])),
        },
    }
}

/// Flags that were typed, for a command that takes few of them.
fn typed_flags(given: &[(&str, Option<String>)]) -> Flags {
    let mut flags = Flags::default();
    for (name, value) in given {
        if let Some(value) = value {
            flags.put(name, vec![value.clone()]);
        }
    }
    flags
}

fn usage(problems: impl IntoIterator<Item = String>) -> Answer {
    Answer::problems(Exit::Usage, problems)
}

/// The help of the command at `path`, which starts with `bb`.
fn help(path: &[&str]) -> String {
    let words: Vec<&str> = path[1..].iter().copied().chain(["--help"]).collect();
    match Bb::from_args(&["bb"], &words) {
        Err(early) => early.output,
        Ok(_) => String::new(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// bb connects AI clients to Bitbucket Data Center.
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(
    help_triggers("-h", "--help"),
    usage = "[--version] [--licenses] <command> [flags]"
)]
#[argh(example = "bb ai mcp check --host https://code.example.com")]
#[argh(example = "bb ai mcp config vscode --host https://code.example.com")]
#[argh(example = "bb completion bash > ~/.local/share/bash-completion/completions/bb")]
struct Bb {
    /// print bb's version
    #[argh(switch)]
    version: bool,
    /// print the licenses of all that is in bb
    #[argh(switch)]
    licenses: bool,
    #[argh(subcommand)]
    area: Option<Area>,
}

#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand)]
#[expect(
    clippy::large_enum_variant,
    reason = "one is made a run, and argh takes no boxes"
)]
enum Area {
    Ai(Ai),
    Completion(Completion),
}

/// for AI clients: see `bb ai mcp --help`
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(
    subcommand,
    name = "ai",
    help_triggers("-h", "--help"),
    usage = "mcp <command> [flags]"
)]
#[argh(example = "bb ai mcp serve --help")]
struct Ai {
    #[argh(subcommand)]
    area: Option<AiArea>,
}

#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand)]
enum AiArea {
    Mcp(Mcp),
}

/// the MCP server for Bitbucket Data Center and what belongs to it
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(
    subcommand,
    name = "mcp",
    help_triggers("-h", "--help"),
    usage = "<command> [flags]"
)]
#[argh(example = "bb ai mcp check --host https://code.example.com --token-file ~/.config/bb/token")]
#[argh(example = "bb ai mcp tools --json")]
#[argh(example = "bb ai mcp config claude-desktop --host https://code.example.com")]
struct Mcp {
    #[argh(subcommand)]
    command: Option<McpCommand>,
}

#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand)]
enum McpCommand {
    Serve(Serve),
    Tools(Tools),
    Check(Check),
    Config(Config),
    Manifest(ManifestArea),
}

/// print the completion script of a shell
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand, name = "completion", help_triggers("-h", "--help"))]
#[argh(example = "bb completion bash > ~/.local/share/bash-completion/completions/bb")]
#[argh(example = "bb completion zsh > ~/.zfunc/_bb")]
#[argh(example = "bb completion fish > ~/.config/fish/completions/bb.fish")]
struct Completion {
    /// bash, zsh or fish
    #[argh(positional)]
    shell: String,
}

/// What a field of a command holds, as [`Flags`] keeps it.
trait Typed {
    fn values(&self) -> Vec<String>;
}

impl Typed for Option<String> {
    fn values(&self) -> Vec<String> {
        self.iter().cloned().collect()
    }
}

impl Typed for Vec<String> {
    fn values(&self) -> Vec<String> {
        self.clone()
    }
}

impl Typed for bool {
    fn values(&self) -> Vec<String> {
        self.then(String::new).into_iter().collect()
    }
}

/// Makes a command with the flags that `serve`, `tools`, `check` and `config` share: argh cannot put one struct's
/// flags into another's.
macro_rules! command {
    ($(#[$($about:tt)*])* $name:ident { $($own:tt)* }) => {
        command! {
            @build [$(#[$($about)*])*] $name { $($own)* }
            /// base address with its context path (BITBUCKET_URL)
            #[argh(option)] host: [Option<String>],
            /// the token's file, for its owner alone (BITBUCKET_TOKEN_FILE)
            #[argh(option)] token_file: [Option<String>],
            /// ask git's credential helpers (BB_GIT_CREDENTIALS=1)
            #[argh(switch)] git_credentials: [bool],
            /// permit http to another machine (BB_ALLOW_HTTP=1)
            #[argh(switch)] allow_http: [bool],
            /// reach this project only; may be repeated (BB_SCOPE)
            #[argh(option)] project: [Vec<String>],
            /// reach this KEY/SLUG only; may be repeated (BB_SCOPE)
            #[argh(option)] repo: [Vec<String>],
            /// expose these tools or groups only, by commas
            #[argh(option)] tools: [Option<String>],
            /// withhold these tools; wins over --tools
            #[argh(option)] exclude: [Option<String>],
            /// only tools that read (BB_READ_ONLY=1)
            #[argh(switch)] read_only: [bool],
            /// tools that ask do not ask; the client does
            #[argh(switch)] no_confirm: [bool],
            /// auto, always or never offer views (BB_VIEWS)
            #[argh(option)] views: [Option<String>],
            /// PEM added to the machine's roots (BB_CA_FILE)
            #[argh(option)] ca_file: [Option<String>],
            /// PEM chain, maybe with its key (BB_CLIENT_CERT)
            #[argh(option)] client_cert: [Option<String>],
            /// PEM key of the certificate (BB_CLIENT_KEY)
            #[argh(option)] client_key: [Option<String>],
            /// http, https or socks5 address, or none (BB_PROXY)
            #[argh(option)] proxy: [Option<String>],
            /// hosts reached directly, by commas (BB_NO_PROXY)
            #[argh(option)] no_proxy: [Option<String>],
            /// one request, default 20s (BB_REQUEST_TIMEOUT)
            #[argh(option)] request_timeout: [Option<String>],
            /// append a line a call (BB_AUDIT_FILE)
            #[argh(option)] audit_file: [Option<String>],
            /// deny or warn if it cannot (BB_AUDIT_FAILURE)
            #[argh(option)] audit_failure: [Option<String>],
            /// a result, default 200ms (BB_HIGHLIGHT_DEADLINE)
            #[argh(option)] highlight_deadline: [Option<String>],
            /// color templates (BB_HIGHLIGHT_TEMPLATES=1)
            #[argh(switch)] highlight_templates: [bool],
            /// serve this manifest's tools and views alone
            #[argh(option)] manifest: [Option<String>],
            /// approvals, default ~/.local/state/bb (BB_STATE_DIR)
            #[argh(option)] state_dir: [Option<String>],
            /// default ~/.config/bb/config.json (BB_CONFIG_PATH)
            #[argh(option)] config: [Option<String>],
            /// error, warn, info or debug (BB_LOG_LEVEL)
            #[argh(option)] log_level: [Option<String>],
        }
    };
    (@build [$($about:tt)*] $name:ident { $($(#[$($own_meta:tt)*])* $own:ident: [$($own_type:tt)*],)* }
     $($(#[$($meta:tt)*])* $field:ident: [$($type:tt)*],)*) => {
        #[derive(FromArgs, ArgsInfo, Debug)]
        $($about)*
        struct $name {
            $($(#[$($own_meta)*])* $own: $($own_type)*,)*
            $($(#[$($meta)*])* $field: $($type)*,)*
        }

        impl $name {
            /// What was typed, by the names of `settings`.
            fn flags(&self) -> Flags {
                let mut flags = Flags::default();
                $(flags.put(&stringify!($field).replace('_', "-"), self.$field.values());)*
                flags
            }
        }
    };
}

command! {
    /// serve Bitbucket over stdio to the client that started bb
    #[argh(subcommand, name = "serve", help_triggers("-h", "--help"), usage = "[flags]")]
    #[argh(example = "BITBUCKET_TOKEN=... bb ai mcp serve --host https://code.example.com")]
    #[argh(example = "bb ai mcp serve --host https://code.example.com --token-file ~/.config/bb/token")]
    #[argh(example = "bb ai mcp serve --ca-file corp.pem --client-cert me.pem --proxy http://proxy:3128")]
    Serve {}
}

command! {
    /// list the tools, and which flag withholds one
    #[argh(subcommand, name = "tools", help_triggers("-h", "--help"), usage = "[--json] [flags]")]
    #[argh(example = "bb ai mcp tools")]
    #[argh(example = "bb ai mcp tools --json --read-only")]
    Tools {
        /// print JSON
        #[argh(switch)] json: [bool],
    }
}

command! {
    /// connect as serve would and say what holds
    #[argh(subcommand, name = "check", help_triggers("-h", "--help"), usage = "[--json] [flags]")]
    #[argh(example = "bb ai mcp check --host https://code.example.com")]
    #[argh(example = "bb ai mcp check --json")]
    Check {
        /// print JSON
        #[argh(switch)] json: [bool],
    }
}

command! {
    /// print a client's configuration, never with a secret in it
    #[argh(subcommand, name = "config", help_triggers("-h", "--help"), usage = "<client> [flags]")]
    #[argh(example = "bb ai mcp config vscode --host https://code.example.com")]
    #[argh(example = "bb ai mcp config claude-code --token-file ~/.config/bb/token > .mcp.json")]
    Config {
        /// vscode, claude-desktop, claude-code, cursor, goose, zed, codex
        #[argh(positional)] client: [String],
    }
}

#[cfg(test)]
mod tests;
