//! What `cargo bench` measures; nothing yet.
fn main() {}
