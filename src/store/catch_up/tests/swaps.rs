//! Replacing a store: who is connected, what a dead writer left, what came meanwhile.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use rusqlite::Connection;

use super::history::{NOW_MS, event, finished, started};
use super::{caught_up, digests, places, rebuilt, set_aside};
use crate::event::{Body, Outcome};
use crate::leash::Leash;
use crate::store::catch_up::{Feeding, RebuildReason, catch_up};
use crate::store::feed::memory::MemoryFeed;
use crate::store::rebuild::{RebuildMode, Site, rebuild};
use crate::store::{StoreName, StorePlaces};

const WRITER: &str = "ANNALS_TEST_DEAD_WRITER";

fn history(count: u8) -> MemoryFeed {
    let mut feed = MemoryFeed::new(1);
    for number in 0..count {
        let start = started(number, "file_read", Some(number));
        let end = finished(number, "file_read", Outcome::Ok);
        feed.commit(vec![
            event(NOW_MS, Some(1), Body::ExecutionStarted(start)),
            event(NOW_MS, Some(1), end),
        ]);
    }
    feed
}

/// Not a test of its own: what the tests below start, and kill with its `-wal` full.
#[test]
fn dead_writer() {
    let Ok(store) = env::var(WRITER) else { return };
    let conn = Connection::open(store).unwrap();
    conn.execute_batch(
        "PRAGMA wal_autocheckpoint = 0; \
         UPDATE executions SET arguments_json = '{\"from\":\"a dead writer\"}'; \
         INSERT INTO executions (id, tool_name, arguments_json, timestamp, success) \
         VALUES ('dead', 'file_read', '{}', 1766534400000, 1);",
    )
    .unwrap();
    eprintln!("written");
    std::thread::sleep(std::time::Duration::from_secs(600));
}

/// Leaves the `-wal` of a writer that was killed beside the store.
fn leave_dead_wal(store: &Path) {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "store::catch_up::tests::swaps::dead_writer", "--nocapture"])
        .env(WRITER, store)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map(Leash::of)
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("written")));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(fs::metadata(wal(store)).unwrap().len() > 0);
}

fn wal(store: &Path) -> std::path::PathBuf {
    let mut path = store.as_os_str().to_owned();
    path.push("-wal");
    path.into()
}

fn as_rebuilt(places: &StorePlaces, feed: &MemoryFeed) {
    let folder = tempfile::tempdir().unwrap();
    let anew = super::places(folder.path());
    rebuilt(&anew, feed);
    assert_eq!(digests(places), digests(&anew));
}

#[test]
fn a_killed_writers_wal_never_reaches_the_new_store() {
    let feed = history(5);
    type Case = (&'static str, fn(&Path));
    let before: [Case; 3] = [
        ("the store is whole", |_| {}),
        ("the store is corrupt", |store| fs::write(store, [0x5a; 40_000]).unwrap()),
        ("the store is gone", |store| fs::remove_file(store).unwrap()),
    ];
    for (name, wound) in before {
        for by in ["rebuild", "catch-up"] {
            let folder = tempfile::tempdir().unwrap();
            let places = places(folder.path());
            caught_up(&places, &feed);
            leave_dead_wal(places.execution_log());
            wound(places.execution_log());
            match by {
                "rebuild" => rebuilt(&places, &feed),
                // Rows that the journal does not have are kept until they are set aside.
                _ if name == "the store is whole" => {
                    let reason = set_aside(&places, &feed, StoreName::EXECUTION_LOG);
                    assert_eq!(reason, Some(RebuildReason::RowsDiffer));
                }
                _ => caught_up(&places, &feed),
            }
            as_rebuilt(&places, &feed);
            assert!(!wal(places.execution_log()).exists(), "{name}, {by}");
        }
    }
}

#[test]
fn a_store_that_someone_reads_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(5));
    caught_up(&places, &feed);
    let before = digests(&places);
    let reader = Connection::open(places.execution_log()).unwrap();
    let count = |sql| reader.query_row(sql, [], |row| row.get::<_, u64>(0));
    assert_eq!(count("SELECT count(*) FROM executions").unwrap(), 5);
    let refused = rebuild(&places, &feed, &[StoreName::EXECUTION_LOG], RebuildMode::Replace);
    assert!(refused.as_ref().is_err_and(|error| error.is_locked()), "{refused:?}");
    assert_eq!(count("SELECT count(*) FROM executions").unwrap(), 5);
    drop(reader);
    assert_eq!(digests(&places), before);
    rebuilt(&places, &feed);
    assert_eq!(digests(&places), before);
}

#[test]
fn a_rebuild_that_finds_the_same_says_so_and_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(5));
    caught_up(&places, &feed);
    for mode in [RebuildMode::Check, RebuildMode::Replace] {
        let report = rebuild(&places, &feed, &[], mode).unwrap();
        assert!(!report.differs(), "{report:?}");
        for store in &report.stores {
            assert_eq!(store.same, Some(true));
            assert_eq!(store.before, Some(store.after));
            assert_eq!(store.replaced, mode == RebuildMode::Replace);
            assert_eq!(store.quarantined, None);
        }
    }
    let left = fs::read_dir(&places.building).unwrap().map(|entry| entry.unwrap().file_name());
    let locks = left.filter(|name| name.to_string_lossy().ends_with(".building")).count();
    let all = fs::read_dir(&places.building).unwrap().count();
    assert_eq!((locks, all), (3, 3), "a lock a store, alone");
}

#[test]
fn a_check_finds_a_row_changed_by_hand_and_a_rebuild_mends_it() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(5));
    caught_up(&places, &feed);
    let good = digests(&places);
    let conn = Connection::open(places.execution_log()).unwrap();
    conn.execute_batch("UPDATE executions SET success = 0 WHERE rowid = 3").unwrap();
    drop(conn);
    let report = rebuild(&places, &feed, &[], RebuildMode::Check).unwrap();
    assert!(report.differs());
    assert_ne!(digests(&places), good, "a check changes nothing");
    let report = rebuild(&places, &feed, &[], RebuildMode::Replace).unwrap();
    assert_eq!(report.stores[1].same, Some(false));
    assert!(report.stores[1].quarantined.as_ref().is_some_and(|kept| kept.exists()));
    assert_eq!(digests(&places), good);
}

#[test]
fn a_check_of_a_store_that_lags_compares_as_of_where_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(5));
    caught_up(&places, &feed.up_to(3));
    let named = [StoreName::EXECUTION_LOG];
    let report = rebuild(&places, &feed, &named, RebuildMode::Check).unwrap();
    assert_eq!(report.stores[0].same, Some(true), "{report:?}");
}

#[test]
fn what_is_recorded_during_a_rebuild_is_in_the_new_store() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(9));
    caught_up(&places, &feed.up_to(2));
    // Reopened under the swap's lock, the journal has five commits more than when it began.
    let growing = Growing { seen: feed.up_to(4), later: feed.clone() };
    let report = rebuild(&places, &growing, &[], RebuildMode::Replace).unwrap();
    assert_eq!(report.stores.len(), 3);
    assert!(
        catch_up(&places, &feed)
            .stores
            .iter()
            .all(|store| { store.outcome.as_ref().is_ok_and(|done| done.events == 0) })
    );
    as_rebuilt(&places, &feed);
}

struct Growing {
    seen: MemoryFeed,
    later: MemoryFeed,
}

impl crate::store::Feed for Growing {
    fn journal(&self) -> [u8; 16] {
        self.seen.journal()
    }
    fn through(&self) -> crate::journal::Mark {
        self.seen.through()
    }
    fn reopened(&self) -> Result<Box<dyn crate::store::Feed + '_>, crate::store::FeedError> {
        self.later.reopened()
    }
    fn replay(
        &self,
        after: crate::event::Sequence,
        through: crate::event::Sequence,
    ) -> Result<crate::store::feed::Steps<'_>, crate::store::FeedError> {
        self.seen.replay(after, through)
    }
    fn get(
        &self,
        at: crate::event::Sequence,
    ) -> Result<Option<crate::event::Recorded>, crate::store::FeedError> {
        self.seen.get(at)
    }
    fn chain_at(
        &self,
        at: crate::event::Sequence,
    ) -> Result<crate::store::feed::ChainAt, crate::store::FeedError> {
        self.later.chain_at(at)
    }
    fn content(&self, content: &crate::event::Content) -> Option<crate::event::Content> {
        self.seen.content(content)
    }
}

#[test]
fn a_store_that_is_built_byte_for_byte_as_it_was_is_told_by_one_digest_and_another_by_both() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(40));
    rebuilt(&places, &feed);
    let before = digests(&places);
    let report = rebuild(&places, &feed, &[], RebuildMode::Replace).unwrap();
    assert!(report.stores.iter().all(|it| it.same == Some(true) && it.before == Some(it.after)));
    assert_eq!(digests(&places), before);
    let index = Connection::open(places.index()).unwrap();
    index.execute_batch("UPDATE executions SET tool = 'another' WHERE ordinal = 7").unwrap();
    drop(index);
    let report = rebuild(&places, &feed, &[], RebuildMode::Replace).unwrap();
    let index = &report.stores[0];
    assert!(index.same == Some(false) && index.before.is_some_and(|it| it != index.after));
    assert_eq!(digests(&places), before);
}

#[test]
fn a_store_that_another_made_while_this_one_waited_is_not_set_aside() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (places, theirs, feed) = (places(folder.path()), places(other.path()), history(3));
    caught_up(&theirs, &feed);
    Feeding::of(&places, &feed).index().unwrap();
    let turn = Site::take(&places, StoreName::EXECUTION_LOG).unwrap();
    let stores = [StoreName::EXECUTION_LOG];
    std::thread::scope(|scope| {
        let ours = scope.spawn(|| rebuild(&places, &feed, &stores, RebuildMode::Replace));
        // It has seen that there is none, and waits.
        std::thread::sleep(Duration::from_millis(400));
        fs::rename(theirs.execution_log(), places.execution_log()).unwrap();
        drop(turn);
        let report = ours.join().unwrap().unwrap();
        assert!(report.stores[0].quarantined.is_none(), "{report:?}");
    });
    assert!(!places.quarantine.exists());
    caught_up(&places, &feed);
}
