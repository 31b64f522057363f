//! What the tally remembers of an execution: little, since there may be millions.

use crate::event::{Outcome, SessionId};

/// An execution that has a row in the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Its start's sequence; 0 where that was lost.
    pub started: u64,
    /// `None` while it is open.
    pub outcome: Option<Outcome>,
    /// It has a row in `execution_log.db`.
    pub has_row: bool,
    /// It counts by its correction.
    pub corrected: bool,
}

/// What an open execution, or a correction, is about.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    pub session: Option<SessionId>,
    /// What makes two calls ones on the same target; zeros where no start tells.
    pub key: [u8; 16],
    /// In one line, for people.
    pub target: Option<String>,
}

/// Sixteen bytes that stand for a text, so that a set of millions stays small.
pub(super) fn digest(parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = blake3::Hasher::new();
    for part in parts {
        hash.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    let mut short = [0; 16];
    short.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    short
}

/// Where a failure waits for its success.
pub(super) fn pending_key(about: &About, tool: &str) -> [u8; 16] {
    let session = about.session.map(|session| session.0).unwrap_or_default();
    digest(&[&session, tool.as_bytes(), &about.key])
}
