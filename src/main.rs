//! The annals program: parses, runs, returns an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    annals::main()
}
