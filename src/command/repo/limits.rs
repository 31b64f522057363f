//! Every size of an operation on a repository's memory, on one page.

/// One file of git's.
pub const GIT_FILE_BYTES_MAX: u64 = 1 << 20;
/// The URL of a remote, or the name of a branch.
pub const GIT_NAME_BYTES_MAX: usize = 4 << 10;
