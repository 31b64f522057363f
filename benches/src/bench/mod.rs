//! The benchmarks, one a file.

mod append;
mod buffered;
mod build;
mod checks;
mod debug;
mod graph;
mod hook;
mod import;
mod memory;
mod open;
mod processes;
mod queries;
mod real;
mod rebuild;
mod redact;
mod replay;
mod repo_map;
mod scaling;
mod table;
mod timeline;
mod verify;

use std::io::Write;

use crate::BenchError;
use crate::request::{Request, USAGE};

type Bench = fn(&Request, &mut dyn Write) -> Result<(), BenchError>;

/// What has a row in the table, in the order of the targets.
const HELD: [(&str, Bench); 13] = [
    ("append", append::run),
    ("buffered", buffered::run),
    ("processes", processes::run),
    ("verify", verify::run),
    ("replay", replay::run),
    ("rebuild", rebuild::run),
    ("graph", graph::run),
    ("open", open::run),
    ("hook", hook::run),
    ("import", import::run),
    ("queries", queries::run),
    ("memory", memory::run),
    ("debug", debug::run),
];

/// What has not, and parts of what the table runs as one.
const OTHERS: [(&str, Bench); 6] = [
    ("repo-map", repo_map::run),
    ("redact", redact::run),
    ("checks", checks::run),
    ("size", real::size),
    ("copy", real::copy),
    ("search", real::search),
];

/// Runs what was asked for.
pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let mut all = HELD.iter().chain(&OTHERS);
    match request.command.as_str() {
        "all" => return all.try_for_each(|(_, bench)| bench(request, out)),
        "table" => return table::run(request, out),
        "scaling" => return scaling::run(request, out).and_then(|()| table::print(out)),
        "build" => return build::run(request, out),
        "child-append" => return processes::child(&request.rest, out),
        "child-rebuild" => return rebuild::child(&request.rest),
        _ => {}
    }
    match all.find(|(name, _)| *name == request.command) {
        Some((_, bench)) => bench(request, out).and_then(|()| table::print(out)),
        None => Err(BenchError::Usage(USAGE.into())),
    }
}
