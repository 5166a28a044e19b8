//! bb: an MCP server over stdio for Bitbucket Data Center, with interactive views.

#![cfg_attr(test, allow(clippy::panic))]

pub mod bitbucket;
pub mod cancel;
pub mod clean;
pub mod domain;
pub mod mcp;
pub mod secret;
pub mod tool;
pub mod tools;
