//! What is recorded in a journal and was redacted before, in it or elsewhere.

use std::collections::BTreeSet;

use super::{Withheld, identity};
use crate::event::{Body, Content, Event, Sequence};
use crate::journal::{JournalError, JournalReader, ReplayItem};
use crate::redact::Redactor;

/// Looks for that, record by record in the order of a journal.
pub struct Recorded {
    withheld: Withheld,
    redactor: Redactor,
    /// What was found.
    pub records: BTreeSet<Sequence>,
}

impl Recorded {
    pub fn new(withheld: Withheld) -> Self {
        let redactor = Redactor::new(&[]).knowing(Some(withheld.values()));
        Self { withheld, redactor, records: BTreeSet::new() }
    }

    /// Takes a record; whether it is one of those. `journal`: where it comes from; `reader`: of where it lies.
    pub fn take(
        &mut self,
        at: Sequence,
        event: &Event,
        journal: [u8; 16],
        reader: &JournalReader,
    ) -> bool {
        let holds = !event.body.kind().is_of_journal()
            && (self.withheld.holds(event, || Some(journal))
                || self.withheld.is_beyond(event, journal)
                || self.redactor.holds_known(event)
                || event.body.contents().any(|it| self.holds_in(it, reader)));
        if holds {
            self.records.insert(at);
        }
        holds
    }

    fn holds_in(&self, content: &Content, reader: &JournalReader) -> bool {
        match content {
            Content::Inline(_) | Content::Truncated { .. } => false, // seen with the event
            Content::Repeated { sequence, .. } if self.records.contains(&Sequence(*sequence)) => {
                true
            }
            // What cannot be read brings nothing along.
            content => reader.bytes(content).is_ok_and(|it| self.redactor.holds_known_in(&it)),
        }
    }
}

impl Withheld {
    /// Whether an event is of what policy took out of the journal of this id, whoever recorded it.
    fn is_beyond(&self, event: &Event, journal: [u8; 16]) -> bool {
        let stays = matches!(event.body, Body::SessionStarted(_) | Body::ModelChanged(_));
        !stays && !identity::told_by(event).is_empty() && self.is_before(event, journal)
    }
}

/// The records of a journal that hold what this user withholds.
pub fn recorded(
    reader: &JournalReader,
    withheld: Withheld,
) -> Result<BTreeSet<Sequence>, JournalError> {
    let mut found = Recorded::new(withheld);
    for item in reader.replay(Sequence(1), None) {
        if let ReplayItem::Event(it) = item? {
            found.take(it.sequence, &it.event, reader.id(), reader);
        }
    }
    Ok(found.records)
}
