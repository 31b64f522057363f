//! Bounds on what is worked out of an agent's session.

/// Bytes of a fix's diff.
pub const DIFF_BYTES_MAX: usize = 16 << 10;
/// Files that a fix names.
pub const FILES_MAX: usize = 64;
/// Characters of a line that a fix's description quotes.
pub const QUOTED_CHARS_MAX: usize = 120;
/// Calls of one session that are open side by side.
pub const OPEN_MAX: usize = 4_096;
/// Bytes of an output that are read for what the tests came to, of each stream.
pub const OUTPUT_BYTES_MAX: usize = 16 << 20;
/// Chains of one session that go on side by side.
pub const CHAINS_MAX: usize = 256;
/// Tests of one chain that are known to fail.
pub const FAILING_MAX: usize = 1_000;
