//! Two doors at once: a transcript that is read while its session's hooks still fire.

use serde_json::{Value, json};

use super::play::{Agent, SESSION};
use super::twice::{jiff_now, rows};
use crate::project::Project;

/// A record of Claude Code's transcript.
fn record(project: &Project, kind: &str, id: &str, content: Value, result: Value) -> String {
    let record = json!({"type": kind, "uuid": id, "sessionId": SESSION, "cwd": project.root(),
        "timestamp": jiff_now(project), "message": {"role": kind, "content": [content]},
        "toolUseResult": result});
    record.to_string() + "\n"
}

#[test]
fn an_import_leaves_a_running_call_and_a_result_after_its_end_corrects() {
    let project = Project::new();
    let agent = Agent::new(&project, "claude-code", &[]);
    let bash = json!({"command": "cargo test"});
    let running =
        json!({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": bash.clone()});
    let path = project.write("t.jsonl", &record(&project, "assistant", "u1", running, Value::Null));
    let begins = |id: &str| {
        let told = json!({"tool_name": "Bash", "tool_input": bash, "tool_use_id": id});
        agent.fire("PreToolUse", told);
    };
    begins("toolu_1");
    project.annals(["import".as_ref(), std::path::Path::new(&path).as_os_str()]).code(0);
    assert_eq!(agent.count("ExecutionInterrupted"), 0, "it still runs");
    agent.ended("toolu_1", "Bash", bash.clone(), 101);
    assert_eq!((agent.count("ExecutionFinished"), agent.count("ExecutionCorrected")), (1, 0));

    // No transcript has this one, and its session is over before it is.
    begins("toolu_2");
    agent.fire("SessionEnd", json!({"transcript_path": path, "reason": "logout"}));
    assert_eq!(agent.count("ExecutionInterrupted"), 1);
    for _ in 0..2 {
        agent.ended("toolu_2", "Bash", bash.clone(), 101);
        assert_eq!((agent.count("ExecutionFinished"), agent.count("ExecutionCorrected")), (1, 1));
    }
    let outcomes: Vec<Value> =
        rows(&project).as_array().unwrap().iter().map(|row| row[1].clone()).collect();
    assert!(outcomes.iter().filter(|it| *it == "failed").count() >= 2, "{outcomes:?}");
}

#[test]
fn codex_calls_have_one_tool_and_target_whichever_door_they_came_by() {
    let patch = |old: &str| {
        format!("*** Begin Patch\n*** Update File: a.rs\n@@\n-{old}\n+b\n*** End Patch")
    };
    let output = |code: i32| format!("Exit code: {code}\nWall time: 0.1 seconds\nOutput:\nx\n");
    let calls = [
        ("call_1a2b3c4d5e", None, "cargo test".to_owned(), 1),
        ("call_2a2b3c4d5e", Some("custom"), patch("x"), 1),
        ("call_3a2b3c4d5e", Some("custom"), patch("y"), 0),
        ("call_4a2b3c4d5e", Some("words"), patch("z"), 0),
    ];
    let (hooked, imported) = (Project::new(), Project::new());
    let agent = Agent::new(&hooked, "codex", &["--observe"]);
    let line = |kind: &str, payload: Value| {
        let now = jiff_now(&imported);
        json!({"timestamp": now, "type": kind, "payload": payload}).to_string() + "\n"
    };
    let meta = json!({"id": SESSION, "timestamp": jiff_now(&imported), "cwd": imported.root(),
        "originator": "codex_cli_rs", "cli_version": "0.60.0", "source": "cli"});
    let mut rollout = line("session_meta", meta);
    for (id, form, text, code) in &calls {
        let native = if form.is_some() { "apply_patch" } else { "Bash" };
        agent.call(id, native, json!({"command": text}), *code);
        let (item, out) = match form {
            Some("custom") => (
                json!({"type": "custom_tool_call", "call_id": id, "name": "apply_patch", "input": text}),
                "custom_tool_call_output",
            ),
            form => {
                let (name, command) = match form {
                    Some(_) => ("shell", json!(["apply_patch", text])),
                    None => ("shell_command", json!(text)),
                };
                let arguments = json!({"command": command}).to_string();
                (
                    json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}),
                    "function_call_output",
                )
            }
        };
        rollout += &line("response_item", item);
        let told = json!({"type": out, "call_id": id, "output": output(*code)});
        rollout += &line("response_item", told);
    }
    let path = imported.write(&format!("rollout-2026-11-22T05-00-00-{SESSION}.jsonl"), &rollout);
    imported.annals(["import".as_ref(), std::path::Path::new(&path).as_os_str()]).code(0);
    let told = rows(&hooked);
    assert_eq!(told, rows(&imported));
    let of = |tool: &str, target: &str| {
        let rows = told.as_array().unwrap().iter();
        rows.filter(|row| row[0] == tool && row[2] == target).count()
    };
    assert_eq!((of("bash_exec", "cargo test"), of("file_edit", "a.rs")), (1, 3), "{told}");
}

#[test]
fn a_call_that_the_transcripts_end_closes_keeps_its_tool_and_changed_files() {
    let project = Project::new();
    let agent = Agent::new(&project, "claude-code", &[]);
    let new = project.path("new.rs");
    let input = json!({"file_path": new, "content": "x\n"});
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "Write", "input": input});
    let result = json!({"type": "tool_result", "tool_use_id": "toolu_1",
        "content": "File created successfully"});
    let answer =
        json!({"type": "create", "filePath": new, "content": "x\n", "structuredPatch": []});
    let text = record(&project, "assistant", "u1", call, Value::Null)
        + &record(&project, "user", "u2", result, answer);
    let path = project.write("t.jsonl", &text);
    let told = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "toolu_1",
        "transcript_path": path});
    agent.fire("PreToolUse", told);
    // An edit is judged on what really happened so far.
    let (tool, input) = agent.edit();
    let edit = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_2",
        "transcript_path": path});
    agent.fire("PreToolUse", edit);
    let ran = project.annals(["replay", "--format", "jsonl"]).code(0);
    let text = ran.out().to_owned();
    let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let closed: Vec<String> = events
        .map(|event| event.to_string())
        .filter(|event| event.contains("ExecutionFinished"))
        .collect();
    let [closed] = closed.as_slice() else { panic!("{closed:?}") };
    assert!(closed.contains("file_create") && closed.contains("new.rs"), "{closed}");
}
