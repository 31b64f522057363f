//! A session of an agent's, call by call, by the agent's own protocol.

use std::cell::Cell;
use std::path::Path;

use serde_json::{Value, json};

use super::play::Agent;
use crate::project::Project;

/// One session of an agent, in a working tree of the project's.
pub struct Session<'p> {
    pub agent: Agent<'p>,
    tree: &'p Path,
    id: String,
    calls: Cell<u32>,
}

impl<'p> Session<'p> {
    /// One of Claude Code's in the project, begun and asked for something.
    pub fn new(project: &'p Project, number: u32) -> Self {
        let one = Self::of(project, "claude-code", number, project.root());
        one.begin();
        one
    }

    /// One that has not begun yet.
    pub fn of(project: &'p Project, name: &'static str, number: u32, tree: &'p Path) -> Self {
        let id = format!("0193a5b2-7c1e-4f00-8a00-00000000000{number}");
        Self { agent: Agent::new(project, name, &[]), tree, id, calls: Cell::new(0) }
    }

    /// Begins, and is asked for something; what it is given at its beginning.
    pub fn begin(&self) -> String {
        let pack = self.fire("SessionStart", json!({"source": "startup"}));
        self.fire("UserPromptSubmit", json!({"prompt": "mend it"}));
        pack
    }

    /// Fires a hook; what its agent is given.
    fn fire(&self, hook: &str, mut more: Value) -> String {
        more["session_id"] = self.id.clone().into();
        more["cwd"] = self.tree.to_string_lossy().into();
        given(&self.agent.fire(hook, more))
    }

    /// Calls a tool that ends well, or fails and prints this; what its beginning and its end are answered.
    pub fn told(&self, tool: &str, input: Value, failed: Option<&str>) -> (String, String) {
        self.ended(tool, input, failed.map_or((0, ""), |printed| (1, printed)))
    }

    fn ended(&self, tool: &str, input: Value, (code, printed): (i32, &str)) -> (String, String) {
        self.calls.set(self.calls.get() + 1);
        let id = format!("{}-{}", self.id, self.calls.get());
        let told = json!({"tool_name": tool, "tool_input": input, "tool_use_id": id});
        let begun = self.fire("PreToolUse", told.clone());
        let mut ended = told;
        let hook = match (self.agent.name, code) {
            ("codex", _) => {
                let text = format!("Exit code: {code}\nWall time: 0.1 seconds\nOutput:\n{printed}");
                ended["tool_response"] = text.into();
                "PostToolUse"
            }
            (_, 0) => {
                ended["tool_response"] =
                    json!({"stdout": printed, "stderr": "", "interrupted": false});
                "PostToolUse"
            }
            _ => {
                ended["error"] = format!("Exit code {code}\n{printed}").into();
                "PostToolUseFailure"
            }
        };
        (begun, self.fire(hook, ended))
    }

    /// A check that ends well, or fails and prints this.
    pub fn check(&self, line: &str, failed: Option<&str>) -> String {
        self.told("Bash", json!({ "command": line }), failed).1
    }

    /// A check that passes and prints this.
    pub fn passed(&self, line: &str, printed: &str) {
        self.ended("Bash", json!({ "command": line }), (0, printed));
    }

    pub fn edit(&self, file: &str, old: &str, new: &str) {
        let (tool, input) = match self.agent.name {
            "codex" => {
                let patch = format!(
                    "*** Begin Patch\n*** Update File: {file}\n@@\n-{old}\n+{new}\n*** End Patch"
                );
                ("apply_patch", json!({ "command": patch }))
            }
            _ => {
                let path = self.tree.join(file);
                ("Edit", json!({"file_path": path, "old_string": old, "new_string": new}))
            }
        };
        self.told(tool, input, None);
    }

    pub fn stop(&self) {
        self.fire("Stop", json!({"stop_hook_active": false}));
    }

    pub fn end(&self) {
        self.fire("SessionEnd", json!({"reason": "other"}));
    }
}

/// What a hook's answer adds to the model's context.
pub fn given(answer: &Value) -> String {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}
