//! Stores that another version of annals made: out of date, and no evidence of anything.

use std::path::Path;
use std::process::Command;

use rusqlite::Connection;

use crate::project::Project;

const LOG: &str = "execution_log.db";
const INDEX: &str = ".annals/index.db";
const MEMORY: &str = ".annals/memory.db";
const STATE: &str = ".annals/state.db";

/// A project with every store that has a number.
fn scene() -> Project {
    let project = Project::new();
    project.annals(["run", "--", "false"]).code(1);
    project.annals(["memory", "fork", "root"]).code(0);
    project.annals(["memory", "set", "root", "key", "value"]).code(0);
    project.annals(["memory", "kv", "put", "root", "key", "1", "--namespace", "space"]).code(0);
    project.annals(["status"]).code(0);
    project
}

fn change(store: &Path, sql: &str) {
    Connection::open(store).expect("opened").execute_batch(sql).expect("changed");
}

/// As `cp -r` makes one: stamps are of other files then.
fn copy_of(project: &Project) -> Project {
    let copy = Project::empty();
    let of = format!("{}/.", project.root().display());
    let copied = Command::new("cp").args(["-r", &of]).arg(copy.root()).status();
    assert!(copied.expect("cp runs").success());
    copy
}

#[test]
fn what_another_version_made_is_built_anew_and_accuses_nobody() {
    for (store, was) in [
        (INDEX, "DROP INDEX executions_session; PRAGMA user_version = 0"),
        (INDEX, "ALTER TABLE executions ADD COLUMN later; PRAGMA user_version = 7"),
        (LOG, "DROP INDEX idx_executions_tool; PRAGMA user_version = 0"),
        (MEMORY, "DROP INDEX idx_events_branch; PRAGMA user_version = 0"),
        (STATE, "DROP INDEX kv_key; PRAGMA user_version = 0"),
    ] {
        let project = scene();
        change(&project.path(store), was);
        let copy = copy_of(&project);
        let name = Path::new(store).file_name().expect("a name").to_str().expect("text");
        for place in [&copy, &project] {
            let text = "another version of annals made it: out of date";
            // The log's tables are part of what it is compared by.
            if store != LOG {
                place.annals(["--evidence", "status"]).code(0).says(text);
            }
            let told = place.annals(["status"]).code(0).err();
            let expect = format!("{name} was rebuilt: another version of annals had made it");
            assert!(told.contains(&expect) && told.lines().count() == 1, "{was}: {told}");
            assert_eq!(place.annals(["log"]).code(0).err(), "", "{was}");
            place.annals(["rebuild", "--check"]).code(0);
        }
    }
}

#[test]
fn what_this_version_made_stays_evidence_where_it_was_changed() {
    for was in [
        "DROP INDEX executions_session",
        "ALTER TABLE executions ADD COLUMN later",
        "UPDATE executions SET outcome = 'ok'",
    ] {
        let project = scene();
        change(&project.path(INDEX), was);
        for place in [&copy_of(&project), &project] {
            let told = place.annals(["log"]).code(1);
            assert!(told.err().contains("index.db is kept as evidence"), "{was}: {}", told.err());
            assert!(told.out().contains("failed"), "{was}: {}", told.out());
        }
    }
}

#[test]
fn tables_that_are_right_are_of_whichever_version_had_them() {
    let project = scene();
    for store in [INDEX, LOG, MEMORY] {
        change(&project.path(store), "PRAGMA user_version = 0");
    }
    let copy = copy_of(&project);
    assert_eq!(copy.annals(["status"]).code(0).err(), "");
}
