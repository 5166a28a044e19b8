//! bb from outside: the real binary, real pipes, a real Bitbucket stand-in. One binary, a file per area.

#![allow(clippy::panic)]

mod arguments;
mod audit;
mod cli;
mod confirm;
mod faults;
mod reading;
mod scope;
mod stdio;
mod support;
mod tidy;
mod tools;
mod writing;
