//! Folders of logs that somebody changed, replaced or removed; and none where there is nothing to
//! log.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::history::logged_history;
use super::{FOLDERS, digests, places, rebuilt};
use crate::event::{Body, SessionEnded};
use crate::store::catch_up::tests::history::{NOW_MS, event};
use crate::store::catch_up::{RebuildReason, catch_up};
use crate::store::feed::memory::MemoryFeed;
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{StoreName, StorePlaces, store_status};

const RUN_LOG: &str = "run/logs/0-exp/phase_logs/node_n3/run.log";

fn heal(places: &StorePlaces, feed: &MemoryFeed, store: StoreName) -> Option<RebuildReason> {
    let report = catch_up(places, feed);
    assert!(report.is_current(), "{report:?}");
    let of = report.stores.into_iter().find(|done| done.store == store).unwrap();
    let done = of.outcome.unwrap();
    let kept = done.quarantined.is_some_and(|kept| fs::symlink_metadata(kept).is_ok());
    assert_eq!(kept, done.rebuilt.is_some_and(|why| why != RebuildReason::Missing), "{store}");
    done.rebuilt
}

#[test]
fn what_was_changed_by_hand_is_noticed_where_it_is_touched_and_the_old_is_kept() {
    type Wound = fn(&Path);
    let elsewhere = tempfile::tempdir().unwrap();
    let feed = logged_history();
    let cases: [(&str, StoreName, Wound, RebuildReason); 9] = [
        (
            "a line added",
            StoreName::MEMORY_LOGS,
            |path| {
                let log = path.join("memory_calls.jsonl");
                let text = fs::read_to_string(&log).unwrap();
                fs::write(&log, text + "{\"torn").unwrap();
            },
            RebuildReason::FilesDiffer,
        ),
        (
            "a log emptied",
            StoreName::MEMORY_LOGS,
            |path| fs::write(path.join("memory_system.jsonl"), "").unwrap(),
            RebuildReason::FilesDiffer,
        ),
        (
            "a log removed",
            StoreName::MEMORY_LOGS,
            |path| fs::remove_file(path.join("memory_calls.jsonl")).unwrap(),
            RebuildReason::FilesDiffer,
        ),
        (
            "a file of a node changed",
            StoreName::EXPERIMENTS,
            |path| fs::write(path.join(RUN_LOG), "all is well\n").unwrap(),
            RebuildReason::FilesDiffer,
        ),
        (
            "a folder in the place of a file",
            StoreName::EXPERIMENTS,
            |path| {
                fs::remove_file(path.join(RUN_LOG)).unwrap();
                fs::create_dir(path.join(RUN_LOG)).unwrap();
            },
            RebuildReason::FilesDiffer,
        ),
        (
            "the cursor removed",
            StoreName::MEMORY_LOGS,
            |path| fs::remove_file(path.join(".cursor.json")).unwrap(),
            RebuildReason::NoCursor,
        ),
        (
            "the folder removed",
            StoreName::MEMORY_LOGS,
            |path| fs::remove_dir_all(path).unwrap(),
            RebuildReason::Missing,
        ),
        (
            "a file in the place of the folder",
            StoreName::EXPERIMENTS,
            |path| {
                fs::remove_dir_all(path).unwrap();
                fs::write(path, "mine").unwrap();
            },
            RebuildReason::FilesDiffer,
        ),
        (
            "a link in the place of the folder",
            StoreName::EXPERIMENTS,
            |path| {
                fs::remove_dir_all(path).unwrap();
                symlink("/nowhere", path).unwrap();
            },
            RebuildReason::Linked,
        ),
    ];
    for (name, store, wound, reason) in cases {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        // Node n3 is written to again by what comes after.
        assert!(catch_up(&places, &feed.up_to(60)).is_current());
        wound(places.path(store));
        if reason == RebuildReason::FilesDiffer && places.path(store).is_dir() {
            let status = store_status(&places, &feed.up_to(60)).unwrap();
            let its = status.iter().find(|status| status.store == store).unwrap();
            assert!(its.problem.is_some(), "{name}: {its:?}");
        }
        assert_eq!(heal(&places, &feed, store), Some(reason), "{name}");
        let anew = super::places(&elsewhere.path().join(name));
        rebuilt(&anew, &feed);
        assert_eq!(digests(&places), digests(&anew), "{name}");
        assert!(
            !rebuild(&places, &feed, &FOLDERS, RebuildMode::Check).unwrap().differs(),
            "{name}"
        );
    }
}

#[test]
fn nothing_is_written_where_a_link_leads() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (places, feed) = (places(folder.path()), logged_history());
    for store in FOLDERS {
        symlink(elsewhere.path(), places.path(store)).unwrap();
    }
    assert!(catch_up(&places, &feed).is_current());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    assert!(FOLDERS.iter().all(|store| !places.path(*store).is_symlink()));
}

#[test]
fn a_check_finds_a_change_that_nothing_has_touched_since_and_a_rebuild_mends_it() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), logged_history());
    assert!(catch_up(&places, &feed).is_current());
    let whole = digests(&places);
    let log = places
        .path(StoreName::EXPERIMENTS)
        .join("run/logs/0-exp/prompt_logs/s/draft_attempt1_round0.md");
    let planted = places.path(StoreName::EXPERIMENTS).join("run/planted.txt");
    for wound in [0, 1] {
        match wound {
            0 => fs::write(&log, "otherwise").unwrap(),
            _ => fs::write(&planted, "mine").unwrap(),
        }
        assert!(catch_up(&places, &feed).is_current());
        let checked = rebuild(&places, &feed, &FOLDERS, RebuildMode::Check).unwrap();
        let same: Vec<_> = checked.stores.iter().map(|store| store.same).collect();
        assert_eq!(same, [Some(true), Some(false)], "{checked:?}");
        let mended = rebuild(&places, &feed, &FOLDERS, RebuildMode::Replace).unwrap();
        assert_eq!(digests(&places), whole);
        let kept = mended.stores[1].quarantined.clone().unwrap();
        assert!(kept.join("run").is_dir(), "the old one is kept");
        assert_eq!(mended.stores[0].quarantined, None, "the same is not");
    }
    let left = fs::read_dir(&places.building).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| !name.to_string_lossy().ends_with(".building")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_project_that_has_nothing_to_log_has_no_logs() {
    let folder = tempfile::tempdir().unwrap();
    let places = places(folder.path());
    let mut feed = MemoryFeed::new(1);
    let ended = || Body::SessionEnded(SessionEnded { reason: "done".to_owned() });
    feed.commit(vec![event(NOW_MS, Some(1), ended())]);
    let report = catch_up(&places, &feed);
    assert!(report.stores.iter().all(|store| !FOLDERS.contains(&store.store)), "{report:?}");
    rebuilt(&places, &feed);
    assert_eq!(digests(&places), [None, None]);
    let locks = FOLDERS.map(|store| places.path(store).with_extension("lock").exists());
    assert_eq!(locks, [false, false], "nor is anything made beside them");
    // One that somebody put there is not of this journal's making.
    fs::create_dir(places.path(StoreName::MEMORY_LOGS)).unwrap();
    fs::write(places.path(StoreName::MEMORY_LOGS).join("memory_calls.jsonl"), "{}\n").unwrap();
    assert_eq!(heal(&places, &feed, StoreName::MEMORY_LOGS), Some(RebuildReason::NoCursor));
    assert_eq!(digests(&places), [None, None]);
}

#[test]
fn what_concerns_no_log_moves_none() {
    let folder = tempfile::tempdir().unwrap();
    let (places, mut feed) = (places(folder.path()), logged_history());
    assert!(catch_up(&places, &feed).is_current());
    let cursor = || fs::read(places.path(StoreName::MEMORY_LOGS).join(".cursor.json")).unwrap();
    let before = cursor();
    for _ in 0..3 {
        let ended = Body::SessionEnded(SessionEnded { reason: "done".to_owned() });
        feed.commit(vec![event(NOW_MS, Some(1), ended)]);
        assert!(catch_up(&places, &feed).is_current());
    }
    assert_eq!(cursor(), before);
    let status = store_status(&places, &feed).unwrap();
    let of = |store| status.iter().find(|status| status.store == store).unwrap().lag_events;
    assert_eq!(FOLDERS.map(of), [Some(0), Some(0)]);
}
