//! What the arguments of its tools name.

use serde::Deserialize;

use crate::agents::import::loose::{Text, object};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Arguments<'a> {
    #[serde(borrow)]
    file_path: Text<'a>,
    notebook_path: Text<'a>,
    path: Text<'a>,
    prompt: Text<'a>,
}

pub fn starts_subagents(native_tool: &str) -> bool {
    matches!(native_tool, "Task" | "Agent")
}

pub fn task(native_tool: &str, arguments: &str) -> Option<String> {
    if !starts_subagents(native_tool) {
        return None;
    }
    object::<Arguments<'_>>(arguments.as_bytes()).prompt.to_text()
}

pub fn paths(arguments: &str) -> Vec<String> {
    let named: Arguments<'_> = object(arguments.as_bytes());
    let mut paths: Vec<String> = Vec::new();
    for path in [named.file_path, named.notebook_path, named.path].iter().flat_map(Text::to_text) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

pub fn changes_files(native_tool: &str) -> bool {
    matches!(native_tool, "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "Update")
}
