//! bb from outside: the real binary, real pipes, a real Bitbucket stand-in. One binary, a file per area.

#![allow(clippy::panic)]

mod arguments;
mod audit;
mod cli;
mod commits;
mod confirm;
mod contrast;
mod day;
mod drawings;
mod faults;
mod files;
mod form;
mod fuzz;
mod guarded;
mod hostile;
mod lists;
mod manifest_approvals;
mod manifest_check;
mod manifest_examples;
mod manifest_review;
mod manifests;
mod preview;
mod pull_requests;
mod questions;
mod reading;
mod readme;
mod refresh;
mod repositories;
mod requests;
mod required_builds;
mod scope;
mod shortfall;
mod show;
mod stdio;
mod strangers;
mod suggestions;
mod supply;
mod support;
mod tidy;
mod tools;
mod views;
mod writing;
