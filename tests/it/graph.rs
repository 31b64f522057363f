//! `codegraph.db` beside the real magellan: each opens what the other wrote, and touches only its own.

use std::process::Command;

use rusqlite::Connection;
use serde_json::json;

use crate::project::{Project, Ran};
use crate::skipped::skipped;

const LIB: &str = "pub mod cart;\n\npub fn checkout(total: u64) -> u64 {\n    total\n}\n";
const CART: &str = "pub struct Cart;\n\nimpl Cart {\n    pub fn add(&mut self) {}\n}\n";

/// Whether the program is there; says so where it is not.
pub fn has_magellan() -> bool {
    let there = Command::new("magellan").arg("--version").output().is_ok();
    if !there {
        skipped("magellan is not installed (cargo install magellan --version 4.17.0)");
    }
    there
}

fn magellan(project: &Project, words: &[&str]) -> String {
    let mut command = Command::new("magellan");
    let ran = command.args(words).current_dir(project.root()).output().expect("magellan runs");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "magellan {words:?}: {said}{ran:?}");
    said
}

fn index(project: &Project, file: &str) {
    magellan(project, &["index", "--db", "codegraph.db", "--file", file, "--root", "."]);
}

/// A project with two files that magellan has not seen yet.
pub fn sample() -> Project {
    let project = Project::new();
    project.write("Cargo.toml", "[package]\nname = \"sample\"\nedition = \"2024\"\n");
    project.write("src/lib.rs", LIB);
    project.write("src/cart.rs", CART);
    project
}

pub fn record(project: &Project, lines: &str) -> Ran {
    Ran::of(project.command().arg("record").write_stdin(lines))
}

/// A read, a patch, a failing check, a question, a new file, and what has no edges.
pub fn calls(project: &Project) -> String {
    let root = project.root().canonicalize().expect("a folder");
    let root = root.display();
    format!(
        r#"{{"tool":"file_read","paths":["src/lib.rs"],"success":true}}
{{"tool":"splice_patch","paths":["{root}/src/lib.rs"],"symbols":["checkout"],"success":true}}
{{"tool":"lsp_check","paths":["{root}"],"success":false,"diagnostics":[{{"level":"error","message":"no `x`","file_name":"src/cart.rs","line_start":3,"code":"E0425"}}]}}
{{"tool":"references_to_symbol_name","symbols":["Cart::add"],"success":true}}
{{"tool":"file_create","paths":["./src/new.rs"],"success":true}}
{{"tool":"bash_exec","arguments":{{"command":"ls"}},"success":true}}
"#
    )
}

pub fn open(project: &Project) -> Connection {
    Connection::open(project.path("codegraph.db")).expect("a graph")
}

fn texts(project: &Project, sql: &str) -> Vec<String> {
    let conn = open(project);
    let mut rows = conn.prepare(sql).expect("sound");
    let found = rows.query_map([], |row| row.get(0)).expect("asked");
    found.map(|text| text.expect("text")).collect()
}

/// Edges as `tool TYPE kind:name`.
fn links(project: &Project) -> Vec<String> {
    texts(
        project,
        "SELECT format('%s %s %s:%s', substr(f.name, 1, instr(f.name, ':') - 1), e.edge_type, \
         t.kind, iif(t.kind = 'diagnostic', substr(t.name, 12, 5), t.name)) FROM graph_edges e \
         JOIN graph_entities f ON f.id = e.from_id AND f.kind = 'execution' \
         JOIN graph_entities t ON t.id = e.to_id ORDER BY 1",
    )
}

/// All that magellan keeps, of every table, as far as its own next opening does not change it.
fn foreign(project: &Project) -> Vec<String> {
    let tables = texts(
        project,
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' \
         AND name NOT LIKE 'annals%' AND name NOT LIKE 'sqlite%' ORDER BY name",
    );
    let mut rows = Vec::new();
    let conn = open(project);
    for table in tables {
        let which = match table.as_str() {
            "graph_entities" => "kind NOT IN ('execution', 'diagnostic', 'annals_stub')",
            "graph_edges" => {
                "edge_type NOT IN ('EXECUTED_ON', 'AFFECTED', 'REFERENCED', 'PRODUCED')"
            }
            _ => "1",
        };
        let mut found =
            conn.prepare(&format!("SELECT * FROM {table} WHERE {which}")).expect("sound");
        let columns = found.column_count();
        let mut found = found.query([]).expect("asked");
        while let Some(row) = found.next().expect("read") {
            let value = |at| row.get::<_, rusqlite::types::Value>(at).expect("a value");
            let values: Vec<_> = (0..columns).map(value).collect();
            rows.push(format!("{table} {values:?}"));
        }
    }
    rows
}

fn digest(project: &Project) -> String {
    let status = project.annals(["status", "--digest", "--json"]).code(0).json();
    status["stores"][2]["digest"].as_str().expect("a digest").to_owned()
}

const LINKED: [&str; 9] = [
    "file_create AFFECTED annals_stub:src/new.rs",
    "file_create EXECUTED_ON annals_stub:src/new.rs",
    "file_read EXECUTED_ON File:src/lib.rs",
    "lsp_check EXECUTED_ON File:src/cart.rs",
    "lsp_check PRODUCED diagnostic:E0425",
    "references_to_symbol_name REFERENCED Symbol:add",
    "splice_patch AFFECTED File:src/lib.rs",
    "splice_patch EXECUTED_ON File:src/lib.rs",
    "splice_patch REFERENCED Symbol:checkout",
];

fn linked() -> Vec<String> {
    LINKED.map(str::to_owned).to_vec()
}

#[test]
fn magellans_graph_gets_our_rows_and_keeps_its_own() {
    if !has_magellan() {
        return;
    }
    let project = sample();
    index(&project, "src/lib.rs");
    index(&project, "src/cart.rs");
    let before = foreign(&project);
    record(&project, &calls(&project)).code(0);
    assert_eq!(links(&project), linked());
    project.annals(["rebuild", "graph"]).code(0).says("nothing differs");
    project.annals(["rebuild", "--check"]).code(0);
    assert_eq!(links(&project), linked());
    assert!(differing(&before, &foreign(&project)).is_empty());
    assert!(magellan(&project, &["status", "--db", "codegraph.db"]).contains("files: 2"));
    let found = magellan(&project, &["find", "--db", "codegraph.db", "--name", "checkout"]);
    assert!(found.contains("src/lib.rs"), "{found}");
    let doctor = magellan(&project, &["doctor", "--db", "codegraph.db"]);
    assert!(doctor.contains("Duplicate file nodes... OK") && !doctor.contains('❌'), "{doctor}");
}

/// Rows that are in one and not in the other, but for the search index over all names.
fn differing<'a>(before: &'a [String], after: &'a [String]) -> Vec<&'a String> {
    let own = |row: &&String| !row.starts_with("symbol_fts");
    let gone = before.iter().filter(own).filter(|row| !after.contains(row));
    gone.chain(after.iter().filter(own).filter(|row| !before.contains(row))).collect()
}

#[test]
fn what_magellan_indexes_again_is_linked_again() {
    if !has_magellan() {
        return;
    }
    let project = sample();
    index(&project, "src/lib.rs");
    index(&project, "src/cart.rs");
    record(&project, &calls(&project)).code(0);
    project.write("src/lib.rs", &format!("// again\n{LIB}"));
    project.write("src/new.rs", "pub fn fresh() {}\n");
    index(&project, "src/lib.rs");
    index(&project, "src/cart.rs");
    index(&project, "src/new.rs");
    assert_ne!(links(&project), linked(), "magellan took edges away with its rows");
    let before = foreign(&project);
    project.annals(["status"]).code(0);
    let expect: Vec<_> =
        linked().iter().map(|link| link.replace("annals_stub:", "File:")).collect();
    assert_eq!(links(&project), expect, "and the stub gave way to the file");
    assert!(differing(&before, &foreign(&project)).is_empty());
    let linked_again = digest(&project);
    project.annals(["rebuild", "graph"]).code(0).says("nothing differs");
    assert_eq!(digest(&project), linked_again);
    magellan(&project, &["delete", "--db", "codegraph.db", "--file", "src/new.rs", "--root", "."]);
    project.annals(["status"]).code(0);
    project.annals(["rebuild", "graph", "--check"]).code(0);
    assert_eq!(links(&project), linked(), "and a stub came back where the file went");
}

#[test]
fn a_graph_that_annals_made_is_magellans_to_index() {
    let project = sample();
    assert!(!project.path("codegraph.db").exists());
    record(&project, &calls(&project)).code(0);
    let stubs = "SELECT name FROM graph_entities WHERE kind = 'annals_stub' ORDER BY name";
    let expect = ["Cart::add", "checkout", "src/cart.rs", "src/lib.rs", "src/new.rs"];
    assert_eq!(texts(&project, stubs), expect);
    if !has_magellan() {
        return;
    }
    magellan(&project, &["status", "--db", "codegraph.db"]);
    index(&project, "src/lib.rs");
    index(&project, "src/cart.rs");
    project.annals(["status"]).code(0);
    assert_eq!(links(&project), linked());
    assert_eq!(texts(&project, stubs), ["src/new.rs"]);
    project.annals(["rebuild", "--check"]).code(0);
    let doctor = magellan(&project, &["doctor", "--db", "codegraph.db"]);
    assert!(!doctor.contains('❌'), "{doctor}");
}

#[test]
fn our_rows_deleted_by_hand_come_back_to_the_same_digest() {
    let project = sample();
    record(&project, &calls(&project)).code(0);
    let before = digest(&project);
    open(&project)
        .execute_batch(
            "DELETE FROM graph_edges; DELETE FROM graph_entities WHERE kind = 'execution'",
        )
        .expect("deleted");
    project.annals(["rebuild", "graph", "--check"]).code(1).says("DIFFERS");
    project.annals(["rebuild", "graph"]).code(0);
    assert_eq!(digest(&project), before);
    project.annals(["rebuild", "graph", "--check"]).code(0);
}

/// A question about executions catches up the log and makes no graph: that one is behind, not gone.
#[test]
fn a_graph_that_nobody_has_made_yet_is_not_missed() {
    let project = sample();
    let edit = json!({"session_id": "0193a5b2-7c1e-4f00-8a00-000000000009", "cwd": project.root(),
        "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "t1",
        "tool_input": {"file_path": project.path("src/lib.rs"), "old_string": "a", "new_string": "b"},
        "tool_response": {}});
    Ran::of(project.command().args(["hook", "claude-code"]).write_stdin(edit.to_string())).code(0);
    project.annals(["rebuild", "repo_memory"]).code(0);
    assert!(project.path("execution_log.db").exists());
    assert!(!project.path("codegraph.db").exists());
    project.annals(["rebuild", "--check"]).code(0);
    project.annals(["rebuild", "--check"]).code(0);
    project.annals(["status"]).code(0);
    std::fs::remove_file(project.path("codegraph.db")).expect("removed");
    project.annals(["rebuild", "--check"]).code(1).says("there was no graph");
}

/// Seven of 43 said "there was no graph" when the log of executions stood for it.
#[test]
fn a_check_beside_writers_misses_no_graph_that_is_being_made() {
    for _ in 0..3 {
        let project = sample();
        let edit = r#"{"tool":"file_edit","paths":["src/lib.rs"],"success":true}"#;
        std::thread::scope(|scope| {
            let write = || (0..6).for_each(|_| drop(record(&project, edit).code(0)));
            let writers: Vec<_> = (0..3).map(|_| scope.spawn(write)).collect();
            while writers.iter().any(|writer| !writer.is_finished()) {
                project.annals(["rebuild", "--check"]).code(0);
            }
        });
        project.annals(["rebuild", "--check"]).code(0).says("codegraph.db: nothing differs");
    }
}
