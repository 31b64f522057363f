//! What a file is on the disk: while this is the same, so are its bytes.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use serde::{Deserialize, Serialize};

/// A file that changed within this time before a look may have changed again in the same tick of
/// its clock, milliseconds.
const RACY_MS: u64 = 2_000;

/// What a file is on the disk. Its times of change cannot be set back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub bytes: u64,
    device: u64,
    inode: u64,
    modified_ns: i128,
    changed_ns: i128,
}

impl Identity {
    pub fn of(about: &Metadata) -> Self {
        let ns = |seconds: i64, ns: i64| i128::from(seconds) * 1_000_000_000 + i128::from(ns);
        Self {
            bytes: about.len(),
            device: about.dev(),
            inode: about.ino(),
            modified_ns: ns(about.mtime(), about.mtime_nsec()),
            changed_ns: ns(about.ctime(), about.ctime_nsec()),
        }
    }

    /// Of so many bytes within it, which are what they were for as long as the file is.
    pub fn part(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    /// Whether it lies where the other did, whatever is in it now.
    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// The same, whatever became of its owner and mode.
    pub fn by_its_bytes(self) -> Self {
        Self { changed_ns: self.modified_ns, ..self }
    }

    /// Whether it was left alone for long enough before this time.
    pub fn is_settled(&self, at_ms: u64) -> bool {
        let last = self.modified_ns.max(self.changed_ns) / 1_000_000;
        last + i128::from(RACY_MS) < i128::from(at_ms)
    }
}
