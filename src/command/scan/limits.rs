//! How much of a stream is looked at at a time.

/// New bytes of one look.
pub const BLOCK_BYTES: usize = 1 << 20;
/// The end of a look that the next one judges, in which a secret may go on: longer ones (a private
/// key's 16 KiB, a service account's file) are cut where this ends.
pub const AHEAD_BYTES: usize = 64 << 10;
/// What the next look sees again of what stood before: the name that tells a secret.
pub const BEHIND_BYTES: usize = 4 << 10;
/// Folders within folders.
pub const DEPTH_MAX: usize = 512;

const _: () = assert!(AHEAD_BYTES < BLOCK_BYTES && BEHIND_BYTES < AHEAD_BYTES);
