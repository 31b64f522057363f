//! How a file is opened.

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenHow {
    /// It must exist; it cannot be written.
    Read,
    /// It must exist.
    ReadWrite,
    /// Made where it does not exist.
    ReadWriteOrCreate,
    /// Must not exist.
    CreateNew,
}
