//! What is left out of a bundle: frames that are redacted in it (FORMAT.md §6), and in the journal are not.

use std::collections::BTreeMap;

use super::{BundleError, LeaveOut};
use crate::frame::Flags;
use crate::reader::{Item, Reader};
use crate::storage::Storage;
use crate::units::{SegmentNumber, Sequence};

/// Frames of a journal, by where they stand.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    frames: BTreeMap<SegmentNumber, Vec<u64>>,
    pub count: u64,
}

impl LeftOut {
    /// The frames that are to be redacted. Where something of the journal is damaged, nobody can say what that holds.
    pub fn find<S: Storage>(
        reader: &Reader<S>,
        leave_out: Option<&LeaveOut<'_>>,
    ) -> Result<Self, BundleError> {
        let (mut found, end) = (Self::default(), reader.mark().sequence);
        let Some(LeaveOut { kinds, records, before, .. }) = leave_out else { return Ok(found) };
        found.count = *before;
        if kinds.is_empty() && records.is_empty() {
            return Ok(found);
        }
        let mut entries = reader.entries(Sequence(1));
        while let Some(item) = entries.next() {
            match item? {
                Item::Entry(entry) if entry.sequence > end => break,
                // What is left out already was counted.
                Item::Entry(entry) if *before > 0 && entry.flags.has(Flags::REDACTED) => {}
                Item::Entry(entry)
                    if kinds.contains(&entry.kind) || records.contains(&entry.sequence.0) =>
                {
                    let segment = found.frames.entry(entry.position.segment).or_default();
                    segment.push(entry.position.offset.0);
                    found.count += 1;
                }
                Item::Finding(finding) if !finding.verdict.is_note() => {
                    let (segment, at) = (finding.at.segment.0, finding.at.offset.0);
                    return Err(BundleError::Unsure { segment, at });
                }
                Item::Commit(commit) if commit.mark.sequence == end => break,
                Item::Entry(_) | Item::Finding(_) | Item::Commit(_) => {}
            }
        }
        Ok(found)
    }

    /// Those of a segment, in order.
    pub fn of(&self, segment: SegmentNumber) -> &[u64] {
        self.frames.get(&segment).map_or(&[], Vec::as_slice)
    }
}
