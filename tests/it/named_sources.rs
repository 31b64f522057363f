//! What still holds a value that was redacted, and is not annals' own: files that calls name, transcripts wherever they
//! were imported from. And how a call is told of which only the end went.

use std::fs;

use serde_json::json;

use crate::project::{Project, Ran};

const SECRET: &str = "zorblax-Quen-4412";

fn redact(project: &Project, words: &[&str]) -> Ran {
    let mut command = project.command();
    let words = [&["redact", "--value-stdin", "--reason", "r", "--yes"], words].concat();
    Ran::of(command.args(words).write_stdin(SECRET))
}

/// A transcript elsewhere, of a call that reads a file and is given what that holds.
fn transcript(project: &Project, to: &str) {
    let line = |kind: &str, at: u64, content: serde_json::Value| {
        json!({"type": kind, "sessionId": "33333333-1111-4111-8111-111111111111", "cwd": project.root(),
            "uuid": format!("c{at}"), "timestamp": format!("2026-01-05T10:00:0{at}.000Z"),
            "message": {"role": kind, "model": "m", "content": content}})
        .to_string()
    };
    let call = json!([{"type": "tool_use", "id": "ss1", "name": "Read",
        "input": {"file_path": project.path("conf.txt")}}]);
    let result =
        json!([{"type": "tool_result", "tool_use_id": "ss1", "content": format!("k = {SECRET}")}]);
    let lines =
        [line("user", 1, json!("look")), line("assistant", 2, call), line("user", 3, result)];
    project.write(to, &(lines.join("\n") + "\n"));
}

#[test]
fn files_that_a_calls_beginning_names_and_transcripts_of_any_folder_are_looked_at() {
    let project = Project::new();
    project.write("conf.txt", &format!("k = {SECRET}\n"));
    project.write("s", &format!("{SECRET}\n"));
    transcript(&project, "elsewhere/t.jsonl");
    project.annals(["import", "claude-code", "elsewhere/t.jsonl"]).code(0);
    project.annals(["run", "--", "cat", "s"]).code(0);
    let told = redact(&project, &[]).code(1).out();
    for line in
        ["conf.txt:1: still holds it", "/s:1: still holds it", "t.jsonl:3: transcript, still"]
    {
        assert!(told.contains(line), "{line}: {told}");
    }
    // And overwritten where that is asked for; the files are known by the calls whose ends went.
    let again = redact(&project, &["--transcripts"]).code(1).out();
    assert!(again.contains("conf.txt:1: still holds it"), "{again}");
    let kept = fs::read_to_string(project.path("elsewhere/t.jsonl")).expect("there");
    assert!(again.contains("t.jsonl:3: overwritten") && !kept.contains(SECRET), "{again}");
}

#[test]
fn a_call_of_which_the_end_went_is_told_as_redacted_at_its_own_time() {
    let project = Project::new();
    project.write("s", SECRET);
    let at = |project: &Project| {
        let log = project.annals(["log", "--json"]).code(0).json();
        let row = log.as_array().expect("rows").iter().find(|it| it["target"] == "cat s");
        row.expect("the call").clone()
    };
    project.annals(["run", "--", "cat", "s"]).code(0);
    let before = at(&project);
    std::thread::sleep(std::time::Duration::from_millis(30));
    project.annals(["run", "--", "echo", "clean"]).code(0);
    std::fs::remove_file(project.path("s")).expect("removed");
    redact(&project, &[]).code(0);
    let after = at(&project);
    assert_eq!(after["at"], before["at"], "{before} {after}");
    let log = project.annals(["log"]).code(0).out();
    let rows: Vec<_> = log.lines().filter(|line| line.contains("bash_exec")).collect();
    assert!(rows[0].contains(" redacted ") && rows[0].contains("cat s"), "{log}");
    project.annals(["timeline"]).says("redacted");
    let report = project.annals(["report", "--json"]).code(0).json();
    let summary = &report["summary"];
    assert_eq!(
        (&summary["ok"], &summary["redacted"], &summary["interrupted"]),
        (&json!(1), &json!(1), &json!(0))
    );
    project.annals(["rebuild", "--check"]).code(0);
    project.annals(["verify"]).code(0);
}
