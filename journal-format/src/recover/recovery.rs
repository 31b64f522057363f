//! What a writer found at the tail and did about it.

use crate::scan::{Finding, Verdict};
use crate::units::{Offset, Position, SegmentNumber, Sequence};

/// What a writer found at the tail and did about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    pub segment: SegmentNumber,
    pub offset: Offset,
    pub verdict: Verdict,
    /// Bytes voided here; 0 where what was found is kept in place.
    pub bytes_cut: u64,
    /// Bytes that were acknowledged and are not there; 0 where that is not known.
    pub bytes_lost: u64,
    /// The first and last sequence lost, where they are known.
    pub lost: Option<(Sequence, Sequence)>,
    /// The file in `quarantine/` that keeps the bytes.
    pub quarantined: Option<String>,
}

impl Recovery {
    /// What was found, as verifying would tell it.
    pub fn finding(&self) -> Finding {
        let at = Position { segment: self.segment, offset: self.offset };
        let bytes = self.bytes_cut.max(self.bytes_lost);
        Finding { verdict: self.verdict, at, bytes, lost: self.lost, exact: true }
    }

    /// What was acknowledged and is gone: there is nothing to cut.
    pub(crate) fn of_loss(finding: &Finding) -> Self {
        Self {
            segment: finding.at.segment,
            offset: finding.at.offset,
            verdict: finding.verdict,
            bytes_cut: 0,
            bytes_lost: finding.bytes,
            lost: finding.lost,
            quarantined: None,
        }
    }
}
