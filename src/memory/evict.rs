//! Recall events that somebody wants gone: they go into the archive.

use std::collections::BTreeSet;

use super::MemoryError;
use super::limits::MOVED_EVENTS_MAX;
use super::operation::Operation;
use super::results::{Evicted, NotEvicted};
use crate::event::{Body, MemoryDoor, RecallEvicted};
use crate::memory::query as memory;
use crate::memory::query::RecallEvent;
use crate::parse::reply::RecallEvict;

impl Operation<'_> {
    /// Moves events of a branch's own into the archive; those of others stay and are told.
    pub fn evict(&mut self, branch: &str, which: &RecallEvict) -> Result<Evicted, MemoryError> {
        let branch = self.branch(branch)?;
        self.evict_by(MemoryDoor::Api, &branch, which)
    }

    pub(super) fn evict_by(
        &mut self,
        by: MemoryDoor,
        branch: &str,
        which: &RecallEvict,
    ) -> Result<Evicted, MemoryError> {
        let own = memory::own_events(&self.view()?, branch, usize::MAX)?;
        let mut done = Evicted::default();
        let known: BTreeSet<u64> = own.iter().map(|event| event.id).collect();
        for id in which.ids.iter().copied().filter(|id| !known.contains(id)) {
            let owner = self
                .view()?
                .owner_of_event(id)
                .map_err(crate::execution::query::QueryError::from)?;
            done.refused.push(NotEvicted { id, owner });
        }
        let oldest = usize::try_from(which.oldest).unwrap_or(usize::MAX);
        let first_oldest = own.len().saturating_sub(oldest);
        let goes = |(at, event): &(usize, &RecallEvent)| {
            *at >= first_oldest
                || which.ids.contains(&event.id)
                || which.kind.as_ref().is_some_and(|kind| *kind == event.kind)
        };
        // The oldest first: what lies in the archive lies in the order in which it happened.
        let going: Vec<RecallEvent> =
            own.iter().enumerate().filter(goes).map(|(_, event)| event.clone()).rev().collect();
        if going.len() > MOVED_EVENTS_MAX {
            let (what, count) = ("events to evict", going.len());
            return Err(MemoryError::TooMany { what, count, count_max: MOVED_EVENTS_MAX });
        }
        for event in going {
            let (text, tags) = archived(&event);
            let record = self.archive(MemoryDoor::Internal, branch, &text, tags)?.id;
            done.ids.push(event.id);
            done.records.push(record);
        }
        if !done.ids.is_empty() {
            let (ids, records) = (done.ids.clone(), done.records.clone());
            let (branch, origin) = (branch.to_owned(), self.origin(by));
            self.record(Body::RecallEvicted(RecallEvicted { branch, ids, records, origin }))?;
        }
        Ok(done)
    }
}

/// An event as a record: its text in full.
fn archived(event: &RecallEvent) -> (String, Vec<String>) {
    let (kind, seconds) = (&event.kind, event.at_ms / 1_000);
    let text = format!("Evicted recall event {} [{kind}] of {seconds}:\n{}", event.id, event.text);
    let mut tags = vec!["EVICTED_RECALL".to_owned(), format!("RECALL_{}", kind.to_uppercase())];
    tags.extend(event.tags.iter().filter(|tag| *tag != "RECALL_EVENT").cloned());
    (text, tags)
}
