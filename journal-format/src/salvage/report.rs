//! What was salvaged, and what was not.

use crate::reader::{LockState, ReadError};
use crate::scan::Finding;
use crate::units::{JournalId, Mark, Position, Sequence};

/// What was salvaged, and what was not.
#[derive(Debug)]
pub struct SalvageReport {
    /// The journal that was read.
    pub from: JournalId,
    /// The journal that was written: a copy that differs is not the same journal.
    pub to: JournalId,
    pub events: u64,
    pub commits: u64,
    pub segments: u64,
    /// The end of what was written.
    pub mark: Option<Mark>,
    /// Sequences that the source must have had and the copy has not, first and last of each gap;
    /// at most [`crate::limits::FINDINGS_MAX`].
    pub gaps: Vec<(Sequence, Sequence)>,
    /// How many sequences those gaps hold in all.
    pub missing: u64,
    /// Whole frames that no commit vouched for (torn tails, holes, beyond a bound).
    pub voided: Vec<Voided>,
    pub blobs: u64,
    /// Names of blobs whose bytes are not what their name says; left behind.
    pub blobs_damaged: Vec<String>,
    /// What was wrong; at most [`crate::limits::FINDINGS_MAX`].
    pub findings: Vec<Finding>,
    pub findings_count: u64,
    pub unreadable: Vec<ReadError>,
    pub lock: LockState,
}

impl SalvageReport {
    /// Whether it is known how much is missing: of a journal's end that is gone, only where another
    /// witness tells.
    pub fn is_bounded(&self) -> bool {
        self.unreadable.is_empty()
            && self.findings_count == self.findings.len() as u64
            && self.findings.iter().all(|it| it.exact || it.lost.is_none())
    }

    /// Something that was acknowledged is not in the copy, or not as it was.
    pub fn is_lossy(&self) -> bool {
        self.missing > 0
            || !self.unreadable.is_empty()
            || !self.blobs_damaged.is_empty()
            || self.findings_count > self.findings.len() as u64
            || self.findings.iter().any(|finding| finding.verdict.is_loss())
    }
}

/// A whole frame of an append that was never acknowledged, kept aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voided {
    pub at: Position,
    pub sequence: Sequence,
    pub kind: u16,
    pub version: u8,
    pub time_ms: u64,
    /// The file in `voided/` that holds its payload.
    pub file: String,
}
