//! A call is on record once, whichever doors it came by and however many hooks tell of it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::play::{Agent, SESSION};
use crate::project::{Project, Ran};
use crate::skipped::skipped;

/// Plays a transcript of Claude Code's as the hooks that it would have fired.
fn play(project: &Project, transcript: &Path) -> usize {
    let text = std::fs::read_to_string(transcript).expect("a transcript");
    let agent = Agent::new(project, "claude-code", &[]);
    let mut calls = std::collections::BTreeMap::new();
    let mut ended = 0;
    for record in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let base = json!({"session_id": record["sessionId"], "cwd": project.root(),
            "transcript_path": transcript});
        let with = |more: Value| {
            let mut told = base.clone();
            more.as_object().unwrap().iter().for_each(|(key, it)| told[key] = it.clone());
            told
        };
        let blocks = record["message"]["content"].as_array().cloned().unwrap_or_default();
        for block in blocks {
            if block["type"] == "tool_use" {
                let told = json!({"tool_name": block["name"], "tool_input": block["input"],
                    "tool_use_id": block["id"]});
                agent.fire("PreToolUse", with(told.clone()));
                calls.insert(block["id"].as_str().unwrap().to_owned(), told);
            } else if block["type"] == "tool_result" {
                let Some(told) = calls.get(block["tool_use_id"].as_str().unwrap()) else {
                    continue;
                };
                let mut told = with(told.clone());
                ended += 1;
                let hook = match block["is_error"] == true {
                    true => {
                        told["error"] = block["content"].clone();
                        "PostToolUseFailure"
                    }
                    false => {
                        told["tool_response"] = record["toolUseResult"].clone();
                        "PostToolUse"
                    }
                };
                agent.fire(hook, told);
            }
        }
    }
    ended
}

fn transcript() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../shared/data/claude-code/small.jsonl");
    path.exists().then_some(path)
}

/// Tool, outcome and target of each execution.
pub fn rows(project: &Project) -> Value {
    let log = project.annals(["log", "-n", "1000", "--json"]).code(0);
    let rows = log.json();
    let list =
        rows.as_array().cloned().unwrap_or_else(|| rows["executions"].as_array().unwrap().clone());
    json!(
        list.iter()
            .map(|row| [row["tool"].clone(), row["outcome"].clone(), row["target"].clone()])
            .collect::<Vec<_>>()
    )
}

#[test]
fn a_session_told_by_hooks_and_then_imported_is_on_record_once() {
    let Some(transcript) = transcript() else {
        return skipped("no ../shared/data/claude-code/small.jsonl");
    };
    let imported = Project::new();
    imported.annals(["import".as_ref(), transcript.as_os_str()]).code(0);
    let expect = rows(&imported);

    let hooked = Project::new();
    let ended = play(&hooked, &transcript);
    assert!(ended > 0);
    let again = hooked
        .annals(["--json".as_ref(), "import".as_ref(), transcript.as_os_str()])
        .code(0)
        .json();
    assert_eq!(rows(&hooked), expect, "{again}");

    // And a hook that comes late, after the import, adds nothing either.
    let before = Agent::new(&imported, "claude-code", &[]).kinds().len();
    play(&imported, &transcript);
    let kinds = Agent::new(&imported, "claude-code", &[]).kinds();
    assert!(
        !kinds[before..].iter().any(|kind| kind.starts_with("Execution")),
        "{:?}",
        &kinds[before..]
    );
    assert_eq!(rows(&imported), expect);
}

/// Of calls that ended long ago, the nearest are known of the session's file, and those before them of
/// the index.
#[test]
fn a_call_told_again_after_thousands_of_others_adds_nothing() {
    for calls in [300, 4_400] {
        let project = Project::new();
        let record = |kind: &str, at: usize, content: Value| {
            let second = at / 1_000;
            json!({"type": kind, "uuid": format!("{kind}{at}"), "sessionId": SESSION,
                "cwd": project.root(), "message": {"role": kind, "content": content},
                "timestamp": format!("2026-01-05T12:00:{second:02}.{:03}Z", at % 1_000)})
        };
        let id = |at: usize| format!("toolu_{at}");
        let input = |at: usize| json!({"command": format!("echo {at}")});
        let lines = (0..calls).flat_map(|at| {
            let call =
                json!([{"type": "tool_use", "id": id(at), "name": "Bash", "input": input(at)}]);
            let result = json!([{"type": "tool_result", "tool_use_id": id(at), "content": "fine"}]);
            [record("assistant", at, call), record("user", at, result)]
        });
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        let path = project.write("t.jsonl", &text);
        project.annals(["import".as_ref(), path.as_os_str()]).code(0);
        let agent = Agent::new(&project, "claude-code", &[]);
        for at in [0, 1, calls / 2, calls - 1] {
            agent.call(&id(at), "Bash", input(at), 0);
            agent.ended(&id(at), "Bash", input(at), 0);
        }
        agent.call("toolu_new", "Bash", input(calls), 0);
        let kinds = agent.kinds();
        let executions = kinds.into_iter().filter(|kind| kind.starts_with("Execution")).count();
        assert_eq!(executions, 2 * calls + 2, "of {calls} and a new one");
    }
}

#[test]
fn the_end_of_a_turn_reads_what_no_hook_told_and_a_prompt_counts_once() {
    let project = Project::new();
    let agent = Agent::new(&project, "claude-code", &[]);
    let now = jiff_now(&project);
    let record = |kind: &str, content: Value| {
        json!({"type": kind, "uuid": format!("u{kind}"), "sessionId": SESSION, "cwd": project.root(),
            "timestamp": now, "message": {"role": kind, "content": content}})
    };
    let call = json!([{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "make"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "toolu_1", "is_error": true,
        "content": "Exit code 2\nmake: *** no rule"}]);
    let open = json!([{"type": "tool_use", "id": "toolu_2", "name": "Bash", "input": {"command": "sleep 9"}}]);
    let lines = [
        record("user", json!("please make it")),
        record("assistant", call),
        record("user", result),
        record("assistant", open),
    ];
    let path = project.write("t.jsonl", &lines.map(|it| it.to_string() + "\n").concat());
    agent.fire("UserPromptSubmit", json!({"prompt": "please make it"}));
    let told =
        json!({"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "toolu_1"});
    agent.fire("PreToolUse", told);
    for _ in 0..2 {
        agent.fire("Stop", json!({"transcript_path": path}));
    }
    let count = |kind| (kind, agent.count(kind));
    assert_eq!(count("PromptSubmitted"), ("PromptSubmitted", 1));
    assert_eq!(count("ExecutionStarted"), ("ExecutionStarted", 2));
    assert_eq!(count("ExecutionFinished"), ("ExecutionFinished", 1));
    assert_eq!(count("ExecutionInterrupted"), ("ExecutionInterrupted", 0), "it still runs");
    assert_eq!(count("StepEnded"), ("StepEnded", 1));
    agent.fire("SessionEnd", json!({"transcript_path": path, "reason": "logout"}));
    assert_eq!(count("ExecutionInterrupted"), ("ExecutionInterrupted", 1), "it never will");
    assert_eq!(count("SessionEnded"), ("SessionEnded", 1));
}

/// Now, as a transcript writes it.
pub fn jiff_now(project: &Project) -> String {
    let ran = Ran::of(&mut project.shell("date -u +%Y-%m-%dT%H:%M:%S.000Z"));
    ran.out().trim().to_owned()
}

#[test]
fn eight_hooks_of_one_session_at_once_lose_nothing() {
    let project = Project::new();
    let agent = Agent::new(&project, "claude-code", &[]);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let agent = &agent;
            scope.spawn(move || {
                let input = json!({"command": format!("echo {number}")});
                let (before, after) = agent.call(&format!("toolu_{number}"), "Bash", input, 0);
                assert_eq!((before, after), (json!({}), json!({})));
            });
        }
    });
    assert_eq!(agent.count("ExecutionStarted"), 8);
    assert_eq!(agent.count("ExecutionFinished"), 8);
    project.annals(["verify"]).code(0);
}

/// The first word on a call stands; that there was another is told and counted, once each time.
#[test]
fn a_call_told_again_with_other_arguments_is_seen() {
    let project = Project::new();
    let agent = Agent::new(&project, "claude-code", &[]);
    let of = |command: &str| json!({"command": command, "description": "d"});
    let pre = |command: &str| {
        let told = json!({"tool_name": "Bash", "tool_input": of(command), "tool_use_id": "tu1"});
        agent.fire("PreToolUse", told)
    };
    let faults = || project.annals(["status", "--json"]).json()["agents"][0]["faults"].clone();
    // The secret is on record as what was put in its place: the same call is the same all the same.
    let first = "API_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a ls";
    agent.call("tu1", "Bash", of(first), 0);
    for _ in 0..2 {
        agent.call("tu1", "Bash", of(first), 0);
    }
    assert_eq!(faults(), 0);
    let answer = pre("rm -rf src").to_string();
    assert!(answer.contains("call tu1 was told again with other arguments"), "{answer}");
    assert_eq!(faults(), 1);
    project.annals(["status"]).says("told again with other arguments");
    // While it is open as well.
    let open = |command: &str| {
        let told = json!({"tool_name": "Bash", "tool_input": of(command), "tool_use_id": "tu2"});
        agent.fire("PreToolUse", told)
    };
    assert_eq!(open("make"), json!({}));
    assert_eq!(open("make"), json!({}));
    assert!(open("make clean").to_string().contains("call tu2 was told again"));
    assert_eq!(faults(), 2);
    assert_eq!(agent.count("ExecutionStarted"), 2);
}

/// A transcript may say a call otherwise than its hook: that is no second call.
#[test]
fn a_call_that_an_import_told_otherwise_is_none_told_again() {
    let project = Project::new();
    let now = jiff_now(&project);
    let record = |kind: &str, content: Value| {
        json!({"type": kind, "uuid": format!("u{kind}"), "sessionId": SESSION, "cwd": project.root(),
            "timestamp": now, "message": {"role": kind, "content": content}})
    };
    let call =
        json!([{"type": "tool_use", "id": "tu1", "name": "Bash", "input": {"command": "ls"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "tu1", "content": "fine"}]);
    let lines = [record("assistant", call), record("user", result)];
    let path = project.write("t.jsonl", &lines.map(|it| it.to_string() + "\n").concat());
    project.annals(["import".as_ref(), path.as_os_str()]).code(0);
    let agent = Agent::new(&project, "claude-code", &[]);
    let (before, _) = agent.call("tu1", "Bash", json!({"command": "ls", "timeout": 5}), 0);
    assert_eq!(before, json!({}));
    assert_eq!(agent.count("ExecutionStarted"), 1);
}
