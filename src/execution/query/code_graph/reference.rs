//! Where symbols are used, as magellan found it in the code.

use serde::Deserialize;

use super::{CodeGraph, CodeSymbol};
use crate::execution::query::QueryError;
use crate::store::Ask;

/// Uses of one symbol that are listed.
const REFERENCES_LEN_MAX: i64 = 4_096;

/// A place where a symbol is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeReference {
    /// `graph_entities.id` of the use.
    pub entity: i64,
    /// `call` or `reference`.
    pub kind: String,
    /// Where it is, from the project's root.
    pub file: String,
    /// From 1; 0 where the graph does not say.
    pub line: u64,
    pub byte_start: u64,
    pub byte_end: u64,
    /// What it is in, where the graph says.
    pub within: Option<String>,
    /// What is used.
    pub symbol: CodeSymbol,
}

/// Magellan's words.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Data {
    file: Option<String>,
    caller: Option<String>,
    start_line: u64,
    byte_start: u64,
    byte_end: u64,
}

impl CodeGraph {
    /// Where the symbols of a name are used, in order of file and place; `None` where the graph
    /// knows no such symbol.
    pub fn references_to_symbol_name(
        &self,
        symbol: &str,
    ) -> Result<Option<Vec<CodeReference>>, QueryError> {
        let symbols = self.symbols_named(symbol)?;
        if symbols.is_empty() {
            return Ok(None);
        }
        let mut references = Vec::new();
        for symbol in symbols {
            let asked = [Ask::Number(symbol.entity), Ask::Number(REFERENCES_LEN_MAX)];
            let found = self.graph.answer(
                crate::execution::query::code_graph::REFERENCES,
                &asked,
                |row| {
                    let kind: String = row.get(1)?;
                    let file: Option<String> = row.get(2)?;
                    // Data that is no object says nothing of the place.
                    let data: Data =
                        serde_json::from_str(&row.get::<_, String>(3)?).unwrap_or_default();
                    let file = file.or(data.file).unwrap_or_default();
                    Ok(CodeReference {
                        entity: row.get(0)?,
                        kind: kind.to_lowercase(),
                        file: self.file_of_name(&file),
                        line: data.start_line,
                        byte_start: data.byte_start,
                        byte_end: data.byte_end,
                        within: data.caller,
                        symbol: symbol.clone(),
                    })
                },
            )?;
            references.extend(found);
        }
        references.sort_by(|a, b| (&a.file, a.byte_start).cmp(&(&b.file, b.byte_start)));
        Ok(Some(references))
    }

    /// The same in one file.
    pub fn references_from_file_to_symbol_name(
        &self,
        path: &str,
        symbol: &str,
    ) -> Result<Option<Vec<CodeReference>>, QueryError> {
        let key = self.graph.roots().key(path, None);
        let Some(mut references) = self.references_to_symbol_name(symbol)? else {
            return Ok(None);
        };
        references.retain(|one| one.file == key.as_str());
        Ok(Some(references))
    }
}
