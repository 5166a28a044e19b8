//! Views and tools that a team brings: one file, reviewed and approved by a person, served as a server of its own.
//!
//! Nothing of a manifest is served, run or rendered before its exact bytes are approved. Start reading at
//! [`manifest::check`].

pub mod approvals;
pub mod catalogue;
pub mod commands;
mod document;
pub mod domains;
mod fields;
pub mod findings;
mod fits;
pub mod json;
mod lock;
pub mod manifest;
mod names;
pub mod review;
pub mod schema;
pub mod served;
pub mod table;
pub mod templates;
mod tools_section;
pub mod updates;
pub mod uris;
pub mod versions;

#[cfg(test)]
mod tests;
