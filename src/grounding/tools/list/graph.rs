//! `symbols_in_file`, `references_to_symbol_name`, `references_from_file_to_symbol_name`: what a file defines
//! and where a symbol is used, as magellan found it.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{lines, read};
use crate::execution::query::{CodeGraph, CodeReference, CodeSymbol};
use crate::grounding::tools::{
    Bench, Given, Parameter, ParameterKind, Result, ToolError, ToolSpec,
};

pub(super) const SYMBOLS: ToolSpec = ToolSpec {
    name: "symbols_in_file",
    about: "List what a file defines, from the graph that magellan keeps",
    parameters: &[FILE],
    run: symbols,
    program: None,
};

pub(super) const REFERENCES: ToolSpec = ToolSpec {
    name: "references_to_symbol_name",
    about: "List where a symbol is used, from the graph that magellan keeps",
    parameters: &[SYMBOL],
    run: references,
    program: None,
};

pub(super) const REFERENCES_FROM_FILE: ToolSpec = ToolSpec {
    name: "references_from_file_to_symbol_name",
    about: "List where a file uses a symbol, from the graph that magellan keeps",
    parameters: &[FILE, SYMBOL],
    run: references_from_file,
    program: None,
};

const FILE: Parameter =
    Parameter::required("file", ParameterKind::Text, "The file, from the project's root");
const SYMBOL: Parameter = Parameter::required("symbol", ParameterKind::Text, "add, or Cart::add");

/// Symbols of a file that are recorded as queried, the first ones: an edge each would be many.
const SYMBOLS_RECORDED_MAX: usize = 256;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(alias = "path", alias = "file_path")]
    file: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Symbol {
    #[serde(alias = "symbol_name", alias = "name")]
    symbol: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SymbolInFile {
    #[serde(alias = "path", alias = "file_path")]
    file: String,
    #[serde(alias = "symbol_name", alias = "name")]
    symbol: String,
}

fn symbols(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let asked: File = read(SYMBOLS.name, arguments)?;
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
    let rows: Vec<_> = found.iter().map(symbol).collect();
    let mut symbols: Vec<String> = found.into_iter().map(|one| one.name).collect();
    symbols.truncate(SYMBOLS_RECORDED_MAX);
    Ok(Given { note, symbols, ..Given::with(text, json!({"file": path, "symbols": rows})) })
}

fn references(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let Symbol { symbol } = read(REFERENCES.name, arguments)?;
    let found = graph(bench)?.references_to_symbol_name(&symbol).map_err(ToolError::Graph)?;
    uses(symbol, found)
}

fn references_from_file(arguments: &str, bench: &Bench<'_>) -> Result<Given> {
    let SymbolInFile { file, symbol } = read(REFERENCES_FROM_FILE.name, arguments)?;
    let path = bench.workspace.place(&file)?.shown();
    let graph = graph(bench)?;
    if graph.symbols_in_file(&path).map_err(ToolError::Graph)?.is_none() {
        return Err(ToolError::NotIndexed { path });
    }
    let found = graph.references_from_file_to_symbol_name(&path, &symbol);
    uses(symbol, found.map_err(ToolError::Graph)?)
}

fn graph(bench: &Bench<'_>) -> Result<CodeGraph> {
    CodeGraph::open(&bench.workspace.root().join("codegraph.db")).map_err(ToolError::Graph)
}

fn symbol(symbol: &CodeSymbol) -> Value {
    json!({
        "name": symbol.name,
        "kind": symbol.kind,
        "qualified": symbol.qualified,
        "file": symbol.file,
        "line": symbol.line,
        "end_line": symbol.end_line,
        "byte_start": symbol.byte_start,
        "byte_end": symbol.byte_end,
    })
}

/// Uses of a symbol, a line each; `None` where the graph knows no such symbol.
fn uses(name: String, found: Option<Vec<CodeReference>>) -> Result<Given> {
    let Some(found) = found else { return Err(ToolError::NoSymbol { symbol: name }) };
    let line = |one: &CodeReference| {
        let within = one.within.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
        let used = one.symbol.qualified.as_ref().unwrap_or(&one.symbol.name);
        format!("{}:{}: {} of {used}{within}", one.file, one.line, one.kind)
    };
    let row = |one: &CodeReference| {
        json!({
            "kind": one.kind,
            "file": one.file,
            "line": one.line,
            "byte_start": one.byte_start,
            "byte_end": one.byte_end,
            "within": one.within,
            "symbol": symbol(&one.symbol),
        })
    };
    let (text, whole) = lines(found.iter().map(line));
    let note = match (found.is_empty(), whole) {
        (true, _) => Some("the graph knows no use of it".to_owned()),
        (false, false) => Some(format!("{} uses: the first are shown", found.len())),
        (false, true) => None,
    };
    let data = json!({"references": found.iter().map(row).collect::<Vec<_>>()});
    Ok(Given { note, symbols: vec![name], ..Given::with(text, data) })
}
