//! The agents' day under each mode: edit without a read, read, edit, a failure, stale, a claim.

use serde_json::{Value, json};

use super::play::{Agent, SESSION};
use crate::project::Project;

const AGENTS: [&str; 2] = ["claude-code", "codex"];

fn decision(answer: &Value) -> Option<&str> {
    answer["hookSpecificOutput"]["permissionDecision"].as_str()
}

fn context(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}

/// A project whose window is over at once: what is left is whether anything failed since.
fn project() -> Project {
    let project = Project::new();
    let config = project.path(".annals/config.toml");
    let text = std::fs::read_to_string(&config).expect("settings");
    std::fs::write(config, text.replace("window_ms = 10000", "window_ms = 0")).expect("written");
    project
}

#[test]
fn under_enforce_an_edit_needs_a_read_and_a_claim_a_check() {
    for name in AGENTS {
        let project = project();
        let agent = Agent::new(&project, name, &["--enforce"]);
        let opening = agent.fire("SessionStart", json!({"source": "startup"}));
        assert!(context(&opening).contains("annals timeline"), "{name}: {opening}");
        agent.fire("UserPromptSubmit", json!({"prompt": "fix it"}));
        assert_eq!(agent.count("TimelineCheckpoint"), 1, "{name}: the opening carries it");
        assert_eq!(agent.count("TimelineQueried"), 0, "{name}: to be given it is no read");

        // Denied once; the denial carries the timeline, and so is the read.
        let (tool, input) = agent.edit();
        let (denied, _) = agent.call("call_1a2b3c4d5e", tool, input.clone(), 0);
        assert_eq!(decision(&denied), Some("deny"), "{name}: {denied}");
        let reason = denied["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
        assert!(reason.contains("Must call memory_query before mutation tool"), "{reason}");
        assert!(reason.contains("memory_query(timeline_summary)"), "{reason}");
        assert_eq!(agent.count("TimelineCheckpoint"), 2, "{name}: a denial carries it");
        assert_eq!(agent.count("TimelineQueried"), 1, "{name}");
        let prompted = agent.fire("UserPromptSubmit", json!({"prompt": "go on"}));
        assert!(context(&prompted).contains("EXECUTION TIMELINE"), "{name}: {prompted}");
        assert_eq!(agent.count("TimelineCheckpoint"), 3, "{name}: a prompt carries it");
        let (passed, _) = agent.call("call_2a2b3c4d5e", tool, input.clone(), 0);
        assert_eq!(decision(&passed), None, "{name}: {passed}");

        // A failure makes the read stale, however young it is.
        let bash = json!({"command": "cargo test"});
        agent.call("call_3a2b3c4d5e", "Bash", bash.clone(), 101);
        let (stale, _) = agent.call("call_4a2b3c4d5e", tool, input.clone(), 0);
        assert_eq!(decision(&stale), Some("deny"), "{name}: {stale}");

        // A read of one's own, in a shell that knows its session or does not.
        agent.call("call_5a2b3c4d5e", "Bash", bash.clone(), 101);
        let read = json!({"command": "annals timeline"});
        agent.call("call_6a2b3c4d5e", "Bash", read, 0);
        let (grounded, _) = agent.call("call_7a2b3c4d5e", tool, input, 0);
        assert_eq!(decision(&grounded), None, "{name}: {grounded}");

        // Done, without a check that passed; told once, then let go.
        let claim = json!({"last_assistant_message": "I fixed it.", "stop_hook_active": false});
        let stop = agent.fire("Stop", claim);
        assert_eq!(stop["decision"], "block", "{name}: {stop}");
        assert!(stop["reason"].as_str().unwrap().contains("no check passed since"));
        let again = json!({"last_assistant_message": "I fixed it.", "stop_hook_active": true});
        let let_go = agent.fire("Stop", again.clone());
        assert_eq!(let_go["decision"], Value::Null, "{name}: {let_go}");
        agent.call("call_8a2b3c4d5e", "Bash", bash, 0);
        let proven = agent.fire("Stop", again);
        assert_eq!(proven, json!({}), "{name}");
        for (kind, count) in [("GateRefused", 4), ("SuccessClaimed", 2), ("PromptSubmitted", 2)] {
            assert_eq!(agent.count(kind), count, "{name}: {kind}");
        }
    }
}

#[test]
fn under_advise_the_edit_goes_on_and_under_observe_nothing_is_said() {
    for name in AGENTS {
        for (flag, mode) in [("--advise", "advise"), ("--observe", "observe")] {
            let project = project();
            let flags: &[&str] = if mode == "advise" { &["--advise"] } else { &["--observe"] };
            let agent = Agent::new(&project, name, flags);
            let (tool, input) = agent.edit();
            let (advised, after) = agent.call("call_1a2b3c4d5e", tool, input, 0);
            assert_eq!(decision(&advised), None, "{name} {flag}");
            let told = context(&advised).contains("EXECUTION TIMELINE");
            assert_eq!(told, mode == "advise", "{name} {flag}: {advised}");
            assert_eq!(after, json!({}));
            let stop = agent.fire("Stop", json!({"last_assistant_message": "It is done."}));
            assert_eq!(stop["decision"], Value::Null, "{name} {flag}: {stop}");
            assert_eq!(stop["systemMessage"].is_string(), mode == "advise", "{name}: {stop}");
            let refusals = agent.count("GateRefused");
            assert_eq!(
                (refusals, agent.count("TimelineQueried")),
                (2, usize::from(told)),
                "{flag}"
            );
        }
    }
}

#[test]
fn a_repeated_failure_is_answered_with_what_was_tried() {
    for name in AGENTS {
        let project = Project::new();
        let agent = Agent::new(&project, name, &[]);
        let input = json!({"command": "cargo build"});
        let (_, first) = agent.call("call_1a2b3c4d5e", "Bash", input.clone(), 1);
        assert_eq!(first, json!({}), "{name}");
        let (_, second) = agent.call("call_2a2b3c4d5e", "Bash", input, 1);
        let told = context(&second);
        assert!(told.contains("failed 2 times") && told.contains("#1, #2"), "{name}: {second}");
        assert!(told.chars().count() <= 4_000);
    }
}

#[test]
fn what_was_denied_and_ran_all_the_same_is_on_record_as_a_bypass() {
    for name in AGENTS {
        let project = Project::new();
        let agent = Agent::new(&project, name, &["--enforce"]);
        let (tool, input) = agent.edit();
        agent.call("call_1a2b3c4d5e", tool, input.clone(), 0);
        let answer = agent.ended("call_1a2b3c4d5e", tool, input, 0);
        assert!(
            answer["systemMessage"].as_str().unwrap_or_default().contains("bypass"),
            "{answer}"
        );
        assert_eq!(agent.count("GateBypassed"), 1, "{name}");
        assert_eq!(agent.count("ExecutionCorrected"), 1, "{name}");
    }
}

#[test]
fn the_session_is_exported_once_and_a_shell_of_it_reads_for_it() {
    let project = Project::new();
    let file = project.path("env.sh");
    std::fs::write(&file, "export A=1").unwrap();
    for _ in 0..2 {
        let told = json!({"session_id": SESSION, "hook_event_name": "SessionStart",
            "cwd": project.root(), "source": "resume"});
        let mut command = project.command();
        command.args(["hook", "claude-code"]).env("CLAUDE_ENV_FILE", &file);
        command.env_remove("CLAUDE_PROJECT_DIR").write_stdin(told.to_string()).assert().code(0);
    }
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, format!("export A=1\nexport ANNALS_SESSION='{SESSION}'\n"));
}
