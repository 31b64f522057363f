//! What is set aside has a bound, and what may be nowhere else outlasts it.

use std::collections::BTreeSet;
use std::fs;

use crate::project::Project;

fn names(project: &Project, folder: &str) -> BTreeSet<String> {
    let listed = fs::read_dir(project.path(folder)).into_iter().flatten();
    listed.map(|entry| entry.expect("listed").file_name().to_string_lossy().into_owned()).collect()
}

fn of(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

const ASIDE: &str = ".annals/quarantine";

#[test]
fn the_oldest_replaced_stores_go_and_evidence_stays() {
    let project = Project::new();
    for number in 0..3 {
        project.annals(["run", "--", "sh", "-c", &format!("echo {number}")]).code(0);
    }
    project.annals(["status"]).code(0);
    let config = project.path(".annals/config.toml");
    let bounded = |files: u64, bytes: u64| {
        let text = format!("[quarantine]\nfiles_max = {files}\nbytes_max = {bytes}\n");
        fs::write(&config, text).expect("written");
    };
    bounded(3, 1 << 20);
    // Evidence is the oldest of all.
    let database = rusqlite::Connection::open(project.path("execution_log.db")).expect("opened");
    database.execute("UPDATE executions SET exit_code = 9 WHERE rowid = 2", []).expect("updated");
    drop(database);
    project.annals(["repair"]).code(0).says("of evidence, which stays");
    assert_eq!(names(&project, ASIDE), of(&["execution_log.db.1.evidence"]));
    // So is what a person put in a store's place.
    drop(fs::remove_file(project.path("execution_log.db")));
    fs::create_dir(project.path("execution_log.db")).expect("made");
    project.write("execution_log.db/mine.txt", "a person's own");
    project.annals(["rebuild", "execution_log"]).code(0);
    let evidence = of(&["execution_log.db.1.evidence", "execution_log.db.2.evidence"]);
    assert_eq!(names(&project, ASIDE), evidence);

    let ruin = |bytes: usize| {
        for left in ["execution_log.db", "execution_log.db-wal", "execution_log.db-shm"] {
            drop(fs::remove_file(project.path(left)));
        }
        fs::write(project.path("execution_log.db"), vec![b'x'; bytes]).expect("written");
        project.annals(["log"]).code(0);
    };
    (0..6).for_each(|_| ruin(1000));
    let last = ["execution_log.db.6", "execution_log.db.7", "execution_log.db.8"];
    assert_eq!(names(&project, ASIDE), &evidence | &of(&last));
    let aside = project.annals(["status", "--json"]).code(0).json()["quarantine"].clone();
    assert_eq!((&aside["files"], &aside["bytes"]), (&3.into(), &3000.into()));
    assert_eq!(aside["evidence_files"], 2);
    project.annals(["status"]).code(0).says("3 files of replaced stores").says("kept as evidence");

    bounded(3, 2500);
    ruin(1000);
    let last = ["execution_log.db.8", "execution_log.db.9"];
    assert_eq!(names(&project, ASIDE), &evidence | &of(&last));

    // What was cut from the journal is not the stores' to drop.
    fs::create_dir_all(project.path(".annals/journal/quarantine")).expect("made");
    project.write(".annals/journal/quarantine/0000000000-000000000512-0.bin", "cut");
    let words = ["repair", "--empty-quarantine"];
    let dry = project.annals([words[0], words[1], "--dry-run"]).code(1);
    dry.says("would be quarantine emptied: 2 files");
    assert_eq!(names(&project, ASIDE), &evidence | &of(&last));
    project
        .annals(words)
        .code(0)
        .says("quarantine emptied")
        .says("cut from the journal, which stay");
    assert_eq!(names(&project, ASIDE), evidence);
    assert_eq!(names(&project, ".annals/journal/quarantine").len(), 1);
    project.annals(words).code(0).says("Nothing to repair");
}
