//! The decision table for bytes that should be a frame and are not.
//!
//! ```text
//! row  unwritten  witnessed  commit after   verdict
//!  1      no          –           –         damage             only the frame is lost, also at the tail
//!  2      yes        yes          –         acknowledged loss  a caller was told it was durable
//!  3      yes         no         no         torn tail          never acknowledged: cut
//!  4      yes         no         yes        unsynced hole      never acknowledged: cut, with what follows
//! ```
//!
//! *Unwritten*: the rest of its first sector, any whole sector, or its last eight bytes are zero;
//! no frame that was written whole ever looks like that. *Witnessed*: a later commit's `durable`,
//! a successor's header or a synced tail slot says that it was on disk. *Commit after*: another
//! commit's first frame stands behind it in the segment.

use std::fmt;

/// What is wrong at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Row 1: written once, changed since. Kept; costs its frame alone.
    Damage,
    /// Row 2: acknowledged as durable, and not there.
    AcknowledgedLoss,
    /// Row 3: an append that was cut short before anyone was told of it.
    TornTail,
    /// Row 4: as a torn tail, but later bytes of unacknowledged appends did reach the disk.
    UnsyncedHole,
    /// Every CRC holds, but the commit does not continue the chain: something was replaced or
    /// taken out.
    ChainBroken,
    /// Every CRC holds, but the payload does not decompress to what it claims.
    PayloadDamaged,
    /// A sound frame whose sequence does not come after the one before it.
    OutOfOrder,
    /// Every CRC holds, but the payload is not what its kind says.
    Undecodable,
    /// Every CRC holds, but the commit's frames, sequences or lengths do not fit each other.
    CommitMalformed,
    /// A commit vouches for itself, or for what comes after it.
    DurableBeyond,
    /// Bytes that are to be zero are not, and the sums were made over them.
    PaddingNotZero,
    /// An event was recorded well before the one in front of it.
    TimeRunsBack,
    /// A seal's size or root is not that of the records before it.
    SealBroken,
    /// A payload is gone, and no event of the journal orders that: only who knows events can say.
    Unordered,
    /// A record that an event vouches for, since its commit's chain cannot, is another.
    LeafChanged,
    /// An event orders that a payload is destroyed, and it is there: not done yet, or undone.
    NotRedacted,
    /// A segment whose header page cannot be read.
    HeaderDamaged,
    /// A segment's header holds in one of its two copies only.
    HeaderCopyDamaged,
    /// Both copies of a segment's header hold, and say different things.
    HeaderCopiesDiffer,
    /// A segment number is not there although a later one is.
    SegmentMissing,
    /// A segment of another journal, or a name that its header contradicts.
    Foreign,
}

/// What the table decides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    pub unwritten: bool,
    pub witnessed: bool,
    pub commit_after: bool,
}

/// The table above, row by row.
pub fn classify(evidence: Evidence) -> Verdict {
    match evidence {
        Evidence { unwritten: false, .. } => Verdict::Damage,
        Evidence { unwritten: true, witnessed: true, .. } => Verdict::AcknowledgedLoss,
        Evidence { unwritten: true, witnessed: false, commit_after: false } => Verdict::TornTail,
        Evidence { unwritten: true, witnessed: false, commit_after: true } => Verdict::UnsyncedHole,
    }
}

impl Verdict {
    /// Whether a writer cuts the journal here (and keeps what it cuts in quarantine).
    pub fn is_cut(self) -> bool {
        matches!(self, Self::TornTail | Self::UnsyncedHole)
    }

    /// Whether it is no fault of the journal: a clock that was set back is an honest thing.
    pub fn is_note(self) -> bool {
        matches!(self, Self::TimeRunsBack)
    }

    /// Whether something that was once durable is lost or changed.
    pub fn is_loss(self) -> bool {
        !self.is_cut()
            && !matches!(
                self,
                Self::HeaderCopyDamaged
                    | Self::PaddingNotZero
                    | Self::TimeRunsBack
                    | Self::NotRedacted
            )
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Damage => "damage",
            Self::AcknowledgedLoss => "acknowledged loss",
            Self::TornTail => "torn tail",
            Self::UnsyncedHole => "unsynced hole",
            Self::ChainBroken => "chain broken",
            Self::PayloadDamaged => "payload damaged",
            Self::OutOfOrder => "out of order",
            Self::Undecodable => "payload undecodable",
            Self::CommitMalformed => "commit malformed",
            Self::DurableBeyond => "durable beyond",
            Self::PaddingNotZero => "padding not zero",
            Self::TimeRunsBack => "time runs back",
            Self::SealBroken => "seal broken",
            Self::Unordered => "redacted without an order",
            Self::LeafChanged => "leaf changed",
            Self::NotRedacted => "not redacted",
            Self::HeaderDamaged => "header damaged",
            Self::HeaderCopyDamaged => "header copy damaged",
            Self::HeaderCopiesDiffer => "header copies differ",
            Self::SegmentMissing => "segment missing",
            Self::Foreign => "foreign segment",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
