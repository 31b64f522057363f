//! `references_to_symbol_name`: where a symbol is used, as magellan found it.

use serde::Deserialize;

use super::{graph, read, references};
use crate::grounding::tools::{Bench, Given, Parameter, ParameterKind, ToolError, ToolSpec};

const NAME: &str = "references_to_symbol_name";

pub(super) const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "List where a symbol is used, from the graph that magellan keeps",
    parameters: &[Parameter::required("symbol", ParameterKind::Text, "add, or Cart::add")],
    run,
    program: None,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(alias = "symbol_name", alias = "name")]
    symbol: String,
}

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
    let Arguments { symbol } = read(NAME, arguments)?;
    let found = graph(bench)?.references_to_symbol_name(&symbol).map_err(ToolError::Graph)?;
    match found {
        Some(found) => Ok(references(&symbol, &found)),
        None => Err(ToolError::NoSymbol { symbol }),
    }
}
