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
    assert!(!project.path("codegraph.db").exists());
    project.annals(["rebuild", "--check"]).code(0);
    // It has been made, and is missed.
    project.annals(["log"]).code(0);
    let graph = project.path("codegraph.db");
    assert!(graph.exists());
    let next = || {
        let status: serde_json::Value = project.annals(["status", "--json"]).code(0).json();
        (status["counts"]["open"].as_u64(), status["next"].as_str().map(str::to_owned))
    };
    let (open, advised) = next();
    assert_eq!(open, Some(1));
    assert_ne!(advised.as_deref(), Some("annals repair"), "it runs");
    agent.fire("SessionEnd", json!({"reason": "logout"}));
    project.annals(["log"]).code(0);
    assert_eq!(next(), (Some(1), Some("annals repair".to_owned())));
    let would = project.annals(["repair", "--dry-run"]).code(0).out();
    assert!(would.contains('1'), "{would}");
    project.annals(["repair"]).code(0);
    assert_eq!(next().0, Some(0));
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
