//! Benchmarks, each with its floor or peer beside it.
fn main() {}
