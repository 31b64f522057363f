//! Debug memory, through a pipe.

use serde_json::{Value, json};

use super::Piped;
use crate::project::Project;

const ID: &str = "5d0f4c1e-6a0b-4c88-9b5e-000000000002";

/// Operations in an order in which each can be done, as `super::good::good`.
pub fn good() -> Vec<(&'static str, Value, &'static str)> {
    let failure = json!({ "test_name": "rejects null", "error_type": "TypeError",
        "error_message": "Cannot read property 'length' of null",
        "source_location": { "file": "src/a.rs", "line": 1, "function": "main" } });
    let results = json!({ "total": 2, "passed": 1, "failed": 1 });
    let environment = json!({ "runtime": "node", "additional": { "ci": true } });
    let document = json!({ "session_id": "dm-1", "file_path": "src/b.rs", "executions": [] });
    vec![
        (
            "debug_open",
            json!({ "file_path": "src/a.rs", "session_id": ID, "attempts_max": 5, "agent": "a",
                "task_id": "t", "ralph_iteration": 2 }),
            "document",
        ),
        (
            "debug_attempt",
            json!({ "session_id": ID, "code_hash": "abc123", "code_snapshot": "fn main() {}",
                "environment": environment, "test_results": results, "failures": [failure] }),
            "attempt",
        ),
        (
            "debug_analyse",
            json!({ "session_id": "5d0f", "attempt": 1, "analysis": {
                "root_cause": "the length of nothing is asked for",
                "root_cause_category": "null_undefined_access",
                "fix_strategy": "look whether there is something first" } }),
            "document",
        ),
        ("debug_fix", json!({ "fix_applied": { "description": "Looked first" } }), "document"),
        ("debug_verify", json!({ "verification": "failed", "attempt": 1 }), "document"),
        (
            "debug_attempt",
            json!({ "file_path": "src/a.rs", "code_hash": "def456", "command": ["cargo", "test"],
                "stdout": "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; \
                    0 filtered out; finished in 0.01s\n", "exit_code": 0 }),
            "status",
        ),
        (
            "debug_learn",
            json!({ "session_id": "last", "learnings": {
                "patterns_identified": [{ "pattern": "null_access", "category": "null_undefined_access",
                    "frequency": 1, "fix_template": "look first" }] },
                "tallies": [{ "pattern": "null_access", "successes": 3, "trials": 4 }] }),
            "document",
        ),
        ("debug_list", json!({ "status": "passed", "error_type": "TypeError" }), "0"),
        ("debug_show", json!({ "session_id": ID }), "executions"),
        ("debug_similar", json!({ "error_type": "TypeError", "file": "src/a.rs" }), "0"),
        (
            "find_similar_failures",
            json!({ "error_type": "TypeError", "file_pattern": "src/%" }),
            "0",
        ),
        ("get_fix_templates", json!({ "category": "null_undefined_access" }), "0"),
        ("debug_import", json!({ "documents": document.to_string() }), "sessions"),
        ("debug_close", json!({ "session_id": "dm-1", "status": "escalated" }), "hooks"),
        ("recent_escalations", json!({ "since": "2026-01-01T00:00:00Z" }), "0"),
        ("debug_export", json!({ "session_id": ID }), "journal"),
        ("debug_validate", json!({ "documents": "- {file_path: a}\n", "strict": true }), "0"),
        ("debug_expire", json!({ "dry_run": true }), ""),
    ]
}

#[test]
fn what_is_refused_says_which_argument_and_records_nothing() {
    let project = Project::new();
    let mut pipe = Piped::new(&project);
    pipe.result("debug_open", json!({ "file_path": "a.rs" }));
    let before = super::journal(&project).len();
    let results = json!({ "total": 1, "passed": 1, "failed": 0 });
    for (op, args, kind, word) in [
        ("debug_attempt", json!({ "code_hash": "h" }), "arguments", "test_results"),
        (
            "debug_attempt",
            json!({ "code_hash": "h", "test_results": results, "command": ["make"] }),
            "arguments",
            "command",
        ),
        (
            "debug_attempt",
            json!({ "code_hash": "h", "command": ["make"], "stdout": "all is well\n", "exit_code": 0 }),
            "arguments",
            "test_results",
        ),
        (
            "debug_attempt",
            json!({ "code_hash": "h", "test_results": results, "file_path": "a", "session_id": "last" }),
            "arguments",
            "file_path",
        ),
        ("debug_close", json!({ "status": "done" }), "arguments", "status"),
        ("debug_verify", json!({ "verification": "maybe" }), "arguments", "verification"),
        ("debug_show", json!({ "session_id": "ffff" }), "not_found", "ffff"),
        ("debug_show", json!({ "session_id": ID }), "not_found", ID),
        (
            "debug_import",
            json!({ "documents": "{\"file_path\": \"a\"}" }),
            "arguments",
            "session_id",
        ),
        ("find_similar_failures", json!({ "error_type": "Cheese" }), "arguments", "error_type"),
    ] {
        let answer = pipe.answer(op, args);
        assert_eq!(answer["error"]["kind"], json!(kind), "{op}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(word), "{op}: {answer}");
    }
    pipe.close();
    assert_eq!(super::journal(&project).len(), before);
}
