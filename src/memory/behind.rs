//! The words that `index.db` keeps, beside an operation: the index may lag, and never has what an operation decided.

use std::collections::BTreeSet;
use std::path::Path;

use super::Result;
use super::bench::id_of;
use crate::event::{Body, Event, Sequence};
use crate::execution::index::IndexReader;
use crate::journal::{JournalReader, ReplayItem};
use crate::memory::store::KeptWords;

/// The index, and what it does not know.
#[derive(Default)]
pub(super) struct Behind {
    open: Option<(IndexReader, (u64, u64))>,
    /// What is known of the journal: from the index's last event to another.
    known: (Sequence, Sequence),
    /// Records that were written or changed in there.
    recorded: BTreeSet<u64>,
    /// These, and those of the operation.
    changed: BTreeSet<u64>,
}

impl Behind {
    /// Reads what the journal has through `end` and the index does not.
    pub fn refresh(
        &mut self,
        path: &Path,
        reader: &JournalReader,
        (end, decided): (Sequence, &[Event]),
    ) -> Result<()> {
        let file = id_of(path);
        if self.open.as_ref().map(|it| it.1) != file {
            // What cannot be opened spares nothing: the records themselves are read.
            self.open = file.and_then(|file| Some((IndexReader::open(path).ok()?, file)));
        }
        let Some((index, _)) = &self.open else { return Ok(()) };
        let cursor = index.cursor()?.filter(|it| it.position.journal == reader.id());
        let Some(cursor) = cursor else {
            self.open = None;
            return Ok(());
        };
        let from = Sequence(cursor.position.sequence);
        if self.known.0 != from || self.known.1 > end {
            self.known = (from, from);
            self.recorded.clear();
        }
        if self.known.1 < end {
            for item in reader.replay(Sequence(self.known.1.0 + 1), Some(end)) {
                if let ReplayItem::Event(recorded) = item? {
                    self.recorded.extend(changed(&recorded.event.body));
                }
            }
            self.known.1 = end;
        }
        self.changed.clone_from(&self.recorded);
        self.changed.extend(decided.iter().filter_map(|it| changed(&it.body)));
        Ok(())
    }

    pub fn words(&self) -> Option<KeptWords<'_>> {
        let (index, _) = self.open.as_ref()?;
        Some(KeptWords { index, changed: &self.changed, near: &[] })
    }
}

/// The record that an event writes or changes.
fn changed(body: &Body) -> Option<u64> {
    match body {
        Body::ArchivalWritten(written) => Some(written.id),
        Body::ArchivalUpdated(updated) => Some(updated.id),
        _ => None,
    }
}
