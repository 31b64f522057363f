//! Runs that somebody ended before they were through, and what cannot be recorded of one.

use serde_json::json;

use super::{last, project, told};
use crate::project::{Project, Ran};

/// Until annals listens to signals they would end it: this waits until it does (the mask of what it
/// catches, SIGTERM in it).
const LISTENS: &str =
    "until grep -q 'SigCgt:.*[4-7c-f][0-9a-f]\\{3\\}$' /proc/$PPID/status; do sleep 0.01; done";
const FAILED: &str = "echo 'test result: FAILED. 0 passed; 1 failed; 0 ignored'";

/// What a shell that runs the tests does, annals being its parent; and whether that is an attempt.
#[test]
fn a_run_that_was_ended_from_outside_is_no_attempt() {
    let project = project();
    project.write("a.rs", "");
    for (script, code, is_attempt) in [
        ("kill -9 $$", 137, false),
        ("kill -INT $$", 130, false),
        ("kill -TERM $$", 143, false),
        // The signal comes to annals, which hands it on; the shell ends by it, or in its own way.
        ("kill -TERM $PPID; exec sleep 20", 143, false),
        ("trap 'exit 2' INT; kill -INT $PPID; while :; do sleep 0.01; done", 2, false),
        ("trap 'exit 0' TERM; kill -TERM $PPID; while :; do sleep 0.01; done", 0, false),
        ("kill -SEGV $$", 139, true),
        ("exit 130", 130, true),
    ] {
        let before = told(&project, &["list"]);
        let script = format!("{FAILED}; {LISTENS}; {script}");
        // What is started in the background is begun with interrupts ignored, and hands that on.
        let shell = ["env", "--default-signal=INT,TERM", "sh", "-c", &script];
        let run = ["debug", "run", "a.rs", "--"].into_iter().chain(shell);
        let ran = project.annals(run).code(code);
        let after = told(&project, &["list"]);
        let attempts = |it: &serde_json::Value| it[0]["attempts"].as_u64().unwrap_or_default();
        assert_eq!(attempts(&after) > attempts(&before), is_attempt, "{script}: {}", ran.err());
        let says = ran.err().contains("interrupted: no attempt recorded");
        assert_eq!(says, !is_attempt, "{script}: {}", ran.err());
    }
    let executions = project.annals(["log", "--json"]).code(0).json();
    assert_eq!(executions.as_array().map(Vec::len), Some(8), "{executions}");
}

/// From another folder a file is the one of the project that was named, as `open` has it.
#[test]
fn a_file_is_found_in_the_project_that_was_named() {
    let (project, elsewhere) = (project(), Project::empty());
    project.write("m.py", "x = 1\n");
    let mut command = elsewhere.command();
    command.arg("--dir").arg(project.root());
    let run = ["debug", "run", "m.py", "--", "sh", "-c", &format!("{FAILED}; exit 101")];
    Ran::of(command.args(run)).code(101).says("attempt 1 of m.py");
    assert_eq!(last(&project)["file_path"], json!("m.py"));
}

/// A store that cannot be read is told for what it is: the attempt is in the journal.
#[test]
fn a_spoilt_index_does_not_make_an_attempt_unrecorded() {
    let project = project();
    project.write("a.rs", "");
    let spoil =
        "for it in .annals/index.db* .annals/*/index.db*; do [ -f $it ] && echo spoilt > $it; done";
    let script = format!("{FAILED}; {spoil}; exit 101");
    let run = ["debug", "run", "a.rs", "--", "sh", "-c", &script];
    let ran = project.annals(run).code(101);
    assert!(!ran.err().contains("not recorded: it was recorded"), "{}", ran.err());
}

/// What the schema is asked of, however large, and whatever lies beside it.
#[test]
fn large_documents_of_ours_are_validated_and_one_that_is_none_stops_no_other() {
    let project = project();
    let diff = "x".repeat(60_000);
    let execution = json!({
        "attempt": 1, "timestamp": "2026-10-01T10:00:00Z", "code_hash": "a",
        "test_results": {"total": 1, "passed": 0, "failed": 1},
        "fix_applied": {"description": "d", "diff": diff},
    });
    let executions: Vec<_> = (0..75).map(|_| execution.clone()).collect();
    let document = json!({"session_id": "s", "file_path": "a", "executions": executions});
    project.write("large.json", &document.to_string());
    project.write("bad.json", "{");
    let ran = project.annals(["debug", "validate", "bad.json", "large.json"]).code(2);
    ran.says("large.json: document 1 (s): valid").says("bad.json is refused");
}
