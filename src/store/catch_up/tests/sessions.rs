//! The gate's folds of sessions against histories: caught up through their files, or folded whole.

use proptest::prelude::*;
use rusqlite::Connection;

use super::history::{NOW_MS, any_history, session_id};
use crate::event::{Event, Sequence, SessionId};
use crate::grounding::fold::{Grounding, GroundingRules};
use crate::grounding::gate::SessionFile;
use crate::journal::{InitOptions, Project, ReplayItem};
use crate::store::JournalFeed;
use crate::store::catch_up::catch_up;

/// The fold of the whole journal.
fn whole(project: &Project, session: SessionId) -> Grounding {
    let mut grounding = Grounding::new(session);
    for item in project.reader().unwrap().replay(Sequence(1), None) {
        if let ReplayItem::Event(recorded) = item.unwrap() {
            grounding.apply(&recorded, &GroundingRules::default());
        }
    }
    grounding
}

/// All of a fold but what it remembers of other sessions' executions: what the index tells of
/// them is how they are, not how they were.
fn told(grounding: &Grounding) -> Grounding {
    grounding.clone().without_others()
}

fn ordinals(project: &Project) -> u64 {
    let index = Connection::open(project.index_path()).unwrap();
    let sql = "SELECT count(ordinal) FROM executions";
    index.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn feed_stores(project: &Project) {
    let feed = JournalFeed::of(project).unwrap();
    let report = catch_up(&crate::stores::places(project.root()), &feed);
    assert!(report.is_current(), "{report:?}");
}

/// What a test does between two commits.
#[derive(Clone, Copy, Debug)]
struct Stop {
    /// After this commit.
    after: usize,
    session: u8,
    /// The file is written, or its work is lost.
    save: bool,
    /// The stores are caught up before, so that what is made anew begins with them.
    stores: bool,
    /// The file is lost before.
    lose: bool,
}

fn any_stop() -> impl Strategy<Value = Stop> {
    (0..25_usize, 0..3_u8, prop::bool::weighted(0.8), any::<bool>(), any::<bool>()).prop_map(
        |(after, session, save, stores, lose)| Stop { after, session, save, stores, lose },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(12),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_fold_caught_up_through_its_file_equals_one_of_the_whole_journal(
        history in any_history(),
        stops in prop::collection::vec(any_stop(), 0..8),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
        let mut stops = stops;
        stops.sort_by_key(|stop| stop.after);
        let mut from = 0;
        for (at, mark) in history.commits.iter().enumerate() {
            let to = mark.sequence.0 as usize;
            let events: Vec<Event> =
                history.events[from..to].iter().map(|it| it.event.clone()).collect();
            project.journal().unwrap().append(&events, NOW_MS).unwrap();
            from = to;
            for stop in stops.iter().filter(|stop| stop.after == at) {
                let session = session_id(stop.session);
                if stop.stores {
                    feed_stores(&project);
                }
                if stop.lose {
                    drop(std::fs::remove_file(place(&project, session)));
                }
                let mut file = SessionFile::open(&project, session).unwrap();
                prop_assert_eq!(told(file.grounding()), told(&whole(&project, session)));
                if stop.save {
                    file.save().unwrap();
                }
            }
        }
        feed_stores(&project);
        for number in 0..3 {
            let session = session_id(number);
            let mut file = SessionFile::open(&project, session).unwrap();
            prop_assert_eq!(told(file.grounding()), told(&whole(&project, session)));
            prop_assert_eq!(file.grounding().ordinals(), ordinals(&project));
            prop_assert!(file.grounding().is_bounded(u64::MAX));
            file.save().unwrap();
        }
    }
}

fn place(project: &Project, session: SessionId) -> std::path::PathBuf {
    project.sessions_dir().join(format!("{session}.fold"))
}
