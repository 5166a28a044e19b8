//! bb from outside: the real binary, real pipes, a real Bitbucket stand-in. One binary, a file per area.

#![allow(clippy::panic)]

mod cli;
mod contrast;
mod faults;
mod reading;
mod refresh;
mod required_builds;
mod show;
mod stdio;
mod support;
mod tidy;
mod views;
