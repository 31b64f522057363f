//! The annals program: parses, runs, returns an exit code.
fn main() {}
