//! One step of an audit replay: what happened, and the stores after it.

use crate::event::{Kind, Recorded, Sequence};
use crate::execution::tally::{Added, TallyCounts};
use crate::journal::Finding;

/// One step of an audit replay.
#[derive(Debug)]
pub struct Step {
    /// Its number among the steps shown, from 1.
    pub number: u64,
    pub what: What,
    /// What it added to the stores.
    pub added: Added,
    /// The stores as they stand after it.
    pub stores: TallyCounts,
}

/// What a step shows.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and nearly all are events")]
pub enum What {
    Event(Recorded),
    /// An event of a kind that this build does not know, and that no store needs.
    Unknown {
        sequence: Sequence,
        kind: Kind,
    },
    /// An event whose payload was destroyed on purpose; its place still verifies.
    Redacted {
        sequence: Sequence,
        kind: Kind,
    },
    /// An event that this build cannot read.
    /// `problem` says why, causes included; it is not escaped.
    Undecodable {
        sequence: Sequence,
        kind: Kind,
        problem: String,
    },
    /// Bytes that are not what was written.
    Lost(Finding),
}

impl Step {
    /// The event's place; of lost ones the first, where that is known.
    pub fn sequence(&self) -> Option<Sequence> {
        match &self.what {
            What::Event(recorded) => Some(recorded.sequence),
            What::Unknown { sequence, .. }
            | What::Redacted { sequence, .. }
            | What::Undecodable { sequence, .. } => Some(*sequence),
            What::Lost(finding) => finding.lost.map(|(first, _)| Sequence(first.0)),
        }
    }

    /// When it happened, Unix milliseconds; `None` where no event can be read.
    pub fn at_ms(&self) -> Option<u64> {
        match &self.what {
            What::Event(recorded) => Some(recorded.event.envelope.at_ms),
            _ => None,
        }
    }
}
