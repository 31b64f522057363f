//! The tools, one a file.

mod file_create;
mod file_edit;
mod file_glob;
mod file_read;
mod file_search;
mod file_write;
mod globs;
mod graph_rows;
mod lsp_check;
pub(crate) mod memory_query;
mod references_from_file_to_symbol_name;
mod references_to_symbol_name;
mod splice;
mod splice_patch;
mod splice_plan;
mod symbols_in_file;
#[cfg(test)]
mod tests;
mod walk;

use serde::de::DeserializeOwned;

use super::{ToolError, ToolSpec};

/// Every tool that there is, in the contract's order.
pub const TOOLS: &[ToolSpec] = &[
    file_read::SPEC,
    file_write::SPEC,
    file_create::SPEC,
    file_edit::SPEC,
    file_search::SPEC,
    file_glob::SPEC,
    splice_patch::SPEC,
    splice_plan::SPEC,
    symbols_in_file::SPEC,
    references_to_symbol_name::SPEC,
    references_from_file_to_symbol_name::SPEC,
    lsp_check::SPEC,
    memory_query::SPEC,
];

/// Reads a tool's arguments.
fn read<T: DeserializeOwned>(tool: &'static str, arguments: &str) -> Result<T, ToolError> {
    let read = match arguments.trim_start().starts_with('{') {
        true => serde_json::from_str(arguments),
        // A list would be taken for the values of an object in their order.
        false => Err(serde::de::Error::custom("the arguments are no JSON object")),
    };
    read.map_err(|source| ToolError::Arguments { tool, source })
}
