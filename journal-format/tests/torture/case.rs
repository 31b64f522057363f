//! The name of the case that a failing trial was at.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Runs a trial; where it panics, says which case it was.
pub fn named<T>(case: impl Fn() -> String, trial: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(trial)).unwrap_or_else(|panic| {
        eprintln!("in case: {}", case());
        resume_unwind(panic)
    })
}
