//! bb from outside: the real binary, real pipes, a real Bitbucket stand-in.

fn main() {}
