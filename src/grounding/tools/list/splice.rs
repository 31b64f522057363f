//! The splice program (crates.io: splice): what its tools have in common.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use crate::grounding::tools::program::{Ended, Ran};
use crate::grounding::tools::{Bench, PROGRAM_S, Place, ToolError, program};

pub(super) const PROGRAM: &str = "splice";
const GET: &str = "cargo install splice";

/// One replacement of a symbol, as spec 000's example writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replacement {
    #[serde(alias = "path", alias = "file_path")]
    pub file: String,
    #[serde(alias = "name", alias = "symbol_name")]
    pub symbol: String,
    #[serde(default)]
    pub kind: Option<String>,
    /// The file that holds what shall stand there.
    pub with: String,
}

impl Replacement {
    /// Its two files, both inside the project and both there.
    pub fn places(&self, bench: &Bench<'_>) -> Result<[Place; 2], ToolError> {
        let places = [bench.workspace.place(&self.file)?, bench.workspace.place(&self.with)?];
        bench.workspace.changeable(&places[0])?;
        for place in &places {
            bench.workspace.file(place)?;
        }
        Ok(places)
    }

    /// Runs `splice patch` on it; where `preview`, it only says what would change.
    pub fn run(&self, bench: &Bench<'_>, preview: bool) -> Result<Ran, ToolError> {
        let [file, with] = self.places(bench)?;
        let root = bench.workspace.root();
        let mut command = splice(root);
        command.arg("patch");
        let pairs = [("--file", file.under(root)), ("--with", with.under(root))];
        for (flag, path) in pairs {
            command.arg(joined(flag, path.as_os_str()));
        }
        command.arg(joined("--symbol", self.symbol.as_ref()));
        if let Some(kind) = &self.kind {
            command.arg(joined("--kind", kind_of(kind).as_ref()));
        }
        if preview {
            command.arg("--preview");
        }
        run(command, bench)
    }
}

/// `--flag=value`: whatever the value begins with, it is no flag.
fn joined(flag: &str, value: &std::ffi::OsStr) -> OsString {
    let mut word = OsString::from(flag);
    word.push("=");
    word.push(value);
    word
}

/// Splice's word for a kind that the contract writes as Rust does.
fn kind_of(kind: &str) -> &str {
    match kind {
        "fn" => "function",
        "mod" => "module",
        "type" => "type-alias",
        other => other,
    }
}

fn splice(root: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(root);
    command
}

fn run(command: Command, bench: &Bench<'_>) -> Result<Ran, ToolError> {
    let ran = program::run(command, Duration::from_secs(PROGRAM_S), bench.stop);
    ran.map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => ToolError::NoProgram { program: PROGRAM, get: GET },
        _ => ToolError::Program { program: PROGRAM, source },
    })
}

/// Why a run is no success; `None` where it is one.
pub(super) fn failed(ran: &Ran) -> Option<String> {
    let stderr = String::from_utf8_lossy(ran.stderr.head()).into_owned();
    let last = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
    match ran.ended {
        Ended::TooLong => Some(format!("splice was ended after {PROGRAM_S} s")),
        Ended::Unwanted => Some("splice was ended: it was no longer wanted".to_owned()),
        Ended::ByItself if ran.status.success() => None,
        Ended::ByItself => Some(match last {
            Some(line) => line.chars().take(400).collect(),
            None => format!("splice: {}", ran.status),
        }),
    }
}

/// The beginning of what was printed.
pub(super) fn printed(bytes: &[u8], bytes_max: usize) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(bytes_max)]).into_owned()
}
