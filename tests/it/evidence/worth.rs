//! What a copy is worth: its stores are compared, its damage costs what is damaged.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::{Evidence, everything};

#[test]
fn stores_in_a_copy_are_compared_and_never_believed() {
    let evidence = Evidence::new();
    let verdicts = |folder: &Path, code| {
        let state = evidence.run(folder, "status --evidence --json").code(code).json();
        let found = state["found"].as_array().expect("a list").iter();
        found.map(|it| it["verdict"].as_str().expect("one").to_owned()).collect::<Vec<_>>()
    };
    let log = |folder: &Path| evidence.run(folder, "log --evidence --json").code(0).json();
    let truth = log(evidence.root());

    let forged = evidence.copy("forged");
    let database = rusqlite::Connection::open(forged.join("execution_log.db")).expect("opened");
    database.execute("UPDATE executions SET exit_code = 9 WHERE rowid = 2", []).expect("updated");
    drop(database);
    let database = rusqlite::Connection::open(forged.join(".annals/index.db")).expect("opened");
    database.execute("UPDATE executions SET outcome = 'ok'", []).expect("updated");
    drop(database);
    assert_eq!(verdicts(&forged, 1)[..2], ["differs", "differs"]);
    evidence.run(&forged, "status --evidence").code(1).says("DIFFERS");
    evidence.run(&forged, "rebuild --check --evidence").code(1).says("DIFFERS");
    assert_eq!(log(&forged), truth);

    let ruined = evidence.copy("ruined");
    fs::write(ruined.join("execution_log.db"), "no database").expect("written");
    fs::remove_file(ruined.join(".annals/index.db")).expect("removed");
    assert_eq!(verdicts(&ruined, 1)[..2], ["absent", "unreadable"]);
    assert_eq!(log(&ruined), truth);

    // Behind its journal, and with its last rows in a -wal that opening would put away.
    let reader = rusqlite::Connection::open(evidence.project.path("execution_log.db"));
    let reader = reader.expect("opened");
    reader.execute_batch("BEGIN; SELECT count(*) FROM executions;").expect("reading");
    evidence.record(4);
    let lagging = evidence.copy("lagging");
    assert!(fs::metadata(lagging.join("execution_log.db-wal")).expect("a -wal").len() > 0);
    evidence.record(5);
    for entry in fs::read_dir(evidence.project.path(".annals/journal")).expect("a journal") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let name = path.file_name().expect("a name");
            fs::copy(&path, lagging.join(".annals/journal").join(name)).expect("copied");
        }
    }
    let before = everything(&lagging);
    assert_eq!(verdicts(&lagging, 0)[..2], ["same", "same"]);
    assert_eq!(everything(&lagging), before);
    assert_eq!(log(&lagging).as_array().expect("a list").len(), 6);
}

#[test]
fn a_damaged_copy_gives_everything_that_is_whole() {
    let evidence = Evidence::new();
    let damaged = evidence.copy("damaged");
    let journal = damaged.join(".annals/journal");
    let place =
        annals::internal::journal::location::place(&journal, annals::internal::event::Sequence(7));
    let place = place.expect("readable").expect("there");
    let file = fs::File::options().read(true).write(true).open(&place.path).expect("opened");
    let mut byte = [0];
    file.read_exact_at(&mut byte, place.offset + 60).expect("read");
    file.write_all_at(&[byte[0] ^ 4], place.offset + 60).expect("written");
    let before = everything(&damaged);
    let whole = evidence.run(evidence.root(), "log --json").code(0).json();
    let left = evidence.run(&damaged, "log --json --evidence").code(3).json();
    let whole = whole.as_array().expect("a list").len();
    assert!(left.as_array().expect("a list").len() + 1 >= whole);
    evidence.run(&damaged, "verify --evidence").code(3).says("event @7");
    let state = evidence.run(&damaged, "status --evidence --json").code(3).json();
    assert!(state["counts"]["anomalies"].as_u64().expect("counted") > 0);
    assert_eq!(everything(&damaged), before);
    // The whole copy has the same journal, and the same last commit: its stores are others.
    let again = evidence.run(&evidence.copy("whole"), "log --json --evidence").code(0).json();
    assert_eq!(again.as_array().expect("a list").len(), whole);
}
