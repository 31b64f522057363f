//! Imports side by side, and beside hooks that tell of the same calls.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::events;
use crate::leash::{Leash, start};
use crate::project::Project;

/// The agent's own name of a call.
fn id(at: usize) -> String {
    format!("toolu_{at:03}")
}

fn about(at: usize) -> Value {
    json!({"command": format!("echo {at}")})
}

/// A transcript of so many calls.
fn transcript(project: &Project, calls: usize) -> PathBuf {
    let record = |kind: &str, at: usize, content: Value, result: Value| {
        let second = format!("2026-01-01T{:02}:{:02}:00Z", at / 60, at % 60);
        json!({"type": kind, "uuid": format!("{kind}{at}"), "sessionId": SESSION,
            "cwd": project.root(), "timestamp": second, "toolUseResult": result,
            "message": {"role": kind, "content": [content]}})
        .to_string()
    };
    let lines: Vec<String> = (0..calls)
        .flat_map(|at| {
            let call =
                json!({"type": "tool_use", "id": id(at), "name": "Bash", "input": about(at)});
            let result = json!({"type": "tool_result", "tool_use_id": id(at), "content": "fine"});
            let told = json!({"stdout": "fine", "stderr": "", "interrupted": false});
            [record("assistant", at, call, Value::Null), record("user", at, result, told)]
        })
        .collect();
    project.write("t.jsonl", &(lines.join("\n") + "\n"))
}

const SESSION: &str = "0193a5b2-7c1e-4f00-8a00-0000000000aa";

/// Calls of a transcript by the independent counter; `None` where there is no python3.
fn calls(path: &Path) -> Option<u64> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/count_transcripts.py");
    let Ok(output) = Command::new("python3").arg(script).arg(path).output() else {
        eprintln!("skipped: no python3");
        return None;
    };
    serde_json::from_slice::<Value>(&output.stdout).expect("counts")["calls"].as_u64()
}

fn import(project: &Project, path: &Path) -> Leash {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
    command
        .arg("import")
        .arg(path)
        .current_dir(project.root())
        .env("HOME", project.root())
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CACHE_HOME");
    command.env_remove("ANNALS_DIR").env_remove("ANNALS_SESSION");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    start(&mut command)
}

/// Whoever told of a call, and how often: one start, one end, by the agent's own id.
#[track_caller]
fn each_once(project: &Project, calls: u64) {
    let starts = events(project, &["ExecutionStarted"]);
    let ids: HashSet<String> =
        starts.iter().map(|start| start["body"]["call"].to_string()).collect();
    let ends = events(project, &["ExecutionFinished", "ExecutionInterrupted"]);
    let counted = (starts.len() as u64, ids.len() as u64, ends.len() as u64);
    assert_eq!(counted, (calls, calls, calls));
    let prompts = events(project, &["PromptSubmitted"]);
    let names: HashSet<String> =
        prompts.iter().map(|prompt| prompt["body"]["native_id"].to_string()).collect();
    assert_eq!(prompts.len(), names.len(), "prompts");
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn imports_of_one_file_side_by_side_record_each_call_once() {
    let whole =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/transcripts/whole.jsonl");
    for _ in 0..2 {
        for generated in [false, true] {
            let project = Project::new();
            let path = if generated { transcript(&project, 700) } else { whole.clone() };
            let Some(calls) = calls(&path) else { return };
            let mut imports: Vec<_> = (0..6).map(|_| import(&project, &path)).collect();
            for import in &mut imports {
                assert!(import.wait().expect("it ends").success());
            }
            each_once(&project, calls);
        }
    }
}

#[test]
fn hooks_and_imports_side_by_side_record_each_call_once() {
    const CALLS: usize = 24;
    let project = Project::new();
    let path = transcript(&project, CALLS);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..6 {
                let mut imports = [import(&project, &path), import(&project, &path)];
                imports.iter_mut().for_each(|it| assert!(it.wait().expect("it ends").success()));
            }
        });
        scope.spawn(|| {
            for at in 0..CALLS {
                for hook in ["PreToolUse", "PostToolUse"] {
                    let told = json!({"session_id": SESSION, "cwd": project.root(),
                        "hook_event_name": hook, "tool_name": "Bash", "tool_use_id": id(at),
                        "tool_input": about(at),
                        "tool_response": {"stdout": "fine", "stderr": "", "interrupted": false}});
                    let mut command = project.command();
                    command.args(["hook", "claude-code", "--observe"]);
                    command.write_stdin(told.to_string()).assert().success();
                }
            }
        });
    });
    each_once(&project, CALLS as u64);
}
