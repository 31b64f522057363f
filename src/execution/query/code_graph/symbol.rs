//! Symbols as magellan found them in the code.

use serde::Deserialize;

use super::CodeGraph;
use crate::execution::query::QueryError;
use crate::store::Ask;

/// Symbols of one file, or of one name, that are listed.
pub(super) const SYMBOLS_LEN_MAX: i64 = 4_096;

/// A symbol of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSymbol {
    /// `graph_entities.id`; another one after the code was indexed again.
    pub entity: i64,
    pub name: String,
    /// `fn`, `struct`, `mod`, …
    pub kind: String,
    /// With what it is in: `Cart::add`.
    pub qualified: Option<String>,
    /// From the project's root where it lies in it.
    pub file: String,
    /// From 1; 0 where the graph does not say.
    pub line: u64,
    pub end_line: u64,
    pub byte_start: u64,
    pub byte_end: u64,
}

/// Magellan's words.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Data {
    kind: String,
    kind_normalized: Option<String>,
    fqn: Option<String>,
    start_line: u64,
    end_line: u64,
    byte_start: u64,
    byte_end: u64,
}

impl CodeGraph {
    /// What a file defines, in its order; `None` where the graph knows no such file.
    pub fn symbols_in_file(&self, path: &str) -> Result<Option<Vec<CodeSymbol>>, QueryError> {
        let mut files = Vec::new();
        let roots = self.graph.roots();
        for name in roots.names(&roots.key(path, None)) {
            files.extend(self.ids(crate::execution::query::code_graph::FILE, &name)?);
        }
        files.dedup();
        if files.is_empty() {
            return Ok(None);
        }
        let mut symbols = Vec::new();
        for file in files {
            let asked = [Ask::Number(file), Ask::Number(SYMBOLS_LEN_MAX)];
            symbols
                .extend(self.symbols_by(crate::execution::query::code_graph::SYMBOLS_IN, &asked)?);
        }
        Ok(Some(symbols))
    }

    /// The symbols that a name means: `add`, or `Cart::add`.
    pub fn symbols_named(&self, symbol: &str) -> Result<Vec<CodeSymbol>, QueryError> {
        let mut symbols = Vec::new();
        for id in self.symbol_targets(symbol, None)?.direct {
            // What stands for a symbol that the graph does not know is none.
            symbols.extend(
                self.symbols_by(crate::execution::query::code_graph::SYMBOL, &[Ask::Number(id)])?,
            );
        }
        Ok(symbols)
    }

    fn symbols_by(&self, sql: &str, asked: &[Ask]) -> Result<Vec<CodeSymbol>, QueryError> {
        Ok(self.graph.answer(sql, asked, |row| {
            let file: Option<String> = row.get(2)?;
            // Data that is no object says nothing but the name.
            let data: Data = serde_json::from_str(&row.get::<_, String>(3)?).unwrap_or_default();
            Ok(CodeSymbol {
                entity: row.get(0)?,
                name: row.get(1)?,
                kind: data.kind_normalized.unwrap_or_else(|| data.kind.to_lowercase()),
                qualified: data.fqn,
                file: file.map(|file| self.file_of_name(&file)).unwrap_or_default(),
                line: data.start_line,
                end_line: data.end_line,
                byte_start: data.byte_start,
                byte_end: data.byte_end,
            })
        })?)
    }

    /// What one of the graph's names of a file means, from the project's root.
    pub(super) fn file_of_name(&self, name: &str) -> String {
        self.graph.roots().key_of_name(name).as_str().to_owned()
    }
}
