//! What a line was to the harness.

use super::run::Run;

/// What a line was to the harness.
#[derive(Debug)]
pub enum Told<'a> {
    /// Its own, or a failed test's.
    Kept,
    /// None that it knows; of a line that begins with the test that runs, what follows.
    Loose(&'a str),
    /// The last one of a binary.
    Ended(Box<Run>),
}
