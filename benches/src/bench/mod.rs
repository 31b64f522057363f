//! The benchmarks, one a file.

mod append;
mod buffered;

use std::io::Write;

use crate::BenchError;
use crate::request::{Request, USAGE};

type Bench = fn(&Request, &mut dyn Write) -> Result<(), BenchError>;

const ALL: [(&str, Bench); 2] = [("append", append::run), ("buffered", buffered::run)];

/// Runs what was asked for.
pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    if request.command == "all" {
        return ALL.iter().try_for_each(|(_, bench)| bench(request, out));
    }
    match ALL.iter().find(|(name, _)| *name == request.command) {
        Some((_, bench)) => bench(request, out),
        None => Err(BenchError::Usage(USAGE.into())),
    }
}
