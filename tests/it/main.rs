//! bb from outside: the real binary, real pipes, a real Bitbucket stand-in. One binary, a file per area.

mod cli;
