//! What annals costs, each figure with its floor or its best peer measured in turns beside it.
//!
//! `cargo run --release -p annals-benches -- append` and so on; README.md explains each command.

mod bench;
mod error;
mod floor;
mod harness;
#[allow(dead_code)] // not all of it is needed here
#[path = "../../tests/it/leash.rs"]
mod leash;
mod peer;
mod request;
mod sql;
mod workload;

use std::io::Write;
use std::process::ExitCode;

use error::BenchError;
use request::Request;

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let done = Request::parse(std::env::args().skip(1)).and_then(|request| {
        if !request.command.starts_with("child-") {
            writeln!(out, "{}", harness::describe_machine(&request.dir))
                .map_err(BenchError::io("printing"))?;
        }
        if request.calls {
            harness::count_calls();
        }
        bench::run(&request, &mut out)
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do where even this cannot be printed.
            drop(writeln!(std::io::stderr(), "annals-benches: {error}"));
            ExitCode::FAILURE
        }
    }
}
