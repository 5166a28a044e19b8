//! `bb ai mcp manifest …`: what can be typed.
//!
//! Never reads a manifest. Start reading at [`Manifest`].

use crate::cli::typed_flags;
use crate::settings::Flags;
use argh::{ArgsInfo, FromArgs};

/// A command about manifests, ready to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Manifest {
    /// Tell every finding.
    Check {
        /// The files.
        files: Vec<String>,
        /// As JSON.
        as_json: bool,
        /// A table of tools to judge against, instead of bb's.
        base_tools: Option<String>,
    },
    /// Tell what a person must know.
    Review {
        /// A file, or the id of an approved manifest.
        what: String,
        /// Whether pages are shown instead.
        source: bool,
        /// The one page.
        view: Option<String>,
        /// As JSON.
        as_json: bool,
    },
    /// Let exact bytes in.
    Approve {
        /// The file.
        file: String,
        /// The digest of what was reviewed.
        sha256: Option<String>,
    },
    /// Tell what is approved.
    List {
        /// As JSON.
        as_json: bool,
    },
    /// Switch one on or off.
    Switch {
        /// Its id.
        id: String,
        /// On.
        enabled: bool,
    },
    /// Take one away.
    Remove {
        /// Its id.
        id: String,
    },
}

/// judge, review and approve views and tools that a team brings
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(
    subcommand,
    name = "manifest",
    help_triggers("-h", "--help"),
    usage = "<command> [flags]"
)]
#[argh(example = "bb ai mcp manifest check board.json")]
#[argh(example = "bb ai mcp manifest review board.json")]
#[argh(example = "bb ai mcp manifest approve board.json")]
pub struct ManifestArea {
    #[argh(subcommand)]
    command: Option<ManifestCommand>,
}

#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(subcommand)]
enum ManifestCommand {
    Check(Check),
    Review(Review),
    Approve(Approve),
    List(List),
    Disable(Disable),
    Enable(Enable),
    Remove(Remove),
}

impl ManifestArea {
    /// What is asked and under which settings; `None` where no command was typed.
    pub fn read(self) -> Option<Result<(Manifest, Flags), String>> {
        Some(Ok(match self.command? {
            ManifestCommand::Check(given) => (
                Manifest::Check {
                    files: given.files,
                    as_json: given.json,
                    base_tools: given.base_tools,
                },
                typed_flags(&[("host", given.host), ("config", given.config)]),
            ),
            ManifestCommand::Review(given) => {
                if given.view.is_some() && !given.source {
                    return Some(Err(
                        "a view is named without --source, which shows its page".to_owned(),
                    ));
                }
                (
                    Manifest::Review {
                        what: given.what,
                        source: given.source,
                        view: given.view,
                        as_json: given.json,
                    },
                    kept(given.host, given.state_dir, given.config),
                )
            }
            ManifestCommand::Approve(given) => (
                Manifest::Approve {
                    file: given.file,
                    sha256: given.sha256,
                },
                kept(given.host, given.state_dir, given.config),
            ),
            ManifestCommand::List(given) => (
                Manifest::List {
                    as_json: given.json,
                },
                kept(given.host, given.state_dir, given.config),
            ),
            ManifestCommand::Disable(given) => (
                Manifest::Switch {
                    id: given.id,
                    enabled: false,
                },
                kept(None, given.state_dir, given.config),
            ),
            ManifestCommand::Enable(given) => (
                Manifest::Switch {
                    id: given.id,
                    enabled: true,
                },
                kept(None, given.state_dir, given.config),
            ),
            ManifestCommand::Remove(given) => (
                Manifest::Remove { id: given.id },
                kept(None, given.state_dir, given.config),
            ),
        }))
    }
}

fn kept(host: Option<String>, state_dir: Option<String>, config: Option<String>) -> Flags {
    typed_flags(&[("host", host), ("state-dir", state_dir), ("config", config)])
}

// argh looks at how a type is written, so types are passed on as they stand.
macro_rules! command {
    ($(#[$($about:tt)*])* $name:ident { $($(#[$($meta:tt)*])* $field:ident: [$($type:tt)*],)* }) => {
        #[derive(FromArgs, ArgsInfo, Debug)]
        $(#[$($about)*])*
        struct $name {
            $($(#[$($meta)*])* $field: $($type)*,)*
            /// approvals, default ~/.local/state/bb (BB_STATE_DIR)
            #[argh(option)]
            state_dir: Option<String>,
            /// default ~/.config/bb/config.json (BB_CONFIG_PATH)
            #[argh(option)]
            config: Option<String>,
        }
    };
}

/// tell everything that is wrong with manifests
#[derive(FromArgs, ArgsInfo, Debug)]
#[argh(
    subcommand,
    name = "check",
    help_triggers("-h", "--help"),
    usage = "<files...> [flags]"
)]
#[argh(example = "bb ai mcp manifest check board.json wall.json --json")]
struct Check {
    /// manifests
    #[argh(positional)]
    files: Vec<String>,
    /// print JSON
    #[argh(switch)]
    json: bool,
    /// judge against this table of tools, not bb's
    #[argh(option)]
    base_tools: Option<String>,
    /// the Bitbucket that no view may reach (BITBUCKET_URL)
    #[argh(option)]
    host: Option<String>,
    /// default ~/.config/bb/config.json (BB_CONFIG_PATH)
    #[argh(option)]
    config: Option<String>,
}

command! {
    /// show what a manifest is, reaches and calls
    #[argh(subcommand, name = "review", help_triggers("-h", "--help"), usage = "<what> [view] [flags]")]
    #[argh(example = "bb ai mcp manifest review board.json")]
    #[argh(example = "bb ai mcp manifest review team_board --source board")]
    Review {
        /// a file, or the id of an approved manifest
        #[argh(positional)]
        what: [String],
        /// with --source: this view's page alone
        #[argh(positional)]
        view: [Option<String>],
        /// print the pages as text
        #[argh(switch)]
        source: [bool],
        /// print JSON
        #[argh(switch)]
        json: [bool],
        /// the Bitbucket that no view may reach (BITBUCKET_URL)
        #[argh(option)]
        host: [Option<String>],
    }
}

command! {
    /// let exactly these bytes in, after a review
    #[argh(subcommand, name = "approve", help_triggers("-h", "--help"), usage = "<file> [flags]")]
    #[argh(example = "bb ai mcp manifest approve board.json")]
    Approve {
        /// the manifest
        #[argh(positional)]
        file: [String],
        /// the full digest of what somebody reviewed
        #[argh(option)]
        sha256: [Option<String>],
        /// the Bitbucket that no view may reach (BITBUCKET_URL)
        #[argh(option)]
        host: [Option<String>],
    }
}

command! {
    /// list what is approved, and how it is today
    #[argh(subcommand, name = "list", help_triggers("-h", "--help"), usage = "[flags]")]
    #[argh(example = "bb ai mcp manifest list --json")]
    List {
        /// print JSON
        #[argh(switch)]
        json: [bool],
        /// the Bitbucket that no view may reach (BITBUCKET_URL)
        #[argh(option)]
        host: [Option<String>],
    }
}

command! {
    /// switch a manifest off; it stays approved
    #[argh(subcommand, name = "disable", help_triggers("-h", "--help"), usage = "<id> [flags]")]
    #[argh(example = "bb ai mcp manifest disable team_board")]
    Disable {
        /// its id
        #[argh(positional)]
        id: [String],
    }
}

command! {
    /// switch a manifest on again
    #[argh(subcommand, name = "enable", help_triggers("-h", "--help"), usage = "<id> [flags]")]
    #[argh(example = "bb ai mcp manifest enable team_board")]
    Enable {
        /// its id
        #[argh(positional)]
        id: [String],
    }
}

command! {
    /// take a manifest away, with its approval
    #[argh(subcommand, name = "remove", help_triggers("-h", "--help"), usage = "<id> [flags]")]
    #[argh(example = "bb ai mcp manifest remove team_board")]
    Remove {
        /// its id
        #[argh(positional)]
        id: [String],
    }
}
