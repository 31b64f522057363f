//! Spec 001's timeline, through the library.

use annals::execution_tools::{
    ExecutionDb, ToolOutcome, get_pending_failures, get_preceding_context, get_recent_timeline,
    get_timeline_position, inject_timeline_context, memory_query,
};
use serde_json::json;

use super::{TIMESTAMP, failed_check, patch_args, patched, temp_db};

/// Spec 001, test 4: the last five come in the order in which they happened, each with its id, its
/// time and its outcome.
#[test]
fn test_timeline_returns_chronological_order() {
    let (folder, db) = temp_db();
    let root = folder.path();
    let check = json!({"path": "."});
    db.record("splice_patch", &patch_args(), &patched(), &(TIMESTAMP + 1)).unwrap();
    db.record("lsp_check", &check, &failed_check(), &(TIMESTAMP + 4)).unwrap();
    // Told late: another session's, and of a time between the two.
    let other = ExecutionDb::open(root).unwrap().with_session("other");
    other
        .record("file_read", &json!({"path": "a"}), &ToolOutcome::default(), &(TIMESTAMP + 2))
        .unwrap();
    other
        .record("file_read", &json!({"path": "b"}), &ToolOutcome::default(), &(TIMESTAMP + 3))
        .unwrap();
    for at in [5, 6] {
        db.record("lsp_check", &check, &failed_check(), &(TIMESTAMP + at)).unwrap();
    }
    let timeline = get_recent_timeline(root, 5).unwrap();
    let told: Vec<_> = timeline
        .iter()
        .map(|it| {
            (it.execution_id.unwrap(), it.timestamp - TIMESTAMP, it.tool_name.as_str(), it.success)
        })
        .collect();
    assert_eq!(
        told,
        [
            (3, 2, "file_read", true),
            (4, 3, "file_read", true),
            (2, 4, "lsp_check", false),
            (5, 5, "lsp_check", false),
            (6, 6, "lsp_check", false),
        ]
    );
    let error = "error[E0425] src/lib.rs:11: cannot find value `net` in this scope";
    assert_eq!(timeline[2].error_summary.as_deref(), Some(error));
    let position = get_timeline_position(root).unwrap();
    assert_eq!((position.total_executions, position.last_execution_id), (6, Some(6)));
    assert_eq!((position.last_success, position.last_failure), (Some(4), Some(6)));
    let before: Vec<_> = get_preceding_context(root, 5).unwrap();
    assert_eq!(before.iter().filter_map(|it| it.execution_id).collect::<Vec<_>>(), [1, 3, 4, 2]);
    let pending = get_pending_failures(root).unwrap();
    assert_eq!((pending.len(), pending[0].failures), (1, 3));
    let answer = memory_query(root, "memory_query(tool=\"lsp_check\", success=true, after_id=2)");
    assert_eq!(answer.unwrap().executions, []);
    let position = get_timeline_position(root).unwrap();
    assert!(position.last_query_ms.is_some(), "asking was recorded");
    let prompt = inject_timeline_context("go on", &position);
    assert!(prompt.starts_with("=== EXECUTION TIMELINE (GROUND TRUTH) ===\n"), "{prompt}");
    assert!(prompt.contains("Last Execution: #6 (FAILED)"), "{prompt}");
    assert!(prompt.ends_with("=== YOUR MESSAGE ===\ngo on"), "{prompt}");
    assert!(get_timeline_position(&root.join("nowhere")).is_err());
}
