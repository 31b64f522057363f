//! Why the lock was not taken.

use std::io;
use std::path::PathBuf;

/// Why the lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("{} is held by another process since {waited_ms} ms: wait for it, or end it", path.display())]
    Busy { path: PathBuf, waited_ms: u64 },
    #[error("{} is replaced again and again: find who removes it", path.display())]
    Replaced { path: PathBuf },
    #[error("cannot lock {}", path.display())]
    Io { path: PathBuf, source: io::Error },
}
