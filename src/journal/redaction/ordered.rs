//! What a journal says that was redacted in it.

use std::collections::BTreeMap;

use crate::event::{Body, OrderId, PayloadRedacted, Recorded, Sequence, wire};
use crate::journal::{JournalError, JournalReader, ReplayItem};
use serde::Serialize;

/// An order as the journal tells of it, by one or several events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ordered {
    /// The event that tells of it.
    #[serde(rename = "sequence")]
    pub at: Sequence,
    pub order: OrderId,
    /// The journal that it was given for: another's, where this was salvaged from that.
    #[serde(serialize_with = "wire::hex")]
    pub journal: [u8; 16],
    /// When it was given, Unix milliseconds.
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub by: String,
    pub reason: String,
    pub rule: Option<String>,
    /// How many records it names.
    pub records: u64,
}

/// All that was ordered in a journal.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// In order of their events.
    pub orders: Vec<Ordered>,
    /// Of each record that goes its leaf, and which of `orders` names it first.
    pub records: BTreeMap<Sequence, ([u8; 32], usize)>,
    /// The same of each record beside those.
    pub beside: BTreeMap<Sequence, ([u8; 32], usize)>,
    /// Of each commit that one of those is in, by its first event, the chain before it, and by which order.
    pub links: BTreeMap<Sequence, ([u8; 32], usize)>,
}

impl Orders {
    /// Reads a journal through.
    pub fn of(reader: &JournalReader) -> Result<Self, JournalError> {
        Self::until(reader, None)
    }

    /// As [`Self::of`], up to an event.
    pub fn until(reader: &JournalReader, through: Option<Sequence>) -> Result<Self, JournalError> {
        let mut orders = Self::default();
        for item in reader.replay(Sequence(1), through) {
            if let ReplayItem::Event(recorded) = item? {
                orders.take(&recorded);
            }
        }
        Ok(orders)
    }

    /// The order that a record went by.
    pub fn by(&self, at: Sequence) -> Option<&Ordered> {
        self.orders.get(self.records.get(&at)?.1)
    }

    /// What one event says. The first that names a record is who redacted it.
    pub fn take(&mut self, recorded: &Recorded) {
        let Body::PayloadRedacted(redacted) = &recorded.event.body else { return };
        let PayloadRedacted { order, journal, records, beside, links, reason, by, rule } = redacted;
        let known = self.orders.iter().position(|it| it.order == *order);
        let index = known.unwrap_or_else(|| {
            self.orders.push(Ordered {
                at: recorded.sequence,
                order: *order,
                journal: *journal,
                at_ms: recorded.event.envelope.at_ms,
                by: by.clone(),
                reason: reason.clone(),
                rule: rule.clone(),
                records: 0,
            });
            self.orders.len() - 1
        });
        if let Some(ordered) = self.orders.get_mut(index) {
            ordered.records += records.len() as u64;
        }
        // An event says nothing of what comes after it.
        let before = |it: &u64| *it < recorded.sequence.0;
        for record in records.iter().filter(|it| before(&it.sequence)) {
            self.records.entry(Sequence(record.sequence)).or_insert((record.leaf, index));
        }
        for record in beside.iter().filter(|it| before(&it.sequence)) {
            self.beside.entry(Sequence(record.sequence)).or_insert((record.leaf, index));
        }
        for link in links.iter().filter(|it| before(&it.sequence)) {
            self.links.entry(Sequence(link.sequence)).or_insert((link.chain, index));
        }
    }
}

/// Whether something was redacted since an event.
///
/// # Errors
/// Where the journal cannot be read.
pub fn was_redacted(reader: &JournalReader, since: Sequence) -> Result<bool, JournalError> {
    for item in reader.replay(Sequence(since.0 + 1), None) {
        if let ReplayItem::Event(recorded) = item?
            && let Body::PayloadRedacted(_) = recorded.event.body
        {
            return Ok(true);
        }
    }
    Ok(false)
}
