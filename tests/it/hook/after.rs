//! What other commands say after hooks, and what hooks make of transcripts that are none of theirs.

use serde_json::json;

use super::play::{Agent, SESSION};
use crate::project::{Project, Ran};

#[test]
fn hooks_alone_leave_nothing_that_differs_and_a_running_call_needs_no_repair() {
    let project = Project::new();
    let agent = Agent::new(&project, "claude-code", &[]);
    let told =
        json!({"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "toolu_1"});
    agent.fire("PreToolUse", told);
    let graph = project.path("codegraph.db");
    assert!(!graph.exists());
    project.annals(["rebuild", "--check"]).code(0);
    let status = || -> serde_json::Value { project.annals(["status", "--json"]).code(0).json() };
    let running = status();
    assert_eq!(running["counts"]["open"].as_u64(), Some(1));
    assert_ne!(running["next"].as_str(), Some("annals repair"), "it runs");
    // The session's end gives the call up: it has a row, and the graph is made with it.
    agent.fire("SessionEnd", json!({"reason": "logout"}));
    project.annals(["log"]).code(0);
    assert_eq!(status()["counts"]["open"].as_u64(), Some(0));
    assert!(graph.exists());
    std::fs::remove_file(graph).unwrap();
    project.annals(["rebuild", "--check"]).code(1);
}

#[test]
fn a_transcript_that_is_none_is_told_and_not_read() {
    let project = Project::new();
    let agent = Agent::new(&project, "claude-code", &[]);
    let answer = agent.fire("Stop", json!({"transcript_path": env!("CARGO_BIN_EXE_annals")}));
    let message = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(message.contains("no known transcript format"), "{answer}");
    assert_eq!(agent.count("TranscriptFlawed"), 0);
}

#[test]
fn a_held_journal_is_waited_for_once() {
    let project = Project::new();
    let lock = std::fs::File::open(project.path(".annals/journal/LOCK")).expect("a lock");
    lock.lock().expect("locked");
    let began = std::time::Instant::now();
    Ran::of(project.command().arg("timeline").env("ANNALS_SESSION", SESSION)).code(4);
    assert!(began.elapsed().as_secs() < 18, "{:?}", began.elapsed());
}
