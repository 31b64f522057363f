//! What a call's arguments aim at.

use serde::Deserialize;

use crate::agents::import::loose::{Loose, Text, parsed};

/// The arguments that name a file or a folder, under every name the agent's tools use.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Arguments<'a> {
    #[serde(borrow)]
    file_path: Text<'a>,
    #[serde(borrow)]
    notebook_path: Text<'a>,
    #[serde(borrow)]
    path: Text<'a>,
    #[serde(borrow)]
    prompt: Text<'a>,
}

/// Whether the agent's tool of this name starts a subagent.
pub fn starts_subagents(native_tool: &str) -> bool {
    matches!(native_tool, "Task" | "Agent")
}

/// What a call that starts a subagent asks of it.
pub fn task(native_tool: &str, arguments: &str) -> Option<String> {
    if !starts_subagents(native_tool) {
        return None;
    }
    parsed::<Loose<Arguments<'_>>>(arguments.as_bytes())?.0?.prompt.to_text()
}

/// The files and folders that a call's arguments name.
pub fn paths(arguments: &str) -> Vec<String> {
    let Some(Loose(Some(named))) = parsed::<Loose<Arguments<'_>>>(arguments.as_bytes()) else {
        return Vec::new();
    };
    let mut paths: Vec<String> = Vec::new();
    for path in [named.file_path, named.notebook_path, named.path].iter().flat_map(Text::to_text) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Whether the agent's tool of this name changes the file it is given.
pub fn changes_files(native_tool: &str) -> bool {
    matches!(native_tool, "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "Update")
}
