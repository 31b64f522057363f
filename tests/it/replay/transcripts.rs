//! A replay of an imported transcript, compared with the transcript itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::lines;
use crate::project::Project;
use crate::skipped::skipped;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn transcripts_in(folder: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(root().join(folder)) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    paths
}

/// What a transcript tells, by a script that shares nothing with the importer.
fn listed(path: &Path) -> Option<Vec<Value>> {
    let script = root().join("tests/list_transcript.py");
    match Command::new("python3").arg(script).arg(path).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(lines(&String::from_utf8(output.stdout).unwrap()))
        }
        Err(_) => {
            skipped("no python3");
            None
        }
    }
}

/// The same from a replay: prompts, calls and results in its order.
fn replayed(project: &Project) -> Vec<Value> {
    let steps = lines(&project.annals(["replay", "--format", "jsonl"]).code(0).out());
    let end = steps.last().expect("an end");
    assert_eq!((&end["what"], &end["verified"]), (&Value::from("end"), &Value::from(true)));
    let mut ids = std::collections::BTreeMap::new();
    let mut told = Vec::new();
    for step in &steps {
        let body = &step["event"]["body"];
        let execution = body["execution"].as_str().unwrap_or_default().to_owned();
        match step["event"]["kind"].as_str() {
            Some("PromptSubmitted") => {
                told.push(serde_json::json!({"what": "prompt", "text": body["text"]["data"]}));
            }
            Some("ExecutionStarted") => {
                let name = &body["native_tool"];
                let name = if name.is_null() { &body["tool"] } else { name };
                let call = &body["call"]["call"];
                ids.insert(execution, call.clone());
                told.push(serde_json::json!({
                    "what": "call", "id": call, "name": name, "input": body["arguments"],
                }));
            }
            Some("ExecutionFinished") => {
                let (call, outcome) = (&ids[&execution], &body["outcome"]);
                told.push(serde_json::json!({"what": "result", "id": call, "outcome": outcome}));
            }
            _ => {}
        }
    }
    told
}

/// What the redactor takes out of a text it also takes out of what is compared with it.
fn redacted(value: &Value) -> bool {
    value.to_string().contains("[redacted")
}

fn tells_all_of(path: &Path) {
    let Some(expect) = listed(path) else { return };
    let project = Project::new();
    let import = ["import".as_ref(), "auto".as_ref(), path.as_os_str()];
    project.annals(import); // some have lines that cannot be read
    let got = replayed(&project);
    for (at, (got, expect)) in got.iter().zip(&expect).enumerate() {
        assert!(got == expect || redacted(got), "{}, {at}:\n{got:#}\n{expect:#}", path.display());
    }
    assert_eq!(got.len(), expect.len(), "{}", path.display());
}

#[test]
fn a_replay_tells_every_prompt_and_call_of_a_real_transcript_in_order() {
    let paths = transcripts_in("../shared/data/claude-code");
    if paths.is_empty() {
        skipped("no real transcripts in ../shared/data/claude-code");
    }
    paths.iter().for_each(|path| tells_all_of(path));
}

#[test]
fn a_replay_tells_every_prompt_and_call_of_an_odd_transcript_in_order() {
    for name in ["whole", "glued", "refused", "torn", "resumed", "no-result", "nul"] {
        tells_all_of(&root().join(format!("tests/fixtures/transcripts/{name}.jsonl")));
    }
}
