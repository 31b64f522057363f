//! The index of symbols, from a code graph that somebody keeps.

use super::build::json_bytes;
use super::{INDEX_BYTES_MAX, NAME_CHARS_MAX, PATH_BYTES_MAX, TOLD_DEFINITIONS_MAX};
use crate::execution::query::{CodeGraph, QueryError};
use crate::redact::Redactor;
use crate::repo::map::{FileSymbols, SymbolsIndex, VERSION};

/// More of them have no room, however short they are.
const FILES_MAX: usize = 1_024;

/// What a graph says of symbols, of bounded size; no secret is in it.
pub fn symbols(graph: &CodeGraph, redactor: &Redactor) -> Result<SymbolsIndex, QueryError> {
    let found = graph.most_defining(FILES_MAX, TOLD_DEFINITIONS_MAX)?;
    let mut left = INDEX_BYTES_MAX - 256; // braces and counts
    let mut files = Vec::new();
    for file in found.most {
        if file.path.len() > PATH_BYTES_MAX {
            continue;
        }
        let symbols: Vec<_> =
            file.symbols.iter().map(|symbol| cut(&redactor.redact_text(symbol))).collect();
        let more = file.count.saturating_sub(symbols.len() as u64);
        let file = FileSymbols { path: redactor.redact_text(&file.path), symbols, more };
        let Some(rest) = left.checked_sub(json_bytes(&file)) else { break };
        left = rest;
        files.push(file);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let left_out = found.files.saturating_sub(files.len() as u64);
    Ok(SymbolsIndex { version: VERSION, symbols: found.symbols, files, left_out })
}

fn cut(symbol: &str) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    symbol.chars().take(NAME_CHARS_MAX).map(plain).collect()
}
