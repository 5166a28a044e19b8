//! bb: an MCP server over stdio for Bitbucket Data Center, with interactive views.
//!
//! This page is the map. `main.rs` calls [`run()`] and nothing else; everything below is a library so that tests,
//! benches and the preview can use the same parts.
//!
//! # The path of one call
//!
//! A line comes in at [`mcp::lines`], is told apart in [`mcp::message`], and meets the method table of
//! [`mcp::server`]; who asks, and in which era of the protocol, is [`mcp::caller`]'s. A `tools/call` gets a thread and
//! a place in [`mcp::calls`], and goes to the [`catalog`]: the one door that knows every tool and decides whether this
//! call may run. Its arguments are read by [`tool::args`]; one file of [`tools`], or [`show`] for a view, does the
//! work; [`bitbucket`] asks over HTTP and answers values of [`domain`]. What a tool found becomes text in
//! [`tool::answer`], and leaves as one line through the thread of [`mcp::lines`], the only code that touches stdout.
//!
//! # The parts, in reading order
//!
//! - [`mcp`]: the protocol, written by hand, both eras. Knows nothing of Bitbucket.
//! - [`domain`]: Bitbucket's nouns as plain values. No JSON, no I/O, no clock.
//! - [`bitbucket`]: the client. Only its `http` names ureq and opens a [`secret`].
//! - [`tool`] and [`tools`]: what a tool is, and each of them.
//! - [`show`], [`page`], [`markdown`], [`highlight`]: views. What one draws travels in a result; the page is the same
//!   for everyone.
//! - [`catalog`]: the table of tools, and who may do what.
//! - [`manifests`]: views and tools that a team brings.
//! - [`cli`], [`settings`], [`check`], [`serve`], [`run`](mod@run), [`exit`]: the commands.
//! - [`licenses`]: what `bb --licenses` prints.
//! - [`words`], [`clean`], [`near`], [`cancel`], [`beside`], [`digest`], [`random`], [`log`]: small things that many
//!   parts need.
//!
//! # What is deliberately absent
//!
//! No async runtime, no MCP library, no HTML that was a string, no state of a conversation, no request to anything but
//! the Bitbucket host. `tests/it/tidy.rs` holds which part may know which, and which crate may be named where.

#![cfg_attr(test, allow(clippy::panic))]

pub mod beside;
pub mod bitbucket;
pub mod cancel;
pub mod catalog;
pub mod check;
pub mod clean;
pub mod cli;
pub mod digest;
pub mod domain;
pub mod exit;
pub mod highlight;
pub mod licenses;
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
