//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    bb::run(std::env::args_os().skip(1))
}
