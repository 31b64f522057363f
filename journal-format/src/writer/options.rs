//! How a writer writes.

use crate::limits::{LOCK_WAIT_MS_MAX, SEGMENT_BYTES_MAX};
use crate::lock::TailSlot;
use crate::units::Seen;

/// When an append counts as done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// Written: survives the death of the process, not of the machine.
    Buffered,
    /// On disk: returns after an fdatasync that covers it, one for many threads.
    #[default]
    Group,
    /// On disk, and the tail slot that witnesses it too.
    Strict,
}

/// How a writer writes.
#[derive(Clone, Debug)]
pub struct WriterOptions {
    pub durability: Durability,
    /// Payloads from this many bytes up are compressed where it pays; `None`: only what has to
    /// be kept free of zeros is touched.
    pub compress_bytes_min: Option<usize>,
    /// A segment rolls when the next commit would pass this; one commit always fits.
    pub segment_bytes_max: u64,
    /// How long a lock that another process holds is waited for, each time, milliseconds.
    pub lock_wait_ms_max: u64,
    /// All of the space behind the last commit is read when a journal is opened, also where this boot's
    /// tail slot says what was written: what nobody wrote there is cut as a torn tail is.
    pub is_thorough: bool,
    /// What the lock file said of the tail when somebody saw it last: it takes the place of what that
    /// file has lost.
    pub witness: Option<TailSlot>,
    /// An event that was there: one beyond the journal's end is lost.
    pub seen: Option<Seen>,
    /// Grows salts and nonces: 32 bytes from the system's random source, never used twice.
    pub seed: [u8; 32],
}

impl WriterOptions {
    /// Group durability, compression from 256 bytes, segments of [`SEGMENT_BYTES_MAX`].
    pub fn new(seed: [u8; 32]) -> Self {
        Self {
            durability: Durability::default(),
            compress_bytes_min: Some(256),
            segment_bytes_max: SEGMENT_BYTES_MAX,
            lock_wait_ms_max: LOCK_WAIT_MS_MAX,
            is_thorough: false,
            witness: None,
            seen: None,
            seed,
        }
    }
}
