//! The README's first command, with nothing built: how long a newcomer waits.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use crate::BenchError;
use crate::harness::{board, watched};
use crate::request::Request;

/// Seconds.
const LIMIT_S: f64 = 180.0;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let folder = request.folder()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--release", "--locked", "--offline", "--quiet", "--", "tour"]);
    command.env("CARGO_TARGET_DIR", folder.path().join("target"));
    // What cargo told us of ourselves is not what it tells a newcomer.
    for (name, _) in std::env::vars_os() {
        let is_cargos = name.to_str().is_some_and(|it| it.starts_with("CARGO_PKG_"));
        if is_cargos || name == "CARGO_MANIFEST_DIR" {
            command.env_remove(name);
        }
    }
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    let took = watched(&mut command, &[0])?.took.as_secs_f64();
    writeln!(out, "\nthe README's first command, nothing built: {took:.0} s")
        .map_err(BenchError::io("printing"))?;
    board::note_limit("the README's first command, nothing built", took, LIMIT_S, "s");
    Ok(())
}
