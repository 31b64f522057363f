//! What a turn leaves in the repository's memory.

use serde_json::{Value, json};

use super::play::{Agent, SESSION};
use crate::project::Project;

/// The bodies of a kind of event, in order.
fn bodies(project: &Project, kind: &str) -> Vec<Value> {
    let events = project.annals(["export", "jsonl", "events"]).code(0).out();
    let events = events.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    events.filter(|event| event["kind"] == kind).map(|event| event["body"].clone()).collect()
}

#[test]
fn each_turn_leaves_one_summary_however_often_it_stops() {
    let project = Project::new();
    let config = project.path(".annals/config.toml");
    let text = std::fs::read_to_string(&config).expect("settings");
    // Hooks never run it: nothing would come of the turn.
    let text = text.replace("[repo]\n", "[repo]\nsummary_model = \"exit 1\"\n");
    std::fs::write(config, text).expect("written");
    project.annals(["trust", "--yes"]).code(0);
    let agent = Agent::new(&project, "claude-code", &["--observe"]);
    let bash = json!({"command": "cargo test"});
    let secret = "ghp_Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E".to_owned();
    agent.fire("UserPromptSubmit", json!({"prompt": "mend the parser"}));
    agent.call("call_1a2b3c4d5e", "Bash", bash.clone(), 101);
    let said = format!("It still fails.\nI used {secret}.");
    for _ in 0..2 {
        agent.fire("Stop", json!({"last_assistant_message": said}));
    }
    // A turn in which nothing was done leaves nothing.
    agent.fire("UserPromptSubmit", json!({"prompt": "why?"}));
    agent.fire("Stop", json!({"last_assistant_message": "Because of the lexer."}));
    agent.fire("UserPromptSubmit", json!({"prompt": "go on"}));
    agent.call("call_2a2b3c4d5e", "Bash", bash.clone(), 0);
    // Interrupted: no hook says that the turn ended.
    agent.fire("UserPromptSubmit", json!({"prompt": "once more"}));
    agent.call("call_3a2b3c4d5e", "Bash", bash, 0);
    agent.fire("SessionEnd", json!({"reason": "logout"}));

    let summaries = bodies(&project, "SummaryAppended");
    let text = |at: usize| summaries[at]["summary"].as_str().expect("a text");
    assert_eq!(summaries.len(), 3, "{summaries:?}");
    assert_eq!(bodies(&project, "StepEnded").len(), 3);
    assert_eq!(bodies(&project, "RepoIdentified").len(), 1, "said once");
    for (summary, step) in summaries.iter().zip(["step-1", "step-3", "step-4"]) {
        assert_eq!((&summary["run_id"], &summary["step_id"]), (&json!(SESSION), &json!(step)));
        assert_eq!(summary["made_by"], "events");
    }
    assert_eq!(
        text(0),
        "What happened: mend the parser\n\
         - said: It still fails. I used [REDACTED:github-token].\n\
         - 1 execution, 1 failed, 0 mutations, 0 checks passed\n\
         Important outputs: none\n\
         Follow-up:\n\
         - pending #1 bash_exec cargo test: error: it broke"
    );
    let begins = "What happened: go on (after: why?)\n- 1 execution, 0 mutations, 1 check passed";
    assert!(text(1).starts_with(begins), "{}", text(1));
    assert!(text(1).contains("- passed #2 bash_exec cargo test: fine"), "{}", text(1));
    assert!(text(1).ends_with("Follow-up: none"), "{}", text(1));
}

/// The project's own transcript of a turn that hooks told of.
fn transcript(project: &Project, at: &str) -> std::path::PathBuf {
    let line = |kind: &str, content: Value| {
        json!({"type": kind, "sessionId": SESSION, "cwd": project.root(), "timestamp": at,
            "message": {"role": kind, "content": content}})
        .to_string()
    };
    let call = json!([{"type": "tool_use", "id": "call_1a2b3c4d5e", "name": "Bash",
        "input": {"command": "cargo test"}}]);
    let result =
        json!([{"type": "tool_result", "tool_use_id": "call_1a2b3c4d5e", "content": "fine"}]);
    let lines =
        [line("user", json!("mend it")), line("assistant", call), line("user", result)].join("\n");
    let path = project.path("session.jsonl");
    std::fs::write(&path, lines + "\n").expect("written");
    path
}

#[test]
fn an_import_after_hooks_adds_no_summary_and_hooks_go_on_counting_behind_one() {
    let project = Project::new();
    let agent = Agent::new(&project, "claude-code", &["--observe"]);
    let bash = json!({"command": "cargo test"});
    agent.fire("UserPromptSubmit", json!({"prompt": "mend it"}));
    agent.call("call_1a2b3c4d5e", "Bash", bash.clone(), 0);
    agent.fire("Stop", json!({"last_assistant_message": "Done."}));
    let path = transcript(&project, &super::twice::jiff_now(&project));
    let path = path.to_str().expect("a path");
    project.annals(["import", path]).code(0);
    let told = |project: &Project| bodies(project, "SummaryAppended").len();
    assert_eq!((told(&project), bodies(&project, "StepBegun").len()), (1, 1));

    let past = Project::new();
    let path = transcript(&past, "2026-01-05T12:17:00.000Z");
    past.annals(["import", path.to_str().expect("a path")]).code(0);
    let agent = Agent::new(&past, "claude-code", &["--observe"]);
    agent.fire("UserPromptSubmit", json!({"prompt": "go on"}));
    agent.call("call_2a2b3c4d5e", "Bash", bash, 0);
    agent.fire("Stop", json!({"last_assistant_message": "Done."}));
    let summaries = bodies(&past, "SummaryAppended");
    let steps: Vec<_> = summaries.iter().map(|it| &it["step_id"]).collect();
    assert_eq!(steps, ["step-1", "step-2"]);
    assert!(past.annals(["context"]).code(0).out().contains("mend it"));
}

#[test]
fn a_call_whose_name_is_a_secret_is_one_call_under_another_name() {
    let project = Project::new();
    let agent = Agent::new(&project, "claude-code", &["--observe"]);
    let secret = ["ghp_", "Zx9Kq2LmN4pR7sT1vW3yB6cD8fG0hJ5kQw2E"].concat();
    for _ in 0..2 {
        agent.call(&secret, "Bash", json!({"command": "cargo test"}), 0);
    }
    let (begun, ended) =
        (bodies(&project, "ExecutionStarted"), bodies(&project, "ExecutionFinished"));
    assert_eq!((begun.len(), ended.len()), (1, 1), "{begun:?} {ended:?}");
    assert_eq!(begun[0]["execution"], ended[0]["execution"]);
    assert!(!format!("{begun:?}").contains(&secret[4..]), "{begun:?}");
}
