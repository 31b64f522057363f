//! Everything that is held against something, run one after the other, and one table of what was reached.

use std::io::Write;
use std::time::Instant;

use super::{Bench, HELD, build, real, scaling};
use crate::BenchError;
use crate::harness::{board, machine};
use crate::request::Request;

/// Behind what a command of its own runs as well.
const LAST: [(&str, Bench); 3] =
    [("size, copy, search", real::all), ("scaling", scaling::few), ("build", build::run)];

/// Runs all; one that fails is a row that says why. Printed, and written where that was asked for.
pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let printing = || BenchError::io("printing");
    let machine = machine::describe_machine(&request.dir);
    let begin = Instant::now();
    for (name, bench) in HELD.into_iter().chain(LAST) {
        if name == "build" && request.quick {
            board::note_missing("the README's first command, nothing built", "left out by --quick");
            continue;
        }
        writeln!(out, "\n== {name}").map_err(printing())?;
        let start = Instant::now();
        if let Err(error) = bench(request, out) {
            writeln!(out, "  {name}: {error}").map_err(printing())?;
            board::note_missing(name, error);
        }
        writeln!(out, "  ({name}: {:.0} s)", start.elapsed().as_secs_f64()).map_err(printing())?;
        out.flush().map_err(printing())?;
    }
    let small = if request.quick { ", small counts: --quick" } else { "" };
    let text = format!(
        "# What was reached\n\n\
         Written by `cargo run --release -p annals-benches -- table --out benches/TABLE.md`; what each\n\
         row is, and its floor, tells [README.md](README.md). Ratios are medians (smallest … largest) of rounds in turns with the floor.\n\n\
         {machine} before and {} after\n\n{}{small}; {:.0} minutes.\n\n{}",
        machine::load(),
        machine::describe_build(),
        begin.elapsed().as_secs_f64() / 60.0,
        board::take()
    );
    writeln!(out, "\n{text}").map_err(printing())?;
    match &request.out {
        Some(path) => std::fs::write(path, text).map_err(BenchError::io("writing the table")),
        None => Ok(()),
    }
}

/// The rows of one benchmark alone, if it has any.
pub fn print(out: &mut dyn Write) -> Result<(), BenchError> {
    writeln!(out, "\n{}", board::take()).map_err(BenchError::io("printing"))
}
