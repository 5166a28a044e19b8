//! bb from outside: the real binary, real pipes, a real Bitbucket stand-in. One binary, a file per area.

#![allow(clippy::panic)]

mod arguments;
mod cli;
mod commits;
mod drawings;
mod faults;
mod files;
mod lists;
mod pull_requests;
mod reading;
mod refresh;
mod repositories;
mod required_builds;
mod show;
mod stdio;
mod support;
mod tidy;
mod tools;
mod views;
