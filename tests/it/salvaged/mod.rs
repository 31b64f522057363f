//! What stores have and their journal has lost: `salvage --from-store`.

mod hostile;
mod kinds;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;

use crate::project::{Project, Ran};

/// A project whose journal lost its last calls, and the ids of those, told by the store itself.
pub struct Cut {
    pub project: Project,
    pub lost: BTreeSet<String>,
    pub artifacts_lost: usize,
}

pub fn ids(store: &Path) -> BTreeSet<String> {
    let conn = Connection::open(store).expect("opened");
    let mut ids = conn.prepare("SELECT id FROM executions").expect("asked");
    let ids = ids.query_map([], |row| row.get(0)).expect("asked");
    ids.collect::<Result<_, _>>().expect("read")
}

fn artifacts(store: &Path) -> usize {
    let conn = Connection::open(store).expect("opened");
    conn.query_row("SELECT count(*) FROM execution_artifacts", [], |row| row.get(0)).expect("count")
}

pub fn call(project: &Project, number: u32) {
    project.annals(["run", "--", "sh", "-c", &format!("echo out {number}; exit {number}")]);
    project.annals(["status"]);
}

/// The journal as it was before the calls of `lose`.
pub fn cut(project: Project, lose: impl Fn(&Project)) -> Cut {
    let log = project.path("execution_log.db");
    let (before, artifacts_before) = (ids(&log), artifacts(&log));
    let kept = fs::read(project.segment()).expect("a segment");
    lose(&project);
    fs::write(project.segment(), kept).expect("cut");
    // What was seen of it is for `attacks.rs`.
    project.unsee();
    let lost = ids(&log).difference(&before).cloned().collect();
    let artifacts_lost = artifacts(&log) - artifacts_before;
    Cut { project, lost, artifacts_lost }
}

pub fn calls_lost() -> Cut {
    let project = Project::new();
    (0..4).for_each(|number| call(&project, number));
    cut(project, |project| (4..7).for_each(|number| call(project, number)))
}

pub fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("lines");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

pub fn of<'l>(lines: &'l [Value], store: &str, table: &str) -> Vec<&'l Value> {
    let is = |line: &&Value| line["store"] == store && line["table"] == table;
    lines.iter().filter(is).collect()
}

fn found_ids(lines: &[&Value]) -> BTreeSet<String> {
    lines.iter().map(|line| line["row"]["id"].as_str().expect("an id").to_owned()).collect()
}

pub fn salvage(project: &Project, from: &str, to: &str) -> Ran {
    project.annals(["salvage", "--from-store", from, to])
}

impl Cut {
    /// Holds that a file has exactly the lost calls of the execution log, marked as what they are.
    fn holds(&self, file: &str) {
        let lines = lines(&self.project.path(file));
        let rows = of(&lines, "execution_log.db", "executions");
        assert_eq!(rows.len(), self.lost.len());
        assert_eq!(found_ids(&rows), self.lost);
        let outputs = of(&lines, "execution_log.db", "execution_artifacts");
        assert_eq!(outputs.len(), self.artifacts_lost);
        for line in &lines {
            assert_eq!(line["recovered_from"], "store");
            assert_eq!(line["proven_by_journal"], false);
            assert_eq!(line["journal_has"], "nothing", "{line}");
            assert!(line["cursor"]["sequence"].is_u64(), "{line}");
        }
        for row in rows {
            assert!(row["row"]["arguments_json"].as_str().expect("arguments").contains("echo out"));
        }
        let text = |line: &&Value| line["row"]["content_json"].as_str().expect("text").to_owned();
        assert!(outputs.iter().map(text).any(|text| text.contains("out 4")));
    }
}

#[test]
fn the_lost_calls_and_no_others_are_saved_in_place_from_quarantine_and_from_a_copy() {
    let cut = calls_lost();
    let project = &cut.project;
    assert_eq!(cut.lost.len(), 3);
    project.annals(["status"]).code(3).says("annals salvage --from-store");
    let before = fs::read(project.path("execution_log.db")).expect("read");
    salvage(project, "execution_log.db", "lost.jsonl").code(1).says("6 rows").says("no record");
    cut.holds("lost.jsonl");
    assert_eq!(fs::read(project.path("execution_log.db")).expect("read"), before);
    // All stores of the project at once.
    let told = project.annals(["salvage", "--from-store", ".", "all.jsonl", "--json"]).code(1);
    assert_eq!(told.json()["stores"].as_array().expect("stores").len(), 3);
    cut.holds("all.jsonl");
    let of_index = lines(&project.path("all.jsonl"));
    assert_eq!(found_ids(&of(&of_index, "index.db", "executions")), cut.lost);
    // Outside of any project, by the journal that is named.
    let elsewhere = Project::empty();
    fs::copy(project.path("execution_log.db"), elsewhere.path("a.db")).expect("copied");
    let root = project.root().to_str().expect("a path");
    let named = elsewhere.annals(["--dir", root, "salvage", "--from-store", "a.db", "b.jsonl"]);
    named.code(1);
    fs::rename(elsewhere.path("b.jsonl"), project.path("copied.jsonl")).expect("moved");
    cut.holds("copied.jsonl");
    // Without a journal everything is all that there is.
    salvage(&elsewhere, "a.db", "c.jsonl").code(1).says("no journal");
    let all = lines(&elsewhere.path("c.jsonl"));
    assert_eq!(of(&all, "execution_log.db", "executions").len(), 7);

    project.annals(["repair"]).says("annals salvage --from-store");
    let aside = ".annals/quarantine/execution_log.db.";
    let kept = fs::read_dir(project.path(".annals/quarantine")).expect("a quarantine");
    let names: Vec<_> = kept.map(|entry| entry.expect("an entry").path()).collect();
    let kept = names.iter().find(|path| path.to_string_lossy().contains(aside)).expect("kept");
    salvage(project, kept.to_str().expect("a path"), "aside.jsonl").code(1);
    cut.holds("aside.jsonl");
    // What was set aside is among the project's; the new stores have nothing beyond the journal.
    call(project, 1);
    salvage(project, ".", "later.jsonl").code(1);
    cut.holds("later.jsonl");
    salvage(project, "execution_log.db", "none.jsonl").code(0).says("Nothing");
    assert!(!project.path("none.jsonl").exists());
    // Of a journal that is gone nothing is known.
    fs::remove_file(project.segment()).expect("removed");
    salvage(project, "execution_log.db", "gone.jsonl").code(1).says("no journal");
    assert_eq!(of(&lines(&project.path("gone.jsonl")), "execution_log.db", "executions").len(), 5);
}

#[test]
fn a_store_that_is_behind_or_whole_has_nothing_to_save() {
    let project = Project::new();
    (0..3).for_each(|number| call(&project, number));
    fs::copy(project.path("execution_log.db"), project.path("old.db")).expect("copied");
    fs::copy(project.path(".annals/index.db"), project.path("index-old.db")).expect("copied");
    (0..3).for_each(|number| call(&project, number));
    for from in ["old.db", "index-old.db", "execution_log.db", ".annals/index.db", "."] {
        salvage(&project, from, "out.jsonl").code(0).says("Nothing");
        assert!(!project.path("out.jsonl").exists(), "{from}");
    }
}

#[test]
fn a_row_that_was_changed_by_hand_is_told_with_what_differs() {
    let project = Project::new();
    (0..3).for_each(|number| call(&project, number));
    let log = Connection::open(project.path("execution_log.db")).expect("opened");
    log.execute("UPDATE executions SET exit_code = 9 WHERE rowid = 2", []).expect("changed");
    drop(log);
    salvage(&project, "execution_log.db", "out.jsonl").code(1).says("has otherwise");
    let found = lines(&project.path("out.jsonl"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["journal_has"], "another");
    assert_eq!(found[0]["differs_in"], serde_json::json!(["exit_code"]));
    assert_eq!(found[0]["row"]["exit_code"], 9);
}

#[test]
fn what_lies_in_a_wal_is_read_and_no_byte_is_written() {
    let project = Project::new();
    (0..2).for_each(|number| call(&project, number));
    let path = project.path("execution_log.db");
    // Whoever has it open keeps the others from putting their commits into it.
    let held = Connection::open(&path).expect("opened");
    let count = "SELECT count(*) FROM executions";
    held.query_row(count, [], |row| row.get::<_, i64>(0)).expect("read");
    let kept = fs::read(project.segment()).expect("a segment");
    call(&project, 2);
    fs::write(project.segment(), kept).expect("cut");
    let wal = project.path("execution_log.db-wal");
    let files = || (fs::read(&path).expect("read"), fs::read(&wal).expect("a -wal"));
    let before = files();
    assert!(!before.1.is_empty());
    salvage(&project, "execution_log.db", "out.jsonl").code(1);
    assert_eq!(files(), before);
    let found = lines(&project.path("out.jsonl"));
    assert_eq!(of(&found, "execution_log.db", "executions").len(), 1);
    drop(held);
}
