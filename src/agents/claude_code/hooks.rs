//! What Claude Code tells a hook, where its sessions lie, and what its user must know of hooks.

use std::io;
use std::path::{Path, PathBuf};

use super::{SOURCE, background, hooked_call, hooked_result};
use crate::agents::hook::{Firing, ToolCall};
use crate::agents::import::{Call, CallResult, SourceFile, logs_in};
use crate::agents::settings::{Home, Scope};
use crate::event::{Ordered, Outcome};
use crate::parse::check::CheckRules;

pub fn call(firing: &Firing<'_>, id: String, native: String) -> Option<Call> {
    hooked_call(id, native, firing.input.arguments())
}

pub fn result(
    call: &ToolCall,
    firing: &Firing<'_>,
    _: &CheckRules,
    failed: bool,
) -> Option<CallResult> {
    let input = firing.input;
    let error = failed.then(|| input.error.as_deref().unwrap_or_default());
    let id = call.call.id.clone();
    let mut result = hooked_result(id, input.tool_response, error, input.is_interrupt.0);
    if result.outcome == Outcome::Ok && call.call.is_reader() {
        background::read_printed(&mut result);
    }
    result.duration_ms = input.duration_ms.to_ms(1.0).or(result.duration_ms);
    Some(result)
}

/// Where it keeps the past sessions of the project at `root`: a folder named by that path.
pub fn sessions_folder(config: &Path, root: &Path) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let folder: String = root.to_string_lossy().chars().map(plain).collect();
    config.join("projects").join(folder)
}

pub fn past_sessions(config: &Path, root: &Path) -> io::Result<(PathBuf, Vec<SourceFile>)> {
    let folder = sessions_folder(config, root);
    let mut files = if folder.is_dir() { logs_in(&folder, &[&SOURCE])? } else { Vec::new() };
    files.order_by_key(SourceFile::is_subagent);
    Ok((folder, files))
}

pub fn notes(scope: Scope, root: &Path, _: &Home) -> Vec<String> {
    let root = root.to_string_lossy();
    vec![match scope {
        Scope::User => {
            "Claude Code reads its settings when a session starts: begin a new one.".to_owned()
        }
        _ => format!(
            "Claude Code reads this file in sessions that are started in {root}: begin a new one."
        ),
    }]
}
