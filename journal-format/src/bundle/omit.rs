//! What is left out of a bundle: frames that are redacted in it (FORMAT.md §6), and in the journal are not.

use std::collections::BTreeMap;

use super::BundleError;
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
    /// The frames of these kinds. Where something of the journal is damaged, nobody can say what that holds.
    pub fn find<S: Storage>(reader: &Reader<S>, kinds: &[u16]) -> Result<Self, BundleError> {
        let (mut found, end) = (Self::default(), reader.mark().sequence);
        if kinds.is_empty() {
            return Ok(found);
        }
        let mut entries = reader.entries(Sequence(1));
        while let Some(item) = entries.next() {
            match item? {
                Item::Entry(entry) if entry.sequence > end => break,
                Item::Entry(entry) if kinds.contains(&entry.kind) => {
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
