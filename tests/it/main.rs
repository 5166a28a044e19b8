//! bb from outside: the real binary, real pipes, a real Bitbucket stand-in. One binary, a file per area.

#![allow(clippy::panic)]

mod cli;
mod faults;
mod preview;
mod reading;
mod refresh;
mod required_builds;
mod show;
mod stdio;
mod support;
mod tidy;
mod views;
