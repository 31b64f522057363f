//! The benchmarks, one a file.

mod append;
mod buffered;
mod checks;
mod debug;
mod graph;
mod hook;
mod import;
mod memory;
mod open;
mod processes;
mod queries;
mod rebuild;
mod redact;
mod replay;
mod repo_map;
mod timeline;
mod verify;

use std::io::Write;

use crate::BenchError;
use crate::harness::board;
use crate::request::{Request, USAGE};

type Bench = fn(&Request, &mut dyn Write) -> Result<(), BenchError>;

const ALL: [(&str, Bench); 16] = [
    ("append", append::run),
    ("buffered", buffered::run),
    ("processes", processes::run),
    ("verify", verify::run),
    ("replay", replay::run),
    ("rebuild", rebuild::run),
    ("graph", graph::run),
    ("queries", queries::run),
    ("open", open::run),
    ("import", import::run),
    ("hook", hook::run),
    ("memory", memory::run),
    ("repo-map", repo_map::run),
    ("redact", redact::run),
    ("debug", debug::run),
    ("checks", checks::run),
];

/// What has a floor, a peer or a limit to be held against; the others print figures of their own.
const HELD: [&str; 10] = [
    "append",
    "buffered",
    "processes",
    "verify",
    "replay",
    "rebuild",
    "graph",
    "open",
    "import",
    "hook",
];

/// Runs everything that is held against something, and prints what was reached as one table.
fn table(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    for (name, bench) in ALL.iter().filter(|(name, _)| HELD.contains(name)) {
        writeln!(out, "\n== {name}").map_err(BenchError::io("printing"))?;
        bench(request, out)?;
    }
    board::print(out)
}

/// Runs what was asked for.
pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    match request.command.as_str() {
        "all" => return ALL.iter().try_for_each(|(_, bench)| bench(request, out)),
        "table" => return table(request, out),
        "child-append" => return processes::child(&request.rest, out),
        "child-rebuild" => return rebuild::child(&request.rest),
        _ => {}
    }
    match ALL.iter().find(|(name, _)| *name == request.command) {
        Some((_, bench)) => bench(request, out),
        None => Err(BenchError::Usage(USAGE.into())),
    }
}
