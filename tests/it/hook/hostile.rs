//! Whatever a hook is told and wherever it runs: it ends with 0, in JSON, and says what it lost.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::play::{Agent, SESSION};
use crate::project::{NOBODY, Project, Ran};
use crate::skipped::skipped;

#[test]
fn no_standard_input_breaks_a_hook() {
    let project = Project::new();
    let long = "x".repeat(3 << 20);
    let deep = "[".repeat(200_000);
    let told = |more: &str| {
        format!(r#"{{"hook_event_name":"PreToolUse","session_id":"{SESSION}"{more}}}"#).into_bytes()
    };
    let table: Vec<(&str, Vec<u8>, bool)> = vec![
        ("empty", vec![], true),
        ("blank", b" \n".to_vec(), true),
        ("no JSON", b"hello".to_vec(), true),
        ("an array", b"[1]".to_vec(), true),
        ("torn", br#"{"hook_event_name":"Stop""#.to_vec(), true),
        ("NUL", b"\0\0\0".to_vec(), true),
        ("invalid UTF-8", b"{\"hook_event_name\":\"\xff\xfe\"}".to_vec(), true),
        ("deep", deep.clone().into_bytes(), true),
        ("no session", br#"{"hook_event_name":"PreToolUse"}"#.to_vec(), true),
        ("other types", br#"{"hook_event_name":"Stop","session_id":7,"cwd":[],"tool_input":3}"#.to_vec(), true),
        ("no tool", told(""), false),
        ("tool of another type", told(r#","tool_name":{},"tool_use_id":"x","tool_input":[]"#), false),
        ("arguments of another type", told(r#","tool_name":"Bash","tool_use_id":"x1","tool_input":[1,2]"#), false),
        ("a long argument", told(&format!(r#","tool_name":"Bash","tool_use_id":"x2","tool_input":{{"command":"{long}"}}"#)), false),
        ("deep arguments", told(&format!(r#","tool_name":"Bash","tool_use_id":"x3","tool_input":{}{}"#, "[".repeat(5_000), "]".repeat(5_000))), false),
        ("half a pair", told(r#","tool_name":"Bash","tool_use_id":"x4","tool_input":{"command":"\ud800"}"#), false),
        ("a tool no list has", told(r#","tool_name":"Odd tool\u0000","tool_use_id":"x5","tool_input":{}"#), false),
        ("an unknown hook", format!(r#"{{"hook_event_name":"Sunrise","session_id":"{SESSION}"}}"#).into_bytes(), false),
        ("a session that is a path", br#"{"hook_event_name":"Stop","session_id":"../../../etc/passwd","transcript_path":"/etc/passwd"}"#.to_vec(), true),
        ("a transcript that is a device", format!(r#"{{"hook_event_name":"Stop","session_id":"{SESSION}","transcript_path":"/dev/zero"}}"#).into_bytes(), false),
    ];
    for agent in ["claude-code", "codex"] {
        let agent = Agent::new(&project, agent, &[]);
        for (what, bytes, faulty) in &table {
            let answer: Value = agent.tell(bytes.clone()).json();
            assert_eq!(answer["systemMessage"].is_string(), *faulty, "{what}: {answer}");
        }
        assert!(agent.tell(br#"{"hook_event_name":"WorktreeCreate"}"#.to_vec()).out().is_empty());
    }
    project.annals(["verify"]).code(0);
    let outside: Vec<_> = std::fs::read_dir(project.path(".annals/sessions")).unwrap().collect();
    assert!(!outside.is_empty());
    assert!(!project.path("../etc").exists());
}

#[test]
fn wrong_words_after_hook_are_told_and_block_nothing() {
    let project = Project::new();
    for words in [
        &["hook"][..],
        &["hook", "emacs"],
        &["hook", "claude-code", "--frobnicate"],
        &["--no-such", "hook", "codex"],
        &["hook", "codex", "--enforce=maybe"],
    ] {
        let told = json!({"hook_event_name": "Stop", "session_id": SESSION}).to_string();
        let ran = Ran::of(project.command().args(words).write_stdin(told)).code(0);
        assert!(ran.json()["systemMessage"].as_str().unwrap().contains("usage"), "{}", ran.what);
    }
}

#[test]
fn where_there_is_no_journal_nothing_is_said() {
    let project = Project::empty();
    let agent = Agent::new(&project, "claude-code", &["--enforce"]);
    for hook in ["SessionStart", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"] {
        let told = json!({"tool_name": "Edit", "tool_use_id": "1", "tool_input": {}});
        assert_eq!(agent.fire(hook, told), json!({}), "{hook}");
    }
    assert_eq!(agent.tell(b"nonsense".to_vec()).out(), "{}\n");
    assert!(!project.path(".annals").exists());
}

#[test]
fn a_held_lock_is_waited_for_two_seconds_and_told() {
    let project = Project::new();
    let lock = std::fs::File::open(project.path(".annals/journal/LOCK")).expect("a lock");
    lock.lock().expect("locked");
    let agent = Agent::new(&project, "codex", &[]);
    let began = std::time::Instant::now();
    let told = json!({"tool_name": "Bash", "tool_use_id": "1", "tool_input": {"command": "ls"}});
    let answer = agent.fire("PreToolUse", told);
    let took = began.elapsed();
    lock.unlock().expect("unlocked");
    let message = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(message.contains("not on record") && message.contains("is held"), "{answer}");
    assert!(took.as_millis() < 5_000, "{took:?}");
    let log = std::fs::read_to_string(project.path(".annals/hooks/codex.json")).expect("a log");
    let log: Value = serde_json::from_str(&log).expect("JSON");
    assert_eq!(
        (&log["not_recorded"], &log["hooks"]["PreToolUse"]["fired"]),
        (&json!(1), &json!(1))
    );
    assert!(log["last_fault"]["what"].as_str().unwrap().contains("is held"), "{log}");
}

#[test]
fn a_project_that_cannot_be_written_is_told_of_and_blocks_nothing() {
    if !rustix::process::geteuid().is_root() {
        return skipped("only root can give a project to another user");
    }
    let project = Project::new();
    for (path, mode) in [("", 0o755), (".annals", 0o755), (".annals/journal", 0o755)] {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(project.path(path), permissions).unwrap();
    }
    let told = json!({"hook_event_name": "PreToolUse", "session_id": SESSION, "tool_name": "Edit",
        "tool_use_id": "1", "tool_input": {"file_path": "a"}, "cwd": project.root()});
    let script =
        format!("echo '{told}' | {} hook claude-code --enforce", env!("CARGO_BIN_EXE_annals"));
    let ran = Ran::of(&mut project.shell_as_nobody(&script)).code(0);
    assert!(ran.json()["systemMessage"].is_string(), "{} as {NOBODY}", ran.out());
    assert_eq!(ran.json()["hookSpecificOutput"], Value::Null);
}
