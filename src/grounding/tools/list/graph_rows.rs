//! What the tools that ask the code's graph have in common.

use serde_json::{Value, json};

use crate::execution::query::{CodeGraph, CodeReference, CodeSymbol};
use crate::grounding::tools::limits::TEXT_BYTES_MAX;
use crate::grounding::tools::{Bench, Given, ToolError};

/// The project's graph.
pub(super) fn graph(bench: &Bench<'_>) -> Result<CodeGraph, ToolError> {
    CodeGraph::open(&bench.workspace.root().join("codegraph.db")).map_err(ToolError::Graph)
}

/// A symbol, for a program.
pub(super) fn symbol(symbol: &CodeSymbol) -> Value {
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

/// Uses of a symbol: a line each.
pub(super) fn references(name: &str, found: &[CodeReference]) -> Given {
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
    Given { note, symbols: vec![name.to_owned()], ..Given::with(text, data) }
}

/// Lines as one text, so many as there is room for; and whether that was all.
pub(super) fn lines(lines: impl Iterator<Item = String>) -> (String, bool) {
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
