//! bb: an MCP server over stdio for Bitbucket Data Center, with interactive views.

pub mod bitbucket;
pub mod cancel;
pub mod markdown;
pub mod page;
pub mod secret;
