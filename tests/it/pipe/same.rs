//! The same scripted session through the Python client, through the TypeScript client and by the
//! command line: the same stores.
//!
//! Executions are told with their ids and times, so that every row of `execution_log.db` must be equal.
//! (Its digest never is between two journals: the cursor in it names the journal.) Memory takes its times
//! from the clock: of `memory.db` everything is compared but the columns that hold a time, the order by
//! time included.

use assert_cmd::Command;
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::{Value, json};

use crate::project::{Project, Ran};

/// Small sizes, so that a few steps are over them.
pub const SIZES: &str = "[memory]\ncore_max_chars = 300\nrecall_max_events = 4\n";

const AT_MS: u64 = 1_750_000_000_000;

/// One step: what a client asks, and the same as words for the command line, with its input.
pub struct Step {
    pub op: &'static str,
    pub args: Value,
    words: Vec<String>,
    input: String,
    code: i32,
}

fn step(op: &'static str, args: Value, words: &[&str]) -> Step {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    Step { op, args, words, input: String::new(), code: 0 }
}

fn executed(number: u64, call: Value) -> Step {
    let mut call = call;
    call["at"] = json!(AT_MS + number * 1_000);
    call["execution"] = json!(format!("01977420-0c00-7000-8000-{number:012x}"));
    let input = call.to_string();
    Step { input, ..step("record_execution", call, &["record"]) }
}

/// The session.
pub fn steps() -> Vec<Step> {
    let update = json!({ "core": { "plan": "use openmp", "seed": 7 }, "core_get": ["compiler"],
        "core_delete": ["threads"],
        "archival": [{ "text": "rows first is faster", "tags": ["PERF"] }],
        "archival_search": { "query": "openmp", "k": 3 },
        "recall": { "kind": "insight", "summary": "loops were the cost" } });
    let input = update.to_string();
    let long: String = "word ".repeat(30);
    let mut all = vec![
        executed(1, json!({ "tool": "file_read", "arguments": { "path": "src/a.rs" } })),
        executed(
            2,
            json!({ "tool": "lsp_check", "arguments": { "path": "." }, "exit_code": 1,
            "stderr": "error[E0425]: x\n --> src/a.rs:1:2\n" }),
        ),
        executed(
            3,
            json!({ "tool": "bash_exec", "arguments": { "command": "make" }, "duration_ms": 5,
            "changed": [{ "path": "out.o", "created": true }] }),
        ),
        step(
            "gate_check",
            json!({ "tool": "file_edit", "arguments": { "path": "src/a.rs" } }),
            &["gate", "check", "--tool", "file_edit", "--path", "src/a.rs"],
        )
        .ends(1),
        step("memory_query", json!({}), &["timeline"]),
        step(
            "gate_check",
            json!({ "tool": "file_edit", "arguments": { "path": "src/a.rs" } }),
            &["gate", "check", "--tool", "file_edit", "--path", "src/a.rs"],
        ),
        step("declare_success", json!({ "text": "all is done" }), &["claim", "all is done"])
            .ends(1),
        step(
            "mem_node_fork",
            json!({ "child_node_id": "root", "run": "r1" }),
            &["memory", "fork", "root", "--run", "r1"],
        ),
        step(
            "mem_core_set",
            json!({ "branch": "root", "key": "compiler", "value": "gcc 14", "importance": 5 }),
            &["memory", "set", "root", "compiler", "gcc 14", "--importance", "5"],
        ),
        step(
            "mem_core_set",
            json!({ "branch": "root", "key": "threads", "value": "8", "ttl": 3600 }),
            &["memory", "set", "root", "threads", "8", "--ttl", "3600"],
        ),
        step(
            "mem_node_fork",
            json!({ "parent_node_id": "a", "child_node_id": "b",
            "ancestor_chain": ["root", "a"], "phase": "draft" }),
            &["memory", "fork", "b", "--from", "a", "--chain", "root,a", "--phase", "draft"],
        ),
        step(
            "mem_node_fork",
            json!({ "parent_node_id": "root", "child_node_id": "c" }),
            &["memory", "fork", "c", "--from", "root"],
        ),
        step(
            "mem_archival_write",
            json!({ "branch": "b", "text": "gcc needs -fopenmp for OpenMP", "tags": ["gcc"] }),
            &["memory", "write", "b", "gcc needs -fopenmp for OpenMP", "--tag", "gcc"],
        ),
        step(
            "mem_archival_write",
            json!({ "branch": "b", "text": "gcc needs -fopenmp for OpenMP", "tags": ["gcc"] }),
            &["memory", "write", "b", "gcc needs -fopenmp for OpenMP", "--tag", "gcc"],
        ),
        step(
            "mem_core_del",
            json!({ "branch": "c", "key": "compiler" }),
            &["memory", "del", "c", "compiler"],
        ),
        Step {
            input,
            ..step(
                "apply_llm_memory_updates",
                json!({ "branch": "b", "updates": update, "phase": "draft" }),
                &["memory", "apply", "b", "--phase", "draft"],
            )
        },
        step("mem_core_get", json!({ "branch": "b" }), &["memory", "get", "b"]),
        step(
            "mem_archival_search",
            json!({ "branch": "b", "query": "openmp", "tags": ["gcc"], "k": 2 }),
            &["memory", "search", "b", "openmp", "--tag", "gcc", "-k", "2"],
        ),
        step(
            "mem_recall_search",
            json!({ "branch": "b", "query": "loops", "k": 5 }),
            &["memory", "recall", "b", "loops", "-k", "5"],
        ),
        step(
            "mem_archival_update",
            json!({ "record_id": 1, "tags": ["gcc", "flags"], "branch": "b" }),
            &["memory", "update", "1", "--tag", "gcc", "--tag", "flags", "--branch", "b"],
        ),
        step(
            "mem_node_read",
            json!({ "node_id": "c", "scope": "core" }),
            &["memory", "read", "c", "--scope", "core"],
        ),
        step(
            "kv_put",
            json!({ "branch": "b", "namespace": ["x", "y"], "key": "k", "value": "v", "ttl": 60 }),
            &["memory", "kv", "put", "b", "k", "v", "--namespace", "x/y", "--ttl", "60"],
        ),
        step(
            "thread_append",
            json!({ "branch": "b", "thread": "t", "role": "user", "content": { "a": 1.5 } }),
            &["memory", "thread", "append", "b", "t", "user", r#"{"a": 1.5}"#, "--as-json"],
        ),
        step("check_memory_pressure", json!({ "branch": "b" }), &["memory", "pressure", "b"]),
        step(
            "render_for_prompt_with_log",
            json!({ "branch": "b", "task_hint": "openmp" }),
            &["memory", "render", "b", "--task", "openmp"],
        ),
        step("mem_core_get", json!({ "branch": "nowhere" }), &["memory", "get", "nowhere"]).ends(2),
    ];
    // Over the budget of core, and over the window of recall, as `SIZES` has them.
    for n in 0..3 {
        let (key, number) = (format!("note{n}"), n.to_string());
        let value = format!("{number} {long}");
        all.push(step(
            "mem_core_set",
            json!({ "branch": "c", "key": key, "value": value }),
            &["memory", "set", "c", &key, &value],
        ));
    }
    for n in 0..8 {
        let (text, kind) = (format!("step {n}"), if n % 2 == 0 { "even" } else { "odd" });
        let event = json!({ "branch_id": "b", "kind": kind, "summary": text, "refs": ["x"] });
        all.push(step(
            "mem_recall_append",
            json!({ "branch": "b", "event": event }),
            &["memory", "append", "b", &text, "--kind", kind, "--ref", "x"],
        ));
    }
    all
}

impl Step {
    fn ends(self, code: i32) -> Self {
        Self { code, ..self }
    }
}

/// The steps as a client's script has them.
pub fn script() -> Value {
    steps().iter().map(|step| json!({ "op": step.op, "args": step.args })).collect()
}

/// The session by the command line.
pub fn by_command_line(project: &Project) {
    for step in steps() {
        let mut command: Command = project.command();
        command.env("ANNALS_SESSION", "s1").args(&step.words).write_stdin(step.input);
        Ran::of(&mut command).code(step.code);
    }
}

/// Holds that two projects' stores are equal.
#[track_caller]
pub fn assert_same(a: &Project, b: &Project) {
    let log_of = |project: &Project| {
        let questions = ["SELECT * FROM executions", "SELECT * FROM execution_artifacts"];
        rows(project, "execution_log.db", &questions)
    };
    let of_a = log_of(a);
    assert!(of_a.len() > 4, "{of_a:?}");
    assert_eq!(of_a, log_of(b), "execution_log.db");
    assert_eq!(memory(a), memory(b), "memory.db");
    let state_of = |project: &Project| {
        let questions = [
            "SELECT branch, namespace, key, version, value, over_ms - at_ms FROM kv ORDER BY seq",
            "SELECT branch, thread, number, role, content FROM thread_messages ORDER BY seq",
        ];
        rows(project, ".annals/state.db", &questions)
    };
    assert_eq!(state_of(a).len(), 2);
    assert_eq!(state_of(a), state_of(b), "state.db");
    assert_eq!(log(a), log(b), "the log of memory");
}

/// What memory.db holds, but for the columns that hold a time.
fn memory(project: &Project) -> Vec<String> {
    let questions = [
        "SELECT id, parent_id, node_uid FROM branches ORDER BY created_at, id",
        "SELECT branch_id, key, value FROM core_kv ORDER BY branch_id, key",
        "SELECT branch_id, key, importance, ttl FROM core_meta ORDER BY branch_id, key",
        "SELECT branch_id, key FROM core_kv ORDER BY updated_at, branch_id, key",
        "SELECT id, branch_id, kind, text, tags, task_hint, memory_size FROM events ORDER BY id",
        "SELECT id FROM events ORDER BY created_at, id",
        "SELECT id, branch_id, text, tags FROM archival ORDER BY id",
        "SELECT id FROM archival ORDER BY created_at, id",
        "SELECT rowid, text, tags, branch_id FROM archival_fts ORDER BY rowid",
        "SELECT branch_id, excluded_event_id FROM inherited_exclusions ORDER BY 1, 2",
        "SELECT id, branch_id, summary_text, summarized_event_ids, kind FROM inherited_summaries ORDER BY id",
    ];
    let found = rows(project, ".annals/memory.db", &questions);
    assert!(found.len() > 40, "{} rows", found.len());
    found.iter().map(|row| without_times(row)).collect()
}

/// The rows that a store answers with.
fn rows(project: &Project, store: &str, questions: &[&str]) -> Vec<String> {
    let store = Connection::open(project.path(store)).expect(store);
    let mut rows = Vec::new();
    for sql in questions {
        let mut found = store.prepare(sql).expect(sql);
        let columns = found.column_count();
        let mut found = found.query([]).expect(sql);
        while let Some(row) = found.next().expect(sql) {
            let cells: Vec<Cell> = (0..columns).map(|at| row.get(at).expect(sql)).collect();
            rows.push(format!("{sql}: {cells:?}"));
        }
    }
    rows
}

/// A summary says from when to when it is, in Unix seconds.
fn without_times(row: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for c in row.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        out += if digits.len() > 8 { "TIME" } else { &digits };
        digits.clear();
        out.push(c);
    }
    out
}

/// The events of memory, but for their times and numbers.
fn log(project: &Project) -> Vec<Value> {
    let words = ["memory", "log", "--reads", "-n", "1000", "--json"];
    let mut log = project.annals(words).code(0).json();
    for op in log.as_array_mut().expect("a list") {
        op["sequence"] = Value::Null;
        op["at"] = Value::Null;
    }
    log.as_array().expect("a list").clone()
}
