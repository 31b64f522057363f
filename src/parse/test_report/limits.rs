//! How much of a runner's output is kept.

/// Failures that are kept of one report, or of one attempt; those beyond are counted.
pub const FAILURES_MAX: usize = 200;
/// The name of a test, of a pattern, of a function.
pub const NAME_BYTES_MAX: usize = 1 << 10;
/// A failure's message.
pub const MESSAGE_BYTES_MAX: usize = 8 << 10;
/// A failure's stack trace.
pub const STACK_BYTES_MAX: usize = 16 << 10;
/// What an assertion wanted, and what it was given.
pub const VALUE_BYTES_MAX: usize = 4 << 10;
/// Bytes of a test's name.
pub const NAME_BYTES: usize = NAME_BYTES_MAX - CUT_BYTES;
/// Bytes of an error message.
pub const MESSAGE_BYTES: usize = MESSAGE_BYTES_MAX - CUT_BYTES;
/// Bytes of a stack trace, and of the output's end where nothing was understood.
pub const STACK_BYTES: usize = STACK_BYTES_MAX - CUT_BYTES;
/// Bytes of an expected or actual value.
pub const VALUE_BYTES: usize = VALUE_BYTES_MAX - CUT_BYTES;
/// Bytes of the word on what was cut: with it a text still fits an attempt, and is not cut twice.
pub const CUT_BYTES: usize = 64;
/// Bytes of one line that are looked at.
pub const LINE_BYTES: usize = 64 << 10;
/// The same where the line begins as a JSON object does: `jest --json` prints its whole report as one.
pub const JSON_LINE_BYTES: usize = 4 << 20;
/// Tests whose output is held until it is known how they ended, and packages that are read at once.
pub const PENDING_MAX: usize = 64;
