//! What of an order a journal has.

use std::collections::{BTreeMap, BTreeSet};

use annals_journal_format::frame::{Flags, layout};
use annals_journal_format::tree::{LeafStep, leaves};

use super::SignedOrder;
use crate::event::{RedactedRecord, Sequence};
use crate::journal::{JournalError, JournalReader};

/// The records that an order names in one journal, by what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// There, and to go.
    pub there: Vec<RedactedRecord>,
    /// Redacted already.
    pub before: Vec<RedactedRecord>,
    /// Not there, or another record stands in its place.
    pub absent: Vec<RedactedRecord>,
}

impl Applied {
    pub fn of(order: &SignedOrder, reader: &JournalReader) -> Result<Self, JournalError> {
        let mut applied = Self::default();
        let Some(named) = order.records.get(&reader.id()) else { return Ok(applied) };
        let wanted = named.iter().map(|it| Sequence(it.sequence)).collect();
        let found = leaves_of(reader, &wanted)?;
        for record in named {
            match found.get(&Sequence(record.sequence)) {
                Some((leaf, gone)) if *leaf == record.leaf => match gone {
                    true => applied.before.push(*record),
                    false => applied.there.push(*record),
                },
                _ => applied.absent.push(*record),
            }
        }
        Ok(applied)
    }
}

/// The leaves of these records, and whether each is redacted.
pub fn leaves_of(
    reader: &JournalReader,
    wanted: &BTreeSet<Sequence>,
) -> Result<BTreeMap<Sequence, ([u8; 32], bool)>, JournalError> {
    let mut found = BTreeMap::new();
    let mut take = |step: LeafStep<'_>| {
        if let LeafStep::Leaf { sequence, leaf, frame } = step
            && wanted.contains(&Sequence(sequence.0))
        {
            let gone = Flags(frame[layout::FLAGS_AT]).has(Flags::REDACTED);
            found.insert(Sequence(sequence.0), (leaf, gone));
        }
        true
    };
    let walked = leaves(&reader.storage, &reader.path, None, false, &mut take);
    walked.map_err(|source| JournalError::Read { path: reader.path.clone(), source })?;
    Ok(found)
}
