//! Plays an agent: its hooks' JSON through the real program.

use serde_json::{Value, json};

use crate::project::{Project, Ran};

pub const SESSION: &str = "0193a5b2-7c1e-4f00-8a00-000000000001";

/// One agent with its hooks in one project.
pub struct Agent<'p> {
    pub project: &'p Project,
    pub name: &'static str,
    pub flags: &'static [&'static str],
}

impl<'p> Agent<'p> {
    pub fn new(project: &'p Project, name: &'static str, flags: &'static [&'static str]) -> Self {
        Self { project, name, flags }
    }

    /// Fires a hook in the session; the answer.
    #[track_caller]
    pub fn fire(&self, hook: &str, more: Value) -> Value {
        let mut told = json!({
            "session_id": SESSION, "cwd": self.project.root(), "hook_event_name": hook,
            "transcript_path": null, "permission_mode": "default", "turn_id": "t", "model": "m",
        });
        for (key, value) in more.as_object().expect("an object") {
            told[key] = value.clone();
        }
        let ran = self.tell(told.to_string().into_bytes());
        if ran.output.stdout.is_empty() { json!({}) } else { ran.json() }
    }

    /// Writes bytes to a hook's standard input.
    #[track_caller]
    pub fn tell(&self, bytes: Vec<u8>) -> Ran {
        let mut command = self.project.command();
        command.args(["hook", self.name]).args(self.flags).write_stdin(bytes);
        for name in ["CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE", "CODEX_ENV_FILE"] {
            command.env_remove(name);
        }
        let ran = Ran::of(&mut command).code(0);
        assert_eq!(ran.err(), "", "{}", ran.what);
        ran
    }

    /// Calls a tool that succeeds or fails; the answers before and after. Denied, it does not run.
    #[track_caller]
    pub fn call(&self, id: &str, tool: &str, input: Value, exit: i32) -> (Value, Value) {
        let before = self
            .fire("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": id}));
        if before["hookSpecificOutput"]["permissionDecision"] == "deny" {
            return (before, json!({}));
        }
        (before, self.ended(id, tool, input, exit))
    }

    /// Tells how a call ended, as the agent does.
    #[track_caller]
    pub fn ended(&self, id: &str, tool: &str, input: Value, exit: i32) -> Value {
        let mut told = json!({"tool_name": tool, "tool_input": input, "tool_use_id": id});
        let hook = match (self.name, exit) {
            ("claude-code", 0) => {
                told["tool_response"] =
                    json!({"stdout": "fine", "stderr": "", "interrupted": false});
                "PostToolUse"
            }
            ("claude-code", code) => {
                told["error"] = format!("Exit code {code}\nerror: it broke").into();
                "PostToolUseFailure"
            }
            (_, code) => {
                let text =
                    format!("Exit code: {code}\nWall time: 0.1 seconds\nOutput:\nit broke\n");
                told["tool_response"] = text.into();
                "PostToolUse"
            }
        };
        self.fire(hook, told)
    }

    pub fn edit(&self) -> (&'static str, Value) {
        match self.name {
            "claude-code" => (
                "Edit",
                json!({"file_path": self.project.path("src/a.rs"), "old_string": "a", "new_string": "b"}),
            ),
            _ => (
                "apply_patch",
                json!({"command": "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-a\n+b\n*** End Patch"}),
            ),
        }
    }

    /// Events of the journal, as `replay` tells them.
    pub fn kinds(&self) -> Vec<String> {
        let ran = self.project.annals(["replay", "--format", "jsonl"]).code(0);
        let lines = ran.out();
        let events = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        events.filter_map(|event| find_kind(&event)).collect()
    }

    pub fn count(&self, kind: &str) -> usize {
        self.kinds().iter().filter(|it| *it == kind).count()
    }
}

fn find_kind(event: &Value) -> Option<String> {
    let kind = |value: &Value| value["kind"].as_str().map(str::to_owned);
    kind(event).or_else(|| kind(&event["event"]))
}
