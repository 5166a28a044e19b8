//! The client: HTTP in, domain values out.
//!
//! Never writes JSON for a view and never knows of MCP. Start reading at [`connection`].

pub mod address;
pub mod connection;
