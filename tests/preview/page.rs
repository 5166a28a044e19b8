//! Prints the page, for the browser tests and for whoever wants to read what a host is given.

use std::io::Write;

fn main() -> std::io::Result<()> {
    std::io::stdout().write_all(bb::page::document().as_bytes())
}
