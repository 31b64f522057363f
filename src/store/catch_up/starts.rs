//! The starts of the executions that a replay sees ending.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::CatchUpError;
use crate::event::{Body, ExecutionId, ExecutionStarted, Recorded, Sequence, SessionId};
use crate::execution::index::IndexReader;
use crate::store::{Feed, StoreError};
use crate::stores::StorePlaces;

/// Bytes of open executions that are remembered; the others are read again by seek.
const BYTES_MAX: usize = 8 << 20;
/// What one remembered start costs besides its texts.
const OVERHEAD_BYTES: usize = 512;

/// The starts of open executions, in memory as far as they fit, else through the index.
///
/// The index may be ahead of the replay, and never behind it. What is asked of it does not depend on
/// how far it is ahead: a start is found only if it came before the event that closes it, and an id
/// never changes its row.
#[derive(Debug)]
pub struct Starts {
    open: BTreeMap<[u8; 16], Recorded>,
    bytes: usize,
    index: IndexReader,
    void_starts: bool,
}

impl Starts {
    /// Looks up in the index at its place.
    pub fn through_index(places: &StorePlaces, through: Sequence) -> Result<Self, CatchUpError> {
        let index = IndexReader::open(&places.index)?;
        let cursor = index.cursor()?;
        let read = Sequence(cursor.map_or(0, |cursor| cursor.position.sequence));
        if read < through {
            return Err(CatchUpError::IndexBehind { read, wanted: through });
        }
        let void_starts = index.has_void_starts()?;
        Ok(Self { open: BTreeMap::new(), bytes: 0, index, void_starts })
    }

    /// Remembers a start, where there is room.
    pub fn begin(&mut self, recorded: Recorded) -> Result<(), StoreError> {
        let Body::ExecutionStarted(started) = &recorded.event.body else { return Ok(()) };
        let size = size(started);
        if self.bytes + size > BYTES_MAX {
            return Ok(());
        }
        // One that does not count leads, through the index, to the one that does.
        let (id, at) = (started.execution, recorded.sequence.0);
        if self.void_starts && self.index.is_void_start(&id.to_string(), at)? {
            return Ok(());
        }
        if let Entry::Vacant(entry) = self.open.entry(id.0) {
            entry.insert(recorded);
            self.bytes += size;
        }
        Ok(())
    }

    /// The start of the execution that this event closes, or corrects.
    pub fn take(
        &mut self,
        feed: &dyn Feed,
        recorded: &Recorded,
    ) -> Result<Option<Recorded>, CatchUpError> {
        let (id, corrected) = match &recorded.event.body {
            Body::ExecutionFinished(event) => (event.execution, false),
            Body::ExecutionInterrupted(event) => (event.execution, false),
            Body::ExecutionCorrected(event) => (event.corrects, true),
            _ => return Ok(None),
        };
        if !corrected && let Some(start) = self.open.remove(&id.0) {
            if let Body::ExecutionStarted(started) = &start.event.body {
                self.bytes -= size(started);
            }
            return Ok(Some(start));
        }
        let Some((row, at)) = self.index.start_of(&id.to_string(), recorded.sequence.0)? else {
            return Ok(None);
        };
        let mut start = feed.get(Sequence(at))?;
        if let (Some(start), Some(row)) = (&mut start, SessionId::parse(&row))
            && let Body::ExecutionStarted(started) = &mut start.event.body
        {
            // Under the id of the row that it is the start of.
            started.execution = ExecutionId(row.0);
        }
        Ok(start)
    }
}

fn size(started: &ExecutionStarted) -> usize {
    let lists = started.paths.iter().chain(&started.symbols);
    let texts: usize = lists.map(|text| text.len() + size_of::<String>()).sum();
    started.arguments.0.len() + texts + OVERHEAD_BYTES
}
