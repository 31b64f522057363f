//! Stores side by side, from one replay.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::history::{NOW_MS, corrected, event, finished, started};
use super::{caught_up, digests, places};
use crate::event::{Body, Content, Outcome, PromptSubmitted, Recorded, Sequence};
use crate::journal::Mark;
use crate::store::catch_up::fed::Sent;
use crate::store::catch_up::{CatchUpError, Feeding};
use crate::store::feed::memory::MemoryFeed;
use crate::store::feed::{ChainAt, Steps};
use crate::store::rebuild::{RebuildMode, Site, rebuild};
use crate::store::{Feed, FeedError, StoreName, StorePlaces, store_digest};

const BOTH: [StoreName; 2] = [StoreName::EXECUTION_LOG, StoreName::CODE_GRAPH];

fn history() -> MemoryFeed {
    let mut feed = MemoryFeed::new(1);
    for number in 0..=u8::MAX {
        let start = started(number, "file_read", Some(number));
        let end = finished(number, "file_read", Outcome::Ok);
        feed.commit(vec![event(NOW_MS, Some(1), Body::ExecutionStarted(start))]);
        feed.commit(vec![event(NOW_MS, Some(1), end)]);
    }
    feed
}

#[test]
fn what_was_read_ahead_is_freed_by_who_read_it_once_nobody_else_has_it() {
    let mut sent = Sent::default();
    let mut batch = || {
        let batch = Arc::new(Vec::new());
        sent.keep(&batch);
        batch
    };
    let (first, second) = (batch(), batch());
    let [is_first, is_second] = [&first, &second].map(Arc::downgrade);
    drop(second);
    drop(batch());
    assert!(is_first.upgrade().is_some() && is_second.upgrade().is_some(), "the first is read");
    drop(first);
    assert!(is_first.upgrade().is_some(), "whoever read it last has freed nothing");
    drop(batch());
    assert!(is_first.upgrade().is_none() && is_second.upgrade().is_none());
}

/// The events that each was fed.
fn built(
    places: &StorePlaces,
    feed: &dyn Feed,
    gone: Option<StoreName>,
) -> Vec<Result<u64, CatchUpError>> {
    let built = Feeding::of(places, feed).side_by_side(&BOTH, |from, store| match gone {
        Some(gone) if gone == store => Err(CatchUpError::Panicked { store }),
        _ => from.build(store, feed.through()).map(|built| built.done.events),
    });
    built.into_iter().map(|(_, built)| built).collect()
}

#[test]
fn stores_made_from_one_replay_are_those_made_one_after_the_other() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (alone, beside, feed) = (places(one.path()), places(other.path()), history());
    for store in [StoreName::INDEX, StoreName::EXECUTION_LOG, StoreName::CODE_GRAPH] {
        Feeding::of(&alone, &feed).store(store).unwrap();
    }
    let from = Feeding::of(&beside, &feed);
    from.index().unwrap();
    let made = from.side_by_side(&BOTH, |from, store| from.store(store));
    assert!(
        made.iter().all(|(_, made)| made.as_ref().is_ok_and(|it| it.events == 512)),
        "{made:?}"
    );
    assert_eq!(digests(&alone), digests(&beside));
    caught_up(&beside, &feed);
}

/// A history in which starts repeat a call or an id, and corrections come before an end, after it, and of nothing.
fn told_twice() -> MemoryFeed {
    let mut feed = MemoryFeed::new(1);
    let of = |body| event(NOW_MS, Some(1), body);
    let call =
        |number: u8, call: u8| of(Body::ExecutionStarted(started(number, "file_read", Some(call))));
    let end = |number: u8| of(finished(number, "file_read", Outcome::Failed));
    let mend = |number: u8, corrects: u8| of(corrected(number, corrects, "file_read", Outcome::Ok));
    feed.commit(vec![call(1, 1), call(2, 1), end(2), call(1, 1), end(1)]);
    feed.commit(vec![call(3, 3), mend(4, 3)]);
    feed.commit(vec![end(3), mend(5, 5), end(6), call(7, 7)]);
    feed.commit(vec![call(8, 8), call(9, 8), mend(10, 7), end(7), mend(11, 10), end(9)]);
    feed.commit((12..=200).flat_map(|number| [call(number, number), end(number)]).collect());
    feed.commit(vec![mend(201, 11), mend(202, 12), end(13), call(203, 203)]);
    feed
}

#[test]
fn what_is_rebuilt_beside_the_index_is_what_is_fed_and_what_was_written_is_told() {
    for feed in [history(), told_twice()] {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (fed, made) = (places(one.path()), places(other.path()));
        for commits in 1..=feed.commits.len() {
            // A batch each, as a live store has it.
            if commits % 64 == 0 || commits == feed.commits.len() {
                caught_up(&fed, &feed.up_to(commits));
            }
        }
        caught_up(&made, &feed.up_to(3));
        // Without a graph, then with one.
        for _ in 0..2 {
            let report = rebuild(&made, &feed, &[], RebuildMode::Replace).unwrap();
            for store in &report.stores {
                assert_eq!(Ok(store.after), store_digest(&made, store.store).map_err(|_| ()));
            }
            assert_eq!(digests(&fed), digests(&made));
        }
    }
}

/// As [`history`], and so many prompts that who has none of it lacks most.
fn long_history() -> MemoryFeed {
    let mut feed = history();
    let prompt = |number: usize| {
        let text = Content::Inline(format!("do {number}").into_bytes());
        let (native_id, actor, attachments) = (None, None, Vec::new());
        let told = PromptSubmitted { text, native_id, actor, attachments };
        event(NOW_MS, Some(1), Body::PromptSubmitted(told))
    };
    feed.commit((0..4_000).map(prompt).collect());
    feed
}

#[test]
fn who_lacks_the_index_and_others_reads_the_journal_once_for_all() {
    const ALL: [StoreName; 3] = [StoreName::INDEX, StoreName::EXECUTION_LOG, StoreName::SEARCH];
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (alone, beside, feed) = (places(one.path()), places(other.path()), long_history());
    for store in ALL {
        Feeding::of(&alone, &feed).store(store).unwrap();
    }
    let (begun, begins) = channel();
    let told = Odd { begun: Some(begun), ..Odd::of(feed.clone()) };
    let report = Feeding::of(&beside, &told).all(|it| ALL.contains(it));
    for store in &report.stores {
        let done = store.outcome.as_ref().unwrap();
        assert_eq!((done.events, done.is_first), (4_512, true), "{}", store.store);
    }
    assert_eq!((report.stores.len(), begins.try_iter().count()), (3, 1));
    assert_eq!(digests(&alone), digests(&beside));
    // Who has them reads nothing.
    drop(Feeding::of(&beside, &told).all(|it| ALL.contains(it)));
    assert_eq!(begins.try_iter().count(), 0);
}

#[test]
fn who_cannot_be_made_beside_the_index_is_made_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), long_history());
    let theirs = Site::take(&places, StoreName::EXECUTION_LOG).unwrap();
    let all = |it: &StoreName| !it.is_on_demand();
    thread::scope(|scope| {
        let caught_up = scope.spawn(|| Feeding::of(&places, &feed).all(all));
        while !places.has(StoreName::INDEX).unwrap() {
            thread::yield_now();
        }
        drop(theirs);
        let report = caught_up.join().unwrap();
        assert!(report.stores.iter().all(|it| it.outcome.is_ok()), "{report:?}");
    });
    let report = rebuild(&places, &feed, &[], RebuildMode::Check).unwrap();
    assert!(!report.differs() && report.stores.len() >= 2, "{report:?}");
}

/// Who builds waits for who builds already, and keeps nobody who comes then from the index, which it has read by
/// or is to put in its place.
#[test]
fn who_waits_for_another_builder_keeps_the_index_from_nobody() {
    for (mode, replays) in [(RebuildMode::Check, 2), (RebuildMode::Replace, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let places = places(folder.path());
        let feed = history();
        caught_up(&places, &feed);
        let theirs = Site::take(&places, StoreName::EXECUTION_LOG).unwrap();
        let (begun, begins) = channel();
        let told = Odd { begun: Some(begun), ..Odd::of(feed.clone()) };
        thread::scope(|scope| {
            let places = &places;
            let waiting = scope.spawn(move || rebuild(places, &told, &[], mode));
            (0..replays).for_each(|_| begins.recv().unwrap());
            // More is in the journal than is read ahead, and the log is not to be had.
            let index = rebuild(places, &feed, &[StoreName::INDEX], RebuildMode::Replace).unwrap();
            assert_eq!(index.stores.len(), 1, "{mode:?}");
            drop(theirs);
            assert!(!waiting.join().unwrap().unwrap().differs(), "{mode:?}");
        });
    }
}

#[test]
fn an_index_that_cannot_be_built_leaves_the_others_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    caught_up(&places, &feed);
    let before = digests(&places);
    let error = rebuild(&places, &Odd::broken(feed), &[], RebuildMode::Replace).unwrap_err();
    assert_eq!(error.to_string(), "the journal could not be read");
    assert_eq!(digests(&places), before);
    // Nor is anything left of what was begun.
    let left = std::fs::read_dir(&places.building).unwrap().map(|it| it.unwrap().file_name());
    let left: Vec<_> = left.filter(|it| !it.to_string_lossy().ends_with(".building")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn who_is_gone_keeps_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    Feeding::of(&places, &feed).index().unwrap();
    for gone in BOTH {
        let built = built(&places, &feed, Some(gone));
        assert_eq!(built.iter().filter_map(|it| it.as_ref().ok()).collect::<Vec<_>>(), [&512]);
    }
}

#[test]
fn what_ends_the_reading_is_told_by_each() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    Feeding::of(&places, &feed).index().unwrap();
    for built in built(&places, &Odd::broken(feed), None) {
        let error = built.unwrap_err();
        assert_eq!(error.to_string(), "the journal could not be read");
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "bad disk");
    }
}

/// A journal that says when it is begun to be read, or can be read up to its middle.
struct Odd {
    feed: MemoryFeed,
    is_broken: bool,
    begun: Option<Sender<()>>,
}

impl Odd {
    fn of(feed: MemoryFeed) -> Self {
        Self { feed, is_broken: false, begun: None }
    }

    fn broken(feed: MemoryFeed) -> Self {
        Self { is_broken: true, ..Self::of(feed) }
    }
}

impl Feed for Odd {
    fn journal(&self) -> [u8; 16] {
        self.feed.journal()
    }

    fn through(&self) -> Mark {
        self.feed.through()
    }

    fn reopened(&self) -> Result<Box<dyn Feed + '_>, FeedError> {
        self.feed.reopened()
    }

    fn replay(&self, after: Sequence, through: Sequence) -> Result<Steps<'_>, FeedError> {
        if let Some(begun) = &self.begun {
            begun.send(()).unwrap();
        }
        if !self.is_broken {
            return self.feed.replay(after, through);
        }
        let error = FeedError { source: std::io::Error::other("bad disk").into() };
        let steps = self.feed.replay(after, through)?.take(512);
        Ok(Box::new(steps.chain([Err(error)])))
    }

    fn get(&self, at: Sequence) -> Result<Option<Recorded>, FeedError> {
        self.feed.get(at)
    }

    fn chain_at(&self, at: Sequence) -> Result<ChainAt, FeedError> {
        self.feed.chain_at(at)
    }

    fn content(&self, content: &Content) -> Option<Content> {
        self.feed.content(content)
    }
}
