//! A journal that is lost, or cut, in the middle of a session: its user hears it once.

use serde_json::json;

use super::play::Agent;
use crate::project::{Project, Ran};

#[test]
fn it_is_told_once_a_session_whenever_it_happens() {
    for wound in ["rm -r .annals/journal", "truncate -s 100 .annals/journal/*.seg"] {
        for agent in ["claude-code", "codex"] {
            let project = Project::new();
            project.annals(["run", "--", "true"]).code(0);
            let agent = Agent::new(&project, agent, &[]);
            let (tool, input) = agent.edit();
            agent.fire("SessionStart", json!({"source": "startup"}));
            Ran::of(&mut project.shell(wound)).code(0);
            let told = |id: usize| {
                let call = json!({
                    "tool_name": tool, "tool_input": input, "tool_use_id": format!("t{id}"),
                });
                agent.fire("PreToolUse", call)["systemMessage"].as_str().map(str::to_owned)
            };
            let messages: Vec<_> = (0..4).map(told).collect();
            let first = messages[0].as_deref().unwrap_or_default();
            assert!(first.contains("journal"), "{wound}: {messages:?}");
            assert_eq!(messages.iter().flatten().count(), 1, "{wound}: {messages:?}");
            // Another session has a user of its own.
            let begun =
                agent.fire("SessionStart", json!({"session_id": "two", "source": "startup"}));
            assert!(begun["systemMessage"].is_string(), "{wound}: {begun}");
        }
    }
}
