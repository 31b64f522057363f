//! A process killed while it catches up or rebuilds: what the next one makes of what is left.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;

use super::history::{NOW_MS, declared, event, finished, started};
use super::{caught_up, digests, places, rebuilt};
use crate::event::{
    ArchivalWritten, Body, Event, MemoryDoor, MemoryOrigin, Outcome, RecallAppended, RecallEvicted,
};
use crate::leash::Leash;
use crate::store::StorePlaces;
use crate::store::catch_up::tests::catch_up_by;
use crate::store::feed::memory::MemoryFeed;
use crate::store::rebuild::{RebuildMode, rebuild};

const PROJECT: &str = "ANNALS_TEST_KILLED_PROJECT";
/// Kills of one run of the test.
const KILLS: u64 = 24;

fn history() -> MemoryFeed {
    let mut feed = MemoryFeed::new(1);
    for number in 0..=200 {
        let start = started(number, "bash_exec", Some(number));
        let mut events = vec![event(NOW_MS, Some(1), Body::ExecutionStarted(start))];
        if number % 3 == 0 {
            events.push(event(NOW_MS, Some(2), declared(&["bash_exec", "file_edit"])));
        }
        // A third ends a commit later, and one in seven at a time the clock trigger refuses.
        let at_ms = if number % 7 == 0 { 1_000 } else { NOW_MS };
        let end = event(at_ms, Some(1), finished(number, "bash_exec", Outcome::Failed));
        events.extend(remembered(number));
        if number % 3 == 1 {
            feed.commit(events);
            feed.commit(vec![end]);
        } else {
            events.push(end);
            feed.commit(events);
        }
    }
    feed
}

/// Two records, one of them moved out of an event, in one commit.
fn remembered(number: u8) -> Vec<Event> {
    let (branch, origin) = ("root".to_owned(), MemoryOrigin::by(MemoryDoor::Internal));
    let id = u64::from(number) + 1;
    let text = format!("text {number}");
    let written = ArchivalWritten {
        id,
        branch: branch.clone(),
        text: text.clone(),
        tags: Vec::new(),
        whole: None,
        origin: origin.clone(),
    };
    let appended = RecallAppended {
        id,
        branch: branch.clone(),
        kind: "note".to_owned(),
        text,
        tags: Vec::new(),
        task_hint: None,
        memory_size: None,
        origin: origin.clone(),
    };
    let evicted = RecallEvicted { branch, ids: vec![id], records: vec![id], origin };
    [Body::RecallAppended(appended), Body::ArchivalWritten(written), Body::RecallEvicted(evicted)]
        .map(|body| event(NOW_MS, Some(1), body))
        .to_vec()
}

/// Not a test of its own: what the test below starts, and kills.
#[test]
fn killed_projector() {
    let Ok(project) = env::var(PROJECT) else { return };
    let (places, feed) = (crate::stores::places(Path::new(&project)), history());
    for shown in (0..=feed.commits.len()).step_by(5) {
        caught_up_in_small_steps(&places, &feed.up_to(shown));
    }
    loop {
        // Whoever was killed before may have left anything: it must do here as well.
        drop(rebuild(&places, &feed, &[], RebuildMode::Replace));
        caught_up_in_small_steps(&places, &feed);
    }
}

fn caught_up_in_small_steps(places: &StorePlaces, feed: &MemoryFeed) {
    let report = catch_up_by(places, feed, 3);
    assert!(report.is_current(), "{report:?}");
}

#[test]
fn a_projector_killed_at_any_moment_leaves_stores_that_catch_up_to_the_same_digest() {
    let folder = tempfile::tempdir().unwrap();
    let feed = history();
    let (live, anew) = (places(&folder.path().join("live")), places(&folder.path().join("anew")));
    rebuilt(&anew, &feed);
    let whole = digests(&anew);
    for kill in 0..KILLS {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "store::catch_up::tests::kills::killed_projector"])
            .env(PROJECT, folder.path().join("live"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Leash::of)
            .unwrap();
        std::thread::sleep(Duration::from_millis(15 + kill * 23 % 180));
        child.kill().unwrap();
        child.wait().unwrap();
        // Whatever there is holds whole executions only: a row, its artifact, or neither.
        if let Ok(conn) = Connection::open(live.execution_log()) {
            let torn = "SELECT count(*) FROM executions e WHERE NOT EXISTS (SELECT 1 FROM \
                        execution_artifacts a WHERE a.execution_id = e.id)";
            let torn = conn.query_row(torn, [], |row| row.get::<_, u64>(0));
            assert!(torn.is_err() || torn == Ok(0), "kill {kill}: {torn:?}");
        }
        // What went from one layer is in the other.
        if let Ok(conn) = Connection::open(live.memory()) {
            let torn = "SELECT count(*) FROM events";
            let torn = conn.query_row(torn, [], |row| row.get::<_, u64>(0));
            assert!(torn.is_err() || torn == Ok(0), "kill {kill}: {torn:?}");
        }
        if kill % 4 == 3 {
            caught_up(&live, &feed);
            assert_eq!(digests(&live), whole, "kill {kill}");
            std::fs::remove_file(live.execution_log()).unwrap();
            std::fs::remove_file(live.memory()).unwrap();
        }
    }
    assert!(!live.execution_log().with_extension("db-journal").exists());
}
