//! What a code graph says of symbols, in short.

use serde::{Deserialize, Serialize};

/// What a code graph says of symbols: those of each file, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SymbolsIndex {
    pub version: u32,
    /// Symbols in the graph.
    pub symbols: u64,
    /// The files that define most, by path.
    pub files: Vec<FileSymbols>,
    /// Files with symbols that are not told.
    pub left_out: u64,
}

/// The symbols of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileSymbols {
    pub path: String,
    /// In the graph's order.
    pub symbols: Vec<String>,
    /// Symbols that are not told.
    pub more: u64,
}
