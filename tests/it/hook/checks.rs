//! Which checks bear a claim out at the end of a turn, as both agents tell of them.

use serde_json::{Value, json};

use super::play::{Agent, SESSION};
use super::stops::{AGENTS, CLAIMS, edited, stop};
use crate::project::{Project, Ran};

/// Runs a command that ends well, as its agent tells it, and prints this.
fn run(agent: &Agent<'_>, id: &str, command: &str, printed: &str, transcript: &Value) {
    let told = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": id,
        "transcript_path": transcript});
    agent.fire("PreToolUse", told.clone());
    let mut ended = told;
    ended["tool_response"] = match agent.name {
        "codex" => printed.into(),
        _ => json!({"stdout": printed, "stderr": "", "interrupted": false, "isImage": false}),
    };
    agent.fire("PostToolUse", ended);
}

#[test]
fn a_check_that_checks_nothing_bears_nothing_out() {
    for name in AGENTS {
        for (command, printed, passes) in [
            ("cargo test", "test result: ok. 5 passed; 0 failed", true),
            ("cargo test --no-run", "Finished `test` profile", false),
            ("cargo test -- --list", "5 tests, 0 benchmarks", false),
            ("make -n test", "go test ./...", false),
            ("npm test --if-present", "", false),
            ("annals run --tool lsp_check -- true", "", false),
        ] {
            let project = Project::new();
            let agent = edited(&project, name);
            run(&agent, "call_3a2b3c4d5e", command, printed, &Value::Null);
            let answer = stop(&agent, CLAIMS[0], false);
            assert_eq!(answer == json!({}), passes, "{name}: {command}: {answer}");
        }
    }
}

#[test]
fn a_check_that_only_began_bears_nothing_out() {
    let project = Project::new();
    let agent = edited(&project, AGENTS[0]);
    let told = json!({"tool_name": "Bash", "tool_use_id": "call_3a2b3c4d5e",
        "tool_input": {"command": "go test ./...", "run_in_background": true}});
    agent.fire("PreToolUse", told.clone());
    let mut ended = told;
    ended["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false,
        "isImage": false, "backgroundTaskId": "b1"});
    agent.fire("PostToolUse", ended);
    let answer = stop(&agent, CLAIMS[0], false);
    assert_ne!(answer, json!({}));
    let verdict = "SELECT verdict FROM idx.executions WHERE checked IS NOT NULL";
    let told = project.annals(["sql", verdict, "--json"]).code(0).out();
    assert!(told.contains("unknown"), "{told}");
}

/// Of a check behind a pipe, and of any that Codex tells without a rollout, the output says how it ended.
#[test]
fn what_a_check_printed_counts_at_once() {
    let passed = "ok  \tx/a\t0.012s\nok  \tx/b\t(cached)\n";
    let failed = "a_test.go:3: want 1\nFAIL\nFAIL\tx/a\t0.01s\nok  \tx/b\t0.1s\nFAIL\n";
    for (command, printed, verdict) in [
        ("go test ./... 2>&1 | tail -30", passed, ""),
        ("go test ./... 2>&1 | tail -30", failed, "what #3 printed tells a failure"),
        ("go test ./... 2>&1 | tail -1", "FAIL\n", "what #3 printed tells a failure"),
        ("go test ./... 2>&1 | tail -1", "x\n", "not known|cannot be told behind `| tail`"),
        ("go vet ./... 2>&1 | tail -5", "", "does not show all of it"),
        ("mise run test 2>&1 | tail -30", passed, ""),
        ("mise x -- go test ./... | tail", passed, ""),
        ("cargo test", "running 5 tests\ntest result: ok. 5 passed; 0 failed\n", ""),
        ("pytest -q 2>&1 | tail -3", "1 failed, 11 passed in 0.5s\n", "tells a failure"),
    ] {
        for name in AGENTS {
            let project = Project::new();
            project.write("go.mod", "module x\n");
            let agent = edited(&project, name);
            run(&agent, "call_3a2b3c4d5e", command, printed, &Value::Null);
            let answer = stop(&agent, CLAIMS[0], false);
            let reason = answer["reason"].as_str().unwrap_or_default();
            let mut told = verdict.split('|').map(|it| it.trim_start_matches(' '));
            let fits =
                told.any(|it| reason.contains(it)) && reason.is_empty() == verdict.is_empty();
            assert!(fits, "{name}: {command}: {printed}: {reason}");
        }
    }
    let project = Project::new();
    let agent = edited(&project, "codex");
    run(&agent, "call_3a2b3c4d5e", "go test ./...", failed, &Value::Null);
    let reason = stop(&agent, CLAIMS[0], false)["reason"].to_string();
    assert!(reason.contains("#3 bash_exec go test ./... FAILED"), "{reason}");
}

/// Where there is a rollout it alone says how a check ended: by the next call, so that a claim in a shell knows.
#[test]
fn a_rollout_tells_how_a_check_ended_before_the_next_call() {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\n");
    let agent = edited(&project, "codex");
    let path = project.path("rollout.jsonl");
    let line = |at: usize, kind: &str, payload: Value| {
        let line = json!({"timestamp": format!("2026-01-05T12:17:{at:02}.000Z"), "type": kind,
            "payload": payload});
        format!("{line}\n")
    };
    let meta = json!({"id": SESSION, "cwd": "/x", "timestamp": "2026-01-05T12:17:00.000Z"});
    let arguments = json!({"cmd": "cargo test"}).to_string();
    let call = json!({"type": "function_call", "name": "exec_command", "arguments": arguments,
        "call_id": "call_3a2b3c4d5e"});
    let begun = line(0, "session_meta", meta) + &line(1, "response_item", call);
    std::fs::write(&path, &begun).expect("written");
    let transcript = json!(path);
    let printed = "running 5 tests\ntest result: ok. 5 passed; 0 failed\n";
    run(&agent, "call_3a2b3c4d5e", "cargo test", printed, &transcript);
    let reason = stop(&agent, CLAIMS[0], false)["reason"].to_string();
    assert!(reason.contains("how the check ended is not known"), "{reason}");
    assert!(!reason.contains("Run `cargo test`"), "{reason}");

    let output = format!("Chunk ID: 1\nProcess exited with code 0\nOutput:\n{printed}");
    let output = json!({"type": "function_call_output", "call_id": "call_3a2b3c4d5e",
        "output": output});
    std::fs::write(&path, begun + &line(2, "response_item", output)).expect("written");
    run(&agent, "call_4a2b3c4d5e", "annals claim fixed", "accepted", &transcript);
    let mut command = project.command();
    Ran::of(command.env("ANNALS_SESSION", SESSION).args(["claim", CLAIMS[0]])).code(0);
    let shown = project.annals(["show", "3", "--json"]).code(0).json();
    assert_eq!(shown["exit_code"], 0, "{shown}");
}

/// A command that printed nothing has no output, whatever its agent's account of it looks like.
#[test]
fn a_silent_command_printed_nothing() {
    let project = Project::new();
    let agent = edited(&project, "claude-code");
    run(&agent, "call_3a2b3c4d5e", "true", "", &Value::Null);
    let shown = project.annals(["show", "3", "--json"]).code(0).json();
    assert_eq!(shown["artifacts"], json!([]), "{shown}");
}
