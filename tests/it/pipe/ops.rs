//! Every operation once, with what it takes and with what it does not.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Piped;
use super::good::good;
use super::repo::linked;
use crate::project::Project;

const ID: &str = "01a20237-872b-72c9-80b6-cf7c537319f3";

/// Operations in an order in which each can be done, what they are told, and a member of the result.
fn good() -> Vec<(&'static str, Value, &'static str)> {
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
        ("buildContextFromMemory", json!({ "maxChars": 4000, "paths": ["src"] }), "text"),
        ("build_context_from_memory", json!({ "map": false, "summaries": 1 }), "sections"),
        ("session_end", json!({ "reason": "done" }), "session"),
    ]
}

#[test]
fn every_operation_does_what_it_is_told() {
    let project = Project::new();
    project.write("src/a.rs", "fn main() {}\n");
    let mut pipe = Piped::with(&project, &["--session", "s1"]);
    let mut done = BTreeSet::new();
    for (op, args, member) in good() {
        let result = pipe.result(op, args);
        let found = match member.parse::<usize>() {
            Ok(at) => !result[at].is_null(),
            Err(_) => member.is_empty() || result.get(member).is_some(),
        };
        assert!(found, "{op}: no {member:?} in {result}");
        done.insert(op);
    }
    linked(&project, &mut pipe);
    done.insert("link_repos");
    let ops = pipe.greeting["ops"].as_array().expect("names").clone();
    let all: BTreeSet<&str> = ops.iter().filter_map(Value::as_str).collect();
    assert_eq!(done, all, "an operation that no line of the table does, or one that is gone");
    pipe.close();
    project.annals(["verify"]).code(0);
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn every_operation_refuses_what_it_does_not_take() {
    let project = Project::new();
    let mut pipe = Piped::with(&project, &["--session", "s1"]);
    pipe.result("mem_node_fork", json!({ "child_node_id": "b" }));
    let before = super::journal(&project).len();
    let told = pipe.result("help", json!({}));
    for op in told.as_array().expect("operations") {
        let name = op["op"].as_str().expect("a name");
        let args = op["args"].as_array().expect("arguments");
        let refused = |answer: Value| {
            let kind = answer["error"]["kind"].as_str().unwrap_or_default().to_owned();
            let argued = ["arguments", "invalid", "malformed_memory_update"];
            assert!(argued.contains(&kind.as_str()), "{name}: {answer}");
        };
        refused(pipe.answer(name, json!({ "no_such_argument": 1 })));
        if args.iter().any(|arg| arg["required"] == json!(true)) {
            refused(pipe.answer(name, json!({})));
        }
        for arg in args {
            let wrong = match arg["kind"].as_str().expect("a kind") {
                "object" => json!(7),
                "text or number" => continue,
                _ => json!({ "not": ["what", "it", "takes"] }),
            };
            // What else is required is there, of the right sort.
            let mut given = serde_json::Map::new();
            for other in args.iter().filter(|other| other["required"] == json!(true)) {
                let value = match other["kind"].as_str().expect("a kind") {
                    "number" | "number or text" => json!(1),
                    "object" => json!({}),
                    kind if kind.starts_with("list") => json!([]),
                    _ => json!("b"),
                };
                given.insert(other["name"].as_str().expect("a name").to_owned(), value);
            }
            given.insert(arg["name"].as_str().expect("a name").to_owned(), wrong);
            let answer = pipe.answer(name, Value::Object(given));
            assert_eq!(answer["ok"], json!(false), "{name} {}: {answer}", arg["name"]);
        }
    }
    pipe.close();
    let recorded = super::journal(&project);
    let after = recorded.iter().skip(before).map(|event| event["kind"].clone());
    assert_eq!(after.collect::<Vec<_>>(), Vec::<Value>::new(), "nothing of it was recorded");
}

/// What the command line refuses, a pipe refuses.
#[test]
fn a_value_lasts_for_seconds_and_is_worth_one_to_five() {
    let project = Project::new();
    let mut pipe = Piped::new(&project);
    pipe.result("mem_node_fork", json!({ "child_node_id": "c" }));
    let set = |more: (&str, Value)| {
        let mut args = json!({ "branch": "c", "key": "k", "value": "v" });
        args[more.0] = more.1;
        args
    };
    for op in ["mem_core_set", "set_core"] {
        for good in [json!(90), json!("90"), json!(0.5), json!("0.5"), json!(1e3), Value::Null] {
            pipe.result(op, set(("ttl", good)));
        }
        for bad in [json!(-5), json!(0), json!("soon"), json!("10m"), json!([1]), json!(true)] {
            let answer = pipe.answer(op, set(("ttl", bad.clone())));
            assert_eq!(answer["error"]["kind"], json!("arguments"), "{bad}: {answer}");
            assert!(answer["error"]["message"].as_str().is_some_and(|it| it.contains("ttl")));
        }
        pipe.result(op, set(("importance", json!(5))));
        for bad in [json!(0), json!(6), json!(99), json!(-1), json!("high")] {
            let answer = pipe.answer(op, set(("importance", bad.clone())));
            assert_eq!(answer["error"]["kind"], json!("arguments"), "{bad}: {answer}");
        }
    }
    let updates =
        json!({ "core": { "k": { "value": "v", "ttl": "10m", "importance": 99 } }, "x": 1 });
    let done =
        pipe.result("apply_llm_memory_updates", json!({ "branch": "c", "updates": updates }));
    assert_eq!(done["refused"][0]["at"], json!("x"), "{done}");
    assert_eq!(done["refused"][1]["at"], json!("core.k.ttl"), "{done}");
    pipe.close();
}
