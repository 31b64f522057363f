//! Spec 001's validation tests, under its own names, on the real files.

use annals::execution_engine::{
    ExecutionError, GROUNDING_WINDOW_MS, declare_success, inject_timeline_context, invoke_tool,
    invoke_tool_grounded, invoke_tool_with_grounding,
};
use annals::execution_tools::{ExecutionDb, ToolOutcome};
use annals::internal::event::tool::is_mutation as is_mutation_tool;
use annals::internal::grounding::timeline::TimelineScope;
use annals::internal::grounding::tools::Step;
use annals::internal::journal::clock::now_ms as current_timestamp_ms;
use annals::internal::parse::check::diagnostic::Diagnostic;
use serde_json::json;
use tempfile::TempDir;

/// A project with one file.
fn temp_db() -> (TempDir, ExecutionDb) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("src")).unwrap();
    std::fs::write(folder.path().join("src/foo.rs"), "fn foo() {}\n").unwrap();
    let db = ExecutionDb::initialize(folder.path()).unwrap();
    (folder, db)
}

fn edit(from: &str, to: &str) -> Step {
    let arguments = json!({"path": "src/foo.rs", "old_string": from, "new_string": to});
    Step::new("file_edit", &arguments).unwrap()
}

fn foo(folder: &TempDir) -> String {
    std::fs::read_to_string(folder.path().join("src/foo.rs")).unwrap()
}

fn mismatch() -> ToolOutcome {
    let diagnostics = vec![Diagnostic {
        level: "error".to_owned(),
        message: "Type mismatch".to_owned(),
        file_name: Some("src/foo.rs".to_owned()),
        line_start: Some(42),
        code: Some("E0308".to_owned()),
    }];
    ToolOutcome { diagnostics, ..ToolOutcome::failed("Type mismatch in src/foo.rs:42") }
}

#[test]
fn test_edit_without_memory_query_rejected() {
    let (folder, db) = temp_db();
    let now = current_timestamp_ms();
    for last_query_time in [None, Some(now - 60_000), Some(now - GROUNDING_WINDOW_MS - 1), Some(0)]
    {
        let refused = invoke_tool_with_grounding(&edit("foo", "bar"), &db, last_query_time);
        let error = refused.expect_err("the edit is rejected");
        assert_eq!(
            error.to_string(),
            "Grounding required: Must call memory_query before mutation tool"
        );
        let ExecutionError::GroundingRequired { tool, reason, required_query } = error else {
            panic!("{error:?}");
        };
        assert_eq!(tool, "file_edit");
        assert_eq!(reason, "Must call memory_query before mutation tool");
        assert_eq!(required_query, "memory_query(timeline_summary)");
        assert_eq!(foo(&folder), "fn foo() {}\n");
    }
    // Each refusal is an execution that never ran.
    let scope = TimelineScope::Project;
    let refused = db.stores().get_recent_timeline(scope, 10).unwrap();
    assert_eq!(refused.len(), 4);
    for entry in &refused {
        assert_eq!((entry.tool_name.as_str(), entry.success), ("file_edit", false));
        assert_eq!(entry.outcome, Some(annals::internal::event::Outcome::Refused));
    }
    // What was read within ten seconds holds, and what changes nothing needs no read.
    let read = Step::new("file_read", &json!({"path": "src/foo.rs"})).unwrap();
    let given = invoke_tool_with_grounding(&read, &db, None).unwrap();
    assert_eq!((given.success, given.stdout.as_deref()), (true, Some("fn foo() {}\n")));
    let last_query_time = Some(current_timestamp_ms());
    let done = invoke_tool_with_grounding(&edit("foo", "bar"), &db, last_query_time).unwrap();
    assert!(done.success && done.unrecorded.is_none(), "{done:?}");
    assert_eq!((done.id, done.changed_files.len()), (Some(6), 1));
    assert_eq!(foo(&folder), "fn bar() {}\n");
    for (tool, is_mutation) in [
        ("file_edit", true),
        ("file_write", true),
        ("file_create", true),
        ("splice_patch", true),
        ("splice_plan", false),
        ("lsp_check", false),
    ] {
        assert_eq!(is_mutation_tool(tool), is_mutation, "{tool}");
    }
}

#[test]
fn test_success_without_verification_rejected() {
    let (_folder, db) = temp_db();
    let check = json!({"path": "."});
    let rejected = |why: &str| {
        let error = declare_success(&db, "I fixed it").expect_err(why);
        assert!(matches!(error, ExecutionError::UnverifiedSuccess { .. }), "{why}: {error:?}");
        assert_eq!(error.to_string(), "Must verify success via lsp_check", "{why}");
    };
    rejected("nothing was checked");
    db.record("lsp_check", &check, &mismatch(), &current_timestamp_ms()).unwrap();
    rejected("the check failed");
    let passed = db.record("lsp_check", &check, &(), &current_timestamp_ms()).unwrap();
    let claim = declare_success(&db, "I fixed it: execution 2 shows it").unwrap();
    assert_eq!(claim.verified_by, Some(passed.execution_id));
    assert_eq!(claim.cited, [passed.execution_id]);
    invoke_tool(&edit("foo", "bar"), &db).unwrap();
    rejected("something was changed after the check");
}

#[test]
fn test_fix_references_nonexistent_id_rejected() {
    let (_folder, db) = temp_db();
    let check = json!({"path": "."});
    db.record("lsp_check", &check, &(), &current_timestamp_ms()).unwrap();
    for words in ["Fixing error from execution 999", "as executions 1 and 999 show, it is fixed"] {
        let error = declare_success(&db, words).expect_err(words);
        assert!(matches!(error, ExecutionError::UnknownExecution { .. }), "{error:?}");
        assert_eq!(error.to_string(), "Execution 999 not found");
    }
    declare_success(&db, "Fixing error from execution 1").unwrap();
}

#[test]
fn test_timeline_returns_chronological_order() {
    let (_folder, db) = temp_db();
    let begin = current_timestamp_ms() - 60_000;
    for at in 0..7 {
        let check = json!({"path": "."});
        match at % 2 {
            0 => db.record("file_read", &json!({"path": "src/foo.rs"}), "", &(begin + at)).unwrap(),
            _ => db.record("lsp_check", &check, &mismatch(), &(begin + at)).unwrap(),
        };
    }
    let step = Step::new("memory_query", &json!({"query": "get_recent_timeline, n=5"})).unwrap();
    let answer = invoke_tool_grounded(&step, &db).unwrap();
    let rows = answer.structured_data["executions"].as_array().unwrap();
    let of = |key: &str| rows.iter().map(|row| row[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("id"), [3, 4, 5, 6, 7].map(|id| json!(id)));
    assert_eq!(of("timestamp"), [2, 3, 4, 5, 6].map(|at| json!(begin + at)));
    assert_eq!(of("success"), [true, false, true, false, true].map(|it| json!(it)));
    assert_eq!(rows[1]["error"], "error[E0308] src/foo.rs:42: Type mismatch");
    // The same as the library's own call gives.
    let recent = db.stores().get_recent_timeline(TimelineScope::Project, 6).unwrap();
    let last = recent.last().unwrap();
    assert_eq!(last.id, answer.execution_id);
    assert_eq!((last.execution_id, last.timestamp), (answer.id, answer.timestamp));
    assert!(recent.is_sorted_by_key(|entry| (entry.timestamp, entry.sequence)));
}

/// Success criterion 1 and the workflow of spec 001: rejected, asked, allowed.
#[test]
fn an_edit_is_allowed_once_the_session_asked_its_memory() {
    let (folder, db) = temp_db();
    let ask = Step::new("memory_query", &json!({"timeline_summary": true, "last": 10})).unwrap();
    let error = invoke_tool_grounded(&edit("foo", "bar"), &db).expect_err("nobody asked");
    assert!(matches!(error, ExecutionError::GroundingRequired { .. }), "{error:?}");
    let answer = invoke_tool_grounded(&ask, &db).unwrap();
    let text = answer.stdout.unwrap();
    assert!(text.starts_with("=== EXECUTION TIMELINE (GROUND TRUTH) ==="), "{text}");
    assert_eq!(answer.structured_data["position"]["total_executions"], 1);
    assert!(invoke_tool_grounded(&edit("foo", "bar"), &db).unwrap().success);
    assert_eq!(foo(&folder), "fn bar() {}\n");
    // Another session has read nothing.
    drop(db);
    let db = ExecutionDb::initialize(folder.path()).unwrap().with_session("other");
    invoke_tool_grounded(&edit("bar", "baz"), &db).expect_err("another session's read");
}

#[test]
fn a_prompt_begins_with_the_timelines_position() {
    let (_folder, db) = temp_db();
    db.record("lsp_check", &json!({"path": "."}), &mismatch(), &current_timestamp_ms()).unwrap();
    let position = db.stores().get_timeline_position(TimelineScope::Project).unwrap();
    let prompt = inject_timeline_context("Change X", &position);
    for line in [
        "=== EXECUTION TIMELINE (GROUND TRUTH) ===",
        "Current Position: Step 0",
        "Total Executions: 1",
        "REQUIRED: Before acting, you MUST query memory:",
        "- Reference execution IDs, not memory",
        "=== YOUR MESSAGE ===\nChange X",
    ] {
        assert!(prompt.contains(line), "{line} in\n{prompt}");
    }
}

/// What was asked for and not done says so, and what ran and failed is a result.
#[test]
fn a_step_that_was_not_done_is_an_error_and_one_that_failed_is_not() {
    let (_folder, db) = temp_db();
    let step = |tool: &str, arguments| Step::new(tool, &arguments).unwrap();
    let unknown = invoke_tool(&step("no_such", json!({})), &db).expect_err("no such tool");
    assert!(matches!(unknown, ExecutionError::ToolNotFound { .. }), "{unknown:?}");
    for (tool, arguments, says) in [
        ("file_read", json!({"path": "../x"}), "file_read was not run: \"../x\" has `..` in it"),
        ("file_read", json!({}), "missing field `path`"),
        ("file_write", json!({"path": "/etc/x", "content": ""}), "is outside the project"),
        ("file_write", json!({"path": ".annals/x", "content": ""}), "belongs to annals"),
    ] {
        let error = invoke_tool(&step(tool, arguments), &db).expect_err(says);
        assert!(error.to_string().contains(says), "{error}");
    }
    let failed = invoke_tool(&step("file_read", json!({"path": "none"})), &db).unwrap();
    assert!(!failed.success);
    assert!(failed.error_message.unwrap().starts_with("there is no \"none\""));
}
