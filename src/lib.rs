//! bb: an MCP server over stdio for Bitbucket Data Center, with interactive views.

pub mod bitbucket;
pub mod cancel;
pub mod clean;
pub mod cli;
pub mod domain;
pub mod exit;
pub mod near;
pub mod run;
pub mod secret;
pub mod serve;
pub mod settings;

pub use run::run;
