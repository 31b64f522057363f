//! Every operation, with what it is told once.

use serde_json::{Value, json};

const ID: &str = "01a20237-872b-72c9-80b6-cf7c537319f3";

/// Operations in an order in which each can be done, what they are told, and a member of the result.
pub fn good() -> Vec<(&'static str, Value, &'static str)> {
    let call = json!({ "tool": "bash_exec", "arguments": { "command": "make" } });
    let broken = json!({ "tool_name": "lsp_check", "arguments": { "path": "." }, "exit_code": 1,
        "diagnostics": [{ "level": "error", "message": "m", "file_name": "src/a.rs", "code": "E1" }] });
    let mended = json!({ "tool": "lsp_check", "arguments": { "path": "." }, "exit_code": 0,
        "symbols": ["main"], "paths": ["src/a.rs"] });
    let reply = "<memory_update>{\"core\":{\"a\":\"b\"},\"core_get\":[\"a\"]}</memory_update>{}";
    let artifacts = "{\"phase_artifacts\":{\"download\":{\"commands\":[],\"notes\":\"\"},\
        \"coding\":{\"workspace\":{\"root\":\"/workspace\",\"tree\":[],\"files\":[]}},\
        \"compile\":{\"build_plan\":{},\"commands\":[]},\
        \"run\":{\"commands\":[\"true\"],\"expected_outputs\":[]}},\"constraints\":{}}";
    vec![
        ("help", json!({ "op": "help" }), "0"),
        ("session_start", json!({ "model": "m", "title": "t" }), "session"),
        ("declare_tools", json!({ "tools": ["own_tool"], "by": "test" }), "tools"),
        ("record_prompt", json!({ "text": "do it", "native_id": "p1" }), "duplicate"),
        ("record_execution", broken, "execution"),
        ("start_execution", json!({ "tool": "own_tool", "execution": ID }), "execution"),
        (
            "finish_execution",
            json!({ "execution": ID, "exit_code": 0, "stdout": "o" }),
            "duplicate",
        ),
        ("record_execution", call.clone(), "execution"),
        ("record_execution", mended, "execution"),
        ("sessions", json!({ "last": 5 }), "0"),
        ("checks", json!({}), ""),
        ("search", json!({ "query": "make", "limit": 3, "newest": true }), "hits"),
        ("query_executions", json!({ "tool": "bash_exec" }), "executions"),
        ("execution", json!({ "reference": ID }), "outcome"),
        ("failed_executions", json!({ "file": "src/a.rs", "limit": 3 }), "executions"),
        ("executions_producing_diagnostic", json!({ "code": "E1" }), "executions"),
        ("pattern_match", json!({ "tool": "bash_exec", "target": "make" }), "items"),
        (
            "has_failed_recently",
            json!({ "tool": "lsp_check", "arguments": { "path": "." } }),
            "has_failed_recently",
        ),
        ("executions_resolving_error", json!({ "code": "E1" }), "items"),
        ("successful_resolutions_for_error", json!({ "code": "E1" }), "items"),
        ("recurring_diagnostics", json!({}), "items"),
        ("latest_outcome_for_file", json!({ "path": "src/a.rs" }), "0"),
        ("files_touched_by_execution", json!({ "execution": ID }), ""),
        ("execution_chain_affecting_symbol", json!({ "symbol": "main" }), "items"),
        ("execution_chain_of_file", json!({ "path": "src/a.rs" }), "items"),
        ("get_timeline_position", json!({}), "total_executions"),
        ("get_recent_timeline", json!({ "n": 2 }), "1"),
        ("get_preceding_context", json!({ "before_id": 2 }), "0"),
        ("get_pending_failures", json!({ "project": true }), ""),
        ("failure_loops", json!({}), ""),
        ("memory_query", json!({ "query": "memory_query(timeline_summary)" }), "position"),
        ("inject_timeline_context", json!({ "prompt": "go on" }), ""),
        ("timeline_block", json!({ "chars": 500 }), ""),
        ("gate_check", json!({ "tool": "Edit", "arguments": { "file_path": "a" } }), "verdict"),
        ("gate_plan", json!({ "plan": [{ "tool": "file_edit" }] }), "faults"),
        ("declare_success", json!({ "text": "all is done" }), "accepted"),
        ("step_begin", json!({ "title": "mend" }), "step"),
        ("step_end", json!({}), "summary"),
        ("tools", json!({}), "0"),
        ("invoke_tool", json!({ "tool": "file_glob", "arguments": { "pattern": "*" } }), "outcome"),
        (
            "invoke_tool_with_grounding",
            json!({ "tool": "file_glob", "arguments": { "pattern": "*" } }),
            "text",
        ),
        ("memory_query", json!({}), "position"),
        (
            "invoke_tool_grounded",
            json!({ "tool": "file_create", "arguments": { "path": "n.md", "content": "x" } }),
            "no",
        ),
        ("mem_node_fork", json!({ "child_node_id": "root", "run": "r", "phase": "p0" }), "created"),
        (
            "mem_node_fork",
            json!({ "parent_node_id": "a", "child_node_id": "b", "ancestor_chain": ["root", "a"] }),
            "auto_created",
        ),
        (
            "create_branch",
            json!({ "branch_id": "c", "parent_branch_id": "b", "node_uid": "n9" }),
            "branch",
        ),
        (
            "mem_core_set",
            json!({ "branch": "b", "key": "k", "value": "v", "ttl": 60, "importance": 5 }),
            "evicted",
        ),
        (
            "set_core",
            json!({ "branch_id": "n9", "key": "k2", "value": "v2", "ttl": "60.5" }),
            "evicted",
        ),
        ("mem_core_get", json!({ "branch": "c", "keys": ["k", "none"] }), "k"),
        ("get_core", json!({ "branch": "c", "key": "k" }), ""),
        ("mem_core_del", json!({ "branch": "c", "key": "k" }), ""),
        (
            "mem_recall_append",
            json!({ "event": { "branch_id": "b", "kind": "phase1_complete", "summary": "installed it", "refs": ["x"], "ts": 1.5 } }),
            "id",
        ),
        (
            "write_event",
            json!({ "branch": "b", "kind": "note", "text": "wrote it", "tags": ["t"] }),
            "id",
        ),
        ("mem_recall_search", json!({ "branch": "c", "query": "installed", "k": 3 }), "0"),
        (
            "_fetch_events",
            json!({ "branch_ids": ["b"], "limit": 1, "current_branch_id": "c" }),
            "0",
        ),
        (
            "mem_archival_write",
            json!({ "branch": "b", "text": "gcc 14 wants -fopenmp", "tags": ["PERF"], "meta": { "run_id": "r" } }),
            "id",
        ),
        ("_insert_archival", json!({ "branch": "b", "text": "another", "tags": ["X"] }), "id"),
        ("mem_archival_search", json!({ "branch": "c", "query": "OpenMP gcc", "k": 2 }), ""),
        (
            "retrieve_archival",
            json!({ "branch": "c", "query": "gcc", "tags_filter": ["PERF"], "include_ancestors": true }),
            "0",
        ),
        ("mem_archival_update", json!({ "record_id": "1", "text": "gcc 15", "branch": "b" }), ""),
        ("mem_archival_get", json!({ "record_id": 1 }), "text"),
        ("mem_node_read", json!({ "node_id": "n9", "scope": "all" }), "core"),
        (
            "mem_node_write",
            json!({ "node_id": "new", "core_updates": { "x": "y" }, "recall_event": { "summary": "s" }, "archival_records": [{ "text": "t" }] }),
            "branch",
        ),
        ("recall_evict", json!({ "branch": "b", "kind": "note" }), "ids"),
        (
            "apply_llm_memory_updates",
            json!({ "branch": "c", "updates": { "core": { "p": "q" }, "core_get": ["p"] } }),
            "operations_log",
        ),
        (
            "apply_llm_memory_updates",
            json!({ "branch": "c", "reply": reply, "node_id": "n9", "phase": "draft" }),
            "reads",
        ),
        (
            "render_for_prompt",
            json!({ "branch": "c", "task_hint": "gcc", "budget_chars": 900 }),
            "",
        ),
        (
            "render_for_prompt_with_log",
            json!({ "branch": "c", "no_limit": true }),
            "rendered_chars",
        ),
        ("check_memory_pressure", json!({ "branch": "c" }), "level"),
        (
            "auto_consolidate_memory",
            json!({ "branch": "c", "pressure_level": "high" }),
            "actions_taken",
        ),
        ("consolidate_recall_events", json!({ "branch": "c" }), ""),
        ("consolidate_inherited_memory", json!({ "branch": "c" }), ""),
        ("evaluate_importance_with_llm", json!({ "branch": "c", "task_hint": "t" }), ""),
        ("kv_put", json!({ "branch": "b", "key": "k", "value": { "a": 1 } }), ""),
        (
            "kv_put",
            json!({ "branch": "b", "namespace": ["x", "y"], "key": "k", "value": 1, "ttl": 60 }),
            "",
        ),
        ("kv_get", json!({ "branch": "b", "key": "k", "version": 1 }), "value"),
        ("kv_list", json!({ "branch": "b" }), "1"),
        ("kv_search", json!({ "branch": "b", "filter": { "a": 1 }, "query": "k", "limit": 1 }), "0"),
        (
            "kv_namespaces",
            json!({ "branch": "b", "match_conditions": [{ "match_type": "suffix", "path": ["y"] }] }),
            "0",
        ),
        ("kv_delete", json!({ "branch": "b", "key": "k" }), ""),
        ("kv_history", json!({ "branch": "b", "key": "k" }), "1"),
        (
            "thread_append",
            json!({ "branch": "b", "thread": "t", "role": "user", "content": "hello" }),
            "",
        ),
        ("thread_read", json!({ "branch": "b", "thread": "t", "limit": 1 }), "0"),
        ("thread_list", json!({ "branch": "b" }), "0"),
        ("thread_pop", json!({ "branch": "b", "thread": "t" }), "content"),
        ("thread_clear", json!({ "branch": "b", "thread": "t" }), ""),
        ("memory_branches", json!({}), "0"),
        ("memory_diff", json!({ "a": "b", "b": "c" }), "core"),
        ("memory_log", json!({ "branch": "c", "inherited": true, "reads": true }), "0"),
        ("memory_why", json!({ "branch": "c", "key": "p" }), "causes"),
        (
            "memory_fork_at",
            json!({ "branch": "past", "from": "b", "at": "2999-01-01T00:00:00Z" }),
            "copied",
        ),
        ("memory_export", json!({ "file": "out.sqlite" }), "branches"),
        ("memory_import", json!({ "file": "out.sqlite" }), "known"),
        ("extract_memory_updates", json!({ "reply": reply, "required": true }), "updates"),
        ("extract_phase_artifacts", json!({ "reply": artifacts }), "phase_artifacts"),
        (
            "parse_phase1_iterative_response",
            json!({ "reply": "{\"command\":\"ls\",\"done\":false}" }),
            "command",
        ),
        ("identify_repo", json!({}), "repoHash"),
        (
            "upsert_convention",
            json!({ "id": "fmt", "title": "Format", "content": "cargo fmt", "tags": ["style"] }),
            "createdAt",
        ),
        (
            "upsert_decision",
            json!({ "id": "d", "summary": "one", "rationale": "why", "impactedPaths": ["src"] }),
            "impactedPaths",
        ),
        ("upsert_note", json!({ "id": "n", "content": "slow", "source": "agent" }), "sequence"),
        (
            "append_summary",
            json!({ "runId": "r", "stepId": "step-1", "summaryText": "did it" }),
            "runId",
        ),
        ("get_repo_memory", json!({}), "conventions"),
        ("list_conventions", json!({}), "0"),
        ("list_decisions", json!({}), "0"),
        ("list_notes", json!({}), "0"),
        ("list_summaries", json!({ "n": 1 }), "0"),
        ("list_repos", json!({}), "0"),
        ("repo_difference", json!({}), "differs"),
        ("adopt_repo", json!({ "dry_run": true }), "items"),
        ("build_context_from_memory", json!({ "max_chars": 2000 }), "text"),
        ("remove_convention", json!({ "id": "fmt" }), "kind"),
        ("remove_decision", json!({ "id": "d" }), "kind"),
        ("remove_note", json!({ "id": "n" }), "kind"),
    ]
    .into_iter()
    .chain(super::debug::good())
    .chain([
        ("session_end", json!({ "reason": "done" }), "session"),
    ])
    .collect()
}
