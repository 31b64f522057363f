//! The contract's own example, as a session that somebody goes through.

use serde_json::{Value, json};

use super::{documents, last, project, told};

const SPEC: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/spec/002-debug-memory.schema.yaml");

/// A document without what differs from one session to the next.
fn without_ids(mut document: Value) -> Value {
    let members = document.as_object_mut().expect("an object");
    members.retain(|name, _| !["session_id", "created_at", "updated_at"].contains(&name.as_str()));
    for execution in document["executions"].as_array_mut().expect("a list") {
        execution.as_object_mut().expect("an object").remove("timestamp");
    }
    document
}

/// The contract's example, as an import has it.
fn example() -> Value {
    let project = project();
    let imported = told(&project, &["import", SPEC]);
    assert_eq!(imported[0]["sessions"][0]["native_id"], json!("dm-001-example"));
    let again = told(&project, &["import", SPEC]);
    assert_eq!(again[0]["sessions"][0]["known"], json!(true));
    assert_eq!(again[0]["sequence"], Value::Null);
    last(&project)
}

#[test]
fn the_contracts_example_comes_out_of_a_session() {
    let example = example();
    let project = project();
    let file = example["file_path"].as_str().expect("a path");
    project.annals(["debug", "open", file]).code(0);
    for execution in example["executions"].as_array().expect("a list") {
        let mut given = execution.clone();
        let given = given.as_object_mut().expect("an object");
        given.remove("attempt");
        given.remove("timestamp");
        if let Some(fix) = given.get_mut("fix_applied").and_then(Value::as_object_mut) {
            // The next attempt says so.
            fix.remove("verification");
        }
        let given = serde_json::to_string(given).expect("JSON");
        project.annals(["debug", "attempt", "--execution", &given]).code(0);
        // Before it passes: else annals tells patterns of its own.
        if execution["attempt"] == json!(1) {
            let learnings = example["learnings"].to_string();
            project.annals(["debug", "learn", "--learnings", &learnings]).code(0);
        }
    }
    assert_eq!(without_ids(last(&project)), without_ids(example));
    let paths = documents(&project);
    let path = paths.last().expect("a document");
    let path = path.to_str().expect("text");
    project.annals(["debug", "validate", "--strict", path]).code(0).says(": valid");
    // The example's id is no UUID, which only the format forbids (ruling 15).
    project.annals(["debug", "validate", SPEC]).code(0).says("(dm-001-example): valid");
    project.annals(["debug", "validate", "--strict", SPEC]).code(1).says("/session_id");
}

/// Every field that the schema names, told and found again.
#[test]
fn every_field_of_the_schema_is_told_and_shown() {
    let project = project();
    let open = ["debug", "open", "src/a.py", "--agent", "a", "--task", "t", "--iteration", "2"];
    project.annals(open).code(0);
    let environment = json!({"runtime": "python", "runtime_version": "3.12.1", "test_framework": "pytest",
        "os": "linux", "additional": {"tz": "UTC"}});
    let failure = json!({"test_name": "t", "test_file": "tests/test_a.py", "test_line": 3, "error_type": "AssertionError",
        "error_message": "assert 1 == 2", "stack_trace": "Traceback", "expected": "2", "actual": "1",
        "source_location": {"file": "src/a.py", "line": 9, "function": "a"}});
    let execution = json!({
        "attempt": 1,
        "code_hash": "abc", "code_snapshot": "def a(): return 1\n", "environment": environment,
        "test_results": {"total": 3, "passed": 1, "failed": 1, "errors": 0, "skipped": 1, "duration_ms": 12, "coverage_percent": 81.5},
        "failures": [failure],
        "analysis": {"root_cause": "a() counts from one and not from zero", "root_cause_category": "off_by_one",
            "fix_strategy": "count from zero as the callers do", "confidence": 0.5, "related_failures": ["u"],
            "similar_past_issues": [{"session_id": "x", "file": "src/b.py", "resolution": "counted from zero"}]},
        "fix_applied": {"description": "Count from zero", "diff_summary": "+1/-1 lines", "files_changed": ["src/a.py"],
            "diff": "-1\n+0\n", "verification": "pending"},
    });
    let learnings = json!({
        "patterns_identified": [{"pattern": "counts_from_one", "category": "off_by_one", "frequency": 2,
            "fix_template": "Count from zero", "effectiveness": 0.75}],
        "recurring_failures": [{"test": "t", "occurrences": 2, "resolution": "wont_fix", "notes": "n"}],
        "code_quality_issues": [{"issue": "no types", "location": "src/a.py:1", "severity": "minor", "addressed": false}],
        "recommendations": ["Write types"],
    });
    project.annals(["debug", "attempt", "--execution", &execution.to_string()]).code(0);
    project.annals(["debug", "learn", "--learnings", &learnings.to_string()]).code(0);
    let document = last(&project);
    let mut found = document["executions"][0].clone();
    assert!(found["timestamp"].is_string());
    found.as_object_mut().expect("an object").remove("timestamp");
    assert_eq!(found, execution);
    assert_eq!(document["learnings"], learnings);
    assert_eq!(document["metadata"], json!({"agent": "a", "task_id": "t", "ralph_iteration": 2}));
    assert!(document["created_at"].is_string() && document["updated_at"].is_string());
    assert_eq!(document["status"], json!("in_progress"));
    project.annals(["debug", "show", "--full"]).code(0).says("Traceback").says("worked 75 %");
}
