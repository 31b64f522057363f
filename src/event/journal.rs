//! Facts about the journal itself.

use bincode::{Decode, Encode};

/// The first event of every journal.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct JournalCreated {
    pub machine: String,
    pub project: String,
    /// The project's folder as it was then: what the paths of later events are told from.
    pub root: String,
    /// The program's version that made it.
    pub version: String,
}

/// A writer found something wrong at the tail and recovered (journal-format R4–R6): what was never
/// acknowledged is cut, what was is lost, and said so before anything is appended behind it.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct RecoveryPerformed {
    pub segment: u64,
    /// Where the valid part ended, a byte offset in the segment.
    pub offset: u64,
    /// The verdict's name, as `verify` prints it.
    pub verdict: String,
    pub bytes_cut: u64,
    /// The file in `quarantine/` that keeps what was cut.
    pub quarantined: Option<String>,
    /// Bytes that were acknowledged and do not hold any more; 0 where nobody knows how many.
    pub bytes_lost: u64,
    /// The first and last event that are gone, where they are known.
    pub lost: Option<(u64, u64)>,
}

/// A payload was destroyed on purpose; its leaf still verifies.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct PayloadRedacted {
    pub sequence: u64,
    pub reason: String,
    pub by: String,
}

/// A signed checkpoint left the machine.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct CheckpointSigned {
    pub origin: String,
    pub tree_size: u64,
    pub root: [u8; 32],
    pub key: String,
}

/// A hand-edited or foreign memory was taken over as events.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct MemoryAdopted {
    pub store: String,
    pub digest: [u8; 32],
    pub items: u64,
}
