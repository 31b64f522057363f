//! How a journal is written.

use super::{Durability, Testimony};

/// How a journal is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalOptions {
    pub durability: Durability,
    /// Payloads of at least this many bytes are compressed where it pays.
    pub compress_bytes_min: Option<usize>,
    /// A segment rolls when the next commit would pass this.
    pub segment_bytes_max: u64,
    /// How long a lock that another process holds is waited for, each time, milliseconds.
    pub lock_wait_ms_max: u64,
    /// All of the space behind the last commit is read when it is opened: for those who mend.
    pub is_thorough: bool,
    pub testimony: Testimony,
}

impl Default for JournalOptions {
    fn default() -> Self {
        Self {
            durability: Durability::Group,
            compress_bytes_min: Some(1 << 10),
            segment_bytes_max: annals_journal_format::limits::SEGMENT_BYTES_MAX,
            lock_wait_ms_max: annals_journal_format::limits::LOCK_WAIT_MS_MAX,
            is_thorough: false,
            testimony: Testimony::default(),
        }
    }
}
