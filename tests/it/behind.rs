//! Who records leaves the stores behind; who asks finds them caught up.

use rusqlite::Connection;

use crate::project::Project;

fn rows(project: &Project) -> i64 {
    let log = Connection::open(project.path("execution_log.db")).expect("opened");
    log.query_row("SELECT count(*) FROM executions", [], |row| row.get(0)).expect("counted")
}

#[test]
fn a_run_leaves_the_stores_behind_until_somebody_asks() {
    let project = Project::new();
    project.annals(["run", "--", "true"]).code(0);
    project.annals(["run", "--", "true"]).code(0);
    assert_eq!(rows(&project), 0);
    project.annals(["log"]).code(0).says("true");
    assert_eq!(rows(&project), 2);
    // The session was told once, with the end of its first call.
    let events = project.annals(["export", "jsonl"]).code(0).out();
    assert_eq!(events.matches("\"SessionStarted\"").count(), 1, "{events}");
}

#[test]
fn stores_that_are_far_behind_are_caught_up_by_who_records() {
    let project = Project::new();
    // Each print is another one: what repeats is kept once.
    for number in 0..9 {
        let print = format!("head -c 150000 /dev/urandom | base64 -w 0; echo {number}");
        project.annals(["run", "--", "sh", "-c", &print]).code(0);
    }
    let behind = 9 - rows(&project);
    assert!((1..9).contains(&behind), "{behind} of 9 calls are behind");
}

#[test]
fn a_print_that_repeats_is_kept_once_whether_the_index_knows_of_it_or_not() {
    let project = Project::new();
    for _ in 0..3 {
        project.annals(["run", "--", "seq", "5000"]).code(0);
    }
    let events = project.annals(["export", "jsonl"]).code(0).out();
    assert_eq!(events.matches("\"repeats\":4").count(), 2, "{events}");
}
