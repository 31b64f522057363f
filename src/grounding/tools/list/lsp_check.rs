//! `lsp_check`: `cargo check` of the crate that a path is in, its diagnostics by file and line.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::{last_words, lines, read, run_program};
use crate::grounding::tools::program::{Ended, Ran};
use crate::grounding::tools::{
    Bench, Given, PROGRAM_S, PROGRAM_S_MAX, Parameter, ParameterKind, Place, PlaceError, Result,
    ToolError, ToolSpec, program,
};
use crate::parse::check;
use crate::parse::check::diagnostic::Diagnostic;

const NAME: &str = "lsp_check";
const CARGO: &str = "cargo";
const GET: &str = "install Rust from https://rustup.rs";
const STDERR_BYTES_MAX: usize = 64 << 10;

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "Check the crate that a path is in with cargo check, and list what is wrong",
    parameters: &[
        Parameter::optional("path", ParameterKind::Text, "A file or folder of it [default: .]"),
        Parameter::optional("all_targets", ParameterKind::Flag, "Tests, examples, benches too"),
        Parameter::optional("timeout_s", ParameterKind::Number, "Seconds [default: 300]"),
    ],
    run,
    program: Some(CARGO),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: Option<String>,
    #[serde(default)]
    all_targets: bool,
    timeout_s: Option<u64>,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let asked: Arguments = read(NAME, arguments)?;
    let place = bench.workspace.place(asked.path.as_deref().unwrap_or("."))?;
    let folder = crate_of(&place, bench)?;
    let seconds = asked.timeout_s.unwrap_or(PROGRAM_S).clamp(1, PROGRAM_S_MAX);
    let mut command = cargo(&folder);
    command.args(["check", "--message-format=json", "--color=never"]);
    if asked.all_targets {
        command.arg("--all-targets");
    }
    let ran = run_program(command, CARGO, GET, seconds, bench)?;
    let mut found = check::diagnostics(check::RUST, ran.stdout.head(), ran.stderr.head());
    if found.iter().any(|one| one.file_name.is_some()) {
        from_root(&mut found, &folder, bench);
    }
    Ok(given(&ran, found, seconds, bench.workspace.root(), &folder))
}

/// The folder of the crate that a place is in: the nearest with a `Cargo.toml`, up to the root.
fn crate_of(place: &Place, bench: &Bench<'_>) -> Result<PathBuf> {
    if !bench.workspace.is_folder(place) {
        // Says why, where there is neither a folder nor a file.
        bench.workspace.file(place)?;
    }
    for count in (0..=place.parts().len()).rev() {
        let folder = place.parts()[..count].join("/");
        let folder = bench.workspace.place(if folder.is_empty() { "." } else { &folder })?;
        let manifest = bench.workspace.place(&format!("{}/Cargo.toml", folder.shown()))?;
        match bench.workspace.snapshot(&manifest) {
            Ok(Some(_)) => return Ok(folder.under(bench.workspace.root())),
            // The place itself is a file, or nothing of ours is there.
            Ok(None) | Err(PlaceError::NotAFolder { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(ToolError::NoCrate { path: place.shown() })
}

fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(CARGO);
    command.current_dir(folder);
    command
}

/// Names files from the project's root: cargo names them from the workspace's.
fn from_root(found: &mut [Diagnostic], folder: &Path, bench: &Bench<'_>) {
    let mut command = cargo(folder);
    command.args(["locate-project", "--workspace", "--message-format=plain"]);
    let located = program::run(command, Duration::from_secs(30), bench.stop);
    let manifest = match &located {
        Ok(ran) if ran.status.success() => String::from_utf8_lossy(ran.stdout.head()).into_owned(),
        // It was found a moment ago; without it the crate's own folder is the likeliest.
        _ => String::new(),
    };
    let workspace = Path::new(manifest.trim()).parent().filter(|path| path.is_absolute());
    let workspace = workspace.unwrap_or(folder);
    for one in found {
        let Some(file) = &mut one.file_name else { continue };
        let full = workspace.join(file.as_str());
        if let Ok(inside) = full.strip_prefix(bench.workspace.root()) {
            *file = inside.to_string_lossy().into_owned();
        }
    }
}

fn given(ran: &Ran, found: Vec<Diagnostic>, seconds: u64, root: &Path, folder: &Path) -> Given {
    let errors = found.iter().filter(|one| one.level == "error").count();
    let warnings = found.iter().filter(|one| one.level == "warning").count();
    let failed = match ran.ended {
        Ended::TooLong => Some(format!("cargo check was ended after {seconds} s: raise timeout_s")),
        Ended::Unwanted => Some("cargo check was ended: it was no longer wanted".to_owned()),
        Ended::ByItself if ran.status.success() => None,
        Ended::ByItself => {
            let first = found.iter().find(|one| one.level == "error").map(Diagnostic::line);
            Some(first.unwrap_or_else(|| last_words(ran, "cargo check")))
        }
    };
    let (mut text, _) = lines(found.iter().map(Diagnostic::line));
    let checked = folder.strip_prefix(root).map(|path| path.to_string_lossy().into_owned());
    let checked = match checked {
        Ok(path) if !path.is_empty() => path,
        // The root itself; it lies nowhere else.
        _ => ".".to_owned(),
    };
    text += &format!("{checked}: {errors} errors, {warnings} warnings");
    let data = json!({
        "crate": checked,
        "errors": errors,
        "warnings": warnings,
        "diagnostics": found,
    });
    let mut paths: Vec<String> = found.iter().filter_map(|one| one.file_name.clone()).collect();
    paths.sort();
    paths.dedup();
    let stderr = ran.stderr.head();
    let stderr = &stderr[stderr.len().saturating_sub(STDERR_BYTES_MAX)..];
    Given {
        failed,
        exit_code: ran.status.code(),
        stderr: Some(stderr.to_vec()).filter(|bytes| !bytes.is_empty()),
        diagnostics: found,
        paths,
        ..Given::with(text, data)
    }
}
