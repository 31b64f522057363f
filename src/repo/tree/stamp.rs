//! How a file stood when it was read: what tells whether it has to be read again.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use super::limits::RACY_MS;

/// Bytes of one in the cache.
pub const STAMP_BYTES: usize = 32;

/// How a file stood when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub size: u64,
    /// Unix nanoseconds.
    pub changed_ns: i64,
    /// When anything of it changed last, its times included: nobody can set this one back.
    pub status_ns: i64,
    pub inode: u64,
}

impl Stamp {
    pub fn of(about: &Metadata) -> Self {
        let ns = |seconds: i64, ns: i64| seconds.saturating_mul(1_000_000_000).saturating_add(ns);
        Self {
            size: about.len(),
            changed_ns: ns(about.mtime(), about.mtime_nsec()),
            status_ns: ns(about.ctime(), about.ctime_nsec()),
            inode: about.ino(),
        }
    }

    /// Whether it changed so shortly before the scan that its times may not tell what is written to
    /// it afterwards; or after, by a clock that is ahead.
    pub fn is_racy(&self, scan_ms: u64) -> bool {
        let settled_ms = i64::try_from(scan_ms.saturating_sub(RACY_MS)).unwrap_or(i64::MAX);
        self.changed_ns.max(self.status_ns) >= settled_ms.saturating_mul(1_000_000)
    }

    pub fn to_bytes(self) -> [u8; STAMP_BYTES] {
        let mut bytes = [0; STAMP_BYTES];
        let (size, rest) = bytes.split_at_mut(8);
        let (changed, rest) = rest.split_at_mut(8);
        let (status, inode) = rest.split_at_mut(8);
        size.copy_from_slice(&self.size.to_le_bytes());
        changed.copy_from_slice(&self.changed_ns.to_le_bytes());
        status.copy_from_slice(&self.status_ns.to_le_bytes());
        inode.copy_from_slice(&self.inode.to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8; STAMP_BYTES]) -> Self {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            word
        };
        Self {
            size: u64::from_le_bytes(word(0)),
            changed_ns: i64::from_le_bytes(word(8)),
            status_ns: i64::from_le_bytes(word(16)),
            inode: u64::from_le_bytes(word(24)),
        }
    }
}
