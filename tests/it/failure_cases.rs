//! The failure table of spec 000 §4, each case caused for real: what is then there, and what mends it.

use std::process::{Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;

use crate::graph::{calls, open, record};
use crate::leash::Leash;
use crate::project::{Project, Ran};
use crate::skipped::skipped;

const READ: &str = "{\"tool\":\"file_read\",\"paths\":[\"src/lib.rs\"],\"success\":true}\n";

fn filled() -> Project {
    let project = Project::new();
    record(&project, &calls(&project)).code(0);
    project
}

/// Rows of the log, entities of executions, and edges.
fn state(project: &Project) -> (i64, i64, i64) {
    let count = |conn: &Connection, sql: &str| -> i64 {
        conn.query_row(sql, [], |row| row.get(0)).expect("counted")
    };
    let log = Connection::open(project.path("execution_log.db")).expect("a log");
    let graph = open(project);
    (
        count(&log, "SELECT count(*) FROM executions"),
        count(&graph, "SELECT count(*) FROM graph_entities WHERE kind = 'execution'"),
        count(&graph, "SELECT count(*) FROM graph_edges"),
    )
}

/// Both stores hold what the journal says, to the last row.
fn whole(project: &Project) {
    project.annals(["status"]).code(0);
    project.annals(["rebuild", "--check"]).code(0);
    let (rows, entities, _) = state(project);
    assert_eq!(rows, entities, "X1: every execution has its entity");
    for file in ["execution_log.db", "codegraph.db"] {
        let conn = Connection::open(project.path(file)).expect("a store");
        let sound: String =
            conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("checked");
        assert_eq!(sound, "ok", "{file}");
    }
}

/// A shell in a mount namespace of its own, the program in `$annals`; `None` where that is not
/// permitted.
fn with_mounts(project: &Project, script: &str) -> Option<Ran> {
    let permitted = Command::new("unshare").args(["-rm", "true"]).output();
    if !permitted.is_ok_and(|ran| ran.status.success()) {
        skipped("no mount namespace may be made here");
        return None;
    }
    let mut shell = project.shell("exec unshare -rm sh -ec \"$script\"");
    shell.env("script", script).env("annals", env!("CARGO_BIN_EXE_annals"));
    Some(Ran::of(&mut shell))
}

/// As [`with_mounts`], on a tiny file system.
fn on_a_small_disk(project: &Project, script: &str) -> Option<Ran> {
    std::fs::create_dir_all(project.path("small")).expect("a folder");
    with_mounts(project, &format!("mount -t tmpfs -o size=8m none small && cd small && {script}"))
}

#[test]
fn case_1_the_record_cannot_be_written_and_nothing_is_in_either_store() {
    let script = r#"
        "$annals" init >/dev/null
        echo '{"tool":"file_read","paths":["a"],"success":true}' | "$annals" record >/dev/null
        before=$("$annals" status --digest --json)
        dd if=/dev/zero of=fill bs=64k 2>/dev/null || true
        # More than what was filled ahead for the journal: there is no room for it.
        big=$(head -c 900000 /dev/zero | tr '\0' x)
        code=0
        printf '{"tool":"file_read","stdout":"%s"}\n' "$big" | "$annals" record || code=$?
        echo "told $code"
        rm fill
        [ "$("$annals" status --digest --json)" = "$before" ] && echo unchanged
        echo '{"tool":"file_read","paths":["b"],"success":true}' | "$annals" record >/dev/null
        "$annals" rebuild --check
        "$annals" log --json | grep -c '"execution"'
    "#;
    let Some(ran) = on_a_small_disk(&Project::empty(), script) else { return };
    let ran = ran.code(0);
    let out = ran.out();
    assert!(out.contains("told ") && !out.contains("told 0"), "{out}");
    assert!(out.contains("unchanged"), "{out}{}", ran.err());
    assert!(out.trim_end().ends_with('2'), "the two that were told as recorded: {out}");
}

#[test]
fn case_2_the_graph_cannot_be_written_and_the_log_stands() {
    let project = filled();
    let (rows, entities, edges) = state(&project);
    let other = open(&project);
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    record(&project, READ).code(0).says("codegraph.db lags").says("in use by another program");
    assert_eq!(state(&project), (rows + 1, entities, edges), "the log has it, the graph not");
    let status = project.annals(["status", "--json"]).code(1).json();
    assert_eq!(status["stores"][1]["lag"], 0);
    assert!(status["stores"][2]["lag"].as_u64() > Some(0), "{status}");
    let logged = std::fs::read_to_string(project.path(".annals/errors.jsonl")).expect("logged");
    assert!(logged.contains("\"not written\"") && logged.contains("codegraph.db"), "{logged}");
    let ran = project.annals(["rebuild"]).code(4);
    assert!(ran.out().contains("execution_log.db: rebuilt"), "the others are: {}", ran.out());
    other.execute_batch("ROLLBACK").expect("let go");
    project.annals(["repair"]).code(0).says("caught up: codegraph.db");
    assert_eq!(state(&project), (rows + 1, entities + 1, edges + 1));
    whole(&project);
}

#[test]
fn case_2_the_graph_is_only_to_be_read_and_the_log_stands() {
    let project = filled();
    let (rows, entities, edges) = state(&project);
    project.write("calls", READ);
    let script = "
        mount --bind codegraph.db codegraph.db
        mount -o remount,bind,ro codegraph.db
        \"$annals\" record < calls
        \"$annals\" status || echo told $?";
    let Some(ran) = with_mounts(&project, script) else { return };
    let ran = ran.code(0).says("codegraph.db lags").says("told 1");
    assert!(ran.err().contains("readonly") || ran.err().contains("read-only"), "{}", ran.err());
    assert_eq!(state(&project), (rows + 1, entities, edges));
    project.annals(["status"]).code(0);
    assert_eq!(state(&project), (rows + 1, entities + 1, edges + 1));
    whole(&project);
}

#[test]
fn case_3_the_disk_is_full_in_the_middle_of_the_graphs_rows_and_none_of_them_is_there() {
    let project = filled();
    let before = state(&project);
    // Larger than the limit below already: what is added to it is refused, in the middle of it.
    let graph = open(&project);
    graph
        .execute_batch(
            "PRAGMA journal_mode = DELETE;
             CREATE TABLE magellans (filling);
             INSERT INTO magellans SELECT zeroblob(3000000);",
        )
        .expect("filled");
    drop(graph);
    let size = std::fs::metadata(project.path("codegraph.db")).expect("there").len();
    let lines = READ.repeat(200);
    project.write("calls", &lines);
    let blocks = size / 512;
    let annals = env!("CARGO_BIN_EXE_annals");
    let script = format!("ulimit -f {blocks}; exec {annals} record < calls > answers");
    Ran::of(&mut project.shell(&script)).code(0).says("codegraph.db lags");
    let after = state(&project);
    assert_eq!((after.0, after.1, after.2), (before.0 + 200, before.1, before.2));
    let torn = "SELECT count(*) FROM graph_edges e WHERE NOT EXISTS \
                (SELECT 1 FROM graph_entities v WHERE v.id = e.from_id)";
    let torn: i64 = open(&project).query_row(torn, [], |row| row.get(0)).expect("counted");
    assert_eq!(torn, 0, "no edge without its execution");
    project.annals(["status"]).code(0);
    assert_eq!(state(&project), (before.0 + 200, before.1 + 200, before.2 + 200));
    whole(&project);
    // And what no crash leaves, somebody's hand may: half an execution.
    open(&project).execute_batch("DELETE FROM graph_edges WHERE id % 2 = 0").expect("deleted");
    project.annals(["rebuild", "--check"]).code(1).says("DIFFERS");
    project.annals(["repair"]).code(0).says("rebuilt: codegraph.db");
    whole(&project);
}

#[test]
fn case_4_a_crash_at_any_moment_leaves_whole_transactions() {
    let project = filled();
    record(&project, &READ.repeat(300)).code(0);
    let (rows, entities, edges) = state(&project);
    for kill in 0..12_u64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_annals"))
            .args(["rebuild", "graph", "--dir"])
            .arg(project.root())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Leash::of)
            .expect("annals starts");
        std::thread::sleep(Duration::from_millis(8 + kill * 11));
        child.kill().expect("killed");
        child.wait().expect("reaped");
        assert_eq!(state(&project), (rows, entities, edges), "kill {kill}: all of it, or the old");
    }
    for kill in 0..6_u64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_annals"))
            .args(["record", "--dir"])
            .arg(project.root())
            .stdin(std::fs::File::open(project.write("calls", &READ.repeat(50))).expect("calls"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Leash::of)
            .expect("annals starts");
        std::thread::sleep(Duration::from_millis(30 + kill * 40));
        child.kill().expect("killed");
        child.wait().expect("reaped");
    }
    let (rows, entities, edges) = state(&project);
    // Each of these calls has one edge, the six of `calls` have nine.
    assert_eq!(edges, (entities - 6) + 9, "no execution without its edge");
    project.annals(["repair"]).code(0);
    whole(&project);
    assert!(state(&project).0 >= rows);
}
