//! Doors of agents: hooks as they fire, transcripts as they are imported.

use serde_json::{Value, json};

use super::world::World;

/// Members of a transcript's lines that a person, a model or a program wrote.
const FREE: [&str; 22] = [
    "aggregated_output",
    "arguments",
    "cmd",
    "command",
    "content",
    "cwd",
    "description",
    "file_path",
    "gitBranch",
    "input",
    "message",
    "new_string",
    "old_string",
    "output",
    "path",
    "pattern",
    "prompt",
    "stderr",
    "stdout",
    "summary",
    "text",
    "title",
];

pub fn doors(world: &mut World) {
    for agent in ["claude-code", "codex"] {
        hooks(world, agent);
        names(world, agent);
    }
    transcript(world, "claude-code", "whole.jsonl");
    transcript(world, "codex", "codex/whole.jsonl");
    transcript(world, "codex", "codex/events.jsonl");
    let secret = world.secret("import: a line that is none");
    let torn = format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{secret}\n{secret}\n");
    let path = world.give("torn.jsonl", torn);
    world.annals(&["import", "claude-code", &path.to_string_lossy()]);
}

fn hooks(world: &mut World, agent: &str) {
    let fire = |world: &World, hook: &str, more: Value| {
        let mut told = json!({
            "session_id": "0193a5b2-7c1e-4f00-8a00-000000000077", "cwd": world.path("app"),
            "hook_event_name": hook, "transcript_path": null, "permission_mode": "default",
            "turn_id": "t", "model": "m",
        });
        for (key, value) in more.as_object().expect("an object") {
            told[key] = value.clone();
        }
        world.told(&["hook", agent, "--advise"], told.to_string()).code(0);
    };
    let mut secret = |what: &str| world.secret(&format!("hook {agent}: {what}"));
    let (prompt, command, output) = (secret("a prompt"), secret("a command"), secret("its output"));
    let (key, edit, error, said) = (
        secret("a key of the input"),
        secret("an edit"),
        secret("an error"),
        secret("the last word"),
    );
    let (unfinished, source) = (secret("a call that goes on"), secret("how it began"));
    fire(world, "SessionStart", json!({ "source": source }));
    fire(world, "UserPromptSubmit", json!({ "prompt": format!("use {prompt}, please") }));
    let input = json!({ "command": format!("curl -H 'X-Token: {command}' x"), key: "v" });
    let call = |id: &str, tool: &str, input: &Value| json!({ "tool_name": tool, "tool_input": input, "tool_use_id": id });
    fire(world, "PreToolUse", call("call_1a2b3c4d5e", "Bash", &input));
    let mut ended = call("call_1a2b3c4d5e", "Bash", &input);
    ended["tool_response"] = match agent {
        "codex" => format!("Exit code: 0\nOutput:\n{output}\n").into(),
        _ => json!({ "stdout": output, "stderr": format!("x={output}"), "interrupted": false }),
    };
    fire(world, "PostToolUse", ended);
    let input = match agent {
        "codex" => {
            let patch =
                format!("*** Begin Patch\n*** Update File: a\n@@\n-a\n+{edit}\n*** End Patch");
            json!({ "command": patch })
        }
        _ => json!({ "file_path": "a", "old_string": "a", "new_string": edit }),
    };
    let tool = if agent == "codex" { "apply_patch" } else { "Edit" };
    fire(world, "PreToolUse", call("call_2a2b3c4d5e", tool, &input));
    let mut failed = call("call_2a2b3c4d5e", tool, &input);
    failed["error"] = format!("Exit code 1\n{error}").into();
    failed["tool_response"] = format!("Exit code: 1\nOutput:\n{error}\n").into();
    fire(world, if agent == "codex" { "PostToolUse" } else { "PostToolUseFailure" }, failed);
    fire(world, "PreToolUse", call("call_3a2b3c4d5e", "Bash", &json!({ "command": unfinished })));
    let said =
        json!({ "last_assistant_message": format!("I fixed {said}."), "stop_hook_active": false });
    fire(world, "Stop", said);
}

/// A transcript of the fixtures with a secret in everything that somebody wrote.
fn transcript(world: &mut World, format: &str, name: &str) {
    let path = format!("{}/tests/fixtures/transcripts/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a transcript");
    let secret = world.secret(&format!("import {format}: {name}"));
    let lines = text.lines().map(|line| match serde_json::from_str::<Value>(line) {
        Ok(mut line) => {
            laden(&mut line, "", &secret);
            line.to_string()
        }
        Err(_) => line.to_owned(),
    });
    let lines: Vec<String> = lines.collect();
    let path = world.give(&name.replace('/', "-"), lines.join("\n") + "\n");
    let ran = world.annals(&["import", format, &path.to_string_lossy()]);
    assert!(ran.output.status.code().is_some_and(|code| code <= 1), "{}", ran.err());
}

fn laden(value: &mut Value, name: &str, secret: &str) {
    match value {
        // JSON within JSON: laden inside, or it could not be read.
        Value::String(text) if text.starts_with('{') => {
            if let Ok(mut inner) = serde_json::from_str::<Value>(text) {
                laden(&mut inner, name, secret);
                *text = inner.to_string();
            }
        }
        Value::String(text) if FREE.contains(&name) => {
            *text = match name {
                "cwd" | "file_path" | "path" => format!("{text}/{secret}"),
                _ => format!("{text} {secret}"),
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|value| laden(value, name, secret)),
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(name, value)| laden(value, name, secret));
        }
        _ => (),
    }
}

/// Names that an agent gives: of the session, the tool and the call.
fn names(world: &mut World, agent: &str) {
    let session = world.secret(&format!("hook {agent}: the session's name"));
    let call = world.secret(&format!("hook {agent}: a call's name"));
    let tool = world.secret(&format!("hook {agent}: a tool's name"));
    for (tool, call) in [("Bash", &*call), (&*tool, "c9")] {
        for hook in ["PreToolUse", "PostToolUse", "Stop", "SessionEnd"] {
            let told = json!({
                "session_id": session, "cwd": world.path("app"), "hook_event_name": hook,
                "transcript_path": null, "turn_id": "t", "model": "m", "tool_name": tool,
                "tool_use_id": call, "tool_input": { "command": "true" },
                "tool_response": { "stdout": "", "stderr": "", "interrupted": false },
            });
            world.told(&["hook", agent, "--advise"], told.to_string()).code(0);
        }
    }
}
