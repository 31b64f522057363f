//! Every size an event may have, on one page.

/// The encoded envelope and body of one event.
pub const PAYLOAD_BYTES_MAX: usize = 8 << 20;
/// Content at or above this goes to a blob (R9).
pub const INLINE_BYTES_MAX: usize = 256 << 10;
/// Content at or above this is not kept twice: a repetition refers to the first (R9).
pub const REPEATED_BYTES_MIN: usize = 4 << 10;
/// Captured output above this is kept as head and tail.
pub const CONTENT_BYTES_MAX: usize = 64 << 20;
/// Canonical arguments or diagnostics of one execution.
pub const JSON_BYTES_MAX: usize = 4 << 20;
/// Nesting of JSON that is accepted.
pub const JSON_DEPTH_MAX: usize = 128;
/// Paths, symbols or changes of one execution.
pub const LIST_LEN_MAX: usize = 10_000;
/// A tool's name.
pub const TOOL_NAME_BYTES_MAX: usize = 128;
/// A project's own checks and matchers, in number; how large one is, its patterns, and all of them.
pub const CHECKS_LEN_MAX: usize = 256;
pub const CHECK_BYTES_MAX: usize = 256;
/// Of the command line behind a check.
pub const RUNS_BYTES_MAX: usize = 1 << 10;
pub const MATCHERS_LEN_MAX: usize = 32;
pub const MATCHER_LINES_MAX: usize = 8;
pub const PATTERN_BYTES_MAX: usize = 2 << 10;
pub const CHECKS_BYTES_MAX: usize = 128 << 10;

const _: () = assert!(CHECKS_BYTES_MAX < PAYLOAD_BYTES_MAX);
const _: () = assert!(INLINE_BYTES_MAX < PAYLOAD_BYTES_MAX);
const _: () = assert!(REPEATED_BYTES_MIN < INLINE_BYTES_MAX);
const _: () = assert!(JSON_BYTES_MAX < PAYLOAD_BYTES_MAX);
const _: () = assert!(CONTENT_BYTES_MAX > INLINE_BYTES_MAX);
