//! Nodes through the command line: with a model that is a command, with replies that are files, with
//! models and plans that mean harm.

mod besides;
mod given;
mod harm;
mod open;
mod told;
mod tree;

use serde_json::Value;

use crate::project::{Project, Ran};

/// A model that is a program: its answers depend on the node and the question alone.
pub fn model() -> String {
    format!("python3 {}/tests/fixtures/phases/model.py", env!("CARGO_MANIFEST_DIR"))
}

/// A project whose nodes take few steps.
pub fn project() -> Project {
    let project = Project::new();
    set(&project, "phase1_max_steps = 12", "phase1_max_steps = 3");
    project
}

/// Changes a line of its settings.
pub fn set(project: &Project, from: &str, to: &str) {
    let path = project.path(".annals/config.toml");
    let text = std::fs::read_to_string(&path).expect("settings");
    assert!(text.contains(from), "no {from:?} in {text}");
    std::fs::write(path, text.replace(from, to)).expect("settings are written");
    // What cannot be read is allowed by nobody; the test says what comes of it.
    drop(project.annals(["trust", "--yes"]));
}

/// A plan whose run is this shell script.
pub fn plan(script: &str) -> Value {
    serde_json::json!({
        "phase_artifacts": {
            "download": { "commands": [], "notes": "" },
            "coding": { "workspace": { "files": [{ "path": "run.sh", "content": script }] } },
            "compile": { "build_plan": {}, "commands": [] },
            "run": { "commands": ["sh run.sh"], "expected_outputs": [] },
        },
        "constraints": {},
    })
}

/// What `--json` printed.
#[track_caller]
pub fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out()).unwrap_or_else(|error| panic!("{error}: {}", ran.out()))
}

/// The journal's events of these kinds, as `replay` tells them.
pub fn events(project: &Project, kinds: &[&str]) -> Vec<Value> {
    let told = project.annals(["replay", "--format", "jsonl"]).code(0).out();
    let events = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let events = events.map(|line| line["event"].clone());
    events.filter(|event| kinds.iter().any(|kind| event["kind"] == *kind)).collect()
}
