//! `references_from_file_to_symbol_name`: where a file uses a symbol, as magellan found it.

use serde::Deserialize;

use super::{graph, read, references};
use crate::grounding::tools::{Bench, Given, Parameter, ParameterKind, ToolError, ToolSpec};

const NAME: &str = "references_from_file_to_symbol_name";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "List where a file uses a symbol, from the graph that magellan keeps",
    parameters: &[
        Parameter::required("file", ParameterKind::Text, "The file, from the project's root"),
        Parameter::required("symbol", ParameterKind::Text, "add, or Cart::add"),
    ],
    run,
    program: None,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(alias = "path", alias = "file_path")]
    file: String,
    #[serde(alias = "symbol_name", alias = "name")]
    symbol: String,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
    let Arguments { file, symbol } = read(NAME, arguments)?;
    let path = bench.workspace.place(&file)?.shown();
    let graph = graph(bench)?;
    if graph.symbols_in_file(&path).map_err(ToolError::Graph)?.is_none() {
        return Err(ToolError::NotIndexed { path });
    }
    let found = graph.references_from_file_to_symbol_name(&path, &symbol);
    match found.map_err(ToolError::Graph)? {
        Some(found) => Ok(references(&symbol, &found)),
        None => Err(ToolError::NoSymbol { symbol }),
    }
}
