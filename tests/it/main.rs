//! Every test that drives bb from outside: one binary, a file per area.

mod cli;
