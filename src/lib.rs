//! bb: an MCP server over stdio for Bitbucket Data Center, with interactive views.

#![cfg_attr(test, allow(clippy::panic))]

pub mod bitbucket;
pub mod cancel;
pub mod catalog;
pub mod check;
pub mod clean;
pub mod cli;
pub mod digest;
pub mod domain;
pub mod exit;
pub mod log;
pub mod manifests;
pub mod markdown;
pub mod mcp;
pub mod near;
pub mod page;
pub mod random;
pub mod run;
pub mod secret;
pub mod serve;
pub mod settings;
pub mod show;
pub mod tool;
pub mod tools;
pub mod words;

pub use run::run;
