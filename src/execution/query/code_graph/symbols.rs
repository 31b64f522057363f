//! Symbols as magellan found them in the code, and where they are used.

use serde::Deserialize;

use super::CodeGraph;
use crate::event::Ordered;
use crate::execution::query::{QueryError, number};
use crate::store::Ask;

const REFERENCES_LEN_MAX: i64 = 4_096;

pub(super) const SYMBOLS_LEN_MAX: i64 = 4_096;

/// Files that are looked at: of a graph of more, the first.
pub(super) const DEFINERS_LOOKED_AT_MAX: i64 = 200_000;

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
    pub symbol: CodeSymbol,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MostDefining {
    /// Symbols in the graph.
    pub symbols: u64,
    /// Files that define any.
    pub files: u64,
    /// Those that define most, the most first.
    pub most: Vec<DefiningFile>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefiningFile {
    /// From the project's root where it lies in it.
    pub path: String,
    /// All that it defines.
    pub count: u64,
    /// `fn Cart::add`: the first of them.
    pub symbols: Vec<String>,
}

/// Magellan's words for a symbol.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SymbolData {
    kind: String,
    kind_normalized: Option<String>,
    fqn: Option<String>,
    start_line: u64,
    end_line: u64,
    byte_start: u64,
    byte_end: u64,
}

impl SymbolData {
    /// Data that is no object says nothing but the name.
    fn read(data: &str) -> Self {
        serde_json::from_str(data).unwrap_or_default()
    }

    fn kind(&self) -> String {
        self.kind_normalized.clone().unwrap_or_else(|| self.kind.to_lowercase())
    }
}

/// Magellan's words for a use.
#[derive(Default, Deserialize)]
#[serde(default)]
struct UseData {
    file: Option<String>,
    caller: Option<String>,
    start_line: u64,
    byte_start: u64,
    byte_end: u64,
}

impl CodeGraph {
    /// What a file defines, in its order; `None` where the graph knows no such file.
    pub fn symbols_in_file(&self, path: &str) -> Result<Option<Vec<CodeSymbol>>, QueryError> {
        let mut files = Vec::new();
        let roots = self.graph.roots();
        for name in roots.names(&roots.key(path, None)) {
            files.extend(self.ids(super::FILE, &name)?);
        }
        files.dedup();
        if files.is_empty() {
            return Ok(None);
        }
        let mut symbols = Vec::new();
        for file in files {
            let asked = [Ask::Number(file), Ask::Number(SYMBOLS_LEN_MAX)];
            symbols.extend(self.symbols_by(super::SYMBOLS_IN, &asked)?);
        }
        Ok(Some(symbols))
    }

    /// The symbols that a name means: `add`, or `Cart::add`.
    pub fn symbols_named(&self, symbol: &str) -> Result<Vec<CodeSymbol>, QueryError> {
        let mut symbols = Vec::new();
        for id in self.symbol_targets(symbol, None)?.direct {
            // What stands for a symbol that the graph does not know is none.
            symbols.extend(self.symbols_by(super::SYMBOL, &[Ask::Number(id)])?);
        }
        Ok(symbols)
    }

    fn symbols_by(&self, sql: &str, asked: &[Ask]) -> Result<Vec<CodeSymbol>, QueryError> {
        Ok(self.graph.answer(sql, asked, |row| {
            let file: Option<String> = row.get(2)?;
            let data = SymbolData::read(&row.get::<_, String>(3)?);
            Ok(CodeSymbol {
                entity: row.get(0)?,
                name: row.get(1)?,
                kind: data.kind(),
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
            let found = self.graph.answer(super::REFERENCES, &asked, |row| {
                let kind: String = row.get(1)?;
                let file: Option<String> = row.get(2)?;
                // Data that is no object says nothing of the place.
                let data: UseData =
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
            })?;
            references.extend(found);
        }
        references.order_by(|a, b| (&a.file, a.byte_start).cmp(&(&b.file, b.byte_start)));
        Ok(Some(references))
    }

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
        let mut found: Vec<(i64, String, u64)> =
            self.graph.answer(super::DEFINING_FILES, &looked_at, |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
        found.retain(|(.., count)| *count > 0);
        found.order_by(|a, b| (b.2, &a.1).cmp(&(a.2, &b.1)));
        let files = found.len() as u64;
        let symbols = self.graph.answer(super::SYMBOLS_COUNT, &[], |row| row.get(0))?;
        found.truncate(files_max);
        let mut most = Vec::with_capacity(found.len());
        for (id, name, count) in found {
            let asked = [Ask::Number(id), number(each_max as u64)];
            let symbols = self.graph.answer(super::SYMBOL_WORDS_IN, &asked, |row| {
                Ok(told(row.get(0)?, &row.get::<_, String>(1)?))
            })?;
            most.push(DefiningFile { path: self.file_of_name(&name), count, symbols });
        }
        Ok(MostDefining { symbols: symbols.first().copied().unwrap_or_default(), files, most })
    }
}

fn told(name: String, data: &str) -> String {
    let data = SymbolData::read(data);
    let kind = data.kind();
    let name = data.fqn.unwrap_or(name);
    if kind.is_empty() { name } else { format!("{kind} {name}") }
}
