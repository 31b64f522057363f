//! Several pipes at once.

use std::thread;

use serde_json::json;

use super::{Piped, journal};
use crate::project::Project;

#[test]
fn eight_pipes_at_once_lose_nothing() {
    const PIPES: usize = 8;
    const ROUNDS: usize = 20;
    let project = Project::new();
    let mut first = Piped::new(&project);
    first.result("mem_node_fork", json!({ "child_node_id": "root" }));
    first.close();
    thread::scope(|scope| {
        for number in 0..PIPES {
            let project = &project;
            scope.spawn(move || {
                let name = format!("p{number}");
                let mut pipe = Piped::with(project, &["--session", &name]);
                let fork = json!({ "parent_node_id": "root", "child_node_id": name });
                pipe.result("mem_node_fork", fork);
                for round in 0..ROUNDS {
                    let key = format!("{name}-{round}");
                    let set = json!({ "branch": name, "key": key, "value": round.to_string() });
                    pipe.ask("mem_core_set", &set);
                    let call = json!({ "tool": "bash_exec", "arguments": { "command": key } });
                    pipe.ask("record_execution", &call);
                    let shared = json!({ "branch": "root", "text": key, "tags": ["shared"] });
                    pipe.ask("mem_archival_write", &shared);
                }
                for _ in 0..3 * ROUNDS {
                    let answer = pipe.next().expect("an answer");
                    assert_eq!(answer["ok"], json!(true), "{answer}");
                }
                let seen = pipe.result("mem_core_get", json!({ "branch": name }));
                assert_eq!(seen.as_object().expect("keys").len(), ROUNDS);
                pipe.close();
            });
        }
    });
    project.annals(["verify"]).code(0);
    project.annals(["rebuild", "--check"]).code(0);
    let events = journal(&project);
    let of = |kind: &str| events.iter().filter(|event| event["kind"] == json!(kind)).count();
    assert_eq!(of("CoreSet"), PIPES * ROUNDS);
    assert_eq!(of("ArchivalWritten"), PIPES * ROUNDS);
    assert_eq!(of("ExecutionFinished"), PIPES * ROUNDS);
    assert_eq!(of("SessionStarted"), PIPES);
    // Numbers were given once.
    let mut ids: Vec<u64> = events
        .iter()
        .filter(|event| event["kind"] == json!("ArchivalWritten"))
        .filter_map(|event| event["body"]["id"].as_u64())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=(PIPES * ROUNDS) as u64).collect::<Vec<_>>());
}
