//! Where and why a scan ended.

use crate::units::{Mark, Offset, Sequence};

/// Why a scan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// Only zeros follow, or nothing.
    Clean,
    /// A ROLL commit: the next segment continues.
    Roll,
    /// A SEAL commit: the next segment continues.
    Seal,
    /// The successor's header says that the segment ends here.
    Bound,
    /// A torn tail or an unsynced hole: what follows is void.
    Cut,
}

/// Where a scan ended: what the next writer or the next segment continues from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanEnd {
    pub cause: EndCause,
    /// The first byte after the last commit that counts.
    pub offset: Offset,
    /// The last commit that counts.
    pub mark: Mark,
    /// The lowest sequence that was never seen on disk here.
    pub next_sequence: Sequence,
    /// The highest sequence that any commit here vouched for.
    pub durable: Sequence,
    /// Whether `mark.chain` is the last commit's own; not so where that commit's end is damaged.
    pub chain_known: bool,
}
