//! What a parser made of an output.

use super::failures::Failures;
use crate::event::TestResults;

/// What a parser made of an output.
#[derive(Debug, Default)]
pub struct Parsed {
    pub results: TestResults,
    pub failures: Failures,
    pub runtime_version: Option<String>,
    /// Whether the runner spoke at all.
    pub is_understood: bool,
}

impl Parsed {
    /// How much it found: what went wrong, then tests.
    pub fn weight(&self) -> (u64, u64) {
        (self.bad(), self.results.total)
    }

    /// Tests that went wrong, by the totals.
    pub fn bad(&self) -> u64 {
        self.results.failed.saturating_add(self.results.errors.unwrap_or(0))
    }
}
