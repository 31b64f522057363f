//! Why an append was not done.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::lock::LockError;
use crate::units::{Offset, SegmentNumber, Sequence};

/// Why an append was not done, and whether it may be there all the same.
#[derive(Clone, Debug, thiserror::Error)]
pub enum AppendError {
    #[error(
        "not recorded: segment {segment} could not be written at byte {offset}; \
         nothing of it is in the journal: free space or repair the disk, then append again"
    )]
    NotRecorded { segment: SegmentNumber, offset: Offset, source: Arc<io::Error> },
    #[error(
        "it is unknown whether this was recorded: segment {segment} could not be flushed at \
         byte {offset}; look for it in the journal before you append it again"
    )]
    Unknown { segment: SegmentNumber, offset: Offset, source: Arc<io::Error> },
    #[error(
        "not recorded: this writer stopped after segment {segment} could neither be flushed nor \
         replaced; open the journal again once its disk works"
    )]
    Fenced { segment: SegmentNumber },
    #[error("not recorded: {} was not free for {waited_ms} ms; try again", path.display())]
    Locked { path: PathBuf, waited_ms: u64 },
    #[error(
        "not recorded: others appended up to event {last} meanwhile; look at what they did, then \
         append again"
    )]
    Overtaken { last: Sequence },
    #[error("not recorded: the {what} has {size}, at most {size_max} fit: split it")]
    TooLarge { what: &'static str, size: u64, size_max: u64 },
    #[error("not recorded: kind {kind:#06x} belongs to the format itself")]
    ReservedKind { kind: u16 },
    #[error("not recorded: an append needs at least one record")]
    Empty,
    #[error(
        "it is unknown whether this was recorded: the thread that wrote it panicked; \
         open the journal again"
    )]
    LeaderLost,
}

impl AppendError {
    /// Whether the journal certainly does not hold what was to be appended.
    pub fn is_certain(&self) -> bool {
        !matches!(self, Self::Unknown { .. } | Self::LeaderLost)
    }

    /// The same place and source, but what was written could not be taken back.
    pub(crate) fn into_unknown(self) -> Self {
        match self {
            Self::NotRecorded { segment, offset, source } => {
                Self::Unknown { segment, offset, source }
            }
            other => other,
        }
    }

    pub(crate) fn locked(error: LockError, segment: SegmentNumber, offset: Offset) -> Self {
        match error {
            LockError::Busy { path, waited_ms } => Self::Locked { path, waited_ms },
            LockError::Replaced { path } => Self::Locked { path, waited_ms: 0 },
            LockError::Io { source, .. } => {
                Self::NotRecorded { segment, offset, source: Arc::new(source) }
            }
        }
    }
}
