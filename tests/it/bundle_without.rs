//! A bundle without what agents said, and the step's summary that quotes it: it verifies, and answers all else as the journal does.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::bundle::run;
use crate::project::Project;

/// A session of two answers, one of them too large to travel inline, with a call between.
fn spoken(root: &Path) -> String {
    use serde_json::json;
    let said = |id: &str, content: Value| json!({"role": "assistant", "id": id, "model": "m", "content": content});
    let secret = format!("the plan is zebra{}", " and more".repeat(40_000));
    let messages = [
        ("user", json!({"role": "user", "content": "what is the plan?"})),
        ("assistant", said("msg_1", json!([{"type": "text", "text": secret}]))),
        (
            "assistant",
            said(
                "msg_2",
                json!([
                    {"type": "text", "text": "short okapi"},
                    {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "echo quagga"}},
                ]),
            ),
        ),
        (
            "user",
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "quagga"}]}),
        ),
    ];
    let mut text = String::new();
    for (no, (kind, message)) in messages.iter().enumerate() {
        let line = json!({
            "type": kind, "sessionId": "22222222-3333-4444-8555-777777777777", "cwd": root, "version": "2.1.9",
            "uuid": format!("00000000-0000-4000-8000-00000000300{no}"),
            "timestamp": format!("2026-03-02T09:00:0{no}.000Z"), "message": message,
        });
        text += &format!("{line}\n");
    }
    text
}

#[test]
fn a_bundle_without_answers_verifies_and_answers_all_else() {
    let (project, cache) = (Project::new(), TempDir::new().expect("a folder"));
    project.write("t.jsonl", &spoken(project.root()));
    run(&project, &cache, &["import", "claude-code", "t.jsonl"]).code(0);
    let whole = run(&project, &cache, &["bundle", "whole.bundle", "--json"]).code(0).json();
    let wrote =
        run(&project, &cache, &["bundle", "out.bundle", "--no-answers", "--json"]).code(0).json();
    assert_eq!((&whole["left_out"], &whole["blobs"]), (&0.into(), &1.into()));
    assert_eq!((&wrote["left_out"], &wrote["blobs"]), (&3.into(), &0.into()));
    assert_eq!(
        (&wrote["chain"], &wrote["last_sequence"]),
        (&whole["chain"], &whole["last_sequence"])
    );
    run(&project, &cache, &["verify", "out.bundle"])
        .code(0)
        .says("3 records left out (answers)")
        .says("what is there holds");
    let asked = |arguments: &[&str]| {
        run(&project, &cache, &[&["--dir", "out.bundle"], arguments].concat()).code(0)
    };
    for arguments in
        [&["log", "--json"] as &[&str], &["sessions", "--json"], &["show", "last", "--json"]]
    {
        let live = run(&project, &cache, arguments).code(0).json();
        assert_eq!(asked(arguments).json(), live, "{arguments:?}");
    }
    assert_eq!(asked(&["status", "--json"]).json()["anomalies"], Value::Array(Vec::new()));
    asked(&["search", "quagga"]).says("echo quagga");
    for gone in ["zebra", "okapi"] {
        run(&project, &cache, &["search", gone]).code(0).says("answer");
        asked(&["search", gone]).says("Nothing matches");
        let bytes = fs::read(project.path("out.bundle")).expect("read");
        assert!(!bytes.windows(gone.len()).any(|it| it == gone.as_bytes()), "{gone}");
    }
    let without = ["export", "jsonl", "events", "--no-answers"];
    assert_eq!(asked(&without).out(), run(&project, &cache, &without).code(0).out());
    asked(&["bundle", "again.bundle"]);
    let read = |name| fs::read(project.path(name)).expect("read");
    assert!(read("again.bundle") == read("out.bundle"), "what was left out stays so");
}
