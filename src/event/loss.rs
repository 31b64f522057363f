//! Losses that events tell of: what was acknowledged, is gone, and was recorded so.

use std::fmt;

use super::{Body, Recorded, RecoveryPerformed, Sequence};

/// A loss that an event tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedLoss {
    /// The event that tells of it.
    pub at: Sequence,
    pub segment: u64,
    /// A byte offset in the segment.
    pub offset: u64,
    /// As `verify` prints it.
    pub verdict: String,
    /// 0 where nobody knows how many.
    pub bytes: u64,
    /// The first and last event that are gone.
    pub lost: Option<(Sequence, Sequence)>,
}

impl RecordedLoss {
    /// Verdicts of what was cut because nobody had been told that it was recorded: no loss.
    pub const CUT: [&str; 2] = ["torn tail", "unsynced hole"];
    /// How stores and answers name the kind.
    pub const KIND: &str = "recorded loss";

    /// The loss that an event tells of; what was cut is none, since nobody was told of it.
    pub fn of(recorded: &Recorded) -> Option<Self> {
        match &recorded.event.body {
            Body::RecoveryPerformed(performed) => Self::performed(recorded.sequence, performed),
            _ => None,
        }
    }

    fn performed(at: Sequence, performed: &RecoveryPerformed) -> Option<Self> {
        if Self::CUT.contains(&performed.verdict.as_str()) {
            return None;
        }
        Some(Self {
            at,
            segment: performed.segment,
            offset: performed.offset,
            verdict: performed.verdict.clone(),
            bytes: performed.bytes_lost,
            lost: performed.lost.map(|(first, last)| (Sequence(first), Sequence(last))),
        })
    }
}

impl fmt::Display for RecordedLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { segment, offset, verdict, bytes, lost, .. } = self;
        match lost {
            Some((first, last)) if first == last => write!(f, "event {first} is lost")?,
            Some((first, last)) => write!(f, "events {first} to {last} are lost")?,
            None => f.write_str("no event is lost")?,
        }
        write!(f, ": {verdict} in segment {segment} at byte {offset}")?;
        match bytes {
            0 => Ok(()),
            bytes => write!(f, " ({bytes} bytes)"),
        }
    }
}
