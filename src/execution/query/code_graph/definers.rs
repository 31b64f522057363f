//! The files that define most, for an index of symbols.

use serde::Deserialize;

use super::CodeGraph;
use crate::execution::query::QueryError;
use crate::store::Ask;

/// Files that are looked at: of a graph of more, the first.
pub(super) const DEFINERS_LOOKED_AT_MAX: i64 = 200_000;

/// The files that define most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MostDefining {
    /// Symbols in the graph.
    pub symbols: u64,
    /// Files that define any.
    pub files: u64,
    /// Those that define most, the most first.
    pub most: Vec<DefiningFile>,
}

/// A file, and symbols that it defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefiningFile {
    /// From the project's root where it lies in it.
    pub path: String,
    /// All that it defines.
    pub count: u64,
    /// `fn Cart::add`: the first of them.
    pub symbols: Vec<String>,
}

/// Magellan's words, as far as they are told here.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Data {
    kind: String,
    kind_normalized: Option<String>,
    fqn: Option<String>,
}

impl CodeGraph {
    /// How files and symbols stand: where it is the same, nothing that [`Self::most_defining`] tells
    /// has changed.
    pub fn symbols_mark(&self) -> Result<String, QueryError> {
        Ok(format!("{:?}", self.graph.foreign()?))
    }

    /// The files that define most, at most `files_max`, with the first `each_max` symbols of each.
    pub fn most_defining(
        &self,
        files_max: usize,
        each_max: usize,
    ) -> Result<MostDefining, QueryError> {
        let looked_at = [Ask::Number(DEFINERS_LOOKED_AT_MAX)];
        let mut found: Vec<(i64, String, u64)> = self.graph.answer(
            crate::execution::query::code_graph::DEFINING_FILES,
            &looked_at,
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        found.retain(|(.., count)| *count > 0);
        found.sort_by(|a, b| (b.2, &a.1).cmp(&(a.2, &b.1)));
        let files = found.len() as u64;
        let symbols =
            self.graph.answer(crate::execution::query::code_graph::SYMBOLS_COUNT, &[], |row| {
                row.get(0)
            })?;
        found.truncate(files_max);
        let mut most = Vec::with_capacity(found.len());
        for (id, name, count) in found {
            let asked = [Ask::Number(id), Ask::Number(i64::try_from(each_max).unwrap_or(i64::MAX))];
            let symbols = self.graph.answer(
                crate::execution::query::code_graph::SYMBOL_WORDS_IN,
                &asked,
                |row| Ok(told(row.get(0)?, &row.get::<_, String>(1)?)),
            )?;
            most.push(DefiningFile { path: self.file_of_name(&name), count, symbols });
        }
        Ok(MostDefining { symbols: symbols.first().copied().unwrap_or_default(), files, most })
    }
}

fn told(name: String, data: &str) -> String {
    // Data that is no object says nothing but the name.
    let data: Data = serde_json::from_str(data).unwrap_or_default();
    let kind = data.kind_normalized.unwrap_or_else(|| data.kind.to_lowercase());
    let name = data.fqn.unwrap_or(name);
    if kind.is_empty() { name } else { format!("{kind} {name}") }
}
