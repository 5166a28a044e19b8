//! The protocol: MCP's JSON-RPC over stdio, both eras on one pipe.
//!
//! Knows nothing of Bitbucket, and never decides what a tool may do: it hands calls to a
//! [`server::Service`]. Start reading at [`server`], then follow one line: [`lines`], [`message`],
//! [`caller`], [`calls`], [`wire`].

pub mod caller;
pub mod calls;
pub mod error;
pub mod lines;
pub mod message;
pub mod server;
pub mod wire;
