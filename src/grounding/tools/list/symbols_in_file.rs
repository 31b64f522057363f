//! `symbols_in_file`: what a file defines, as magellan found it.

use serde::Deserialize;
use serde_json::json;

use super::{graph, lines, read};
use crate::execution::query::CodeSymbol;
use crate::grounding::tools::{Bench, Given, Parameter, ParameterKind, ToolError, ToolSpec};

const NAME: &str = "symbols_in_file";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "List what a file defines, from the graph that magellan keeps",
    parameters: &[Parameter::required(
        "file",
        ParameterKind::Text,
        "The file, from the project's root",
    )],
    run,
    program: None,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(alias = "path", alias = "file_path")]
    file: String,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
    let asked: Arguments = read(NAME, arguments)?;
    let path = bench.workspace.place(&asked.file)?.shown();
    let found = graph(bench)?.symbols_in_file(&path).map_err(ToolError::Graph)?;
    let Some(found) = found else { return Err(ToolError::NotIndexed { path }) };
    let line = |one: &CodeSymbol| {
        let name = one.qualified.as_ref().unwrap_or(&one.name);
        format!("{path}:{}: {} {name}", one.line, one.kind)
    };
    let (text, whole) = lines(found.iter().map(line));
    let note = match (found.is_empty(), whole) {
        (true, _) => Some("it defines nothing that the graph knows".to_owned()),
        (false, false) => Some(format!("{} symbols: the first are shown", found.len())),
        (false, true) => None,
    };
    let rows: Vec<_> = found.iter().map(crate::grounding::tools::list::symbol).collect();
    // What was asked for is recorded as queried: the first of them, as an edge each would be many.
    let mut symbols: Vec<String> = found.into_iter().map(|one| one.name).collect();
    symbols.truncate(SYMBOLS_RECORDED_MAX);
    Ok(Given { note, symbols, ..Given::with(text, json!({"file": path, "symbols": rows})) })
}

const SYMBOLS_RECORDED_MAX: usize = 256;
