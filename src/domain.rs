//! Bitbucket's nouns as plain values.
//!
//! Never reads or writes JSON, never does I/O, never looks at a clock. Start reading at [`pull_request`].

pub mod activity;
pub mod build;
pub mod comment;
pub mod commit;
pub mod count;
pub mod diff;
pub mod file;
pub mod person;
pub mod pull_request;
pub mod ref_matcher;
pub mod reference;
pub mod repository;
pub mod required_builds;
pub mod time;
