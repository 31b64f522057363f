//! Stores that are not where the journal thinks: catch-up notices, and resumes or rebuilds.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::history::{NOW_MS, declared, event, finished, started};
use super::{caught_up, digests, places, rebuilt, set_aside};
use crate::event::{Body, Outcome, Sequence};
use crate::store::catch_up::{CatchUpError, CatchUpReport, Feeding, RebuildReason, catch_up};
use crate::store::feed::memory::MemoryFeed;
use crate::store::{StoreName, StorePlaces, store_status};

/// A history of `count` executions, two commits each.
fn history(journal: u8, count: u8) -> MemoryFeed {
    let mut feed = MemoryFeed::new(journal);
    feed.commit(vec![event(NOW_MS, None, declared(&["bash_exec"]))]);
    for number in 0..count {
        let at_ms = NOW_MS + u64::from(number);
        let start = started(number, "bash_exec", Some(number));
        feed.commit(vec![event(at_ms, Some(1), Body::ExecutionStarted(start))]);
        let end = finished(number, "bash_exec", Outcome::Failed);
        feed.commit(vec![event(at_ms, Some(1), end)]);
    }
    feed
}

fn reasons(report: &CatchUpReport) -> Vec<Option<RebuildReason>> {
    report.stores.iter().map(|store| store.outcome.as_ref().unwrap().rebuilt).collect()
}

fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

/// Both stores must come out as if they were built from nothing.
fn as_rebuilt(places: &StorePlaces, feed: &MemoryFeed) {
    let folder = tempfile::tempdir().unwrap();
    let anew = super::places(folder.path());
    rebuilt(&anew, feed);
    assert_eq!(digests(places), digests(&anew));
}

#[test]
fn missing_stores_are_made_and_current_ones_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(1, 3));
    let report = catch_up(&places, &feed);
    assert_eq!(reasons(&report), [Some(RebuildReason::Missing); 3]);
    let report = catch_up(&places, &feed);
    assert_eq!(reasons(&report), [None; 3]);
    assert!(report.stores.iter().all(|store| store.outcome.as_ref().unwrap().events == 0));
    as_rebuilt(&places, &feed);
    assert!(!places.quarantine.exists(), "nothing was there to keep");
}

#[test]
fn a_store_that_has_all_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(1, 3));
    caught_up(&places, &feed.up_to(2));
    let told = catch_up(&places, &feed);
    let log = Connection::open(places.execution_log()).unwrap();
    log.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let report = catch_up(&places, &feed);
    assert!(report.is_current(), "nobody keeps who has nothing to write waiting: {report:?}");
    assert_eq!(format!("{:?}", report.operations), format!("{:?}", told.operations));
    assert!(report.operations.is_some());
    let mut more = feed;
    more.commit(vec![event(NOW_MS, Some(1), Body::ExecutionStarted(started(9, "x", Some(9))))]);
    assert!(!catch_up(&places, &more).is_current(), "one that lacks something is opened");
}

#[test]
fn no_fold_reads_further_than_the_index_has_read() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(1, 3));
    caught_up(&places, &feed.up_to(3));
    let before = digests(&places);
    // A start that the index does not have, then what closes it.
    for commits in [4, 5] {
        let refused = Feeding { batch: 1, ..Feeding::of(&places, &feed.up_to(commits)) }
            .store(StoreName::EXECUTION_LOG);
        assert!(matches!(refused, Err(CatchUpError::IndexBehind { .. })), "{refused:?}");
    }
    assert_eq!(digests(&places), before);
    caught_up(&places, &feed);
    as_rebuilt(&places, &feed);
}

#[test]
fn a_store_restored_from_an_older_backup_resumes_where_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(1, 9));
    caught_up(&places, &feed.up_to(7));
    let backup = folder.path().join("backup.db");
    copy(places.execution_log(), &backup);
    caught_up(&places, &feed);
    copy(&backup, places.execution_log());
    let report = catch_up(&places, &feed);
    assert_eq!(reasons(&report), [None; 3]);
    assert_eq!(report.stores[1].outcome.as_ref().unwrap().events, 12, "what the backup lacks");
    as_rebuilt(&places, &feed);
}

#[test]
fn what_cannot_be_resumed_is_rebuilt_or_kept_as_evidence() {
    type Wound = fn(&StorePlaces);
    type Case = (&'static str, RebuildReason, Box<dyn Fn(&StorePlaces)>);
    let rows = |sql: &'static str| {
        move |places: &StorePlaces| {
            Connection::open(places.execution_log()).unwrap().execute_batch(sql).unwrap();
        }
    };
    let wounds: [Case; 8] = [
        (
            "the last row removed by hand",
            RebuildReason::RowsDiffer,
            Box::new(rows(
                "DELETE FROM execution_artifacts WHERE id = 5; DELETE FROM executions WHERE rowid = 5",
            )),
        ),
        (
            "a row added by hand",
            RebuildReason::RowsDiffer,
            Box::new(rows(
                "INSERT INTO executions (id, tool_name, arguments_json, timestamp, success) \
                 VALUES ('x', 'file_read', '{}', 1766534400000, 1)",
            )),
        ),
        (
            "the cursor removed",
            RebuildReason::NoCursor,
            Box::new(rows("DELETE FROM sqlite_sequence WHERE name LIKE 'annals:%'")),
        ),
        (
            "a trigger dropped",
            RebuildReason::ContentDiffers,
            Box::new(rows("DROP TRIGGER validate_json")),
        ),
        ("another table", RebuildReason::ContentDiffers, Box::new(rows("CREATE TABLE mine (x)"))),
        (
            "not a database",
            RebuildReason::Unreadable,
            Box::new(
                (|places| fs::write(places.execution_log(), "not a database".repeat(99)).unwrap())
                    as Wound,
            ),
        ),
        (
            "of another journal",
            RebuildReason::OtherJournal,
            Box::new(
                (|places: &StorePlaces| {
                    let folder = tempfile::tempdir().unwrap();
                    let other = super::places(folder.path());
                    caught_up(&other, &history(2, 5));
                    copy(other.execution_log(), places.execution_log());
                }) as Wound,
            ),
        ),
        (
            "ahead of the journal",
            RebuildReason::Ahead,
            Box::new(
                (|places: &StorePlaces| {
                    let folder = tempfile::tempdir().unwrap();
                    let other = super::places(folder.path());
                    caught_up(&other, &history(1, 9));
                    copy(other.execution_log(), places.execution_log());
                }) as Wound,
            ),
        ),
    ];
    for (name, reason, wound) in wounds {
        let folder = tempfile::tempdir().unwrap();
        let (places, feed) = (places(folder.path()), history(1, 5));
        caught_up(&places, &feed);
        wound(&places);
        let status = store_status(&places, &feed).unwrap();
        // Tables that another program changed are looked at by who catches up.
        let looked = reason == RebuildReason::ContentDiffers || status[1].problem.is_some();
        assert!(looked, "{name}: {status:?}");
        if reason.is_evidence() {
            assert_eq!(set_aside(&places, &feed, StoreName::EXECUTION_LOG), Some(reason), "{name}");
            as_rebuilt(&places, &feed);
            continue;
        }
        let report = catch_up(&places, &feed);
        assert_eq!(reasons(&report), [None, Some(reason), None], "{name}");
        let kept = report.stores[1].outcome.as_ref().unwrap().quarantined.clone();
        assert!(kept.is_some_and(|kept| kept.exists()), "{name}");
        as_rebuilt(&places, &feed);
    }
}

#[test]
fn stores_of_another_history_of_the_journal_are_kept_as_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    caught_up(&places, &history(1, 5));
    let mut other = history(1, 2);
    for number in 20..30 {
        let start = started(number, "file_read", None);
        other.commit(vec![event(NOW_MS, None, Body::ExecutionStarted(start))]);
    }
    for store in [StoreName::INDEX, StoreName::EXECUTION_LOG] {
        assert_eq!(set_aside(&places, &other, store), Some(RebuildReason::ChainDiffers));
    }
    rebuilt(&places, &other);
    as_rebuilt(&places, &other);
}

#[test]
fn an_index_that_is_gone_comes_back_while_the_log_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(1, 5));
    caught_up(&places, &feed.up_to(4));
    fs::remove_file(places.index()).unwrap();
    let report = catch_up(&places, &feed);
    assert_eq!(reasons(&report), [Some(RebuildReason::Missing), None, None]);
    as_rebuilt(&places, &feed);
}

#[test]
fn a_store_that_cannot_be_written_lags_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history(1, 5));
    caught_up(&places, &feed.up_to(4));
    let other = Connection::open(places.execution_log()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let report = catch_up(&places, &feed);
    let (store, error) = report.lag().unwrap();
    assert_eq!(store, StoreName::EXECUTION_LOG);
    assert!(error.is_locked(), "{error}");
    let status = store_status(&places, &feed).unwrap();
    assert_eq!((status[0].lag_events, status[1].lag_events), (Some(0), Some(7)));
    other.execute_batch("ROLLBACK").unwrap();
    caught_up(&places, &feed);
    as_rebuilt(&places, &feed);
}

#[test]
fn lost_events_are_listed_and_what_they_closed_gets_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let (places, mut feed) = (places(folder.path()), history(1, 3));
    feed.lost = vec![2];
    let report = catch_up(&places, &feed);
    assert_eq!(
        report
            .stores
            .iter()
            .filter_map(|it| it.outcome.as_ref().ok())
            .map(|it| it.anomalies)
            .sum::<u64>(),
        2,
        "the gap, and the start that was in it"
    );
    let log = fs::read_to_string(&places.errors).unwrap();
    assert!(log.contains("\"sequence\":2") && log.contains("@2"), "{log}");
    assert!(log.contains("lost start"), "{log}");
    let conn = Connection::open(places.execution_log()).unwrap();
    let first: String = conn
        .query_row("SELECT arguments_json FROM executions WHERE rowid = 1", [], |row| row.get(0))
        .unwrap();
    assert_eq!(first, "{}");
    assert_eq!(report.through, Sequence(7));
}
