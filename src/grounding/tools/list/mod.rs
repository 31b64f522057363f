//! The tools: what each takes and does.

use crate::parse::json::{self, FieldError};
mod file_edit;
mod file_glob;
mod file_search;
mod files;
mod graph;
mod lsp_check;
pub(crate) mod memory_query;
mod splice;
#[cfg(test)]
mod tests;

use std::io::ErrorKind;
use std::process::Command;
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::program::Ran;
use super::{Bench, Result, TEXT_BYTES_MAX, ToolError, ToolSpec, program};

/// Every tool that there is, in the contract's order.
pub const TOOLS: &[ToolSpec] = &[
    files::READ,
    files::WRITE,
    files::CREATE,
    file_edit::SPEC,
    file_search::SPEC,
    file_glob::SPEC,
    splice::PATCH,
    splice::PLAN,
    graph::SYMBOLS,
    graph::REFERENCES,
    graph::REFERENCES_FROM_FILE,
    lsp_check::SPEC,
    memory_query::SPEC,
];

fn read<T: DeserializeOwned>(tool: &'static str, arguments: &str) -> Result<T> {
    let read = match arguments.trim_start().starts_with('{') {
        true => json::read(arguments.as_bytes()),
        // A list would be taken for the values of an object in their order.
        false => {
            let why = serde::de::Error::custom("the arguments are no JSON object");
            Err(FieldError { path: String::new(), why })
        }
    };
    read.map_err(|source| ToolError::Arguments { tool, source })
}

/// Lines as one text, so many as there is room for; and whether that was all.
fn lines(lines: impl Iterator<Item = String>) -> (String, bool) {
    let mut text = String::new();
    for line in lines {
        if text.len() + line.len() > TEXT_BYTES_MAX {
            return (text, false);
        }
        text.push_str(&line);
        text.push('\n');
    }
    (text, true)
}

/// Runs the program that a tool needs; `get` is how to come by it.
fn run_program(
    command: Command,
    program: &'static str,
    get: &'static str,
    seconds: u64,
    bench: &Bench<'_>,
) -> Result<Ran> {
    let ran = program::run(command, Duration::from_secs(seconds), bench.stop);
    ran.map_err(|source| match source.kind() {
        ErrorKind::NotFound => ToolError::NoProgram { program, get },
        _ => ToolError::Program { program, source },
    })
}

/// The last that a program said of why it failed; else how it ended.
fn last_words(ran: &Ran, program: &str) -> String {
    let stderr = String::from_utf8_lossy(ran.stderr.head());
    match stderr.lines().map(str::trim).rfind(|line| !line.is_empty()) {
        Some(line) => line.chars().take(400).collect(),
        None => format!("{program}: {}", ran.status),
    }
}
