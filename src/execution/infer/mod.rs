//! Which of the contract's tools a command line is, and what a call's arguments name.

use std::path::Path;

mod edits;
mod targets;
#[cfg(test)]
mod tests;

pub use edits::edits;
pub use targets::targets;

/// The tool for compiler checks, whose output is read for diagnostics.
pub const CHECK: &str = "lsp_check";
/// The tool for every other command.
pub const COMMAND: &str = "bash_exec";

/// The contract's tool for an argument vector: `cargo check` and `cargo clippy` are `lsp_check`,
/// everything else is `bash_exec`.
pub fn tool(argv: &[String]) -> &'static str {
    let Some((program, rest)) = argv.split_first() else { return COMMAND };
    let name = Path::new(program).file_name().and_then(|name| name.to_str());
    if name.is_none_or(|name| name.strip_suffix(".exe").unwrap_or(name) != "cargo") {
        return COMMAND;
    }
    match subcommand(rest) {
        Some("check" | "c" | "clippy") => CHECK,
        _ => COMMAND,
    }
}

/// Cargo's subcommand: the first word that is neither `+toolchain` nor an option nor its value.
fn subcommand(arguments: &[String]) -> Option<&str> {
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        match argument {
            "--color" | "--config" | "-Z" | "-C" | "--explain" => drop(arguments.next()),
            _ if argument.starts_with(['+', '-']) => {}
            _ => return Some(argument),
        }
    }
    None
}
