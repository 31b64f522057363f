//! What a hook is answered from: a project's stores as they stand. None is caught up or read through, nor waited for
//! longer than others of ours take to write it, and what they say of their journal is held against the one that lies
//! there: they are files, and anybody's may come with a checkout.

use std::fmt;
use std::time::Duration;

use crate::execution::index::IndexReader;
use crate::execution::log::ExecutionLogReader;
use crate::execution::query::Stores;
use crate::journal::Project;
use crate::store::catch_up::{RebuildReason, Standing, rebuild_reason, standing_by_its_word};
use crate::store::held::HeldReader;
use crate::store::{AnyReader, Feed, JournalFeed, Result, StoreName, StorePlaces, stamp};

/// A store that lacks more events says too little of how things stand now.
const BEHIND_EVENTS_MAX: u64 = 4_000;
/// So long what one of ours writes is waited for.
const WRITTEN_MAX: Duration = Duration::from_millis(200);
/// A journal of no more events has no earlier session to tell of.
const BEGUN_EVENTS_MAX: u64 = 8;

#[derive(Debug, Default)]
pub struct StandingStores {
    /// Without their log, where that one alone cannot be gone by.
    pub stores: Option<Stores>,
    pub mute: Option<Mute>,
}

/// The first store that nothing is answered from.
#[derive(Debug, PartialEq, Eq)]
pub struct Mute {
    pub store: StoreName,
    pub why: Why,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Why {
    Wrong(RebuildReason),
    /// Its files are not as one of ours left them.
    Doubtful,
    /// Another of ours writes it for longer than a hook waits.
    Written,
    /// So many events are not in it yet.
    Behind(u64),
    Unread,
}

impl StandingStores {
    pub fn of(project: &Project) -> Self {
        Self::opened(project, true)
    }

    /// As [`StandingStores::of`], the index alone: for what it answers in half the time.
    pub fn of_index(project: &Project) -> Self {
        Self::opened(project, false)
    }

    fn opened(project: &Project, with_log: bool) -> Self {
        let places = StorePlaces::of(project);
        // One that cannot be read is told by who records.
        let feed = JournalFeed::reading(&project.journal_dir());
        let (Some(first), Ok(feed)) = (places.list.stores.first(), feed) else {
            return Self::default();
        };
        let index = IndexReader::open(places.index());
        let index = match judged(*first, &places, index, |it| &it.store, &feed) {
            Ok(index) => index,
            Err(Mute { why: Why::Wrong(RebuildReason::Missing), .. })
                if feed.through().sequence.0 <= BEGUN_EVENTS_MAX =>
            {
                return Self::default();
            }
            Err(mute) => return Self { stores: None, mute: Some(mute) },
        };
        let (log, mute) = match with_log {
            true => {
                let log = ExecutionLogReader::open(places.execution_log());
                let log = judged(StoreName::EXECUTION_LOG, &places, log, |it| &it.0, &feed);
                log.map_or_else(|mute| (None, Some(mute)), |log| (Some(log), None))
            }
            false => (None, None),
        };
        // What cannot be attached now is asked for another time.
        Self { stores: Stores::of(&places, index, log).ok(), mute }
    }
}

/// A store that was opened, where it can be gone by.
fn judged<R>(
    store: StoreName,
    places: &StorePlaces,
    opened: Result<R>,
    held: fn(&R) -> &HeldReader,
    feed: &JournalFeed<'_>,
) -> Result<R, Mute> {
    let of_error =
        |error| Mute { store, why: rebuild_reason(error).map_or(Why::Unread, Why::Wrong) };
    let reader = opened.map_err(of_error)?;
    let (cursor, rows) = held(&reader).stand().map_err(of_error)?;
    let why = match standing_by_its_word(cursor, rows, feed) {
        Ok(Standing::Wrong(reason)) => Some(Why::Wrong(reason)),
        // What comes with a checkout may have another's cursor; the stamp of its files it cannot have.
        Ok(stands) => match (stamp::is_doubtful_within(places.path(store), WRITTEN_MAX), stands) {
            (Some(true), _) => Some(Why::Doubtful),
            (None, _) => Some(Why::Written),
            (Some(false), Standing::Behind(at)) => {
                let events = feed.through().sequence.0.saturating_sub(at.0);
                (events > BEHIND_EVENTS_MAX).then_some(Why::Behind(events))
            }
            (Some(false), _) => None,
        },
        Err(_) => Some(Why::Unread), // the journal cannot be
    };
    why.map_or(Ok(reader), |why| Err(Mute { store, why }))
}

impl fmt::Display for Mute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { store, why } = self;
        match why {
            Why::Wrong(reason) => write!(f, "{store}: {reason}"),
            Why::Doubtful => write!(f, "{store}: another program changed its files"),
            Why::Written => write!(f, "{store}: it is being written"),
            Why::Behind(events) => write!(f, "{store}: it lacks {events} events"),
            Why::Unread => write!(f, "{store}: it cannot be read now"),
        }
    }
}
