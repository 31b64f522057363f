//! What is recorded in a journal and was redacted before, in it or elsewhere.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::Withheld;
use super::beyond::{Ends, execution};
use crate::event::{Body, Content, Event, ExecutionId, Sequence};
use crate::journal::{JournalError, JournalReader, ReplayItem};
use crate::redact::Redactor;

/// A record that is met.
pub struct Met<'a> {
    pub at: Sequence,
    /// Where it lies and where it comes from.
    pub leaves: [[u8; 32]; 2],
    /// `None` where it cannot be read.
    pub event: Option<&'a Event>,
    /// The journal that it comes from.
    pub journal: [u8; 16],
}

/// Looks for that, record by record in the order of a journal.
pub struct Recorded {
    withheld: Withheld,
    redactor: Redactor,
    ends: Ends,
    /// Calls whose beginnings were met, to be read.
    begun: HashSet<ExecutionId>,
    /// What was found.
    pub records: BTreeSet<Sequence>,
    /// Of those what holds it wherever it is referred to: an order that took the others said what refers to them and
    /// goes along.
    whole: BTreeSet<Sequence>,
}

impl Recorded {
    /// `reader`: of where the records lie.
    pub fn new(withheld: Withheld, reader: &JournalReader) -> Result<Self, JournalError> {
        let redactor = Redactor::new(&[]).knowing(Some(withheld.values()));
        let ends = Ends::of(reader, &withheld)?;
        let (records, whole) = (BTreeSet::new(), BTreeSet::new());
        Ok(Self { withheld, redactor, ends, begun: HashSet::new(), records, whole })
    }

    /// Takes a record that is not redacted; whether it is one of those.
    pub fn take(&mut self, met: &Met<'_>, reader: &JournalReader) -> bool {
        if let Some(Body::ExecutionStarted(it)) = met.event.map(|it| &it.body) {
            self.begun.insert(it.execution);
        }
        let by_order = met.leaves.iter().any(|it| self.withheld.has_taken(it));
        let event = met.event.filter(|it| !by_order && !it.body.kind().is_of_journal());
        let by_content = event.is_some_and(|it| self.holds(it, reader));
        let by_time =
            || event.is_some_and(|it| self.ends.is_beyond(it, &met.journal, &self.withheld));
        let holds = by_order || by_content || by_time();
        if holds {
            self.records.insert(met.at);
        }
        if by_content {
            self.whole.insert(met.at);
        }
        holds
    }

    fn holds(&self, event: &Event, reader: &JournalReader) -> bool {
        self.withheld.is_known(event) && !self.is_left(event)
            || self.redactor.holds_known(event)
            || event.body.contents().any(|it| self.holds_in(it, reader))
    }

    /// Whether it ends a call whose beginning is gone here already: the order that took that left it.
    fn is_left(&self, event: &Event) -> bool {
        execution(&event.body).is_some_and(|it| !self.begun.contains(&it))
    }

    fn holds_in(&self, content: &Content, reader: &JournalReader) -> bool {
        match content {
            Content::Inline(_) | Content::Truncated { .. } => false, // seen with the event
            Content::Repeated { sequence, .. } if self.whole.contains(&Sequence(*sequence)) => true,
            // What cannot be read brings nothing along.
            content => reader.bytes(content).is_ok_and(|it| self.redactor.holds_known_in(&it)),
        }
    }
}

/// The records of a journal that hold what this user withholds.
pub fn recorded(
    reader: &JournalReader,
    withheld: Withheld,
) -> Result<BTreeSet<Sequence>, JournalError> {
    let mut origins = BTreeMap::new();
    reader.each_leaf(&mut |at, leaves, journal| {
        let is_taken = leaves.iter().any(|it| withheld.has_taken(it));
        if is_taken || journal != reader.id() {
            origins.insert(at, (if is_taken { leaves } else { [[0; 32]; 2] }, journal));
        }
    })?;
    let mut found = Recorded::new(withheld, reader)?;
    for item in reader.replay(Sequence(1), None) {
        let ReplayItem::Event(it) = item? else { continue };
        let known = origins.get(&it.sequence).copied();
        let (leaves, journal) = known.unwrap_or(([[0; 32]; 2], reader.id()));
        let met = Met { at: it.sequence, leaves, event: Some(&it.event), journal };
        found.take(&met, reader);
    }
    Ok(found.records)
}
