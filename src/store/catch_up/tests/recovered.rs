//! `memory.db` through what befalls a store: not there yet, restored, killed in between, in the way.

use std::fs;

use rusqlite::Connection;

use super::history::{NOW_MS, declared, event};
use super::{caught_up, digests, places, rebuilt, set_aside};
use crate::event::{
    ArchivalUpdated, ArchivalWritten, Body, BranchForked, CoreSet, Event, MemoryDoor, MemoryOrigin,
};
use crate::execution::query::Stores;
use crate::memory::store::Memory;
use crate::store::catch_up::tests::catch_up_by;
use crate::store::catch_up::{RebuildReason, catch_up};
use crate::store::feed::memory::MemoryFeed;
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{AnomalyKind, Position, Projector, Rows, StoreName, StorePlaces, store_status};

fn origin() -> MemoryOrigin {
    MemoryOrigin::by(MemoryDoor::Api)
}

fn of_memory(body: Body) -> Event {
    event(NOW_MS, Some(1), body)
}

fn other() -> Vec<Event> {
    vec![event(NOW_MS, Some(1), declared(&["bash_exec"]))]
}

fn fork(branch: &str, parent: Option<&str>) -> Event {
    of_memory(Body::BranchForked(BranchForked {
        branch: branch.to_owned(),
        parent: parent.map(str::to_owned),
        node: None,
        auto_created: false,
        copied_from: None,
        origin: origin(),
    }))
}

fn set(branch: &str, key: &str, value: &str) -> Event {
    of_memory(Body::CoreSet(CoreSet {
        branch: branch.to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
        importance: 3,
        ttl: None,
        origin: origin(),
    }))
}

fn write(id: u64, branch: &str, text: &str) -> Event {
    of_memory(Body::ArchivalWritten(ArchivalWritten {
        id,
        branch: branch.to_owned(),
        text: text.to_owned(),
        tags: vec!["T".to_owned()],
        whole: None,
        origin: origin(),
    }))
}

fn update(id: u64, branch: &str, text: &str) -> Event {
    of_memory(Body::ArchivalUpdated(ArchivalUpdated {
        id,
        branch: branch.to_owned(),
        text: Some(text.to_owned()),
        tags: None,
        whole: None,
        origin: origin(),
    }))
}

/// Commits without memory, ten of memory each in its own, and others behind.
fn history() -> MemoryFeed {
    let mut feed = MemoryFeed::new(1);
    (0..5).for_each(|_| feed.commit(other()));
    feed.commit(vec![fork("root", None), set("root", "k", "v")]);
    for id in 1..10 {
        feed.commit(vec![write(id, "root", &format!("text {id}")), set("root", "k", "w")]);
        feed.commit(other());
    }
    feed
}

fn position(places: &StorePlaces) -> Option<u64> {
    let reader = Stores::open(places).unwrap().memory().unwrap()?;
    reader.cursor().unwrap().map(|cursor| cursor.position.sequence)
}

fn as_rebuilt(places: &StorePlaces, feed: &MemoryFeed) {
    let folder = tempfile::tempdir().unwrap();
    let anew = super::places(folder.path());
    rebuilt(&anew, feed);
    assert_eq!(digests(places), digests(&anew));
}

fn reason(places: &StorePlaces, feed: &MemoryFeed) -> Option<RebuildReason> {
    drop(fs::remove_dir_all(&places.quarantine));
    let report = catch_up(places, feed);
    let memory = report.stores.iter().find(|store| store.store == StoreName::MEMORY).unwrap();
    if memory.outcome.as_ref().is_err_and(|error| error.evidence().is_some()) {
        return set_aside(places, feed, StoreName::MEMORY);
    }
    memory.outcome.as_ref().unwrap().rebuilt
}

#[test]
fn it_is_made_with_the_first_event_and_stands_at_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    for commits in 0..=feed.commits.len() {
        let shown = feed.up_to(commits);
        caught_up(&places, &shown);
        assert_eq!(places.memory().exists(), commits > 5, "{commits}");
        let told = store_status(&places, &shown).unwrap();
        assert_eq!(told.iter().any(|it| it.store == StoreName::MEMORY), commits > 5);
        assert!(told.iter().all(|it| it.lag_events == Some(0) && it.problem.is_none()), "{told:?}");
        as_rebuilt(&places, &shown);
    }
    let last = feed.commits[feed.commits.len() - 2];
    assert_eq!(position(&places), Some(last.sequence.0), "what came behind moves nothing");
    // Nothing was read for it that another store did not need.
    let report = catch_up(&places, &feed);
    assert!(report.stores.iter().all(|store| store.outcome.as_ref().unwrap().events == 0));
}

#[test]
fn a_check_holds_it_to_the_journal_wherever_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    caught_up(&places, &feed.up_to(9));
    for mode in [RebuildMode::Check, RebuildMode::Replace] {
        let report = rebuild(&places, &feed.up_to(9), &[StoreName::MEMORY], mode).unwrap();
        assert_eq!(report.stores.len(), 1);
        assert_eq!(report.stores[0].same, Some(true), "{report:?}");
        assert_eq!(report.stores[0].quarantined, None);
    }
    caught_up(&places, &feed);
    let report = rebuild(&places, &feed, &[], RebuildMode::Check).unwrap();
    assert!(!report.differs(), "{report:?}");
    for wound in [
        "UPDATE core_kv SET value = 'forged'",
        "UPDATE archival SET text = 'forged' WHERE id = 2",
        "UPDATE archival_fts SET text = 'forged' WHERE rowid = 2",
        "DELETE FROM branches",
        "UPDATE sqlite_sequence SET seq = 99 WHERE name = 'archival'",
        "UPDATE sqlite_sequence SET seq = 99 WHERE name = 'annals.last_ms'",
    ] {
        Connection::open(places.memory()).unwrap().execute_batch(wound).unwrap();
        let report = rebuild(&places, &feed, &[], RebuildMode::Check).unwrap();
        assert!(report.differs(), "{wound}");
        let report = rebuild(&places, &feed, &[StoreName::MEMORY], RebuildMode::Replace).unwrap();
        assert!(report.stores[0].quarantined.is_some(), "{wound}");
        as_rebuilt(&places, &feed);
    }
}

#[test]
fn what_cannot_be_resumed_is_built_anew_and_what_can_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    caught_up(&places, &feed.up_to(12));
    let backup = folder.path().join("backup.db");
    fs::copy(places.memory(), &backup).unwrap();
    caught_up(&places, &feed);
    let rows = |sql: &str| Connection::open(places.memory()).unwrap().execute_batch(sql).unwrap();
    let cases: [(&str, Option<RebuildReason>, &dyn Fn()); 8] = [
        ("an old backup", None, &|| {
            fs::copy(&backup, places.memory()).map(drop).unwrap();
        }),
        ("gone", Some(RebuildReason::Missing), &|| fs::remove_file(places.memory()).unwrap()),
        ("no database", Some(RebuildReason::Unreadable), &|| {
            fs::write(places.memory(), "no database".repeat(99)).unwrap();
        }),
        ("another table", Some(RebuildReason::ContentDiffers), &|| rows("CREATE TABLE t (x)")),
        ("no cursor", Some(RebuildReason::NoCursor), &|| {
            rows("DELETE FROM sqlite_sequence WHERE name LIKE 'annals:%'");
        }),
        ("a row gone", Some(RebuildReason::RowsDiffer), &|| {
            rows("DELETE FROM archival WHERE id = 9");
        }),
        ("ahead", Some(RebuildReason::Ahead), &|| {
            rows("UPDATE sqlite_sequence SET seq = 999 WHERE name LIKE 'annals:%'");
        }),
        ("of another journal", Some(RebuildReason::OtherJournal), &|| {
            let elsewhere = tempfile::tempdir().unwrap();
            let theirs = super::places(elsewhere.path());
            caught_up(&theirs, &MemoryFeed { journal: [9; 16], ..feed.clone() });
            fs::copy(theirs.memory(), places.memory()).map(drop).unwrap();
        }),
    ];
    for (name, expected, wound) in cases {
        wound();
        for suffix in ["-wal", "-shm"] {
            // The wound is in the file itself.
            drop(fs::remove_file(folder.path().join(".annals").join(format!("memory.db{suffix}"))));
        }
        assert_eq!(reason(&places, &feed), expected, "{name}");
        as_rebuilt(&places, &feed);
    }
}

#[test]
fn one_that_nothing_in_the_journal_bears_out_is_taken_away_and_an_empty_one_left() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    caught_up(&places, &feed);
    // As if the journal had been cut, or the store copied from elsewhere.
    let mut bare = MemoryFeed::new(1);
    (0..40).for_each(|_| bare.commit(other()));
    // Only memory's own standing is asked here.
    rebuild(&places, &bare, &[StoreName::INDEX], RebuildMode::Replace).unwrap();
    rebuild(&places, &bare, &[StoreName::EXECUTION_LOG], RebuildMode::Replace).unwrap();
    let outcome = |report: &crate::store::catch_up::CatchUpReport| {
        let found = report.stores.iter().find(|store| store.store == StoreName::MEMORY);
        found.map(|store| store.outcome.as_ref().unwrap().rebuilt)
    };
    let reason = set_aside(&places, &bare, StoreName::MEMORY);
    assert_eq!(reason, Some(RebuildReason::ChainDiffers));
    assert!(!places.memory().exists());
    assert_eq!(outcome(&catch_up(&places, &bare)), None);

    let mut memory = Memory::create(places.memory()).unwrap();
    memory.begin().unwrap();
    assert_eq!(memory.found_rows().unwrap(), Rows::default());
    let mark = bare.commits[3];
    let at = Position { journal: [1; 16], sequence: mark.sequence.0, chain: mark.chain };
    memory.commit(at).unwrap();
    Box::new(memory).finish().unwrap();
    assert_eq!(outcome(&catch_up(&places, &bare)), Some(None), "somebody is about to write");
    assert!(places.memory().exists());
}

#[test]
fn killed_between_any_two_transactions_it_catches_up_to_the_same() {
    let feed = history();
    let folder = tempfile::tempdir().unwrap();
    let live = places(folder.path());
    for commits in 6..=feed.commits.len() {
        // Half of what there is, in transactions of one commit; then somebody else goes on.
        drop(catch_up_by(&live, &feed.up_to(commits), 1));
        let mut memory = Memory::open(live.memory()).unwrap();
        memory.begin().unwrap();
        memory.bury_core("root", "k", 1.0).unwrap();
        drop(memory);
        as_rebuilt(&live, &feed.up_to(commits));
    }
}

#[test]
fn what_cannot_be_applied_is_an_anomaly_and_changes_nothing() {
    let root = || vec![fork("root", None), write(1, "root", "one")];
    let cases: [(&str, Vec<Event>, &[AnomalyKind], &str); 8] = [
        ("a fork twice", vec![fork("root", None)], &[AnomalyKind::Contradiction], "@3"),
        ("its own parent", vec![fork("a", Some("a"))], &[AnomalyKind::Contradiction], "@3"),
        ("a parent unknown", vec![fork("a", Some("b"))], &[AnomalyKind::UnknownBranch], "b"),
        ("a branch unknown", vec![set("b", "k", "v")], &[AnomalyKind::UnknownBranch], "b"),
        ("a number twice", vec![write(1, "root", "two")], &[AnomalyKind::TakenNumber], "1"),
        ("no number", vec![write(u64::MAX, "root", "two")], &[AnomalyKind::TakenNumber], "18446"),
        ("a record unknown", vec![update(7, "root", "x")], &[AnomalyKind::UnknownMemory], "7"),
        (
            "another's record",
            vec![fork("a", Some("root")), update(1, "a", "x")],
            &[AnomalyKind::UnknownMemory],
            "root",
        ),
    ];
    for (name, events, kinds, told) in cases {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        let mut feed = MemoryFeed::new(1);
        feed.commit(root());
        feed.commit(events);
        caught_up(&places, &feed);
        let logged = fs::read_to_string(&places.errors).unwrap_or_default();
        assert_eq!(logged.lines().count(), kinds.len(), "{name}: {logged}");
        for kind in kinds {
            assert!(logged.contains(kind.as_str()), "{name}: {logged}");
        }
        assert!(logged.contains("memory.db"), "{name}: {logged}");
        assert!(told.starts_with('@') || logged.contains(told), "{name}: {logged}");
        let conn = Connection::open(places.memory()).unwrap();
        let sql = "SELECT text FROM archival WHERE id = 1";
        let text: String = conn.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(text, "one", "{name}");
    }
}
