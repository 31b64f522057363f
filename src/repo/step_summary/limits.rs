//! Every size of a summary that is no setting, on one page. Characters are Unicode scalar values.

/// Of a line.
pub const LINE_CHARS_MAX: usize = 300;
/// Of a line where not all lines fit.
pub const SHORT_LINE_CHARS_MIN: usize = 40;
/// Of what an agent said last, bytes that are read and characters that are told.
pub const ANSWER_BYTES_MAX: usize = 64 << 10;
pub const ANSWER_CHARS_MAX: usize = 280;
/// Pending failures, and changed files, that are named.
pub const PENDING_MAX: usize = 16;
pub const FILES_MAX: usize = 16;
/// Of what a model is given.
pub const FACTS_CHARS_MAX: usize = 16_000;
/// Of what a model answers, bytes that are read.
pub const REPLY_BYTES_MAX: usize = 64 << 10;
/// Of what a model said when it failed.
pub const SAID_CHARS_MAX: usize = 200;
/// Seconds that a model is given at most, whatever the settings say.
pub const WITHIN_S_MAX: u64 = 3_600;
/// Of the names of a run and of a step.
pub const NAME_CHARS_MAX: usize = 256;
