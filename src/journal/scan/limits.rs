//! How much of a stream is looked at at a time. In tests a sixteenth, so that a stream has many edges.

const SHARE: usize = if cfg!(test) { 16 } else { 1 };

/// New bytes of one look.
pub const BLOCK_BYTES: usize = (1 << 20) / SHARE;
/// The end of a look that the next one judges, in which a secret may go on: longer ones (a private
/// key's 16 KiB, a service account's file) are cut where this ends.
pub const AHEAD_BYTES: usize = (64 << 10) / SHARE;
/// What the next look sees again of what stood before: the name that tells a secret.
pub const BEHIND_BYTES: usize = (4 << 10) / SHARE;
/// Folders within folders.
pub const DEPTH_MAX: usize = 512;

const _: () = assert!(AHEAD_BYTES < BLOCK_BYTES && BEHIND_BYTES < AHEAD_BYTES);
