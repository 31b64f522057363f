//! The contract's tool names, what `init` adds, and how agents' own names map to them (ruling 4).

use super::derived::{Decode, Encode};
use super::limits::TOOL_NAME_BYTES_MAX;

/// The eleven names of spec 000's locked schema, in its order.
pub const CONTRACT: [&str; 11] = [
    "file_read",
    "file_write",
    "file_create",
    "file_search",
    "file_glob",
    "splice_patch",
    "splice_plan",
    "symbols_in_file",
    "references_to_symbol_name",
    "references_from_file_to_symbol_name",
    "lsp_check",
];

/// What `init` declares besides, unless the contract is to stay locked.
pub const DECLARED_BY_INIT: [&str; 3] = ["file_edit", "memory_query", "bash_exec"];

/// Whether a project knows it unasked.
pub fn is_known(name: &str) -> bool {
    CONTRACT.contains(&name) || DECLARED_BY_INIT.contains(&name)
}

/// What may be lost where a call fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
pub enum Stake {
    /// It only looks: that it fails says nothing of the work.
    Nothing,
    /// What it was to do, and no file: those are changed whole or not at all, or lie elsewhere.
    Deed,
    /// Some files may be changed by then, or something was checked.
    #[default]
    Files,
}

/// Agents' own tools that change no file of a project, besides those with a contract's name.
pub const CHANGE_NOTHING: [&str; 19] = [
    "AskUserQuestion",
    "BashOutput",
    "EnterPlanMode",
    "ExitPlanMode",
    "KillBash",
    "KillShell",
    "LS",
    "TaskOutput",
    "TaskStop",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "update_plan",
    "view_image",
    "web_fetch",
    "web_search",
    "ask_user",
];
/// First words of the names of tools that look: `read_file`, `getIssue`; and words with which one does more:
/// `find_and_replace`.
const LOOKS: [&str; 14] = [
    "read", "get", "list", "search", "find", "fetch", "view", "show", "describe", "inspect",
    "lookup", "glob", "grep", "browse",
];
const DOES: [&str; 12] = [
    "or", "and", "replace", "write", "edit", "create", "update", "delete", "set", "run", "execute",
    "fix",
];

/// What may be lost where a call of this tool fails, which has no command line.
pub fn stake(tool: &str) -> Stake {
    match tool {
        _ if only_looks(tool) => Stake::Nothing,
        "file_edit" | "file_write" | "file_create" => Stake::Deed,
        _ => Stake::Files,
    }
}

fn only_looks(tool: &str) -> bool {
    if CONTRACT.contains(&tool) {
        return !is_mutation(tool) && !matches!(tool, "lsp_check" | "splice_plan");
    }
    // A server's tool is called by its own name behind the server's.
    let own = tool.rsplit("__").next().unwrap_or_default();
    let words = words(own);
    CHANGE_NOTHING.contains(&tool)
        || tool == "memory_query"
        || words.first().is_some_and(|it| LOOKS.contains(&it.as_str()))
            && !words.iter().any(|it| DOES.contains(&it.as_str()))
}

/// `read`, `text`, `file` of `read_text_file` and `readTextFile`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|it| !it.is_empty());
    words
}

/// Whether a name can be declared: 1 to 128 of ASCII letters, digits, `_ - . : /`, beginning with
/// a letter, digit or `_`. What else an agent calls a tool would not survive a trigger's text.
pub fn is_valid(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(&byte);
    name.len() <= TOOL_NAME_BYTES_MAX
        && name.bytes().all(plain)
        && name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_')
}

/// A declarable name as near as possible to what an agent calls a tool.
pub fn made_valid(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-.:/".contains(c) { c } else { '_' };
    let mut valid: String = name.chars().take(TOOL_NAME_BYTES_MAX).map(plain).collect();
    if !is_valid(&valid) {
        valid.insert(0, '_');
        valid.truncate(TOOL_NAME_BYTES_MAX);
    }
    valid
}

/// The contract's name of what Claude Code calls `native`, where the meaning is the same.
///
/// `Write` is `file_write`; where the result says that the file was made, it is
/// [`written`]`(true)`.
pub fn of_claude_code(native: &str) -> Option<&'static str> {
    match native {
        "Read" | "NotebookRead" => Some("file_read"),
        "Write" => Some("file_write"),
        "Edit" | "MultiEdit" | "NotebookEdit" | "apply_patch" => Some("file_edit"),
        "Grep" => Some("file_search"),
        "Glob" => Some("file_glob"),
        "Bash" | "shell" => Some("bash_exec"),
        _ => None,
    }
}

/// The contract's name of what Codex calls `native`, where the meaning is the same.
///
/// A patch that only adds files is `file_create` instead. `Bash` is what its hooks call every one
/// of its shells.
pub fn of_codex(native: &str) -> Option<&'static str> {
    match native {
        "shell" | "shell_command" | "exec_command" | "local_shell" | "container.exec"
        | "unified_exec" | "user_shell" | "Bash" => Some("bash_exec"),
        "apply_patch" => Some("file_edit"),
        "read_file" => Some("file_read"),
        "grep_files" => Some("file_search"),
        _ => None,
    }
}

/// The contract's name of what agents call `native` whose tools are not listed apart, where the meaning is the
/// same wherever the name is used.
pub fn of_others(native: &str) -> Option<&'static str> {
    match native {
        "bash" | "terminal" | "execute_bash" | "run_shell_command" | "execute_command"
        | "shell" | "run_command" | "run_terminal_cmd" | "run_in_terminal" | "bash_command" => {
            Some("bash_exec")
        }
        "read" | "read_file" => Some("file_read"),
        "write" | "write_file" | "write_to_file" => Some("file_write"),
        "edit" | "replace" | "replace_in_file" | "str_replace" | "multiedit" | "apply_patch" => {
            Some("file_edit")
        }
        "grep" | "search_file_content" | "search_files" | "grep_search" => Some("file_search"),
        "glob" => Some("file_glob"),
        _ => of_claude_code(native),
    }
}

/// Whether a tool changes files: what needs a read of the timeline before it (spec 001).
pub fn is_mutation(tool: &str) -> bool {
    matches!(tool, "file_edit" | "file_write" | "file_create" | "splice_patch")
}

/// The contract's name of writing a whole file.
pub fn written(created: bool) -> &'static str {
    if created { "file_create" } else { "file_write" }
}

#[cfg(test)]
mod tests;
