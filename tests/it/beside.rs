//! `codegraph.db` while another program has it open: its `-wal` is its own, and so are its rows.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::MetadataExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::graph::{calls, has_magellan, open, record, sample};
use crate::leash::start;
use crate::project::Project;
use crate::skipped::skipped;

/// Has the graph open, loses its lock by closing a second descriptor, and adds a row a line it is given.
const WRITER: &str = "
import sqlite3, sys
graph = sqlite3.connect('codegraph.db', isolation_level=None)
graph.execute('CREATE TABLE IF NOT EXISTS magellan_meta (id INTEGER PRIMARY KEY, index_root TEXT)')
for line in sys.stdin:
    graph.execute('INSERT INTO magellan_meta (index_root) VALUES (?)', (line,))
    open('codegraph.db', 'rb').close()
    print('done', flush=True)
";

fn is_sound(project: &Project) {
    let sound: String =
        open(project).query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("checked");
    assert_eq!(sound, "ok");
}

fn wal(project: &Project) -> u64 {
    std::fs::metadata(project.path("codegraph.db-wal")).expect("a -wal").ino()
}

#[test]
fn the_wal_of_a_program_that_lost_its_lock_stays() {
    let project = sample();
    record(&project, &calls(&project)).code(0);
    let mut python = Command::new("python3");
    python.args(["-c", WRITER]).current_dir(project.root());
    if Command::new("python3").arg("--version").output().is_err() {
        return skipped("no python3");
    }
    let mut child = start(python.stdin(Stdio::piped()).stdout(Stdio::piped()));
    let mut to = child.stdin.take().expect("an input");
    let mut from = BufReader::new(child.stdout.take().expect("an output")).lines();
    let mut add = || {
        writeln!(to, "row").expect("asked");
        assert_eq!(from.next().expect("a line").expect("read"), "done");
    };
    add();
    let before = wal(&project);
    let asking: [&[&str]; 6] = [
        &["run", "--", "true"],
        &["status"],
        &["trace", "src/lib.rs"],
        &["sql", "SELECT count(*) FROM graph.graph_entities"],
        &["rebuild", "graph"],
        &["rebuild", "--check"],
    ];
    for words in asking {
        project.annals(words).code(0);
        assert_eq!(wal(&project), before, "{words:?}");
        add();
    }
    drop(to);
    assert!(child.wait().expect("it ends").success());
    is_sound(&project);
    let rows: i64 = open(&project)
        .query_row("SELECT count(*) FROM magellan_meta", [], |row| row.get(0))
        .expect("counted");
    assert_eq!(rows, 7);
    project.annals(["rebuild", "--check"]).code(0);
}

#[test]
fn a_graph_that_nobody_else_opened_is_one_file() {
    let project = sample();
    record(&project, &calls(&project)).code(0);
    project.annals(["status"]).code(0);
    assert!(!project.path("codegraph.db-wal").exists());
}

/// magellan leaves edges behind whose rows are gone: no row of ours gets into them.
#[test]
fn an_edge_that_somebody_left_hanging_is_nobodys() {
    let project = sample();
    record(&project, &calls(&project)).code(0);
    let graph = open(&project);
    let next: i64 = graph
        .query_row("SELECT max(id) + 1 FROM graph_entities", [], |row| row.get(0))
        .expect("an id");
    let hanging =
        "INSERT INTO graph_edges (from_id, to_id, edge_type, data) VALUES (?1, 1, ?2, '{}')";
    // Before our next row, and, as earlier builds left it, at one that is ours.
    let first = "SELECT min(id) FROM graph_entities WHERE kind = 'execution'";
    let first: i64 = graph.query_row(first, [], |row| row.get(0)).expect("an id");
    for at in [next, next + 1, first] {
        graph.execute(hanging, (at, "IMPORTS")).expect("added");
    }
    record(&project, r#"{"tool":"file_read","paths":["src/lib.rs"],"success":true}"#).code(0);
    let count = |sql: &str| -> i64 { graph.query_row(sql, [], |row| row.get(0)).expect("counted") };
    let taken = format!("SELECT count(*) FROM graph_entities WHERE id IN ({next}, {next} + 1)");
    assert_eq!(count(&taken), 0, "ids that edges name are left free");
    project.annals(["rebuild", "--check"]).code(0);
    project.annals(["rebuild", "graph"]).code(0).says("nothing differs");
    assert_eq!(count("SELECT count(*) FROM graph_edges WHERE edge_type = 'IMPORTS'"), 3);
}

/// The real one: it watches, changes are made, calls are recorded side by side.
#[test]
fn magellan_watches_while_calls_are_recorded() {
    if !has_magellan() {
        return;
    }
    let project = sample();
    project.annals(["run", "--", "true"]).code(0);
    let mut watch = Command::new("magellan");
    watch.args(["watch", "--root", ".", "--db", "codegraph.db", "--scan-initial"]);
    watch.current_dir(project.root()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut watch = start(&mut watch);
    let began = Instant::now();
    while !project.path("codegraph.db-wal").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "magellan does not open the graph");
        std::thread::sleep(Duration::from_millis(20));
    }
    let before = wal(&project);
    for turn in 0..5 {
        let text =
            format!("use crate::checkout;\n\npub fn add{turn}() {{\n    checkout({turn});\n}}\n");
        project.write("src/cart.rs", &text);
        record(&project, &calls(&project)).code(0);
        project.annals(["status"]).code(0);
        assert_eq!(wal(&project), before, "turn {turn}");
        std::thread::sleep(Duration::from_millis(200));
    }
    is_sound(&project);
    watch.kill().expect("ended");
    watch.wait().expect("it ends");
    is_sound(&project);
    project.annals(["repair"]).code(0);
    project.annals(["rebuild", "--check"]).code(0);
}
