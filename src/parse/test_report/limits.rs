//! How much of a runner's output is kept.

use crate::debug::limits;

/// Failures of one report; those beyond are counted.
pub const FAILURES_MAX: usize = limits::FAILURES_MAX;
/// Bytes of a test's name.
pub const NAME_BYTES: usize = limits::NAME_BYTES_MAX - CUT_BYTES;
/// Bytes of an error message.
pub const MESSAGE_BYTES: usize = limits::MESSAGE_BYTES_MAX - CUT_BYTES;
/// Bytes of a stack trace, and of the output's end where nothing was understood.
pub const STACK_BYTES: usize = limits::STACK_BYTES_MAX - CUT_BYTES;
/// Bytes of an expected or actual value.
pub const VALUE_BYTES: usize = limits::VALUE_BYTES_MAX - CUT_BYTES;
/// Bytes of the word on what was cut: with it a text still fits an attempt, and is not cut twice.
pub const CUT_BYTES: usize = 64;
/// Bytes of one line that are looked at.
pub const LINE_BYTES: usize = 64 << 10;
/// The same where the line begins as a JSON object does: `jest --json` prints its whole report as one.
pub const JSON_LINE_BYTES: usize = 4 << 20;
/// Tests whose output is held until it is known how they ended, and packages that are read at once.
pub const PENDING_MAX: usize = 64;
