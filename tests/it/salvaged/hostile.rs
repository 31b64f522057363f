//! What a stranger left in a store's place costs little, and is told.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::{calls_lost, lines, of, salvage};

#[test]
fn what_is_no_store_is_refused_and_a_link_is_followed_only_where_it_is_named() {
    let cut = calls_lost();
    let project = &cut.project;
    let began = Instant::now();
    project.write("text.db", "no database at all, and long enough to be looked at as one");
    salvage(project, "text.db", "out.jsonl").code(2);
    project.write("empty.db", "");
    salvage(project, "empty.db", "out.jsonl").code(2).says("no store of annals");
    let made = Command::new("mkfifo").arg(project.path("pipe.db")).status().expect("mkfifo runs");
    assert!(made.success());
    salvage(project, "pipe.db", "out.jsonl").code(2).says("a pipe");
    fs::create_dir(project.path("folder.db")).expect("made");
    salvage(project, "folder.db", "out.jsonl").code(2).says("no store of annals");
    salvage(project, "absent.db", "out.jsonl").code(5);
    // A link that a person names is where it leads to.
    symlink(project.path("execution_log.db"), project.path("link.db")).expect("linked");
    salvage(project, "link.db", "linked.jsonl").code(1);
    cut.holds("linked.jsonl");
    // One in a store's place is none of theirs.
    let elsewhere = project.path("elsewhere.db");
    fs::rename(project.path("execution_log.db"), &elsewhere).expect("moved");
    symlink(&elsewhere, project.path("execution_log.db")).expect("linked");
    salvage(project, ".", "all.jsonl").code(1).says("a symbolic link");
    assert!(of(&lines(&project.path("all.jsonl")), "execution_log.db", "executions").is_empty());
    assert!(!project.path("out.jsonl").exists());
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_file_that_is_there_is_never_written_over() {
    let cut = calls_lost();
    let project = &cut.project;
    project.write("mine.jsonl", "mine");
    symlink(project.path("nowhere"), project.path("leads.jsonl")).expect("linked");
    for to in ["mine.jsonl", "leads.jsonl", ".annals"] {
        salvage(project, "execution_log.db", to).code(2).says("is there already");
    }
    assert_eq!(fs::read_to_string(project.path("mine.jsonl")).expect("read"), "mine");
    assert!(!project.path("nowhere").exists());
    let left = fs::read_dir(project.root()).expect("listed");
    let left = left.filter(|entry| {
        let name = entry.as_ref().expect("an entry").file_name();
        name.to_string_lossy().ends_with(".tmp")
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn a_store_of_a_stranger_s_making_is_bounded() {
    let cut = calls_lost();
    let project = &cut.project;
    let path = project.path("forged.db");
    fs::copy(project.path("execution_log.db"), &path).expect("copied");
    let forged = Connection::open(&path).expect("opened");
    forged
        .execute_batch(
            "DROP TRIGGER IF EXISTS validate_timestamp; DROP TRIGGER IF EXISTS validate_json",
        )
        .expect("dropped");
    let insert = "INSERT INTO execution_artifacts (execution_id, artifact_type, content_json) \
                  SELECT id, 'stdout2', zeroblob(80000000) FROM executions LIMIT 1";
    let triggers: Vec<String> = forged
        .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        .and_then(|mut names| names.query_map([], |row| row.get(0))?.collect())
        .expect("listed");
    for name in triggers {
        forged.execute_batch(&format!("DROP TRIGGER \"{name}\"")).expect("dropped");
    }
    forged.execute(insert, []).expect("forged");
    // A terminal's escapes, in a row of its own.
    let words = "INSERT INTO executions (id, tool_name, arguments_json, timestamp, success) \
                 VALUES ('\u{1b}[31m\u{202e}id', 'x', '{}', 1, 1)";
    forged.execute(words, []).expect("forged");
    drop(forged);
    salvage(project, "forged.db", "out.jsonl").code(1);
    let text = fs::read_to_string(project.path("out.jsonl")).expect("read");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
    assert!(text.len() < 1 << 20, "{}", text.len());
    let found = lines(&project.path("out.jsonl"));
    let large = found.iter().find(|line| line["too_large"][0] == "content_json").expect("told");
    assert!(large["row"]["content_json"].is_null());
    assert_eq!(of(&found, "execution_log.db", "executions").len(), 4);

    // A view in a table's place, which never ends.
    let endless = Connection::open(project.path("endless.db")).expect("opened");
    let view = "CREATE TABLE execution_artifacts (id, execution_id, artifact_type, content_json); \
                CREATE VIEW executions AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL \
                SELECT id + 1 FROM n) SELECT id FROM n";
    endless.execute_batch(view).expect("made");
    drop(endless);
    let began = Instant::now();
    salvage(project, "endless.db", "endless.jsonl").code(2).says("no store of annals");
    // A column that is computed for ever.
    let computed = Connection::open(project.path("computed.db")).expect("opened");
    let column = "CREATE TABLE executions (id TEXT, x INT); \
                  CREATE TABLE execution_artifacts (id, execution_id, artifact_type, content_json); \
                  INSERT INTO executions WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL \
                  SELECT i + 1 FROM n LIMIT 1000) SELECT 'a' || i, i FROM n";
    computed.execute_batch(column).expect("made");
    let column = "ALTER TABLE executions ADD COLUMN \
                  tool_name TEXT AS (printf('%.*c', 60000000, x)) VIRTUAL";
    computed.execute_batch(column).expect("made");
    drop(computed);
    salvage(project, "computed.db", "computed.jsonl").code(1);
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    let written = fs::metadata(project.path("computed.jsonl")).expect("there").len();
    assert!(written < 1 << 30, "{written}");
}
