//! Stores whose tables somebody changed by hand, or whose pages a disk did.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::Connection;

use crate::project::Project;

const LOG: &str = "execution_log.db";
const REBUILT: &str = "rebuilt: execution_log.db: it did not hold what the journal says";
const ASIDE: &str = ".annals/quarantine";

fn scene() -> Project {
    let project = Project::new();
    for number in 0..3 {
        project.annals(["run", "--", "echo", &format!("line {number}")]).code(0);
    }
    project.annals(["run", "--", "false"]).code(1);
    project.annals(["status"]).code(0);
    project
}

fn change(project: &Project, sql: &str) {
    Connection::open(project.path(LOG)).expect("opened").execute_batch(sql).expect("changed");
}

fn aside(project: &Project) -> Vec<String> {
    let listed = fs::read_dir(project.path(ASIDE)).into_iter().flatten();
    let names =
        listed.map(|entry| entry.expect("listed").file_name().into_string().expect("a name"));
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn changed_tables_are_evidence_until_a_repair() {
    for sql in [
        "DROP TRIGGER validate_tool_name",
        "DROP TRIGGER validate_tool_name; UPDATE executions SET success = 1, exit_code = 0",
        "CREATE TABLE notes (text); INSERT INTO notes VALUES ('nowhere else')",
    ] {
        for look in ["status", "log", "record --tool file_read --outcome ok"] {
            let project = scene();
            change(&project, sql);
            let bytes = fs::read(project.path(LOG)).expect("read");
            let code = i32::from(!look.starts_with("record"));
            let told = project.annals(look.split(' ')).code(code).err();
            // Who only records leaves it to who asks.
            let is_told = told.contains("execution_log.db is kept as evidence");
            assert_eq!(is_told, code == 1, "{sql}: {look}: {told}");
            assert!(fs::read(project.path(LOG)).expect("read") == bytes, "{sql}: it was written");
            assert!(aside(&project).is_empty(), "{sql}: {look}");
            // The answer is the journal's.
            let log = project.annals(["log"]).code(1).out();
            assert!(log.contains("failed"), "{sql}: {log}");
            project.annals(["status"]).code(1).says("kept as evidence");
            project.annals(["repair", "--dry-run"]).code(1).says(REBUILT);
            project.annals(["repair"]).code(0).says(REBUILT);
            assert_eq!(aside(&project), ["execution_log.db.1.evidence"], "{sql}");
            assert_eq!(project.annals(["log"]).code(0).err(), "", "{sql}");
            project.annals(["status"]).code(0);
        }
    }
}

#[test]
fn the_same_evidence_is_kept_once() {
    let project = scene();
    let rewrite = |code: u32| {
        let sql =
            format!("DROP TRIGGER validate_tool_name; UPDATE executions SET exit_code = {code}");
        change(&project, &sql);
        project.annals(["repair"]).code(0);
        aside(&project).len()
    };
    // From then on it is rebuilt, to the same bytes each time.
    rewrite(9);
    let kept = rewrite(9);
    for _ in 0..3 {
        assert_eq!(rewrite(9), kept);
    }
    assert_eq!(rewrite(8), kept + 1);
}

#[test]
fn what_has_nothing_is_no_evidence() {
    let project = scene();
    for bytes in [0, 4096] {
        for left in ["", "-wal", "-shm"] {
            drop(fs::remove_file(project.path(&format!("{LOG}{left}"))));
        }
        fs::write(project.path(LOG), vec![0; bytes]).expect("written");
        project.annals(["log"]).code(0);
        assert!(aside(&project).iter().all(|name| !name.ends_with(".evidence")));
        project.annals(["repair", "--empty-quarantine"]);
        assert!(aside(&project).is_empty(), "{bytes}");
    }
}

#[test]
fn folders_that_are_changed_again_and_again_are_set_aside_so_often_unasked() {
    let project = scene();
    project.annals(["memory", "fork", "root"]).code(0);
    fs::write(project.path(".annals/config.toml"), "[quarantine]\nfiles_max = 3\n")
        .expect("written");
    let calls = project.path(".annals/memory/memory_calls.jsonl");
    for number in 0..8 {
        fs::write(&calls, format!("changed {number}\n")).expect("written");
        project.annals(["memory", "set", "root", "key", &number.to_string()]);
    }
    assert_eq!(aside(&project).len(), 3, "{:?}", aside(&project));
    project.annals(["log"]).code(1).says("kept as evidence");
    assert_eq!(fs::read_to_string(&calls).expect("read"), "changed 7\n");
    project.annals(["repair"]).code(0);
    assert_eq!(aside(&project).len(), 4, "whoever asks for it has it");
    project.annals(["status"]).code(0);
}

/// One bit after the other of the page that has the tables, as a disk flips it.
#[test]
fn a_page_that_a_disk_changed_is_told_by_status() {
    let whole = scene();
    whole.annals(["status"]).code(0);
    let bytes = fs::read(whole.path(LOG)).expect("read");
    let text = b"CREATE TABLE executions";
    let at = bytes.windows(text.len()).position(|it| it == text).expect("a schema");
    for at in [3, 100, 103, at + 3, at + 25, at + 60] {
        let project = Project::empty();
        let copied = std::process::Command::new("cp")
            .args(["-a", &format!("{}/.", whole.root().display())])
            .arg(project.root())
            .status();
        assert!(copied.expect("cp runs").success());
        project.annals(["status"]).code(0);
        let file = fs::OpenOptions::new().write(true).open(project.path(LOG)).expect("opened");
        file.write_all_at(&[bytes[at] ^ 1], at as u64).expect("flipped");
        let told = project.annals(["status"]).code(1);
        assert!(told.err().contains("execution_log.db"), "{at}: {}", told.err());
        project.annals(["repair"]);
        project.annals(["status"]).code(0);
        project.annals(["rebuild", "--check"]).code(0);
    }
}

/// The roots of a store's indexes, and the bytes of a page.
fn index_roots(store: &Path) -> (Vec<u64>, u64) {
    let conn = Connection::open(store).expect("opened");
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("in one file");
    let bytes = conn.query_row("PRAGMA page_size", [], |row| row.get(0)).expect("a size");
    let sql = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND rootpage > 0";
    let mut roots = conn.prepare(sql).expect("a statement");
    let roots = roots.query_map([], |row| row.get(0)).expect("asked");
    (roots.map(|root| root.expect("a page")).collect(), bytes)
}

/// Makes every index of a store find nothing, as a lost write does: an empty page in its root's place.
fn empty_indexes(store: &Path) {
    let (roots, bytes) = index_roots(store);
    assert!(!roots.is_empty());
    let file = fs::OpenOptions::new().write(true).open(store).expect("opened");
    for root in roots {
        let mut page = vec![0; usize::try_from(bytes).expect("small")];
        // An index's leaf with no cells; its content begins where the page ends.
        page[0] = 0x0a;
        page[5..7].copy_from_slice(&u16::try_from(bytes).expect("small").to_be_bytes());
        file.write_all_at(&page, (root - 1) * bytes).expect("written");
    }
}

#[test]
fn rows_that_are_right_and_found_by_nothing_are_told_and_repaired() {
    for store in [LOG, ".annals/index.db"] {
        for first in ["status", "rebuild --check", "repair --dry-run"] {
            let project = scene();
            project.annals(["status"]).code(0);
            empty_indexes(&project.path(store));
            let told = project.annals(first.split(' ')).code(1);
            let told = told.out() + &told.err();
            let name = Path::new(store).file_name().expect("a name").to_str().expect("text");
            assert!(told.contains(name), "{store}: {first}: {told}");
            project.annals(["repair"]).code(0);
            project.annals(["status"]).code(0);
            project.annals(["rebuild", "--check"]).code(0);
        }
    }
}

#[test]
fn a_call_is_known_though_the_index_does_not_find_it() {
    let project = scene();
    let id = "0193a5b2-7c1e-7f00-8a00-0000000000bb";
    let line = format!(r#"{{"tool":"file_read","arguments":{{"path":"a"}},"execution":"{id}"}}"#);
    let record = || {
        let mut command = project.command();
        crate::project::Ran::of(command.arg("record").write_stdin(line.clone())).out()
    };
    let first = record();
    assert!(first.contains("\"ok\":true") && !first.contains("\"duplicate\":true"), "{first}");
    empty_indexes(&project.path(".annals/index.db"));
    let again = record();
    assert!(again.contains("\"duplicate\":true"), "{again}");
}
