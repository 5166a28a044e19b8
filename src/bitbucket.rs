//! The client: HTTP in, domain values out.
//!
//! Never writes JSON for a view and never knows of MCP. Start reading at [`connection`], then
//! [`http`].

pub mod address;
pub mod connection;
pub mod error;
pub mod http;
pub mod listing;
pub mod tls;
