//! Every size that a tool may take or give, on one page.

/// Of a path, the bytes that are read.
pub const PATH_BYTES_MAX: usize = 4_096;
/// What a tool gives back as text.
pub const TEXT_BYTES_MAX: usize = 256 << 10;
/// A file that is edited, or written whole.
pub const EDIT_BYTES_MAX: usize = 16 << 20;
/// Edits of one call.
pub const EDITS_LEN_MAX: usize = 256;
/// Lines that `file_read` gives where it is not told.
pub const READ_LINES: usize = 2_000;
/// Of a file, the beginning in which a NUL makes it binary.
pub const SNIFFED_BYTES: usize = 8 << 10;
/// A larger file is not searched.
pub const SEARCHED_BYTES_MAX: u64 = 8 << 20;
/// Files that one search or listing looks at.
pub const FILES_LEN_MAX: usize = 200_000;
/// How long one search or listing may take, milliseconds.
pub const SEARCH_MS_MAX: u64 = 20_000;
/// Of a line that is found, the bytes that are given.
pub const LINE_BYTES_MAX: usize = 400;
/// Matches and names that are given where the call says nothing, and at most.
pub const MATCHES_LEN: usize = 200;
pub const NAMES_LEN: usize = 1_000;
pub const FOUND_LEN_MAX: usize = 5_000;
/// Lines of context on each side of a match.
pub const CONTEXT_LINES_MAX: usize = 20;
/// Of a pattern, the bytes, and what it may grow to when it is compiled.
pub const PATTERN_BYTES_MAX: usize = 4 << 10;
pub const PATTERN_COMPILED_BYTES_MAX: usize = 4 << 20;
/// A program that a tool runs, seconds: where the call says nothing, and at most.
pub const PROGRAM_S: u64 = 300;
pub const PROGRAM_S_MAX: u64 = 3_600;
/// A plan's steps.
pub const PLAN_STEPS_MAX: usize = 64;

const _: () = assert!(TEXT_BYTES_MAX <= crate::event::limits::INLINE_BYTES_MAX);
const _: () = assert!(MATCHES_LEN <= FOUND_LEN_MAX && NAMES_LEN <= FOUND_LEN_MAX);
