//! `splice_patch`: a symbol replaced by what another file holds, with the splice program.

use serde_json::json;

use super::read;
use super::splice::{PROGRAM, Replacement, failed, printed};
use crate::event::Change;
use crate::grounding::tools::{
    Bench, Given, Parameter, ParameterKind, TEXT_BYTES_MAX, ToolError, ToolSpec,
};
use crate::parse::diagnostics;

const NAME: &str = "splice_patch";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "Replace a symbol by what another file holds, with the splice program",
    parameters: &[
        Parameter::required("file", ParameterKind::Text, "The file that defines the symbol"),
        Parameter::required("symbol", ParameterKind::Text, "Its name"),
        Parameter::optional("kind", ParameterKind::Text, "fn, struct, enum, trait, impl, …"),
        Parameter::required("with", ParameterKind::Text, "The file with the new text"),
    ],
    run,
    program: Some(PROGRAM),
};

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
    let asked: Replacement = read(NAME, arguments)?;
    let [file, _] = asked.places(bench)?;
    let before = bench.workspace.snapshot(&file)?;
    let ran = asked.run(bench, false)?;
    // Splice puts the file back where its own checks fail; what counts is whether it is another now.
    let changed = bench.workspace.snapshot(&file)? != before;
    let failed = failed(&ran);
    let path = file.shown();
    let mut found = diagnostics::parse(ran.stdout.head(), ran.stderr.head());
    found.retain(|one| one.file_name.is_some());
    let changed = changed && failed.is_none();
    let data = json!({"file": path, "symbol": asked.symbol, "changed": changed});
    Ok(Given {
        failed,
        exit_code: ran.status.code(),
        stderr: Some(ran.stderr.head().to_vec()).filter(|bytes| !bytes.is_empty()),
        diagnostics: found,
        symbols: vec![asked.symbol],
        changed: changed.then_some(Change { path, created: false }).into_iter().collect(),
        ..Given::with(printed(ran.stdout.head(), TEXT_BYTES_MAX), data)
    })
}
