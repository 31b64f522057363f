//! Facts about the journal itself, and the losses that they tell of.

use std::fmt;

use bincode::{Decode, Encode};
use serde::Serialize;

use super::{Body, Kind, OrderId, Recorded, Sequence, wire};

/// The first event of every journal.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
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

/// Payloads are destroyed on purpose, from here on; their leaves still verify. Recorded before anything is
/// destroyed, and never with anything of what they held. An order of many records is told by several of these,
/// in one commit.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct PayloadRedacted {
    /// The order that they go by: several events, and several journals, may carry out the same.
    pub order: OrderId,
    /// The journal that this was recorded in: who salvaged it from there has other chains.
    #[serde(serialize_with = "wire::hex")]
    pub journal: [u8; 16],
    /// What goes, in order of sequence; with `beside` at most [`RedactedRecord::LEN_MAX`].
    pub records: Vec<RedactedRecord>,
    /// The other records of the same commits, which stay: their commit's chain cannot vouch for them any more.
    pub beside: Vec<RedactedRecord>,
    /// The chain before each of those commits, which nothing else holds theirs to any more.
    pub links: Vec<ChainLink>,
    pub reason: String,
    pub by: String,
    /// The rule of redaction that found them, if one did.
    pub rule: Option<String>,
}

/// A record, and what vouches for it where the chain of its commit cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode, Serialize)]
pub struct RedactedRecord {
    pub sequence: u64,
    /// As it was while the payload was there, and is ever after (journal-format, FORMAT.md §6).
    #[serde(serialize_with = "wire::hex")]
    pub leaf: [u8; 32],
}

/// Where a commit goes on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode, Serialize)]
pub struct ChainLink {
    /// The commit's first event.
    pub sequence: u64,
    /// The chain at the end of the commit before it.
    #[serde(serialize_with = "wire::hex")]
    pub chain: [u8; 32],
}

impl RedactedRecord {
    /// How many one event names at most.
    pub const LEN_MAX: usize = 4_096;
}

/// A signed checkpoint left the machine.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct CheckpointSigned {
    pub origin: String,
    pub tree_size: u64,
    #[serde(serialize_with = "wire::hex")]
    pub root: [u8; 32],
    pub key: String,
}

/// A hand-edited or foreign memory was taken over as events.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct MemoryAdopted {
    pub store: String,
    #[serde(serialize_with = "wire::hex")]
    pub digest: [u8; 32],
    pub items: u64,
}

/// The journal does not contain what this user's programs saw of it: it was cut, rewritten or forked, or an
/// older copy was put in its place.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct HistoryContradicted {
    /// `cut`, `rewritten`, `forked` or `replaced`.
    pub change: String,
    /// The last event that was seen.
    pub seen_sequence: u64,
    /// The chain there, as it was seen.
    #[serde(serialize_with = "wire::hex")]
    pub seen_chain: [u8; 32],
    /// Where the journal ended when that was found.
    pub end_sequence: u64,
    /// The last event up to which both are known to be the same.
    pub shared_sequence: Option<u64>,
}

impl Kind {
    /// Whether it tells of the journal itself: whose it is, what was redacted, signed or archived, and how it is not
    /// what was seen. Verifying goes by that, so that it is never redacted.
    pub fn is_of_journal(self) -> bool {
        matches!(
            self.name(),
            Some(
                "JournalCreated"
                    | "PayloadRedacted"
                    | "CheckpointSigned"
                    | "HistoryContradicted"
                    | "RetentionApplied"
                    | "SegmentsArchived"
            )
        )
    }
}

/// Records beyond their time are redacted by policy; the same order's [`PayloadRedacted`] names them.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct RetentionApplied {
    pub order: OrderId,
    /// What happened before goes, Unix milliseconds.
    #[serde(rename = "before", serialize_with = "wire::utc")]
    pub before_ms: u64,
    /// Of these sessions alone; none: of all.
    pub sessions: Vec<String>,
    /// Of calls about what lies at or below these paths alone; none: all.
    pub paths: Vec<String>,
    pub records: u64,
    pub first_sequence: u64,
    pub last_sequence: u64,
}

/// These tool names are allowed from here on, besides the ones already in force.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ToolsDeclared {
    pub tools: Vec<String>,
    pub by: String,
}

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
        Self::of_body(recorded.sequence, &recorded.event.body)
    }

    /// The same of an event that was just recorded.
    pub fn of_body(at: Sequence, body: &Body) -> Option<Self> {
        match body {
            Body::RecoveryPerformed(performed) => Self::performed(at, performed),
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
