//! Judging stores that others make at the same time.

use std::fs;
use std::path::PathBuf;

use super::super::tests::{Journals, ask, prompts};
use super::{Seen, Standing, judged};
use crate::event::Sequence;
use crate::store::{StoreName, StoreStatus};
use crate::stores::STORES;

fn status(store: StoreName, lag_events: Option<u64>) -> StoreStatus {
    let problem = lag_events.is_none().then(|| "it is not there".to_owned());
    let position = lag_events.map(|_| Sequence(1));
    StoreStatus { store, path: PathBuf::new(), position, lag_events, problem, remedy: None }
}

#[test]
fn a_store_that_came_between_two_looks_is_none_that_is_wrong() {
    let (index, log) = (StoreName::INDEX, StoreName::EXECUTION_LOG);
    let graph = StoreName::CODE_GRAPH;
    let current = |why: Option<&str>| Standing::Current(why.map(str::to_owned));
    // How the index, the log and the graph were seen, how far they said they had read, and what that comes to.
    let cases = [
        ([Seen::There, Seen::There, Seen::There], [Some(0), Some(0), Some(0)], current(None)),
        // Put there after the first look, and before they were asked, and after it.
        ([Seen::There, Seen::Unmade, Seen::Unmade], [Some(0), Some(0), Some(0)], current(None)),
        ([Seen::There, Seen::Unmade, Seen::There], [Some(0), None, Some(0)], Standing::Lacking),
        ([Seen::There, Seen::There, Seen::Unmade], [Some(0), Some(0), None], Standing::Lacking),
        // A graph that cannot be read, and one that is behind.
        ([Seen::There, Seen::There, Seen::There], [Some(0), Some(0), None], Standing::Wrong),
        (
            [Seen::There, Seen::There, Seen::There],
            [Some(0), Some(0), Some(3)],
            current(Some("codegraph.db: ")),
        ),
        ([Seen::There, Seen::There, Seen::There], [Some(0), None, Some(0)], Standing::Wrong),
        ([Seen::There, Seen::There, Seen::There], [Some(0), Some(2), Some(0)], Standing::Wrong),
        ([Seen::There, Seen::There, Seen::There], [Some(2), Some(0), Some(0)], Standing::Wrong),
        ([Seen::Unmade, Seen::Unmade, Seen::Unmade], [None, None, None], Standing::Wrong),
    ];
    for (seen, told, expect) in cases {
        let stores = [index, log, graph];
        let statuses = || std::iter::zip(stores, told).map(|(it, lag)| status(it, lag)).collect();
        let seen: Vec<_> = std::iter::zip(stores, seen).collect();
        assert_eq!(judged(&seen, statuses(), &STORES, |_| false), expect, "{seen:?} {told:?}");
        // What another program changed is wrong where it was there, however far it has read.
        let is_there = seen.contains(&(log, Seen::There));
        let changed = judged(&seen, statuses(), &STORES, |it| it == log);
        assert_eq!(changed, if is_there { Standing::Wrong } else { expect }, "{seen:?} {told:?}");
        // What nobody asks for counts for nothing.
        let asked = &seen[..1];
        let of_index = judged(asked, statuses(), &STORES, |it| it == log);
        let is_read = asked[0].1 == Seen::There && told[0] == Some(0);
        assert_eq!(of_index == current(None), is_read, "{seen:?} {told:?}");
    }
}

#[test]
fn stores_that_are_not_to_be_used_are_left_to_who_reads_them() {
    let journals = Journals::new();
    let reads = ask(&journals, None);
    let index = reads.places.index().to_owned();
    fs::write(&index, "no database").unwrap();
    for _ in 0..2 {
        let beside = ask(&journals, None);
        assert!(beside.is_private() && prompts(&beside) == 4);
        assert_eq!(fs::read(&index).unwrap(), b"no database");
    }
    assert_eq!(journals.cached().len(), 1, "what was made beside is gone");
    drop(reads);
    let anew = ask(&journals, None);
    assert!(!anew.is_private() && prompts(&anew) == 4);
    assert_eq!(anew.places.index(), index);
}
