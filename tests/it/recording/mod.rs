//! What several record at once, under one id, by a clock that is wrong, or for an agent that was killed.

mod agents;
mod clocks;
mod imports;
mod same_id;
mod trees;

use serde_json::Value;

use crate::project::Project;

/// Events of the journal of these kinds, as `replay` tells them.
fn events(project: &Project, kinds: &[&str]) -> Vec<Value> {
    let ran = project.annals(["replay", "--format", "jsonl"]).code(0).out();
    let lines = ran.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let events = lines.filter_map(|line| line.get("event").cloned());
    events.filter(|event| kinds.contains(&event["kind"].as_str().unwrap_or_default())).collect()
}
