//! The annals journal: segments, frames, commits, chain, recovery.
//!
//! Bytes only: this crate knows nothing of what an event means. `FORMAT.md` beside it is
//! normative; every constant here stands there too. It has no clock and no source of randomness
//! of its own: times come with the records, and the salts grow from a seed the caller gives, so
//! that a simulated disk replays any schedule exactly.
//!
//! ```text
//! journal/0000000000-00000000000000000001.seg   header page · frames … · ROLL
//! journal/0000000001-00000000000000041873.seg   header page · frames … · zeros
//! journal/LOCK                                  fs2 lock and tail slot
//! journal/quarantine/                           what recovery cut, kept
//! journal/blobs/                                payloads too large to travel inline
//! ```
//!
//! Two ways in: read ([`scan`], and what is built on it) or append; never both through one type.

pub mod archive;
pub mod bundle;
pub mod chain;
mod entropy;
pub mod frame;
pub mod inspect;
pub mod limits;
pub mod lock;
pub mod reader;
pub mod recover;
mod redaction;
pub mod salvage;
pub mod scan;
pub mod segment;
pub mod storage;
pub mod tree;
pub mod units;
pub mod verify;
pub mod writer;

pub use units::{Chain, JournalId, Mark, Offset, Position, Seen, SegmentNumber, Sequence};
