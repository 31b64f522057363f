//! A journal that is damaged, lost its end or was rolled back: whoever sits before the agent hears it.

use serde_json::{Value, json};

use super::play::Agent;
use crate::project::{Project, Ran};

/// A project whose session two calls were told of, and its journal as it was before the second.
fn begun(agent: &'static str) -> Project {
    let project = Project::new();
    let playing = Agent::new(&project, agent, &[]);
    let (tool, input) = playing.edit();
    playing.fire("SessionStart", json!({"source": "startup"}));
    playing.call("one", tool, input.clone(), 0);
    shell(&project, "cp -a .annals/journal .annals/before");
    playing.call("two", tool, input, 0);
    project
}

fn shell(project: &Project, script: &str) {
    Ran::of(&mut project.shell(script)).code(0);
}

fn message(answer: &Value) -> &str {
    answer["systemMessage"].as_str().unwrap_or_default()
}

/// Changes bytes in the middle of what the journal's segment holds.
fn damage(project: &Project) {
    let path = project.segment();
    let mut bytes = std::fs::read(&path).expect("a segment");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("events");
    // Behind the segment's header.
    let middle = usize::midpoint(4_096, end);
    bytes[middle..middle + 40].fill(0x40);
    std::fs::write(path, bytes).expect("written");
}

#[test]
fn damage_is_told_once_a_session_and_again_to_the_next() {
    for name in ["claude-code", "codex"] {
        let project = begun(name);
        let agent = Agent::new(&project, name, &[]);
        assert_eq!(message(&agent.fire("Stop", json!({}))), "", "{name}");
        damage(&project);
        let heard: Vec<_> = (0..2).map(|_| agent.fire("Stop", json!({}))).collect();
        let first = message(&heard[0]);
        assert!(first.contains("the journal is damaged"), "{name}: {first}");
        assert!(first.contains("annals verify"), "{name}: {first}");
        assert_eq!(message(&heard[1]), "", "{name}");
        let next = agent.fire("SessionStart", json!({"session_id": "b", "source": "startup"}));
        assert!(message(&next).contains("the journal is damaged"), "{name}: {next}");
    }
}

#[test]
fn a_lost_end_that_recording_meets_is_told_where_it_is_put_on_record() {
    let project = begun("claude-code");
    let agent = Agent::new(&project, "claude-code", &[]);
    let (tool, input) = agent.edit();
    let path = project.segment();
    let mut bytes = std::fs::read(&path).expect("a segment");
    let end = bytes.iter().rposition(|byte| *byte != 0).expect("events");
    bytes[end - 150..=end].fill(0);
    std::fs::write(path, bytes).expect("written");
    let call = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "three"});
    let heard = agent.fire("PreToolUse", call);
    assert!(message(&heard).contains("lost something, which is on record now"), "{heard}");
    let call = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "four"});
    assert_eq!(message(&agent.fire("PreToolUse", call)), "");
}

#[test]
fn a_journal_that_was_put_back_is_told() {
    let project = begun("claude-code");
    let agent = Agent::new(&project, "claude-code", &[]);
    shell(&project, "rm -r .annals/journal; mv .annals/before .annals/journal");
    let heard = agent.fire("SessionStart", json!({"session_id": "b", "source": "startup"}));
    assert!(message(&heard).contains("is not the one that was seen"), "{heard}");
}
