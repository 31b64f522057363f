//! The tools, one a file.

mod file_edit;
mod file_glob;
mod file_read;
mod file_search;
mod file_write;
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

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{ToolError, ToolSpec};
use crate::execution::query::{CodeGraph, CodeReference, CodeSymbol};
use crate::grounding::tools::{
    Bench, Given, Onto, PATTERN_BYTES_MAX, Parameter, ParameterKind, TEXT_BYTES_MAX,
};
use file_write::write;

/// Every tool that there is, in the contract's order.
pub const TOOLS: &[ToolSpec] = &[
    file_read::SPEC,
    file_write::SPEC,
    SPEC,
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

/// One glob, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Globs {
    One(String),
    Several(Vec<String>),
}

impl Globs {
    /// The set of them. Where `anywhere`, one without `/` means a name in any folder.
    pub fn set(&self, anywhere: bool) -> Result<GlobSet, ToolError> {
        let globs = match self {
            Self::One(glob) => std::slice::from_ref(glob),
            Self::Several(globs) => globs,
        };
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            let wrong = |why: String| ToolError::Pattern { pattern: glob.clone(), why };
            if glob.is_empty() || glob.len() > PATTERN_BYTES_MAX {
                return Err(wrong("give 1 to 4096 bytes, as src/**/*.rs".to_owned()));
            }
            let glob = glob.trim_start_matches("./");
            let name_only = anywhere && !glob.contains('/');
            let glob = if name_only { format!("**/{glob}") } else { glob.to_owned() };
            let mut builder = GlobBuilder::new(&glob);
            let glob = builder.literal_separator(true).build();
            set.add(glob.map_err(|error| wrong(error.kind().to_string()))?);
        }
        let all = globs.join(" ");
        set.build().map_err(|error| ToolError::Pattern { pattern: all, why: error.to_string() })
    }
}

// `file_create`: a file that was not there.

const NAME: &str = "file_create";

const SPEC: ToolSpec = ToolSpec {
    name: NAME,
    about: "Make a file that is not there yet, and the folders on the way",
    parameters: &[
        Parameter::required("path", ParameterKind::Text, "The file, from the project's root"),
        Parameter::required("content", ParameterKind::Text, "What shall be in it"),
    ],
    run,
    program: None,
};

fn run(arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
    write(read(NAME, arguments)?, bench, Onto::Nothing)
}

/// The project's graph.
fn graph(bench: &Bench<'_>) -> Result<CodeGraph, ToolError> {
    CodeGraph::open(&bench.workspace.root().join("codegraph.db")).map_err(ToolError::Graph)
}

/// A symbol, for a program.
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

/// Uses of a symbol: a line each.
fn references(name: &str, found: &[CodeReference]) -> Given {
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
fn lines(lines: impl Iterator<Item = String>) -> (String, bool) {
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
