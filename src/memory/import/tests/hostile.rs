//! Files that nobody should trust.

use std::fs;
use std::path::Path;

use super::{MORE, Scene};
use crate::memory::store::foreign;

#[test]
fn a_file_that_contradicts_what_is_here_is_refused_whole() {
    let scene = Scene::new();
    let parents =
        "INSERT INTO branches VALUES ('root', NULL, 'n0', 1), ('child', 'root', 'n1', 2);";
    scene.import(&scene.made(parents)).unwrap();
    let events = scene.events();
    let other = "INSERT INTO branches VALUES ('new', NULL, 'n', 1), ('child', 'new', 'n1', 2);";
    let error = scene.import(&scene.made(other)).unwrap_err();
    assert!(error.contains("\"child\"") && error.contains("\"root\""), "{error}");
    assert_eq!(scene.events(), events);
}

#[test]
fn nothing_of_a_hostile_file_is_taken() {
    let scene = Scene::new();
    let fifo = scene.file("fifo");
    let made = make_fifo(&fifo);
    let garbage = scene.file("garbage");
    fs::write(&garbage, [7; 5_000]).unwrap();
    let empty = scene.file("empty");
    fs::write(&empty, "").unwrap();
    let cut = scene.file("cut");
    let whole = fs::read(scene.made(MORE)).unwrap();
    fs::write(&cut, &whole[..whole.len() / 3]).unwrap();
    let mut files = vec![
        (scene.file("none"), "cannot be opened"),
        (scene.folder.path().to_owned(), "cannot be opened"),
        (garbage, "cannot be read as a database"),
        (empty, "no branch memory"),
        (cut, ""),
    ];
    if made {
        files.push((fifo, "cannot be opened"));
    }
    for (file, why) in files {
        let error = scene.import(&file).unwrap_err();
        assert!(error.contains(why), "{file:?}: {error}");
    }
    let events = scene.events();
    let long = "x".repeat(300);
    let huge = foreign::VALUE_BYTES_MAX + 1;
    for (sql, why) in [
        (
            "DROP TABLE events; CREATE VIEW events AS SELECT 1 AS id, 2 AS branch_id, 3 AS kind, \
          4 AS text, 5 AS tags, 6 AS created_at"
                .to_owned(),
            "no branch memory",
        ),
        (
            "DROP TABLE archival; CREATE TABLE archival (id INTEGER PRIMARY KEY, branch_id TEXT, \
          text TEXT, tags TEXT AS (zeroblob(999999999)), created_at REAL)"
                .to_owned(),
            "no branch memory",
        ),
        ("DROP TABLE core_kv".to_owned(), "no branch memory"),
        (
            "INSERT INTO branches VALUES ('a', 'b', NULL, 1), ('b', 'a', NULL, 1)".to_owned(),
            "its own ancestor",
        ),
        ("INSERT INTO branches VALUES ('a', 'a', NULL, 1)".to_owned(), "its own ancestor"),
        ("INSERT INTO branches VALUES ('', NULL, NULL, 1)".to_owned(), "is empty"),
        (
            "INSERT INTO branches VALUES ('a' || char(10), NULL, NULL, 1)".to_owned(),
            "cannot be the name",
        ),
        (format!("INSERT INTO branches VALUES ('{long}', NULL, NULL, 1)"), "cannot be the name"),
        (
            "INSERT INTO events VALUES (-5, 'a', 'k', 't', '[]', 1, NULL, NULL)".to_owned(),
            "not above 0",
        ),
        (
            "INSERT INTO events VALUES (1, 'a', 'k', x'00', '[]', 1, NULL, NULL)".to_owned(),
            "no text",
        ),
        (
            "INSERT INTO events VALUES (1, NULL, 'k', 't', '[]', 1, NULL, NULL)".to_owned(),
            "is empty",
        ),
        (
            format!("INSERT INTO archival VALUES (1, 'a', printf('%.*c', {huge}, 'x'), '[]', 1)"),
            "cannot be read",
        ),
    ] {
        let error = scene.import(&scene.made(&sql)).unwrap_err();
        assert!(error.contains(why), "{sql}: {error}");
        assert_eq!(scene.events(), events, "{sql}");
    }
}

fn make_fifo(path: &Path) -> bool {
    let made = rustix::fs::mknodat(
        rustix::fs::CWD,
        path,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    );
    made.is_ok()
}
