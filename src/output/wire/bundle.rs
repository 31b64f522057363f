//! What `bundle` wrote, as it prints it.

use serde::Serialize;

/// A bundle that was written.
#[derive(Debug, Serialize)]
pub struct Bundled {
    pub path: String,
    /// Of the file.
    pub bytes: u64,
    pub journal: String,
    /// The first event that could be in it, and the last that is.
    pub first_sequence: u64,
    pub last_sequence: u64,
    /// The chain at the last commit: what `verify` computes of the bundle.
    pub chain: String,
    pub segments: u64,
    pub blobs: u64,
    /// Content that events name and the journal no longer has.
    pub blobs_missing: Vec<String>,
}
