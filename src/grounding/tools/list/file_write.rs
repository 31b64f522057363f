//! `file_write`: a file whole, whether or not there was one.

use serde::Deserialize;
use serde_json::json;

use super::read;
use crate::event::Change;
use crate::grounding::tools::{
    Bench, EDIT_BYTES_MAX, Given, Onto, Parameter, ParameterKind, PlaceError, ToolError, ToolSpec,
};

const NAME: &str = "file_write";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "Write a file whole; what was there is replaced, its permissions stay",
    parameters: &[
        Parameter::required("path", ParameterKind::Text, "The file, from the project's root"),
        Parameter::required("content", ParameterKind::Text, "What shall be in it"),
    ],
    run,
    program: None,
};

/// The arguments of the tools that write a file whole.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    #[serde(alias = "file_path", alias = "file")]
    pub path: String,
    #[serde(alias = "contents")]
    pub content: String,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
    write(read(NAME, arguments)?, bench, Onto::Anything)
}

/// Writes a file whole.
pub(super) fn write(asked: Arguments, bench: &Bench<'_>, onto: Onto) -> Result<Given, ToolError> {
    let place = bench.workspace.place(&asked.path)?;
    let (path, bytes) = (place.shown(), asked.content.len());
    if bytes > EDIT_BYTES_MAX {
        let (bytes, bytes_max) = (bytes as u64, EDIT_BYTES_MAX as u64);
        return Err(PlaceError::TooLarge { path, bytes, bytes_max }.into());
    }
    let created = bench.workspace.write(&place, asked.content.as_bytes(), onto)?;
    let did = if created { "made" } else { "replaced" };
    let text = format!("{path}: {did}, {bytes} bytes");
    let data = json!({"path": path, "bytes": bytes, "created": created});
    Ok(Given { changed: vec![Change { path, created }], ..Given::with(text, data) })
}
