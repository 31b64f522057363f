//! What stores find through the index: the starts of executions, and where there is something for them.

use std::fmt::Debug;

use super::{Cursor, StoreError};

/// What starts an index knows, as far as it has read.
pub trait KnownStarts {
    /// The row's id and its start's sequence, for an id as it was known just before an event.
    fn start_of(&self, id: &str, before: u64) -> Result<Option<(String, u64)>, StoreError>;

    fn has_void_starts(&self) -> Result<bool, StoreError>;

    /// Whether the start of this id at this sequence does not count.
    fn is_void_start(&self, id: &str, seq: u64) -> Result<bool, StoreError>;

    /// The event that ended the execution with this row, however often its end was told.
    fn ended_at(&self, id: &str) -> Result<Option<u64>, StoreError>;
}

/// The index, as other stores ask it while they are fed.
pub trait Lookup: KnownStarts + Debug {
    fn cursor(&self) -> Result<Option<Cursor>, StoreError>;

    /// The last event of a concern.
    fn last(&self, concern: &Concern) -> Result<Option<u64>, StoreError>;

    /// The first event of a concern after this one.
    fn next(&self, concern: &Concern, after: u64) -> Result<Option<u64>, StoreError>;
}

/// Events of which something is made, or for which somebody looks: they concern a store that is made with the
/// first of them, or of some of them, and needs nothing else of a journal.
#[derive(Debug, PartialEq, Eq)]
pub struct Concern {
    /// Asks the index for the last of them; none as long as nothing is there that the store is made for.
    pub last: &'static str,
    /// Asks it for the first after `?1`.
    pub next: &'static str,
}

/// The last event of each concern, as the index kept account of it.
#[derive(Debug)]
pub struct Operations(Vec<(&'static Concern, Option<u64>)>);

impl Operations {
    pub fn of<E>(
        concerns: impl Iterator<Item = &'static Concern>,
        mut last: impl FnMut(&Concern) -> Result<Option<u64>, E>,
    ) -> Result<Self, E> {
        let known = concerns.map(|concern| Ok((concern, last(concern)?)));
        Ok(Self(known.collect::<Result<_, E>>()?))
    }

    /// `None` where there is none.
    pub fn last(&self, concern: &Concern) -> Option<u64> {
        self.0.iter().find(|(it, _)| *it == concern).and_then(|(_, last)| *last)
    }
}
