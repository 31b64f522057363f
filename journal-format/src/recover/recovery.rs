//! What a writer found at the tail and did about it.

use crate::scan::Verdict;
use crate::units::{Offset, SegmentNumber, Sequence};

/// What a writer found at the tail and did about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    pub segment: SegmentNumber,
    pub offset: Offset,
    pub verdict: Verdict,
    /// Bytes voided here; 0 where what was found is kept in place.
    pub bytes_cut: u64,
    /// The first and last sequence lost, where they are known.
    pub lost: Option<(Sequence, Sequence)>,
    /// The file in `quarantine/` that keeps the bytes.
    pub quarantined: Option<String>,
}
