//! Stores side by side, from one replay.

use super::history::{NOW_MS, event, finished, started};
use super::{caught_up, digests, places};
use crate::event::{Body, Content, Outcome, Recorded, Sequence};
use crate::journal::Mark;
use crate::store::catch_up::{CatchUpError, Feeding};
use crate::store::feed::memory::MemoryFeed;
use crate::store::feed::{ChainAt, Steps};
use crate::store::{Feed, FeedError, StoreName, StorePlaces};

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
    for built in built(&places, &Broken(feed), None) {
        let error = built.unwrap_err();
        assert_eq!(error.to_string(), "the journal could not be read");
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "bad disk");
    }
}

/// A journal that can be read up to its middle.
struct Broken(MemoryFeed);

impl Feed for Broken {
    fn journal(&self) -> [u8; 16] {
        self.0.journal()
    }

    fn through(&self) -> Mark {
        self.0.through()
    }

    fn reopened(&self) -> Result<Box<dyn Feed + '_>, FeedError> {
        self.0.reopened()
    }

    fn replay(&self, after: Sequence, through: Sequence) -> Result<Steps<'_>, FeedError> {
        let error = FeedError { source: std::io::Error::other("bad disk").into() };
        let steps = self.0.replay(after, through)?.take(512);
        Ok(Box::new(steps.chain([Err(error)])))
    }

    fn get(&self, at: Sequence) -> Result<Option<Recorded>, FeedError> {
        self.0.get(at)
    }

    fn chain_at(&self, at: Sequence) -> Result<ChainAt, FeedError> {
        self.0.chain_at(at)
    }

    fn content(&self, content: &Content) -> Option<Content> {
        self.0.content(content)
    }
}
