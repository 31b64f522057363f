//! Debug sessions worked out of an agent's session.

use serde_json::{Value, json};

use super::{document, last, project, told};
use crate::project::{Project, Ran};

const FAILED: &str = "\nrunning 2 tests\ntest a::tests::sums ... FAILED\ntest a::tests::waits ... ok\n\nfailures:\n\n\
     ---- a::tests::sums stdout ----\n\nthread 'a::tests::sums' (7) panicked at src/a.rs:9:9:\n\
     assertion `left == right` failed\n  left: 2\n right: 3\n\n\nfailures:\n    a::tests::sums\n\n\
     test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";
const PASSED: &str = "\nrunning 2 tests\ntest a::tests::sums ... ok\ntest a::tests::waits ... ok\n\n\
     test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n";

/// What an agent did, a call each, a second apart.
struct Story {
    lines: Vec<Value>,
}

impl Story {
    fn call(&mut self, tool: &str, arguments: Value, more: Value) {
        let second = self.lines.len();
        let mut line = json!({
            "tool": tool, "arguments": arguments, "session": "s1", "agent": "claude-code",
            "call": format!("c{second}"), "at": format!("2026-10-01T10:00:{second:02}Z"),
        });
        let members = line.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        self.lines.push(line);
    }

    fn tests(&mut self, command: &str, printed: &str) {
        let code = if printed == PASSED { 0 } else { 101 };
        self.call(
            "bash_exec",
            json!({"command": command}),
            json!({"stdout": printed, "exit_code": code}),
        );
    }

    fn edit(&mut self, file: &str, old: &str, new: &str) {
        let arguments = json!({"file_path": file, "old_string": old, "new_string": new});
        self.call("file_edit", arguments, json!({"paths": [file]}));
    }

    /// Records what there is, and forgets it.
    fn record(&self, project: &Project, from: usize) {
        let text: String = self.lines[from..].iter().map(|line| format!("{line}\n")).collect();
        Ran::of(project.command().arg("record").write_stdin(text)).code(0);
    }
}

#[test]
fn an_agents_runs_and_edits_become_a_debug_session_once() {
    let project = project();
    let mut story = Story { lines: Vec::new() };
    story.tests("cd /p && cargo test 2>&1 | tail -30", FAILED);
    story.edit("src/a.rs", "a + b", "a + b + 1\nx");
    story.call(
        "bash_exec",
        json!({"command": "cat src/a.rs"}),
        json!({"stdout": FAILED, "exit_code": 0}),
    );
    story.tests("cargo test", FAILED);
    story.edit("src/a.rs", "a + b + 1\nx", "a + b");
    story.edit("src/b.rs", "y", "");
    story.record(&project, 0);
    let dry = told(&project, &["infer", "--dry-run"]);
    assert_eq!((&dry[0]["attempts"], &dry[0]["fixes"]), (&json!(2), &json!(1)), "{dry}");
    project.annals(["debug", "show"]).code(2);

    let first = told(&project, &["infer", "s1"]);
    assert_eq!(first.as_array().map(Vec::len), Some(1), "{first}");
    assert_eq!(
        (&first[0]["status"], &first[0]["file_path"]),
        (&json!("in_progress"), &json!("src/a.rs"))
    );
    let again = told(&project, &["infer"]);
    assert_eq!((&again[0]["attempts"], &again[0]["fixes"]), (&json!(0), &json!(0)));
    assert_eq!(again[0]["session_id"], first[0]["session_id"]);

    // The agent went on.
    let from = story.lines.len();
    story.tests("cargo test", PASSED);
    story.tests("cargo test", FAILED);
    story.record(&project, from);
    let more = told(&project, &["infer"]);
    assert_eq!(more.as_array().map(Vec::len), Some(2), "{more}");
    assert_eq!((&more[0]["attempts"], &more[0]["fixes"]), (&json!(1), &json!(1)));
    let session = first[0]["session_id"].as_str().expect("an id");
    let it = document(&project, session);
    assert_eq!(
        (&it["status"], &it["metadata"]["agent"]),
        (&json!("passed"), &json!("claude-code"))
    );
    assert_eq!(it["created_at"], json!("2026-10-01T10:00:00.000Z"));
    let attempts = it["executions"].as_array().expect("a list");
    let times: Vec<_> =
        attempts.iter().map(|it| it["timestamp"].as_str().expect("a time")).collect();
    assert_eq!(times, [0, 3, 6].map(|at| format!("2026-10-01T10:00:0{at}.000Z")));
    let fixes: Vec<_> = attempts.iter().map(|it| it["fix_applied"].clone()).collect();
    assert_eq!(fixes[0]["diff_summary"], json!("+2/-1 lines"));
    assert_eq!(fixes[0]["verification"], json!("failed"));
    assert_eq!(fixes[1]["files_changed"], json!(["src/a.rs", "src/b.rs"]));
    assert_eq!((&fixes[1]["verification"], &fixes[2]), (&json!("passed"), &Value::Null));
    assert_eq!(attempts[0]["failures"][0]["test_name"], json!("a::tests::sums"));
    assert_ne!(attempts[0]["code_hash"], attempts[1]["code_hash"]);
    // Nothing is twice, whatever was worked out before.
    let before = project.annals(["replay", "--format", "jsonl"]).code(0).out().lines().count();
    told(&project, &["infer"]);
    let after = project.annals(["replay", "--format", "jsonl"]).code(0).out().lines().count();
    assert_eq!(before, after);
    project.annals(["rebuild", "--check"]).code(0);
    project.annals(["debug", "infer", "no-such-session"]).code(2).says("annals sessions");
}

/// A runner that nobody knows by name, and what only shows a log.
#[test]
fn a_script_that_runs_the_tests_counts_and_a_look_at_a_log_does_not() {
    let project = project();
    let mut story = Story { lines: Vec::new() };
    for command in ["mise run test", "tail -20 test.log", "git log -- tests", "grep -r tests ."] {
        story.tests(command, FAILED);
    }
    story.record(&project, 0);
    let found = told(&project, &["infer"]);
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found[0]["command"], json!("mise run test"));
}

#[test]
fn what_debug_run_recorded_is_not_worked_out_again() {
    let project = project();
    project.write("src/a.rs", "fn a() {}\n");
    project.write("out", FAILED);
    let run = [
        "debug",
        "run",
        "src/a.rs",
        "--",
        "sh",
        "-c",
        "cargo() { cat out; exit 101; }; cargo test",
    ];
    project.annals(run).code(101).says("1 of 2 tests passed, 1 failed");
    let of_run = last(&project)["session_id"].clone();
    let inferred = told(&project, &["infer"]);
    assert_eq!(inferred, json!([]), "{of_run}");
}
