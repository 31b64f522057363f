//! What each event of memory writes down.

mod recall;

use rusqlite::Connection;
use rusqlite::types::Value;

use super::*;
use crate::event::{
    ArchivalUpdated, ArchivalWritten, Body, BranchForked, CoreDeleted, CoreEvicted, CoreSet,
    Envelope, Event, EvictionCause, Importance, ImportanceEvaluated, MemoryDoor, MemoryOrigin,
    RecallAppended, Sequence, Source,
};

const NOW_MS: u64 = 1_700_000_000_000;

struct Written {
    _dir: tempfile::TempDir,
    projector: Memory,
    sequence: u64,
}

impl Written {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.db");
        Box::new(Memory::create(&path).unwrap()).finish().unwrap();
        let mut projector = Memory::open(&path).unwrap();
        projector.begin().unwrap();
        Self { _dir: dir, projector, sequence: 0 }
    }

    /// Each a second after the one before.
    fn put(&mut self, body: Body) -> &mut Self {
        self.sequence += 1;
        let at_ms = NOW_MS + self.sequence * 1_000 + 250;
        let event = Event { envelope: Envelope::new(None, Source::Annals, at_ms), body };
        let sequence = Sequence(self.sequence);
        self.projector.apply(&Recorded { sequence, recorded_ms: at_ms, event }, None).unwrap();
        self
    }

    /// A table's rows, without their time's first eight digits: `a|k|v|02.25`.
    fn rows(&self, sql: &str) -> Vec<String> {
        let text = |value: Value| match value {
            Value::Null => "NULL".to_owned(),
            Value::Real(at) => format!("{:.2}", at - 1_700_000_000.0),
            Value::Integer(number) => number.to_string(),
            Value::Text(text) => text,
            Value::Blob(bytes) => format!("{bytes:?}"),
        };
        let row = |row: &rusqlite::Row<'_>| {
            let columns = row.as_ref().column_count();
            let texts: rusqlite::Result<Vec<String>> =
                (0..columns).map(|at| row.get(at).map(text)).collect();
            Ok(texts?.join("|"))
        };
        self.projector.view().rows(sql, [], row).unwrap()
    }

    fn anomalies(&mut self) -> Vec<String> {
        let told = |anomaly: Anomaly| format!("@{} {}", anomaly.sequence.0, anomaly.message);
        self.projector.take_anomalies().into_iter().map(told).collect()
    }
}

fn origin() -> MemoryOrigin {
    MemoryOrigin::by(MemoryDoor::Api)
}

fn fork(branch: &str, parent: Option<&str>) -> Body {
    Body::BranchForked(BranchForked {
        branch: branch.to_owned(),
        parent: parent.map(str::to_owned),
        node: Some(format!("node-{branch}")),
        auto_created: false,
        copied_from: None,
        origin: origin(),
    })
}

fn set(branch: &str, key: &str, value: &str, ttl: Option<&str>) -> Body {
    Body::CoreSet(CoreSet {
        branch: branch.to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
        importance: 3,
        ttl: ttl.map(str::to_owned),
        origin: origin(),
    })
}

fn append(id: u64, branch: &str) -> Body {
    Body::RecallAppended(RecallAppended {
        id,
        branch: branch.to_owned(),
        kind: "note".to_owned(),
        text: format!("event {id}"),
        tags: vec!["RECALL_EVENT".to_owned(), "kind:é".to_owned()],
        task_hint: (id == 1).then(|| "draft".to_owned()),
        memory_size: (id == 1).then_some(u64::MAX),
        origin: origin(),
    })
}

fn write(id: u64, branch: &str) -> Body {
    Body::ArchivalWritten(ArchivalWritten {
        id,
        branch: branch.to_owned(),
        text: format!("record {id}"),
        tags: vec!["A".to_owned(), "B".to_owned()],
        whole: None,
        origin: origin(),
    })
}

#[test]
fn branches_and_core_have_the_rows_of_the_contract() {
    let mut written = Written::new();
    let (branch, key) = ("a".to_owned(), "k".to_owned());
    written.put(fork("root", None)).put(fork("a", Some("root")));
    written.put(set("a", "k", "v", Some("60"))).put(set("a", "other", "x", None));
    let item = |key: &str| Importance { key: key.to_owned(), score: 5, reason: String::new() };
    written.put(Body::ImportanceEvaluated(ImportanceEvaluated {
        branch: branch.clone(),
        task_hint: None,
        items: vec![item("k"), item("gone")],
        origin: origin(),
    }));
    let sql = "SELECT * FROM branches ORDER BY id";
    assert_eq!(written.rows(sql), ["a|root|node-a|2.25", "root|NULL|node-root|1.25"]);
    let core = "SELECT * FROM core_kv ORDER BY key";
    let meta = "SELECT * FROM core_meta ORDER BY key";
    assert_eq!(written.rows(core), ["a|k|v|3.25", "a|other|x|4.25"]);
    // Time to live counts from the value's own time, which being judged does not move.
    assert_eq!(written.rows(meta), ["a|k|5|60|3.25", "a|other|3|NULL|4.25"]);
    assert_eq!(written.anomalies(), ["@5 the branch \"a\" has no value of \"gone\""]);

    // A tombstone hides what is inherited, also of a key that the branch never had.
    let reason = "asked for".to_owned();
    let deleted = CoreDeleted { branch: branch.clone(), key, reason, origin: origin() };
    written.put(Body::CoreDeleted(deleted));
    let (key, record, importance, cause) = ("never".to_owned(), 9, 3, EvictionCause::Budget);
    let evicted = CoreEvicted { branch, key, record, importance, cause, origin: origin() };
    written.put(Body::CoreEvicted(evicted));
    assert_eq!(written.rows(core), ["a|k|NULL|6.25", "a|never|NULL|7.25", "a|other|x|4.25"]);
    assert_eq!(written.rows(meta), ["a|other|3|NULL|4.25"]);
    written.put(set("a", "k", "again", None));
    assert_eq!(written.rows(core)[0], "a|k|again|8.25");
    assert_eq!(written.anomalies(), [""; 0]);
}

#[test]
fn records_and_what_is_found_of_them_are_kept_equal() {
    let mut written = Written::new();
    written.put(fork("root", None)).put(fork("a", Some("root")));
    written.put(write(7, "root")).put(write(8, "a")).put(write(7, "a"));
    let message = "@5 the record 7 is there already; it stays as it was";
    assert_eq!(written.anomalies(), [message]);
    let records = "SELECT * FROM archival ORDER BY id";
    let found = "SELECT rowid, * FROM archival_fts ORDER BY rowid";
    let rows = [
        r#"7|root|record 7|["A", "B"]|3.25"#.to_owned(),
        r#"8|a|record 8|["A", "B"]|4.25"#.to_owned(),
    ];
    assert_eq!(written.rows(records), rows);
    let update = |id, branch: &str, text: Option<&str>, tags: Option<&[&str]>| {
        Body::ArchivalUpdated(ArchivalUpdated {
            id,
            branch: branch.to_owned(),
            text: text.map(str::to_owned),
            tags: tags.map(|tags| tags.iter().map(|tag| (*tag).to_owned()).collect()),
            whole: None,
            origin: origin(),
        })
    };
    written.put(update(8, "a", Some("changed"), None));
    written.put(update(7, "root", None, Some(&["C"])));
    written.put(update(7, "a", Some("stolen"), None)).put(update(9, "a", Some("none"), None));
    assert_eq!(
        written.anomalies(),
        [
            "@8 the record 7 is \"root\"'s, not \"a\"'s; nothing was changed",
            "@9 there is no record 9; nothing was changed"
        ]
    );
    let rows =
        [r#"7|root|record 7|["C"]|3.25"#.to_owned(), r#"8|a|changed|["A", "B"]|4.25"#.to_owned()];
    assert_eq!(written.rows(records), rows);
    assert_eq!(written.rows(found), [r#"7|record 7|["C"]|root"#, r#"8|changed|["A", "B"]|a"#]);
    let search = |word: &str| {
        let sql = format!("SELECT rowid FROM archival_fts WHERE archival_fts MATCH '{word}'");
        written.rows(&sql)
    };
    assert_eq!(
        (search("changed"), search("record"), search("B")),
        (vec!["8".into()], vec!["7".into()], vec!["8".into()])
    );
}

#[test]
fn a_branch_whose_beginning_is_lost_stands_as_a_root() {
    let mut written = Written::new();
    written.put(set("lost", "k", "v", None)).put(fork("child", Some("gone")));
    written.put(append(1, "lost")).put(fork("lost", None));
    assert_eq!(
        written.anomalies(),
        [
            "@1 how the branch \"lost\" began is not known; it stands as a root",
            "@2 how the branch \"gone\" began is not known; it stands as a root",
            "@4 the branch \"lost\" is there already; it stays as it was",
        ]
    );
    let sql = "SELECT id, parent_id FROM branches ORDER BY id";
    assert_eq!(written.rows(sql), ["child|gone", "gone|NULL", "lost|NULL"]);
}

#[test]
fn the_last_time_is_that_of_what_happened_here() {
    let mut written = Written::new();
    written.put(fork("root", None));
    let mut imported = append(1, "root");
    if let Body::RecallAppended(appended) = &mut imported {
        appended.origin.by = MemoryDoor::Import;
    }
    written.sequence = 1_000_000;
    written.put(imported);
    assert_eq!(written.projector.view().last_ms().unwrap(), NOW_MS + 1_250);
    let path = written.projector.conn.path().to_owned();
    let position = Position { journal: [1; 16], sequence: 2, chain: [2; 32] };
    written.projector.commit(position).unwrap();
    let conn = Connection::open(path).unwrap();
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'annals.last_ms'";
    let last: u64 = conn.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(last, NOW_MS + 1_250);
}
