//! What verifying found.

use super::seals::ToldSeal;
use super::{BytesByState, RedactedCommit};
use crate::reader::{LockState, ReadError, SegmentSummary};
use crate::scan::{EndCause, Finding, Verdict};
use crate::units::{JournalId, Mark, Position, Sequence};

/// What verifying a journal found.
#[derive(Debug)]
pub struct VerifyReport {
    pub journal: JournalId,
    pub segments: Vec<SegmentReport>,
    pub events: u64,
    pub commits: u64,
    /// Commits whose chain was recomputed and came out the same.
    pub commits_chained: u64,
    /// Redacted events among `events`.
    pub redacted: u64,
    /// Commits with redacted events; at most [`crate::limits::REDACTED_COMMITS_MAX`] of them.
    pub redacted_commits: Vec<RedactedCommit>,
    /// What its SEAL commits say.
    pub seals: Vec<ToldSeal>,
    /// The first and last sequence that were read.
    pub sequences: Option<(Sequence, Sequence)>,
    /// The end of the last commit that counts.
    pub mark: Option<Mark>,
    /// Where that commit ends.
    pub end: Option<Position>,
    /// The highest sequence that any commit vouches for as durable.
    pub durable: Sequence,
    pub bytes: BytesByState,
    /// In the journal's order; at most [`crate::limits::FINDINGS_MAX`] of them.
    pub findings: Vec<Finding>,
    /// How many there are in all.
    pub findings_count: u64,
    /// What the disk did not give: the walk went on with the next segment.
    pub unreadable: Vec<ReadError>,
    pub lock: LockState,
}

/// What verifying one segment found.
#[derive(Clone, Debug)]
pub struct SegmentReport {
    pub summary: SegmentSummary,
    /// `None` where it could not be walked.
    pub ended: Option<EndCause>,
    pub events: u64,
    pub commits: u64,
    pub findings_count: u64,
    pub bytes: BytesByState,
}

impl VerifyReport {
    /// Nothing is wrong: what is found, if anything, is only worth knowing.
    pub fn is_clean(&self) -> bool {
        self.findings_count == self.findings.len() as u64
            && self.findings.iter().all(|finding| finding.verdict.is_note())
            && self.unreadable.is_empty()
    }

    /// Something that was durable once is lost or changed; a torn tail is not that.
    pub fn is_damaged(&self) -> bool {
        !self.unreadable.is_empty()
            || self.findings_count > self.findings.len() as u64
            || self.findings.iter().any(|finding| finding.verdict.is_loss())
    }

    /// How many of the findings kept have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }
}
